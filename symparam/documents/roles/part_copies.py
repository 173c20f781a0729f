"""Sums what the tensors of a part hold: in all layers, in one layer, in one block, for each head."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import sympy

from symparam.analysis.roles import is_attention
from symparam.core.dimensions import h, k
from symparam.documents.roles.leaves import Leaf, class_of
from symparam.models.blocks.architecture import Place

_SCOPES = {
    "layer": ("in-layer", "in-all"),
    "layers": ("in-all",),
    "transformer": ("in-all",),
    "encoder": ("in-all",),
    "decoder": ("in-all",),
    "embeddings": ("in-all",),
    "non-embedding": ("in-all",),
}
"""The scope of a part that is not in a list of layers."""


def sums(
    part: str, scope: str, leaves: Sequence[Leaf], blocks: Mapping[Leaf, Place], plural: bool = False
) -> Iterator[tuple[str, list[Leaf], sympy.Expr]]:
    """The sums over the tensors: in all copies, in each kind of layer, and in each single block if the label does not say which.

    Of several in each layer, named in the ``plural``, all are meant.
    """
    layers = list({leaf.layer.path: leaf.layer for leaf in leaves if leaf.layer is not None}.values())
    wanted = (scope,) if scope else _SCOPES.get(part, ("in-all", "in-layer", "one"))
    if "in-all" in wanted or not layers:
        yield "in-all" if layers else "", list(leaves), sympy.Add(*(leaf.size * leaf.copies for leaf in leaves))
        kinds_of_leaves = (stack_of, layer_of, lambda leaf: blocks[leaf].path, lambda leaf: _attention(blocks[leaf]))
        for kind_of in kinds_of_leaves if part not in ("model", "non-embedding") else ():
            kinds = list(dict.fromkeys(map(kind_of, leaves)))
            for kind in kinds if len(kinds) > 1 else ():
                found = [leaf for leaf in leaves if kind_of(leaf) == kind]
                if plural and found[0].layer is None and len({leaf.own.path for leaf in found}) == 1:
                    continue
                scope_of_kind = "in-all" if any(leaf.layer is not None for leaf in found) else ""
                yield scope_of_kind, found, sympy.Add(*(leaf.size * leaf.copies for leaf in found))
    if {"in-layer", "per-head"} & set(wanted):
        for layer in layers:
            found = [leaf for leaf in leaves if layer_of(leaf) == layer.path]
            size = sympy.Add(*(leaf.size * leaf.copies / layer.copies for leaf in found))
            if "per-head" in wanted:  # Keys and values may have heads of their own.
                yield from (("per-head", found, size / heads) for heads in (h, k) if heads in (h, *size.free_symbols))
            else:
                yield "in-layer", found, size
    if ("one" in wanted or (scope == "in-layer" and part != "model")) and not (plural and layers):
        kinds_of = {layer.path: {class_of(blocks[leaf]) for leaf in leaves if layer_of(leaf) == layer.path} for layer in layers}
        alike = [leaf for leaf in leaves if len(kinds_of.get(layer_of(leaf), ())) <= 1 or _attention(blocks[leaf])]
        for block in {blocks[leaf].path: blocks[leaf] for leaf in alike}.values():
            found = [leaf for leaf in leaves if blocks[leaf].path == block.path]
            yield "one", found, sympy.Add(*(leaf.size * leaf.copies / block.copies for leaf in found))


def divisor(scope: str, leaves: Sequence[Leaf]) -> sympy.Expr:
    """The number of copies by which the size in all of them is divided for those in the scope."""
    layer = leaves[0].layer if scope == "in-layer" else None
    return layer.copies if layer is not None else leaves[0].copies if scope == "one" else sympy.S.One


def stack_of(leaf: Leaf) -> str:
    """The list of layers that it is in, or nothing."""
    return leaf.layer.path.rpartition(".")[0] if leaf.layer is not None else ""


def layer_of(leaf: Leaf) -> str:
    """The kind of layer that it is in, or nothing."""
    return leaf.layer.path if leaf.layer is not None else ""


def _attention(place: Place) -> str:
    """The kind of attention that it is, or nothing."""
    role = place.module.role or ""
    return role if is_attention(role) else ""

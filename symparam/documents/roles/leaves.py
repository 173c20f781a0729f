"""Lists the leaves of a model for a measure: its tensors, or the pieces of work or memory of its blocks, each with the enclosing blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy

from symparam.analysis.roles import is_part
from symparam.models.blocks import Architecture, Repeat, Tied
from symparam.models.blocks.architecture import Place

Piece = tuple[str, sympy.Expr, sympy.Expr, bool]
"""A block's contribution to a measure: a tensor or a product by name, its size, the share that one token uses, and whether it is tied."""
Pieces = Callable[[Place], Iterator[Piece]]


@dataclass(frozen=True, eq=False)
class Leaf:
    """A tensor or other piece, compared by identity: the enclosing blocks, the outermost first and its own last, its name in that block,
    its layer, and its size.
    """

    chain: tuple[Place, ...]
    tensor: str
    size: sympy.Expr
    active: sympy.Expr
    tied: bool
    layer: Place | None

    @property
    def own(self) -> Place:
        return self.chain[-1]

    @property
    def is_norm(self) -> bool:
        return "Norm" in class_of(self.own)

    @property
    def is_table(self) -> bool:
        return class_of(self.own) == "Embedding"

    @property
    def is_bias(self) -> bool:
        return self.tensor == "bias" or self.tensor.endswith("_bias")  # Those of experts lie beside the matrices: ``down_proj_bias``.

    @property
    def copies(self) -> sympy.Expr:
        return self.own.copies


def is_in(leaf: Leaf, part: str) -> bool:
    """Whether the leaf's block, or one that encloses it, is what people call the part."""
    around: list[tuple[str, str]] = []
    for place in leaf.chain:
        if is_part(part, place.module.role or "", class_of(place), around):
            return True
        around.append((place.module.role or "", class_of(place)))
    return False


def class_of(place: Place) -> str:
    """The class of a block; for a tied block, the class of the one whose tensors it shares."""
    return place.module.inner.kind if isinstance(place.module, Tied) else place.module.kind


def tensor_pieces(place: Place) -> Iterator[Piece]:
    """The tensors of a block, which hold its parameters."""
    return ((tensor.name, tensor.elements, tensor.active_fraction, tensor.tied_to is not None) for tensor in place.module.tensors)


def leaves_of(architecture: Architecture, pieces: Pieces = tensor_pieces) -> tuple[Leaf, ...]:
    """All leaves of an architecture, in its order: its tensors, or the pieces of another measure."""
    return tuple(_below(architecture.place, (), None, pieces))


def _below(place: Place, around: tuple[Place, ...], layer: Place | None, pieces: Pieces, repeats: bool = False) -> Iterator[Leaf]:
    chain = (*around, place)
    inside = [*place.inside]
    layer = place if repeats and inside and place.module.children else layer
    for name, size, active, is_tied in pieces(place):
        yield Leaf(chain, name, size, active, is_tied, layer)
    for inner in inside:
        yield from _below(inner, chain, layer, pieces, isinstance(place.module, Repeat))

"""From the tree of a printed model, whose sizes are integers, to blocks with symbolic sizes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import sympy

from symparam.errors import DocumentError
from symparam.models.blocks import Block, Conv1D, Embedding, LayerNorm, Layers, Linear, Module, Parameter, Repeat, RMSNorm, Tied
from symparam.models.blocks.containers import OpaqueLayers
from symparam.models.blocks.module import OpaqueBlock
from symparam.models.blocks.opaque import OpaqueLayer
from symparam.models.printed.class_knowledge import CONTAINERS, LAYER_OF_TORCH
from symparam.models.printed.torch_modules import attention, is_encoder, is_encoder_layer, recurrent
from symparam.models.printed.tree import Node, numbers

MAX_DISTINCT = 5_000  # Tensors that are not copies of each other; this many take ten seconds to add up, and no model has as many.
MAX_NUMBERED = 100_000  # Layers whose numbers must be listed one by one.


class SizeNaming(Protocol):
    """Names the sizes at a place of a model: letters, multiples of them, or the numbers themselves."""

    def shape(self, path: str, kind: str, name: str, shape: tuple[int, ...]) -> tuple[sympy.Expr, ...]:
        """The sizes of a tensor of the module at the path."""

    def count(self, path: str, count: int) -> sympy.Expr:
        """The number of layers of the list at the path."""


def build(root: Node, sizes: SizeNaming) -> Module:
    """The module as a block. Where its parts may differ in their numbers of rows, each number of rows is unknown."""
    built = _module(root, "", sizes)
    if not root.rearranged:
        return built
    if isinstance(built, Layers):
        return OpaqueLayers(*built.groups)
    return OpaqueLayers(built) if isinstance(built, Repeat) else OpaqueBlock(root.kind, role=None, **dict(built.children))


def check_size(root: Node) -> None:
    """Raise a `DocumentError` for more distinct parts than a formula can distinguish."""
    distinct = _tensors(root)
    if distinct > MAX_DISTINCT:
        raise DocumentError(f"the model has {distinct:,} tensors in layers that differ; at most {MAX_DISTINCT:,} are read")
    if (numbered := _numbered(root)) > MAX_NUMBERED:
        raise DocumentError(f"the model has {numbered:,} layers in lists whose layers differ; at most {MAX_NUMBERED:,} are read")


def _tensors(node: Node) -> int:
    inside = sum(_tensors(child) for _, child in node.children) + sum(_tensors(run.body) for run in node.groups)
    return len(node.tensors) + inside


def _numbered(node: Node) -> int:
    own = 0 if node.repeated else node.layers
    return own + sum(_numbered(child) for _, child in node.children) + sum(_numbered(run.body) for run in node.groups)


def _module(node: Node, path: str, sizes: SizeNaming) -> Module:
    if node.children or node.groups:
        return _with_parts(node, path, sizes)
    shapes = {name: sizes.shape(path, node.kind, name, shape) for name, shape in node.tensors}
    block = recurrent(node, shapes) or leaf(node.kind, shapes)
    return Tied(block, **dict(node.tied)) if node.tied else block


def _with_parts(node: Node, path: str, sizes: SizeNaming) -> Module:
    before = f"{path}." if path else ""
    own = [each for each in node.tensors if each[0] not in dict(node.tied)]  # A parameter by itself is left out where it is tied.
    named: dict[str, Module] = {name: Parameter(*sizes.shape(path, node.kind, name, shape)) for name, shape in own}
    named |= {name: _module(child, f"{before}{name}", sizes) for name, child in node.children}
    if node.layered and node.repeated:
        return Repeat(sizes.count(path, node.layers), _module(node.groups[0].body, f"{before}{{i}}", sizes))
    if node.layered:
        return Layers(*_runs(node, path, sizes))
    for number, body in sorted((number, run.body) for run in node.groups for span in run.numbers for number in span):
        named[str(number)] = _module(body, f"{before}{number}", sizes)
    if is_encoder_layer(node):  # Attention by itself might attend to another sequence; here it attends to its own.
        inner = dict(node.children)["self_attn"]
        named["self_attn"] = attention(sizes.shape(f"{before}self_attn", inner.kind, *inner.tensors[0])[1], inner)
    return block_of(node.kind, named, is_encoder_layer(node) or is_encoder(node))


def _runs(node: Node, path: str, sizes: SizeNaming) -> list[Repeat]:
    """The runs of a list whose layers differ, each labelled with its layer numbers."""
    before = f"{path}." if path else ""
    whole = sizes.count(path, node.layers)
    longest = max(node.groups, key=lambda run: run.count)
    others = sum(run.count for run in node.groups if run is not longest)
    found = []
    for run in node.groups:
        # The size of the longest run stays symbolic: the total minus the layers that differ.
        count = whole - others if run is longest and not whole.is_Integer else sympy.Integer(run.count)
        label = f"={numbers(run)}"
        at = tuple(number for span in run.numbers for number in span)
        found.append(Repeat(count, _module(run.body, f"{before}{{i{label}}}", sizes), label=label, indices=at))
    return found


def leaf(kind: str, shapes: Mapping[str, tuple[sympy.Expr, ...]]) -> Module:
    """The block of a module that holds only tensors, by its class and their shapes."""
    names, weight = tuple(shapes), shapes.get("weight", ())
    if names in (("weight",), ("weight", "bias")):
        biased = len(names) > 1
        if kind == "Conv1D" and biased and len(weight) == 2:
            return Conv1D(*weight)
        if "Embedding" in kind and not biased and len(weight) == 2:
            return Embedding(*weight)
        if len(weight) == 1 and biased and kind.endswith("LayerNorm"):
            return LayerNorm(*weight)
        if len(weight) == 1 and not biased and kind.endswith("RMSNorm"):
            return RMSNorm(*weight, name=kind)
        if len(weight) == 2 and (not biased or shapes["bias"] == weight[:1]) and "Embedding" not in kind and kind != "Module":
            return Linear(weight[1], weight[0], bias=biased)
    # A block that only scales and shifts has no operations that a print could omit.
    plain = all(len(shape) < 2 for shape in shapes.values())
    if len(shapes) == 1 or LAYER_OF_TORCH.fullmatch(kind):
        return OpaqueLayer(kind or "Module", tuple((name, tuple(shape)) for name, shape in shapes.items()), plain)
    return block_of(kind, {name: Parameter(*shape) for name, shape in shapes.items()}, plain)


def block_of(kind: str, parts: Mapping[str, Module], plain: bool = False) -> Block:
    """A block of these parts. Containers and ``plain`` classes have no operations of their own; for all others these are unknown."""
    for name in ("role", "rows", "execution_order"):
        if name in parts:
            raise DocumentError(
                f"a module in {kind or 'the model'} is called {name!r}, a name that symparam uses for other things; rename it"
            )
    return (Block if plain or kind in CONTAINERS else OpaqueBlock)(kind or "Module", role=None, **parts)

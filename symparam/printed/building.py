"""From the tree of what is shown, with whole numbers for sizes, to blocks with symbolic ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

import sympy

from symparam.blocks import Block, Conv1D, Embedding, LayerNorm, Layers, Linear, Module, Parameter, Repeat, RMSNorm, Tied
from symparam.errors import DocumentError
from symparam.printed.tree import Node, numbers

MAX_DISTINCT = 10_000  # Tensors that are not copies of each other; more take minutes to add up, and no model has them.
MAX_NUMBERED = 100_000  # Layers whose numbers have to be listed one by one.


class Sizes(Protocol):
    """What the sizes at a place of a model are called: letters, multiples of them, or the numbers themselves."""

    def shape(self, path: str, kind: str, name: str, shape: tuple[int, ...]) -> tuple[sympy.Expr, ...]:
        """The sizes of a tensor of the module at the path."""

    def count(self, path: str, count: int) -> sympy.Expr:
        """How many layers the list at the path has."""


def build(root: Node, sizes: Sizes, tied: Mapping[str, Mapping[str, str]]) -> Module:
    """The module as a block. ``tied`` gives for the path of a module the full names that its tensors are tied to."""
    return _module(root, "", sizes, tied)


def check_size(root: Node) -> None:
    """Raise a `DocumentError` where the parts that differ are more than can be told apart in a formula."""
    distinct = _tensors(root)
    if distinct > MAX_DISTINCT:
        raise DocumentError(f"the model has {distinct:,} tensors in layers that differ; at most {MAX_DISTINCT:,} are read")
    if (numbered := _numbered(root)) > MAX_NUMBERED:
        raise DocumentError(f"the model has {numbered:,} layers in lists whose layers differ; at most {MAX_NUMBERED:,} are read")


def _tensors(node: Node) -> int:
    inside = sum(_tensors(child) for _, child in node.children) + sum(_tensors(run.body) for run in node.runs)
    return len(node.tensors) + inside


def _numbered(node: Node) -> int:
    own = 0 if node.repeated else node.layers
    return own + sum(_numbered(child) for _, child in node.children) + sum(_numbered(run.body) for run in node.runs)


def _module(node: Node, path: str, sizes: Sizes, tied: Mapping[str, Mapping[str, str]]) -> Module:
    if node.children or node.runs:
        return _with_parts(node, path, sizes, tied)
    block = _leaf(node, path, sizes)
    if path not in tied:
        return block
    return Tied(block, **tied[path])


def _with_parts(node: Node, path: str, sizes: Sizes, tied: Mapping[str, Mapping[str, str]]) -> Module:
    before = f"{path}." if path else ""
    named: dict[str, Module] = {name: Parameter(*sizes.shape(path, node.kind, name, shape)) for name, shape in node.tensors}
    named |= {name: _module(child, f"{before}{name}", sizes, tied) for name, child in node.children}
    if node.layered and node.repeated:
        return Repeat(sizes.count(path, node.layers), _module(node.runs[0].body, f"{before}{{i}}", sizes, tied))
    if node.layered:
        return Layers(*_runs(node, path, sizes, tied))
    for number, body in sorted((number, run.body) for run in node.runs for span in run.numbers for number in span):
        named[str(number)] = _module(body, f"{before}{number}", sizes, tied)
    return _block(node, named)


def _runs(node: Node, path: str, sizes: Sizes, tied: Mapping[str, Mapping[str, str]]) -> list[Repeat]:
    """The runs of a list whose layers differ, each labelled by the numbers that it has."""
    before = f"{path}." if path else ""
    whole = sizes.count(path, node.layers)
    longest = max(node.runs, key=lambda run: run.count)
    others = sum(run.count for run in node.runs if run is not longest)
    found = []
    for run in node.runs:
        # Of the longest run the number stays a letter, the layers that differ taken from all of them.
        count = whole - others if run is longest and not whole.is_Integer else sympy.Integer(run.count)
        label = f"={numbers(run)}"
        at = tuple(number for span in run.numbers for number in span)
        found.append(Repeat(count, _module(run.body, f"{before}{{i{label}}}", sizes, tied), label=label, at=at))
    return found


def _leaf(node: Node, path: str, sizes: Sizes) -> Module:
    shapes = {name: sizes.shape(path, node.kind, name, shape) for name, shape in node.tensors}
    names, weight = tuple(shapes), shapes.get("weight", ())
    if names in (("weight",), ("weight", "bias")):
        biased, kind = len(names) > 1, node.kind
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
    return _block(node, {name: Parameter(*shape) for name, shape in shapes.items()})


def _block(node: Node, parts: Mapping[str, Module]) -> Block:
    for name in ("role", "passing", "runs"):
        if name in parts:
            raise DocumentError(
                f"a module in {node.kind or 'the model'} is called {name!r}, which symparam uses for other things; call it otherwise"
            )
    return Block(node.kind or "Module", role=None, **parts)

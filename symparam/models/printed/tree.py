"""The content of a print, a listing or a weights file: a tree of modules whose tensors have integer sizes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import field, replace
from math import prod

from symparam.core.frozen import frozen

Shape = tuple[int, ...]
Missed = tuple[str, str]
"""What a module has or may have without showing it, and why: a `Missing` without its path."""

MAX_LAYERS = 1_000_000  # Layers in one list; more than any model has.


@frozen
class LayerGroup:
    """Identical blocks of a numbered list, and their numbers as ranges in ascending order."""

    numbers: tuple[range, ...]
    body: Node

    @property
    def count(self) -> int:
        return sum(map(len, self.numbers))

    @property
    def consecutive(self) -> bool:
        return len(self.numbers) == 1


@frozen
class Node:
    """A module: its class as far as it is known, its own tensors by name, and the modules inside, by name or in numbered runs.

    ``missed`` is what it has or may have in addition. ``tied`` maps the names of tied tensors to the full names of their targets, and
    ``shared`` are the full names of its own tensors that are such targets. ``rearranged`` says that the parts of a container may differ in
    their numbers of rows, as before and after a ``Flatten``. ``line`` is its line in the text (0 if there is none) and is ignored in
    comparisons.
    """

    kind: str
    tensors: tuple[tuple[str, Shape], ...] = ()
    children: tuple[tuple[str, Node], ...] = ()
    groups: tuple[LayerGroup, ...] = ()
    missed: tuple[Missed, ...] = ()
    tied: tuple[tuple[str, str], ...] = ()
    shared: tuple[str, ...] = ()
    rearranged: bool = False
    line: int = field(default=0, compare=False)

    @property
    def empty(self) -> bool:
        """Whether it contains no tensor, not even one that may be hidden."""
        return not (self.tensors or self.children or self.groups or self.missed)

    @property
    def repeated(self) -> bool:
        """Whether it is only a list of identical blocks, numbered from 0."""
        return len(self.groups) == 1 and self.groups[0].consecutive and self.groups[0].numbers[0].start == 0

    @property
    def layered(self) -> bool:
        """Whether it is a list of layers, some of which are identical, rather than a sequence of distinct parts."""
        if self.tensors or self.children or not self.groups:
            return False
        return any(run.count > 1 for run in self.groups) or (self.repeated and self.kind != "Sequential")

    @property
    def layers(self) -> int:
        """The number of numbered modules in it."""
        return sum(run.count for run in self.groups)

    @property
    def elements(self) -> int:
        """The number of elements of all tensors in it, without tied ones."""
        inside = sum(child.elements for _, child in self.children)
        return _own(self) + inside + sum(run.count * run.body.elements for run in self.groups)


UNKNOWN, UNLIKE = "unknown", "unlike"
AS_RUN, AS_SHOWN, SUMMED = "as-run", "as-shown", "summed"
"""How tools that print tables of layers count: modules as often as they run, tensors as often as they are found, or sums that overlap."""
TRAINED = "trained"
"""Why a table may lack tensors: it counts only those that are trained."""
ONE_OF_SEVERAL = "one-of-several"
"""Why a file lacks tensors: it holds a part of a model."""
DOUBTED = (UNKNOWN, UNLIKE, AS_RUN, AS_SHOWN, SUMMED)
"""Why a module may have more than it shows: its class is unknown, or shares its name with one of torch's but prints something else."""
ATTENTION = "attention"
"""Why torch's attention may have more or fewer than it shows: the widths of its keys and values are not printed."""

BUFFER, UNNAMED = "buffer", "unnamed-buffer"
"""Why a tensor may not count: by its name it may be a buffer, or in a state nothing tells what it is."""


def least(node: Node) -> int:
    """The least possible number of elements: each unknown class uses a single tensor wherever it prints several of one shape, keys and
    values of unknown width are 1 wide, and what may be a buffer is one; of sums that may overlap, the largest.
    """
    if any(why == SUMMED for _, why in node.missed):
        return max((prod(shape) for spot in placed_modules(node) for _, shape in spot.node.tensors), default=0)
    if any(why in DOUBTED for _, why in node.missed):
        return sum(map(prod, {shape for spot in placed_modules(node) for shape in _least_shapes(spot.node)}))
    inside = sum(least(child) for _, child in node.children) + sum(run.count * least(run.body) for run in node.groups)
    return sum(map(prod, _least_shapes(node))) + inside


def _least_shapes(node: Node) -> list[Shape]:
    narrow = any(why == ATTENTION for _, why in node.missed)
    left_out = {*dict(node.tied), *(what for what, why in node.missed if why in (BUFFER, UNNAMED))}
    return [
        (shape[1] + 2, shape[1]) if narrow and name == "in_proj_weight" else shape for name, shape in node.tensors if name not in left_out
    ]


def _own(node: Node) -> int:
    return sum(prod(shape) for name, shape in node.tensors if name not in dict(node.tied))


def without_doubts(node: Node) -> Node:
    """The module without anything that it may have in addition."""
    children = tuple((name, without_doubts(child)) for name, child in node.children)
    groups = tuple(replace(group, body=without_doubts(group.body)) for group in node.groups)
    return replace(node, children=children, groups=groups, missed=())


@frozen
class PlacedModule:
    """A module and its place: its path with ``{i}`` for numbers, the number of copies, and the enclosing lists."""

    path: str
    node: Node
    copies: int
    lists: tuple[str, ...]

    @property
    def name(self) -> str:
        """The last name in the path that is not a number."""
        return next((name for name in reversed(self.path.split(".")) if not name.startswith("{")), "")


def placed_modules(node: Node, path: str = "", copies: int = 1, lists: tuple[str, ...] = ()) -> Iterator[PlacedModule]:
    """The module and all those inside it, outermost first."""
    yield PlacedModule(path, node, copies, lists)
    before = f"{path}." if path else ""
    for name, child in node.children:
        yield from placed_modules(child, f"{before}{name}", copies, lists)
    layered, repeated = node.layered, node.repeated
    for run in node.groups:
        if layered:
            number = "{i}" if repeated else f"{{i={numbers(run)}}}"
            yield from placed_modules(run.body, f"{before}{number}", copies * run.count, (*lists, path))
        else:
            for place in (each for span in run.numbers for each in span):
                yield from placed_modules(run.body, f"{before}{place}", copies, lists)


def numbers(run: LayerGroup) -> str:
    """``0``, ``3-5`` or ``0,2,4``: the numbers of a run, shortened if there are many."""
    shown = [str(each.start) if len(each) == 1 else f"{each.start}-{each.stop - 1}" for each in run.numbers]
    return ",".join(shown if len(shown) <= 6 else [*shown[:3], "...", shown[-1]])


def grouped(blocks: Iterable[tuple[range, Node]]) -> tuple[LayerGroup, ...]:
    """The runs of a numbered list: identical blocks together, ordered by their first numbers."""
    found: dict[Node, list[range]] = {}
    for span, node in blocks:
        spans = found.setdefault(node, [])
        if spans and spans[-1].stop == span.start:
            spans[-1] = range(spans[-1].start, span.stop)
        else:
            spans.append(span)
    return tuple(LayerGroup(tuple(spans), node) for node, spans in found.items())

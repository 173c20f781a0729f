"""The data flow of an architecture: a line of parts, and the places where branches leave it and return.

Where a block declares the inputs of its parts (`Block.takes`), these are followed exactly. In the layers of transformers, the residual
additions are written between the reference's blocks and belong to none of them; there the roles tell where they are. A norm before
attention or a feed-forward part opens a branch, a norm after one lies on the line itself, and a norm with a role ``after-…`` closes the
branch.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import sympy

from symparam.analysis.roles import group_of
from symparam.core.frozen import frozen
from symparam.models.blocks import Add, Architecture, Block, Concatenate, Multiply, Parameter, Repeat
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.containers import Layers
from symparam.models.blocks.module import INPUT, OUTSIDE, OpaqueBlock

_AROUND = (
    *("transformer", "model", "backbone", "layers", "decoder", "encoder", "text-encoder", "image-encoder"),
    *("shared-layers", "layer-groups", "layer-group", "sublayers"),
)
"""Roles of blocks that merely hold what lies on the line."""
_OPENING = ("attention-norm", "cross-attention-norm", "feed-forward-norm", "shared-norm", "norm")
_CLOSING = ("after-attention-norm", "after-feed-forward-norm")
_TABLES = ("token-embedding", "position-embedding", "token-type-embedding")
_SUBLAYERS = ("attention", "feed-forward", "state-space", "linear-attention")
_LINES: Mapping[str, tuple[str, ...]] = {
    "encoder": (),
    "text-encoder": ("text-projection",),
    "image-encoder": ("image-projection", "image-projector", "score-scale"),
    "decoder": ("language-model-head",),
}
"""Roles of blocks with a line of their own, and of the blocks after them that take its output or turn it into scores."""
ADDED, MULTIPLIED, CONCATENATED = "added", "multiplied", "concatenated"
_JOINS = {Add: ADDED, Multiply: MULTIPLIED, Concatenate: CONCATENATED}


@frozen
class FlowBox:
    """One box on the line: the blocks in it, and the group to which they belong."""

    places: tuple[Place, ...]
    group: str

    @property
    def first(self) -> Place:
        return self.places[0]


@frozen
class Join:
    """Branches with the same input that are joined again: added, multiplied or concatenated. A branch without parts is the line itself."""

    how: str
    branches: tuple[Line, ...]


@frozen
class Frame:
    """A block with a line of its own inside, ``count`` times in sequence.

    In an ``unordered`` frame the data flow is not known.
    """

    place: Place
    count: sympy.Expr
    line: Line
    unordered: bool = False


Item = FlowBox | Join | Frame
Line = tuple[Item, ...]


@frozen
class Stream:
    """A line from input to output: that of the whole model, or that of an encoder or decoder, which is then ``place``."""

    line: Line
    place: Place | None = None


def flow(architecture: Architecture) -> tuple[Stream, ...]:
    """The lines of an architecture: one, or one for each of its encoders and its decoder, with the blocks after it."""
    root = architecture.place
    own = [place for place in root.walk() if place.module.role in _LINES]
    if len(own) < 2:
        return (Stream(_line(root, "other")),)
    after = [item for item in _line(root, "other") if isinstance(item, FlowBox)]
    return tuple(
        Stream((*_line(place, "other"), *(item for item in after if item.first.module.role in _LINES[place.module.role or ""])), place)
        for place in own
    )


def _line(place: Place, outer: str) -> Line:
    """The line inside a block; empty for a block without tensors."""
    module, inside = place.module, _in_order(place)
    group = group_of(module.role or "", module.kind, outer)
    if isinstance(module, Repeat):
        return (Frame(place, module.count, _line(inside[0], group), isinstance(module.body, OpaqueBlock)),)
    if isinstance(module, (*_JOINS,)):
        return ()
    if not any(each.module.tensors for each in place.walk()):
        return ()
    if module.role == "layer":
        return tuple(_sublayers(place))
    if isinstance(module, Layers) or module.role in _AROUND or (module.role == "embeddings" and inside):
        return tuple(_with_tables_added(item for each in inside for item in _line(each, group)))
    if isinstance(module, Block) and module.role is None and (not place.path or _holds_more(module)):
        line = tuple(item for each in inside for item in _line(each, group)) if isinstance(module, OpaqueBlock) else _followed(place, group)
        return line if not place.path or _is_numbered(module) else (Frame(place, sympy.S.One, line, isinstance(module, OpaqueBlock)),)
    return (FlowBox((place,), group),)


def _in_order(place: Place) -> list[Place]:
    """The blocks inside, in the order of execution."""
    inside = list(place.inside)
    return [each for _, each in sorted(zip(place.module.execution_positions, inside, strict=True), key=lambda pair: pair[0])]


def _holds_more(module: Block) -> bool:
    """Whether a block has a line of its own: it holds blocks with children, or declares what its parts take."""
    return bool(module.takes) or any(child.children for _, child in module.children)


def _is_numbered(module: Block) -> bool:
    """Whether a block is a plain sequence, its parts named by numbers."""
    return module.kind == "Sequential"


def _followed(place: Place, group: str) -> Line:
    """The line of a block that declares the inputs of its parts; a part without a declaration takes the output of the part before it."""
    block = place.module
    assert isinstance(block, Block)
    stated, inside = dict(block.takes), dict(zip(block.execution_order, _in_order(place), strict=True))
    lines: dict[str, Line] = {INPUT: (), OUTSIDE: ()}
    last = INPUT
    for name, part in inside.items():
        sources = [lines[source] for source in stated.get(name, (last,))]
        how = next((how for kind, how in _JOINS.items() if type(part.module) is kind), "")
        lines[name] = _joined(how, sources) if how else (*sources[0], *_line(part, group))
        if not isinstance(part.module, Parameter):
            last = name
    return lines[last]


def _joined(how: str, lines: Sequence[Line]) -> Line:
    """The lines up to the point where they part, and the join of their branches."""
    common = 0
    while all(len(line) > common and line[common] is lines[0][common] for line in lines):
        common += 1
    branches = tuple(line[common:] for line in lines)
    return (*lines[0][:common], Join(how, tuple(sorted(branches, key=bool))))


def _with_tables_added(items: Iterable[Item]) -> Iterator[Item]:
    """The items, with tables of tokens, positions and types joined by addition to each other or to the line."""
    is_after = False
    for is_table, alike in groupby(items, lambda item: isinstance(item, FlowBox) and item.first.module.role in _TABLES):
        tables = list(alike)
        if is_table and len(tables) > 1:
            yield Join(ADDED, tuple((table,) for table in tables))
        elif is_table and is_after:
            yield Join(ADDED, ((), (tables[0],)))
        else:
            yield from tables
        is_after = True


def _sublayers(layer: Place) -> Iterator[Item]:
    """The line through a layer: attention, a feed-forward part or a state-space block, each added to its input."""
    parts: list[FlowBox] = []
    for group, alike in groupby(_pieces(layer, "other"), lambda piece: piece[0]):
        places = tuple(place for _, place in alike)
        parts += [FlowBox((place,), group) for place in places] if group == "norm" else [FlowBox(places, group)]
    if not any(part.group in _SUBLAYERS for part in parts):
        yield from parts
    elif isinstance(layer.module, Block) and layer.module.takes:
        yield _side_by_side(parts, layer)
    else:
        yield from _one_by_one(parts)


def _pieces(place: Place, outer: str) -> Iterator[tuple[str, Place]]:
    """The blocks of a layer with their groups, split up as far as they contain norms that lie on the line."""
    for inner in _in_order(place):
        role = inner.module.role or ""
        group = "norm" if _is_norm(inner) else role if role in _SUBLAYERS else group_of(role, inner.module.kind, outer)
        if any(_is_norm(each) for each in inner.walk() if each is not inner):
            yield from _pieces(inner, group)
        elif any(each.module.tensors for each in inner.walk()):
            yield group, inner


def _is_norm(place: Place) -> bool:
    return place.module.role in (*_OPENING, *_CLOSING)


def _one_by_one(parts: Sequence[FlowBox]) -> Iterator[Item]:
    """Sublayers in sequence: ``norm attention norm feed-forward`` with the norms inside the branches, or with the norms on the line."""
    opens = parts[-1].group != "norm" or parts[-1].first.module.role in _CLOSING
    branch: list[FlowBox] = []
    for index, part in enumerate(parts):
        following = parts[index + 1] if index + 1 < len(parts) else None
        role = part.first.module.role
        if part.group == "norm" and not opens and role not in _CLOSING:
            yield part
            continue
        branch.append(part)
        closes = following is not None and following.first.module.role in _CLOSING
        if (part.group in _SUBLAYERS or role in _CLOSING) and not closes:
            yield Join(ADDED, ((), tuple(branch)))
            branch = []
    yield from branch


def _side_by_side(parts: Sequence[FlowBox], layer: Place) -> Join:
    """Attention and feed-forward part with the same input, after a shared norm or with one norm each."""
    norms, others = [part for part in parts if part.group == "norm"], [part for part in parts if part.group != "norm"]
    if len(norms) == 1:
        return Join(ADDED, ((), (norms[0], Join(ADDED, tuple((part,) for part in others)))))
    return Join(ADDED, ((), *((norm, part) for norm, part in zip(norms, others, strict=True))))

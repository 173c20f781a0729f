"""The tensors of one build as a tree of names, and the criteria by which parts of such trees are identical."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from symparam.models.traced.expressions import Expression
from symparam.models.traced.network import LAYERS, NUMBER
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.templates import is_informative

RECURRENT = re.compile(r"((?:weight|bias)_(?:ih|hh|hr)_l)(\d+)(_reverse)?")
"""The tensor names of recurrent layers: one module holds the tensors of all layers, with the layer number in their names."""


Leaf = tuple[tuple[int, ...], "str | None", tuple[Expression, ...]]
"""A tensor: its shape, the name of the tensor whose memory it shares, and the expressions of its sides, if they are known."""


@dataclass
class Branch:
    """The tensors of one build by the parts of their names."""

    kind: str = ""
    children: dict[str, Branch | Leaf] = field(default_factory=dict)


@lru_cache(maxsize=512)
def branch_of(observation: Observation) -> Branch:
    """The tree of a build's tensors. Ties from or to modules in lists are left out, since the tied tensors are counted once anyway."""
    root = Branch(observation.kinds.get("", ""))
    for name, shape, tied in observation.tensors:
        *outer, last = name.split(".")
        if (layered := RECURRENT.fullmatch(last)) is not None:
            outer, last = [*outer, f"{LAYERS}{layered[2]}"], f"{layered[1]}{NUMBER}{layered[3] or ''}"
        if tied is not None and any(part.isdigit() for part in (*outer, *tied.split("."))):
            continue
        inner, path = root, ""
        for part in outer:
            path = f"{path}.{part}" if path else part
            kind = observation.kinds.get(path, "")
            found = inner.children.setdefault(part, Branch(kind))
            assert isinstance(found, Branch)
            inner = found
        inner.children[last] = (shape, tied, observation.origins.get(name, ()))
    _share_origins(root)
    return root


def _share_origins(branch: Branch) -> None:
    """Have a side whose expression is not known, as that of a norm of a weight, take the one of the same side of a tensor beside it that
    has the same size.
    """
    tensors = [each for each in branch.children.values() if not isinstance(each, Branch)]
    for name, content in branch.children.items():
        if isinstance(content, Branch):
            _share_origins(content)
            continue
        shape, tied, origins = content
        if len(tensors) > 1 and not any(map(is_informative, origins)):
            sides = tuple(_beside(tensors, at, size) for at, size in enumerate(shape))
            if any(map(is_informative, sides)):
                branch.children[name] = (shape, tied, sides)


def _beside(tensors: Sequence[Leaf], at: int, size: int) -> Expression:
    """The expression of a side that is known of one of the tensors; the size itself if it is not."""
    known = (origins[at] for shape, _, origins in tensors if len(shape) > at and shape[at] == size and len(origins) > at)
    return next((each for each in known if size > 1 and is_informative(each)), size)


def pattern_of(name: str) -> str:
    """The name with ``#`` for the number in it: only ``#`` for a module of a list, ``block#`` for a numbered name."""
    if name.isdigit():
        return NUMBER
    if NUMBER in name:
        return LAYERS if name.startswith(LAYERS) else name
    return re.sub(r"\d+", NUMBER, name, count=1)


def number_in(name: str) -> int:
    """The first number in a name."""
    found = re.search(r"\d+", name)
    return int(found[0]) if found else 0


def variant_of(content: Any) -> tuple[str | int | None, ...]:
    """The distinction between contents under one name: a module, or a tensor with its number of dimensions, tied or not."""
    return ("module",) if isinstance(content, Branch) else ("tensor", len(content[0]), content[1])


def is_list(content: Any) -> bool:
    """Whether it is a module all of whose parts have numbers for names."""
    return isinstance(content, Branch) and all(name.isdigit() for name in content.children)


def signature_of(content: Branch | Leaf) -> object:
    """The common signature of modules that differ only in sizes."""
    if isinstance(content, Branch):
        return (content.kind, tuple((name, signature_of(each)) for name, each in content.children.items() if not name.isdigit()))
    return len(content[0])


def in_order(orders: Iterable[Sequence[str]], names: Sequence[str]) -> bool:
    """Whether each of the orders agrees with that of the names, as far as the names occur in it."""
    place = {name: at for at, name in enumerate(names)}
    return all(place[one] < place[other] for order in set(orders) for one, other in pairwise(order))


def grouped(orders: Sequence[tuple[str, ...]]) -> list[object]:
    """A group number for each order; orders that are compatible with each other share one."""
    groups: list[list[tuple[str, ...]]] = []
    found: dict[tuple[str, ...], object] = {}
    for order in dict.fromkeys(orders):
        for number, group in enumerate(groups):
            if in_order([*group, order], merged([*group, order])):
                group.append(order)
                found[order] = number
                break
        else:
            found[order] = len(groups)
            groups.append([order])
    return [found[order] for order in orders]


def merged(orders: Sequence[Sequence[str]]) -> list[str]:
    """One order of all names that respects each of the orders, as far as they agree; anything left open is in order of first occurrence."""
    distinct = list(dict.fromkeys(map(tuple, orders)))
    names = list(dict.fromkeys(name for order in distinct for name in order))
    before: dict[str, set[str]] = {name: set() for name in names}
    for order in distinct:
        for one, other in pairwise(order):
            before[other].add(one)
    found: dict[str, None] = {}
    while len(found) < len(names):
        left = [name for name in names if name not in found]
        found[next((name for name in left if before[name] <= found.keys()), left[0])] = None
    return list(found)


def numbered_in_turn(sets: Iterable[frozenset[str]]) -> bool:
    """Whether names with a number in them, such as ``norm1`` and ``norm2``, are numbered without gaps, and not always equally many."""
    runs = [run for each in sets if (run := sorted(number_in(name) for name in each))]
    return len(runs) > 1 and all(run == list(range(runs[0][0], runs[0][0] + len(run))) for run in runs)


def side_by_side(branch: Branch, pattern: str) -> bool:
    """Whether the names of a pattern are contiguous."""
    places = [place for place, name in enumerate(branch.children) if pattern_of(name) == pattern]
    return not places or places[-1] - places[0] < len(places)

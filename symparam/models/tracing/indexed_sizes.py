"""Expressions for sizes that depend on the numbers of the enclosing lists: those met in loops, items of lists, and doublings."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.models.traced.expressions import Expression, replaced
from symparam.models.tracing.candidates import Candidates
from symparam.models.tracing.loop_variables import shifting


def indexed_sizes(candidates: Candidates, depth: int) -> Iterable[Expression]:
    """The expressions, the likeliest first."""
    placed = list(candidates.placed(candidates.looped, depth))
    yield from placed[:100]
    for shift in (("-", 1), ("+", 1)):  # Values carried over from the previous iteration.
        yield from (replaced(each, shifting(*shift)) for each in placed[:100])
    yield from placed[100:]
    for shift in (("-", 1), ("+", 1)):
        yield from (replaced(each, shifting(*shift)) for each in placed[100:400])
    for place in range(depth - 1, -1, -1):
        at = ("at", place)
        for path in candidates.whole[:60]:
            for count in candidates.counts:
                for less in (0, 1, 2):
                    yield ("*", ("key", path), ("**", 2, ("-", ("-", count, at), less) if less else ("-", count, at)))
        for path in candidates.lists:
            for item in [("item", ("key", path), at)] + [("item", ("key", path), ("+", at, shift)) for shift in (1, -1)]:
                yield item
                yield from (("*", times, item) for times in (2, 3, 4))
        for path in candidates.whole[:60]:
            yield ("*", ("key", path), ("**", 2, at))
            yield ("*", ("key", path), ("**", 2, ("+", at, 1)))
            yield ("//", ("key", path), ("**", 2, at))
            yield ("//", ("key", path), ("**", 2, ("+", at, 1)))
            yield ("+", ("key", path), at)
    for place in range(depth - 1, -1, -1):  # As many modules as an item says, after one or two of their own.
        items = (("item", ("key", path), ("at", place)) for path in candidates.lists)
        yield from (("+", item, more) for item in items for more in (1, 2))

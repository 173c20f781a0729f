"""Lists whose first and last members are the same in all builds: how many there are on each side of those that repeat."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

MOST_AT_AN_EDGE = 40


def edges(rows: Sequence[Sequence[Hashable]]) -> tuple[int, int]:
    """How many members are alike at the beginning and at the end of all rows, without those like any that repeat between them."""
    shortest = min(map(len, rows))
    first = _alike(rows, shortest)
    last = _alike([[*reversed(row)] for row in rows], shortest - first)
    between = {each for row in rows for each in row[first : len(row) - last]}
    while first and rows[0][first - 1] in between:
        first -= 1
    while last and rows[0][len(rows[0]) - last] in between:
        last -= 1
    return (first, last) if max(first, last) <= MOST_AT_AN_EDGE else (0, 0)


def _alike(rows: Sequence[Sequence[Hashable]], most: int) -> int:
    """How many members at the beginning are alike in all rows."""
    return next((at for at in range(most) if len({row[at] for row in rows}) > 1), most)

"""Finds the numbers of a page by place, by section and by value, so that what looks for some of them does not go through all."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Generic, Protocol, TypeVar

from symparam.core.frozen import cached_property
from symparam.documents.reading.expression import Expression

_MOST_NEAR = 50  # Numbers before a number, or behind it, that are near it.


class Stated(Protocol):
    """A number with its place, its section and its value, if that is known."""

    @property
    def expression(self) -> Expression:
        """The number as it is written."""

    @property
    def section(self) -> int:
        """The number of the heading above it."""

    @property
    def value(self) -> Fraction | None:
        """Its value."""


Quantity = TypeVar("Quantity", bound=Stated)


class NumberIndex(Generic[Quantity]):
    """The numbers that a page has ``stated``, in the order of their places."""

    def __init__(self, stated: Sequence[Quantity]) -> None:
        self.count = len(stated)
        self._all = sorted(stated, key=_place)

    def at(self, place: int) -> Quantity | None:
        """The number that begins at an offset."""
        return next(iter(self.between(place, place + 1)), None)

    def between(self, first: int, last: int) -> Sequence[Quantity]:
        """The numbers that begin from the first offset on and before the last one."""
        return self._all[bisect_left(self._all, first, key=_place) : bisect_left(self._all, last, key=_place)]

    def near(self, number: Stated) -> Sequence[Quantity]:
        """The numbers of the section of a number; of one with very many, those nearest to it."""
        beside = self._sections[number.section]
        at = bisect_left(beside, number.expression.start, key=_place)
        return beside[max(0, at - _MOST_NEAR) : at + _MOST_NEAR]

    def of_value(self, value: Fraction) -> Sequence[Quantity]:
        """The numbers with a value."""
        return self._values.get(value, ())

    @cached_property
    def _sections(self) -> dict[int, list[Quantity]]:
        found: dict[int, list[Quantity]] = defaultdict(list)
        for each in self._all:
            found[each.section].append(each)
        return found

    @cached_property
    def _values(self) -> dict[Fraction, list[Quantity]]:
        found: dict[Fraction, list[Quantity]] = defaultdict(list)
        for each in self._all:
            if each.value is not None:
                found[each.value].append(each)
        return found


def _place(number: Stated) -> int:
    return number.expression.start

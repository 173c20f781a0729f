"""A way in which a quantity may follow from others of the page."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.documents.checking.laws.places import Placed


@frozen
class LawWay:
    """``code`` is the law's, ``size`` the value of the ``formula`` as a float, ``template`` how it is written with its operands, and
    ``tier`` how near the farthest of these stands. It ``is_told`` if its operands say by themselves that it is meant, and ``says_all`` if
    words leave nothing else that could be: a number that differs is wrong.
    """

    code: str
    operands: tuple[Placed, ...]
    formula: Formula
    size: float
    template: str
    tier: int
    is_told: bool = False
    says_all: bool = False

    @property
    def bytes_each(self) -> Fraction:
        """The bytes of the format among the operands, 0 without one."""
        return next((Fraction(each.quantity.value) for each in self.operands if each.quantity.is_format), Fraction(0))


def of_several_counts(ways: Iterable[tuple[Placed, LawWay]]) -> set[tuple[int, str]]:
    """The starts of quantities in a table, each with the law, that their row gives several operands for: ``8x22B (141B parameters, 39B
    active) | 280 GB`` does not say of which the bytes are.
    """
    tried = defaultdict[tuple[int, str], set[tuple[int, ...]]](set)
    for claim, way in ways:
        if claim.column >= 0:
            in_row = (each.quantity for each in way.operands if each.stretch == claim.stretch and not each.quantity.is_format)
            tried[claim.quantity.start, way.code].add(tuple(each.start for each in in_row))
    return {which for which, operands in tried.items() if len(operands) > 1}

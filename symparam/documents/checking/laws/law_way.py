"""A way in which a quantity may follow from others of the page."""

from __future__ import annotations

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

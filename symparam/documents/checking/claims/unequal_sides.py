"""Two sides of a claim that do not agree, with what is known about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symparam.core.algebra.polynomial import Monomial, polynomial
from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.number_meanings import dimensions_of_side
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.reading.unit_senses import PURE

SLIP = Fraction(3, 2)  # A formula that is off by more than this factor was meant with other values.


@frozen
class UnequalSides:
    """Two sides with the ``judgement`` that they are unequal, and what the page has said before. A claim judged in its place also has the
    text, the chain with the index of its left side, and the text before that side that may belong to it.
    """

    left: Expression
    right: Expression
    sign: str
    judgement: Judgement
    knowledge: Knowledge
    text: str = ""
    chain: EqualityChain | None = None
    index: int = 0
    clipped: Message | None = None

    @property
    def sides(self) -> tuple[Expression, Expression]:
        """Both sides."""
        return self.left, self.right

    @property
    def letters(self) -> frozenset[str]:
        """The letters of both sides."""
        return self.left.letters | self.right.letters

    @property
    def is_of_one_dimension(self) -> bool:
        """Whether both sides show units, which measure the same."""
        first, second = map(dimensions_of_side, self.sides)
        return first != PURE and bool(first & second)

    @property
    def ratio(self) -> Fraction | None:
        """The ratio of the larger to the smaller side; a unit that only one side shows is taken for both if that brings them closer. None
        if one is zero or their signs differ.
        """
        left, right = self.judgement.left, self.judgement.right
        if not left or not right or left * right < 0:
            return None
        ratios = [left / right]
        units = [{each.unit for each in one.literals.values() if each.unit and each.unit.counted} for one in self.sides]
        if not all(units) and len(units[0] | units[1]) == 1:
            sense = (units[0] | units[1]).pop().senses[0]
            ratios += (left / right * sense, left / right / sense)
        return min(max(ratio, 1 / ratio) for ratio in ratios)


def terms_of_sides(claim: UnequalSides) -> Sequence[Mapping[Monomial, Fraction]]:
    """The terms of both sides multiplied out; none of a side that is no polynomial."""
    meanings = (claim.knowledge.meaning(in_numbers(one), True) for one in claim.sides)
    return [found.terms if (found := polynomial(each)) is not None else {} for each in meanings]

"""Two sides of a claim that do not agree, with what is known about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symparam.core.algebra.polynomial import Monomial, polynomial
from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.sides.equations import FEWEST_DIGITS, significant_digits
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.number_meanings import dimensions_of_side
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression, Literal, in_numbers
from symparam.documents.reading.unit_senses import PURE
from symparam.documents.words import unit_words

SLIP = Fraction(3, 2)  # A formula that is off by more than this factor was meant with other values.
_PREFIXES = tuple(Fraction(1024) ** power for power in range(1, 5))
_MOST_ZEROS = 18  # That a number may have too many or too few.
_COUNTED_IN = 3  # Operands may count thousands, which are so many zeros,
_LARGER_COUNTS = {4: "ten_thousand", 8: "hundred_million"}  # or what Chinese, Japanese and Korean have words for,
_NEAR = 2_000  # Characters around the claim in which one of these stands.


@frozen
class UnequalSides:
    """Two sides with the ``judgement`` that they are unequal, and what the page has said before. A claim judged in its place also has the
    text, the chain with the index of its left side, and the text before that side that may belong to it. It ``counts_bytes`` if a factor
    is the bytes of each value.
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
    counts_bytes: bool = False

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

    @property
    def differs_in_zeros(self) -> bool:
        """Whether all digits of the number are right, three of them at least, and only its prefix or its power of ten is not:
        ``8,533,396,224 bytes = 7.95 MB``, ``52 billion × 2 = 104e12``. Operands without a unit may count thousands, so that the number has
        to be too small for them: ``1000 × 150,994,944 = 151.0 M``.
        """
        found, stated, exact = self.judgement.left, self.judgement.right, self.right.exact
        literal = Literal(exact, Fraction(1), None, 0) if isinstance(exact, int) else self.right.literal
        if literal is None or not literal.value or not found or not stated or found * stated < 0:
            return False
        if significant_digits(literal) < FEWEST_DIGITS or (_is_of_time(literal) and not self.is_of_one_dimension):
            return False
        slack, scale = literal.last_digit / abs(Fraction(2 * literal.value)), found / literal.value
        scales = (Fraction(10) ** _zeros_of(scale), *(_PREFIXES if literal.unit else ()))
        if all(abs(scale / each - 1) > slack for each in scales):
            return False
        return self.is_of_one_dimension or found > stated or not self._may_be_counted_in(_zeros_of(found / stated))

    def _may_be_counted_in(self, zeros: int) -> bool:
        """Whether the operands may count what has so many zeros."""
        if any(each.unit for each in self.left.literals.values()):
            return False
        near = self.text[max(0, self.left.start - _NEAR) : self.right.end + _NEAR]
        counts = unit_words()[_LARGER_COUNTS[abs(zeros)]] if abs(zeros) in _LARGER_COUNTS else ()
        return zeros % _COUNTED_IN == 0 or any(each in near for each in counts)


def _is_of_time(literal: Literal) -> bool:
    return literal.unit is not None and literal.unit.counted == "seconds"


def _zeros_of(ratio: Fraction) -> int:
    """The power of ten nearest to a ratio, 0 for one that is close to none that is meant."""
    zeros = len(str(round(ratio))) if ratio >= 1 else -len(str(round(1 / ratio)))
    return next(
        (
            each
            for each in (zeros - 1, zeros, zeros + 1)
            if abs(each) <= _MOST_ZEROS and abs(ratio / Fraction(10) ** each - 1) < Fraction(1, 10)
        ),
        0,
    )


def terms_of_sides(claim: UnequalSides) -> Sequence[Mapping[Monomial, Fraction]]:
    """The terms of both sides multiplied out; none of a side that is no polynomial."""
    meanings = (claim.knowledge.meaning(in_numbers(one), True) for one in claim.sides)
    return [found.terms if (found := polynomial(each)) is not None else {} for each in meanings]

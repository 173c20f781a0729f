"""A number or a formula of the page that names a part of the model, and whether it is one of the part's values."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import sympy

from symparam.core.formula import Number
from symparam.core.frozen import cached_property
from symparam.core.message import Message
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, LabelledQuantity, digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.comparing.measurands import Measurand
from symparam.documents.reading.expression import Literal
from symparam.documents.roles.labels import Label
from symparam.documents.roles.part_candidates import Amount, PartCandidate
from symparam.documents.roles.runs import without_setting
from symparam.documents.words import words
from symparam.errors import FormulaError

ROUNDED = Fraction(1, 20)  # The relative error of a rounded number that is still about the same thing.
_LEAST_COMPLEX = 2  # A formula of fewer factors, such as VH or 4H, fits by chance.
_SURE_DIGITS = 4  # Two numbers with so many digits are hardly equal by chance.


@dataclass
class RecognisedPart:
    """A number or a formula of the page whose label names a part, with the candidates for the label, and those that fit.

    ``stated`` is its value, for a formula with placeholder numbers for letters without values, and ``formula`` is its meaning; ``doubt`` is
    the reason, if any, why it may not be about the model; ``is_of_another_run`` says that it fits with a length or a batch that the page
    states elsewhere, ``is_inherited`` that only the clauses before its own name the part, and ``is_one_of_several`` that it is one of the
    matrices of the part, several of which its words count; ``swapped`` is the part that has its number.
    """

    quantity: LabelledQuantity
    label: Label
    words: str
    measurand: Measurand
    stated: Fraction
    candidates: tuple[PartCandidate, ...]
    formula: sympy.Expr | None = None
    fits: tuple[PartCandidate, ...] = ()
    right: PartCandidate | None = None
    why: str = ""
    doubt: Message | None = None
    is_of_another_run: bool = False
    is_inherited: bool = False
    is_one_of_several: bool = False
    swapped: RecognisedPart | None = None

    @property
    def is_exact(self) -> bool:
        """Whether it is not rounded."""
        literal = self.quantity.expression.literal
        in_full = literal is not None and literal.last_digit == 1 and (literal.unit is None or literal.unit.senses == (Fraction(1),))
        return self.formula is not None or isinstance(self.quantity.expression.exact, int) or in_full

    @property
    def stated_digits(self) -> Fraction:
        """The number as it is written, without its unit; a power of two, which many sizes are, says as little as 1."""
        literal = self.quantity.expression.literal
        found = Fraction(literal.value) if literal is not None else self.stated
        return Fraction(1) if _odd_part(found) == 1 else found

    @property
    def telling_digits(self) -> Fraction:
        """The number without its factors of two, which most sizes have."""
        return _odd_part(self.stated)

    @property
    def says_setting(self) -> bool:
        """Whether its own words name the run or the format that it is counted for."""
        return bool(self.measurand.per or self.measurand.formats) or without_setting(self.words) != self.words

    @property
    def is_certain(self) -> bool:
        """Whether it is the model's value and hardly by chance."""
        if self.formula is not None:
            return bool(self.fits) and _complexity(self.formula) > _LEAST_COMPLEX
        return bool(self.fits) and self.is_exact and len(str(int(self.stated))) >= _SURE_DIGITS

    @property
    def is_convincing(self) -> bool:
        """Whether it is certain, or agrees in several digits with a part whose name is understood."""
        several = digits_of(self.quantity.expression) >= EVIDENT if self.formula is None else False
        return self.is_certain or (bool(self.fits and self.label.parts) and not self.label.rest and several)

    @cached_property
    def copies(self) -> frozenset[str]:
        """The numbers of copies in which it fits: ``all``, ``one``, or both if the part occurs once."""
        return frozenset("all" if each.scope == "in-all" else "one" if each.scope in ("in-layer", "one") else "" for each in self.fits)

    @cached_property
    def units(self) -> frozenset[str]:
        """The units in which it fits."""
        return frozenset(each.variant.unit for each in self.fits)

    @cached_property
    def ways(self) -> frozenset[str]:
        """The ways of counting in which it fits."""
        return frozenset(each.way for each in self.fits)


def _odd_part(number: Fraction) -> Fraction:
    return Fraction(number.numerator // (number.numerator & -number.numerator), number.denominator) if number else number


def has_unit(part: RecognisedPart) -> bool:
    """Whether it is a number with a unit, and not only a scale; beside numbers of bytes, others count elements."""
    literal = part.quantity.expression.literal
    return literal is not None and literal.unit is not None and bool(literal.unit.counted)


def is_stated(part: RecognisedPart, value: Amount) -> bool:
    """Whether the number is this value: exactly, in a sense of its unit, or rounded to several digits."""
    if part.is_exact:
        return value == part.stated
    literal = part.quantity.expression.literal
    if literal is not None and literal.unit is not None and value in {literal.value * sense for sense in literal.unit.senses}:
        return True
    return digits_of(part.quantity.expression) >= EVIDENT - 1 and rounds_to(part, value)


def rounds_to(part: RecognisedPart, value: Amount) -> bool:
    """Whether the rounded number may be this value."""
    if not value or not isinstance(value, int) or abs(part.stated / value - 1) > ROUNDED * 2:
        return False
    quantity = part.quantity
    if not _may_have_unit(quantity.expression.literal, value):
        return False
    try:
        found = judge_numbers(ClaimSide(Number(value), {}), quantity.side, "≈" if words("about").in_text(quantity.words[-20:]) else "=")
    except FormulaError:
        return False
    return found.verdict is Verdict.HOLDS


def _may_have_unit(literal: Literal | None, value: int) -> bool:
    """Whether a number of bytes is about this value in a sense of its unit: 320 KiB are not 328 KiB, as some write for KB."""
    if literal is None or literal.unit is None or literal.unit.counted != "bytes":
        return True
    return any(abs(value / sense - literal.value) <= literal.last_digit for sense in literal.unit.senses)


def _complexity(formula: sympy.Expr) -> int:
    """How specific a formula is: the number of factors in its terms, numbers included."""
    found = 0
    for term in sympy.Add.make_args(sympy.expand(formula)):
        number, letters = term.as_coeff_Mul()
        found += (abs(number) != 1) + sum(abs(int(power)) if power.is_Integer else 1 for power in letters.as_powers_dict().values())
    return found

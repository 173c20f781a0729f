"""Calculations with operands of sentences: their formulas, exact results, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum
from symparam.core.formula import number as written_number
from symparam.documents.checking.sentences.operands import Operand
from symparam.documents.checking.sides.unit_readings import ClaimSide


class Calculation(NamedTuple):
    """A calculation with operands in the place of its terms and factors, and its exact result."""

    side: ClaimSide
    value: Fraction
    written: str


def _with(formula: Formula, value: Fraction, written: str, *operands: Operand) -> Calculation:
    literals = {letter: literal for each in operands for letter, literal in each.side.literals.items()}
    return Calculation(ClaimSide(formula, literals), value, written)


def as_it_is(one: Operand) -> Calculation:
    """A calculation of the page without a result."""
    return Calculation(one.side, one.value, one.written)


def multiplied(fraction: Fraction, one: Operand) -> Calculation:
    """A multiple or a part of an operand."""
    formula = Product((written_number(fraction), one.side.formula))
    return _with(formula, fraction * one.value, f"{fraction} × {one.written}", one)


def raised(sign: int, one: Operand, share: Operand) -> Calculation:
    """An operand that a percentage increases or reduces."""
    part = share.side.formula if sign > 0 else Negative(share.side.formula)
    formula = Product((one.side.formula, Sum((Number(1), part))))
    written = f"{one.written} × (1 {'+' if sign > 0 else '−'} {share.written})"
    return _with(formula, one.value * (1 + sign * share.value), written, one, share)


def product_of(one: Operand, other: Operand) -> Calculation:
    """The product of two operands."""
    formula = Product((one.side.formula, other.side.formula))
    return _with(formula, one.value * other.value, f"{one.written} × {other.written}", one, other)


def divided(one: Operand, other: Operand) -> Calculation:
    """The quotient of two operands."""
    formula = Quotient(one.side.formula, other.side.formula)
    return _with(formula, one.value / other.value, f"{one.written} / {other.written}", one, other)


def inverse(one: Operand) -> Calculation:
    """How many there are in a second, if one takes so long."""
    return _with(Quotient(Number(1), one.side.formula), 1 / one.value, f"1 / {one.written}", one)


def saved(small: Operand, large: Operand) -> Calculation:
    """By what share one operand is smaller than another."""
    formula = relative_decrease(small.side.formula, large.side.formula)
    return _with(formula, 1 - small.value / large.value, f"1 − {small.written} / {large.written}", small, large)


def grown(large: Operand, small: Operand) -> Calculation:
    """By what share one operand is larger than another."""
    formula = relative_increase(large.side.formula, small.side.formula)
    return _with(formula, large.value / small.value - 1, f"{large.written} / {small.written} − 1", large, small)


def share_of_two(one: Operand, other: Operand, whole: Operand) -> Calculation:
    """The share of two parts that one word names together: ``the embeddings are 31.6 % of the model``."""
    formula = Quotient(Sum((one.side.formula, other.side.formula)), whole.side.formula)
    written = f"({one.written} + {other.written}) / {whole.written}"
    return _with(formula, (one.value + other.value) / whole.value, written, one, other, whole)


def added(*parts: Operand) -> Calculation:
    """The sum of operands."""
    value = sum((each.value for each in parts), Fraction(0))
    return _with(Sum(tuple(each.side.formula for each in parts)), value, " + ".join(each.written for each in parts), *parts)


def left(whole: Operand, *parts: Operand) -> Calculation:
    """What is left of an operand without others."""
    value = whole.value - sum((each.value for each in parts), Fraction(0))
    formula = Sum((whole.side.formula, *(Negative(each.side.formula) for each in parts)))
    return _with(formula, value, " − ".join(each.written for each in (whole, *parts)), whole, *parts)


def in_span(span: int, form: Callable[..., Calculation], *operands: Operand) -> Calculation:
    """A calculation for a span of time or a scale: so much an hour, or for a million."""
    found = form(*operands)
    formula: Formula = Product((found.side.formula, Number(span)))
    return Calculation(ClaimSide(formula, found.side.literals), found.value * span, f"{found.written} × {span}")

"""Finds the operands of a line: the value of each, and the value it would need for the line to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Literal

from sympy import integer_nthroot

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber, int_if_whole

Rational = int | Fraction
Role = Literal["whole", "term", "factor", "divisor", "base"]


@frozen
class Addend:
    """One term of a sum: an expression of the line, or an entry of a list."""

    what: Formula | StatedNumber
    value: Rational

    @property
    def reference(self) -> Message:
        """How a message refers to it."""
        return self.what.reference if isinstance(self.what, StatedNumber) else message("term", formula=self.what)


@frozen
class LineOperand:
    """An expression in a line, with its value and the value that it needs for the line to hold if nothing else changes.

    ``scale`` is the change of the line per unit of the operand, or None if it is not constant, as in a denominator or under an exponent.
    ``terms`` are those of a sum, ``factors`` and ``divisors`` the plain numbers of a product.
    """

    what: Formula | StatedNumber
    role: Role
    value: Rational
    needed: Rational
    scale: Rational | None = 1
    terms: tuple[Addend, ...] = ()
    factors: tuple[Rational, ...] = ()
    divisors: tuple[Rational, ...] = ()

    @property
    def reference(self) -> Message | Formula:
        """How a message refers to it."""
        return self.what.reference if isinstance(self.what, StatedNumber) else self.what

    @property
    def is_number(self) -> bool:
        return isinstance(self.what, (Number, StatedNumber))

    @property
    def shortfall(self) -> Rational:
        """The amount that the operand lacks."""
        return int_if_whole(Fraction(self.needed) - self.value)

    @property
    def ratio(self) -> Fraction | None:
        """The factor by which it would have to be multiplied."""
        return Fraction(self.needed) / self.value if self.value else None


def operands(line: Formula, stated: Rational) -> Iterator[LineOperand]:
    """The line as a whole, then its operands from left to right."""
    yield from _operands(line, "whole", stated, 1)


def operands_of_list(parts: Sequence[StatedNumber], stated: Rational) -> Iterator[LineOperand]:
    """The sum of the list, then each of its entries."""
    total = int_if_whole(sum((Fraction(part.value) for part in parts), Fraction(0)))
    yield LineOperand(StatedNumber("the sum", total, 0), "whole", total, stated, terms=tuple(Addend(part, part.value) for part in parts))
    for part in parts:
        yield LineOperand(part, "term", part.value, int_if_whole(Fraction(stated) - total + part.value))


def _operands(formula: Formula, role: Role, need: Rational, scale: Rational | None) -> Iterator[LineOperand]:
    value = evaluate(formula, {})
    own = tuple(Addend(term, evaluate(term, {})) for term in formula.parts) if isinstance(formula, Sum) else ()
    factors, divisors = _multiplied(formula)
    yield LineOperand(formula, role, value, int_if_whole(need), scale, own, tuple(factors), tuple(divisors))
    need = Fraction(need)
    match formula:
        case Sum(terms):
            for term in terms:
                yield from _operands(term, "term", need - value + evaluate(term, {}), scale)
        case Product(parts) if value:
            for part in parts:
                here = evaluate(part, {})
                yield from _operands(part, "factor", need * here / value, scale and int_if_whole(Fraction(scale) * value / here))
        case Negative(operand):
            yield from _operands(operand, "factor", -need, scale and -scale)
        case Quotient(numerator, denominator) if value and need:
            above, below = (evaluate(part, {}) for part in (numerator, denominator))
            yield from _operands(numerator, "factor", need * below, scale and int_if_whole(Fraction(scale) / below))
            yield from _operands(denominator, "divisor", above / need, None)
        case Power(base, Number(int(exponent))) if exponent > 1 and (root := _root(need, exponent)):
            yield from _operands(base, "base", root, None)


def _root(value: Fraction, exponent: int) -> Rational | None:
    """The root, if it is an integer."""
    if value.denominator != 1 or value <= 0:
        return None
    root, is_exact = integer_nthroot(value.numerator, exponent)
    return int(root) if is_exact else None


def _multiplied(formula: Formula) -> tuple[list[Rational], list[Rational]]:
    """The numbers that are factors of a product, and those that it is divided by."""
    match formula:
        case Number(value):
            return [value], []
        case Negative(operand):
            return _multiplied(operand)
        case Quotient(numerator, denominator):
            (above, below), (above_below, below_below) = _multiplied(numerator), _multiplied(denominator)
            return above + below_below, below + above_below
        case Product(factors):
            each = [_multiplied(factor) for factor in factors]
            return [value for above, _ in each for value in above], [value for _, below in each for value in below]
    return [], []

"""The places of a line at which it may be wrong: what each comes to, and what it would have to come to for the line to hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sympy import integer_nthroot

from symparam.evaluation import evaluate
from symparam.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, shown
from symparam.gaps.slips.stated import Stated, plain

Rational = int | Fraction
Role = Literal["whole", "term", "factor", "divisor", "base"]


@dataclass(frozen=True)
class Term:
    """One term of a sum: an expression of the line, or an entry of a list."""

    what: Formula | Stated
    value: Rational

    @property
    def name(self) -> str:
        return str(self.what) if isinstance(self.what, Stated) else f"the term {shown(self.what)}"


@dataclass(frozen=True)
class Place:
    """An expression in a line, with its value and the value that it needs for the line to hold when nothing else is changed.

    ``scale`` is by how much the line grows where the place grows by one, or None where that is not the same for all values: in a
    denominator and under an exponent. ``terms`` are those of a sum, ``factors`` and ``divisors`` the plain numbers of a product.
    """

    what: Formula | Stated
    role: Role
    value: Rational
    need: Rational
    scale: Rational | None = 1
    terms: tuple[Term, ...] = ()
    factors: tuple[Rational, ...] = ()
    divisors: tuple[Rational, ...] = ()

    @property
    def name(self) -> str:
        return str(self.what) if isinstance(self.what, Stated) else shown(self.what)

    @property
    def is_number(self) -> bool:
        return isinstance(self.what, (Number, Stated))

    @property
    def short(self) -> Rational:
        """What the place has too little."""
        return plain(Fraction(self.need) - self.value)

    @property
    def ratio(self) -> Fraction | None:
        """How many times as much it would have to be."""
        return Fraction(self.need) / self.value if self.value else None


def places(line: Formula, stated: Rational) -> Iterator[Place]:
    """The line as a whole, then whatever stands in it, from left to right."""
    yield from _places(line, "whole", stated, 1)


def places_of_list(parts: Sequence[Stated], stated: Rational) -> Iterator[Place]:
    """The sum of the list, then each of its entries."""
    total = plain(sum((Fraction(part.value) for part in parts), Fraction(0)))
    yield Place(Stated("the sum", total, 0), "whole", total, stated, terms=tuple(Term(part, part.value) for part in parts))
    for part in parts:
        yield Place(part, "term", part.value, plain(Fraction(stated) - total + part.value))


def _places(formula: Formula, role: Role, need: Rational, scale: Rational | None) -> Iterator[Place]:
    value = evaluate(formula, {})
    own = tuple(Term(term, evaluate(term, {})) for term in formula.parts) if isinstance(formula, Sum) else ()
    factors, divisors = _multiplied(formula)
    yield Place(formula, role, value, plain(need), scale, own, tuple(factors), tuple(divisors))
    need = Fraction(need)
    match formula:
        case Sum(terms):
            for term in terms:
                yield from _places(term, "term", need - value + evaluate(term, {}), scale)
        case Product(parts) if value:
            for part in parts:
                here = evaluate(part, {})
                yield from _places(part, "factor", need * here / value, scale and plain(Fraction(scale) * value / here))
        case Negative(operand):
            yield from _places(operand, "factor", -need, scale and -scale)
        case Quotient(numerator, denominator) if value and need:
            above, below = (evaluate(part, {}) for part in (numerator, denominator))
            yield from _places(numerator, "factor", need * below, scale and plain(Fraction(scale) / below))
            yield from _places(denominator, "divisor", above / need, None)
        case Power(base, Number(int(exponent))) if exponent > 1 and (root := _root(need, exponent)):
            yield from _places(base, "base", root, None)


def _root(value: Fraction, exponent: int) -> Rational | None:
    """The root, where that is a whole number."""
    if value.denominator != 1 or value <= 0:
        return None
    root, is_exact = integer_nthroot(value.numerator, exponent)
    return int(root) if is_exact else None


def _multiplied(formula: Formula) -> tuple[list[Rational], list[Rational]]:
    """The numbers that stand in a product as factors, and those that it is divided by."""
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

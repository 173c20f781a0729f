"""The normal form of an expression: a quotient of two polynomials over the rationals, the lower one as simple as can be.

Two expressions are equal exactly when their normal forms are. SymPy's ``polys`` do the work: they take a millisecond where
``simplify`` takes most of a second, and their order is not the order in which a line is written, which is `closed_form`'s matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb

import sympy
from sympy.polys.domains import QQ
from sympy.polys.fields import FracElement, FracField

from symparam.dimensions import symbol
from symparam.errors import FormulaError

MAX_TERMS = 20_000

Monomial = tuple[tuple[str, int], ...]
"""Letters with their exponents, sorted by letter; an exponent may be negative, and is never 0."""


@dataclass(frozen=True)
class Polynomial:
    """Terms of letters with exponents, which may be negative (``kH²/h``), and rational coefficients that are not 0."""

    terms: Mapping[Monomial, Fraction]

    @property
    def letters(self) -> frozenset[str]:
        return frozenset(letter for monomial in self.terms for letter, _ in monomial)

    def by_powers(self, letter: str) -> dict[int, Polynomial]:
        """The coefficient of each power of the letter, lowest power first."""
        groups: dict[int, dict[Monomial, Fraction]] = {}
        for monomial, coefficient in self.terms.items():
            power = dict(monomial).get(letter, 0)
            rest = tuple(pair for pair in monomial if pair[0] != letter)
            groups.setdefault(power, {})[rest] = coefficient
        return {power: Polynomial(groups[power]) for power in sorted(groups)}


@lru_cache(maxsize=4096)
def normal_form(expression: sympy.Expr) -> tuple[Polynomial, Polynomial]:
    """Numerator and denominator of the expression; the denominator is 1 wherever it can be, single terms included.

    Raises `FormulaError` for what is not rational in its letters (a root, a letter in an exponent) and for an expression that
    would come to more than 20,000 terms.
    """
    element = _field_element(expression)
    names = tuple(str(name) for name in element.field.symbols)
    above, below = _terms(element.numer.terms(), names), _terms(element.denom.terms(), names)
    if len(below) == 1:
        ((divisor, coefficient),) = below.items()
        inverse = tuple((letter, -power) for letter, power in divisor)
        return Polynomial({_times(monomial, inverse): value / coefficient for monomial, value in above.items()}), _ONE
    return Polynomial(above), Polynomial(below)


def polynomial(expression: sympy.Expr) -> Polynomial | None:
    """The expression as a polynomial (negative powers of letters allowed), or None where a sum stands in a denominator."""
    above, below = normal_form(expression)
    return above if below == _ONE else None


def equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether the two are the same function of their letters: a proof either way, nothing is sampled."""
    return not normal_form(left - right)[0].terms


def expression_of(terms: Polynomial) -> sympy.Expr:
    """The polynomial as a SymPy expression."""
    return sympy.Add(*(
        sympy.Rational(value.numerator, value.denominator) * sympy.Mul(*(symbol(letter) ** power for letter, power in monomial))
        for monomial, value in terms.terms.items()
    ))


def _field_element(expression: sympy.Expr) -> FracElement:
    letters = sorted(expression.free_symbols, key=str)
    if _size(expression) > MAX_TERMS:
        raise FormulaError(f"multiplied out, the formula would come to more than {MAX_TERMS:,} terms; keep it in smaller steps")
    return FracField(letters or [sympy.Symbol("_")], QQ).from_expr(expression)


def _size(expression: sympy.Expr) -> int:
    """An upper bound for the number of terms of the expression when multiplied out. Raises for what is not rational."""
    if expression.is_Symbol or expression.is_Rational:
        return 1
    if expression.is_Add:
        return sum(_size(part) for part in expression.args)
    if expression.is_Mul:
        size = 1
        for part in expression.args:
            size = min(size * _size(part), MAX_TERMS + 1)
        return size
    if expression.is_Pow and expression.exp.is_Integer:
        terms, exponent = _size(expression.base), abs(int(expression.exp))
        return min(comb(terms + exponent - 1, exponent), MAX_TERMS + 1) if exponent <= MAX_TERMS else MAX_TERMS + 1
    raise FormulaError(f"{str(expression)[:80]} is not a rational expression; sums, products, quotients and whole powers are expected")


def _terms(terms: Iterable[tuple[tuple[int, ...], object]], names: tuple[str, ...]) -> dict[Monomial, Fraction]:
    return {
        tuple((name, power) for name, power in zip(names, powers, strict=True) if power): Fraction(int(value.numerator), int(value.denominator))  # type: ignore[attr-defined]
        for powers, value in terms
    }


def _times(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for letter, power in right:
        powers[letter] = powers.get(letter, 0) + power
    return tuple(sorted((letter, power) for letter, power in powers.items() if power))


_ONE = Polynomial({(): Fraction(1)})

"""The normal form of an expression: a quotient of two polynomials over the rationals, with the simplest possible denominator.

Two expressions are equal exactly when their normal forms are. SymPy's ``polys`` do the work: 235 terms take a millisecond, where
``simplify`` takes 660. The order in which terms are written is left to `closed_form`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import lru_cache, reduce
from math import comb, lcm, prod
from numbers import Rational
from operator import add, or_

import sympy
from sympy.polys.domains import QQ
from sympy.polys.fields import FracElement, FracField

from symparam.core.dimensions import NO_NUMBERS, symbol
from symparam.core.formula import MAX_BITS
from symparam.core.frozen import frozen
from symparam.errors import NoValueError, shorten

MAX_TERMS = 20_000
MAX_DIVISION = 10**8  # Terms of the numerator × terms of the denominator × (degree + 1) in each letter: less than a second's work.
MAX_POWER = 1_000  # The power of one letter; far beyond any formula for a count, and low enough to keep every loop over letters short.

Monomial = tuple[tuple[str, int], ...]
"""Letters with their exponents, sorted by letter; an exponent may be negative but is never 0."""


@frozen
class Polynomial:
    """A sum of monomials with rational coefficients other than 0; exponents may be negative (``kH²/h``)."""

    terms: Mapping[Monomial, Fraction]

    @property
    def letters(self) -> frozenset[str]:
        return frozenset(letter for monomial in self.terms for letter, _ in monomial)

    def at(self, values: Mapping[str, int]) -> Fraction:
        """The value, given a number for each letter. Raises `FormulaError` where that divides by zero."""
        try:
            terms = [prod((Fraction(values[letter]) ** power for letter, power in each), start=times) for each, times in self.terms.items()]
        except ZeroDivisionError:
            raise NoValueError("formula-divides-by-zero") from None
        return sum(terms, Fraction())

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
    """The numerator and denominator of the expression. The denominator is 1 wherever possible: single terms become negative powers.

    Raises `FormulaError` for an expression that is not rational in its letters (a root, a letter in an exponent), for a division by zero,
    and for one with more than 20,000 terms, powers above 1,000 or numbers of more than 4,096 binary digits.
    """
    element = _field_element(expression)
    names = tuple(str(name) for name in element.field.symbols)
    above, below = _terms(element.numer.terms(), names), _terms(element.denom.terms(), names)
    if len(below) == 1:
        ((divisor, coefficient),) = below.items()
        inverse = tuple((letter, -power) for letter, power in divisor)
        return Polynomial({multiply(monomial, inverse): value / coefficient for monomial, value in above.items()}), _ONE
    # SymPy does not fix the sign of 1/(1 - H); here the first term of the denominator is made positive, as in -1/(H - 1).
    sign = -1 if next(iter(below.values())) < 0 else 1
    return Polynomial({monomial: sign * value for monomial, value in above.items()}), Polynomial(
        {monomial: sign * value for monomial, value in below.items()}
    )


def fraction(expression: sympy.Expr) -> tuple[sympy.Expr, sympy.Expr]:
    """The numerator and the denominator as sums without negative powers and with whole coefficients: ``(2H + 3)/(4h)``."""
    above, below = normal_form(expression)
    powers = {letter: max(0, *(-dict(each).get(letter, 0) for each in above.terms)) for letter in above.letters}
    divisor = lcm(*(value.denominator for each in (above, below) for value in each.terms.values()))
    scale = tuple((letter, power) for letter, power in sorted(powers.items()) if power)
    numerator, denominator = (
        Polynomial({multiply(monomial, scale): value * divisor for monomial, value in each.terms.items()}) for each in (above, below)
    )
    return expression_of(numerator), expression_of(denominator)


def polynomial(expression: sympy.Expr) -> Polynomial | None:
    """The expression as a polynomial (negative powers of letters allowed), or None where the denominator is a sum."""
    above, below = normal_form(expression)
    return above if below == _ONE else None


def equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether the two are the same function of their letters. The answer is proven either way; nothing is sampled."""
    return not normal_form(left - right)[0].terms


def multiple_of(left: sympy.Expr, right: sympy.Expr) -> Fraction | None:
    """The number by which ``right`` is multiplied in ``left``; None if they differ otherwise."""
    (above, below), (other, divisor) = normal_form(left), normal_form(right)
    if below.terms != divisor.terms or above.terms.keys() != other.terms.keys():
        return None
    found = {Fraction(value) / Fraction(other.terms[monomial]) for monomial, value in above.terms.items()}
    return found.pop() if len(found) == 1 else None


def letters_in(expression: sympy.Expr) -> frozenset[str]:
    """The letters on which the expression depends once everything that cancels is gone."""
    above, below = normal_form(expression)
    return above.letters | below.letters


def expression_of(terms: Polynomial) -> sympy.Expr:
    """The polynomial as a SymPy expression."""
    return sympy.Add(
        *(
            sympy.Rational(value.numerator, value.denominator) * sympy.Mul(*(symbol(letter) ** power for letter, power in monomial))
            for monomial, value in terms.terms.items()
        )
    )


def _field_element(expression: sympy.Expr) -> FracElement:
    letters = sorted(expression.free_symbols, key=str)
    above, below = _bound(expression)
    _refuse_many(above)
    if below and above * _multiplied_out(below) * _values(expression, below) > MAX_DIVISION:
        raise NoValueError("long-divisors")
    try:
        return FracField(letters or [sympy.Symbol("_")], QQ).from_expr(expression)
    except ZeroDivisionError:
        raise NoValueError("formula-divides-by-zero") from None


Sums = Counter[tuple[sympy.Expr, int]]
"""A product of sums: each sum with a bound for its number of terms, mapped to its exponent."""


def _bound(expression: sympy.Expr) -> tuple[int, Sums]:
    """A bound for the number of terms of the numerator when multiplied out, and the sums in the denominator.

    Raises `FormulaError` for an expression that is not rational.
    """
    if expression.is_Symbol or expression.is_Rational:
        return 1, Sums()
    if expression.is_Add:
        return _bound_of_sum([_bound(part) for part in expression.args])
    if expression.is_Mul:
        terms, below = 1, Sums()
        for part in expression.args:
            more, sums = _bound(part)
            terms, below = min(terms * more, MAX_TERMS + 1), below + sums
        return terms, below
    if expression.is_Pow and expression.exp.is_Integer:
        return _bound_of_power(expression.base, int(expression.exp))
    if expression.has(*NO_NUMBERS):
        raise NoValueError("infinite")
    problem = "is-rounded" if isinstance(expression, sympy.floor | sympy.ceiling) else "not-rational"
    raise NoValueError(problem, formula=shorten(str(expression)))


def _bound_of_sum(parts: list[tuple[int, Sums]]) -> tuple[int, Sums]:
    below = Sums()
    for _, sums in parts:
        if sums:
            below |= sums
            _refuse_many(_multiplied_out(below))
    return sum(terms * _multiplied_out(below - sums) for terms, sums in parts), below


def _bound_of_power(base: sympy.Expr, exponent: int) -> tuple[int, Sums]:
    terms, sums = _bound(base)
    _refuse_many(terms)
    times = abs(exponent)
    largest = max((abs(each.p).bit_length() + each.q.bit_length() for each in base.atoms(sympy.Rational)), default=0)
    if times > MAX_POWER:
        raise NoValueError("high-power", most=MAX_POWER)
    if terms > 1 and times * largest > 16 * MAX_BITS:
        raise NoValueError("large-coefficients", most=MAX_BITS)
    inside = Sums({each: count * times for each, count in sums.items()})
    raised = Sums({(base, terms): times})
    return (_multiplied_out(raised), inside) if exponent > 0 else (_multiplied_out(inside), raised if terms > 1 else Sums())


def _values(expression: sympy.Expr, below: Sums) -> int:
    """An upper bound for the number of points at which computing the greatest common divisor may have to evaluate the expression."""
    degrees = _degrees(expression)
    for (base, _), exponent in below.items():
        degrees += _degrees(base**exponent)
    return prod(1 + degree for degree in degrees.values())


def _degrees(expression: sympy.Expr) -> Counter[str]:
    """A bound for the degree in each letter, over numerator and denominator together."""
    if expression.is_Symbol:
        return Counter({expression.name: 1})
    if expression.is_Pow:
        return Counter({letter: degree * abs(int(expression.exp)) for letter, degree in _degrees(expression.base).items()})
    together = or_ if expression.is_Add else add
    return reduce(together, map(_degrees, expression.args), Counter())


def _multiplied_out(sums: Sums) -> int:
    terms = 1
    for (_, size), exponent in sums.items():
        terms = min(terms * comb(size + exponent - 1, exponent), MAX_TERMS + 1)
    return terms


def _refuse_many(terms: int) -> None:
    if terms > MAX_TERMS:
        raise NoValueError("many-terms", most=MAX_TERMS)


def _terms(terms: Iterable[tuple[tuple[int, ...], Rational]], names: tuple[str, ...]) -> dict[Monomial, Fraction]:
    found = {}
    for powers, value in terms:
        monomial = tuple((name, power) for name, power in zip(names, powers, strict=True) if power)
        found[monomial] = Fraction(int(value.numerator), int(value.denominator))
    if any(power > MAX_POWER for monomial in found for _, power in monomial):
        raise NoValueError("high-power", most=MAX_POWER)
    if any(max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS for value in found.values()):
        raise NoValueError("large-coefficients", most=MAX_BITS)
    return found


def multiply(left: Monomial, right: Monomial) -> Monomial:
    """The product of two monomials."""
    powers = dict(left)
    for letter, power in right:
        powers[letter] = powers.get(letter, 0) + power
    return tuple(sorted((letter, power) for letter, power in powers.items() if power))


_ONE = Polynomial({(): Fraction(1)})

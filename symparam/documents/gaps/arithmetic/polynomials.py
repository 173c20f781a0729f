"""Compares polynomials: adds and scales them, and divides them if the quotient is a single term."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256

from symparam.core.algebra.polynomial import Monomial, Polynomial
from symparam.core.formula import Formula, Power, Product, Symbol

Ratio = tuple[Monomial, Fraction]
"""Letters with their exponents, and a number."""


def monomial_ratio(above: Polynomial, below: Polynomial) -> Ratio | None:
    """The quotient of two polynomials, if it is a single term."""
    if len(above.terms) != len(below.terms):
        return None
    letters = sorted(above.letters | below.letters)
    # Multiplying all terms by one term keeps their order by exponents.
    first, second = (max(each.terms, key=lambda monomial: [dict(monomial).get(letter, 0) for letter in letters]) for each in (above, below))
    quotient = _product(first, tuple((letter, -power) for letter, power in second))
    count = above.terms[first] / below.terms[second]
    return (quotient, count) if scaled_polynomial(below, count, quotient) == above else None


def scaled_polynomial(terms: Polynomial, count: int | Fraction, monomial: Monomial = ()) -> Polynomial:
    """The polynomial times a number, and times letters with their exponents."""
    return Polynomial({_product(each, monomial): value * count for each, value in terms.terms.items()})


def polynomial_sum(*polynomials: Polynomial) -> Polynomial:
    """The sum of the polynomials."""
    total: dict[Monomial, Fraction] = {}
    for each in polynomials:
        for monomial, value in each.terms.items():
            total[monomial] = total.get(monomial, Fraction(0)) + value
    return Polynomial({monomial: value for monomial, value in total.items() if value})


def polynomial_fingerprint(terms: Polynomial) -> int | Fraction:
    """A number that different polynomials hardly share by chance; sums of polynomials are looked up by it and then verified."""
    total = Fraction(0)
    for monomial, value in terms.terms.items():
        for letter, power in monomial:
            value *= Fraction(int.from_bytes(sha256(letter.encode()).digest()[:4])) ** power
        total += value
    return total.numerator if total.denominator == 1 else total


def in_author_order(formula: Formula, letters: Sequence[str]) -> Formula:
    """The formula with the letters of its products in the order in which the author writes them: ``8bsh²``, and not ``8h²sb``."""
    parts = tuple(in_author_order(part, letters) for part in formula.parts)
    if isinstance(formula, Product):
        parts = tuple(sorted(parts, key=lambda factor: _position(factor, letters)))
    return formula.with_parts(parts)


def letters_in_order(*formulas: Formula) -> tuple[str, ...]:
    """The letters in the order of their first occurrence in the formulas."""
    found: dict[str, None] = {}
    for formula in formulas:
        if isinstance(formula, Symbol):
            found[formula.letter] = None
        found.update(dict.fromkeys(letters_in_order(*formula.parts)))
    return tuple(found)


def _position(factor: Formula, letters: Sequence[str]) -> int:
    """The position of a factor in a product: numbers and brackets first, then letters in the author's order."""
    base = factor.base if isinstance(factor, Power) else factor
    return letters.index(base.letter) if isinstance(base, Symbol) and base.letter in letters else -1


def _product(left: Monomial, right: Monomial) -> Monomial:
    powers = Counter(dict(left))
    for letter, power in right:
        powers[letter] += power
    return tuple(sorted((letter, power) for letter, power in powers.items() if power))

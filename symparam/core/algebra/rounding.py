"""A normal form for rounded expressions, in which two floors that are equal for all sizes are nearly always written alike.

In ``⌊x⌋``, where x is a polynomial in integer letters with rational coefficients, integer terms are taken out, such as 4 of ``⌊(H +
9)/2⌋``; common factors of numerator and divisor are cancelled; and nested floors are merged: ``⌊(⌊x⌋ + n)/m⌋ = ⌊(x + n)/m⌋``. So five
layers that each halve an image give ``⌊(H + 31)/32⌋``, and no floor remains where ``H = 32n`` is stated.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import gcd, lcm

import sympy

from symparam.core.algebra.polynomial import Monomial, Polynomial, expression_of, normal_form, polynomial
from symparam.core.algebra.polynomial import equal as equal_rational
from symparam.core.dimensions import symbol
from symparam.errors import NoValueError

MAX_CASES = 300  # Combinations of remainders that are tried one by one to prove that two sums of floors are equal; about a second's work.
_TRIED = (1, 2, 3, 5, 8, 13, 30, 97)  # Values at which unequal expressions usually differ.


def is_rounded(expression: sympy.Expr) -> bool:
    """Whether any part of the expression is rounded down or up."""
    return bool(expression.has(sympy.floor, sympy.ceiling))


@lru_cache(maxsize=4096)
def with_normal_floors(expression: sympy.Expr) -> sympy.Expr:
    """The expression with every floor and ceiling brought to floors in normal form."""
    if not is_rounded(expression):
        return expression
    parts = [with_normal_floors(part) for part in expression.args]
    if isinstance(expression, sympy.floor):
        return _floor(parts[0])
    return -_floor(-parts[0]) if isinstance(expression, sympy.ceiling) else expression.func(*parts)


def with_names(expression: sympy.Expr) -> tuple[sympy.Expr, Mapping[str, sympy.Expr]]:
    """The expression with each normalised floor replaced by a letter, and the argument of the floor for each of these letters."""
    expression = with_normal_floors(expression)
    floors = sorted(expression.atoms(sympy.floor), key=str)
    prefix = "zz"  # Sorted after all other letters of a product.
    while any(str(letter).startswith(prefix) for letter in expression.free_symbols):
        prefix += "z"
    names = {each: f"{prefix}_{number:03}" for number, each in enumerate(floors)}
    return expression.xreplace({each: symbol(name) for each, name in names.items()}), {name: each.args[0] for each, name in names.items()}


def equal(left: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether the two are the same function of their letters. The answer is proven either way.

    A floor of a polynomial is itself a polynomial for each combination of remainders of its letters, so every combination is tried. Raises
    `FormulaError` where there are too many of them (more than `MAX_CASES`), and for a floor of anything but a polynomial.
    """
    if not is_rounded(left - right):
        return equal_rational(left, right)
    difference, inside = with_names(left - right)
    if not normal_form(difference)[0].terms:
        return True
    rest = with_normal_floors(left - right)
    letters, period = sorted(rest.free_symbols, key=str), _period(rest)
    # A difference shows where a floor steps up by one.
    tried = (*_TRIED, period - 1, period, 2 * period - 1) if period else _TRIED
    if any(_is_nonzero(rest, dict.fromkeys(letters, value)) for value in tried if value > 0):
        return False
    moved = sorted({letter for each in inside.values() for letter in each.free_symbols}, key=str)
    if period is None or period ** len(moved) > MAX_CASES:
        raise NoValueError("not-proven")
    classes = product(range(period), repeat=len(moved))
    return all(not normal_form(with_normal_floors(_in_class(rest, period, moved, remainders)))[0].terms for remainders in classes)


def _floor(inside: sympy.Expr) -> sympy.Expr:
    outside, floors = with_names(inside)
    terms = polynomial(outside)
    if terms is None or any(power < 0 for monomial in terms.terms for _, power in monomial):
        return sympy.floor(inside)
    divisor = lcm(*(value.denominator for value in terms.terms.values())) if terms.terms else 1
    divided = {monomial: divmod(int(value * divisor), divisor) for monomial, value in terms.terms.items()}
    whole = {monomial: value for monomial, (value, _) in divided.items()}
    left = {monomial: value for monomial, (_, value) in divided.items() if value}
    back = {symbol(name): sympy.floor(each) for name, each in floors.items()}
    constant = left.pop((), 0)
    if left and 2 * left[min(left)] > divisor:  # ⌊x/m⌋ = −⌊(m − 1 − x)/m⌋: of the two, the one with the smaller leading number is used.
        return -_floor(sympy.Rational(divisor - 1, divisor) - inside)
    common = gcd(divisor, *left.values())
    constant, divisor = constant // common, divisor // common
    left = {monomial: value // common for monomial, value in left.items()}
    taken = _sum(whole).xreplace(back)
    if divisor == 1 or not left:
        return taken + _sum(left).xreplace(back)
    for name in floors:
        monomial = ((name, 1),)
        if left.get(monomial) == 1:
            others = _sum({other: value for other, value in left.items() if other != monomial}).xreplace(back)
            return taken + _floor((floors[name] + others + constant) / divisor)
    return taken + sympy.floor((_sum(left).xreplace(back) + constant) / divisor)


def _sum(terms: Mapping[Monomial, int]) -> sympy.Expr:
    return expression_of(Polynomial({monomial: Fraction(value) for monomial, value in terms.items() if value}))


def _is_nonzero(expression: sympy.Expr, values: Mapping[sympy.Symbol, int]) -> bool:
    """Whether the expression is nonzero for these values."""
    return bool(expression.xreplace({letter: sympy.Integer(value) for letter, value in values.items()}) != 0)


def _period(expression: sympy.Expr) -> int | None:
    """A modulus m such that the expression is a polynomial on each residue class of its letters mod m; None if there may be none."""
    found = 1
    for inside in (each.args[0] for each in expression.atoms(sympy.floor)):
        terms, within = polynomial(with_names(inside)[0]), _period(inside)
        if terms is None or within is None:
            return None
        found = lcm(found, within * lcm(*(value.denominator for value in terms.terms.values())))
    return found


def _in_class(expression: sympy.Expr, period: int, letters: list[sympy.Symbol], remainders: tuple[int, ...]) -> sympy.Expr:
    return expression.xreplace({letter: period * letter + rest for letter, rest in zip(letters, remainders, strict=True)})

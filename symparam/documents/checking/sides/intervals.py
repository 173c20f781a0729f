"""The bounds between which the value of a side lies if the numbers in it are rounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce

from symparam.core.evaluation import evaluate
from symparam.core.floor import Floor
from symparam.core.formula import MAX_BITS, Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symparam.documents.checking.sides.unit_readings import ClaimSide, Senses
from symparam.documents.reading.expression import Literal
from symparam.errors import NoValueError

Interval = tuple[Fraction, Fraction]
_MOST_BITS = 3 * MAX_BITS  # Digits of the bounds between which a side lies.
_FEWEST_ROUNDED = 2  # Digits of a number with decimals that may be rounded; 0.5 is exact.
_MEASURED = 10**6  # From this unit of its last digit on, a number of several digits is rounded: 4.6 × 10¹⁴.
MOST_DIGITS_ABOUT = 3  # A number with more digits than these is meant to the last one.


def sense_of(literal: Literal, senses: Senses) -> Fraction:
    """What the unit of the number means; 1 without one."""
    return senses[literal.unit.written] if literal.unit else Fraction(1)


def is_inexact(literal: Literal, senses: Senses) -> bool:
    """Whether the literal looks rounded: it has decimals, or a scale of thousands or more."""
    return literal.last_digit != 1 or (literal.unit is not None and senses.get(literal.unit.written, literal.unit.senses[0]) != 1)


def _is_scaled(literal: Literal, senses: Senses) -> bool:
    measured = literal.last_digit > 1 and literal.digits >= MOST_DIGITS_ABOUT  # 4.12 × 10²¹, but not 4e6.
    return sense_of(literal, senses) > 1 or literal.digits > MOST_DIGITS_ABOUT or measured


def last_digit(literal: Literal, senses: Senses) -> Fraction:
    """The unit of its last digit."""
    return literal.last_digit * sense_of(literal, senses)


def agree_if_rounded(left: ClaimSide, right: ClaimSide, sign: str) -> bool:
    """Whether the sides may be the same number if every number with decimals and at least two digits, or with millions in its last digit,
    ``4.6e14``, is rounded, and after a sign of approximation also every number with a power of ten or a unit; whole bytes are counted.
    """
    fewest = _FEWEST_ROUNDED if left.literal is None else MOST_DIGITS_ABOUT
    measured = {
        letter: (not 1 <= each.last_digit < _MEASURED and each.digits >= fewest)
        or (sign == "≈" and (each.last_digit > 1 or (each.unit is not None and (each.unit.counted, *each.unit.senses) != ("bytes", 1))))
        for one in (left, right)
        for letter, each in one.literals.items()
    }
    if not any(measured[letter] for letter in left.literals):
        return False
    senses = {each.unit.written: each.unit.senses[0] for one in (left, right) for each in one.literals.values() if each.unit}
    bounds = []
    for one in (left, right):
        literals = {letter: replace(each, last_digit=each.last_digit / 2 * measured[letter]) for letter, each in one.literals.items()}
        bounds.append(interval(one.formula, literals, senses, Fraction(1)))
    (low, high), (below, above) = bounds
    return low <= above and below <= high


def interval(formula: Formula, literals: Mapping[str, Literal], senses: Senses, digit: Fraction) -> Interval:
    """The bounds of the formula if each literal may be off by this fraction of its last digit."""
    match formula:
        case Number(value):
            return Fraction(value), Fraction(value)
        case Symbol(letter):
            literal = literals[letter]
            # 0.5 bytes and a factor of 1.12 are exact; a number in millions is rounded.
            rounded = is_inexact(literal, senses) and (digit == 1 or _is_scaled(literal, senses))
            off = digit * last_digit(literal, senses) if rounded else Fraction(0)
            middle = Fraction(literal.value * sense_of(literal, senses))
            return middle - off, middle + off
        case Negative(operand):
            return _times((Fraction(-1), Fraction(-1)), interval(operand, literals, senses, digit))
        case Sum(terms):
            bounds = [interval(term, literals, senses, digit) for term in terms]
            return _bounded(sum((low for low, _ in bounds), Fraction(0)), sum((high for _, high in bounds), Fraction(0)))
        case Product(factors):
            return reduce(_times, (interval(factor, literals, senses, digit) for factor in factors))
        case Quotient(numerator, denominator):
            low, high = interval(denominator, literals, senses, digit)
            if low <= 0 <= high:
                raise NoValueError("divisor-may-be-zero")
            return _times(interval(numerator, literals, senses, digit), (1 / high, 1 / low))
        case Floor(operand):
            low, high = interval(operand, literals, senses, digit)
            return Fraction(low // 1), Fraction(high // 1)
        case Power(base, exponent):
            low, high = interval(base, literals, senses, digit)
            times = exponent.value if isinstance(exponent, Number) else None
            if not isinstance(times, int) or low < 0 or times > 64:
                exact = Fraction(evaluate(formula, {letter: literals[letter].value for letter in formula.letters}))
                return exact, exact
            if times * max(each.bit_length() for bound in (low, high) for each in (bound.numerator, bound.denominator)) > _MOST_BITS:
                raise NoValueError("long-bounds")
            return low**times, high**times
    raise AssertionError(f"{type(formula).__name__} is not a kind of formula")


def _times(first: Interval, second: Interval) -> Interval:
    found = [one * other for one in first for other in second]
    return _bounded(min(found), max(found))


def _bounded(low: Fraction, high: Fraction) -> Interval:
    if any(part.bit_length() > _MOST_BITS for bound in (low, high) for part in bound.as_integer_ratio()):
        raise NoValueError("long-bounds")
    return low, high

"""The digits with which a message shows a number."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

_MOST_KEPT = 6  # Digits before the zeros of a large number.


def rounded_digits(number: int | Fraction) -> tuple[str, str]:
    """A number as a message shows it: ``exact`` or ``about`` with its digits, ``huge`` or ``tiny`` without.

    Whole numbers have their thousands grouped, or a power of ten where they end in very many zeros; others are rounded to six digits.
    """
    value = Fraction(number)
    if value.denominator == 1:
        if short := with_power_of_ten(value.numerator):
            return "exact", short
        if abs(value) < 10**30:
            return "exact", f"{value.numerator:,}"
        return ("about", f"{float(value):.6g}") if abs(value) < 10**300 else ("huge", "")
    if abs(value) > 10**300 or abs(value) < Fraction(1, 10**300):
        return ("huge" if abs(value) > 1 else "tiny"), ""
    digits = Fraction(value).limit_denominator(10**6)
    if digits == value and set(_prime_factors(value.denominator)) <= {2, 5}:
        return "exact", f"{float(value):,.10g}"
    return "exact", f"{float(value):,.6f}".rstrip("0").rstrip(".") if abs(value) >= 1 else f"{float(value):.6g}"


def with_power_of_ten(number: int) -> str:
    """``7.227e23`` for a number of more than 18 digits of which but a few are before its zeros; empty for any other."""
    digits = str(abs(number)) if 10**18 <= abs(number) < 10**300 else ""
    kept = digits.rstrip("0")
    if not 0 < len(kept) <= _MOST_KEPT:
        return ""
    return f"{'-' if number < 0 else ''}{kept[0]}{'.' if kept[1:] else ''}{kept[1:]}e{len(digits) - 1}"


def _prime_factors(value: int) -> Iterator[int]:
    for prime in (2, 5):
        while value % prime == 0:
            value //= prime
            yield prime
    if value > 1:
        yield value

"""The probability that numbers agree by chance, given how many were tried. A sum that the page does not announce is accepted only if it is
small.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import gcd

UNNAMED = Fraction(1, 10**6)
"""The largest probability of chance for a sum that no word announces."""

MARKED = Fraction(1, 10**3)
"""The same for a number that its author emphasises, such as a total in bold."""

SET_APART = Fraction(1, 10**2)
"""The same for a number in bold, alone in its row, below a group of rows that is tried only as a whole."""

ANNOUNCED = Fraction(1, 10)
"""The same for rounded numbers apart from each other, of which words announce the total."""

_FEWEST_STEPS = 1_000
"""The least multiple of a round common divisor that a total has to be; a smaller one may be due to chance: 64 + 64 = 128 is only 1 + 1 = 2.
"""


def _is_round(step: int) -> bool:
    while step % 10 == 0:
        step //= 10
    return step & (step - 1) == 0


def chance(total: Fraction, parts: Iterable[Fraction], tries: int) -> Fraction:
    """The probability that one of this many tries gives exactly this total by chance, among as many values as its digits allow."""
    shown = abs(total)
    if not shown:
        return Fraction(1)
    while shown.denominator != 1:
        shown *= 10
        if shown > 10**30:
            break
    values = int(shown)
    while values % 10 == 0:
        values //= 10
    if all(each.denominator == 1 for each in (total, *parts)):
        step = gcd(*(int(each) for each in (total, *parts)))
        steps = int(abs(total)) // step
        if steps < _FEWEST_STEPS and _is_round(step):
            values = min(values, steps)
    return min(Fraction(1), Fraction(max(tries, 1), values))


def is_unlikely(stated: Fraction, tries: int) -> bool:
    """Whether a number hardly agrees by chance with one of this many values, though no word says which of them it is."""
    return chance(stated, (), tries) <= UNNAMED

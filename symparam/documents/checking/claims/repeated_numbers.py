"""Tells a number that repeats another, rounded or in another unit, with a slip of the pen: ``124,439,808 parameters (129M)``."""

from __future__ import annotations

from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.number_meanings import differ_in_unit
from symparam.documents.reading.expression import Expression
from symparam.documents.words import is_a_thing

_LEAST_IN_FULL, _LEAST_ROUNDED = 100_000, 3  # A number that is repeated, and the digits of the number that repeats it.


def is_slip_of_repeated(left: Expression, right: Expression, found: Judgement) -> bool:
    """Whether a slip of the pen separates a number from the same in another unit, ``94,595 s, about 62.3 hours``, or rounded."""
    unit = right.literal.unit if right.literal else None
    is_rounded = left.exact is not None and left.exact >= _LEAST_IN_FULL and unit is not None and not unit.counted
    is_rounded = is_rounded and digits_of(right) >= _LEAST_ROUNDED and all(map(is_a_thing, left.nouns))
    return found.is_slip and (is_rounded or (differ_in_unit(left, right) and not left.nouns))

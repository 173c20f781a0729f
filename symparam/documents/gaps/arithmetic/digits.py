"""Finds slips of the pen: how the digits of one number became those of another."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile

from symparam.core.message import Message, message
from symparam.core.notation import decimal_places

MAX_DIGITS = 60  # Longer numbers are not typed by hand.


def digit_slip(right: int | Fraction, written: int | Fraction) -> Message | None:
    """The slip of the pen by which ``written`` came from ``right``, such as a replaced digit; None if there is none.

    A zero lost or added at the end is a factor of ten and is not handled here; neither are single digits, as each is one slip away from any
    other.
    """
    if right <= 0 or written <= 0:
        return None
    try:
        places = max(decimal_places(each.denominator) for each in (right, written))
    except ValueError:
        return None
    before, after = (each.numerator * 10**places // each.denominator for each in (right, written))
    if max(before, after).bit_length() > 3 * MAX_DIGITS or min(before, after) < 10 or before == after:
        return None
    return _between(str(before), str(after))


def share_leading_digits(first: int | Fraction, second: int | Fraction) -> bool:
    """Whether two integers of at least three digits agree in the first half of their digits, more than one slip of the pen apart."""
    if first.denominator != 1 or second.denominator != 1 or min(first, second) < 100 or digit_slip(first, second):
        return False
    one, other = str(first), str(second)
    return len(one) == len(other) and one[: len(one) // 2 + 1] == other[: len(one) // 2 + 1]


def _between(right: str, written: str) -> Message | None:
    at = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(right, written, strict=False)))
    match len(written) - len(right):
        case 0:
            return _exchanged(right[at:], written[at:])
        case -1 if right[:at] + right[at + 1 :] == written and right != written + "0":
            return message("digit-lost", digit=right[at])
        case 1 if written[:at] + written[at + 1 :] == right and written != right + "0":
            return message("digit-doubled" if written[at - 1 : at] == written[at] else "digit-too-many", digit=written[at])
        case -3:
            return _group_lost(right, written)
    return None


def _exchanged(right: str, written: str) -> Message | None:
    """The slip that exchanges two stretches of digits, each starting at the first difference."""
    if right[1:] == written[1:]:
        return message("digit-replaced", stated=written[0], right=right[0])
    if right[:2] == written[1::-1] and right[2:] == written[2:]:
        return message("digits-swapped", stated=written[:2], right=right[:2])
    return None


def _group_lost(right: str, written: str) -> Message | None:
    """The slip that loses a group of three digits between commas, other than zeros at the end, which are a factor of a thousand."""
    for end in range(len(right), 3, -3):
        if right[: end - 3] + right[end:] == written and int(right[end - 3 :] or 0):
            return message("group-lost", digits=right[end - 3 : end])
    return None

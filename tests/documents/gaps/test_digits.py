from __future__ import annotations

from fractions import Fraction

import pytest

from symparam.documents.gaps.arithmetic.digits import digit_slip, share_leading_digits
from symparam.writing.wording import ENGLISH


@pytest.mark.parametrize(
    ("right", "written", "slip"),
    [
        (1234, 1224, "one digit, 2 for 3"),
        (1234, 1324, "two neighbouring digits swapped, 32 for 23"),
        (1234, 124, "a digit lost, 3"),
        (1234, 12234, "a digit doubled, 2"),
        (1234, 12534, "a digit too many, 5"),
        (94504960, 94960, "three digits lost, 504"),
        (Fraction(10377, 100), Fraction(10317, 100), "one digit, 1 for 7"),
        (1234, 4321, None),
        (1000000, 1000, None),
        (120, 12, None),
        (5, 6, None),
        (Fraction(1, 3), 1, None),
        (0, 10, None),
        (-12, 13, None),
        (10**80, 10**80 + 1, None),
    ],
)
def test_slips_of_the_pen(right: int | Fraction, written: int | Fraction, slip: str | None) -> None:
    found = digit_slip(right, written)
    assert (found and ENGLISH.say(found)) == slip


def test_numbers_that_are_alike() -> None:
    assert share_leading_digits(128256, 128272)
    assert not share_leading_digits(128256, 129272)
    assert not share_leading_digits(128256, 12827)
    assert not share_leading_digits(Fraction(1, 2), 128)

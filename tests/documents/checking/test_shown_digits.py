"""Numbers as messages show them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam import check_text
from symparam.documents.checking.sides.shown_digits import rounded_digits

SHOWN = [
    (722_700 * 10**18, "7.227e23"),
    (-5 * 10**18, "-5e18"),
    (900 * 10**15, "900,000,000,000,000,000"),  # Below a thousand thousand millions of millions it has names.
    (1_234_567 * 10**18, "1,234,567,000,000,000,000,000,000"),  # All of its digits tell something.
    (Fraction(5, 2), "2.5"),
    (Fraction(100, 3), "33.333333"),
]


@pytest.mark.parametrize(("number", "shown"), SHOWN)
def test_rounded_digits(number: int | Fraction, shown: str) -> None:
    assert rounded_digits(number) == ("exact", shown)


def test_a_wrong_power_of_ten_is_not_lost_among_zeros() -> None:
    found = check_text("Training takes 6 × 8.03e9 × 15e12 = 7.2e24 FLOPs.")
    assert "the left side is 7.227e23 FLOPs, but 7.2e24 is stated" in str(found)
    assert "too much by about 6.5e24 FLOPs" in str(found)

"""Numbers against numbers: exactly, by the digits that are shown, with units in each of their senses."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.message import message
from symparam.documents.checking.finding import Verdict
from symparam.writing.wording import ENGLISH
from tests.documents.checking.shown import checked, said

EXACT = [
    ("768 × 3072 = 2,359,296", "exact"),
    ("768 * 3072 = 2359296", "exact"),
    (r"$768 \times 3{,}072 = 2{,}359{,}296$", "exact"),
    ("（768 ＋ 1）× 768 ＝ 590，592", "exact"),
    ("12 x 768 = 9_216", "exact"),
    ("2 + 3 × 4 = 14", "exact"),
    ("(2 + 3) × 4 = 20", "exact"),
    ("10 - 3 - 4 = 3", "exact"),
    ("48 / 4 / 2 = 6", "exact"),
    ("2**10 = 1,024", "exact"),
    ("2^3^2 = 512", "exact"),
    ("768² = 589,824", "exact"),
    ("768<sup>2</sup> = 589,824", "exact"),
    (r"$\frac{768}{12} = 64$", "exact"),
    ("1.234.567 × 2 = 2.469.134", "exact"),
    ("7 / 2 = 3.5", "exact"),
    ("On a 512 × 768 = 393 216.", "exact"),
    ("1.5 × 4 = 6", "exact"),
    ("3 × 4 = 4 × 3", "exact"),
    ("768 × 3072 = 2,359,269", "wrong-number"),
    ("2 + 3 × 4 = 20", "wrong-number"),
    ("(2 + 3) × 4 = 14", "wrong-number"),
    ("3 × 4 = 4 × 4", "wrong-number"),
    ("7 / 2 = 4.5", "wrong-rounding"),
    ("0 / 0 = 1", "no-meaning"),
    ("9**9**9**9 = 1", "too-large"),
]


@pytest.mark.parametrize(("line", "code"), EXACT, ids=[line for line, _ in EXACT])
def test_arithmetic(line: str, code: str) -> None:
    assert said(line)[0] == code


ROUNDED = [
    ("22 / 7 = 3.1429", "rounded", "3.142857 is rounded to the digits that are shown"),
    ("22 / 7 = 3.1428", "truncated", "3.142857 is cut off after the digits that are shown"),
    ("22 / 7 = 3.1427", "wrong-rounding", "the left side is 3.142857, the right side 3.1427"),
    ("22 / 7 = 3.1430", "wrong-rounding", "the left side is 3.142857, the right side 3.143"),
    ("22 / 7 ≈ 3.1430", "wrong-rounding", "the left side is 3.142857, the right side 3.143"),
    ("22 / 7 = 3.15", "wrong-rounding", "the left side is 3.142857, the right side 3.15"),
    # Three digits behind a point may be thousands.
    ("22 / 7 = 3.143", "rounded", "3.142857 is rounded to the digits that are shown"),
    ("22 / 7 = 3.141", "wrong-rounding", "the left side is 3.142857, the right side 3.141"),
    ("2.048 + 1.5 = 2049.5", "unclear", "the left side is 3.548, the right side 2,049.5; but the point may separate thousands"),
    ("20 / 3 = 6", "truncated", "6.666667 is cut off"),
    ("20 / 3 = 7", "rounded", "6.666667 is rounded"),
    ("20 / 3 = 8", "wrong-number", "the left side is 6.666667"),
    ("-20 / 3 = -6.7", "rounded", "-6.666667 is rounded to the digits that are shown"),
    ("-20 / 3 = -6.6", "truncated", "-6.666667 is cut off after the digits that are shown"),
    ("10 / 3 - 10 = -6.7", "rounded", "-6.666667 is rounded to the digits that are shown"),
    ("10 / 3 - 10 = -6", "truncated", "-6.666667 is cut off"),
    ("-20 / 3 = -7", "rounded", "-6.666667 is rounded"),
    ("-20 / 3 = -8", "wrong-number", "the left side is -6.666667, the right side -8"),
    ("-12 × 7,087,872 = -85.05M", "rounded", "-85.054464 is rounded to the digits that are shown"),
    ("-12 × 7,087,872 = -86.05M", "wrong-rounding", "the left side is -85.054464 M, but -86.05 is stated"),
    ("-20 / 3 = -6.8", "wrong-rounding", "the left side is -6.666667, the right side -6.8"),
    ("12 × 7,087,872 = 85.05M", "rounded", "85.054464 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 85.06M", "wrong-rounding", "the left side is 85.054464 M, but 85.06 is stated"),
    ("12 × 7,087,872 = 0.085B", "rounded", "0.0850545 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 8505 万", "rounded", "8,505.4464 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 0.85亿", "rounded", "0.85054464 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 8.5e7", "rounded", "85,054,464 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 8.5 × 10^7", "rounded", "85,054,464 is rounded to the digits that are shown"),
    ("12 × 7,087,872 = 85,000,000", "rounded", "85,054,464 is rounded"),
    ("12 × 7,087,872 = 84,000,000", "wrong-number", "the left side is 85,054,464"),
]


@pytest.mark.parametrize(("line", "code", "message"), ROUNDED, ids=[line for line, *_ in ROUNDED])
def test_digits_that_are_shown(line: str, code: str, message: str) -> None:
    assert said(line) == (code, message)


ABOUT = [
    ("12345 × 2 ≈ 24,700", "rounded"),
    ("12345 × 2 ≈ 24,500", "about"),  # 0.8 % below, in three digits.
    ("12345 × 2 = 24,500", "wrong-number"),  # Nothing says that it is about that.
    ("12345 × 2 ≈ 24,400", "unclear"),  # 1.2 % below.
    ("12345 × 2 ≈ 24,000", "wrong-number"),  # 2.8 % below.
    ("12345 × 2 ≈ 24,691", "wrong-number"),  # Who writes five digits means them.
    ("12345 × 2 ≈ 24,680", "wrong-number"),
    ("124,439,808 ≈ 124M", "rounded"),
    ("124,439,808 × 4 ≈ 500 MB", "rounded"),  # To the one digit that is shown.
    ("124,439,808 × 4 = 560 MB", "wrong-number"),
    ("124,439,808 × 4 ≈ 495 MB", "about"),
    ("124,439,808 × 4 约 495MB", "about"),
    ("124,439,808 × 4 \\approx 495 MB", "about"),
    ("124,439,808 × 4 ≈ 515 MB", "wrong-number"),
    ("-124,439,808 × 4 ≈ -495 MB", "about"),
    ("1,999 × 3,001 ≈ 10^7", "rounded"),
    ("1,999 × 1,999 × 3 ≈ 10^8", "wrong-number"),
    ("2 × 3 × 1000 = 10^3 × 7", "wrong-number"),
    # The zeros at the end of a power of ten are those of numbers above it: to one digit, 6 is 6.
    ("32 × 3 ≈ 100", "rounded"),
    ("17 × 3 ≈ 100", "unclear"),
    # Not in a sense of the unit that nobody has: 3.9 KiB cut off, seconds that are milliseconds, less than bytes, 2²⁰ times 1000 bytes.
    ("1000 × 4 bytes = 3 KB", "wrong-number"),
    ("500 ms + 43 ms = 543 s", "wrong-number"),
    ("4 × 1024 = 4 GB", "unit"),
    ("4 × 1024 × 1024 = 4 KB", "unclear"),
    ("100M × 2KB ≈ 205 GB", "rounded"),
    ("100M × 2KB ≈ 209 GB", "unclear"),
]


@pytest.mark.parametrize(("line", "code"), ABOUT, ids=[line for line, _ in ABOUT])
def test_about_is_one_per_cent_and_only_with_few_digits(line: str, code: str) -> None:
    assert said(line)[0].replace("wrong-rounding", "wrong-number") == code


UNITS = [
    ("108,808,704 ≈ 108.8M", "rounded", "108.808704 is rounded to the digits that are shown"),
    ("108,808,704 ≈ 103.7M", "unit", "103.7680664 is cut off after the digits that are shown (M is read as 2²⁰)"),
    ("124,439,808 × 4 = 497.8 MB", "rounded", "497.759232 is rounded to the digits that are shown"),
    ("124,439,808 × 4 = 474.7 MB", "unit", "474.7001953 is rounded to the digits that are shown (MB is read as 2²⁰)"),
    ("124,439,808 × 4 bytes = 474.7 MiB", "rounded", "474.7001953 is rounded to the digits that are shown"),
    ("124,439,808 × 4 bytes = 497.8 MiB", "wrong-rounding", "the left side is 474.7001953 MiB, but 497.8 is stated; it is right in MB"),
    ("124,439,808 × 4 bytes = 499.8 MiB", "wrong-rounding", "the left side is 474.7001953 MiB, but 499.8 is stated"),
    ("It takes 42,949,672,960 bytes = 42.9 GiB", "wrong-rounding", "the left side is 40 GiB, but 42.9 is stated; it is right in GB"),
    ("42,949,672,960 bytes = 40.0 GiB", "exact", "both sides are the same number"),
    ("110M × 4 bytes = 440 MB", "exact", "both sides are the same number"),
    ("7B × 16 bits = 14 GB", "unit", "both sides are the same number (bits is read as 1/8)"),
    ("64 KiB × 1024 = 64 MiB", "exact", "both sides are the same number"),
    ("8 bits × 3 = 3 bytes", "unit", "both sides are the same number (bits is read as 1/8)"),
    ("6 × 3 FLOPs = 9 MACs", "unit", "both sides are the same number (one MAC is counted as two FLOPs)"),
    ("6 × 3 MACs = 36 FLOPs", "unit", "both sides are the same number (one MAC is counted as two FLOPs)"),
    ("94,504,960 / 1,303,111,680 = 7.25%", "rounded", "7.252253 is rounded to the digits that are shown"),
    ("94,504,960 / 1,303,111,680 = 7.27%", "wrong-rounding", "the left side is 7.252253 %, but 7.27 is stated"),
    ("94,504,960 / 1,303,111,680 × 100 = 7.25%", "unit", "7.252253 is rounded to the digits that are shown (the left side is already in per cent)"),
    ("2 × 86400 s = 2 days", "exact", "both sides are the same number"),
    ("10 × 100 days = 2.74 years", "rounded", "the left side is 2.739726, within the digits that are not shown"),
    ("10^18 / 10^12 / 86400 = 11.57 days", "unit", "11.574074 is rounded to the digits that are shown (days is read as a name only)"),
    ("109,482,240 × 4 / 1024 / 1024 = 417.6 MB", "unit", "417.6416016 is rounded to the digits that are shown (MB names the unit of the result, and the left side is already in it)"),
    ("109,482,240 × 4 = 437.9", "unit", "437.92896 is rounded to the digits that are shown (the right side counts in 10⁶)"),
    ("2 × 16 GB = 33", "wrong-number", "the left side is 32,000,000,000"),
    ("20 TB / 8 = 2.7", "wrong-rounding", "the left side is 2,500,000,000,000, the right side 2.7"),
    ("8 × 80 GB / 2 = 320", "unit", "both sides are the same number (GB names only the unit)"),
    ("2 × 16 GB = 32", "unit", "both sides are the same number (GB names only the unit)"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "message"), UNITS, ids=[line for line, *_ in UNITS])
def test_units_in_their_senses(line: str, code: str, message: str) -> None:
    assert said(line) == (code, message)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        # 6,738,415,616 × 2 is 13.48 × 10⁹ and 12.55 × 2³⁰: a page has one GB, and of two as frequent ones the decimal one.
        ("Weights: 13,476,831,232 bytes = 13.48 GB.\n\nOr 6,738,415,616 × 2 bytes ≈ 12.55 GB.", ["rounded", "unclear"]),
        ("Or 6,738,415,616 × 2 bytes ≈ 12.55 GB.\n\nWeights: 13,476,831,232 bytes = 13.48 GB.", ["unclear", "rounded"]),
        ("6,738,415,616 × 2 bytes ≈ 12.55 GB\n\n2 × 2^30 bytes = 2.00 GB\n\n2 × 10^9 bytes = 2.00 GB", ["unit", "unit", "unclear"]),
        ("6,738,415,616 × 2 bytes ≈ 12.55 GB\n\n2 × 2^20 bytes = 2.10 MB\n\n8 × 2 GB = 16 GB", ["unit", "rounded", "exact"]),
    ],
)
def test_a_page_has_one_sense_of_a_unit(text: str, codes: list[str]) -> None:
    assert [each.code for each in checked(text).findings] == codes


LOST = [
    ("3 × 109 / 6 = 5 × 108", "typography"),  # 10⁹ and 10⁸.
    ("4 × 7682 = 2,359,296", "typography"),  # 768².
    ("128 × 128 = 16.384", "unit"),
    ("4 × 7682 = 2,359,297", "wrong-number"),
    ("3 × 109 / 6 = 5 × 107", "unclear"),
    ("4 × 7683 = 2,359,296", "wrong-number"),
]


@pytest.mark.parametrize(("line", "code"), LOST, ids=[line for line, _ in LOST])
def test_superscripts_that_were_lost_on_the_way(line: str, code: str) -> None:
    assert said(line)[0] == code


SHOWN = [
    (Fraction(0), "0"),
    (Fraction(-1234567), "-1,234,567"),
    (Fraction(7, 2), "3.5"),
    (Fraction(2, 3), "0.666667"),
    (Fraction(20000, 3), "6,666.666667"),
    (Fraction(1, 10**5), "1e-05"),
    (Fraction(10**30), "1e30"),
    (Fraction(10**400), "a huge number"),
    (Fraction(10**400, 7), "a huge number"),
    (Fraction(1, 10**400), "a tiny number"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN, ids=[text for _, text in SHOWN])
def test_numbers_in_messages(value: Fraction, text: str) -> None:
    assert ENGLISH.say(message("left-side", left=value)) == f"the left side is {text}"


SCALES = {"": 1, "K": 10**3, "M": 10**6, "B": 10**9, "万": 10**4, "亿": 10**8, "GB": 10**9, "MiB": 2**20}


def rounded(value: Fraction, decimals: int) -> str:
    """Half up, by whole numbers alone."""
    shifted = value * 10**decimals
    digits = str((2 * shifted.numerator + shifted.denominator) // (2 * shifted.denominator)).rjust(decimals + 1, "0")
    return f"{digits[:-decimals]}.{digits[-decimals:]}"


@given(st.integers(2, 9999), st.integers(10**5, 10**9), st.integers(1, 5), st.sampled_from(sorted(SCALES)), st.sampled_from("=≈"))
def test_a_number_that_is_rounded_to_any_digit_and_written_with_a_unit_holds(
    first: int, second: int, decimals: int, unit: str, sign: str
) -> None:
    written = rounded(Fraction(first * second, SCALES[unit]), decimals)
    (finding,) = checked(f"{first} × {second:,} {sign} {written} {unit}").findings
    assert (finding.verdict, finding.code in ("exact", "rounded")) == (Verdict.HOLDS, True)


@given(st.integers(2, 9999), st.integers(10**7, 10**9), st.integers(3, 5), st.integers(2, 9), st.booleans())
def test_a_last_digit_that_is_off_by_two_is_wrong(first: int, second: int, decimals: int, off: int, below: bool) -> None:
    right = Fraction(rounded(Fraction(first * second, 10**6), decimals))
    written = rounded(right + (-off if below else off) * Fraction(1, 10**decimals), decimals)
    (finding,) = checked(f"{first} × {second:,} = {written}M").findings
    assert finding.code == "wrong-rounding"

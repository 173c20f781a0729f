"""Percentages: of a total that the document states, of a number in the same bracket, and those that say nothing."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.checking.finding import Verdict
from tests.documents.checking.shown import checked, claims, said

TOTAL = "- attention: 10,000\n- ffn: 20,000\n- total: 30,000\n"
SUM = "10,000 + 20,000 = 30,000: sum"

SHARES = [
    # Of a total that is stated somewhere.
    (TOTAL + "\nThe attention has 10,000 (33.3%) of them.", [SUM, "10,000 / 30,000 = 33.3%: rounded"]),
    (TOTAL + "\nThe ffn has 20,000 (66.6%) of them.", [SUM, "20,000 / 30,000 = 66.6%: truncated"]),
    ("The attention has 10,000 (33.3%) of them.\n\n" + TOTAL, ["10,000 / 30,000 = 33.3%: rounded", SUM]),
    (TOTAL + "\n1. ffn (20.0k params, 66.7%)", [SUM, "20.0k / 30,000 = 66.7%: rounded"]),
    # Of a number that words name.
    ("Most are in the table: 77.3M out of 124M (62%)", ["77.3M / 124M = 62%: rounded"]),
    ("The MLP has 4.72M of the 7.09M parameters, 66.6 %.", ["4.72M / 7.09M = 66.6 %: rounded"]),
    ("7.09M のうち 4.72M、66.6 %", ["4.72M / 7.09M = 66.6 %: rounded"]),
    ("表：38,597,376\n\n占总参数（124M）的 **31%**。", ["38,597,376 / 124M = 31%: rounded"]),
    ("The table has 38,597,376, which is 31.1% of the 124M", ["38,597,376 / 124M = 31.1%: rounded"]),
    ("Most are in the table: 77.3M out of 124M (72%)", []),
    # One digit agrees by chance.
    ("Total: 124M parameters\n\nWe ran 1,200,000 steps, 1 % of which failed.", []),
    ("77.3M beside 124M (62%)", []),
    # Of a total in the same unit: 1.15 of 45.18 are 2.545 %.
    ("- A: 1.15 ms (2.55%)\n- B: 44.03 ms\n- Total: 45.18 ms", ["1.15 ms / 45.18 ms = 2.55%: rounded", "1.15 ms + 44.03 ms = 45.18 ms: sum"]),
    ("- A: 1.15 GB (2.55%)\n- B: 44.03 ms\n\n- Total: 45.18 ms", []),
    # Of nothing that is stated: it may be a share of something else.
    (TOTAL + "\nThe attention has 10,000 (35%) of them.", [SUM]),
    ("The attention has 10,000 (33.3%) of them.", []),
    # More than the whole is not a share of it.
    (TOTAL + "\nThe model has 40,000 (133.3%) of them.", [SUM]),
    # Of what stands in the same bracket.
    ("attention 10,000 (25% of 40,000)", ["10,000 / 40,000 ≈ 25%: exact"]),
    ("attention 10,000 (25% of 40,003)", ["10,000 / 40,003 ≈ 25%: rounded"]),
    ("attention 38,597,376 (31% of 124M)", ["38,597,376 / 124M ≈ 31%: rounded"]),
    ("75M params (0.1% of 7B)", ["75M params / 7B ≈ 0.1%: wrong-rounding"]),
    ("5 × 15M = 75M (10% of 7B total)", ["5 × 15M = 75M: exact", "75M / 7B ≈ 10%: wrong-rounding"]),
    # About that much; of something of another kind; of the whole sum; with more said; in a range; where it is not sure what stands before.
    ("attention 10,000 (30% of 40,000)", []),
    ("30 GB (40% of 80)", []),
    ("38,597,376 (35% of 124M)", []),
    ("23.4M + 85M (99% of 109M)", []),
    ("90 hours (40% of 100 hours idle)", []),
    ("10-20 (40% of 100)", []),
    ("9 % 5 * 30M (40% of 100M)", []),
    # In a table.
    ("| part | params | share |\n|---|---|---|\n| attention | 10,000 | 33.3% |\n| ffn | 20,000 | 67% |\n| total | 30,000 | |\n",
     ["10,000 / 30,000 = 33.3%: rounded", "20,000 / 30,000 = 67%: rounded", SUM]),
    ("| part | params |\n|---|---|\n| attention | 10,000 (33.3%) |\n| ffn | 20,000 (67%) |\n| total | 30,000 |\n",
     ["10,000 / 30,000 = 33.3%: rounded", "20,000 / 30,000 = 67%: rounded", SUM]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), SHARES, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in SHARES])
def test_shares(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_message() -> None:
    (sum_of, share) = checked(TOTAL + "\nThe attention has 10,000 (33.3%).").findings
    assert sum_of.code == "sum"
    assert (share.text, share.message) == ("33.3%", "33.333333 is rounded to the digits that are shown")
    assert said("attention 10,000 (25% of 40,000)") == ("exact", "both sides are the same number")


@given(st.integers(1_000, 10**8), st.integers(1_000, 10**8), st.integers(0, 3))
def test_a_share_that_is_rounded_holds(first: int, second: int, decimals: int) -> None:
    exact = Fraction(100 * first, first + second)
    percent = f"{float(round(exact, decimals)):.{decimals}f}%"
    text = f"- a: {first:,}\n- b: {second:,}\n- total: {first + second:,}\n\nThat is {first:,} ({percent}) for a.\n"
    (share,) = [finding for finding in checked(text).findings if finding.right == percent]
    assert (share.verdict, share.left) == (Verdict.HOLDS, f"{first:,} / {first + second:,}")

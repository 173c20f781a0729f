"""Two ratios beside each other that say the same or make the whole, ratios that a label announces, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- training: 2.5× of it (150% overhead)", ["2.5× − 1 = 150%: exact"]),
        ("It is a 4× smaller cache (75% less).", ["1 − 1 / 4× = 75%: exact"]),
        ("Il cache è 4x più piccolo (75% di risparmio)", ["1 − 1 / 4x = 75%: exact"]),
        ("速度是 1.25 倍（节省 20% 的时间）", ["1 − 1 / 1.25 倍 = 20%: exact"]),
        ("It is 8x smaller (saves about 87.5%).", ["1 − 1 / 8x = 87.5%: exact"]),
        ("We saved 87.5%, i.e. 8× less memory.", ["1 / (1 − 87.5%) = 8×: exact"]),
        ("It keeps 25% of the rows (4x fewer).", ["1 / 25% = 4x: exact"]),
        ("- **accuracy**: 98% kept (2% loss)", ["100% − 98% = 2%: exact"]),
        ("- точность: 97% (3% потери)", ["100% − 97% = 3%: exact"]),
        ("| cache | 4× smaller (75% less) |", ["1 − 1 / 4× = 75%: exact"]),
        # Other shares, no words, another clause, and half of two things.
        ("It is a 4× smaller cache (80% less).", []),
        ("It is a 4× cache (75%).", []),
        ("It is a 4× smaller cache. 75% less time.", []),
        ("It is 2× as fast, with 50% less memory.", []),
        ("It has ~50% fewer tokens, ~50% lower cost", []),
        ("It is 2× as fast, 1–50% less", []),
    ],
)
def test_a_ratio_is_said_twice(text: str, found: list[str]) -> None:
    assert claims(text) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- before: 120.4 ms\n- after: 45.2 ms\n- reduction: 62.5%", ["1 − 45.2 ms / 120.4 ms = 62.5%: rounded"]),
        ("```\nsending: 0.19 s\ncomputing: 2.0 s\noverhead: 9.5%\n```", ["0.19 s / 2.0 s = 9.5%: exact"]),
        ("- alt: 120 GB/s\n- neu: 310 GB/s\n- Faktor: 2.58x", ["310 GB/s / 120 GB/s = 2.58x: rounded"]),
        ("Dense has 16M weights.\nOurs has 2M weights (8x fewer)", ["16M / 2M = 8: exact"]),
        # Other amounts, no label that compares, and amounts of other kinds.
        ("- before: 120.4 ms\n- after: 45.2 ms\n- reduction: 72.5%", []),
        ("- before: 120.4 ms\n- after: 45.2 ms\n- accuracy: 62.5%", []),
        ("- before: 120.4 ms\n- size: 45.2 GB\n- reduction: 62.5%", []),
        ("Dense has 16M weights.\nOurs has 2M weights (7x fewer)", []),
    ],
)
def test_a_label_says_what_a_ratio_compares(text: str, found: list[str]) -> None:
    assert claims(text) == found

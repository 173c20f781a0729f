"""What stands beside two compared numbers: their difference, or the share that one is of the other."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The score rises from 72.3 to 74.9 (+2.6).", ["74.9 − 72.3 = 2.6: exact"]),
        ("BLEU 25.2 → 27.9 (+2.7)", ["27.9 − 25.2 = 2.7: exact"]),
        ("Memory 48.2 GB → 41.7 GB (−6.5 GB)", ["48.2 − 41.7 = 6.5: exact"]),
        ("| a | b |\n|---|---|\n| 45.2 | 47.1 (+1.9) |", ["47.1 − 45.2 = 1.9: exact"]),
        ("Accuracy: 76.1% → 74.8% (-1.3 points)", ["76.1 − 74.8 = 1.3: exact"]),
        ("准确率从 72.3% 提升到 74.9%（+2.6%）", ["74.9% − 72.3% = +2.6%: exact"]),
        ("We got 47 of 50 right (94%).", ["47 / 50 = 94%: exact"]),
        ("47 out of 50 tests pass, i.e. 94%.", ["47 / 50 = 94%: exact"]),
        ("It reads 32-bit words, so 20 of the 32 bits (62.5%) are unused.", ["20 / 32 = 62.5%: exact"]),
        ("32 位中的 20 位 (62.5%) 未使用", ["20 / 32 = 62.5%: exact"]),
        ("94% (47 of 50) are right.", ["47 / 50 = 94%: exact"]),
        ("Es sind 18 von 24 Köpfen (75%).", ["18 / 24 = 75%: exact"]),
        ("TableLLaMA 在 MMLU 上降 13.95 分（44.22→30.27）", ["44.22 − 30.27 = 13.95: exact"]),
        ("Accuracy drops by 1.3 points, from 76.1% to 74.8%.", ["76.1 − 74.8 = 1.3: exact"]),
        ("It runs on 24 of a card's 148 cores, about 16%.", ["24 / 148 = 16%: rounded"]),
        ("The encoder needs 57.2 vs 69.9 = **1.22×**", ["69.9 / 57.2 = 1.22×: rounded"]),
        ("It grows by 2.7 GB (25.2 GB → 27.9 GB).", ["27.9 − 25.2 = 2.7: exact"]),
        # Another number, no sign, another unit, and a percentage of one digit.
        ("BLEU 25.2 → 27.9 (+2.9)", []),
        ("BLEU 25.2 → 27.9 (2.7)", []),
        ("Memory 48.2 GB → 41.7 s (−6.5 GB)", []),
        ("We got 47 of 50 right (97%).", []),
        ("We got 3 of 50 right (6%).", []),
        ("- 141 GB (H200) vs 80 GB (H100) = **1.76×**", ["80 GB (H100) = 1.76×: no-value", "141 GB / 80 GB = 1.76×: rounded"]),
        ("- 4.8 TB/s (H200) 对比 3.35 TB/s (H100)：1.43 倍", ["4.8 TB/s / 3.35 TB/s = 1.43 倍: rounded"]),
        ("It grows by 2.8 GB (25.2 GB → 27.9 GB).", []),
        ("It took 12 steps from 36 to 48 units.", []),
    ],
)
def test_numbers_are_compared(text: str, found: list[str]) -> None:
    assert claims(text) == found

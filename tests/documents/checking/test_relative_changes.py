"""Changes of one quantity to another, calculations in brackets, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

METHODS = """| method | memory | traffic | remark |
|---|---|---|---|
| plain | 64 GB | 16 GB | baseline |
| sharded | 13 GB | 16 GB | 80% less memory |
| all sharded | 4 GB | 24 GB | 1.5× traffic, 94% less memory |
"""
SPEEDS = """| method | tokens/ms | speedup |
|---|---|---|
| plain | 2.15 | 1.00x |
| two | 2.78 | 1.29x |
| four | 3.12 | 1.45x |
| eight | 3.01 | 1.40x |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("latency: 250 ms → 45 ms (5.6×)", ["250 ms / 45 ms = 5.6×: rounded"]),
        ("- **50× faster** (5 ms → 0.1 ms)", ["5 ms / 0.1 ms = 50×: exact"]),
        ("from 21.0 GB to 84.0 GB, 4 times as much", ["84.0 GB / 21.0 GB = 4 times: exact"]),
        ("宽度：768 → 12288 增长 16 倍", ["12288 / 768 = 16 倍: exact"]),
        ("speicher: von 16 GB auf 4 GB, 75 % weniger", ["1 − 4 GB / 16 GB = 75 %: exact"]),
        ("213ms → **省 24ms (10%)**", ["24ms / (213ms + 24ms) = 10%: rounded"]),
        ("| model | 1.5B | 175B (117x) |", ["175B / 1.5B = 117x: rounded"]),
        # 1 − 0.171 / 0.195 = 12.31 %, which is 12 % although 12.31 is more than a fortieth above it.
        ("clipping: 0.195 GB → 0.171 GB (-12%)", ["1 − 0.171 GB / 0.195 GB = -12%: rounded"]),
        ("It grows 16× (from 37.5 GB to 600 GB).", ["600 GB / 37.5 GB = 16×: exact"]),
        ("throughput 21 t/s → 43 t/s (+105%)", ["43 / 21 − 1 = +105%: rounded"]),
        # A unit is that of both numbers.
        ("It cuts the cache from 140 to 35 GB (4x).", ["140 / 35 GB = 4x: exact"]),
        ("- 2× higher compute (124 vs 62 TFLOPS on it)", ["124 / 62 TFLOPS = 2×: exact"]),
        ("It cuts the cache from 140 to 35 GB (3x).", []),
        ("lr: 6.0e-4 → 0.6e-4 (10 times less)", ["6.0e-4 / 0.6e-4 = 10 times: exact"]),
        ("64 query heads, 8 KV heads (8× less cache)", ["64 / 8 = 8×: exact"]),
        ("32 query heads, but 8 K/V heads → 4× smaller", ["32 / 8 K/V = 4×: unit"]),
        ("64 query heads, 8 KV heads (4× less cache)", []),
        ("24 layers, 12 layers are frozen, 2 times a week", []),
        ("64 heads, 8 layers (8× less)", []),
        # What is not joined, is itself one of the quantities, or is of something else.
        ("250 ms and 45 ms, and 6.1× elsewhere", []),
        ("utilisation: 25% → 50% → 100% (higher is better)", []),
        ("8 GPUs → 64 GPUs (5.6× throughput)", []),
        ("between 2 to 4 GB at 2× the size", []),
    ],
)  # fmt: skip
def test_a_change_is_read_beside_what_changes(text: str, found: list[str]) -> None:
    assert claims(text) == found


KEPT = "| kept | by score | at random |\n|---|---|---|\n| all | 42.7 (reference) | 42.7 |\n| half | 47.4 ({}) | 193.4 |\n"


@pytest.mark.parametrize(
    ("bracket", "found"),
    [
        ("+11%", ["47.4 / 42.7 − 1 = +11%: rounded"]),
        ("1.11×", ["47.4 / 42.7 = 1.11×: rounded"]),
        ("+12%", []),
        ("53%", []),  # Of both; 47.4 / (42.7 + 47.4) = 53 %, which may be a share of something else as well.
        ("n = 11%", []),
    ],
)
def test_a_bracket_compares_a_number_with_the_first_one_of_its_column(bracket: str, found: list[str]) -> None:
    assert claims(KEPT.format(bracket)) == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("memory: 131 GB → 112 GB (−22 %)", ["131 GB / 112 GB − 1 = −22 %: wrong-rounding"]),
        ("memory: 131 GB → 112 GB (−22 % at 8 users)", []),  # The bracket may be about something else.
        ("131 → 112 (−22 %)", []),
    ],
)
def test_a_change_is_wrong_only_alone_behind_an_arrow(text: str, found: list[str]) -> None:
    assert claims(text) == found


def test_rows_are_compared_with_the_first_one() -> None:
    assert claims(METHODS) == ["1 − 13 GB / 64 GB = 80%: rounded", "24 GB / 16 GB = 1.5×: exact", "1 − 4 GB / 64 GB = 94%: rounded"]
    assert claims(SPEEDS) == ["2.78 / 2.15 = 1.29x: rounded", "3.12 / 2.15 = 1.45x: rounded", "3.01 / 2.15 = 1.40x: exact"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It has 49,152 (4 × 12,288) units.", ["(4 × 12,288) = 49,152: exact"]),
        ("It has 49,152 (= 4 × 12,288) units.", ["4 × 12,288 = 49,152: exact"]),
        ("about 95 % of the total (636B / 671B)", ["(636B / 671B) = 95 %: rounded"]),
        ("79.3%（115/145）", ["（115/145） = 79.3%: rounded"]),
        ("It has 49,152 (4 × 12,289) units.", []),
        ("14 = 2 (3 + 4)", ["14 = 2 (3 + 4): exact"]),
    ],
)
def test_a_bracket_explains_the_number_before_it(text: str, found: list[str]) -> None:
    assert claims(text) == found

"""Quantities that follow from others by a law of dimension, and numbers beside which no law is meant."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims

RATES = """```
Infrastructure: $1.47/hour

  → 50 tokens/sec
  → Time for 1M tokens: 5.56 hours
```"""
MEMORY = """**What training a 7B model takes:**

```
FULL TRAINING                  ADAPTERS (~20M trainable)
weights bf16        14 GB      frozen base bf16    14 GB
moment m fp32       28 GB      adapters            ~0.24 GB
```"""
COLUMN = """| Model | Format | Weights |
|---|---|---|
| 8B | FP16 | ~16 GB |
| 8B | INT8 | ~8 GB |
| 70B | FP16 | ~140 GB |
| 70B | INT8 | {} |
| 70B | INT4 | {} |
"""
ROWS = ["8B × 2 bytes = 16 GB: exact", "8B × 1 bytes = 8 GB: exact", "70B × 2 bytes = 140 GB: exact"]
LATENCY = "```\nEager:  146.0 us\nGraph:  67.7 us\nLaunch overhead: 78.3 us ({})\nSpeedup: {}\n```"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (RATES, ["1M / 50 tokens/sec = 5.56 hours: rounded"]),
        (RATES.replace("5.56", "5.65"), []),
        (MEMORY, ["7B × 2 bytes = 14 GB: exact", "7B × 2 bytes = 14 GB: exact", "7B × 4 bytes = 28 GB: exact"]),
        # Bytes of a format, beside its name alone.
        ("- int8 type (=1 byte)\n- fp32 (4 bytes)", ["int8 = 1 byte: exact", "fp32 = 4 bytes: exact"]),
        ("int8, and 4 bytes more", []),
        # What two amounts say of each other.
        (
            LATENCY.format("53.6%", "2.16x"),
            ["146.0 us - 67.7 us = 78.3 us: exact", "78.3 us / 146.0 us = 53.6%: rounded", "146.0 us / 67.7 us = 2.16x: rounded"],
        ),
        (LATENCY.format("13.6%", "3.16x"), ["146.0 us - 67.7 us = 78.3 us: exact"]),
        # A device, a bound, the end of a range, and what a device has.
        ("```\nmodel 7B\n\nfp16  H20 14 GB\n```", []),
        ("```\nmodel 7B\n\nfp16  < 14 GB\n```", []),
        ("```\nmodel 7B\n\nfp16  14-20 GB\n```", []),
        ("```\nmodel 7B\n\nfp16  on a 14 GB card\n```", []),
        # What is given and stands before the result.
        ("```\n420 GB at 3 GB/s: 140 s\n```", ["420 GB / 3 GB/s = 140 s: exact"]),
        # A price for tokens that stands before it, a number with the unit of the next, and a percentage that its label announces.
        (
            "```\n$1.47/hr and 180,000 tokens/hr\nCost per 1M tokens = $8.17\n10M tokens cost $81.70\n```",
            ["$1.47/hr / 180,000 tokens/hr = $8.17: rounded", "10M × $8.17 = $81.70: exact"],
        ),
        ("Prefill is +19.14% better (1147.76 vs 963.41 GB/s)", ["1147.76 / 963.41 GB/s - 1 = 19.14%: rounded"]),
        (
            "```\ntrained: 18,464,768 params || all: 1,562,000,000 params || trained%: 1.18\n```",
            ["18,464,768 / 1,562,000,000 = 1.18: rounded"],
        ),
        (
            "```\ntrained: 18,464,768 params || all: 1,562,000,000 params || trained%: 1.81\n```",
            ["18,464,768 / 1,562,000,000 = 1.81: wrong-rounding"],
        ),
        ("We keep it in FP32 (2 bytes).", ["FP32 = 2 bytes: wrong-number"]),
        ("$36H^2$ and $24H^2$ (33% less)", []),
        # A column of which other rows hold; fewer bits are stored with what scales them.
        (COLUMN.format("~70 GB", "~42 GB"), [*ROWS, "70B × 1 bytes = 70 GB: exact"]),
        (COLUMN.format("~35 GB", "~42 GB"), [*ROWS, "70B × 1 bytes = 35 GB: wrong-rounding"]),
        # All operands and a sign of equality: a slip of the pen.
        ("```\n811 GB on 16 GPUs: 57.7 GB per GPU\n```", ["811 GB / 16 = 57.7 GB: wrong-rounding"]),
        ("```\n811 GB on 16 GPUs: 57.7 GB per GPU, including overhead\n```", []),
    ],
)
def test_a_quantity_follows_from_others(text: str, found: list[str]) -> None:
    assert claims(text) == found


SCORES = """| run | a | b | c | {} |
|---|---|---|---|---|
| x | 84.7 | 88.4 | 79.2 | 84.1 |
| y | 91.3 | 79.2 | 60.1 | 76.9 |
| z | 50.0 | 60.2 | 61.3 | 57.2 |
| w | 50.0 | - | 61.3 | {} |
"""


@pytest.mark.parametrize(
    ("head", "last", "verdicts"),
    [
        ("Avg", "55.7", ["rounded"]),
        ("Moyenne", "-", []),
        ("平均", "55.7", ["rounded"]),
        # What is missing may be counted as nothing, and other heads say nothing of means.
        ("Avg", "37.1", []),
        ("Best", "55.7", None),
    ],
)
def test_a_column_may_be_the_mean_of_those_before_it(head: str, last: str, verdicts: list[str] | None) -> None:
    found = [claim.rpartition(": ")[2] for claim in claims(SCORES.format(head, last))]
    assert found == ([] if verdicts is None else ["exact", "rounded", "rounded", *verdicts])


def test_a_mean_beside_others_that_hold_may_be_wrong_and_a_row_may_be_the_mean() -> None:
    page = SCORES.format("Avg", "37.1").replace("| - |", "| 62.2 |")
    assert claims(page)[-1] == "(50.0 + 62.2 + 61.3) / 3 = 37.1: wrong-rounding"
    row = "| run | one | two |\n|---|---|---|\n| a | 84.7 | 91.3 |\n| b | 88.4 | 79.2 |\n| average | 86.55 | 85.25 |\n"
    assert claims(row) == ["(84.7 + 88.4) / 2 = 86.55: exact", "(91.3 + 79.2) / 2 = 85.25: exact"]
    assert claims(row.replace("average", "other")) == []


RUNS = """A run has 15M tokens in total.

## One

- Training time: 3.47 hours
- Throughput: 1,200 tokens/sec

## Two

- Training time: {} hours
- Throughput: 300 tokens/sec

## Three

- Training time: 1.30 hours
- Throughput: 3,200 tokens/sec
"""


def test_numbers_that_agree_together_with_one_elsewhere_are_evidence() -> None:
    runs = ("1,200", "3.47"), ("300", "13.89"), ("3,200", "1.30")
    assert claims(RUNS.format("13.89")) == [f"15M / {rate} tokens/sec = {hours} hours: rounded" for rate, hours in runs]
    assert claims(RUNS.format("12.89")) == []


def test_a_difference_may_be_of_amounts_far_above_if_its_label_says_so() -> None:
    page = "- time: 13.89 hours\n\n## With it\n\n- time: 3.47 hours\n\n## Gain\n\n- {}: 10.42 hours"
    assert claims(page.format("time saved")) == ["13.89 hours - 3.47 hours = 10.42 hours: exact"]
    assert claims(page.format("time for it")) == []


def test_the_total_of_a_table_above_is_an_amount_like_others() -> None:
    table = "| Phase | Cost |\n|---|---|\n| first | $7.44 |\n| second | $4.26 |\n| {} | **$11.70** |\n\n"
    page = table + "A device of our own: **$1,805.64**\n\nSavings with rented ones: $1,793.94"
    assert claims(page.format("total"))[-1] == "$1,805.64 - $11.70 = $1,793.94: exact"
    assert "$1,793.94" not in " ".join(claims(page.format("third")))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Take Nova-3-53B (bf16).\nThe weights take 106 GB.", ["53B × 2 bytes = 106 GB: exact"]),
        ("A 53B model in bf16:\n\n- weights: 106 GB", ["53B × 2 bytes = 106 GB: exact"]),
        ("A 53B model in bf16.\n\nIt is fast.\n\n- others: 106 GB", []),
        (
            "A 9B model: FP32 needs 36 GB, FP16 needs 18 GB, INT8 needs 13 GB.",
            ["9B × 4 bytes = 36 GB: exact", "9B × 2 bytes = 18 GB: exact", "9B × 1 bytes = 13 GB: wrong-rounding"],
        ),
        # Other things are kept in a format several times, and with their scales.
        (
            "A 9B model:\n\n- FP32: 36 GB\n- FP16: 18 GB\n- INT4: 6.5 GB",
            ["9B × 4 bytes = 36 GB: exact", "9B × 2 bytes = 18 GB: exact"],
        ),
    ],
)
def test_the_memory_of_a_model_that_a_line_names(text: str, found: list[str]) -> None:
    assert claims(text) == found

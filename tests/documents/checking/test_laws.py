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
        # All operands and a sign of equality: a slip of the pen.
        ("```\n811 GB on 16 GPUs: 57.7 GB per GPU\n```", ["811 GB / 16 = 57.7 GB: wrong-rounding"]),
        ("```\n811 GB on 16 GPUs: 57.7 GB per GPU, including overhead\n```", []),
    ],
)
def test_a_quantity_follows_from_others(text: str, found: list[str]) -> None:
    assert claims(text) == found

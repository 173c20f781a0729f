"""Counts that are the sum of their parts behind them, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("The model has 61 layers (3 dense + 58 sparse).", ["3 + 58 = 61: sum"]),
        (
            "It needs 112 GB of VRAM (16 GB weights + 64 GB optimizer + 14 GB gradients + 18 GB activations).",
            ["16 + 64 + 14 + 18 = 112: sum"],
        ),
        ("Each number has 19 bits in total: 1 sign, 8 exponent, 10 mantissa.", ["1 + 8 + 10 = 19: sum"]),
        ("685B in total (671B main + 14B MTP)", ["(671B main + 14B MTP) = 685B: exact"]),
        ("The set has 70,000 images (60,000 for training and 10,000 for tests).", ["60,000 + 10,000 = 70,000: sum"]),
        ("1,536 parameters (scale: 768, shift: 768)", ["768 + 768 = 1,536: sum"]),
        ("61 层（3 稠密 + 58 MoE）", ["3 + 58 = 61: sum"]),
        ("Das Modell hat 24 Schichten (4 lokale und 20 globale).", ["4 + 20 = 24: sum"]),
        # Another number, parts without names, which are a formula, one that is no part, and what is small or counts something else.
        ("The model has 61 layers (3 dense + 57 sparse).", []),
        ("The model has 61 layers (3 + 58).", ["(3 + 58) = 61: exact"]),
        ("It has 24 heads: 8 for keys, 16 in all.", []),
        ("A run of 100 tokens (0 to 100)", []),
        ("9 tests (4 slow, 5 fast)", []),
        ("The 12 layers (4 of 64 units, 8 of 32 units) differ.", []),
    ],
)
def test_a_count_is_the_sum_of_its_parts(text: str, found: list[str]) -> None:
    assert claims(text) == found

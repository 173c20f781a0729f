"""Counts beside the product that they are, whose factors count things, and what only looks so."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("A step takes 168 small reductions (3/block × 56 blocks).", ["3/block × 56 blocks = 168: exact"]),
        ("A step takes 168 reductions (of Q and K, 3/block × 56 blocks).", ["3/block × 56 blocks = 168: exact"]),
        ("Die Karte hat 1,536 Zellen (48 Gruppen × 32 Zeilen).", ["48 Gruppen × 32 Zeilen = 1,536: exact"]),
        ("The scan has 43 groups × 4 formats,\n172 cells, and more.", ["43 groups × 4 formats = 172: exact"]),
        ("It reads 3 heads × 8 rows × 5 words, 120 values", ["3 heads × 8 rows × 5 words = 120: exact"]),
        ("| goal | seen |\n|---|---|\n| a | It takes 168 small reductions (3/block × 56 blocks) |", ["3/block × 56 blocks = 168: exact"]),
        # Another number, a number of one digit, another bracket, and what is no count.
        ("A step takes 165 small reductions (3/block × 56 blocks).", []),
        ("A step takes 6 small reductions (3/block × 2 blocks).", []),
        ("A step takes 168 reductions. In all (3/block × 56 blocks) of them", []),
        ("A step takes 168% longer (3/block × 56 blocks).", []),
        ("A step takes 1.168 reductions (3/block × 56 blocks).", []),
    ],
)
def test_a_count_is_a_product(text: str, found: list[str]) -> None:
    assert claims(text) == found

"""Formulas that a later formula adds up, without a claim of its own."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims, said

PARTS = "- attention: 4 × d²\n- feed-forward: 8 × d²\n"

TERMS = [
    (PARTS + "- total: 12 × d²", ["4 × d² + 8 × d² = 12 × d²: sum"]),
    (PARTS + "- 合计：12 × d²", ["4 × d² + 8 × d² = 12 × d²: sum"]),
    (PARTS + "\nTherefore 12 × d² of them.", ["4 × d² + 8 × d² = 12 × d²: sum"]),
    # Some of them in each of the layers, with more around.
    (PARTS + "- embeddings: 2 × V × d\n- total: L × (4 × d² + 8 × d²) + 2 × V × d",
     ["4 × d² + 8 × d² + 2 × V × d = L × (4 × d² + 8 × d²) + 2 × V × d: sum"]),
    ("- embeddings: 2 × V × d\n" + PARTS + "- total: 2 × V × d + 12 × L × d²", ["2 × V × d + 4 × d² + 8 × d² = 2 × V × d + 12 × L × d²: sum"]),
    # Only in letters of the total, and proven.
    ("- embeddings: 2 × V × d\n" + PARTS + "- total: 2 × V × d + 13 × L × d²", []),
    # Multiples of one letter, which may be numbers with a unit, only below one heading.
    ("- weights: 2N\n- gradients: 2N\n- states: 12N\n- total: 16N", ["2N + 2N + 12N = 16N: sum"]),
    ("- saved at 1N and 2N\n\n## Data\n\n- total: 3N", []),
    # Nothing says that it is their sum, or it is not.
    (PARTS + "- all: 12 × d²", []),
    (PARTS + "- total: 13 × d²", []),
    ("- attention: 4 × d²\n- total: 4 × d²", []),
    (PARTS + "- total: 12 × e²", []),
    # Some of many terms that are alike add up to nearly anything.
    ("- first: 2LH\n- activation: 8LH\n- second: 8LH\n- mask: 1LH\n- total: 18LH", []),
    ("- first: 2LH\n- activation: 8LH\n- second: 8LH\n- mask: 1LH\n- total: 19LH", ["2LH + 8LH + 8LH + 1LH = 19LH: sum"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TERMS, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in TERMS])
def test_terms(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_message() -> None:
    assert said(PARTS + "- total: 12 × d²") == ("sum", "2 formulas above add up to it")

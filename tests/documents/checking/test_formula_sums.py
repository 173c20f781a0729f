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
    # Their labels name the parts of what its label names, in a list, a table, or code; each part belongs to the nearest whole.
    (PARTS + "- layer: 12 × d²", ["4 × d² + 8 × d² = 12 × d²: sum"]),
    ("| Part | Weights |\n|---|---|\n| Attention | 4d² |\n| FFN | 8d² |\n| Layer | 12d² |\n| Embedding | 2Vd |\n| Total | 12d² + 2Vd |",
     ["4d² + 8d² = 12d²: sum", "12d² + 2Vd = 12d² + 2Vd: sum"]),
    ("```\nqkv_proj = 3*d*d\noutput_proj = d*d\nattention = 4*d*d\nffn = 8*d*d\nlayer = 12*d*d\n```",
     ["3*d*d + d*d = 4*d*d: sum", "4*d*d + 8*d*d = 12*d*d: sum"]),
    (PARTS + "- embedding: 12 × d²", []),
    (PARTS + "- layer: 13 × d²", []),
    # All items below it, down to the next one that is indented as little.
    ("Each layer has 12d² weights:\n\n- one: 4d²\n- other: 8d²\n- norms: 2d", ["4d² + 8d² = 12d²: sum"]),
    ("### A block: 12d²\n\n- one: 4d²\n- other: 8d²", ["4d² + 8d² = 12d²: sum"]),
    ("- block: 12d² + 2d\n    - one: 12d²\n        - up: 4d²\n        - down: 8d²\n    - norms: 2d",
     ["12d² + 2d = 12d² + 2d: sum", "4d² + 8d² = 12d²: sum"]),
    ("Each layer has 12d² weights:\n\n- one: 4d²\n- norms: 2d\n- other: 8d²", []),
    ("- all: 12d²\n- one: 4d²\n- other: 8d²", []),
    ("Each layer has 12d² weights.\n\nIts norms have 2d.\n\n- one: 4d²\n- other: 8d²", []),
    # Some of many terms that are alike add up to nearly anything.
    ("- first: 2LH\n- activation: 8LH\n- second: 8LH\n- mask: 1LH\n- total: 18LH", []),
    ("- first: 2LH\n- activation: 8LH\n- second: 8LH\n- mask: 1LH\n- total: 19LH", ["2LH + 8LH + 8LH + 1LH = 19LH: sum"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TERMS, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in TERMS])
def test_terms(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_message() -> None:
    assert said(PARTS + "- total: 12 × d²") == ("sum", "2 formulas above add up to it")

"""The ratios that the sizes in two heads of columns say."""

from __future__ import annotations

import pytest

from symparam.documents.checking.tables.column_sizes import ratios_of_heads


@pytest.mark.parametrize(
    ("one", "other", "ratios"),
    [
        ("4K tokens", "16K tokens", [4]),
        ("512 tokens", "4K tokens", [8]),
        ("batch 1", "batch 8", [8]),
        ("per token", "4K context", [4000, 4096]),
        ("每 token", "1,024", [1024]),
        # The smaller is no multiple of the larger, nothing is one of zero, and no whole number of times 3 is 4.
        ("16K tokens", "4K tokens", []),
        ("layer 0", "layer 3", []),
        ("layer 3", "layer 0", []),
        ("3 layers", "4 layers", []),
        ("4 tokens", "16 layers", []),
        ("tokens", "16K", []),
        ("per token", "1" + ",000" * 120 + " tokens", []),
    ],
)
def test_ratios(one: str, other: str, ratios: list[int]) -> None:
    assert list(ratios_of_heads(one, other)) == ratios

"""Equations between ranges, both of whose ends have to be equal."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("7-8B × 2 bytes = 14-16 GB", ["7-8B × 2 bytes = 14-16 GB: exact"]),
        ("**Sum**: `58.3-66.7GB + 25.6GB` = **83.9-92.3GB**/GPU", ["58.3-66.7GB + 25.6GB = 83.9-92.3GB**/GPU: exact"]),
        ("30 kernels × 5–10 μs = 150–300 μs", ["30 kernels × 5–10 μs = 150–300 μs: exact"]),
        ("7B-8B × 3 bytes = 21GB-24GB", ["7B-8B × 3 bytes = 21GB-24GB: exact"]),
        ("It takes 2-3 × 40 GB ≈ 80-120 GB of memory.", ["2-3 × 40 GB ≈ 80-120 GB: exact"]),
        # Another end, and what is no range.
        ("7-8B × 2 bytes = 14-17 GB", []),
        ("7-8B × 2 bytes = 15-16 GB", []),
        ("(2 + 4D-1) = (1 + 4D)", ["(2 + 4D-1) = (1 + 4D): proven"]),
        ("28 - 12 = 16", ["28 - 12 = 16: exact"]),
        ("We go from 8-9 = 1 to 10-12 = 2", ["8-9 = 1: unclear", "10-12 = 2: unclear"]),
    ],
)
def test_both_ends_of_ranges_are_equal(text: str, found: list[str]) -> None:
    assert claims(text) == found

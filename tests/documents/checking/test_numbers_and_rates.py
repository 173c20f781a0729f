"""Slips in the power of ten or the prefix, numbers that begin with their point, rates, roots, and what stands before a calculation."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked, claims

CHAINS = [
    # All digits are right, and the power of ten or the prefix is not.
    ("The cluster reaches 144,000 TFLOPS = 144 exaFLOPS.", ["144,000 TFLOPS = 144 exaFLOPS: wrong-rounding"]),
    ("The cluster reaches 144,000 TFLOPS = 144 petaFLOPS.", ["144,000 TFLOPS = 144 petaFLOPS: exact"]),
    ("That makes 53 billion * 2 = 106e12 bytes for us.", ["53 billion * 2 = 106e12 bytes: wrong-rounding"]),
    ("We expect 4096 * 3 * 2550 / 8 = 391.68e4, as said.", ["4096 * 3 * 2550 / 8 = 391.68e4: exact"]),
    ("We expect 4096 * 3 * 2550 / 8 = 391.68e5, as said.", ["4096 * 3 * 2550 / 8 = 391.68e5: wrong-rounding"]),
    # What a verb is said of is no part of the calculation behind it.
    ("Each of them has 11*11*3 = 336 weights.", ["11*11*3 = 336: wrong-number"]),
    ("Two matrices of 29 × 53 = 1545 weights.", ["29 × 53 = 1545: unclear"]),
    ("Each takes `1234.5*16=41236GB` of it.", ["1234.5*16 = 41236GB: wrong-rounding"]),
    ("Each takes 1234.5*16=41236GB of it.", ["1234.5*16 = 41236GB: unclear"]),
    # A result in another unit; what follows from a rate is no side of it.
    ("64 ports × 50 GB/s = 3200 GB/s = 2.3 TB/s", ["64 ports × 50 GB/s = 3200 GB/s: exact", "3200 GB/s = 2.3 TB/s: wrong-rounding"]),
    ("64 ports × 50 GB/s = 3200 GB/s = 3.2 TB/s", ["64 ports × 50 GB/s = 3200 GB/s: exact", "3200 GB/s = 3.2 TB/s: exact"]),
    ("so 32 MB at 2 TB/s = 16 µs saved per kernel.", ["32 MB / 2 TB/s = 16 µs: exact"]),
    # The name of a layer in a bracket, and signs in braces of their own.
    ("15620 (fc1) + 210 (fc2) = 15830 parameters", ["15620 (fc1) + 210 = 15830: exact"]),
    ("15620 (fc1) + 210 (fc2) = 15820 parameters", ["15620 (fc1) + 210 = 15820: wrong-number"]),
    ("$7168 \\times (512{+}64) = 4{,}128{,}768$", ["7168 \\times (512{+}64) = 4{,}128{,}768: exact"]),
    # A number may begin with its point.
    ("It takes 32 / .016 = 2000 steps.", ["32 / .016 = 2000: exact"]),
    ("It takes 32 / .016 = 2100 steps.", ["32 / .016 = 2100: wrong-number"]),
    ("It is computed.==\n\n32 / .016 = 2000", ["32 / .016 = 2000: exact"]),
    ("`32 / .`016 = 2000", ["016 = 2000: unclear"]),
    # A point may multiply.
    ("$(0.5\\times0.15+\\frac{1}{12}).\\text{28.85}+\\frac{712.85}{12} = 63.97$", ["28.85}+\\frac{712.85}{12} = 63.97: unclear"]),
    # Absolute values are no remark.
    ("$E = \\frac{1}{5} \\big( |1-1.2|+ |2-1.9| + \\cdots \\big) = 0.24$", ["\\frac{1}{5} \\big( |1-1.2|+ |2-1.9| + \\cdots \\big) = 0.24: no-value"]),
    # What a number is counted per divides nothing.
    ("1882 / 8 = 235.25 tokens / sec / chip", ["1882 / 8 = 235.25: exact"]),
    ("96 GB / 12 s = 8 GB per second", ["96 GB / 12 s = 8 GB per second: exact"]),
    ("96.48 GB / 12 s = 8.40 GB per second", ["96.48 GB / 12 s = 8.40 GB per second: wrong-rounding"]),
    ("$37K / 141 GB = $262 per GB", ["37K / 141 GB = 262: unclear"]),
    # The root of a fraction.
    ("$\\sqrt{\\frac{2 \\cdot 4.19e6 \\cdot 8960}{28672}} = 1618$",
     ["\\sqrt{\\frac{2 \\cdot 4.19e6 \\cdot 8960}{28672}} = 1618: rounded"]),
    ("$\\sqrt{\\frac{10^{24}}{120}} = \\sqrt{8.33 \\times 10^{21}}$", ["\\sqrt{\\frac{10^{24}}{120}} = \\sqrt{8.33 \\times 10^{21}}: rounded"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), CHAINS, ids=[text.replace("\n", " ⏎ ")[:60] for text, _ in CHAINS])
def test_chains(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("The cache is 7168 / 512 = 14× the width", "holds"),
        ("7168 / 512 ≈ 14x narrower than that", "holds"),
        ("$7168 / 512 \\approx 14\\times$ beyond that", "holds"),
        ("7168 / 512 = 14×（压缩）", "holds"),
        ("7168 / 512 = 14× heads = 15", "undecided"),
        ("Rent: 30 × $2.5 × 730 = $54,750/月", "holds"),
        ("Rent: 30 × $2.5 × 730 = $54,750/token", "holds"),
        ("Rent: $0.85 × 24 × 30 = **$612/mo**", "holds"),
        ("Each: 25K × $3/MTok = $0.075/job", "undecided"),
        ("$2/N = 1/4$ with N = 8", "holds"),
        ("**Block** — 108 × 64 = 6,911", "wrong"),
        ("12 — 108 × 64 = 6,911", "undecided"),
        ("⌈83 / 8⌉ = ⌈10.4⌉ = 11 replicas", "holds"),
        ("⌈10000000 / 256⌉ = 39,163 blocks", "wrong"),
        ("⌈126 / 16⌉ = 7 layers", "undecided"),
    ],
)
def test_what_stands_around_a_result(text: str, verdict: str) -> None:
    assert checked(text).findings[-1].verdict == verdict

"""Roots, units, ranges, columns and diagrams as people write them, each with a page that it leaves alone."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # Root signs, and functions of numbers as calculations.
        ("√(2.51×10¹⁹ / 120) ≈ 457M parameters", ["√(2.51×10¹⁹ / 120) ≈ 457M: rounded"]),
        ("1/√64 = 0.125", ["1/√64 = 0.125: exact"]),
        ("$\\sqrt{200} \\approx 15.14$", ["\\sqrt{200} ≈ 15.14: wrong-rounding"]),
        # A tick is no root sign.
        ("√ 29 × 53 = 1538", ["29 × 53 = 1538: unclear"]),
        # Units with their prefixes in words, in brackets, and behind the last divisor.
        ("600 gigabits per second = 75 gigabytes per second", ["600 gigabits per second = 75 gigabytes per second: exact"]),
        ("7e9 × 2 bytes = 14 Gigabyte", ["7e9 × 2 bytes = 14 Gigabyte: exact"]),
        ("12 × 4,096 MB = 53 [GB]", ["12 × 4,096 MB = 53 [GB]: wrong-rounding"]),
        ("12 × 8 GB [peak] = 96 GB", ["12 × 8 GB = 96 GB: exact"]),
        ("14e9 / 1024^3 GB = 13.04 GB", ["14e9 / 1024^3 GB = 13.04 GB: unit"]),
        ("14e9 / 1024^3 GB = 31.04 GB", ["14e9 / 1024^3 GB = 31.04 GB: wrong-rounding"]),
        ("1 TB / 200 GB = 5", ["1 TB / 200 GB = 5: exact"]),
        ("125 × 8 = 1,000/s", ["125 × 8 = 1,000: exact"]),
        # Operations for each byte, and devices between a count and what each has.
        ("312 TFLOPS / 2039 GB/s = 153 FLOPs/Byte", ["312 TFLOPS / 2039 GB/s = 153 FLOPs/Byte: rounded"]),
        ("1631 GB/s × 0.25 FLOP/byte = 508 GFLOPS", ["1631 GB/s × 0.25 FLOP/byte = 508 GFLOPS: wrong-rounding"]),
        ("8 × H100 × 80 GB = 640 GB", ["8 × H100 × 80 GB = 640 GB: exact"]),
        ("5 × HBM3 stack × 16 GB = 90 GB", ["5 × HBM3 stack × 16 GB = 90 GB: wrong-rounding"]),
        ("2 × A100 = 160 GB", ["2 × A100 = 160 GB: no-value"]),
        # An amount for each of something that is not named before.
        ("1 read × 42 ms = 0.65 ms/token", ["1 read × 42 ms = 0.65 ms/token: unclear"]),
        ("2 × 80 × 8 × 128 × 2 = 227,680 bytes/token", ["2 × 80 × 8 × 128 × 2 = 227,680 bytes/token: wrong-number"]),
        ("```python\nrent = 1380 * 0.85  # ≈ $1,173 / month\n```", ["1380 * 0.85 ≈ 1,173 / month: exact"]),
        # A share of what a ratio is of.
        ("828.26/1060.57 = 0.781 = 78.1% of the peak", ["828.26/1060.57 = 0.781: rounded", "0.781 = 78.1%: exact"]),
        # A bracket behind a gap is the next column.
        ("```\n6  output    10    (256+1)*10  =  2570\n```", ["(256+1)*10 = 2570: exact"]),
        ("```\n6  output    10    (256+1)*10  =  2750\n```", ["(256+1)*10 = 2750: wrong-number"]),
        # Counts of ranges, with both ends or without the last.
        ("Stage 1: layers 27-53 (27 layers)", ["53 - 27 + 1 = 27: exact"]),
        ("阶段 1：层 27-54 (27 层)", ["54 - 27 = 27: exact"]),
        ("Stage 1: layers 27-53 (29 layers)", ["53 - 27 + 1 = 29: wrong-number"]),
        ("Pages 27-53 (27 figures)", []),
        # Nodes of diagrams.
        ('```mermaid\nA["MLP<br/>4 × 768 × 768 = 2,359,296"]\n```', ["4 × 768 × 768 = 2,359,296: exact"]),
        # A quotient of what is counted.
        ("256 experts / 8 nodes = 16 experts per node", ["256 experts / 8 = 16: wrong-number"]),
        ("256 experts / 8 nodes = 16 boxes", ["256 experts / 8 = 16: unclear"]),
    ],
)
def test_what_is_written(text: str, found: list[str]) -> None:
    assert claims(text) == found


def test_the_letters_of_a_row_have_their_values_in_it() -> None:
    rows = "| LoRA (r=8) | $r \\times (d + k)$ | 65.5K |\n| LoRA (r=16) | $r \\times (d + k)$ | 131K |\n"
    page = f"| Method | Formula | Size |\n|---|---|---|\n| Full (d=k=4096) | $d \\times k$ | 16.8M |\n{rows}"
    assert [each.rpartition(": ")[2] for each in claims(page)] == ["rounded"] * 3


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        (("200 Gbps = 25 GB/s", "400 Gbps = 20 GB/s", "800 Gbps = 100 GB/s"), ["exact", "wrong-rounding", "exact"]),
        (("200 Gbps = 25 GB/s", "400 Gbps = 20 GB/s"), ["exact", "unclear"]),
        (("H = 64, L = 2", "8LH² = 131,072", "12LH² = 98,304", "4LH² = 32,768"), ["wrong-value", "exact", "exact"]),
        (("H = 64, L = 2", "8LH² = 131,072", "12LH² = 98,304"), ["unclear", "exact"]),
    ],
)
def test_others_of_their_form_say_that_two_sides_are_meant_to_be_equal(lines: tuple[str, ...], found: list[str]) -> None:
    assert [each.rpartition(": ")[2] for each in claims("\n\n".join(lines))] == found


@pytest.mark.parametrize(("total", "found"), [("45,685,248", "sum"), ("45,685,284", "wrong-sum"), ("45,685,338", "")])
def test_a_long_number_that_is_a_slip_away_from_the_sum_above_it(total: str, found: str) -> None:
    rows = "".join(f"| {name} | {size} |\n" for name, size in (("a", "2,362,368"), ("b", "4,722,432"), ("c", "3,072"), ("d", "38,597,376")))
    assert [each.rpartition(": ")[2] for each in claims(f"| part | size |\n|---|---|\n{rows}| modello | {total} |")] == [found] * bool(
        found
    )

"""Sides that are not meant as equal: units of different kinds, shapes, ratios, other steps; and sums that agree by chance."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import chance
from tests.documents.checking.shown import checked, claims

NONE: list[tuple[str, list[str] | None]] = [
    # What the two sides measure. FLOPS may be a rate or a number; a plain number may be in any unit.
    ("16 GB / 2 s = 8 GB/s", ["16 GB / 2 s = 8 GB/s: exact"]),
    ("16 GB / 8 GB/s = 2 s", ["16 GB / 8 GB/s = 2 s: exact"]),
    ("16 GB = 16 s", ["16 GB = 16 s: no-equation"]),
    ("2 TFLOPs / 1 TFLOPS = 2 s", ["2 TFLOPs / 1 TFLOPS = 2 s: exact"]),
    ("2 × 4096² × 512 / 312e12 = 55 us", ["2 × 4096² × 512 / 312e12 = 55 us: rounded"]),
    ("2 × 4096² × 512 / 312e12 = 55 \\mu s", ["2 × 4096² × 512 / 312e12 = 55 \\mu s: rounded"]),
    ("2 × 4096² × 512 / 312e12 = 95 us", ["2 × 4096² × 512 / 312e12 = 95 us: wrong-rounding"]),
    # Shapes of tensors, ratios, shares without their sign, blocks.
    ("[17x4096] x [4096x128] = [17x128]", []),
    ("ratio: 1.4 = 1314 / 955, and 3.27 : 1 = (955 / 4) : 73", ["1.4 = 1314 / 955: unclear", "1 = (955 / 4): unclear"]),
    ("996/1000 = 99.6", ["996/1000 = 99.6: unclear"]),
    ("1024/768 = 2", ["1024/768 = 2: unclear"]),
    # A scale or a size that another line says, and what stands behind the number and may belong to it.
    ("80 × 64 × 1.53 × 2 = 15.7 TFLOPS", ["80 × 64 × 1.53 × 2 = 15.7 TFLOPS: unclear"]),
    ("80 × 64 × 1.53 × 2 = 15.9 TFLOPS", ["80 × 64 × 1.53 × 2 = 15.9 TFLOPS: wrong-rounding"]),
    ("2 × 7168 × 18432 = 264.24 × 10^9 FLOPs", ["2 × 7168 × 18432 = 264.24 × 10^9 FLOPs: wrong-rounding"]),
    ("tiles of 1024 × 2048 = 8 MB", ["1024 × 2048 = 8 MB: unclear"]),
    ("tiles of 1024 × 2048 = 9 MB", ["1024 × 2048 = 9 MB: unclear"]),
    ("it takes 30 × 30 = 15'", ["30 × 30 = 15: unclear"]),
    ("tx = 4 × 4 = 1 << 4", ["4 × 4 = 1: unclear"]),
    # Runs of assignments, conditions, shares of a whole, gains, ranges, unknowns; names of underscores.
    ("the solver says A=3 B=2 C=0 (17 times)", []),
    ("令 $3 d h = 6 d^2$，则 $h = 2d$", []),
    ("Let 3 H^2 = 6 H.", []),
    ("There are h = 650 units, so that each gate has 4h = 2,600 biases.", ["4h = 2,600: exact"]),  # It may be a condition, and it holds.
    ("There are h = 650 units. Choose d such that 4h = 2,400.", []),
    ("so 157M ≈ 2.8% of 7B", []),
    ("the gain is 4.8/3.35 ≈ 43%", ["4.8/3.35 ≈ 43%: unclear"]),
    ("the gain is 4.8/3.35 ≈ 53%", ["4.8/3.35 ≈ 53%: unclear"]),
    ("drafted and accepted tokens (100/84 = 84% of them)", ["100/84 = 84%: unclear"]),
    ("drafted and accepted tokens (127/184 = 59% of them)", ["127/184 = 59%: wrong-rounding"]),
    # A percentage of a number has its unit, which only the result may show.
    ("overhead = 15% × (9 + 5.4 + 0.6) = 2.3 GB", ["15% × (9 + 5.4 + 0.6) = 2.3 GB: unit"]),
    ("overhead = 15% × (9 + 5.4 + 0.6) = 3.3 GB", ["15% × (9 + 5.4 + 0.6) = 3.3 GB: wrong-rounding"]),
    # The value of a function, a name in one piece behind a sign, a multiple of the unit of the result, and a number that is a name.
    ("ratio(2) - 2 = 3 - 2 = 1", ["ratio(2) - 2 = 3 - 2: unclear", "3 - 2 = 1: exact"]),
    ("m^8/hbar^6 * (x*hbar^3/m^4 - 1/2) = m^4*x/hbar^3 - m^8/(2*hbar^6)", ["m^8/hbar^6 * (x*hbar^3/m^4 - 1/2) = m^4*x/hbar^3 - m^8/(2*hbar^6): no-value"]),
    ("```\nr ~ 6 cm / (3 x 10^-4) ~ 200 m\n```\nBeyond 200 m it is negligible.", ["6 cm / (3 x 10^-4) ≈ 200 m: unclear"]),
    ("advantage: 1 - 0.5 / 0.5774 ≈ 0.8659", ["1 - 0.5 / 0.5774 ≈ 0.8659: unclear"]),
    ("advantage: 1 - 0.5 / 0.5774 ≈ 0.7659", ["1 - 0.5 / 0.5774 ≈ 0.7659: wrong-rounding"]),
    ("lines: 01=28 lines / 02=27 lines", ["01 = 28 lines / 02: unclear", "28 lines / 02 = 27: unclear"]),
    ("| small | 320×240 ~ 640×480 |", []),
    ("x = 1\ny = 3\n\n2x + 1y = 7", ["2x + 1y = 7: unclear"]),
    ("_v<sub>1</sub> + v<sub>0</sub> = 2_v<sub>1</sub>_", None),
    # The zeros of a number with a scale are not meant to the last digit; a rate below a stroke has its unit.
    ("4 * 4096^2 = 6700 万", ["4 * 4096^2 = 6700 万: rounded"]),
    ("4 * 4096^2 = 6800 万", ["4 * 4096^2 = 6800 万: wrong-rounding"]),
    ("3.2 GB ÷ 2 TB/s = 1.6 ms", ["3.2 GB ÷ 2 TB/s = 1.6 ms: exact"]),
    ("n_transmissions = 3\nn_bytes = 2\nso n_transmissions*n_bytes = 3*2+2", ["n_transmissions*n_bytes = 3*2+2: unclear"]),
    ("with $z = 2$ and $c = 3$ the zero has $1 + cz = 0$", ["1 + cz = 0: unclear"]),
    ("T = 1, P = 1\nTP = 2", ["TP = 2: unclear"]),
    # A line of dashes is not a minus sign; a name set to a number anew has its new value, which may be rounded.
    ("--------B=1, H=8, N=64--------\n--------B=2, H=8, N=64--------", []),
    ("x = -2, y = 3\n\nx = -1.99 and y = 2.99 gives x * y = -5.95", ["x * y = -5.95: rounded"]),
    ("x = -2, y = 3\n\nx = -1.99 and y = 2.99 gives x * y = -5.59", ["x * y = -5.59: several-values"]),
    # A unit that is not known may have an exponent; what stands before a sign in front of it may belong to it.
    ("2 × 800 mm² = 1,600 mm²", ["2 × 800 mm² = 1,600 mm²: exact"]),
    ("| die | 2× ~800 mm² ≈ 1,600 mm² |", []),
    # A fraction of TeX that goes over two lines is one all the same.
    ("\\frac{8 \\times 300}\n{4 \\times 6}\n= 100", ["\\frac{8 \\times 300}\n{4 \\times 6} = 100: exact"]),
    ("2 \\cdot 4096 \\cdot 16384 \\cdot B = 1.3e8 \\cdot B", ["2 \\cdot 4096 \\cdot 16384 \\cdot B = 1.3e8 \\cdot B: rounded"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), NONE, ids=[text[:40] for text, _ in NONE])
def test_what_is_no_equation(text: str, expected: list[str] | None) -> None:
    assert expected in (claims(text), None)


SUMS = [
    "- head: 64\n- head: 64\n- width: 128",
    "x = 1\ny = 1\nz = 2",
    "[5] one\n[6] two\n11",
    "| a | b |\n|---|---|\n| one | 4,096 |\n| two | 4,096 |\n| three | 8,192 |\n",
    "GPU memory before : 5038\nGPU memory at the end : 146\nGPU peak memory : 2917\nGPU total peak memory in use (max): 7955",
]


@pytest.mark.parametrize("text", SUMS)
def test_what_adds_up_by_accident_is_no_sum(text: str) -> None:
    assert [each for each in claims(text) if "sum" in each] == []


def test_how_likely_an_accident_is() -> None:
    assert chance(Fraction(7_087_872), [Fraction(2_363_904), Fraction(4_723_968)], 1) == Fraction(1, 7_087_872)
    assert chance(Fraction(7_087_872), [Fraction(2_363_904), Fraction(4_723_968)], 50) == Fraction(50, 7_087_872)
    assert chance(Fraction(128), [Fraction(64), Fraction(64)], 1) == Fraction(1, 2)  # 1 + 1 = 2, only 64 times as large.
    assert chance(Fraction(55_680), [Fraction(each) for each in (18_496, 128, 36_928, 128)], 1) == Fraction(1, 870)
    assert chance(Fraction(12_000), [Fraction(5_500), Fraction(6_500)], 1) == Fraction(1, 12)
    assert chance(Fraction(3, 2), [Fraction(1), Fraction(1, 2)], 1) == Fraction(1, 15)
    assert chance(Fraction(0), [], 1) == 1


def test_a_row_of_many_spaces_is_read_at_once() -> None:
    checked(
        "| $r$              | Shared subspace dimension | e.g., 3,072                         |\n" + "| $r$ |" + " a " * 240 + "| 3,072 |\n"
    )  # A pattern that goes back took a minute and a half for half of these.
    assert not [each for each in checked("| $r$ | rank | 16 |\n\n4r = 65\n").findings if each.verdict is Verdict.HOLDS]

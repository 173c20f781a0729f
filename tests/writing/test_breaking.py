"""Where formulas are broken, and how wide they are guessed to be."""

from __future__ import annotations

import pytest

from symparam.writing import widths
from symparam.writing.breaking import aligned, broken


@pytest.mark.parametrize(
    ("formula", "width", "lines"),
    [
        ("VH + PH + TH", 12, ["VH + PH + TH"]),
        ("VH + PH + TH", 11, ["VH + PH", "+ TH"]),
        ("VH − PH + TH", 6, ["VH", "− PH", "+ TH"]),
        # Outer signs first, and inside brackets only what does not fit.
        ("V + (N + P)H + (4N + 1)H²", 16, ["V + (N + P)H", "+ (4N + 1)H²"]),
        ("V + (N + P + T)H", 9, ["V", "+ (N + P", "+ T)H"]),
        # Sums before products, and nothing where there is no sign.
        ("a × b × (c + d)", 11, ["a × b × (c", "+ d)"]),
        ("num_layers × hidden_size", 15, ["num_layers", "× hidden_size"]),
        ("12NH²", 3, ["12NH²"]),
        # A fraction and drawn brackets stay whole.
        ("\\frac{a + b}{c} + \\left(\\frac{d}{e} + f\\right)", 20, ["\\frac{a + b}{c}", "+ \\left(\\frac{d}{e} + f\\right)"]),
        ("2 \\times 3 \\times 4", 9, ["2", "\\times 3", "\\times 4"]),
    ],
)
def test_a_long_formula_is_broken_before_its_outermost_signs(formula: str, width: int, lines: list[str]) -> None:
    assert broken(formula, lambda line: len(line) <= width) == lines


@pytest.mark.parametrize(
    ("formulas", "rows"),
    [
        (["H"], ["H"]),
        (["VH", "7 \\times 6", "42"], ["VH &= 7 \\times 6", "&= 42"]),
        # With 0.6 em a letter and 1.23 em a sign, nine em hold five letters, and a third of them does not hold three.
        (["a + b + c", "d"], ["& a + b + c", "&= d"]),
        (["H", "a + b + c + d + e + f + g"], ["H &= a + b + c + d + e", "&\\quad + f + g"]),
        (["a + b + c + d + e + f + g"], ["& a + b + c + d + e", "&\\quad + f + g"]),
    ],
)
def test_the_rows_of_an_alignment(formulas: list[str], rows: list[str]) -> None:
    assert aligned(formulas, 9) == rows


# Measured in TeX: \settowidth of the same text, Latin Modern at 10 pt, in em. A guess may be too wide, and not too narrow.
@pytest.mark.parametrize(
    ("latex", "measured"),
    [
        ("109{,}482{,}240", 5.06),
        ("4NH^{2} + 2INH + 9NH + IN", 13.04),
        ("\\text{max\\_position\\_embeddings}", 11.96),
        ("n_{\\text{layer}}d_{\\text{model}}^{2}", 5.00),
        ("\\frac{H}{h}", 0.95),
        ("(V + P)H", 4.50),
    ],
)
def test_a_width_is_guessed_a_little_too_large(latex: str, measured: float) -> None:
    assert measured <= widths.formula(latex) <= 1.3 * measured + 0.7

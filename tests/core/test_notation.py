"""The spelling of numbers, letters, powers and fractions in text, ASCII and LaTeX."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.notation import ASCII, LATEX, UNICODE, decimal, decimal_places


@pytest.mark.parametrize(
    ("value", "text", "latex"),
    [
        (0, "0", "0"),
        (7, "7", "7"),
        (999, "999", "999"),
        (1000, "1,000", "1{,}000"),
        (30522, "30,522", "30{,}522"),
        (109482240, "109,482,240", "109{,}482{,}240"),
        (Fraction(1, 2), "0.5", "0.5"),
        (Fraction(5, 2), "2.5", "2.5"),
        (Fraction(1, 1000), "0.001", "0.001"),
        (Fraction(12345678, 1000), "12,345.678", "12{,}345.678"),
    ],
)
def test_numbers(value: int | Fraction, text: str, latex: str) -> None:
    assert UNICODE.number(value) == text
    assert ASCII.number(value) == text
    assert LATEX.number(value) == latex


@pytest.mark.parametrize(
    ("name", "text", "latex", "beside"),
    [
        ("D", "D", "D", ("", "", "")),
        ("d_model", "d_model", "d_{\\text{model}}", ("\N{THIN SPACE}", " * ", "")),
        ("d_k", "d_k", "d_{k}", ("\N{THIN SPACE}", " * ", "")),
        ("n_heads", "n_heads", "n_{\\text{heads}}", ("\N{THIN SPACE}", " * ", "")),
        ("hidden_size", "hidden_size", "\\text{hidden\\_size}", (" × ", " * ", " \\times ")),
        ("n_kv_heads", "n_kv_heads", "\\text{n\\_kv\\_heads}", (" × ", " * ", " \\times ")),
        ("dim", "dim", "\\text{dim}", (" × ", " * ", " \\times ")),
        ("d2", "d2", "\\text{d2}", (" × ", " * ", " \\times ")),
    ],
)
def test_letters(name: str, text: str, latex: str, beside: tuple[str, str, str]) -> None:
    letters = Alphabet("test", "", {"H": name, "d": "head"})
    assert UNICODE.using(letters).symbol("H") == text
    assert ASCII.using(letters).symbol("H") == text
    assert LATEX.using(letters).symbol("H") == latex
    assert tuple(notation.using(letters).sign_beside("H") for notation in (UNICODE, ASCII, LATEX)) == beside


@pytest.mark.parametrize(
    ("exponent", "text", "ascii", "latex"),
    [
        ("2", "H²", "H^2", "H^{2}"),
        ("10", "H¹⁰", "H^10", "H^{10}"),
        ("1,000", "H^1,000", "H^1,000", "H^{1,000}"),
        ("2.5", "H^2.5", "H^2.5", "H^{2.5}"),
        ("(−2)", "H^(−2)", "H^(−2)", "H^{(−2)}"),
        ("N", "H^N", "H^N", "H^{N}"),
    ],
)
def test_powers(exponent: str, text: str, ascii: str, latex: str) -> None:
    assert [notation.power("H", exponent) for notation in (UNICODE, ASCII, LATEX)] == [text, ascii, latex]


def test_quotients_and_brackets() -> None:
    assert [notation.quotient("H", "h") for notation in (UNICODE, ASCII, LATEX)] == ["H/h", "H/h", "\\frac{H}{h}"]
    assert [notation.brackets("H") for notation in (UNICODE, ASCII, LATEX)] == ["(H)", "(H)", "(H)"]
    assert LATEX.brackets("\\frac{H}{h}") == "\\left(\\frac{H}{h}\\right)"


def test_using_an_alphabet_leaves_the_notation_as_it_was() -> None:
    kaplan = UNICODE.using(ALPHABETS["kaplan"])
    assert (kaplan.symbol("H"), UNICODE.symbol("H")) == ("d_model", "H")
    assert (kaplan.times, kaplan.minus, kaplan.superscripts) == (UNICODE.times, UNICODE.minus, UNICODE.superscripts)


@given(st.integers(0, 10**30), st.integers(0, 20), st.integers(0, 20))
def test_the_decimals_are_the_exact_value(numerator: int, twos: int, fives: int) -> None:
    value = Fraction(numerator, 2**twos * 5**fives)
    assert Fraction(decimal(value)) == value
    assert Fraction(UNICODE.number(value).replace(",", "")) == value


@pytest.mark.parametrize(("denominator", "places"), [(1, 0), (2, 1), (4, 2), (5, 1), (10, 1), (40, 3), (625, 4), (10**9, 9)])
def test_decimal_places(denominator: int, places: int) -> None:
    assert decimal_places(denominator) == places


@pytest.mark.parametrize("denominator", [3, 6, 7, 15, 10**20 + 1])
def test_no_end_of_decimals(denominator: int) -> None:
    with pytest.raises(ValueError, match=f"the denominator {denominator} has no finite decimal expansion"):
        decimal_places(denominator)

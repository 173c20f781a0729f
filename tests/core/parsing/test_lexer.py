"""The tokens of a line: what kind each is, what it says, and where it stood."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.parsing.lexer import MAX_DIGITS, MAX_LENGTH, Token, tokens
from symparam.errors import FormulaError

NAMES = {"H": "H", "N": "N", "L": "L", "hidden_size": "H", "d_model": "H", "d_ff": "I", "d2": "d2", "model": "M"}


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(text, NAMES)]


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        *((plus, "+") for plus in "+＋"),
        *((minus, "-") for minus in "-−－–"),
        *((times, "*") for times in (*"*×·⋅∗✕＊x", "\\times", "\\cdot", "\\ast")),
        *((over, "/") for over in (*"/÷∕／", "\\div")),
        *((power, "^") for power in ("^", "＾", "**")),
    ],
)
def test_every_spelling_of_a_sign(text: str, sign: str) -> None:
    assert tokens(f"H {text} N", NAMES) == [
        Token("symbol", 0, 1, "H"),
        Token(sign, 2, 2 + len(text)),
        Token("symbol", 3 + len(text), 4 + len(text), "N"),
        Token("end", 4 + len(text), 4 + len(text)),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("007", 7),
        ("1234", 1234),
        ("12345678", 12345678),
        ("2.5", Fraction(5, 2)),
        ("2.0", 2),
        ("0.001", Fraction(1, 1000)),
        ("23,835,648", 23835648),
        ("23_835_648", 23835648),
        ("23{,}835{,}648", 23835648),
        ("23\\,835\\,648", 23835648),
        ("30，000", 30000),
        ("30\u202f522", 30522),
        ("1,234.5", Fraction(2469, 2)),
        ("1e3", 1000),
        ("1.5e3", 1500),
        ("1e-3", Fraction(1, 1000)),
        ("1e+06", 1000000),
        ("56.3e9", 56300000000),
        ("1,000e2", 100000),
        ("1.25e1", Fraction(25, 2)),
        ("999e999", 999 * 10**999),
        ("12e-999", Fraction(12, 10**999)),
        ("9" * 1300, 10**1300 - 1),
    ],
)
def test_numbers(text: str, value: int | Fraction) -> None:
    number, end = tokens(text, NAMES)
    assert number == Token("number", 0, len(text), value)
    assert type(number.value) is (int if Fraction(value).denominator == 1 else Fraction)
    assert end == Token("end", len(text), len(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("12,34", "column 1 of '12,34': '12,34' is not a number: digits are grouped in threes"),
        ("1,2345", "column 1 of '1,2345': '1,2345' is not a number: digits are grouped in threes"),
        ("1,234,56", "column 1 of '1,234,56': '1,234,56' is not a number: digits are grouped in threes"),
        ("1234,567", "column 1 of '1234,567': '1234,567' is not a number: digits are grouped in threes"),
        ("0,123", "column 1 of '0,123': '0,123' is not a number: digits are grouped in threes"),
        ("H+30，00", "column 3 of 'H+30，00': '30，00' is not a number: digits are grouped in threes"),
        ("1_23", "column 2 of '1_23': '_' is not part of a formula"),
        ("1,234_567", "column 6 of '1,234_567': '_' is not part of a formula"),
        ("1.", "column 2 of '1.': '.' is not part of a formula"),
        (".5", "column 1 of '.5': '.' is not part of a formula"),
        ("1.234.567", "column 6 of '1.234.567': '.' is not part of a formula"),
        ("１２", "column 1 of '１２': '１' is not part of a formula"),
        ("٣", "column 1 of '٣': '٣' is not part of a formula"),
        ("½", "column 1 of '½': '½' is not part of a formula"),
        ("H,N", "column 2 of 'H,N': ',' is not part of a formula"),
        ("H = N", "column 3 of 'H = N': '=' is not part of a formula"),
        ("H\0", "column 2 of 'H\\x00': '\\x00' is not part of a formula"),
        ("H\x1b[31m", "column 2 of 'H\\x1b[31m': '\\x1b' is not part of a formula"),
        ("\ud800", "column 1 of '\\ud800': '\\ud800' is not part of a formula"),
        ("H\u200bN", "column 2 of 'H\\u200bN': '\\u200b' is not part of a formula"),
        (
            "d_{\\text{model}",
            "column 1 of 'd_{\\\\text{model}': 'd' is not a declared letter or name, nor a product of declared ones; did you mean 'd2'?",
        ),
        (
            "H_{a}_{b}",
            "column 1 of 'H_{a}_{b}': 'H_a' is not a declared letter or name, nor a product of declared ones; "
            "the declared letters are H, L, N, d2",
        ),
        ("H\\log{N}", "column 2 of 'H\\\\log{N}': the command '\\\\log' is not read in a formula"),
        ("\\", "column 1 of '\\\\': the command '\\\\' is not read in a formula"),
        ("\\text{hidden size", "column 1 of '\\\\text{hidden size': the command '\\\\text' is not read in a formula"),
        (
            "hiden_size",
            "column 1 of 'hiden_size': 'hiden_size' is not a declared letter or name, nor a product of declared ones; "
            "did you mean 'hidden_size'?",
        ),
        (
            "3Q",
            "column 2 of '3Q': 'Q' is not a declared letter or name, nor a product of declared ones; the declared letters are H, L, N, d2",
        ),
        ("Hⁿ", "column 1 of 'Hⁿ': 'Hⁿ' is not a declared letter or name, nor a product of declared ones; did you mean 'H'?"),
        ("H⁻", "column 2 of 'H⁻': '⁻' is not part of a formula"),
        ("H²³⁴⁵⁶⁷⁸", "column 2 of 'H²³⁴⁵⁶⁷⁸': the exponent ²³⁴⁵⁶⁷⁸ is too large"),
        ("H<sup>n</sup>", "column 2 of 'H<sup>n</sup>': '<' is not part of a formula"),
        ("9" * (MAX_DIGITS + 1), f"column 1 of '{'9' * 79}…': the number is 1,301 digits long; at most 1,300 are read"),
        ("999" * 200 + "e999", f"column 1 of '{'9' * 79}…': the number is 1,599 digits long; at most 1,300 are read"),
        ("H" * (MAX_LENGTH + 1), "the formula is 20,001 characters long; at most 20,000 are read"),
        ("__import__('os')", "column 1 of \"__import__('os')\": '_' is not part of a formula"),
    ],
)
def test_what_is_no_token(text: str, message: str) -> None:
    with pytest.raises(FormulaError) as error:
        tokens(text, NAMES)
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("H", [("symbol", 0, 1, "H")]),
        ("NH", [("symbol", 0, 1, "N"), ("symbol", 1, 2, "H")]),
        ("hidden_size", [("symbol", 0, 11, "H")]),
        ("hidden\\_size", [("symbol", 0, 12, "H")]),
        ("\\text{hidden\\_size}", [("symbol", 0, 19, "H")]),
        ("\\text{ hidden size }", [("symbol", 0, 20, "H")]),
        ("\\mathrm{H}", [("symbol", 0, 10, "H")]),
        ("d_model", [("symbol", 0, 7, "H")]),
        ("d_{model}", [("symbol", 0, 9, "H")]),
        ("d_{\\text{model}}", [("symbol", 0, 16, "H")]),
        ("d_{ \\mathrm{model} }", [("symbol", 0, 20, "H")]),
        ("d_\\text{ff}", [("symbol", 0, 11, "I")]),
        ("d_\\mathrm {ff}", [("symbol", 0, 14, "I")]),
        ("Nd_model", [("symbol", 0, 1, "N"), ("symbol", 1, 8, "H")]),
        ("Nd_{model}H", [("symbol", 0, 1, "N"), ("symbol", 1, 10, "H"), ("symbol", 10, 11, "H")]),
        ("LxH", [("symbol", 0, 1, "L"), ("*", 1, 2, ""), ("symbol", 2, 3, "H")]),
        ("Hxmodel", [("symbol", 0, 1, "H"), ("*", 1, 2, ""), ("symbol", 2, 7, "M")]),
        ("d2", [("symbol", 0, 2, "d2")]),
        ("Nd2H", [("symbol", 0, 1, "N"), ("symbol", 1, 3, "d2"), ("symbol", 3, 4, "H")]),
        ("N2", [("symbol", 0, 1, "N"), ("number", 1, 2, 2)]),
        ("Nx2", [("symbol", 0, 1, "N"), ("*", 1, 2, ""), ("number", 2, 3, 2)]),
        ("2xN", [("number", 0, 1, 2), ("*", 1, 2, ""), ("symbol", 2, 3, "N")]),
        ("H²", [("symbol", 0, 1, "H"), ("^", 1, 2, ""), ("{", 1, 2, ""), ("number", 1, 2, 2), ("}", 1, 2, "")]),
        ("H⁻¹²", [("symbol", 0, 1, "H"), ("^", 1, 4, ""), ("{", 1, 4, ""), ("-", 1, 4, ""), ("number", 1, 4, 12), ("}", 1, 4, "")]),
        ("H<sup>2</sup>", [("symbol", 0, 1, "H"), ("^", 1, 13, ""), ("{", 1, 13, ""), ("number", 1, 13, 2), ("}", 1, 13, "")]),
        ("\\left( H \\right)\\,~\\quad", [("(", 5, 6, ""), ("symbol", 7, 8, "H"), (")", 15, 16, "")]),
        (
            "\\frac{H}{N}",
            [
                ("frac", 0, 5, ""),
                ("{", 5, 6, ""),
                ("symbol", 6, 7, "H"),
                ("}", 7, 8, ""),
                ("{", 8, 9, ""),
                ("symbol", 9, 10, "N"),
                ("}", 10, 11, ""),
            ],
        ),
        ("", []),
        (" \t\n\u00a0", []),
    ],
)
def test_names_powers_and_commands(text: str, found: list[tuple[str, int, int, object]]) -> None:
    all_tokens = [(token.kind, token.start, token.end, token.value) for token in tokens(text, NAMES)]
    assert all_tokens == [*found, ("end", len(text), len(text), "")]


def test_an_x_that_is_declared_is_a_letter() -> None:
    assert [token.value for token in tokens("3xH", {"x": "x", "H": "H"})] == [3, "x", "H", ""]


def test_the_longest_name_is_preferred_and_another_split_taken_where_it_leads_nowhere() -> None:
    names = {name: name for name in ("d", "k", "dk", "kv", "dkvs")}
    assert [token.value for token in tokens("dkk", names)][:-1] == ["dk", "k"]
    assert [token.value for token in tokens("dkv", names)][:-1] == ["d", "kv"]


@pytest.mark.parametrize(
    "text",
    [
        "\\text{" + " " * 19_000,
        "d_{" + " " * 19_000,
        "d_{\\text{" + " a" * 9_000,
        "H2" * 9_000,
        "Q" * 20_000,
        "\\text " * 3_000,
    ],
)
def test_long_lines_of_anything_end_at_once(text: str) -> None:
    with suppress(FormulaError):
        tokens(text, NAMES)


@given(st.text(max_size=40))
def test_any_text_gives_tokens_in_order_or_an_error_with_a_column(text: str) -> None:
    try:
        found = tokens(text, NAMES)
    except FormulaError as error:
        refused = error
        found = []
    if not found:
        assert (1 <= refused.column <= len(text), refused.text) == (True, text)
        return
    assert found[-1] == Token("end", len(text), len(text))
    assert all(0 <= token.start < token.end <= len(text) for token in found[:-1])
    starts = [token.start for token in found]
    assert starts == sorted(starts)
    assert kinds(text)[-1] == "end"

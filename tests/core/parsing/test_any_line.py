"""Reading any line ends soon: in a formula that can be written back, in a relation, or in an error with a place."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.algebra.closed_form import by_symbol
from symparam.core.algebra.relations import relations
from symparam.core.alphabets import ALPHABETS
from symparam.core.formula import Sum, write
from symparam.core.notation import LATEX, UNICODE
from symparam.core.parsing.reader import read_formula, read_relation
from symparam.errors import FormulaError, SymparamError


@pytest.mark.few(12)
@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "(" * 10_000,
        "(" * 10_000 + "H" + ")" * 10_000,
        "9" * 10**6,
        "+".join(["H"] * 100_000),
        "H\0N",
        "\x07",
        "\ud800\udfff",
        "__import__('os')",
        "(H+N+L+V+P+T+I+h+d+k+E+K+B)**99",
        "H" + "/H" * 5_000,
        "-" * 10_000 + "H",
        "H" + "*-H" * 6_000,
        "2^" * 9_000 + "2",
        "2" + "²" * 9_000,
        "H" + "²" * 5,
        "(" * 45 + "H" + ")²" * 45,
        "((((9H)^99)^99)^99)^99",
        "\\text{" + " " * 15_000,
        "d_{" + " " * 15_000,
        "H" * 20_000,
        "d_" * 9_000 + "d",
        "x" * 19_999,
        "H" + "x" * 19_000,
        "\\frac{" * 3_000,
        "1e999" + "*1e999" * 3_000,
        "\\left" * 4_000,
        "1," * 9_000,
        "1e-999/9^999" + "*1e-999/9^999" * 1_000,
        "1/(1-1/(1-1/(1-H)))/(H-H)",
        "2^(10^900N)",
        "2^(N+10^900)",
        "0^0^0",
        "((H+1)^2-H^2-2H-1)^(0-1)",
        "(9^999H)^99",
        "+".join(["9^999H"] * 2_000),
    ],
)
def test_nothing_that_is_written_takes_seconds_or_another_kind_of_error(text: str) -> None:
    with suppress(SymparamError):
        formula = read_formula(text)
        write(formula, UNICODE)
        write(formula, LATEX)
        str(by_symbol(formula.expr))


@pytest.mark.parametrize(
    "text",
    [
        "9**9**9**9",
        "(H+N+L+V+P+T+I+h+d+k+E+K+B)**99",
        "H" + "*-H" * 6_000,
        "((H+1)^2-H^2-2H-1)^(0-1)",
        "(9^999H)^99",
    ],
)
def test_these_are_not_written_out(text: str) -> None:
    with pytest.raises(FormulaError):
        by_symbol(read_formula(text).expr)


def test_a_long_sum_is_read() -> None:
    formula = read_formula("+".join(["NH"] * 5_000))
    assert isinstance(formula, Sum)
    assert str(by_symbol(formula.expr)) == "5,000NH"


PIECES = (
    "H",
    "N",
    "layers",
    "hidden_size",
    "d_{",
    "\\text{",
    "\\frac{",
    "}",
    "{",
    "(",
    ")",
    "[",
    "]",
    "+",
    "-",
    "−",
    "*",
    "**",
    "/",
    "^",
    "²",
    "⁻¹",
    "x",
    " ",
    "1",
    "30,522",
    "9" * 20,
    "0.5",
    "e9",
    "_",
    "\\",
    "\\left(",
    "\\right)",
    ",",
    "=",
    "<sup>2</sup>",
    "\0",
    "，",
    "Q",
    "2\\,000",
)


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=25).map("".join)), st.sampled_from(sorted(ALPHABETS)))
def test_any_line_is_a_formula_that_is_written_back_or_an_error_with_a_place(line: str, name: str) -> None:
    try:
        formula = read_formula(line, ALPHABETS[name])
    except FormulaError as error:
        place, message = error.column, str(error)
        formula = None
    if formula is None:
        assert 0 <= place <= len(line) + 1
        assert len(message) < 600
        return
    for notation in (UNICODE, LATEX):
        assert read_formula(write(formula, notation.using(ALPHABETS[name])), ALPHABETS[name]) == formula
    try:
        closed = by_symbol(formula.expr)
    except FormulaError:
        return
    assert read_formula(str(closed)) == closed


@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from((*PIECES, "=", "I=", "H=", "I=4H")), max_size=15).map("".join)))
def test_any_line_is_a_relation_or_an_error(line: str) -> None:
    found = ""
    try:
        stated = relations([read_relation(line)])
    except SymparamError as error:
        found = str(error)
    assert len(found) < 600
    assert found or len(stated.stated) == 1

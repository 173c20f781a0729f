"""Floors in normal form, and sums of them proven equal or not."""

from __future__ import annotations

from math import floor

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symparam.core.algebra.closed_form import closed_form
from symparam.core.algebra.rounding import equal, with_names, with_normal_floors
from symparam.core.dimensions import H, I, N
from symparam.core.evaluation import evaluate
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError


def test_a_floor_in_a_floor_is_one() -> None:
    size = H
    for _ in range(5):
        size = with_normal_floors(sympy.floor((size - 1) / 2) + 1)
    assert str(closed_form(size)) == "⌊(H + 31)/32⌋"
    assert with_normal_floors(size.xreplace({H: 32 * N})) == N


def test_a_ceiling_is_written_as_a_floor() -> None:
    assert with_normal_floors(sympy.ceiling(H / 3)) == with_normal_floors(sympy.floor((H + 2) / 3))


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        (sympy.floor(H / 2) + sympy.floor((H + 1) / 2), H, True),
        (sympy.floor(H / 3) + sympy.floor((H + 1) / 3) + sympy.floor((H + 2) / 3), H, True),
        (sympy.floor(H / 2), H / 2, False),
        (sympy.floor(H * (H + 1) / 2), H * (H + 1) / 2, True),
        (sympy.floor((H + 1) / 2) * I, sympy.ceiling(H / 2) * I, True),
        (sympy.floor(H / 97), sympy.floor((H + 1) / 97), False),
    ],
)
def test_sums_of_floors_are_proven_equal_or_not(left: sympy.Expr, right: sympy.Expr, same: bool) -> None:
    assert equal(left, right) is same


def test_what_would_take_too_many_remainders_is_not_decided() -> None:
    parts = [sympy.Add(*(sympy.floor((each + part) / sympy.Integer(19)) for part in range(19))) for each in (H, I)]
    with pytest.raises(FormulaError, match="not proven"):  # Hermite's identity: they come to H and I.
        equal(parts[0] + parts[1], H + I)


numerators = st.tuples(st.integers(0, 9), st.integers(-9, 9), st.integers(1, 7))


@given(st.lists(numerators, min_size=1, max_size=4), st.integers(1, 60))
def test_the_normal_form_has_the_same_value(nested: list[tuple[int, int, int]], value: int) -> None:
    expression, expected = H, value
    for factor, more, divisor in nested:
        expression = sympy.floor((factor * expression + more) / sympy.Integer(divisor), evaluate=False)
        expected = floor((factor * expected + more) / divisor)
    assert with_normal_floors(expression).xreplace({H: sympy.Integer(value)}) == expected
    assert evaluate(closed_form(expression), {"H": value}) == expected


@pytest.mark.parametrize("form", ["readable", "by-symbol", "nested", "expanded", "factored"])
def test_every_form_writes_floors_and_is_read_back(form: str) -> None:
    size = sympy.floor((H + 31) / 32)
    formula = closed_form(64 * size * N + 3 * size**2 + sympy.floor(I / 2) * size, form)
    for text in (str(formula), formula.ascii, formula.latex):
        assert read_formula(text) == formula
    assert equal(formula.expr, 64 * size * N + 3 * size**2 + sympy.floor(I / 2) * size)


def test_a_letter_that_stands_only_in_a_floor_collects_nothing() -> None:
    with pytest.raises(FormulaError, match="occurs only in what is rounded"):
        closed_form(sympy.floor(H / 2) * N, "by-symbol", "H")


def test_a_name_for_a_floor_is_none_of_the_letters() -> None:
    floor_0 = sympy.Symbol("zz_000", integer=True, positive=True)
    named, inside = with_names(floor_0 * sympy.floor(H / 2))
    assert floor_0 in named.free_symbols
    assert "zz_000" not in inside

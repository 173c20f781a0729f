"""`evaluate` and `evaluate_many` against Python's own integers and fractions, over tables and over random formulas and values."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

from symparam import derive, evaluate, evaluate_many, read_formula, symbol
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symparam.errors import FormulaError
from tests.strategies import value_by_hand

LETTERS = ("H", "N", "V")
EDGES = (0, 1, 2, 2**31, 2**32, 2**62, 2**63 - 1, 2**63, 2**64, 10**30)

leaves = st.one_of(
    st.sampled_from(LETTERS).map(Symbol),
    st.one_of(st.integers(0, 20), st.sampled_from(EDGES)).map(Number),
    st.sampled_from([Fraction(1, 2), Fraction(5, 4)]).map(Number),
)


def inner(parts: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    several = st.lists(parts, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        several.map(Sum),
        several.map(Product),
        parts.map(Negative),
        st.builds(Quotient, parts, parts),
        st.builds(Power, parts, st.integers(0, 4).map(Number)),
        st.builds(Power, parts, st.integers(1, 2).map(Number).map(Negative)),
    )


formulas = st.recursive(leaves, inner, max_leaves=8)
whole_formulas = st.recursive(
    st.one_of(st.sampled_from(LETTERS).map(Symbol), st.integers(0, 100).map(Number)),
    lambda parts: st.one_of(
        st.lists(parts, min_size=2, max_size=3).map(tuple).map(Sum),
        st.lists(parts, min_size=2, max_size=3).map(tuple).map(Product),
        parts.map(Negative),
        st.builds(Power, parts, st.integers(0, 3).map(Number)),
    ),
    max_leaves=8,
)
sizes = st.one_of(st.integers(-10, 10), st.integers(-(2**63) - 2, 2**63 + 2), st.sampled_from(EDGES))


def rows(values: dict[str, list[int]]) -> list[dict[str, int]]:
    return [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]


def expected(formula: Formula, values: dict[str, list[int]]) -> list[Fraction] | None:
    """The value of each row, or None where symparam has to refuse one."""
    try:
        return [value_by_hand(formula, row) for row in rows(values)]
    except ZeroDivisionError:
        return None


def columns(length: int = 4) -> st.SearchStrategy[dict[str, list[int]]]:
    return st.fixed_dictionaries({letter: st.lists(sizes, min_size=length, max_size=length) for letter in LETTERS})


def exact_ints(array: np.ndarray) -> list[int]:
    """The elements as Python ints, none of them rounded on the way."""
    return [int(each) for each in array.ravel().tolist()]


# One config.

VALUES = {"H": 768, "N": 12, "V": 50257, "P": 1024, "h": 12, "k": 4, "I": 3072}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(13N + P + V + 2)H + 12NH^2", 124_439_808),
        ("H/h", 64),
        ("H/5", Fraction(768, 5)),
        ("(H/5) * 5", 768),
        ("kH^2/h", 196_608),
        ("H - V", -49_489),
        ("0.5H", 384),
        ("2.5N", 30),
        ("0.25", Fraction(1, 4)),
        ("H^0", 1),
        ("(H - H)^0", 1),
        ("H^(0 - 1)", Fraction(1, 768)),
        ("2^N", 4096),
        ("1^(10^40)", 1),
        ("(H - H)^(10^40)", 0),
        ("(0-1)^N", 1),
        ("V^9", 50257**9),
        ("7", 7),
    ],
)
def test_evaluate_is_exact(text: str, value: int | Fraction) -> None:
    formula = read_formula(text)
    found = evaluate(formula, VALUES)
    assert found == value
    assert isinstance(found, int) == (value.denominator == 1)
    many = evaluate_many(formula, {letter: np.array([number, number]) for letter, number in VALUES.items()})
    assert many.tolist() == [value] * (2 if formula.letters else 1) or many.item() == value


@given(formulas, st.fixed_dictionaries(dict.fromkeys(LETTERS, sizes)))
def test_evaluate_agrees_with_fractions(formula: Formula, values: dict[str, int]) -> None:
    try:
        value = value_by_hand(formula, values)
    except ZeroDivisionError:
        with pytest.raises(FormulaError, match=r"divides by zero|no exact rational value|binary digits"):
            evaluate(formula, values)
        return
    try:
        found = evaluate(formula, values)
    except FormulaError:
        with pytest.raises(FormulaError, match="binary digits"):
            evaluate(formula, values)
        return
    assert found == value
    assert isinstance(found, int) == (value.denominator == 1)


@given(formulas, st.fixed_dictionaries({letter: st.fractions(max_denominator=9) for letter in LETTERS}))
def test_evaluate_takes_fractions(formula: Formula, values: dict[str, Fraction]) -> None:
    try:
        value = value_by_hand(formula, values)  # type: ignore[arg-type]
        found = evaluate(formula, values)
    except (ZeroDivisionError, FormulaError):
        return
    assert found == value


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int32, np.uint64, np.int64])
def test_numpy_integers_do_not_overflow_in_evaluate(kind: type) -> None:
    assert evaluate(read_formula("H^9 V"), {"H": kind(120), "V": kind(100)}) == 120**9 * 100


@pytest.mark.parametrize("value", [1.5, 1.0, float("nan"), np.float64(3.0), "3", None, [3], 3j])
def test_evaluate_refuses_what_is_no_exact_number(value: object) -> None:
    with pytest.raises(FormulaError, match=r"^the value of H is .*, but a whole number or a Fraction is expected$"):
        evaluate(read_formula("2H"), {"H": value})  # type: ignore[dict-item]


# A million configs.


@given(formulas, columns())
def test_evaluate_many_agrees_with_evaluate(formula: Formula, values: dict[str, list[int]]) -> None:
    try:
        each = [evaluate(formula, row) for row in rows(values)]
    except FormulaError:
        # Which of several faults is met first may differ, as a row is not computed alone.
        with pytest.raises(FormulaError, match=r"divides by zero|no exact rational value|binary digits"):
            evaluate_many(formula, values)  # type: ignore[arg-type]
        return
    found = evaluate_many(formula, values)  # type: ignore[arg-type]
    assert found.tolist() == (each if formula.letters else each[0])
    if found.dtype == object:
        assert {type(value) for value in found.flat} <= {int, Fraction}


@given(whole_formulas, columns(6))
def test_no_overflow_passes_in_silence(formula: Formula, values: dict[str, list[int]]) -> None:
    arrays = {letter: np.array(column, dtype=object) for letter, column in values.items()}
    value = expected(formula, values)
    assert value is not None
    found = evaluate_many(formula, arrays)
    assert exact_ints(found) == (value if formula.letters else value[:1])


@given(whole_formulas, st.data())
def test_every_integer_type_gives_the_same(formula: Formula, data: st.DataObject) -> None:
    arrays: dict[str, np.ndarray] = {}
    for letter in LETTERS:
        kind = np.dtype(data.draw(st.sampled_from(["i1", "u1", "<i2", ">i4", "u4", "i8", ">i8", "u8"])))
        arrays[letter] = data.draw(npst.arrays(kind, 5, elements=npst.from_dtype(kind)))
    values = {letter: exact_ints(array) for letter, array in arrays.items()}
    assert exact_ints(evaluate_many(formula, arrays)) == (expected(formula, values) or [])[: 5 if formula.letters else 1]


@pytest.mark.parametrize("offset", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("H", lambda x: x),
        ("H + 1", lambda x: x + 1),
        ("H - 1", lambda x: x - 1),
        ("-H", lambda x: -x),
        ("2H - H", lambda x: x),
        ("H(H - H)", lambda x: 0),
        ("H^2 - H^2", lambda x: 0),
        ("H^0", lambda x: 1),
        ("HH/H", lambda x: x),
    ],
)
@pytest.mark.parametrize("edge", [2**31, 2**32, 3037000499, 2**62, 2**63, 2**64, -(2**63)])
def test_around_the_end_of_64_bits(edge: int, text: str, of: object, offset: int) -> None:
    values = [edge + offset, 1, 0 if "/" not in text else 3]
    found = evaluate_many(read_formula(text), {"H": np.array(values, dtype=object)})
    assert found.tolist() == [of(value) for value in values]  # type: ignore[operator]


def test_a_zero_does_not_hide_an_overflow() -> None:
    found = evaluate_many(read_formula("H H H N"), {"H": np.array([2**40, 2**40]), "N": np.array([0, 1])})
    assert found.tolist() == [0, 2**120]


def test_numpy_alone_would_overflow_here_and_symparam_does_not() -> None:
    hidden = np.array([2**32])
    assert (hidden**2)[0] == 0
    assert evaluate_many(read_formula("H^2"), {"H": hidden}).tolist() == [2**64]


def test_64_bits_are_used_where_they_suffice() -> None:
    formula = derive("gpt2", where=["I=4H"]).formula
    arrays = {letter: np.array([VALUES[letter]]) for letter in formula.letters}
    assert evaluate_many(formula, arrays).dtype == np.int64
    assert evaluate_many(formula, arrays).tolist() == [124_439_808]
    assert evaluate_many(read_formula("kH^2/h"), {letter: np.array([VALUES[letter]]) for letter in "kHh"}).dtype == np.int64


@pytest.mark.parametrize("values", [[2**63 - 1, 0], [2**62, 2**62 - 1], [-(2**63) + 1, 5], [-1, -2], [3037000499, -3037000499]])
def test_64_bits_are_used_up_to_their_end(values: list[int]) -> None:
    text = "H^2" if max(values) == 3037000499 else "H"
    found = evaluate_many(read_formula(text), {"H": np.array(values)})
    assert found.dtype == np.int64
    assert found.tolist() == [value**2 if text == "H^2" else value for value in values]


# What both refuse.


def test_missing_letters() -> None:
    with pytest.raises(FormulaError, match=r"^no value is given for N, V in HN \+ V$"):
        evaluate(read_formula("HN + V"), {"H": 1})
    with pytest.raises(FormulaError, match=r"^no value is given for N, V in HN \+ V$"):
        evaluate_many(read_formula("HN + V"), {"H": np.array([1])})


def test_letters_that_do_not_occur_are_not_looked_at() -> None:
    assert evaluate(read_formula("H"), {"H": 1, "N": 1.5}) == 1  # type: ignore[dict-item]
    assert evaluate_many(read_formula("H"), {"H": np.array([1]), "N": np.array([1.5, 2.5])}).tolist() == [1]


@pytest.mark.parametrize("text", ["H/(N - 3)", "2/(N - 3)", "H/((N - 3)/7)"])
@pytest.mark.parametrize("large", [1, 2**70])
def test_division_by_zero(text: str, large: int) -> None:
    formula = read_formula(text)
    with pytest.raises(FormulaError, match=r"divides by zero$"):
        evaluate(formula, {"H": large, "N": 3})
    with pytest.raises(FormulaError, match=r"divides by zero$"):
        evaluate_many(formula, {"H": np.array([1, large], dtype=object), "N": np.array([4, 3])})


def test_zero_to_a_negative_power() -> None:
    formula = read_formula("(N - 3)^(0 - 1)")
    with pytest.raises(FormulaError, match=r"has no exact rational value$"):
        evaluate(formula, {"N": 3})
    with pytest.raises(FormulaError, match=r"has no exact rational value$"):
        evaluate_many(formula, {"N": np.array([3])})


def test_roots_are_refused_also_where_they_would_be_whole() -> None:
    formula = Power(Symbol("H"), Number(Fraction(1, 2)))
    with pytest.raises(FormulaError, match=r"has no exact rational value$"):
        evaluate(formula, {"H": 4})
    with pytest.raises(FormulaError, match=r"has no exact rational value$"):
        evaluate_many(formula, {"H": np.array([4])})


@pytest.mark.parametrize("text", ["9^9^9", "H^H^H", "H^9^9", "9^H^9", "H^100000", "(H^1000)^1000", "(1/H)^100000", "H^(0-100000)"])
def test_power_towers_are_refused(text: str) -> None:
    formula = read_formula(text)
    with pytest.raises(FormulaError, match="more than 4,096 binary digits"):
        evaluate(formula, {"H": 9})
    with pytest.raises(FormulaError, match="more than 4,096 binary digits"):
        evaluate_many(formula, {"H": np.array([1, 9])})


def test_powers_of_powers_cannot_fill_the_memory() -> None:
    formula: Formula = Symbol("H")
    for _ in range(90):
        formula = Power(formula, Number(4))
    with pytest.raises(FormulaError, match="more than 4,096 binary digits"):
        evaluate_many(formula, {"H": np.array([3])})
    assert evaluate_many(formula, {"H": np.array([0, 1])}).tolist() == [0, 1]


@pytest.mark.parametrize(
    ("size", "heads", "value"),
    [
        (768, 12, 64),
        (768, 5, Fraction(768, 5)),
        (10**30, 3, Fraction(10**30, 3)),
        (-7, 2, Fraction(-7, 2)),
        (-8, 2, -4),
    ],
)
def test_fractions_are_exact(size: int, heads: int, value: int | Fraction) -> None:
    values: dict[str, np.ndarray | int] = {"H": np.array([size, 0], dtype=object), "h": heads}
    assert evaluate_many(read_formula("H/h"), values).tolist() == [value, 0]
    together = evaluate_many(read_formula("h(H/h)"), values).tolist()
    assert together == [size, 0]
    assert {type(each) for each in together} == {int}


WITHOUT_NUMPY = """
import sys
sys.modules["numpy"] = None  # As if it were not installed.
from symparam import SymparamError, evaluate, evaluate_many, read_formula
formula = read_formula("12NH²")
assert evaluate(formula, {"N": 12, "H": 768}) == 84934656
try:
    evaluate_many(formula, {"N": [12, 24], "H": [768, 1024]})
except SymparamError as error:
    print(error)
"""


def test_without_numpy_it_says_what_to_install() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_NUMPY], capture_output=True, text=True, encoding="utf-8", check=True)
    assert done.stdout == (
        "evaluate_many computes with NumPy, which is not installed: pip install numpy; evaluate takes one config without it\n"
    )


@pytest.mark.parametrize(("text", "value"), [("√(H)", 28), ("√(H/N)", Fraction(28, 5)), ("(√(H²) − H)/2", 0), ("2√(4)H", 4 * 784)])
def test_a_square_root_that_is_rational_has_its_value(text: str, value: int | Fraction) -> None:
    formula = read_formula(text)
    assert evaluate(formula, {"H": 784, "N": 25}) == value
    assert [*evaluate_many(formula, {"H": np.array([784]), "N": 25})] == [value]
    assert formula.expr.xreplace({symbol("H"): 784, symbol("N"): 25}) == value


@pytest.mark.parametrize("values", [{"H": 3, "N": 1}, {"H": 1, "N": 2}])
def test_a_root_that_is_not_rational_has_none(values: dict[str, int]) -> None:
    formula = read_formula("√(H − N)")
    with pytest.raises(FormulaError, match=r"^√\(H − N\) has no exact rational value$"):
        evaluate(formula, values)
    with pytest.raises(FormulaError, match=r"^√\(H − N\) has no exact rational value$"):
        evaluate_many(formula, {letter: np.array([value]) for letter, value in values.items()})

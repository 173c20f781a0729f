"""Arrays given to `evaluate_many`: their shapes, orders and types, and that they are left as they are."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis.extra import numpy as npst

from symparam import evaluate_many, read_formula
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symparam.errors import FormulaError

LETTERS = ("H", "N", "V")


def test_more_rows_than_one_block_and_only_some_too_large() -> None:
    hidden = np.arange(200_001)
    hidden[150_000] = 2**50
    found = evaluate_many(read_formula("3H^2 + H"), {"H": hidden})
    assert found.dtype == object
    assert found.tolist() == [3 * value * value + value for value in hidden.tolist()]


@given(npst.mutually_broadcastable_shapes(num_shapes=3, max_dims=3, max_side=4, min_side=0))
def test_arrays_are_broadcast(shapes: npst.BroadcastableShapes) -> None:
    arrays = {letter: np.arange(prod(shape)).reshape(shape) + 1 for letter, shape in zip(LETTERS, shapes.input_shapes, strict=True)}
    found = evaluate_many(read_formula("2HN + V"), arrays)
    assert found.shape == shapes.result_shape
    assert found.tolist() == (2 * arrays["H"] * arrays["N"] + arrays["V"]).tolist()


def test_large_broadcasts_strides_and_orders() -> None:
    hidden, layers = np.arange(1500)[::-1], np.arange(1000)[::-1, None]
    words = np.asfortranarray(np.arange(1_500_000).reshape(1000, 1500))
    found = evaluate_many(read_formula("2HN + V - 3"), {"H": hidden, "N": layers, "V": words})
    assert (found == 2 * hidden * layers + words - 3).all()
    assert (evaluate_many(read_formula("H"), {"H": words.T}) == words.T).all()


def test_shapes_that_do_not_fit() -> None:
    with pytest.raises(FormulaError, match=r"^the shapes of the arrays cannot be broadcast together: H \(3,\), N \(2,\)$"):
        evaluate_many(read_formula("HN"), {"H": np.ones(3, int), "N": np.ones(2, int)})


def test_plain_numbers_stand_for_every_row() -> None:
    assert evaluate_many(read_formula("HN"), {"H": np.array([1, 2]), "N": 3}).tolist() == [3, 6]
    assert evaluate_many(read_formula("HN"), {"H": np.array([1, 2]), "N": 2**70}).tolist() == [2**70, 2**71]
    assert evaluate_many(read_formula("HN"), {"H": 2, "N": 3}).shape == ()


@pytest.mark.parametrize(("text", "value"), [("7", 7), ("2^70", 2**70), ("2^63", 2**63), ("7/2", Fraction(7, 2)), ("0.5", Fraction(1, 2))])
def test_a_formula_without_letters(text: str, value: int | Fraction) -> None:
    found = evaluate_many(read_formula(text), {})
    assert found.shape == ()
    assert found.item() == value


@pytest.mark.parametrize("kind", [np.int32, np.uint64, np.int64, object])
@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
@pytest.mark.parametrize("text", ["H", "3H^2 + H", "H/7"])
def test_empty_arrays(shape: tuple[int, ...], kind: type, text: str) -> None:
    assert evaluate_many(read_formula(text), {"H": np.empty(shape, dtype=kind)}).shape == shape


@pytest.mark.parametrize(
    "formula",
    [
        Symbol("H"),
        Negative(Negative(Symbol("H"))),
        Sum((Symbol("H"), Symbol("N"))),
        Product((Symbol("H"), Symbol("N"), Symbol("V"))),
        Sum((Product((Symbol("H"),)), Symbol("N"), Symbol("V"))),
        Power(Symbol("H"), Number(1)),
        Sum((Power(Symbol("H"), Number(1)), Symbol("N"))),
        Quotient(Symbol("H"), Number(1)),
    ],
)
@pytest.mark.parametrize("kind", [np.int64, np.int32, np.uint64, object])
def test_the_arrays_given_are_never_changed_or_returned(formula: Formula, kind: type) -> None:
    arrays = {letter: np.array([5, 6, 7], dtype=kind) for letter in LETTERS}
    found = evaluate_many(formula, arrays)
    found[:] = 0
    assert all(array.tolist() == [5, 6, 7] and array.dtype == kind for array in arrays.values())


def test_read_only_arrays_are_taken() -> None:
    hidden = np.array([1, 2])
    hidden.flags.writeable = False
    assert evaluate_many(read_formula("H + 1"), {"H": hidden}).tolist() == [2, 3]


def test_numpy_integers_in_an_array_of_objects() -> None:
    mixed = np.array([np.int64(2**40), np.uint8(200), 3], dtype=object)
    assert evaluate_many(read_formula("H^3"), {"H": mixed}).tolist() == [2**120, 200**3, 27]


@pytest.mark.parametrize(
    "array",
    [
        np.array([1.0, 2.0]),
        np.array([np.nan]),
        np.array([True]),
        np.array(["3"]),
        np.array([3j]),
        np.array(["2020-01-01"], "M8[D]"),
        np.float64(3),
    ],
)
def test_other_types_are_refused(array: np.ndarray) -> None:
    with pytest.raises(FormulaError, match=r"^the values of H are of type .*, but whole numbers are expected$"):
        evaluate_many(read_formula("2H"), {"H": array})


@pytest.mark.parametrize("value", [1.0, 1.5, [1, 2.5], None, "3", Fraction(1, 2), np.array([1, 2.5], dtype=object)])
def test_other_objects_are_refused(value: object) -> None:
    with pytest.raises(FormulaError, match=r"^the values of H include .*, but whole numbers are expected$"):
        evaluate_many(read_formula("2H"), {"H": value})  # type: ignore[dict-item]

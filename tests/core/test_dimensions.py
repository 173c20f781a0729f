"""The one vocabulary: every letter once, and one SymPy symbol for each name."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symparam.core import dimensions
from symparam.core.dimensions import BY_LETTER, COMMON_LETTERS, DIMENSIONS, RARE_LETTERS, canonical, symbol
from symparam.core.formula import Symbol
from symparam.core.parsing.reader import read_formula
from symparam.errors import ArchitectureError


def test_each_letter_name_and_config_key_belongs_to_one_dimension() -> None:
    assert len(BY_LETTER) == len(DIMENSIONS) == len(COMMON_LETTERS) + len(RARE_LETTERS) + 4  # Those of caches, windows and chunks.
    assert len({each.name for each in DIMENSIONS}) == len(DIMENSIONS)
    keys = [key for each in DIMENSIONS for key in each.config_keys]
    assert len(keys) == len(set(keys))
    assert all(key == each.name or key not in {other.name for other in DIMENSIONS} for each in DIMENSIONS for key in each.config_keys)


def test_the_letters_of_the_module_are_the_symbols() -> None:
    for letter in COMMON_LETTERS:
        assert getattr(dimensions, letter) == symbol(letter)
        assert getattr(dimensions, letter).is_positive


def test_the_letters_of_rare_sizes_have_a_subscript() -> None:
    # So they are never taken for a letter of somebody who writes about something else.
    assert all(letter[1:2] == "_" for letter in RARE_LETTERS)


@pytest.mark.parametrize("dimension", DIMENSIONS, ids=lambda dimension: dimension.letter)
def test_every_dimension_is_described(dimension: dimensions.Dimension) -> None:
    assert dimension.english.isascii()
    assert dimension.english
    assert dimension.unit


@pytest.mark.parametrize("name", ["H", "d_model", "hidden_size", "d2", "m2_x", "a_1", "α", "层数", "x" * 40, "n_kv_heads"])
def test_names(name: str) -> None:
    assert symbol(name).name == name
    assert symbol(name) is symbol(name)
    assert symbol(name).is_integer
    assert read_formula(name, names={name: name}) == Symbol(name)
    assert read_formula(Symbol(name).latex, names={name: name}) == Symbol(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "2",
        "2d",
        "_",
        "_d",
        "d_",
        "d__k",
        "H²",
        "²",
        "½",
        "d-k",
        "d k",
        "H\n",
        "\\lambda",
        "d.k",
        "H+1",
        "4H",
        "x" * 41,
        "d٣",
        "\ud800",
        "e\u0301",
        "__import__('os')",
    ],
)
def test_what_cannot_name_a_size(name: str) -> None:
    with pytest.raises(ArchitectureError) as error:
        symbol(name)
    assert str(error.value) == (
        f"{name[:60]!r} cannot name a size: a name is a letter, then letters, digits and single underscores, as in d_model"
    )


@given(st.text(max_size=6))
def test_every_name_that_is_accepted_can_be_read_back(name: str) -> None:
    try:
        symbol(name)
    except ArchitectureError:
        return
    assert read_formula(name, names={name: name}) == Symbol(name)
    assert read_formula(f"3 {name}^2", names={name: name}).letters == {name}


def test_canonical_gives_one_symbol_for_each_name() -> None:
    plain, real = sympy.Symbol("H"), sympy.Symbol("H", real=True)
    assert canonical(plain) == canonical(real) == canonical("H") == symbol("H")
    assert canonical(3 * plain + real**2) == 3 * symbol("H") + symbol("H") ** 2
    assert canonical(4) == sympy.Integer(4)


@pytest.mark.parametrize("size", [2.5, True, None, [1], (1, 2), b"H"])
def test_canonical_refuses_what_is_no_size(size: object) -> None:
    with pytest.raises(ArchitectureError, match="cannot be a size: a whole number, a letter or a SymPy expression is expected"):
        canonical(size)  # type: ignore[arg-type]


def test_canonical_refuses_names_that_no_formula_could_show() -> None:
    with pytest.raises(ArchitectureError, match="cannot name a size"):
        canonical(sympy.Symbol("a b") + 1)

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from symparam.core.algebra.polynomial import equal
from symparam.core.formula import Formula, Number, Product, Sum, Symbol
from symparam.core.parsing.reader import read_formula
from symparam.documents.gaps.arithmetic.formula_gaps import explain_difference
from symparam.documents.gaps.gap import Cause, Gap
from tests.documents.gaps.gaps import worded

LETTERS = {letter: letter for letter in "bshefLNHVB"} | {"bias": "bias"}


def formulas(left: str, right: str, *parts: tuple[str, str, int]) -> Gap:
    read = [(label, read_formula(text, names=LETTERS), at) for label, text, at in parts]
    return explain_difference(read_formula(left, names=LETTERS), read_formula(right, names=LETTERS), read)


def explanations(gap: Gap) -> list[tuple[Cause, ...]]:
    return [each for each in (gap.explained_by, *gap.others) if each]


def said(gap: Gap) -> list[str]:
    return ["; ".join(worded(cause) for cause in each) for each in explanations(gap)]


def first(gap: Gap) -> str:
    return "; ".join(worded(cause) for cause in gap.explained_by)


# Real formulas.


def test_a_term_that_is_meant_twice() -> None:
    gap = formulas("6bsh^2 + 2bs^2h + 2bs^2h + 2bsh^2 + 8bsh^2", "24bsh^2 + 4bs^2h")
    assert str(gap.formula) == "8bsh²"
    assert said(gap) == ["the term 8bsh² is counted once more (16bsh² is meant)"]
    assert str(gap.explained_by[0].formula) == "8bsh²"


def test_a_part_as_often_as_a_letter_says() -> None:
    gap = formulas("(3L+13N+2)H + 12NH^2", "(3L+11N+2)H + 12NH^2", ("LayerNorm", "2H", 52), ("", "H^2", 20))
    assert str(gap.formula) == "−2NH"
    assert said(gap) == ["N times line 52 (LayerNorm: 2H) is left out"]
    assert first(formulas("12NH^2", "12NH^2 + 2H", ("the final LayerNorm", "2H", 9))) == (
        "line 9 (the final LayerNorm: 2H) is counted in addition"
    )


def test_terms_that_are_left_out() -> None:
    gap = formulas("2ef + 2fe + f + e", "4ef")
    assert str(gap.formula) == "−f − e"
    assert [(worded(cause), str(cause.formula)) for cause in gap.explained_by] == [
        ("the term f is left out", "−f"),
        ("the term e is left out", "−e"),
    ]
    assert first(formulas("N(12H^2 + 13H) + bias", "13NH + bias")) == "the term 12NH² is left out"


def test_terms_that_have_another_sign_or_stand_alone() -> None:
    assert first(formulas("4H^2 + 2H", "4H^2 - 2H")) == "the term 2H has the opposite sign"
    assert first(formulas("4H^2", "4H^2 + 9H")) == "the term 9H is not on the left side"
    assert first(formulas("2NH^2 + 3H", "3H + N")) == "the term 2NH² is left out; the term N is not on the left side"


def test_a_factor_between_formulas() -> None:
    assert first(formulas("2bsh + 4h", "bsh + 2h")) == "2 times too small (counted once instead of twice)"
    assert first(formulas("12NH^2 + 2NH", "12H^2 + 2H")) == "N times too small"
    assert first(formulas("2ef + e", "2Nef + Ne")) == "N times too large"


def test_a_number_inside_that_is_another_one() -> None:
    gap = formulas("72BLNh^2(1 + L/(6h) + V/(12Nh))", "72BLNh^2(1 + L/(6h) + V/(16Nh))")
    assert str(gap.formula) == "−3BLhV/2"
    assert said(gap) == ["it holds with 12 in place of 16"]


def test_formulas_where_nothing_fits() -> None:
    gap = formulas("4NH + 9NH", "8NH", ("", "H^2", 3))
    assert (gap.value, str(gap.formula), said(gap)) == (None, "−5NH", [])
    assert said(formulas("12NH^2(1 + 13/(12H) + V/(12NH))", "12NH^2(1 + 13/(12H) + V/(12NH)) + L^2 - 3L/(H + 1)")) == []
    assert formulas("2H + 5", "2H + 8").value == 3
    assert formulas("2H", "H + H") == Gap(0, Number(0))


# Any formulas.

LETTER = st.sampled_from("bshNV")
TERMS = st.lists(st.tuples(st.integers(1, 99), st.lists(LETTER, min_size=1, max_size=3).map(sorted).map(tuple)), min_size=3, max_size=6)


def term(count: int, letters: tuple[str, ...]) -> Formula:
    return Product((Number(count), *map(Symbol, letters)))


@given(TERMS.filter(lambda terms: len({letters for _, letters in terms}) == len(terms)), st.data())
def test_any_term_of_a_formula_is_named(terms: list[tuple[int, tuple[str, ...]]], data: st.DataObject) -> None:
    written = [term(*each) for each in terms]
    chosen = data.draw(st.integers(0, len(terms) - 1))
    rest = Sum(tuple(each for at, each in enumerate(written) if at != chosen))
    whole = Sum(tuple(written))
    for stated, word in ((rest, "is left out"), (Sum((*written, written[chosen])), "is counted once more")):
        gap = explain_difference(whole, stated)
        assert any(each.startswith(f"the term {written[chosen]} {word}") for each in said(gap)), said(gap)
        assert all(
            equal(sum(cause.formula.expr for cause in each if cause.formula), gap.formula.expr)
            for each in explanations(gap)
            if gap.formula and each[0].formula
        )


@given(TERMS, st.integers(1, 9))
def test_any_part_of_a_document_is_named(terms: list[tuple[int, tuple[str, ...]]], count: int) -> None:
    whole = Sum(tuple(term(*each) for each in terms))
    part = Product((Number(count), Symbol("H")))
    gap = explain_difference(Sum((whole, Product((Symbol("N"), part)))), whole, [("norm", part, 52)])
    assert f"N times line 52 (norm: {part}) is left out" in said(gap)

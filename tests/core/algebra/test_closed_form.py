"""Closed forms are written as the design prescribes, and each is the expression that it stands for."""

from __future__ import annotations

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from symparam.api import derive
from symparam.core.algebra.closed_form import by_symbol, closed_form, expanded, factored
from symparam.core.algebra.polynomial import equal, normal_form
from symparam.core.alphabets import ALPHABETS
from symparam.core.formula import Formula, Power, Product, Quotient, Sum, Symbol, write
from symparam.core.notation import UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError
from tests.strategies import rational_formulas


def meaning(text: str) -> sympy.Expr:
    return read_formula(text).expr


FORMS = [  # The expression, and by-symbol, expanded and factored.
    ("0", "0", "0", "0"),
    ("7", "7", "7", "7"),
    ("-3", "−3", "−3", "−3"),
    ("2.5", "5/2", "5/2", "5/2"),
    ("-8/3", "−8/3", "−8/3", "−8/3"),
    ("109482240", "109,482,240", "109,482,240", "109,482,240"),
    ("H", "H", "H", "H"),
    ("-H", "−H", "−H", "−H"),
    ("H-H", "0", "0", "0"),
    ("H*H", "H²", "H²", "H²"),
    ("8NH²/3", "8NH²/3", "8NH²/3", "8NH²/3"),
    ("-8NH²/3", "−8NH²/3", "−8NH²/3", "−8NH²/3"),
    ("kH²/h", "kH²/h", "kH²/h", "kH²/h"),
    ("5/(3h)", "5/(3h)", "5/(3h)", "5/(3h)"),
    ("H^(-2)", "1/H²", "1/H²", "1/H²"),
    ("H²+kH²/h", "(1 + k/h)H²", "H² + kH²/h", "H²(h + k)/h"),
    ("3LH + 11NH + 2H + 12NH²", "(3L + 11N + 2)H + 12NH²", "12NH² + 3LH + 11NH + 2H", "H(12NH + 3L + 11N + 2)"),
    ("IN + 2HIN", "IN + 2INH", "2INH + IN", "IN(2H + 1)"),
    ("HV - 2H", "(V − 2)H", "VH − 2H", "H(V − 2)"),
    ("2NH - 3H", "(2N − 3)H", "2NH − 3H", "H(2N − 3)"),
    ("-VNH² - VH² - 5H²", "−(NV + V + 5)H²", "−NVH² − VH² − 5H²", "−H²(NV + V + 5)"),
    ("2H²+4H+2", "2 + 4H + 2H²", "2H² + 4H + 2", "2(H + 1)²"),
    ("H²-1", "−1 + H²", "H² − 1", "(H + 1)(H − 1)"),
    ("4H²/3+H", "H + 4H²/3", "4H²/3 + H", "H(4H + 3)/3"),
    ("H²/2+H/3", "H/3 + H²/2", "H²/2 + H/3", "H(3H + 2)/6"),
    ("-H²-H", "−H − H²", "−H² − H", "−H(H + 1)"),
    ("(H+1)/(N+2)", "(1 + H)/(2 + N)", "(H + 1)/(N + 2)", "(H + 1)/(N + 2)"),
    ("1/(1-H)", "−1/(−1 + H)", "−1/(H − 1)", "−1/(H − 1)"),
    ("(H²-N²)/(H+N)²", "(H − N)/(N + H)", "(H − N)/(H + N)", "(H − N)/(H + N)"),
    ("H/h+H", "(1 + 1/h)H", "H + H/h", "H(h + 1)/h"),
    ("1/(H-N²)", "1/(H − N²)", "1/(−N² + H)", "−1/(N² − H)"),
    ("-(H-1)/(H-N²)", "(1 − H)/(H − N²)", "(−H + 1)/(−N² + H)", "(H − 1)/(N² − H)"),
    ("1/(2H-4)", "1/(−4 + 2H)", "1/(2H − 4)", "1/(2(H − 2))"),
    ("(H-N)(N-V)", "−N² + NV + (N − V)H", "NH − VH − N² + NV", "(H − N)(N − V)"),
    ("10^18H", "1,000,000,000,000,000,000H", "1,000,000,000,000,000,000H", "1,000,000,000,000,000,000H"),
]


@pytest.mark.parametrize(("text", "by_symbol", "expanded", "factored"), FORMS)
def test_forms(text: str, by_symbol: str, expanded: str, factored: str) -> None:
    for form, line in (("by-symbol", by_symbol), ("expanded", expanded), ("factored", factored)):
        found = closed_form(meaning(text), form)
        assert str(found) == line
        assert equal(found.expr, meaning(text))


MODELS = [  # Counted by hand from the definitions: a layer has 4H² + 4H for attention, 8H² + 5H for feed-forward, 4H for two norms.
    (
        "bert",
        ("I=4H",),
        "(13N + P + T + V + 3)H + (12N + 1)H²",
        "12NH² + H² + 13NH + PH + TH + VH + 3H",
        "H(12NH + H + 13N + P + T + V + 3)",
        "VH + PH + TH + 2H + N(12H² + 13H) + H² + H",
    ),
    (
        "gpt2",
        ("I=4H",),
        "(13N + P + V + 2)H + 12NH²",
        "12NH² + 13NH + PH + VH + 2H",
        "H(12NH + 13N + P + V + 2)",
        "VH + PH + N(12H² + 13H) + 2H",
    ),
    ("gpt1", (), "(13N + P + V)H + 12NH²", "12NH² + 13NH + PH + VH", "H(12NH + 13N + P + V)", "VH + PH + N(12H² + 13H)"),
    ("bloom", (), "(13N + V + 4)H + 12NH²", "12NH² + 13NH + VH + 4H", "H(12NH + 13N + V + 4)", "VH + 2H + N(12H² + 13H) + 2H"),
    (
        "bert",
        (),
        "IN + (2IN + 9N + P + T + V + 3)H + (4N + 1)H²",
        "4NH² + 2INH + H² + 9NH + PH + TH + VH + IN + 3H",
        "4NH² + 2INH + H² + 9NH + PH + TH + VH + IN + 3H",
        "VH + PH + TH + 2H + N(4H² + 2IH + 9H + I) + H² + H",
    ),
    (
        "gpt2",
        ("N=12", "H=768", "I=3072", "V=50257", "P=1024"),
        "124,439,808",
        "124,439,808",
        "124,439,808",
        "38,597,376 + 786,432 + 12 × 7,087,872 + 1,536",
    ),
]


@pytest.mark.parametrize(("model", "where", "by_symbol", "expanded", "factored", "by_module"), MODELS)
def test_models(model: str, where: tuple[str, ...], by_symbol: str, expanded: str, factored: str, by_module: str) -> None:
    lines = {"by-symbol": by_symbol, "expanded": expanded, "factored": factored, "by-module": by_module}
    for form, line in lines.items():
        assert str(derive(model, where=where, form=form)) == line


@pytest.mark.parametrize(
    ("by", "line"),
    [
        ("H", "(13N + P + V + 2)H + 12NH²"),
        ("N", "HP + HV + 2H + (12H² + 13H)N"),
        ("P", "12H²N + 13HN + HV + 2H + HP"),
        ("V", "12H²N + 13HN + HP + 2H + HV"),
    ],
)
def test_collecting_by_each_letter(by: str, line: str) -> None:
    assert str(derive("gpt2", where=["I=4H"], by=by)) == line
    assert str(derive("gpt2", where=["I=4H"], form="expanded", by="N")) == "12H²N + 13HN + HP + HV + 2H"


@pytest.mark.parametrize(
    ("text", "by", "line"),
    [
        ("(N+1)/H", "H", "(N + 1)/H"),
        ("(N+1)/H²+3", "H", "(N + 1)/H² + 3"),
        ("-(N+1)H", "H", "−(N + 1)H"),
        ("(1-N)H", "H", "(−N + 1)H"),
        ("kH²/h", "h", "H²k/h"),
        ("(H+1)/(N+H)", "N", "(H + 1)/(H + N)"),
        ("(NH+H+1)/(N+V)", "H", "(1 + (N + 1)H)/(N + V)"),
        ("8NH²/3 + H²", "H", "(8N/3 + 1)H²"),
    ],
)
def test_collecting(text: str, by: str, line: str) -> None:
    assert str(by_symbol(meaning(text), by)) == line


def test_the_letter_that_gives_the_shortest_line_is_taken_and_h_where_it_is_no_longer() -> None:
    assert str(by_symbol(meaning("VH + VN + VL + VP + V"))) == "(H + L + N + P + 1)V"
    assert str(by_symbol(meaning("NH + N + H"))) == "N + (N + 1)H"


def test_a_letter_that_collects_nothing_does_not_win_over_one_that_does() -> None:
    assert str(by_symbol(meaning("VH + 2H"))) == "(V + 2)H"  # And not 2H + HV, which is shorter.
    assert str(by_symbol(meaning("VH + 3NH² + 5NH"))) == "(5N + V)H + 3NH²"
    assert str(by_symbol(meaning("H - N²"))) == "H − N²"  # Where H collects nothing either, the shortest line is taken.


def test_the_order_is_that_of_the_letters_on_the_page() -> None:
    kaplan = UNICODE.using(ALPHABETS["kaplan"])
    # n_layer stands before n_vocab, as N does not before V alone: by our letters B < I, by Kaplan's B < d_ff < n_heads.
    found = write(expanded(meaning("IV + hV + BV"), notation=kaplan), kaplan)
    assert found == "B\u2009n_vocab + d_ff\u2009n_vocab + n_heads\u2009n_vocab"
    assert str(expanded(meaning("hV + IV + BV"))) == "BV + hV + IV"
    assert str(expanded(meaning("hB + HB"), "B")) == "HB + hB"


def test_collecting_by_a_letter_that_does_not_occur() -> None:
    for form in ("by-symbol", "expanded", "factored"):
        with pytest.raises(FormulaError) as error:
            closed_form(meaning("12NH²"), form, "V")
        assert str(error.value) == "the formula cannot be collected by V, which does not occur in it; H, N do"
    with pytest.raises(FormulaError) as error:
        closed_form(meaning("12"), "by-symbol", "V")
    assert str(error.value) == "the formula cannot be collected by V: it is a plain number"
    with pytest.raises(FormulaError, match="which does not occur in it; H do"):
        by_symbol(meaning("H + N - N"), "N")


@given(rational_formulas(max_leaves=7), st.sampled_from("HNV"))
def test_every_form_means_the_expression_and_is_read_back_as_itself(formula: Formula, by: str) -> None:
    try:
        above, below = normal_form(formula.expr)
    except FormulaError:
        assume(False)
    found = [by_symbol(formula.expr), expanded(formula.expr), factored(formula.expr)]
    if by in above.letters | below.letters:
        found.append(by_symbol(formula.expr, by))
        found.append(expanded(formula.expr, by))
    for form in found:
        assert equal(form.expr, formula.expr)
        assert read_formula(str(form)) == read_formula(form.latex) == form


@given(rational_formulas(max_leaves=6))
def test_factors_multiply_back_and_hold_no_sum_that_factors_further(formula: Formula) -> None:
    try:
        found = factored(formula.expr)
    except FormulaError:
        assume(False)
    assert equal(found.expr, formula.expr)
    for factor in _factors(found):
        if isinstance(factor, Sum):
            again = factored(factor.expr)
            assert again == factor or isinstance(again, Sum)


def _factors(formula: Formula) -> list[Formula]:
    if isinstance(formula, Power):
        return [formula.base]
    if isinstance(formula, (Product, Quotient)):
        return [inner for part in formula.parts for inner in _factors(part)]
    return [formula]


def test_a_long_sum_is_not_taken_apart_but_for_what_all_terms_share() -> None:
    long = meaning("HN(H+N+L+V+P)^3(T+I+h+1)^2 + HN")
    assert isinstance(found := factored(long), Product)
    assert [len(factor.parts) for factor in found.factors] == [0, 0, 351]  # 35 × 10 terms and the one that is added.
    assert equal(found.expr, long)


def test_a_symbol_stands_for_itself() -> None:
    assert by_symbol(meaning("H")) == expanded(meaning("H")) == factored(meaning("H")) == Symbol("H")

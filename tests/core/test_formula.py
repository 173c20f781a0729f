"""Writing a formula in every notation, its meaning, and that reading what was written gives the same tree back."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy
from hypothesis import assume, given
from hypothesis import strategies as st

from symparam.core.algebra.polynomial import equal
from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.combining import multiplied, summed
from symparam.core.formula import (
    MAX_DEPTH,
    Formula,
    Negative,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Sum,
    Symbol,
    abbreviated,
    number,
    write,
    write_factors,
)
from symparam.core.notation import ASCII, LATEX, UNICODE, Notation
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError
from tests.strategies import formulas, rational_formulas, value_by_hand

H, N, V, h, k, d = (Symbol(letter) for letter in "HNVhkd")
ONE, TWO, THREE = Number(1), Number(2), Number(3)


@pytest.mark.parametrize(
    ("formula", "text", "ascii", "latex"),
    [
        (Number(23835648), "23,835,648", "23,835,648", "23{,}835{,}648"),
        (Number(Fraction(5, 2)), "2.5", "2.5", "2.5"),
        (Negative(Number(5)), "−5", "-5", "-5"),
        (Product((Number(12), N, Power(H, TWO))), "12NH²", "12NH^2", "12NH^{2}"),
        (Sum((Product((V, H)), Negative(Product((TWO, H))))), "VH − 2H", "VH - 2H", "VH - 2H"),
        (Sum((Negative(H), ONE)), "−H + 1", "-H + 1", "-H + 1"),
        (Sum((H, Negative(Negative(N)))), "H − (−N)", "H - (-N)", "H - (-N)"),
        (Sum((Sum((H, N)), V)), "(H + N) + V", "(H + N) + V", "(H + N) + V"),
        (Negative(Sum((H, N))), "−(H + N)", "-(H + N)", "-(H + N)"),
        (Negative(Negative(H)), "−(−H)", "-(-H)", "-(-H)"),
        (Product((Sum((Product((Number(12), N)), ONE)), Power(H, TWO))), "(12N + 1)H²", "(12N + 1)H^2", "(12N + 1)H^{2}"),
        (Product((Number(12), Number(768))), "12 × 768", "12 * 768", "12 \\times 768"),
        (Product((TWO, Power(THREE, TWO))), "2 × 3²", "2 * 3^2", "2 \\times 3^{2}"),
        (Product((H, TWO)), "H × 2", "H * 2", "H \\times 2"),
        (Product((Sum((H, ONE)), TWO)), "(H + 1) × 2", "(H + 1) * 2", "(H + 1) \\times 2"),
        (Product((H, Negative(N))), "H(−N)", "H(-N)", "H(-N)"),
        (Product((H, Product((N, V)))), "H(NV)", "H(NV)", "H(NV)"),
        (Quotient(H, h), "H/h", "H/h", "\\frac{H}{h}"),
        (Quotient(Product((k, Power(H, TWO))), h), "kH²/h", "kH^2/h", "\\frac{kH^{2}}{h}"),
        (Quotient(H, Product((Number(6), h))), "H/(6h)", "H/(6h)", "\\frac{H}{6h}"),
        (Quotient(Quotient(H, h), k), "(H/h)/k", "(H/h)/k", "\\frac{\\frac{H}{h}}{k}"),
        (Quotient(Sum((H, ONE)), Sum((N, TWO))), "(H + 1)/(N + 2)", "(H + 1)/(N + 2)", "\\frac{H + 1}{N + 2}"),
        (Quotient(Negative(H), h), "(−H)/h", "(-H)/h", "\\frac{-H}{h}"),
        (Negative(Quotient(H, h)), "−H/h", "-H/h", "-\\frac{H}{h}"),
        (Product((Quotient(H, h), N)), "(H/h)N", "(H/h)N", "\\frac{H}{h}N"),
        (Product((TWO, Quotient(ONE, THREE), N)), "2 × (1/3) × N", "2 * (1/3) * N", "2 \\times \\frac{1}{3} \\times N"),
        (Power(H, Number(12)), "H¹²", "H^12", "H^{12}"),
        (Power(H, Negative(TWO)), "H^(−2)", "H^(-2)", "H^{-2}"),
        (Power(H, Sum((N, ONE))), "H^(N + 1)", "H^(N + 1)", "H^{N + 1}"),
        (Power(H, Power(N, TWO)), "H^(N²)", "H^(N^2)", "H^{N^{2}}"),
        (Power(Power(H, TWO), THREE), "(H²)³", "(H^2)^3", "(H^{2})^{3}"),
        (Power(Quotient(H, h), TWO), "(H/h)²", "(H/h)^2", "\\left(\\frac{H}{h}\\right)^{2}"),
        (Power(Negative(H), TWO), "(−H)²", "(-H)^2", "(-H)^{2}"),
        (Root(Quotient(V, TWO)), "√(V/2)", "sqrt(V/2)", "\\sqrt{\\frac{V}{2}}"),
        (Product((N, Root(H), V)), "N√(H)V", "N * sqrt(H) * V", "N\\sqrt{H}V"),
        (Power(Root(H), TWO), "(√(H))²", "(sqrt(H))^2", "(\\sqrt{H})^{2}"),
        (Quotient(Negative(Root(H)), Root(N)), "(−√(H))/√(N)", "(-sqrt(H))/sqrt(N)", "\\frac{-\\sqrt{H}}{\\sqrt{N}}"),
        (Negative(Power(H, TWO)), "−H²", "-H^2", "-H^{2}"),
        (Power(H, Number(1000)), "H^1,000", "H^1,000", "H^{1{,}000}"),
    ],
)
def test_writing(formula: Formula, text: str, ascii: str, latex: str) -> None:
    assert (str(formula), formula.ascii, formula.latex) == (text, ascii, latex)
    assert formula._repr_latex_() == f"$\\displaystyle {latex}$"
    for written in (text, ascii, latex):
        assert read_formula(written) == formula


@pytest.mark.parametrize(
    ("name", "text", "latex"),
    [
        ("kaplan", "12\u2009n_layer\u2009d_model² + d_model", "12n_{\\text{layer}}d_{\\text{model}}^{2} + d_{\\text{model}}"),
        ("megatron", "12lh² + h", "12lh^{2} + h"),
        ("chinchilla", "12LD² + D", "12LD^{2} + D"),
        ("scaling-book", "12LD² + D", "12LD^{2} + D"),
        (
            "hugging-face",
            "12 × num_hidden_layers × hidden_size² + hidden_size",
            "12 \\times \\text{num\\_hidden\\_layers} \\times \\text{hidden\\_size}^{2} + \\text{hidden\\_size}",
        ),
        ("l-for-layers", "12LH² + H", "12LH^{2} + H"),
    ],
)
def test_writing_in_other_letters(name: str, text: str, latex: str) -> None:
    formula = Sum((Product((Number(12), N, Power(H, TWO))), H))
    assert write(formula, UNICODE.using(ALPHABETS[name])) == text
    assert write(formula, LATEX.using(ALPHABETS[name])) == latex


@pytest.mark.parametrize("notation", [UNICODE, ASCII, LATEX], ids=lambda notation: notation.name)
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS)
@given(formula=formulas())
def test_reading_what_was_written_gives_the_same_formula(notation: Notation, alphabet: Alphabet, formula: Formula) -> None:
    assert read_formula(write(formula, notation.using(alphabet)), alphabet) == formula


@pytest.mark.parametrize("notation", [UNICODE, ASCII, LATEX], ids=lambda notation: notation.name)
@given(formula=formulas(("H", "x", "e", "d2", "d_in", "H_mask_decoder", "αβ", "X")))
def test_reading_what_was_written_with_letters_of_ones_own(notation: Notation, formula: Formula) -> None:
    own = {letter: letter for letter in ("x", "e", "d2", "d_in", "H_mask_decoder", "αβ", "X")}
    assert read_formula(write(formula, notation), names=own) == formula


def test_a_long_name_in_an_exponent_does_not_merge_with_the_next_letter() -> None:
    names = {name: name for name in ("H", "s", "n_head", "n_heads")}
    formula = Product((Power(H, Symbol("n_head")), Symbol("s")))
    assert (str(formula), formula.latex) == ("H^n_head × s", "H^{n_{\\text{head}}}s")
    assert read_formula(str(formula), names=names) == read_formula(formula.latex, names=names) == formula


@given(rational_formulas(), st.fixed_dictionaries({letter: st.integers(1, 50) for letter in "HNV"}))
def test_the_meaning_has_the_value_of_the_page(formula: Formula, values: dict[str, int]) -> None:
    try:
        expected = value_by_hand(formula, values)
        meaning = formula.expr
    except (ZeroDivisionError, FormulaError):
        assume(False)
    found = meaning.subs({sympy.Symbol(letter, integer=True, positive=True): value for letter, value in values.items()})
    assert found == sympy.Rational(expected.numerator, expected.denominator)


@given(rational_formulas())
def test_the_meaning_is_kept_by_every_notation(formula: Formula) -> None:
    try:
        meaning = formula.expr
        assert equal(meaning, meaning)
    except FormulaError:
        assume(False)
    for written in (str(formula), formula.ascii, formula.latex):
        assert equal(read_formula(written).expr, meaning)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("9**9**9**9", "9^(9⁹) is a number of more than 4,096 binary digits; nothing counted is that large"),
        ("2^4097", "2^4,097 is a number of more than 4,096 binary digits; nothing counted is that large"),
        ("((9H)^99)^99", "((9H)⁹⁹)⁹⁹ is a number of more than 4,096 binary digits; nothing counted is that large"),
        ("(H/9)^2000", "(H/9)^2,000 is a number of more than 4,096 binary digits; nothing counted is that large"),
        ("(H+1)^101", "(H + 1)¹⁰¹ multiplies more than 100 letters with each other; nothing counted does"),
        ("1/0", "1/0 divides by zero"),
        ("H/(N-N)", "H/(N − N) divides by zero"),
        ("0^-1", "0^(−1) divides by zero"),
        ("0^-N", "0^(−N) divides by zero for some values"),
        ("2^0.5", "2^0.5 is a root, and symparam counts in exact rational numbers"),
        ("H^0.5", "H^0.5 is a root, and symparam counts in exact rational numbers"),
        ("H^(1/3)", "H^(1/3) is a root, and symparam counts in exact rational numbers"),
    ],
)
def test_formulas_without_a_meaning(text: str, message: str) -> None:
    formula = read_formula(text)
    with pytest.raises(FormulaError) as error:
        formula.expr  # noqa: B018
    assert str(error.value) == message


@pytest.mark.parametrize(
    "text",
    [
        "*".join(["9^999"] * 3000),
        "+".join(f"1/{base}^600" for base in range(3, 100, 2)),
        "+".join(["H/7^999", "H/9^999"] * 60),
        "(" * 45 + "H" + "^2+1)" * 45,
        "(" * 48 + "9H" + ")^99" * 48,
        "H*" * 200 + "H",
        "(H+N+L+V+P)" * 200,
        "1/" + "(H^2+N)^50" * 3,
    ],
)
def test_what_would_take_the_memory_or_the_day_is_refused_at_once(text: str) -> None:
    formula = read_formula(text)
    with pytest.raises(FormulaError):
        formula.expr  # noqa: B018


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("2^10", 1024),
        ("2^-1", Fraction(1, 2)),
        ("0^0", 1),
        ("0^5", 0),
        ("1^9999", 1),
        ("(-1)^9999", -1),
        ("-2^2", -4),
        ("(1/2)^2", Fraction(1, 4)),
    ],
)
def test_powers_of_numbers(text: str, meaning: Fraction) -> None:
    assert read_formula(text).expr == sympy.Rational(Fraction(meaning).numerator, Fraction(meaning).denominator)


def test_a_formula_of_one_hundred_levels_is_made_and_one_of_more_is_not() -> None:
    formula: Formula = H
    for _ in range(MAX_DEPTH - 1):
        formula = Negative(formula)
    assert formula.depth == MAX_DEPTH
    assert formula.expr == -H.expr
    assert str(formula).count("−") == MAX_DEPTH - 1
    with pytest.raises(FormulaError, match="nested more than 100 levels deep"):
        Negative(formula)


@pytest.mark.parametrize("value", [-1, Fraction(-1, 2), Fraction(1, 3), Fraction(1, 2**2001)])
def test_what_decimal_digits_cannot_write_is_no_number(value: int | Fraction) -> None:
    with pytest.raises(ValueError, match=r"written as|decimal"):
        Number(value)


def test_a_number_that_python_could_not_print_is_refused() -> None:
    with pytest.raises(FormulaError, match="more than 12,288 binary digits"):
        Number(2**20000)


def test_a_whole_fraction_is_a_whole_number() -> None:
    assert Number(Fraction(4, 2)) == Number(2)
    assert type(Number(Fraction(4, 2)).value) is int


@pytest.mark.parametrize(
    ("value", "formula", "text"),
    [
        (5, Number(5), "5"),
        (-5, Negative(Number(5)), "−5"),
        (Fraction(5, 2), Number(Fraction(5, 2)), "2.5"),
        (Fraction(8, 3), Quotient(Number(8), Number(3)), "8/3"),
        (Fraction(-8, 3), Negative(Quotient(Number(8), Number(3))), "−8/3"),
        (Fraction(1, 2**2001), Quotient(ONE, Number(2**2001)), f"1/{2**2001:,}"),
    ],
)
def test_number(value: int | Fraction, formula: Formula, text: str) -> None:
    assert number(value) == formula
    assert str(number(value)) == text


def test_summed_opens_inner_sums_and_needs_no_terms() -> None:
    assert summed() == Number(0)
    assert summed(H) == H
    assert summed(H, Sum((N, V)), Product((N, V))) == Sum((H, N, V, Product((N, V))))


@pytest.mark.parametrize(
    ("factors", "product"),
    [
        ((), ONE),
        ((H,), H),
        ((ONE, H), H),
        ((ONE, ONE), ONE),
        ((H, N), Product((H, N))),
        ((Number(0), H), Number(0)),
        ((Negative(H), N), Negative(Product((H, N)))),
        ((Negative(H), Negative(N)), Product((H, N))),
        ((Negative(ONE), H), Negative(H)),
        ((TWO, Sum((H, ONE))), Product((TWO, Sum((H, ONE))))),
    ],
)
def test_multiplied(factors: tuple[Formula, ...], product: Formula) -> None:
    assert multiplied(*factors) == product


def test_put_in_changes_letters_and_nothing_else() -> None:
    formula = Product((Number(12), N, Power(H, TWO)))
    assert str(formula.substitute({"N": 12, "H": 768, "V": 5})) == "12 × 12 × 768²"
    assert str(formula.substitute({"H": Sum((h, ONE))})) == "12N(h + 1)²"
    assert str(formula.substitute({"H": Fraction(8, 3)})) == "12 × N × (8/3)²"
    assert str(formula.substitute({"N": -2})) == "12(−2)H²"
    assert formula.substitute({"V": 5}) is formula
    assert str(Quotient(H, h).substitute({"H": 768, "h": 12})) == "768/12"


def test_letters_and_depth() -> None:
    formula = Sum((Product((Number(12), N)), Quotient(H, h)))
    assert formula.letters == {"N", "H", "h"}
    assert (formula.depth, formula.degree, Number(5).letters) == (3, 2, frozenset())


def test_a_long_formula_is_cut_in_messages() -> None:
    assert abbreviated(H) == "H"
    assert abbreviated(Sum((H,) * 100)) == "H + " * 19 + "H +" + "…"


@pytest.mark.parametrize(
    ("factors", "text", "tex"),
    [
        ("V|H", "V × H", "V \\times H"),
        ("H", "H", "H"),
        ("1|P+1|H", "1 × (P + 1) × H", "1 \\times (P + 1) \\times H"),
        ("P+1", "P + 1", "P + 1"),
        ("H/2|3H", "(H/2) × 3H", "\\frac{H}{2} \\times 3H"),
    ],
)
def test_factors_that_are_kept_apart(factors: str, text: str, tex: str) -> None:
    read = [read_formula(factor) for factor in factors.split("|")]
    assert write_factors(read) == text
    assert write_factors(read, LATEX) == tex


def test_a_single_number_has_a_shape_that_can_be_seen() -> None:
    assert (write_factors(()), write_factors((), LATEX)) == ("()", "()")

"""Reading a formula: every notation people write, the precedence they mean, and a column for what cannot be read."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError
from tests.strategies import value_by_hand

H, N, L, V, I, h, d, k = (Symbol(letter) for letter in "HNLVIhdk")
TWO, THREE, TWELVE = Number(2), Number(3), Number(12)
KAPLAN = ALPHABETS["kaplan"]
TWELVE_N_H_SQUARED = Product((TWELVE, N, Power(H, TWO)))


@pytest.mark.parametrize(
    "text",
    [
        "12NH²",
        "12 N H²",
        "12NH^2",
        "12NH**2",
        "12*N*H**2",
        "12 x N x H^2",
        "12xNxH²",
        "12 × N × H²",
        "12·N·H²",
        "12⋅N⋅H²",
        "12＊N＊H＾2",
        "12N H^{2}",
        "12NH^(2)",
        "12\\times N\\times H^{2}",
        "12\\cdot N \\cdot H^2",
        "12\\,N\\,H^2",
        "12NH<sup>2</sup>",
        "12 layers × hidden_size²",
        "12 × num_hidden_layers × hidden_size<sup>2</sup>",
        "12\\text{layers}\\times\\text{hidden\\_size}^2",
        "12 x n_layer x n_embd^2",
        "12 num_layers d_model^2",
        "12 layers hidden\\_size^2",
        "12N{H}^2",
        "+12NH²",
        "12\tN\nH²",
        "12 layers x d_{\\text{model}}²",
        "12 N d_\\text{model}^2",
    ],
)
def test_one_formula_in_every_spelling(text: str) -> None:
    assert read_formula(text) == TWELVE_N_H_SQUARED


@pytest.mark.parametrize(
    ("text", "formula"),
    [
        ("0", Number(0)),
        ("23{,}835{,}648", Number(23835648)),
        ("2.5H", Product((Number(Fraction(5, 2)), H))),
        ("10^6", Power(Number(10), Number(6))),
        ("1e3", Number(1000)),
        ("4*10**6", Product((Number(4), Power(Number(10), Number(6))))),
        ("−5", Negative(Number(5))),
        ("(3L+11N+2)H+12NH²", Sum((Product((Sum((Product((THREE, L)), Product((Number(11), N)), TWO)), H)), TWELVE_N_H_SQUARED))),
        ("（3L＋11N＋2）H＋12NH²", Sum((Product((Sum((Product((THREE, L)), Product((Number(11), N)), TWO)), H)), TWELVE_N_H_SQUARED))),
        ("VH－2H", Sum((Product((V, H)), Negative(Product((TWO, H)))))),
        ("H/h", Quotient(H, h)),
        ("H÷h", Quotient(H, h)),
        ("H／h", Quotient(H, h)),
        ("\\frac{H}{h}", Quotient(H, h)),
        ("\\dfrac{H}{h}N", Product((Quotient(H, h), N))),
        ("2\\frac{H}{h}", Product((TWO, Quotient(H, h)))),
        ("\\frac{H+1}{2h}", Quotient(Sum((H, Number(1))), Product((TWO, h)))),
        ("\\left(\\frac{H}{h}\\right)^{2}", Power(Quotient(H, h), TWO)),
        ("\\bigl[H + N\\bigr] \\times 2", Product((Sum((H, N)), TWO))),
        ("[H+N][V]", Product((Sum((H, N)), V))),
        ("L/6h", Quotient(L, Product((Number(6), h)))),
        ("L/6h²N", Quotient(L, Product((Number(6), Power(h, TWO), N)))),
        ("L/6*h", Product((Quotient(L, Number(6)), h))),
        ("H/h/k", Quotient(Quotient(H, h), k)),
        ("H/h*k", Product((Quotient(H, h), k))),
        ("H*h/k", Quotient(Product((H, h)), k)),
        ("H/(h*k)", Quotient(H, Product((h, k)))),
        ("2H/3N", Quotient(Product((TWO, H)), Product((THREE, N)))),
        ("H^2N", Product((Power(H, TWO), N))),
        ("H^N^2", Power(H, Power(N, TWO))),
        ("2H^2", Product((TWO, Power(H, TWO)))),
        ("(2H)^2", Power(Product((TWO, H)), TWO)),
        ("-H^2", Negative(Power(H, TWO))),
        ("(-H)^2", Power(Negative(H), TWO)),
        ("-HN + V", Sum((Negative(Product((H, N))), V))),
        ("H^-2", Power(H, Negative(TWO))),
        ("H⁻²", Power(H, Negative(TWO))),
        ("H^-2^3", Power(H, Negative(Power(TWO, THREE)))),
        ("H*-N", Product((H, Negative(N)))),
        ("H*-N*V", Product((H, Negative(N), V))),
        ("H/-N*V", Product((Quotient(H, Negative(N)), V))),
        ("H/-2N", Quotient(H, Negative(Product((TWO, N))))),
        ("H-(-N)", Sum((H, Negative(Negative(N))))),
        ("H-(N-V)", Sum((H, Negative(Sum((N, Negative(V))))))),
        ("(H)", H),
        ("((H+N))", Sum((H, N))),
        ("H(N+1)", Product((H, Sum((N, Number(1)))))),
        ("16*20*28 / 2*2", Product((Quotient(Product((Number(16), Number(20), Number(28))), TWO), TWO))),
        ("12*(768*2+768*2)", Product((TWELVE, Sum((Product((Number(768), TWO)), Product((Number(768), TWO))))))),
        ("30,522 x 768", Product((Number(30522), Number(768)))),
    ],
)
def test_precedence_and_grouping_are_kept(text: str, formula: Formula) -> None:
    assert read_formula(text) == formula


@pytest.mark.parametrize(
    ("name", "text", "formula"),
    [
        ("kaplan", "12 n_{\\text{layer}} d_{\\text{model}}^2", TWELVE_N_H_SQUARED),
        ("kaplan", "12n_{layer}d_{model}^{2}", TWELVE_N_H_SQUARED),
        ("kaplan", "d_\\text{ff}", I),
        ("kaplan", "d_{\\mathrm{ff}}", I),
        ("megatron", "12lh²", TWELVE_N_H_SQUARED),
        ("megatron", "s/6h", Quotient(L, Product((Number(6), H)))),
        ("chinchilla", "12LD²", TWELVE_N_H_SQUARED),
        ("scaling-book", "18BTDF", Product((Number(18), Symbol("B"), L, H, I))),
        ("hugging-face", "3 x num_hidden_layers x hidden_size", Product((THREE, N, H))),
        ("l-for-layers", "12LH^2", TWELVE_N_H_SQUARED),
        ("l-for-layers", "3 x L x hidden_size", Product((THREE, N, H))),
    ],
)
def test_other_authors_letters(name: str, text: str, formula: Formula) -> None:
    assert read_formula(text, ALPHABETS[name]) == formula


def test_names_that_are_declared_go_before_all_others() -> None:
    assert read_formula("QH", names={"Q": "N"}) == Product((N, H))
    assert read_formula("layers", names={"layers": "L"}) == L
    assert read_formula("L", Alphabet("mine", "", {"N": "L", "L": "S"}), {"L": "V"}) == V
    assert read_formula("layers", Alphabet("mine", "", {"H": "layers"})) == H


@pytest.mark.parametrize(
    ("text", "column", "problem"),
    [
        ("", 1, "the formula ends where a number, a letter or a bracket is expected"),
        ("   ", 4, "the formula ends where a number, a letter or a bracket is expected"),
        ("H+", 3, "the formula ends where a number, a letter or a bracket is expected"),
        ("H*", 3, "the formula ends where a number, a letter or a bracket is expected"),
        ("H^", 3, "the formula ends where a number, a letter or a bracket is expected"),
        ("-", 2, "the formula ends where a number, a letter or a bracket is expected"),
        ("(H", 3, "')' is missing here"),
        ("(H]", 3, "')' is missing here"),
        ("[H)", 3, "']' is missing here"),
        ("{H)", 3, "'}' is missing here"),
        ("(H + N 2", 8, "a number stands directly after another factor; a sign such as × is expected between them"),
        ("H)", 2, "the formula ends here, but more text follows"),
        ("()", 2, "')' stands where a number, a letter or a bracket is expected"),
        ("*H", 1, "'*' stands where a number, a letter or a bracket is expected"),
        ("xH", 1, "'x' stands where a number, a letter or a bracket is expected"),
        ("²", 1, "'²' stands where a number, a letter or a bracket is expected"),
        ("H ×× N", 4, "'×' stands where a number, a letter or a bracket is expected"),
        ("H --N", 4, "'-' stands where a number, a letter or a bracket is expected"),
        ("--H", 2, "'-' stands where a number, a letter or a bracket is expected"),
        ("+-+H", 3, "'+' stands where a number, a letter or a bracket is expected"),
        ("H*--N", 4, "'-' stands where a number, a letter or a bracket is expected"),
        ("H^--2", 4, "'-' stands where a number, a letter or a bracket is expected"),
        ("H2", 2, "a number stands directly after another factor; a sign such as × is expected between them"),
        ("2 3", 3, "a number stands directly after another factor; a sign such as × is expected between them"),
        ("23 835 648", 4, "a number stands directly after another factor; a sign such as × is expected between them"),
        ("H²3", 3, "a number stands directly after another factor; a sign such as × is expected between them"),
        ("H²^3", 3, "an exponent stands after an exponent; brackets are expected around what the second one applies to"),
        ("H^{2}^{3}", 6, "an exponent stands after an exponent; brackets are expected around what the second one applies to"),
        ("H^2²", 4, None),
        ("\\frac H N", 7, "'{' is expected here"),
        ("\\frac{H}", 9, "'{' is expected here"),
        ("\\frac{H}{N", 11, "'}' is missing here"),
        ("12LQ", 3, "'LQ' is not a declared letter or name, nor a product of declared ones; did you mean 'L'?"),
        ("3 + hiddensize", 5, "'hiddensize' is not a declared letter or name, nor a product of declared ones; did you mean 'hidden_size'"),
        ("(" * 51 + "H", 52, "more than 50 brackets and exponents stand inside one another"),
        ("(" * 10_000, 52, "more than 50 brackets and exponents stand inside one another"),
        ("2^" * 51 + "2", 103, "more than 50 brackets and exponents stand inside one another"),
        ("\\frac{" * 51 + "2", 307, "more than 50 brackets and exponents stand inside one another"),
        ("H" + "/H" * 100, 0, "the formula is nested more than 100 levels deep; write it in several lines"),
        ("9" * 10**6, 0, "the formula is 1,000,000 characters long; at most 20,000 are read"),
        ("H+" * 100_000, 0, "the formula is 200,000 characters long; at most 20,000 are read"),
        ("__import__('os')", 1, "'_' is not part of a formula"),
        ("H if N else V", 3, "'if' is not a declared letter or name, nor a product of declared ones; "),
        ("{{ H }}\0", 8, "'\\x00' is not part of a formula"),
    ],
)
def test_what_cannot_be_read(text: str, column: int, problem: str | None) -> None:
    if problem is None:
        assert read_formula(text) == Power(H, Power(TWO, TWO))  # As H**2**2 is read.
        return
    with pytest.raises(FormulaError) as error:
        read_formula(text)
    assert (error.value.column, error.value.problem[: len(problem)]) == (column, problem)


@st.composite
def python_lines(draw: st.DrawFn, depth: int = 3) -> str:
    """Lines that Python reads too: numbers, + - * / ** with signs and brackets, and no factors side by side."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(["1", "2", "3", "5", "7", "10"]))
    kind = draw(st.sampled_from(["+", "-", "*", "/", "*-", "/-", "()", "-()", "**"]))
    left = draw(python_lines(depth - 1))
    if kind in ("()", "-()"):
        return f"({'-' * (kind == '-()' and not left.startswith('-'))}{left})"
    if kind == "**":
        return f"{draw(st.sampled_from(['2', '(1+2)', '(-2)']))}**{draw(st.sampled_from(['2', '-1', '3', '2**2', '(1-3)']))}"
    right = draw(python_lines(depth - 1))
    return f"{left}{draw(st.sampled_from(['', ' ']))}{kind}{draw(st.sampled_from(['', ' ']))}{right}"


@given(python_lines())
@example("6/-2*3")
@example("-2**2")
@example("2**-1**2")
@example("2**3**2")
@example("8/2/2*3-1-1")
def test_without_factors_side_by_side_the_precedence_is_that_of_python(line: str) -> None:
    numbers = "".join(f"Fraction({part})" if part.isdigit() else part for part in _parts(line))
    try:
        expected = eval(numbers, {"Fraction": Fraction})
    except ZeroDivisionError:
        assume(False)
    assert value_by_hand(read_formula(line), {}) == expected


def _parts(line: str) -> list[str]:
    marked = "".join(f" {character} " if not character.isdigit() else character for character in line)
    return ["**" if part == "**" else part for part in marked.replace(" *  * ", " ** ").split()]

"""What users state of a model: in text, with SymPy, of sizes of their own, and with letters that a measure needs too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy

import symparam
from symparam import Architecture, B, Block, H, I, L, Linear, N, Repeat
from symparam.core.dimensions import S
from symparam.errors import ArchitectureError, FormulaError, RelationError

width, inner = sympy.symbols("H I")
FOUR_TIMES = "(2dhN + 2dkN + 2N + 2V + 1)H + 12NH²"


@pytest.mark.parametrize(
    ("where", "formula"),
    [
        ("I=4H", FOUR_TIMES),
        (sympy.Eq(inner, 4 * width), FOUR_TIMES),
        ([sympy.Eq(4 * H, I)], FOUR_TIMES),
        ({I: 4 * width}, FOUR_TIMES),
        ({"intermediate_size": "4H"}, FOUR_TIMES),
        ((each for each in ["I=4H"]), FOUR_TIMES),
        ([{"I": 4 * H}, "d=H/h", sympy.Eq(sympy.Symbol("k"), sympy.Symbol("h"))], "(2N + 2V + 1)H + 16NH²"),
        ({I: 4 * sympy.Symbol("hidden_size")}, FOUR_TIMES),
        (sympy.Eq(sympy.Symbol("intermediate_size"), 4 * sympy.Symbol("n_embd")), FOUR_TIMES),
        ("I=8/3 H", "(2dhN + 2dkN + 2N + 2V + 1)H + 8NH²"),
        ("h=4*k", "(10dkN + 3IN + 2N + 2V + 1)H"),
        ([{"H": 96}, sympy.Eq(I, sympy.floor(8 * H / 3) + 1), {"d": 8, "h": 12, "k": 12}], "192V + 96 + 111,072N"),
    ],
)
def test_statements_of_every_kind(where: Any, formula: str) -> None:
    assert str(symparam.derive("llama", where=where)) == formula


@pytest.mark.parametrize(
    ("where", "message"),
    [
        ("L=32k - 1", r"write L=32768 - 1 for 32,768, or L=32000 - 1 for 32,000, or L=32\*k - 1 for that many times the key/value heads"),
        ("L=8 k", r"write L=8Ki for 8,192, or L=8000 for 8,000, or L=8\*k for that many times the key/value heads"),
        ("L=8k", r"write L=8Ki for 8,192, or L=8000 for 8,000, or L=8\*k for that many times the key/value heads"),
        ("h=8k", r"write h=8Ki for 8,192, or h=8000 for 8,000, or h=8\*k for that many times the key/value heads"),
        ("L=1.5M", "write L=1.5Mi for 1,572,864, or L=1500000 for 1,500,000"),
        ("L=32K", "or L=32\\*K for that many times the experts used per token"),
        ("I=8/3H", r"this is \(8/3\)H or 8/\(3H\); put the brackets that are meant"),
        ("I=1/2(H+2)", r"this is \(1/2\)\(H\+2\) or 1/\(2\(H\+2\)\)"),
        (True, "'True' states nothing"),
        (3, "'3' states nothing; a text such as 'I=4H'"),
        (sympy.Eq(H, H), "'True' states nothing"),
        (sympy.Eq(H + 1, 2 * I), "is not a letter; one is expected there"),
        (sympy.Eq(I, sympy.ceiling(H / 3)), "is rounded, so it has no closed form; give H a value"),
    ],
)
def test_what_says_two_things_is_asked_back(where: Any, message: str) -> None:
    with pytest.raises((RelationError, FormulaError), match=message):
        symparam.derive("llama", where=where)


def test_symbols_in_the_letters_of_an_author() -> None:
    model, inner = sympy.symbols("d_model d_ff")
    assert symparam.derive("gpt2", where={inner: 4 * model}, alphabet="kaplan").formula == symparam.derive("gpt2", where="I=4H").formula
    rounded = sympy.Eq(inner, sympy.ceiling(8 * model / 3))
    assert symparam.derive("gpt2", where=[{model: 768}, rounded], alphabet="kaplan").formula.letters == {"N", "P", "V"}


def test_differences_and_thresholds_are_expressions() -> None:
    assert sympy.diff(symparam.compare("gpt2", "bert"), H) == H * 2 + 1 + sympy.Symbol("T", integer=True, positive=True)
    assert sympy.sympify(symparam.crossover("gpt2")) == symparam.crossover("gpt2").expr == I - 2 * H


def test_the_value_of_an_expression_of_sympy() -> None:
    width, layers = sympy.symbols("H N")
    assert symparam.evaluate(12 * layers * width**2 / 7 + H, {"H": 14, N: 3}) == 1022
    assert symparam.evaluate(symparam.derive("gpt2").plain(), {"H": 2, "I": 3, "N": 5, "V": 7, "P": 11}) == 285


def test_a_number_of_tokens_with_a_binary_prefix() -> None:
    assert symparam.count("llama-3-8b", measure="kv-cache", where=["S=8Ki", "B=1"]).total == 2 * 32 * 8 * 128 * 8192 * 2


@pytest.mark.parametrize(
    ("architecture", "message"),
    [
        (
            Architecture("A", Block("A", layers=Repeat(L, Linear(H, H)))),
            "L is a number of layers in A, and flops needs L for the sequence length.*--alphabet N=L",
        ),
        (Architecture("A", Block("A", own=Linear(B, B))), "B is a size of its own in A, and flops needs B for the batch size.*--alphabet"),
        (Architecture("A", Block("A", own=Linear(L, H)), meanings={"L": "leaves"}), "L is a leaves in A"),
    ],
)
def test_a_letter_that_the_measure_needs_too_is_refused(architecture: Architecture, message: str) -> None:
    assert architecture.letters <= {str(each) for each in symparam.derive(architecture).expr.free_symbols}
    with pytest.raises(ArchitectureError, match=message):
        symparam.derive(architecture, measure="flops")


def test_one_letter_for_one_thing_is_no_clash() -> None:
    mixing = Architecture("mixing", Block("M", tokens=Linear(L, L, bias=False)), meanings={"L": "sequence length"})
    assert symparam.derive(mixing, measure="macs").expr == B * L**3
    assert str(symparam.derive(Architecture("A", Block("A", layers=Repeat(N, Linear(H, H, bias=False)))), measure="flops")) == "2BLNH²"


@pytest.mark.parametrize("where", ["S=196", {"S": 196}, {S: 196}, {sympy.Symbol("S"): 196}])
def test_a_size_of_ones_own_has_a_value_whatever_its_letter(where: Any) -> None:
    own = Architecture("own", Block("M", linear=Linear(S, 2), q=Linear(sympy.Symbol("q"), 1, bias=False)))
    assert symparam.count(own, where=[where, "q=3"]).total == 196 * 2 + 2 + 3


@pytest.mark.parametrize(
    "value",
    [
        lambda result: sympy.sympify(result),
        lambda result: sympy.sympify(result.formula),
        lambda result: sympy.expand(result),
        lambda result: sympy.simplify(result.formula) + 0,
        lambda result: H * 0 + result,
        lambda result: result + 0,
        lambda result: 0 - -result,
        lambda result: 2 * result / 2,
        lambda result: result**2 / result,
        lambda result: 1 / (1 / result) + (result - result),
    ],
)
def test_results_are_expressions_to_sympy(value: Callable[[Any], sympy.Expr]) -> None:
    result = symparam.derive("gpt2", where="I=4H")
    assert sympy.expand(value(result) - result.expr) == 0


def test_values_by_symbol() -> None:
    formula = symparam.read_formula("H^2 + N")
    assert symparam.evaluate(formula, {width: 3, N: sympy.Integer(4)}) == 13
    assert symparam.evaluate(formula, {"H": 3, sympy.Symbol("N", real=True): sympy.Rational(1, 2)}) == sympy.Rational(19, 2)
    assert symparam.evaluate_many(formula, {width: [1, 2], "N": 0}).tolist() == [1, 4]
    result = symparam.derive(Architecture("own", Linear(H, N)))
    assert symparam.evaluate(result, {width: 3, N: 2}) == 8
    assert symparam.evaluate_many(result, {width: [1, 3], N: 2}).tolist() == [4, 8]
    assert symparam.sweep("gpt2", {N: [12, 24]}, where="I=4H").rows == symparam.sweep("gpt2", "N=12,24", where="I=4H").rows
    with pytest.raises(FormulaError, match="a letter has two values"):
        symparam.evaluate(formula, {width: 3, H: 4, N: 1})


def test_symbols_as_sympy_makes_them() -> None:
    assert symparam.symbols("H L N") == (H, L, N)
    assert symparam.symbols("H") == H
    assert symparam.symbols(["H", "x_1"]) == [H, symparam.symbol("x_1")]
    assert symparam.symbols("H I", assumptions=False) == (width, inner)
    with pytest.raises(ArchitectureError, match="cannot name a size"):
        symparam.symbols("__import__('os')")
    plain = symparam.derive("gpt2", where="I=4H").plain()
    assert plain.free_symbols == set(sympy.symbols("H N P V"))

"""A derivation states many things, and every one of them is proven, read back, and true of the numbers."""

from __future__ import annotations

import pytest
from hypothesis import given

from symparam.analysis.derivation import Derivation, by_module
from symparam.analysis.measures.parameters import parameters
from symparam.api import derive
from symparam.core.algebra.closed_form import FORMS
from symparam.core.algebra.polynomial import equal
from symparam.core.alphabets import ALPHABETS, Alphabet
from symparam.core.dimensions import H, I, L, N, V, symbol
from symparam.core.formula import Formula, write
from symparam.core.notation import ASCII, LATEX, UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.errors import ArchitectureError, FormulaError, UnknownNameError
from symparam.models.architectures import families
from symparam.models.blocks import Architecture, Block, Embedding, LayerNorm, Linear, Repeat
from tests.sampling import one_of_each
from tests.strategies import OWN_LETTERS, architectures, values_of_letters

OWN = {letter: letter for letter in OWN_LETTERS}


def every_formula(derivation: Derivation) -> set[Formula]:
    formulas = {derivation.closed_form(form) for form in FORMS}
    formulas |= {derivation.closed_form("by-symbol", letter) for letter in derivation.letters}
    for step in derivation.root.walk():
        formulas |= {step.formula, step.sum, step.copies, *step.sizes.values(), *(row.elements for row in step.tensors)}
    return formulas


@given(architectures())
def test_every_formula_is_read_back_from_every_notation(architecture: Architecture) -> None:
    for formula in every_formula(parameters(architecture)):
        for notation in (UNICODE, ASCII, LATEX):
            again = read_formula(write(formula, notation), names=OWN)
            assert again == formula
            assert equal(again.expr, formula.expr)


@given(architectures())
def test_every_claim_is_proven(architecture: Architecture) -> None:
    derivation = parameters(architecture)
    claims = list(derivation.claims)
    assert len(claims) >= len(FORMS)
    for claim in claims:
        assert claim.relation == "="
        assert equal(claim.left.expr, claim.right.expr)
    for form in FORMS:
        assert equal(derivation.closed_form(form).expr, derivation.expr)
    for letter in derivation.letters:
        assert equal(derivation.closed_form("by-symbol", letter).expr, derivation.expr)
        assert equal(derivation.closed_form("expanded", letter).expr, derivation.expr)


@given(architectures(), values_of_letters)
def test_the_values_of_the_steps_add_up(architecture: Architecture, values: dict[str, int]) -> None:
    from symparam.core.evaluation import evaluate

    root = parameters(architecture).root
    for step in root.walk():
        value = step.value(values)
        assert value == evaluate(step.sum, values) == evaluate(step.sum_of_values(values), {})
        assert step.total(values) == value * evaluate(step.copies, values)
        repeats = 1 if step.repeats is None else evaluate(step.repeats, values)
        if step.steps:
            assert value == repeats * sum(inner.value(values) for inner in step.steps)


WRITTEN = [pytest.param(family.name, name, id=f"{family.name}-{name}") for family in families() for name in ALPHABETS]


@pytest.mark.few(10)
@pytest.mark.parametrize(("family", "name"), one_of_each(WRITTEN, lambda family, name: family))
def test_the_families_in_every_alphabet(family: str, name: str) -> None:
    alphabet = ALPHABETS[name]
    derivation = derive(family, alphabet=alphabet)
    assert all(equal(claim.left.expr, claim.right.expr) for claim in derivation.claims)
    for formula in every_formula(derivation):
        for notation in (UNICODE, ASCII, LATEX):
            assert read_formula(write(formula, notation.using(alphabet)), alphabet) == formula


def test_steps_show_how_they_are_put_together() -> None:
    heads = Block("Heads", query=Linear(H, H), key=Linear(H, H), value=Linear(H, H), norm=LayerNorm(H))
    derivation = parameters(Architecture("a", Block("A", table=Embedding(V, H), layers=Repeat(N, heads))))
    steps = {step.path: step for step in derivation.root.walk()}
    assert str(steps["layers.{i}"].sum) == "3(H² + H) + 2H"
    assert str(steps["layers.{i}"].formula) == "3H² + 5H"
    assert str(steps["layers"].sum) == "N(3H² + 5H)"
    assert str(steps["layers"].formula) == "3NH² + 5NH"
    assert str(steps[""].sum) == "VH + N(3H² + 5H)"
    assert str(by_module(derivation.root)) == "VH + N(3H² + 5H)"
    assert str(steps["layers.{i}"].sum_of_values({"H": 768})) == "3 × 590,592 + 1,536"
    assert str(steps["layers"].sum_of_values({"H": 768, "N": 12})) == "12 × 1,773,312"
    assert (str(steps["layers.{i}.query"].copies), steps["layers.{i}.query"].total({"H": 2, "N": 5})) == ("N", 30)
    claims = [f"{claim.left} = {claim.right}" for claim in derivation.claims]
    assert claims == [
        "VH + N(3H² + 5H) = 3NH² + 5NH + VH",
        "N(3H² + 5H) = 3NH² + 5NH",
        "3(H² + H) + 2H = 3H² + 5H",
        "VH + N(3H² + 5H) = (5N + V)H + 3NH²",
        "VH + N(3H² + 5H) = (5N + V)H + 3NH²",
        "VH + N(3H² + 5H) = H(N(3H + 5) + V)",
        "VH + N(3H² + 5H) = 3NH² + 5NH + VH",
        "VH + N(3H² + 5H) = H(3NH + 5N + V)",
        "VH + N(3H² + 5H) = 3NH²(1 + 5/(3H) + V/(3NH))",
        "VH + N(3H² + 5H) = VH + N(3H² + 5H)",
    ]


def test_an_architecture_without_parameters() -> None:
    derivation = parameters(Architecture("a", Block("A", b=Repeat(N, Block("B")))))
    assert {str(derivation.closed_form(form)) for form in FORMS} == {"0"}
    assert derivation.letters == frozenset()


def test_it_shows_itself() -> None:
    derivation = derive("gpt2", where=["I=4H"])
    assert str(derivation) == "(13N + P + V + 2)H + 12NH²"
    assert derivation.latex == "(13N + P + V + 2)H + 12NH^{2}"
    assert derivation._repr_latex_() == "$\\displaystyle (13N + P + V + 2)H + 12NH^{2}$"
    kaplan = derive("gpt1", alphabet="kaplan")
    assert str(kaplan) == "(13\u2009n_layer + n_pos + n_vocab)\u2009d_model + 12\u2009n_layer\u2009d_model²"


@pytest.mark.parametrize("count", [1, 2, 200, 10**12])
def test_two_layers_cost_as_many_steps_as_two_hundred(count: int) -> None:
    general = derive("bert")
    stated = derive("bert", where=[f"N={count}"])
    assert len(list(stated.root.walk())) == len(list(general.root.walk()))
    assert len(list(stated.claims)) <= len(list(general.claims)) + 1
    assert "N" not in stated.letters


def test_forms_that_there_are_not() -> None:
    with pytest.raises(UnknownNameError, match="there is no form named 'by-modul'; did you mean 'by-module'"):
        derive("gpt2", form="by-modul")
    with pytest.raises(FormulaError, match="the form 'by-module' follows the modules and is not collected by a letter"):
        derive("gpt2").closed_form("by-module", "H")
    with pytest.raises(FormulaError, match="cannot be collected by L, which does not occur in it"):
        derive("gpt2").closed_form("by-symbol", "L")


def test_letters_that_would_be_written_alike_are_refused() -> None:
    architecture = Architecture("a", Linear(H, symbol("D")))
    with pytest.raises(ArchitectureError, match="the letter 'D' would stand for both"):
        parameters(architecture, alphabet=ALPHABETS["chinchilla"])
    assert str(parameters(architecture)) == "D + DH"
    product = Architecture("a", Block("A", a=Linear(H, L), b=Linear(H, symbol("LH"))))
    with pytest.raises(ArchitectureError, match="'LH' would stand for LH and for the product of L and H"):
        parameters(product)
    assert str(parameters(Architecture("a", Linear(I, N)), alphabet=Alphabet("mine", "", {"I": "F"}))) == "N + NF"


def test_steps_stand_as_they_are_registered_and_know_in_which_order_they_run() -> None:
    llama = next(family for family in families() if family.name == "llama")
    layer = parameters(llama.architecture()).root.steps[0].steps[1].steps[0]
    assert [(step.path.rpartition(".")[2], step.position) for step in layer.steps] == [
        ("self_attn", 1),
        ("mlp", 3),
        ("input_layernorm", 0),
        ("post_attention_layernorm", 2),
    ]
    # What has no parameters keeps its place: the product of queries and keys between the projections.
    assert [step.position for step in layer.steps[0].steps] == [0, 1, 2, 4]

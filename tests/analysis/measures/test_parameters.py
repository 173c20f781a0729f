"""The parameters of an architecture: the steps, and numbers that agree with the definition and with published totals."""

from __future__ import annotations

from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.analysis.measures.parameters import parameters
from symparam.core.algebra.polynomial import equal
from symparam.core.algebra.relations import relations
from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import H, N, V, symbol
from symparam.core.evaluation import evaluate
from symparam.core.parsing.reader import read_formula, read_relation
from symparam.models.architectures import find_architecture
from symparam.models.blocks import Architecture, Block, Embedding, LayerNorm, Linear, Parameter, Repeat, Tied
from tests.strategies import all_letters, architectures, parameters_by_hand, values_of_letters

FREE = [letter for letter in all_letters if letter not in ("I", "V")]


@pytest.mark.parametrize(
    ("root", "formula"),
    [
        (Linear(H, V), "VH + V"),
        (Linear(H, V, bias=False), "VH"),
        (LayerNorm(H), "2H"),
        (Parameter(H, H, 3), "3H²"),
        (Block("Nothing"), "0"),
        (Block("B", a=Repeat(N, Block("Nothing"))), "0"),
        (Repeat(N, Repeat(3, LayerNorm(H))), "6NH"),
        (Block("B", a=Linear(H + 1, 2 * H)), "4H + 2H²"),
        (Block("B", table=Embedding(V, H), head=Tied(Linear(H, V), weight="table.weight")), "V + VH"),
        (Block("B", table=Embedding(V, H), head=Tied(Linear(H, V, bias=False), weight="table.weight")), "VH"),
        (Block("B", own=Parameter(V), head=Tied(Linear(H, V), bias="own")), "V + VH"),
    ],
)
def test_formulas(root: Block, formula: str) -> None:
    assert equal(parameters(Architecture("a", root)).expr, read_formula(formula).expr)


PUBLISHED = [  # What the releases and their papers state.
    ("BertModel", "V=30522,H=768,N=12,I=3072,P=512,T=2", 109_482_240),
    ("BertModel", "V=30522,H=1024,N=24,I=4096,P=512,T=2", 335_141_888),
    ("BertModel", "V=21128,H=768,N=12,I=3072,P=512,T=2", 102_267_648),
    ("GPT2LMHeadModel", "V=50257,H=768,N=12,I=3072,P=1024", 124_439_808),
    ("GPT2LMHeadModel", "V=50257,H=1600,N=48,I=6400,P=1024", 1_557_611_200),
    ("OpenAIGPTLMHeadModel", "V=40478,H=768,N=12,P=512", 116_534_784),
    ("BloomForCausalLM", "V=250880,H=14336,N=70", 176_247_271_424),
]


@pytest.mark.parametrize(("class_name", "values", "total"), PUBLISHED)
def test_published_totals(class_name: str, values: str, total: int) -> None:
    choice = find_architecture(class_name)
    assert choice is not None
    numbers = {letter: int(number) for letter, number in (each.split("=") for each in values.split(","))}
    derivation = parameters(choice.family.architecture(class_name))
    assert evaluate(derivation.formula, numbers) == total
    stated = relations(map(read_relation, values.split(",")))
    assert str(parameters(choice.family.architecture(class_name), stated)) == f"{total:,}"


@given(architectures(), values_of_letters)
def test_the_closed_form_has_the_value_of_the_definition(architecture: Architecture, values: dict[str, int]) -> None:
    derivation = parameters(architecture)
    by_hand = parameters_by_hand(architecture.root, values)
    assert by_hand == sum(prod(shape) for _, shape, _ in architecture.named_parameters(values))
    for form in ("by-symbol", "expanded", "factored", "by-module"):
        assert evaluate(derivation.closed_form(form), values) == by_hand
    assert derivation.root.total(values) == by_hand


@given(architectures(), values_of_letters, st.sampled_from(["4", "H", "2H+1", "HN"]))
def test_relations_are_put_into_every_shape(architecture: Architecture, values: dict[str, int], inner: str) -> None:
    stated = relations([read_relation(f"I={inner}"), read_relation("V=I+X", names={"X": "X"})])
    derivation = parameters(architecture, stated)
    assert not {"I", "V"} & derivation.letters
    follow = stated.values({letter: values[letter] for letter in FREE})
    assert evaluate(derivation.formula, follow) == parameters_by_hand(architecture.root, follow)


@given(architectures())
def test_every_step_is_the_sum_of_its_tensors_and_of_the_steps_inside(architecture: Architecture) -> None:
    derivation = parameters(architecture)
    for step in derivation.root.walk():
        times = 1 if step.repeats is None else step.repeats.expr
        inside = sum(inner.formula.expr for inner in step.steps) + sum(tensor.elements.expr for tensor in step.tensors)
        assert equal(step.formula.expr, times * inside)
    tensors = [tensor for step in derivation.root.walk() for tensor in step.tensors]
    assert [(tensor.name, tensor.tied_to) for tensor in tensors] == [(name, tensor.tied_to) for name, tensor in architecture.tensors()]


def test_a_tied_tensor_counts_nothing() -> None:
    architecture = Architecture("a", Block("B", table=Embedding(V, H), head=Tied(Linear(H, V), weight="table.weight")))
    rows = [row for step in parameters(architecture).root.walk() for row in step.tensors]
    assert [(row.name, str(row.elements), row.tied_to) for row in rows] == [
        ("table.weight", "VH", None),
        ("head.weight", "0", "table.weight"),
        ("head.bias", "V", None),
    ]


@pytest.mark.parametrize("name", ALPHABETS)
def test_the_alphabet_changes_the_letters_and_nothing_of_the_meaning(name: str) -> None:
    choice = find_architecture("bert")
    assert choice is not None
    ours = parameters(choice.family.architecture())
    theirs = parameters(choice.family.architecture(), alphabet=ALPHABETS[name])
    assert theirs.expr == ours.expr
    assert equal(read_formula(str(theirs), ALPHABETS[name]).expr, ours.expr)
    assert equal(read_formula(theirs.latex, ALPHABETS[name]).expr, ours.expr)


def test_repeating_is_symbolic() -> None:
    layer = Block("Layer", a=Linear(H, H), b=LayerNorm(H))
    architecture = Architecture("a", Block("A", layers=Repeat(N, layer)))
    steps = {count: len(list(parameters(architecture, relations([read_relation(f"N={count}")])).root.walk())) for count in (2, 200, 10**9)}
    assert steps == {2: 5, 200: 5, 10**9: 5}
    assert str(parameters(architecture, relations([read_relation("N=200")]))) == "600H + 200H²"
    assert parameters(architecture).letters == {"H", "N"}
    assert symbol("N") in parameters(architecture).expr.free_symbols

"""Two architectures side by side: the difference is that of their formulas, and the modules add up to it."""

from __future__ import annotations

from itertools import cycle, islice

import pytest
import sympy
from hypothesis import given

import symparam
from symparam.analysis.comparison import compare
from symparam.analysis.measures.parameters import parameters
from symparam.core.algebra.polynomial import equal, normal_form
from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import H, I, N, V, symbol
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.architectures import Family, families
from symparam.models.blocks import Architecture, Block, Embedding, LayerNorm, Linear, Repeat, Tied
from symparam.writing.document import Code, Table
from tests.sampling import one_of_each
from tests.strategies import architectures


def model(layer: Block, **more: Linear | Embedding | Tied) -> Architecture:
    return Architecture("model", Block("Model", table=Embedding(V, H), layers=Repeat(N, layer), **more))


PLAIN = model(Block("Layer", dense=Linear(H, I), norm=LayerNorm(H)))


@given(architectures(), architectures())
def test_the_difference_is_that_of_the_formulas_and_the_modules_add_up(first: Architecture, second: Architecture) -> None:
    found = compare(first, second)
    assert equal(found.difference.expr, parameters(second).expr - parameters(first).expr)
    assert equal(found.difference.expr, sympy.Add(*(module.formula.expr for module in found.modules)))
    assert equal(compare(second, first).difference.expr, -found.difference.expr)
    assert all(not equal(module.formula.expr, sympy.Integer(0)) for module in found.modules)
    assert len({module.path for module in found.modules}) == len(found.modules)


@given(architectures())
def test_an_architecture_does_not_differ_from_itself(architecture: Architecture) -> None:
    found = compare(architecture, architecture)
    assert (str(found), found.modules) == ("0", ())


ALIKE = 6
PAIRS = [
    pytest.param(one, other, id=f"{one.name}-{other.name}")
    for at, one in enumerate(families())
    for other in islice(cycle(families()), at + 1, at + 1 + ALIKE)
]
"""Each family and those that follow it, which are the most alike, in a ring."""


@pytest.mark.few(8)
@pytest.mark.parametrize(("family", "other"), one_of_each(PAIRS, lambda family, other: family.name))
def test_the_families(family: Family, other: Family) -> None:
    first, second = family.architecture(), other.architecture()
    assert equal(compare(first, second).difference.expr, parameters(second).expr - parameters(first).expr)


def test_modules_that_only_one_has_or_that_differ_are_named() -> None:
    other = model(Block("Layer", dense=Linear(H, I, bias=False), extra=LayerNorm(H), norm=LayerNorm(H)), head=Linear(H, V, bias=False))
    assert str(compare(PLAIN, other)).splitlines() == [
        "HV + (2H − I)N",
        "  −NI: layers.{i}.dense (Linear), −I in each of N",
        "  2NH: layers.{i}.extra (LayerNorm), 2H in each of N",
        "  VH: head (Linear)",
    ]


def test_a_head_that_is_tied_adds_nothing() -> None:
    tied = model(Block("Layer", dense=Linear(H, I), norm=LayerNorm(H)), head=Tied(Linear(H, V, bias=False), weight="table.weight"))
    assert str(compare(PLAIN, tied)) == "0"


def test_another_number_of_layers() -> None:
    layers = Repeat(2 * N, Block("Layer", dense=Linear(H, I), norm=LayerNorm(H)))
    twice = Architecture("twice", Block("Model", table=Embedding(V, H), layers=layers))
    found = compare(PLAIN, twice)
    assert [(module.path, str(module.copies)) for module in found.modules] == [("layers.{i}.dense", "1"), ("layers.{i}.norm", "1")]
    assert equal(found.difference.expr, N * (H * I + I + 2 * H))


def test_it_shows_itself_in_the_letters_asked_for() -> None:
    more = model(Block("Layer", dense=Linear(H, I), norm=LayerNorm(H), extra=LayerNorm(H)))
    found = compare(PLAIN, more, ALPHABETS["kaplan"])
    norm, more = "2\u2009d_model", "2\u2009n_layer\u2009d_model"
    assert str(found) == f"{more}\n  {more}: layers.{{i}}.extra (LayerNorm), {norm} in each of n_layer"
    assert found._repr_latex_() == "$\\displaystyle 2n_{\\text{layer}}d_{\\text{model}}$"


def test_letters_that_would_be_written_alike_are_refused() -> None:
    other = model(Block("Layer", dense=Linear(H, symbol("D")), norm=LayerNorm(H)))
    with pytest.raises(ArchitectureError, match="the letter 'D' would stand for both"):
        compare(PLAIN, other, ALPHABETS["chinchilla"])


def test_what_has_only_moved_is_no_difference() -> None:
    inside = compare(families()[0].architecture("BertModel"), families()[0].architecture("BertForMaskedLM"))
    assert {module.path for module in inside.modules} == {
        "pooler.dense",
        "cls.predictions.bias",
        "cls.predictions.transform.dense",
        "cls.predictions.transform.LayerNorm",
    }


def test_a_difference_is_one_in_chinese_whatever_its_sign() -> None:
    less = symparam.compare("bloom", "gpt2", language="zh").explained()
    assert "gpt2 减去 bloom：" in str(less)
    assert "后者减去前者得" in str(less)


def test_parts_are_aligned_by_what_they_are_for() -> None:
    found = symparam.compare("llama", "gpt2", where=["d=H/h"]).comparison
    parts = {part.group: part for part in found.parts}
    assert equal(sympy.Add(*(part.difference.expr for part in found.parts)), found.difference.expr)
    for part in parts.values():
        assert equal(part.second.expr - part.first.expr, part.difference.expr)
        if part.ratio is not None:
            assert equal(part.ratio.expr * part.first.expr, part.second.expr)
        if part.equal_where is not None:
            less, more = part.equal_where
            # Where the two sides are equal the difference is nothing: it is a multiple of their difference.
            quotient = sympy.cancel(part.difference.expr / (more.expr - less.expr))
            assert not sympy.fraction(quotient)[1].has(sympy.Add)
    assert [str(side) for side in parts["feed-forward"].equal_where or ()] == ["IH", "H + I"]
    assert str(parts["norm"].ratio) == "2"


@pytest.mark.parametrize(
    ("first", "second"), [("llama", "gpt2"), ("gpt2", "llama"), ("bert", "roberta"), ("gpt2", "gpt1"), ("mixtral", "llama")]
)
def test_no_difference_begins_with_a_minus_that_has_something_to_add(first: str, second: str) -> None:
    found = symparam.compare(first, second).comparison
    for formula in (found.difference, *(part.difference for part in found.parts)):
        terms = normal_form(formula.expr)[0].terms.values()
        assert not str(formula).startswith("−") or all(value < 0 for value in terms)


def test_blocks_are_aligned_by_role() -> None:
    """GPT-2's projection of queries, keys and values is one map, and Llama's are three; their sums are compared, in every measure."""
    found = symparam.compare("gpt2", "llama-3-8b", where=["L=1024", "B=1"], measure="flops")
    attention = next(part for part in found.comparison.parts if part.group == "attention")
    projected = attention.roles[0]
    assert [role.role for role in attention.roles] == ["query-key-value", "output-projection", "dot-product"]
    assert (str(projected.first), str(projected.second)) == ("6BLNH²", "(2BdhLN + 4BdkLN)H")
    assert [str(side) for side in projected.equal_where or ()] == ["3H", "dh + 2dk"]
    for part in found.comparison.parts:
        sums = [sympy.Add(*(getattr(role, side).expr for role in part.roles)) for side in ("first", "second")]
        assert not part.roles or (equal(sums[0], part.first.expr) and equal(sums[1], part.second.expr))
    first, second = (symparam.count(model, measure="flops", where=["L=1024", "B=1"]).total for model in ("gpt2", "llama-3-8b"))
    assert [sum(getattr(each, side) for each in found.numbers) for side in ("first", "second")] == [first, second]
    assert str(found.document.nodes[0].text).endswith("floating-point operations (FLOPs) of a forward pass")


def test_the_numbers_are_aligned_as_the_formulas_are() -> None:
    """Granite was traced, so its blocks have no roles of their own; T5's encoder and decoder have blocks of the same role."""
    granite = {"architectures": ["GraniteForCausalLM"], "hidden_size": 64, "intermediate_size": 192, "num_hidden_layers": 5}
    granite |= {"num_attention_heads": 8, "num_key_value_heads": 2, "vocab_size": 1000}
    found = symparam.compare("qwen3-0.6b", granite)
    rows = {each.part.role or each.part.group: (each.first, each.second) for each in found.numbers}
    assert rows["embedding"] == (151_936 * 1024, 1000 * 64)
    assert rows["key"] == (28 * 1024 * 1024, 5 * 16 * 64)
    assert rows["attention-norm"] == (28 * 1024, 5 * 64)
    for side, count in (("first", found.pair[0].count), ("second", found.pair[1].count)):
        assert count is not None
        assert sum(getattr(each, side) for each in found.numbers) == count.total
    roles = [each.part.role for each in symparam.compare("t5-small", "t5-base").numbers]
    assert len(set(roles)) == len(roles)


def test_a_cache_is_compared() -> None:
    assert str(symparam.compare("bloom", "llama", measure="kv-cache").difference) == "4BdkNS − 4BNSH"


def test_conventions_have_measures_of_their_own() -> None:
    with pytest.raises(FormulaError, match="leave out --measure flops"):
        symparam.compare("gpt2", conventions=("thop", "torch"), measure="flops")


def test_letters_without_a_value_are_named() -> None:
    shown = symparam.compare("llama-2-7b", "llama-3-8b", measure="kv-cache").write("text")
    assert "The numbers also depend on B, S: state values for these to compare them, as in --where B=1 --where S=1024." in shown
    assert "also depend" not in symparam.compare("llama-2-7b", "llama-3-8b").write("text")


TABLES = [
    # The same purpose under another name is one row; one map of one model is several of the other, and a gated network one expert of many.
    ("llama", "gpt2", ["o_proj → c_proj", "q_proj, k_proj, v_proj → c_attn", "gate_proj → –", "input_layernorm → ln_1", "lm_head → –"]),
    ("llama", "mixtral", ["gate_proj, up_proj, down_proj → experts", "– → gate", "o_proj"]),
    ("gpt2", "gpt1", ["wte → tokens_embed", "ln_f → –", "c_attn"]),
]


@pytest.mark.parametrize(("first", "second", "modules"), TABLES)
def test_modules_with_other_names_are_aligned_in_one_table(first: str, second: str, modules: list[str]) -> None:
    (table,) = (node for node in symparam.compare(first, second).document.nodes if isinstance(node, Table) and len(node.header) == 7)
    shown = ["".join(each.text if isinstance(each, Code) else str(each) for each in row[1]) for row in table.rows]
    assert set(modules) <= set(shown)
    assert not any("." in each for each in shown)


def test_modules_of_the_same_names_are_shown_with_their_copies() -> None:
    shown = symparam.compare("bert", conventions=("thop", "fvcore")).write("text")
    assert "encoder.layer.{i}.attention.self" in shown
    assert "→" not in shown

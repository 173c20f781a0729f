"""Conventions of tools: their tables on small models, units, notes and refusals."""

from __future__ import annotations

import pickle
from itertools import product
from json import loads

import pytest
import sympy

import symparam
from symparam.analysis.measures.conventions.measure import common_unit, tool_measure
from symparam.analysis.measures.conventions.tools import CONVENTIONS
from symparam.core import dimensions
from symparam.core.dimensions import L, N, d, h
from symparam.errors import SymparamError
from symparam.models.blocks import Architecture, Block, Linear
from symparam.writing.phrases import languages, phrases
from tests.command import text as run
from tests.sampling import one_of_each

NET = Architecture(
    "Net",
    Block(
        "Net",
        fc1=Linear(sympy.Integer(1024), sympy.Integer(1024), bias=False),
        fc2=Linear(sympy.Integer(1024), sympy.Integer(2048), bias=False),
    ),
)


@pytest.mark.parametrize(
    ("tool", "total"),
    [
        ("thop", 3_145_728),
        ("ptflops", 3_145_728),
        ("ptflops-aten", 3_145_728),
        ("fvcore", 3_145_728),
        ("torch", 6_291_456),
        ("calflops", 6_291_456),
        ("deepspeed", 6_291_456),
    ],
)
def test_two_linear_maps_of_one_row(tool: str, total: int) -> None:
    assert symparam.count(NET, where=["B=1", "L=1"], convention=tool).total == total


def test_gpt2_small_under_torch() -> None:
    counted = symparam.count("gpt2", where=["L=256", "B=1"], convention="torch")
    assert counted.total == 65_664_319_488
    assert counted.json["unit"] == "FLOPs"
    assert counted.total == symparam.count("gpt2", where=["L=256", "B=1"], measure="flops").total


@pytest.mark.parametrize(
    ("tool", "formula"),
    [
        ("thop", "(4H²LN + 2HILN + 8HLN + H² + 4HL)B"),  # No core of attention; four for each number that is normalised.
        ("torch", "(8H²LN + 4HILN + 4HL²N + 2H²)B"),
        ("fvcore", "(4H²LN + 2HILN + 2HL²N + 10HLN + H² + 5HL)B"),
    ],
)
def test_bert_in_the_eyes_of(tool: str, formula: str) -> None:
    assert str(symparam.derive("bert", convention=tool, form="by-symbol")) == formula


def test_the_softmax_of_ptflops_counts_each_score_of_each_head() -> None:
    difference = symparam.compare("bert", conventions=("ptflops-aten", "ptflops")).difference
    assert str(difference) == "(hL²N + 2HLN + HL)B"


def test_fused_attention_counts_nothing_on_the_cpu() -> None:
    eager, fused = (symparam.derive("llama", convention="torch", implementation=each).expr for each in ("eager", "sdpa"))
    assert sympy.expand(eager - fused - 4 * dimensions.B * L**2 * N * d * h) == 0


def test_values_narrower_than_keys_are_taken_apart() -> None:
    eager, fused = (symparam.derive("deepseek-v3", convention="torch", implementation=each).expr for each in ("eager", "sdpa"))
    assert eager == fused


def test_a_tool_that_reports_both_units_gives_either() -> None:
    sizes = ["L=15", "B=2"]
    both = [symparam.count("bert-base-uncased", where=sizes, convention="calflops", measure=unit).json for unit in ("macs", "flops")]
    assert [each["unit"] for each in both] == ["MACs", "FLOPs"]
    assert both[0]["total"] == symparam.count("bert-base-uncased", where=sizes, measure="macs").total
    assert both[1]["total"] == symparam.count("bert-base-uncased", where=sizes, convention="calflops").total


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"convention": "thopp"}, "did you mean 'thop'?"),
        ({"convention": "torch", "measure": "macs"}, "torch reports no macs; leave out --measure, or state flops"),
        ({"convention": "thop", "measure": "weights"}, "thop reports no weights"),
        ({"convention": "thop", "implementation": "flash"}, "implementation of attention"),
        ({"convention": "thop", "attention": "causal"}, "no tool leaves out pairs of tokens"),
        ({"implementation": "sdpa"}, "name the tool with --convention"),
    ],
)
def test_what_no_tool_reports_is_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(SymparamError) as caught:
        symparam.derive("bert", **options)  # type: ignore[arg-type]
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["gpt1", "bloom", "gemma2"])
def test_fused_attention_that_the_reference_does_not_have_is_refused(name: str) -> None:
    with pytest.raises(SymparamError, match="cannot call scaled_dot_product_attention"):
        symparam.derive(name, convention="thop", implementation="sdpa")


@pytest.mark.parametrize(
    "options", [{"convention": "torch"}, {"convention": "autograd", "measure": "activations", "number_format": "float32"}]
)
def test_an_implementation_of_attention_that_changes_nothing_is_refused_or_noted(options: dict[str, str]) -> None:
    """The reference refuses it for Mamba; Jamba could have attention in some layers."""
    for name in ("mamba", "mamba2"):
        with pytest.raises(SymparamError, match="has no attention, so --implementation sdpa changes nothing"):
            symparam.derive(name, implementation="sdpa", **options)  # type: ignore[arg-type]
    config = {"model_type": "jamba", "num_hidden_layers": 2, "attn_layer_offset": 3, "attn_layer_period": 4}
    where = ["B=2", "L=7"]
    eager, fused = (symparam.count(config, where=where, implementation=each, **options) for each in ("eager", "sdpa"))  # type: ignore[arg-type]
    assert eager.total == fused.total
    assert [note for note in fused.notes if note not in eager.notes] == [
        "No layer of this model has attention, so its implementation changes nothing."
    ]


@pytest.mark.parametrize("tool", CONVENTIONS)
def test_quirks_are_said_aloud_in_every_language(tool: str) -> None:
    for language in languages():
        words = phrases(language)
        notes = symparam.explain("bert", convention=tool, language=language).notes
        assert [words.messages[key] for key in CONVENTIONS[tool].quirks] == [*notes[1:]]
        assert CONVENTIONS[tool].tool in notes[0]


EXPLAINED = [pytest.param(*each, id="-".join(each)) for each in product(CONVENTIONS, ["bert", "mamba", "mixtral", "whisper", "vit"])]


@pytest.mark.few(3)
@pytest.mark.parametrize(("tool", "name"), one_of_each(EXPLAINED, lambda tool, name: tool))
def test_explanations_and_their_checks_hold(tool: str, name: str) -> None:
    explained = symparam.explain(name, convention=tool)
    assert explained.write("text")
    assert explained.write("markdown")
    assert all(symparam.explain(name, convention=tool, language="zh").json["steps"])


def test_a_measure_can_be_sent_to_another_process() -> None:
    measure = tool_measure("calflops", "flops", "sdpa", "relu", {"N": 3})
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_two_tools_side_by_side() -> None:
    compared = symparam.compare("bert", conventions=("thop", "fvcore"))
    assert str(compared.difference) == "(2BL²N + 2BLN + BL)H"
    assert {module.kind for module in compared.modules} == {"LayerNorm", "DotProduct"}
    numbers = symparam.compare("bert-base-uncased", where=["L=15", "B=2"], conventions=("thop", "fvcore"))
    first, second = (symparam.count("bert-base-uncased", where=["L=15", "B=2"], convention=tool).total for tool in ("thop", "fvcore"))
    assert sum(each.difference for each in numbers.numbers) == second - first
    assert "fvcore" in numbers.write()


def test_two_tools_are_compared_in_a_unit_that_both_report() -> None:
    assert common_unit("thop", "calflops") == "macs"
    assert common_unit("torch", "deepspeed") == "flops"
    assert common_unit("thop", "torch") == ""


def test_either_a_second_model_or_two_conventions() -> None:
    for arguments in ({}, {"second": "gpt2", "conventions": ("thop", "fvcore")}, {"second": "gpt2", "implementation": "sdpa"}):
        with pytest.raises(SymparamError):
            symparam.compare("bert", **arguments)  # type: ignore[arg-type]


def test_the_command_line() -> None:
    sizes = ["--where", "L=256", "--where", "B=1"]
    counted = run("count", "gpt2", "--convention", "torch", *sizes, "--implementation", "eager", "--format", "json")
    found = loads(counted.stdout)
    assert counted.returncode == 0
    assert (found["total"], found["unit"], found["convention"]) == (65_664_319_488, "FLOPs", "torch")
    assert "note: It counts only matrix products" in counted.stderr
    assert found["check"]["difference"] == 0
    compared = run("compare", "--conventions", "thop", "fvcore", "bert")
    assert compared.returncode == 0
    assert "(2BL²N + 2BLN + BL)H" in compared.stdout
    refused = run("count", "bert", "--convention", "fvcor")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "did you mean 'fvcore'?" in refused.stderr
    assert run("count", "gpt2", "--convention", "thop", "--measure", "flops", *sizes).returncode == 2

"""Number formats: the bits of released files, closed forms, blocks that are not full, and what is left as it is."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

import symparam
from symparam import Architecture, Block, Embedding, Linear
from symparam.analysis.measures.number_formats import FORMATS, number_format, stored_format
from symparam.core.algebra.polynomial import equal
from symparam.errors import SymparamError


def weights(model: object, name: str, *where: str) -> int:
    return symparam.count(model, measure="weights", number_format=name, where=where).total  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "bits", "gibibytes"),
    [("q6_k", "6.5633", "6.14"), ("q8_0", "8.5008", "7.95")],  # ggml-org/llama.cpp, tools/quantize/README.md, the types that are not mixed.
)
def test_the_bits_of_a_weight_are_those_that_llama_cpp_prints(name: str, bits: str, gibibytes: str) -> None:
    size = weights("llama-3.1-8b", name)
    assert f"{8 * size / symparam.count('llama-3.1-8b').total:.4f}" == bits
    assert f"{size / 2**30:.2f}" == gibibytes


@pytest.mark.parametrize(
    ("name", "bits"),
    [
        ("q4_0", "9/2"),
        ("q4_1", "5"),
        ("q5_0", "11/2"),
        ("q5_1", "6"),
        ("q8_0", "17/2"),
        ("iq4_nl", "9/2"),
        ("iq4_xs", "17/4"),
        ("q2_k", "21/8"),
        ("q3_k", "55/16"),
        ("q4_k", "9/2"),
        ("q5_k", "11/2"),
        ("q6_k", "105/16"),
        ("awq-int4", "133/32"),
        ("nf4", "9/2"),
        ("fp4", "9/2"),
        ("nf4-double", "2113/512"),  # 4.127: Dettmers et al. 2023, section 3, has 0.127 bits for the scales.
        ("mxfp4", "17/4"),
        ("mxfp8", "33/4"),
        ("float8-block", "4097/512"),
    ],
)
def test_bits_of_a_number_in_full_blocks(name: str, bits: str) -> None:
    layer = Architecture("one", Block("Model", layers=symparam.Repeat(1, Linear(symparam.H, symparam.I, bias=False))))
    found = symparam.derive(layer, measure="weights", number_format=name, where=["H=32768", "I=256"])
    assert found.expr == 32768 * 256 * sympy.Rational(bits) / 8


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("q8_0", "N(17dhH/8 + 17dkH/8 + 51HI/16 + 8H) + 17VH/8 + 4H"),
        ("gptq-int4", "N((133/256) (2dhH + 2dkH + 3HI) + 4(3H + dh + 2H + I) + 4H) + 4VH + 2H"),
        ("llm-int8", "N(2dhH + 2dkH + 3HI + 4(dh + 2dk + H) + 4(2I + H) + 4H) + 4VH + 2H"),
        ("nvfp4", "N((9/16) (2dhH + 2dkH + 3HI) + 7 × 4 + 4H) + 4VH + 2H"),
        ("float8-tensor", "N(2dhH + 2dkH + 3HI + 7 × 4 + 4H) + 4VH + 2H"),
    ],
)
def test_closed_forms(name: str, formula: str) -> None:
    expected = symparam.read_formula(formula).expr
    assert equal(symparam.derive("llama", measure="weights", number_format=name).expr, expected)


@given(outputs=st.integers(1, 300), inputs=st.integers(1, 300))
def test_a_block_that_is_not_full_counts_as_a_whole_one(outputs: int, inputs: int) -> None:
    model = Architecture("one", Block("Model", layers=symparam.Repeat(1, Linear(inputs, outputs, bias=False))))
    expected = {
        "nf4": Fraction(outputs * inputs, 2) + 4 * ceil(Fraction(outputs * inputs, 64)),
        "nf4-double": Fraction(outputs * inputs, 2) + ceil(Fraction(outputs * inputs, 64)) + 4 * ceil(Fraction(outputs * inputs, 64 * 256)),
        "float8-block": outputs * inputs + 4 * ceil(Fraction(outputs, 128)) * ceil(Fraction(inputs, 128)),
        "gptq-int4": Fraction(outputs * inputs, 2) + Fraction(5, 2) * outputs * ceil(Fraction(inputs, 128)) + 4 * inputs,
    }
    found = {name: symparam.derive(model, measure="weights", number_format=name).expr for name in expected}
    assert found == expected


def test_latent_attention_of_deepseek_fills_up_a_block() -> None:
    # kv_a_proj_with_mqa has 576 outputs: four and a half blocks of 128.
    found = symparam.explain("deepseek-v3", config="deepseek-v3", measure="weights", number_format="float8-block")
    (step,) = [each for each in found.subject.derivation.root.walk() if each.path == "model.layers.{i<N_f}.self_attn.kv_a_proj_with_mqa"]
    assert step.value(found.subject.model.values) == 576 * 7168 + 4 * 5 * 56


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("q4_0", {"wpe", "ln_1", "ln_2", "ln_f"}),
        ("nf4", {"wte", "wpe", "ln_1", "ln_2", "ln_f"}),
    ],
)
def test_what_is_not_quantised(name: str, left: set[str]) -> None:
    found = symparam.explain("gpt2", measure="weights", number_format=name).subject.derivation
    whole = {step.path.rpartition(".")[2] for step in found.root.walk() if not step.steps and str(step.sizes["scales"].expr) == "0"}
    assert whole - {"lm_head"} == left  # The head is tied.


def test_routers_stay_and_each_expert_is_a_matrix() -> None:
    found = symparam.explain("mixtral", measure="weights", number_format="float8-tensor").subject.derivation
    scales = {step.path.rpartition(".")[2]: str(step.sizes["scales"].expr) for step in found.root.walk() if not step.steps}
    assert scales["gate"] == "0"
    assert scales["experts"] == "8*E"


def test_a_table_alone_is_one_of_tokens() -> None:
    model = Architecture("own", Block("Model", words=Embedding(64, 32)))
    assert weights(model, "q8_0") == 64 * 34
    assert weights(model, "nf4") == 64 * 32 * 2


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", ["float8", "q4_k", "gptq-int4", "llm-int8", "nf4-double"])
def test_a_format_is_explained_and_adds_up(name: str, language: str) -> None:
    found = symparam.explain("llama", measure="weights", number_format=name, language=language)
    assert f"in {name}" in str(found) or f"（{name}）" in str(found)
    for claim in found.subject.derivation.claims:
        assert equal(claim.left.expr, claim.right.expr)


def test_formats_say_where_they_are_from_and_what_formulas_without_numbers_take_for_granted() -> None:
    assert all(each.source for each in FORMATS.values() if not each.plain)
    assert [str(note) for note in symparam.derive("llama", measure="weights", number_format="q4_0").notes] == [
        "The formula holds where all sizes are multiples of the format's block."
    ]
    assert not symparam.count("llama-7b", measure="weights", number_format="q4_0").notes
    assert not symparam.derive("llama", measure="weights", number_format="llm-int8").notes


def test_names_may_be_in_any_case() -> None:
    assert number_format("Q4_K") is FORMATS["q4_k"]


@pytest.mark.parametrize(
    ("name", "measure", "message"),
    [
        ("q4_9", "weights", "there is no number format named 'q4_9'; did you mean"),
        ("Q4_K_M", "weights", "Q4_K_M mixes several formats from layer to layer; name a single one, such as q4_k"),
        ("nf4", "kv-cache", "nf4 is a format for weights, not for a cache; name another, such as"),
        ("q4_0", "gradients", "q4_0 is a format for weights that are not trained; for gradients name a plain one"),
        (
            "q4_k",
            "weights",
            "q4_k stores numbers in blocks of 256, and .* = 640 is not a whole number of these; choose a format with other blocks",
        ),
    ],
)
def test_what_cannot_be_is_said(name: str, measure: str, message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        symparam.derive("gemma-3-270m", measure=measure, number_format=name)


def test_a_cache_may_be_in_blocks_too() -> None:
    sizes = [
        symparam.count("llama-7b", measure="kv-cache", number_format=name, where=["B=1", "S=32"]).total for name in ("float16", "q8_0")
    ]
    assert sizes == [2 * 32 * 32 * 2 * 4096, 32 * 32 * 2 * 4096 // 32 * 34]


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"quant_method": "gptq", "bits": 4, "group_size": 128}, "gptq-int4"),
        ({"quant_method": "gptq", "bits": 4, "group_size": 32}, ""),
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, "awq-int4"),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, "llm-int8"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, "fp4"),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4"}, "nf4"),
        (
            {"quant_method": "bitsandbytes", "load_in_4bit": True, "bnb_4bit_quant_type": "nf4", "bnb_4bit_use_double_quant": True},
            "nf4-double",
        ),
        ({"quant_method": "mxfp4"}, "mxfp4"),
        ({"quant_method": "fp8"}, ""),
    ],
)
def test_a_config_names_its_format(config: dict[str, object], name: str) -> None:
    assert stored_format(config) == name

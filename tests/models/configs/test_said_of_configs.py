"""Notes on a config besides its number: the assumed class, a model inside another, and further contents of released files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import ConfigError

INNER: dict[str, Any] = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 128,
    "vocab_size": 100,
}
OUTER = {"architectures": ["LamaVisionForConditionalGeneration"], "model_type": "lama_vision", "text_config": INNER}


@pytest.mark.parametrize(
    ("preset", "beside", "total"),
    [
        ("flan-t5-small", 32_128 * 512, 76_961_152),  # As the released file has it.
        ("deepseek-v3", 256 * 58, 671_026_419_200),  # And this one, without the layer that predicts further tokens.
    ],
)
def test_what_released_files_hold_more_stands_beside_the_number(preset: str, beside: int, total: int) -> None:
    found = symparam.count(preset)
    assert [(each["number"], each["total"]) for each in found.json["beside"]] == [(beside, total)]
    assert f"= {beside:,} more, {total:,} in all." in str(found)
    assert "beside" not in symparam.count("t5-small").json
    assert f"{total:,}" not in str(symparam.count(preset, measure="embedding-parameters"))


def test_without_layers_of_experts_there_is_nothing_beside_the_number() -> None:
    """With first_k_dense_replace = 70 the reference builds 61 dense layers, and no router that could have correction biases."""
    found = symparam.count("deepseek-v3", set=["N_f=70"])
    assert "beside" not in found.json
    assert found.total == symparam.count("deepseek-v3", set=["N_f=61"]).total
    assert "correction biases" not in str(found)


def test_the_class_that_is_assumed_is_named() -> None:
    assert 'names no class under "architectures"; GPT2LMHeadModel is assumed' in symparam.count({"model_type": "gpt2"}).notes[-1]
    traced = symparam.count({"model_type": "xlstm"}).notes[-1]  # A class that the atlas has alone.
    assert traced.endswith('"architectures"; xLSTMModel is assumed; --architecture xLSTMForCausalLM takes another')
    assert not symparam.count("gpt2").notes


def test_a_config_without_classes_is_no_listing(tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text('{"architectures": [], "model_type": "gpt2"}')
    assert symparam.count(path).total == symparam.count("gpt2").total


@pytest.mark.parametrize(
    ("named", "remark"),
    [
        (["CohereForCausalLM", "CohereModel", [1]], "the config names 3 classes; CohereForCausalLM, the first, is used"),
        (["BertModel", "BertForMaskedLM"], "the config names 2 classes; BertModel, the first, is used"),
        (["BertModel", "BertModel"], ""),
        (["BertModel"], ""),
    ],
)
def test_of_several_classes_the_one_that_is_taken_is_named(named: list[object], remark: str) -> None:
    said = [note for note in symparam.count({"architectures": named}).notes if "the first" in note]
    assert said == ([remark] if remark else [])


def test_a_language_model_inside_another_is_counted_alone() -> None:
    with pytest.raises(ConfigError, match="the language model in its text_config alone with --architecture llama"):
        symparam.count(OUTER)
    assert symparam.count("llama", config=OUTER).total == symparam.count(INNER).total


@pytest.mark.parametrize("named", [{"architectures": ["LamaVisionForConditionalGeneration"]}, {}])
def test_a_traced_language_model_inside_another_is_counted_alone(named: dict[str, Any]) -> None:
    inner = {"model_type": "phi", "vocab_size": 100, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2}
    outer = {"model_type": "lama_vision", "text_config": inner, **named}
    with pytest.raises(ConfigError, match="the language model in its text_config alone with --architecture PhiForCausalLM"):
        symparam.count(outer)
    assert symparam.count("PhiForCausalLM", config=outer).total == symparam.count("PhiForCausalLM", config=inner).total


@pytest.mark.parametrize(
    ("config", "near"),
    [
        ({"architectures": ["FooForCausalLM"]}, ""),
        ({"model_type": "frobnicator"}, ""),
        ({"model_type": "mambo"}, "mamba"),
        ({"architectures": ["LamaForCausalLM"]}, "LlamaForCausalLM"),
    ],
)
def test_the_nearest_is_named_where_it_is_near(config: dict[str, Any], near: str) -> None:
    with pytest.raises(ConfigError) as said:
        symparam.count(config)
    assert (f"the nearest it has is {near}" in str(said.value)) if near else ("nearest" not in str(said.value))


@pytest.mark.parametrize("kind", [("llama", "LlamaForCausalLM"), ("stablelm", "StableLmForCausalLM")])
def test_a_config_of_quantised_weights_says_what_is_counted_also_of_a_traced_class(kind: tuple[str, str]) -> None:
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 4}
    config = {"model_type": kind[0], "architectures": [kind[1]], "vocab_size": 100, **sizes}
    found = symparam.count({**config, "quantization_config": {"quant_method": "gptq", "bits": 4}})
    assert found.total == symparam.count(config).total
    assert any("its weights are quantised (quantization_config: gptq, 4 bits)" in note for note in found.notes)

"""What older and composed configs state: words and names of earlier versions, and nested configs of other types than the defaults."""

from __future__ import annotations

import json

import pytest

from symparam.errors import ConfigError
from symparam.models.resolution import resolve
from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule, from_data, to_data
from symparam.models.traced.traced_model import model_of

LAYER = ModuleRule(
    "Layer", (RuleEntry("weight", TensorRule((3,)), condition=("==", ("item", ("key", "layer_types"), ("at", 0)), "full_attention")),)
)
NET = Network(
    "Net",
    "net.py:Net",
    ModuleRule("Net", (RuleEntry("layers", ModuleRule("ModuleList", (RuleEntry("#", LAYER, count=("len", ("key", "layer_types"))),))),)),
    {
        "dim": Key(8, "free", 1),
        "dropout": Key(0.1, "free", 0.025),
        "scale": Key(0.1, "free", 0.025),
        "first_dropout": Key(0.1, "free", 0.025),
        "layer_types": Key(
            ["full_attention", "linear_attention"],
            "free",
            values=("full_attention", "linear_attention"),
            spelled={"attention": "full_attention", "mamba": "linear_attention"},
        ),
    },
    (("<=", ("key", "dropout"), 1), (">", ("key", "first_dropout"), 0)),
    words=frozenset({"interval", "dim", "layer_types"}),
    superseded={"interval": "layer_types"},
)


def names(**settings):
    model = model_of(from_data(json.loads(json.dumps(to_data(NET))), "net.json"), {"dim": 8, **settings}, "the settings")
    return [name for name, _, _ in model.architecture.named_parameters(model.values)]


def test_words_of_earlier_versions_are_taken_for_those_of_now():
    assert names(layer_types=["mamba", "attention", "full_attention"]) == ["layers.1.weight", "layers.2.weight"]
    with pytest.raises(ConfigError, match=r"'layer_types' is .*'conv'"):
        names(layer_types=["mamba", "conv"])


def test_a_name_has_no_effect_where_the_key_is_given_that_counts_in_its_place():
    assert names(layer_types=["attention"], interval=4) == ["layers.0.weight"]
    for given in ({}, {"layer_types": None}):
        with pytest.raises(ConfigError):
            names(interval=4, **given)


def test_how_the_numbers_are_stored_changes_no_tensor_of_the_class():
    assert names(quantization_config={"quant_method": "fp8", "weight_block_size": [128, 128]}) == names()


def test_a_fraction_that_no_tensor_depends_on_may_be_small_where_no_condition_forbids_it():
    assert names(dropout=0.0) == names(dropout=1e-9) == names(first_dropout=1e-9) == names()
    for given in ({"dropout": 1.5}, {"first_dropout": 0.0}, {"scale": 0.0}):
        with pytest.raises(ConfigError):
            names(**given)


def test_the_kinds_of_layers_follow_from_a_list_of_those_of_one_kind():
    """LFM2 takes ``full_attn_idxs`` where it has no ``layer_types``: attention in those layers, convolutions in the others."""
    document = {"model_type": "lfm2", "architectures": ["Lfm2ForCausalLM"], "num_hidden_layers": 3, "full_attn_idxs": [1]}
    model = resolve(document).model
    found = [name for name, *_ in model.architecture.named_parameters(model.values)]
    assert [any(f"layers.{layer}.self_attn.q_proj" in name for name in found) for layer in range(3)] == [False, True, False]
    assert [any(f"layers.{layer}.conv.in_proj" in name for name in found) for layer in range(3)] == [True, False, True]


def test_a_list_that_the_config_computes_from_another_is_not_taken_at_its_default():
    """Zamba2 lists its hybrid layers beside the kinds of all layers, and has an adapter in each block for each of them."""
    document = {"model_type": "zamba2", "architectures": ["Zamba2ForCausalLM"], "num_hidden_layers": 2}
    with pytest.raises(ConfigError, match="'hybrid_layer_ids' is not given"):
        resolve({**document, "layers_block_type": ["linear_attention", "hybrid"]})


def test_what_a_nested_config_passes_on_to_those_in_it_is_not_without_effect():
    """The config of Qwen2-VL inside that of ColQwen2 takes the keys of its language model where it does not mention that one."""
    document = {"model_type": "colqwen2", "architectures": ["ColQwen2ForRetrieval"]}
    with pytest.raises(ConfigError, match=r"'vlm_config\.num_key_value_heads' is not a key"):
        resolve({**document, "vlm_config": {"model_type": "qwen2_vl", "num_key_value_heads": 4}})


def listed(**document):
    model = resolve(document).model
    return [(name, shape) for name, shape, _ in model.architecture.named_parameters(model.values)]


def test_what_a_config_replaces_counts_as_it_was_given():
    """HRM takes ``num_hidden_layers`` for the layers of a stack, BailingHybrid ``head_dim`` for those of linear attention."""
    hrm = {"model_type": "hrm_text", "architectures": ["HrmTextModel"]}
    assert listed(**hrm, num_hidden_layers=3) == listed(**hrm, num_layers_per_stack=3)
    bailing = {"model_type": "bailing_hybrid", "architectures": ["BailingHybridModel"], "num_hidden_layers": 2}
    assert listed(**bailing, head_dim=96) == listed(**bailing, linear_head_dim=96) != listed(**bailing)


def test_internlm_has_heads_of_128_unless_it_is_said_otherwise():
    """Though its config takes the quotient of ``hidden_size`` and ``num_attention_heads`` where ``head_dim`` is null."""
    sizes = {"hidden_size": 96, "num_attention_heads": 3, "num_key_value_heads": 2, "num_hidden_layers": 1}
    shapes = dict(listed(model_type="internlm3", architectures=["LlamaForCausalLM"], **sizes))
    assert shapes["model.layers.0.self_attn.q_proj.weight"] == (384, 96)
    assert shapes["model.layers.0.self_attn.k_proj.weight"] == (256, 96)


@pytest.mark.parametrize(
    ("model_type", "name", "given", "said"),
    [
        ("nemotron", "NemotronForCausalLM", {}, "only where num_key_value_heads is not null"),
        ("glm5_next", "Glm5NextForConditionalGeneration", {"attention_bias": True}, "'attention_bias' is true"),
        ("glm5_next", "Glm5NextModel", {"text_config": {"indexer_types": ["full", "shared"]}}, "with 'full' in it"),
        (
            "qwen3",
            "Qwen3ForSequenceClassification",
            {"num_key_value_heads": None, "num_attention_heads": 8},
            "'num_key_value_heads' is null",
        ),
        ("swin", "SwinForMaskedImageModeling", {"depths": [1, 2], "num_heads": [2, 4]}, r"only where len\(depths\) == 4"),
        ("mistral_large4_text", "MistralLarge4TextModel", {"num_hidden_layers": 2, "kv_source_layers": [0, 0]}, "computes"),
        ("colqwen2", "ColQwen2ForRetrieval", {"vlm_config": {"model_type": "qwen2_vl", "vocab_size": 9}}, "with 152064 only"),
    ],
)
def test_what_decides_elsewhere_is_refused(model_type, name, given, said):
    with pytest.raises(ConfigError, match=said):
        resolve({"model_type": model_type, "architectures": [name], **given})

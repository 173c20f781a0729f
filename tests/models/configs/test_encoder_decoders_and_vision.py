"""What T5, Whisper, ViT, CLIP and LLaVA refuse, as the reference does or as there would be no formula, and what they read from odd keys."""

from __future__ import annotations

from typing import Any

import pytest

from symparam.errors import ConfigError
from symparam.models.configs.config_file import ConfigDocument, parse
from symparam.models.configs.values import Model, model_from_config


def model(model_type: str, **keys: Any) -> Model:
    return model_from_config(ConfigDocument({"model_type": model_type, **keys}, "config.json"))


@pytest.mark.parametrize(
    ("model_type", "keys", "sentence"),
    [
        ("t5", {"feed_forward_proj": "gelu-gated"}, "\"feed_forward_proj\" is the string 'gelu-gated', but an activation such as"),
        ("t5", {"feed_forward_proj": None}, '"feed_forward_proj" is null, but an activation such as "relu" or "gated-gelu" is expected'),
        ("t5", {"feed_forward_proj": "gated"}, "an activation without parameters of its own, such as"),
        ("t5", {"feed_forward_proj": "gated-prelu"}, "an activation without parameters of its own, such as"),
        ("t5", {"dense_act_fn": "xielu"}, "an activation without parameters of its own is expected"),
        ("t5", {"num_hidden_layers": 2, "num_layers": None}, '"num_layers" is null, but a positive whole number is expected'),
        ("whisper", {"vocab_size": 100}, '"vocab_size" is 100, but a number above 50256'),
        ("whisper", {"pad_token_id": 51865}, '"pad_token_id" is 51865, but a number'),
        ("whisper", {"decoder_attention_heads": 5}, "is not divisible by the number of attention heads of the decoder"),
        ("vit", {"image_size": 8}, '"image_size" is 8, but an image of at least 16 × 16, one patch, is expected'),
        ("vit", {"patch_size": [300, 16]}, '"patch_size" is a list, but a patch of at most 224 × 224, the image, is expected'),
        ("vit", {"patch_size": [2, 2, 2]}, '"patch_size" is a list, but a positive whole number, or a list of two, height and width'),
        ("vit", {"image_size": True}, '"image_size" is true, but a positive whole number, or a list of two'),
        ("vit", {"head_dim": None}, '"head_dim" is null, but a positive whole number is expected'),
        ("vit", {"hidden_size": 8}, '"hidden_size" is 8, but at least one feature for each of 12 heads is expected'),
        ("vit", {"num_attention_heads": 800}, '"num_attention_heads" is 800, but at least one feature for each of 800 heads'),
        ("vit", {"pooler_act": "prelu"}, "an activation without parameters of its own is expected"),
        ("clip", {"text_config": [1]}, '"text_config" is a list, but an object with the keys of a config, or null, is expected'),
        ("clip", {"vision_config": {"patch_size": 300}}, "an image of at least one patch, 300 pixels wide, is expected"),
        ("clip", {"vision_config": {"image_size": [8, 8]}}, '"vision_config.image_size" is a list, but a positive whole number'),
        ("clip", {"text_config": {"hidden_size": 500}}, "the hidden size H = 500 is not divisible by the number of attention heads, h = 8"),
        ("clip", {"vision_config": {"hidden_act": "xielu"}}, "\"vision_config.hidden_act\" is the string 'xielu'"),
        ("llava", {"text_config": {"model_type": "mistral"}}, "'llama', the only one whose LLaVA symparam describes by hand"),
        ("llava", {"vision_config": {"model_type": "siglip_vision_model"}}, "'clip_vision_model', the only one"),
        ("llava", {"vision_feature_layer": []}, '"vision_feature_layer" is a list, but the number of a layer'),
        ("llava", {"vision_feature_select_strategy": "cls"}, "'default' or 'full'"),
    ],
)
def test_what_cannot_be_built_is_refused_with_the_key_at_fault(model_type: str, keys: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        model(model_type, **keys)


def test_the_decoder_of_t5_follows_only_the_first_spelling_of_the_layers() -> None:
    found = model("t5", num_layers=2, num_hidden_layers=3)
    assert (found.values["N_e"], found.values["N_d"]) == (3, 2)
    assert "N_d" not in found.derived
    assert model("t5", num_layers=2).values["N_d"] == 2
    assert "N_d" in model("t5", num_layers=2).derived


def test_the_patches_of_a_vit_follow_from_image_and_patch() -> None:
    values = model("vit", image_size=[33, 48], patch_size=[8, 4]).values
    assert (values["n_p"], values["s_h"], values["s_w"]) == (48, 8, 4)
    assert model("vit").values["n_p"] == 196


def test_heads_of_a_size_of_their_own_enter_the_formula_of_a_vit_and_others_do_not() -> None:
    sizes = {"hidden_size": 30, "num_attention_heads": 5}
    for keys, wide in (({}, False), ({"head_dim": 6}, False), ({"head_dim": 7}, True), ({"num_attention_heads": 7}, True)):
        shapes = [tensor.shape for _, tensor in model("vit", **(sizes | keys)).architecture.tensors()]
        assert any(str(letter) == "d" for shape in shapes for size in shape for letter in size.free_symbols) is wide


def test_a_key_of_a_config_inside_is_placed_in_its_file() -> None:
    text = """{"model_type": "clip", "hidden_size": 3,
  "text_config": {"hidden_size": 512, "id2label": {"hidden_size": 1}},
  "vision_config": {
    "hidden_size": true}}"""
    with pytest.raises(ConfigError, match=r"line 4, column 5: \"vision_config.hidden_size\" is true, but a positive whole number"):
        model_from_config(parse(text.encode(), "config.json"))


def test_earlier_files_of_clip_are_read_as_the_reference_reads_them() -> None:
    """What ``text_config_dict`` leaves out has its default, whatever ``text_config`` says; null means that it is not there."""
    both = {"text_config": {"hidden_size": 64, "num_hidden_layers": 3}, "text_config_dict": {"hidden_size": 128}}
    assert [model("clip", **both).values[letter] for letter in "HN"] == [128, 12]
    assert [model("clip", **{**both, "text_config_dict": None}).values[letter] for letter in "HN"] == [64, 3]


def test_the_image_encoder_of_a_llava_without_one_is_the_references() -> None:
    assert [model("llava").values[letter] for letter in ("H_v", "N_v", "n_p")] == [1024, 24, 576]
    assert [model("llava", vision_config={}).values[letter] for letter in ("H_v", "N_v", "n_p")] == [768, 12, 49]

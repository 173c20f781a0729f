"""Configs of CLIP and LLaVA to record, which hold the configs of two models: released, random and odd ones."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from symparam.models.configs.presets import presets
from tests.reference.configs.drawing import Config, drawn, odd, thinned

TYPES = {"CLIPModel": "clip", "LlavaForConditionalGeneration": "llava"}
CLASSES = tuple(TYPES)


def _config(name: str, **keys: Any) -> Config:
    return {"model_type": TYPES[name], "architectures": [name], **keys}


def _encoder(random: Random) -> Config:
    heads = random.randint(1, 5)
    return {
        "hidden_size": heads * 2 * random.randint(1, 6),
        "num_hidden_layers": random.randint(1, 3),
        "num_attention_heads": heads,
        "intermediate_size": odd(random, 1, 99),
    }


def _image_encoder(random: Random) -> Config:
    patch = random.randint(1, 20)
    keys = _encoder(random) | {"num_channels": random.choice((1, 2, 3, 4))}
    keys |= {"image_size": patch * random.randint(1, 9) + random.randrange(patch), "patch_size": patch}
    return thinned(keys, random, ("num_channels", "intermediate_size"))


def _clip(random: Random, index: int) -> Config:
    text = _encoder(random) | {"vocab_size": odd(random, 51, 999), "max_position_embeddings": odd(random, 5, 99)}
    # Ends and beginnings of texts, which are not in such a small vocabulary by default.
    text = thinned(text, random, ("intermediate_size", "max_position_embeddings")) | {"bos_token_id": 0, "eos_token_id": 2}
    keys: Config = {"text_config": text, "vision_config": _image_encoder(random), "projection_dim": odd(random, 1, 99)}
    if index % 5 == 2:  # In files of earlier versions, this one is followed.
        keys["text_config_dict"] = {**text, "hidden_size": 3 * text["hidden_size"]}
        del keys["text_config_dict"]["num_hidden_layers"]
    if index % 5 in (3, 4):
        keys["vision_config_dict"] = None if index % 5 == 3 else {**_image_encoder(random), "num_channels": 5}
    return thinned(keys, random, ("projection_dim",) if index % 3 else ())


def _llava(random: Random, index: int) -> Config:
    text = _encoder(random) | {"model_type": "llama", "vocab_size": odd(random, 51, 999)}
    if index % 3 == 0:
        text |= {"num_key_value_heads": random.choice((1, text["num_attention_heads"]))}
    if index % 4 == 1:
        text |= {"head_dim": 2 * random.randint(1, 9)}
    text |= {key: True for place, key in enumerate(("attention_bias", "mlp_bias", "tie_word_embeddings")) if (index >> place) % 3 == 1}
    image = _image_encoder(random) | ({} if index % 4 == 2 else {"model_type": "clip_vision_model"})
    keys: Config = {"text_config": thinned(text, random, ("intermediate_size",)), "vision_config": image, "image_token_index": 7}
    keys |= {"multimodal_projector_bias": False} if index % 5 == 3 else {}
    keys |= {"vision_feature_layer": [-2, -1, 0][: random.randint(1, 3)]} if index % 5 == 1 else {}
    keys |= {"vision_feature_select_strategy": "full"} if index % 5 == 4 else {}
    keys |= {"tie_word_embeddings": True} if index % 7 == 5 else {}
    return keys


def _draw(name: str, random: Random, index: int) -> Config:
    return _config(name, **(_clip if name == "CLIPModel" else _llava)(random, index))


def _edge(name: str) -> dict[str, Config]:
    one: Config = {"hidden_size": 1, "num_hidden_layers": 1, "num_attention_heads": 1, "intermediate_size": 1}
    image = {"image_size": 1, "patch_size": 1, "num_channels": 1}
    edge: dict[str, Config] = {
        "edge-defaults": {},
        "edge-null-configs": {"text_config": None, "vision_config": None},
        "edge-size-one": {"text_config": {**one, "vocab_size": 3}, "vision_config": one | image, "projection_dim": 1},
        "edge-no-layers": {"text_config": {"num_hidden_layers": 0}, "vision_config": {"num_hidden_layers": 1}},
        "edge-prelu": {"text_config": {"hidden_act": "prelu"}, "vision_config": {"num_hidden_layers": 1}},
        "edge-prelu-in-the-image-encoder": {"vision_config": {"hidden_act": "prelu"}},
    }
    if name == "LlavaForConditionalGeneration":
        del edge["edge-size-one"]  # A head of one feature cannot be rotated.
        edge["edge-only-the-image-encoder"] = {"vision_config": {"hidden_size": 12, "num_attention_heads": 3}}
        edge["edge-prelu-in-the-projector"] = {"projector_hidden_act": "prelu"}
    else:
        edge["edge-size-one"]["text_config"] |= {"bos_token_id": 0, "eos_token_id": 2}
    return {label: _config(name, **keys) for label, keys in edge.items()}


def configs(name: str) -> dict[str, Config]:
    """All configs to record for a class, by label; the released ones are those of the presets."""
    released = {preset.name: dict(preset.config) for preset in presets().values() if preset.config["architectures"] == [name]}
    return released | drawn(name, partial(_draw, name)) | _edge(name)

"""What is traced: a class for configs of one ``model_type``, with nested configs of other types than its defaults where released configs
have such, and with values for keys without which it does not build.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import transformers
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.models.traced.expressions import Expression
from symparam.models.traced.network import Network
from symparam.models.tracing.nested_values import merged, nested
from symparam.models.tracing.subjects import ConfigSubject

Nested = Mapping[str, str]

OF_OTHER_TYPES: dict[str, tuple[Nested, ...]] = {
    "blip-2": ({"text_config": "t5"},),
    "dpt": ({"backbone_config": "dinov2"}, {"backbone_config": "beit"}, {"backbone_config": "swinv2"}),
    "encoder-decoder": ({"encoder": "bert", "decoder": "bert"}, {"encoder": "roberta", "decoder": "roberta"}),
    "idefics2": ({"text_config": "llama"},),
    "instructblip": ({"text_config": "t5"}, {"text_config": "llama"}),
    "instructblipvideo": ({"text_config": "t5"}, {"text_config": "llama"}),
    "internvl": ({"text_config": "llama"}, {"text_config": "qwen3"}, {"text_config": "qwen3_moe"}, {"text_config": "gpt_oss"}),
    "llava": (
        {"text_config": "mistral", "vision_config": "pixtral"},
        {"text_config": "qwen2", "vision_config": "siglip_vision_model"},
        {"text_config": "llama", "vision_config": "siglip_vision_model"},
    ),
    "llava_next": (
        {"text_config": "mistral"},
        {"text_config": "qwen2"},
        {"text_config": "granite", "vision_config": "siglip_vision_model"},
    ),
    "llava_next_video": ({"text_config": "mistral"}, {"text_config": "qwen2"}),
    "mistral3": ({"text_config": "ministral3"},),
    "paligemma": ({"text_config": "gemma2"},),
    "speech-encoder-decoder": ({"encoder": "wav2vec2", "decoder": "bert"}, {"encoder": "wav2vec2", "decoder": "mbart"}),
    "vision-encoder-decoder": (
        {"encoder": "vit", "decoder": "gpt2"},
        {"encoder": "vit", "decoder": "trocr"},
        {"encoder": "deit", "decoder": "trocr"},
        {"encoder": "vit", "decoder": "bert"},
        {"encoder": "vit", "decoder": "roberta"},
        {"encoder": "donut-swin", "decoder": "mbart"},
    ),
    "vision-text-dual-encoder": (
        {"vision_config": "vit", "text_config": "bert"},
        {"vision_config": "clip_vision_model", "text_config": "bert"},
        {"vision_config": "clip_vision_model", "text_config": "roberta"},
    ),
}
"""The types of nested configs in released configs of each ``model_type``, where they are not those of its defaults."""
NEEDED: dict[str, Mapping[str, object]] = {
    "autoformer": {"prediction_length": 24},
    "aya_vision": {"vision_config": {"model_type": "siglip_vision_model", "num_attention_heads": 16}},
    "chameleon": {"vocabulary_map": {"<image>": 8711}},
    "dbrx": {"attn_config": {"rope_theta": 10000.0}},
    "dots1": {"n_routed_experts": 8, "n_shared_experts": 2, "num_experts_per_tok": 2},
    "esm": {"vocab_size": 33},
    "hunyuan_v1_dense": {"head_dim": 128},
    "hunyuan_v1_moe": {"head_dim": 128},
    "informer": {"prediction_length": 24},
    "ministral": {"head_dim": 128},
    "nemotron": {"num_key_value_heads": 8},
    "time_series_transformer": {"prediction_length": 24},
    "Wav2Vec2BertForCTC": {"vocab_size": 32},
    "Wav2Vec2ConformerForCTC": {"vocab_size": 32},
}
"""Values for keys without which a class does not build, or no class for configs of that ``model_type``."""


@dataclass(frozen=True)
class Pair:
    """A class with the ``model_type`` of its configs, and with the types of nested configs that are not those of its defaults."""

    model_type: str
    class_name: str
    types: tuple[tuple[str, str], ...] = ()

    @property
    def name(self) -> str:
        """The name of its file, without the ending."""
        return "+".join((self.class_name, *(kind for _, kind in self.types)))

    @property
    def needed(self) -> Mapping[str, object]:
        """What it does not build without."""
        return NEEDED.get(self.class_name, NEEDED.get(self.model_type, {}))

    @property
    def base(self) -> dict[str, Any]:
        """What each of its configs states."""
        kinds = {f"{path}.model_type": kind for path, kind in self.types}
        return {"model_type": self.model_type} | merged(self.needed, nested(kinds))

    def is_stated_in(self, document: Mapping[str, Any]) -> bool:
        """Whether the config says that its nested configs are of these types."""
        return all((document.get(path) or {}).get("model_type") == kind for path, kind in self.types)

    def subject(self, more: Mapping[str, object] | None = None) -> ConfigSubject:
        """What is traced, with the values of ``more`` in each config."""
        return ConfigSubject(getattr(transformers, self.class_name), {**self.base, **(more or {})}, CONFIG_MAPPING[self.model_type])


def with_own_defaults(pair: Pair, network: Network) -> Network:
    """The network with the class's own defaults for keys without which it does not build, and with the condition that none is null."""
    if not pair.needed:
        return network
    kinds = {f"{path}.model_type": kind for path, kind in pair.types}
    own = ConfigSubject(
        getattr(transformers, pair.class_name), {"model_type": pair.model_type} | nested(kinds), CONFIG_MAPPING[pair.model_type]
    )
    defaults, given = own.settings(own.prepare({})), pair.subject().settings(pair.subject().prepare({}))
    common = network.keys.keys() & defaults.keys() & given.keys()
    changed = {path: defaults[path] for path in sorted(common) if defaults[path] != given[path]}
    keys = {**network.keys, **{path: replace(network.keys[path], default=changed[path]) for path in changed}}
    not_null: tuple[Expression, ...] = tuple(("not", ("null", ("key", path))) for path, default in changed.items() if default is None)
    return replace(network, keys=keys, inner=own.inner, conditions=(*network.conditions, *not_null))


def others(pairs: list[tuple[str, str]]) -> list[Pair]:
    """The pairs with nested configs of other types."""
    return [
        Pair(model_type, class_name, tuple(types.items()))
        for model_type, class_name in pairs
        for types in OF_OTHER_TYPES.get(model_type, ())
    ]

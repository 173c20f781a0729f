"""LLaVA: the image encoder of CLIP, two matrices that map its outputs to the size of a Llama, and the Llama itself.

Each sequence of L tokens holds one image, whose n_p patches are among them; the class token is left out. ``vision_feature_layer`` says
which layers' outputs are mapped; the image encoder runs whole all the same.

Source: Liu et al. 2023, arXiv 2310.03744; transformers, models/llava/modeling_llava.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from symparam.core.dimensions import B, H, V, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures import clip
from symparam.models.architectures.activation_functions import activation_function
from symparam.models.architectures.family import Family, Flags, Inner, SizeKey
from symparam.models.architectures.gated_decoder import GROUPED_HEADS, body, dense_layers, sizes
from symparam.models.architectures.llama import design
from symparam.models.blocks import Activation, Block, Linear, Tied

H_v, n_f, n_p = map(symbol, ("H_v", "n_f", "n_p"))

VISION = {
    "hidden_size": 1024,
    "intermediate_size": 4096,
    "num_hidden_layers": 24,
    "num_attention_heads": 16,
    "image_size": 336,
    "patch_size": 14,
}
"""The reference's image encoder where a config has none."""


def projector(flags: Flags) -> Block:
    """``n_fH_vH + H + H² + H``: n_f outputs of H_v features for each patch."""
    bias = flags["multimodal_projector_bias"]
    return Block(
        "LlavaMultiModalProjector",
        role="image-projector",
        rows=B * (n_p + 1 if flags["class_token_is_mapped"] else n_p),
        linear_1=Linear(n_f * H_v, H, bias=bias, role="image-projector-in"),
        act=Activation(H, flags["projector_act"], role="activation"),
        linear_2=Linear(H, H, bias=bias, role="image-projector-out"),
    )


def llava_model(flags: Flags) -> Block:
    """The image encoder, the projector and the language model without its head."""
    chosen = design(flags)
    return Block(
        "LlavaModel",
        role="transformer",
        vision_tower=clip.image_encoder(flags, sympy.Integer(flags["unread_layers"]) or None),
        multi_modal_projector=projector(flags),
        language_model=body(chosen, dense_layers(chosen), role="decoder"),
    )


def llava_for_conditional_generation(flags: Flags) -> Block:
    """The model, and VH for the head if it is not tied to the embedding."""
    head = Linear(H, V, bias=False, role="language-model-head")
    return Block(
        "LlavaForConditionalGeneration",
        role="model",
        model=llava_model(flags),
        lm_head=Tied(head, weight="model.language_model.embed_tokens.weight") if flags["tie_word_embeddings"] else head,
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """The patches, the layers whose outputs are mapped, the functions, and the flags of the language model."""
    for key, known in (("text_config.model_type", "llama"), ("vision_config.model_type", "clip_vision_model")):
        if keys.get(key, known) != known:
            raise KeyValueError(key, f"{known!r}, the only one whose LLaVA symparam describes by hand,")
    layers = keys.get("vision_feature_layer", -2)
    whole = isinstance(layers, int) and not isinstance(layers, bool)
    if not whole and not (isinstance(layers, list) and layers):
        raise KeyValueError("vision_feature_layer", "the number of a layer, or a list of such,")
    strategy = keys.get("vision_feature_select_strategy", "default")
    if strategy not in ("default", "full"):
        raise KeyValueError("vision_feature_select_strategy", "'default' or 'full'")
    flags = {name: _flag(keys, f"text_config.{name}") for name in ("attention_bias", "mlp_bias", "tie_word_embeddings")}
    flags["tie_word_embeddings"] |= _flag(keys, "tie_word_embeddings")
    return {
        **clip.patches(keys),
        **flags,
        "n_f": 1 if whole else len(layers),
        "class_token_is_mapped": strategy == "full",
        "unread_layers": _unread(layers if isinstance(layers, list) else [layers], values["N_v"]),
        "image_act": activation_function(keys, "vision_config.hidden_act", "quick_gelu"),
        "projector_act": activation_function(keys, "projector_hidden_act", "gelu"),
    }


def _unread(layers: list[object], depth: int) -> int:
    """How many of the last layers of the image encoder come after those whose outputs are mapped; 0 is the input of the first layer."""
    places = [each if each >= 0 else depth + 1 + each for each in layers if isinstance(each, int)]
    return min(max(depth - max(places, default=depth), 0), depth)


def _flag(keys: JsonMapping, key: str) -> bool:
    value = keys.get(key, False)
    if not isinstance(value, bool):
        raise KeyValueError(key, "true or false")
    return value


LLAVA = Family(
    name="llava",
    title="LLaVA",
    model_type="llava",
    source="Liu et al. 2023, arXiv 2310.03744; transformers, models/llava/modeling_llava.py",
    sizes=(
        *(
            SizeKey(size.letter, f"text_config.{size.key}", size.default, null_default=size.null_default)
            for size in sizes(vocabulary=32000, hidden=4096, intermediate=11008, layers=32, heads=32)
        ),
        *clip.IMAGE_SIZES,
    ),
    flags={
        "tie_word_embeddings": False,
        "attention_bias": False,
        "mlp_bias": False,
        "multimodal_projector_bias": True,
        "class_token_is_mapped": False,
        "unread_layers": 1,
        "image_act": "quick_gelu",
        "projector_act": "gelu",
    },
    classes={"LlavaForConditionalGeneration": llava_for_conditional_generation},
    divisible=(("H", "h"), ("H_v", "h_i")),
    divisible_to_run=GROUPED_HEADS,
    activation_key="text_config.hidden_act",
    default_activation="silu",
    settings=settings,
    inner=(Inner("text_config"), Inner("vision_config", absent=VISION)),
)

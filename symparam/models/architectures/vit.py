"""ViT: an encoder of image patches, with a LayerNorm before each sublayer, a class token and learned positions.

Source: Dosovitskiy et al. 2020, arXiv 2010.11929; transformers, models/vit/modeling_vit.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import B, H, I, N, d, h, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.activation_functions import activation_function
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.settings import labels
from symparam.models.blocks import Activation, Block, Conv2d, DotProduct, LayerNorm, Linear, Parameter, Repeat

n_c, n_p, s_h, s_w, n_l, H_p = map(symbol, ("n_c", "n_p", "s_h", "s_w", "n_l", "H_p"))


def embeddings(flags: Flags) -> Block:
    """``n_cs_hs_wH + H + n_pH + 2H``: the projection of the patches, the class token, and the positions of both."""
    projection = Conv2d(n_c, H, (s_h, s_w), stride=(s_h, s_w), role="patch-projection", rows=B * n_p)
    mask = {"mask_token": Parameter(1, 1, H, role="mask-token")} if flags["use_mask_token"] else {}
    return Block(
        "ViTEmbeddings",
        role="patch-embeddings",
        execution_order=("patch_embeddings", *mask, "cls_token", "position_embeddings"),
        cls_token=Parameter(1, 1, H, role="class-token"),
        **mask,
        position_embeddings=Parameter(1, n_p + 1, H, role="position-embedding"),
        patch_embeddings=Block("ViTPatchEmbeddings", role="patch-projection", projection=projection),
    )


def layer(flags: Flags) -> Block:
    """``4H² + 2HI + 9H + I``; if the config gives a head size, hd replaces H as the width of all heads."""
    heads, bias = h * d if flags["own_head_size"] else H, flags["qkv_bias"]
    return Block(
        "ViTLayer",
        role="layer",
        execution_order=("layernorm_before", "attention", "layernorm_after", "mlp"),
        attention=Block(
            "ViTAttention",
            role="attention",
            execution_order=("q_proj", "k_proj", "v_proj", "dot_product", "o_proj"),
            q_proj=Linear(H, heads, bias=bias, role="query"),
            k_proj=Linear(H, heads, bias=bias, role="key"),
            v_proj=Linear(H, heads, bias=bias, role="value"),
            o_proj=Linear(heads, H, role="output-projection"),
            dot_product=DotProduct(n_p + 1, heads, heads, role="dot-product"),
        ),
        layernorm_before=LayerNorm(H, role="attention-norm"),
        layernorm_after=LayerNorm(H, role="feed-forward-norm"),
        mlp=Block(
            "ViTMLP",
            role="feed-forward",
            fc1=Linear(H, I, role="feed-forward-in"),
            activation_fn=Activation(I, role="activation"),
            fc2=Linear(I, H, role="feed-forward-out"),
        ),
    )


def vit_model(flags: Flags) -> Block:
    """``n_cs_hs_wH + n_pH + 3H + N(4H² + 2HI + 9H + I) + 2H + HH_p + H_p``; the last two terms are the pooler's."""
    function = Activation(H_p, flags["pooler_act"], role="activation")
    pooler = Block("ViTPooler", role="pooler", rows=B, dense=Linear(H, H_p, role="pooler"), activation=function)
    return Block(
        "ViTModel",
        role="transformer",
        rows=B * (n_p + 1),
        embeddings=embeddings(flags),
        layers=Repeat(N, layer(flags), role="layers"),
        layernorm=LayerNorm(H, role="final-norm"),
        **({"pooler": pooler} if flags["add_pooling_layer"] else {}),
    )


def vit_for_image_classification(flags: Flags) -> Block:
    """The encoder without pooler, and a classifier of ``n_lH + n_l``, which is absent if there are no labels."""
    classifier = {"classifier": Linear(H, n_l, role="classifier", rows=B)} if flags["has_labels"] else {}
    return Block(
        "ViTForImageClassification",
        role="model",
        vit=vit_model({**flags, "add_pooling_layer": False, "use_mask_token": False}),
        **classifier,
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """The number of patches, the labels, the pooler's output size, and whether all heads together are as wide as the model."""
    if "head_dim" in keys and keys["head_dim"] is None:
        raise KeyValueError("head_dim", "a positive whole number")
    if not values["d"]:
        key = "hidden_size" if "hidden_size" in keys else "num_attention_heads"
        raise KeyValueError(key, f"at least one feature for each of {values['h']:,} heads")
    height, width = sides(keys, "image_size", 224)
    patch_height, patch_width = sides(keys, "patch_size", 16)
    patches = (height // patch_height) * (width // patch_width)
    if not patches:
        if "image_size" in keys:
            raise KeyValueError("image_size", f"an image of at least {patch_height:,} × {patch_width:,}, one patch,")
        raise KeyValueError("patch_size", f"a patch of at most {height:,} × {width:,}, the image,")
    number = labels(keys)
    return {
        "n_p": patches,
        "s_h": patch_height,
        "s_w": patch_width,
        **({} if values["H_p"] else {"H_p": values["H"]}),
        "pooler_act": activation_function(keys, "pooler_act", "tanh"),
        "own_head_size": values["h"] * values["d"] != values["H"],
        "has_labels": number > 0,
        "n_l": number,
    }


def sides(keys: JsonMapping, key: str, default: int) -> tuple[int, int]:
    """Height and width, given as one number or as a list of the two."""
    given = keys.get(key, default)
    both = given if isinstance(given, list) else [given, given]
    if len(both) != 2 or not all(isinstance(side, int) and not isinstance(side, bool) and side > 0 for side in both):
        raise KeyValueError(key, "a positive whole number, or a list of two, height and width,")
    return both[0], both[1]


VIT = Family(
    name="vit",
    title="ViT",
    model_type="vit",
    source="Dosovitskiy et al. 2020, arXiv 2010.11929; transformers, models/vit/modeling_vit.py",
    sizes=(
        SizeKey("H", "hidden_size", 768),
        SizeKey("N", "num_hidden_layers", 12),
        SizeKey("h", "num_attention_heads", 12),
        SizeKey("d", "head_dim", "H/h"),
        SizeKey("I", "intermediate_size", 3072),
        SizeKey("n_c", "num_channels", 3),
        SizeKey("H_p", "pooler_output_size", "H", minimum=0),
        SizeKey("n_l", "num_labels", "2", minimum=0),
    ),
    flags={
        "add_pooling_layer": True,
        "use_mask_token": False,
        "qkv_bias": True,
        "own_head_size": False,
        "has_labels": True,
        "pooler_act": "tanh",
    },
    classes={"ViTModel": vit_model, "ViTForImageClassification": vit_for_image_classification},
    arguments=("add_pooling_layer", "use_mask_token"),
    activation_key="hidden_act",
    settings=settings,
)

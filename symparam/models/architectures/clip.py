"""CLIP: an encoder of texts and one of images, each with a matrix into a common space, in which a text and its image should be close to
each other.

A batch is B texts of L tokens each and B images. The scores are the products of each text with each image.

Source: Radford et al. 2021, arXiv 2103.00020; transformers, models/clip/modeling_clip.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import B, H, I, L, N, P, V, h, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.activation_functions import activation_function
from symparam.models.architectures.family import Family, Flags, Inner, SizeKey
from symparam.models.blocks import Activation, Block, Conv2d, DotProduct, Embedding, LayerNorm, Linear, Parameter, Repeat, Similarity
from symparam.models.blocks.module import Size

n_c, n_p, s_h, s_w, H_v, N_v, h_i, I_v, H_c = map(symbol, ("n_c", "n_p", "s_h", "s_w", "H_v", "N_v", "h_i", "I_v", "H_c"))

IMAGE_SIZES = (
    SizeKey("H_v", "vision_config.hidden_size", 768),
    SizeKey("N_v", "vision_config.num_hidden_layers", 12),
    SizeKey("h_i", "vision_config.num_attention_heads", 12),
    SizeKey("I_v", "vision_config.intermediate_size", 3072),
    SizeKey("n_c", "vision_config.num_channels", 3),
)


def layer(hidden: Size, intermediate: Size, heads: Size, tokens: Size, function: str, causal: bool = False) -> Block:
    """``4H² + 2HI + 9H + I``, H and I being those of the encoder."""
    return Block(
        "CLIPEncoderLayer",
        role="layer",
        execution_order=("layer_norm1", "self_attn", "layer_norm2", "mlp"),
        self_attn=Block(
            "CLIPAttention",
            role="attention",
            execution_order=("q_proj", "k_proj", "v_proj", "dot_product", "out_proj"),
            k_proj=Linear(hidden, hidden, role="key"),
            v_proj=Linear(hidden, hidden, role="value"),
            q_proj=Linear(hidden, hidden, role="query"),
            out_proj=Linear(hidden, hidden, role="output-projection"),
            dot_product=DotProduct(tokens, hidden, hidden, causal=causal, num_heads=heads, role="dot-product"),
        ),
        layer_norm1=LayerNorm(hidden, role="attention-norm"),
        mlp=Block(
            "CLIPMLP",
            role="feed-forward",
            execution_order=("fc1", "activation_fn", "fc2"),
            activation_fn=Activation(intermediate, function, role="activation"),
            fc1=Linear(hidden, intermediate, role="feed-forward-in"),
            fc2=Linear(intermediate, hidden, role="feed-forward-out"),
        ),
        layer_norm2=LayerNorm(hidden, role="feed-forward-norm"),
    )


def text_encoder(flags: Flags) -> Block:
    """``VH + PH + N(4H² + 2HI + 9H + I) + 2H``."""
    return Block(
        "CLIPTextModel",
        role="text-encoder",
        embeddings=Block(
            "CLIPTextEmbeddings",
            role="embeddings",
            token_embedding=Embedding(V, H, role="token-embedding"),
            position_embedding=Embedding(P, H, role="position-embedding"),
        ),
        encoder=Block("CLIPEncoder", role="backbone", layers=Repeat(N, layer(H, I, h, L, flags["text_act"], causal=True), role="layers")),
        final_layer_norm=LayerNorm(H, role="final-norm"),
    )


def image_encoder(flags: Flags, unread: Size | None = None) -> Block:
    """``H_v + n_cs_hs_wH_v + (n_p + 1)H_v + 2H_v + N_v(4H_v² + 2H_vI_v + 9H_v + I_v) + 2H_v``: the class token, patches without a
    bias, positions, a norm before the layers, the layers, and a norm of the class token after them. Nothing reads the output of the last
    ``unread`` layers.
    """
    return Block(
        "CLIPVisionModel",
        role="image-encoder",
        rows=B * (n_p + 1),
        embeddings=Block(
            "CLIPVisionEmbeddings",
            role="patch-embeddings",
            execution_order=("patch_embedding", "class_embedding", "position_embedding"),
            class_embedding=Parameter(H_v, role="class-token"),
            patch_embedding=Conv2d(n_c, H_v, (s_h, s_w), stride=(s_h, s_w), bias=False, role="patch-projection", rows=B * n_p),
            position_embedding=Embedding(n_p + 1, H_v, role="position-embedding"),
        ),
        pre_layrnorm=LayerNorm(H_v, role="embedding-norm"),
        encoder=Block(
            "CLIPEncoder",
            role="backbone",
            layers=Repeat(N_v, layer(H_v, I_v, h_i, n_p + 1, flags["image_act"]), unread=unread, role="layers"),
        ),
        post_layernorm=LayerNorm(H_v, role="final-norm", rows=B),
    )


def clip_model(flags: Flags) -> Block:
    """``HH_c + H_vH_c + 1`` in addition to both encoders: their matrices into the common space, and the scale of the scores."""
    return Block(
        "CLIPModel",
        role="model",
        execution_order=("vision_model", "visual_projection", "text_model", "text_projection", "similarity", "logit_scale"),
        logit_scale=Parameter(role="score-scale"),
        text_model=text_encoder(flags),
        vision_model=image_encoder(flags),
        visual_projection=Linear(H_v, H_c, bias=False, role="image-projection", rows=B),
        text_projection=Linear(H, H_c, bias=False, role="text-projection", rows=B),
        similarity=Similarity(H_c, B, role="similarity", rows=B),
    )


def patches(keys: JsonMapping) -> JsonObject:
    """The number of patches and their sides: squares, of a square image."""
    image, patch = (_side(keys, f"vision_config.{name}", default) for name, default in (("image_size", 224), ("patch_size", 32)))
    if patch > image:
        key = "vision_config.image_size" if "vision_config.image_size" in keys else "vision_config.patch_size"
        raise KeyValueError(key, f"an image of at least one patch, {patch:,} pixels wide,")
    return {"n_p": (image // patch) ** 2, "s_h": patch, "s_w": patch}


def _side(keys: JsonMapping, key: str, default: int) -> int:
    side = keys.get(key, default)
    if isinstance(side, bool) or not isinstance(side, int) or side < 1:
        raise KeyValueError(key, "a positive whole number")
    return side


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """The patches, and the activation functions of both encoders."""
    functions = {flag: activation_function(keys, f"{inner}.hidden_act", "quick_gelu") for flag, inner in _FUNCTIONS}
    return {**patches(keys), **functions}


_FUNCTIONS = (("text_act", "text_config"), ("image_act", "vision_config"))

CLIP = Family(
    name="clip",
    title="CLIP",
    model_type="clip",
    source="Radford et al. 2021, arXiv 2103.00020; transformers, models/clip/modeling_clip.py",
    sizes=(
        SizeKey("V", "text_config.vocab_size", 49408),
        SizeKey("H", "text_config.hidden_size", 512),
        SizeKey("N", "text_config.num_hidden_layers", 12),
        SizeKey("h", "text_config.num_attention_heads", 8),
        SizeKey("I", "text_config.intermediate_size", 2048),
        SizeKey("P", "text_config.max_position_embeddings", 77),
        *IMAGE_SIZES,
        SizeKey("H_c", "projection_dim", 512),
    ),
    flags={"text_act": "quick_gelu", "image_act": "quick_gelu"},
    classes={"CLIPModel": clip_model},
    divisible=(("H", "h"), ("H_v", "h_i")),
    default_activation="quick_gelu",
    settings=settings,
    inner=(Inner("text_config", "text_config_dict"), Inner("vision_config", "vision_config_dict")),
)

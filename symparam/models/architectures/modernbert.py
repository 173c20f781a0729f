"""ModernBERT: a pre-norm encoder with rotary positions and gated feed-forward parts, mostly without biases.

Source: Warner et al. 2024, arXiv 2412.13663; transformers, models/modernbert/modeling_modernbert.py.
"""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from symparam.core.dimensions import H, I, L, N, N_w, V
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.layer_kinds import check_depth, whole_number
from symparam.models.architectures.settings import check_padding
from symparam.models.blocks import Activation, Block, DotProduct, Embedding, LayerNorm, Linear, Module, Repeat, Tied
from symparam.models.blocks.containers import Layers
from symparam.models.blocks.operation import AROUND, NONE


def layer(flags: Flags, first: bool = False) -> Block:
    """``4H² + 3HI + 2H``; the first layer has no norm before its attention, since one follows the embeddings."""
    windowed = flags["windows"][0 if first else 1]
    bias, norm_bias = flags["attention_bias"], flags["norm_bias"]
    norm: dict[str, Module] = {} if first else {"attn_norm": LayerNorm(H, bias=norm_bias, role="attention-norm")}
    return Block(
        "ModernBertEncoderLayer",
        role="layer",
        **norm,
        attn=Block(
            "ModernBertAttention",
            role="attention",
            execution_order=("Wqkv", "dot_product", "Wo"),
            Wqkv=Linear(H, 3 * H, bias=bias, role="query-key-value"),
            Wo=Linear(H, H, bias=bias, role="output-projection"),
            dot_product=DotProduct(L, H, H, window=AROUND if windowed else NONE, role="dot-product"),
        ),
        mlp_norm=LayerNorm(H, bias=norm_bias, role="feed-forward-norm"),
        mlp=Block(
            "ModernBertMLP",
            role="gated-feed-forward",
            Wi=Linear(H, 2 * I, bias=flags["mlp_bias"], role="feed-forward-gate-and-in"),
            act=Activation(I, role="activation"),
            Wo=Linear(I, H, bias=flags["mlp_bias"], role="feed-forward-out"),
        ),
    )


def modernbert_for_masked_lm(flags: Flags) -> Block:
    """``VH + 2H + N(4H² + 3HI + 2H) - H + H² + H + V``: the head is a matrix with its norm, and the word table with a bias."""
    norm_bias, decoder = flags["norm_bias"], Linear(H, V, bias=flags["decoder_bias"], role="vocabulary-projection")
    first, others = layer(flags, first=True), flags["windows"]
    further = Repeat(N - 1, layer(flags), ">=1", windowed=N_w - int(others[0]) if others[2] else None, role="other-layers")
    layers = Layers(Repeat(sympy.S.One, first, "<1", role="first-layer"), further, role="layers")
    return Block(
        "ModernBertForMaskedLM",
        role="model",
        model=Block(
            "ModernBertModel",
            role="transformer",
            embeddings=Block(
                "ModernBertEmbeddings",
                role="embeddings",
                tok_embeddings=Embedding(V, H, role="token-embedding"),
                norm=LayerNorm(H, bias=norm_bias, role="embedding-norm"),
            ),
            layers=layers if flags["several_layers"] else Repeat(N, first, role="layers"),
            final_norm=LayerNorm(H, bias=norm_bias, role="final-norm"),
        ),
        head=Block(
            "ModernBertPredictionHead",
            role="head-transform",
            dense=Linear(H, H, bias=flags["classifier_bias"], role="head-transform-linear"),
            act=Activation(H, flags["classifier_activation"], role="activation"),
            norm=LayerNorm(H, bias=norm_bias, role="head-norm"),
        ),
        decoder=Tied(decoder, weight="model.embeddings.tok_embeddings.weight") if flags["tie_word_embeddings"] else decoder,
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Whether there is more than one layer, and which have a window; checks that the padding token is in the vocabulary.

    ``windows`` says whether the first layer has one, whether some of the others have one, and whether these are not all of the others.
    """
    check_padding(keys, values, {"V": "vocab_size"}, default=50283)
    check_depth(values["N"])
    if keys.get("classifier_activation") in ("prelu", "xielu"):
        raise KeyValueError("classifier_activation", "an activation without parameters of its own")
    first, *others = _windows(keys, values["N"])
    some = first + sum(others)
    ahead = whole_number(keys, "sliding_window", whole_number(keys, "local_attention", 128, least=0) // 2, least=0)
    return {
        "several_layers": values["N"] > 1,
        "classifier_activation": str(keys.get("classifier_activation", "gelu")),
        "windows": (first, any(others), any(others) and not all(others)),
        **({"w": ahead + 1} if some else {}),
        **({"N_w": some} if 0 < some < values["N"] else {}),
    }


def _windows(keys: JsonMapping, layers: int) -> tuple[bool, ...]:
    """For each layer whether it has a window: as ``layer_types`` lists them, or all but every third, from the first on."""
    types = keys.get("layer_types")
    if types is None:
        interval = whole_number(keys, "global_attn_every_n_layers", 3)
        return tuple(index % interval > 0 for index in range(layers))
    names = ("full_attention", "sliding_attention")
    if not isinstance(types, list) or len(types) != layers or any(each not in names for each in types):
        raise KeyValueError("layer_types", f"a list with the type of each of the {layers:,} layers, full_attention or sliding_attention,")
    return tuple(each == "sliding_attention" for each in types)


MODERNBERT = Family(
    name="modernbert",
    title="ModernBERT",
    model_type="modernbert",
    source="Warner et al. 2024, arXiv 2412.13663; transformers, models/modernbert/modeling_modernbert.py",
    sizes=(
        SizeKey("V", "vocab_size", 50368),
        SizeKey("H", "hidden_size", 768),
        SizeKey("N", "num_hidden_layers", 22),
        SizeKey("h", "num_attention_heads", 12),
        SizeKey("I", "intermediate_size", 1152),
    ),
    flags={
        "tie_word_embeddings": True,
        "attention_bias": False,
        "mlp_bias": False,
        "norm_bias": False,
        "decoder_bias": True,
        "classifier_bias": False,
        "several_layers": True,
        "windows": (False, True, True),
        "classifier_activation": "gelu",
    },
    classes={"ModernBertForMaskedLM": modernbert_for_masked_lm},
    divisible=(("H", "h"),),
    activation_key="hidden_activation",
    settings=settings,
)

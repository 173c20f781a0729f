"""T5: an encoder and a decoder sharing one embedding, with an RMSNorm before each sublayer, relative positions and no biases.

The relative positions are one small table in the first layer of either side, which all layers use. The output head is tied to the embedding
whatever a config says: `tie_word_embeddings: false`, as in T5 1.1 and FLAN-T5, only tells the reference not to scale the outputs.

Source: Raffel et al. 2020, arXiv 1910.10683; transformers, models/t5/modeling_t5.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import B, H, I, L, V, d, h, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.core.message import message
from symparam.errors import KeyValueError
from symparam.models.architectures.activation_functions import WITHOUT_PARAMETERS
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.blocks import Activation, Block, DotProduct, Embedding, Layers, Linear, Module, Repeat, RMSNorm, Tied
from symparam.models.blocks.module import Size

N_e, N_d, n_b, L_e = map(symbol, ("N_e", "N_d", "n_b", "L_e"))


def attention(role: str, keys: Size, with_positions: bool = False) -> Block:
    """``4dhH``; n_bh more with the table of relative positions, which has one number per bucket and head."""
    cross, causal = role == "cross-attention", keys == L
    source = B * L_e if cross else None
    table = {"relative_attention_bias": Embedding(n_b, h, role="relative-positions")} if with_positions else {}
    return Block(
        "T5Attention",
        role=role,
        execution_order=("q", "k", "v", *table, "dot_product", "o"),
        q=Linear(H, h * d, bias=False, role="query"),
        k=Linear(H, h * d, bias=False, role="key", rows=source),
        v=Linear(H, h * d, bias=False, role="value", rows=source),
        o=Linear(h * d, H, bias=False, role="output-projection"),
        dot_product=DotProduct(
            keys, h * d, h * d, 2 * h * d if causal or cross else 0, causal, learned_positions=not cross, role="dot-product"
        ),
        **table,
    )


def feed_forward(flags: Flags) -> Block:
    """``2HI``; with a gate ``3HI``."""
    down, function = Linear(I, H, bias=False, role="feed-forward-out"), Activation(I, role="activation")
    if not flags["is_gated_act"]:
        way_in = Linear(H, I, bias=False, role="feed-forward-in")
        return Block("T5DenseActDense", role="feed-forward", execution_order=("wi", "act", "wo"), wi=way_in, wo=down, act=function)
    return Block(
        "T5DenseGatedActDense",
        role="gated-feed-forward",
        execution_order=("wi_0", "act", "wi_1", "wo"),
        wi_0=Linear(H, I, bias=False, role="feed-forward-gate"),
        wi_1=Linear(H, I, bias=False, role="feed-forward-in"),
        wo=down,
        act=function,
    )


def layer(flags: Flags, decoder: bool, first: bool) -> Block:
    """``4dhH + 2HI + 2H`` in the encoder and ``8dhH + 2HI + 3H`` in the decoder; n_bh more in the first layer, HI more with a gate."""
    sublayers: list[Module] = [
        Block(
            "T5LayerSelfAttention",
            role="attention-and-norm",
            execution_order=("layer_norm", "SelfAttention"),
            SelfAttention=attention("attention", L if decoder else L_e, with_positions=first),
            layer_norm=RMSNorm(H, role="attention-norm"),
        )
    ]
    if decoder:
        sublayers.append(
            Block(
                "T5LayerCrossAttention",
                role="cross-attention-and-norm",
                execution_order=("layer_norm", "EncDecAttention"),
                EncDecAttention=attention("cross-attention", L_e),
                layer_norm=RMSNorm(H, role="cross-attention-norm"),
            )
        )
    sublayers.append(
        Block(
            "T5LayerFF",
            role="feed-forward-and-norm",
            execution_order=("layer_norm", "DenseReluDense"),
            DenseReluDense=feed_forward(flags),
            layer_norm=RMSNorm(H, role="feed-forward-norm"),
        )
    )
    numbered = {str(number): sublayer for number, sublayer in enumerate(sublayers)}
    return Block("T5Block", role="layer", layer=Block("ModuleList", role="sublayers", **numbered))


def stack(flags: Flags, side: str, layers: Size) -> Block:
    """The first layer, which holds the table of relative positions, the other layers, and a norm of H parameters."""
    groups = [Repeat(1, layer(flags, side == "decoder", first=True), "=0", role="first-layer")]
    if flags[f"several_{side}_layers"]:
        groups.append(Repeat(layers - 1, layer(flags, side == "decoder", first=False), ">0", role="other-layers"))
    return Block(
        "T5Stack",
        role=side,
        rows=B * L if side == "decoder" else B * L_e,
        embed_tokens=Tied(Embedding(V, H, role="token-embedding"), weight="shared.weight"),
        block=Layers(*groups, role="layers"),
        final_layer_norm=RMSNorm(H, role="final-norm"),
    )


def t5_for_conditional_generation(flags: Flags) -> Block:
    """``VH + N_e(4dhH + 2HI + 2H) + N_d(8dhH + 2HI + 3H) + 2n_bh + 2H``; ``(N_e + N_d)HI`` more with a gate."""
    return Block(
        "T5ForConditionalGeneration",
        role="model",
        shared=Embedding(V, H, role="token-embedding"),
        encoder=stack(flags, "encoder", N_e),
        decoder=stack(flags, "decoder", N_d),
        lm_head=Tied(Linear(H, V, bias=False, role="language-model-head"), weight="shared.weight"),
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Whether the feed-forward part has a gate, and how many layers the decoder has."""
    projection = keys.get("feed_forward_proj", "relu")
    if not isinstance(projection, str) or projection.split("-")[:-1] not in ([], ["gated"]):
        raise KeyValueError("feed_forward_proj", 'an activation such as "relu" or "gated-gelu"')
    parts = projection.split("-")
    if parts[-1] not in WITHOUT_PARAMETERS and "dense_act_fn" not in keys:
        raise KeyValueError("feed_forward_proj", 'an activation without parameters of its own, such as "relu" or "gated-gelu",')
    found: JsonObject = {"is_gated_act": bool(keys.get("is_gated_act", parts[0] == "gated"))}
    decoder_layers = values["N_d"]
    if keys.get("num_decoder_layers") is None and "num_hidden_layers" in keys:
        # The reference reads "num_layers" before the other spelling of the key.
        found["N_d"] = decoder_layers = keys.get("num_layers", 6)
        if isinstance(decoder_layers, bool) or not isinstance(decoder_layers, int) or decoder_layers < 1:
            raise KeyValueError("num_layers", "a positive whole number")
    if keys.get("tie_word_embeddings") is False:
        found["remarks"] = (message("untied-is-scaling"),)
        found["released_extras"] = (("own-head", "VH"),)
    return found | {"several_encoder_layers": values["N_e"] > 1, "several_decoder_layers": decoder_layers > 1}


T5 = Family(
    name="t5",
    title="T5",
    model_type="t5",
    source="Raffel et al. 2020, arXiv 1910.10683; transformers, models/t5/modeling_t5.py",
    sizes=(
        SizeKey("V", "vocab_size", 32128),
        SizeKey("H", "d_model", 512, ("hidden_size",)),
        SizeKey("d", "d_kv", 64, ("head_dim",)),
        SizeKey("I", "d_ff", 2048),
        SizeKey("N_e", "num_layers", 6, ("num_hidden_layers",)),
        SizeKey("N_d", "num_decoder_layers", "N_e"),
        SizeKey("h", "num_heads", 8, ("num_attention_heads",)),
        SizeKey("n_b", "relative_attention_num_buckets", 32),
    ),
    flags={"is_gated_act": False, "several_encoder_layers": True, "several_decoder_layers": True},
    classes={"T5ForConditionalGeneration": t5_for_conditional_generation},
    activation_key="dense_act_fn",
    default_activation="relu",
    settings=settings,
)

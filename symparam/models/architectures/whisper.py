"""Whisper: an audio encoder after two convolutions and a text decoder, with learned positions and keys without bias.

The positions of the encoder are sinusoids that are not trained; the reference keeps them among its parameters, so they are counted.

Source: Radford et al. 2022, arXiv 2212.04356; transformers, models/whisper/modeling_whisper.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import B, H, L, V, symbol
from symparam.core.json_types import JsonMapping
from symparam.models.architectures.family import Family, Flags, SizeKey, in_order
from symparam.models.architectures.settings import check_padding
from symparam.models.blocks import Activation, Block, Conv1d, DotProduct, Embedding, LayerNorm, Linear, Module, Repeat, Tied
from symparam.models.blocks.module import Size

N_e, N_d, h_e, h_d, I_e, I_d, P_e, P_d, n_m = map(symbol, ("N_e", "N_d", "h_e", "h_d", "I_e", "I_d", "P_e", "P_d", "n_m"))


def attention(role: str, keys: Size, heads: Size) -> Block:
    """``4H² + 3H``: four projections, of which the key projection has no bias."""
    cross, causal = role == "cross-attention", keys == L
    source = B * P_e if cross else None
    return Block(
        "WhisperAttention",
        role=role,
        execution_order=("q_proj", "k_proj", "v_proj", "dot_product", "out_proj"),
        k_proj=Linear(H, H, bias=False, role="key", rows=source),
        v_proj=Linear(H, H, role="value", rows=source),
        q_proj=Linear(H, H, role="query"),
        out_proj=Linear(H, H, role="output-projection"),
        dot_product=DotProduct(keys, H, H, 2 * H if causal or cross else 0, causal, heads, role="dot-product"),
    )


def layer(name: str, intermediate: Size, keys: Size, heads: Size, **cross: Module) -> Block:
    """``4H² + 2HI + 8H + I``, I being that of encoder or decoder; ``4H² + 5H`` more with cross-attention."""
    between = in_order(cross, "encoder_attn_layer_norm", "encoder_attn")
    return Block(
        name,
        role="layer",
        execution_order=("self_attn_layer_norm", "self_attn", *between, "final_layer_norm", "fc1", "activation_fn", "fc2"),
        self_attn=attention("attention", keys, heads),
        self_attn_layer_norm=LayerNorm(H, role="attention-norm"),
        **cross,
        activation_fn=Activation(intermediate, role="activation"),
        fc1=Linear(H, intermediate, role="feed-forward-in"),
        fc2=Linear(intermediate, H, role="feed-forward-out"),
        final_layer_norm=LayerNorm(H, role="feed-forward-norm"),
    )


def encoder() -> Block:
    """``3n_mH + 3H² + 2H + P_eH + N_e(4H² + 2HI_e + 8H + I_e) + 2H``: both convolutions have a kernel of size 3."""
    return Block(
        "WhisperEncoder",
        role="encoder",
        execution_order=("conv1", "gelu1", "conv2", "gelu2", "embed_positions", "layers", "layer_norm"),
        rows=B * P_e,
        conv1=Conv1d(n_m, H, 3, padding=1, role="first-convolution", rows=2 * B * P_e),
        conv2=Conv1d(H, H, 3, stride=2, padding=1, role="second-convolution", rows=B * P_e),
        gelu1=Activation(H, "gelu", is_module=False, role="activation", rows=2 * B * P_e),
        gelu2=Activation(H, "gelu", is_module=False, role="activation"),
        embed_positions=Embedding(P_e, H, role="position-embedding"),
        layers=Repeat(N_e, layer("WhisperEncoderLayer", I_e, P_e, h_e), role="layers"),
        layer_norm=LayerNorm(H, role="final-norm"),
    )


def decoder() -> Block:
    """``VH + P_dH + N_d(8H² + 2HI_d + 13H + I_d) + 2H``."""
    cross_attention = {
        "encoder_attn": attention("cross-attention", P_e, h_d),
        "encoder_attn_layer_norm": LayerNorm(H, role="cross-attention-norm"),
    }
    return Block(
        "WhisperDecoder",
        role="decoder",
        embed_tokens=Embedding(V, H, role="token-embedding"),
        embed_positions=Embedding(P_d, H, role="position-embedding"),
        layers=Repeat(N_d, layer("WhisperDecoderLayer", I_d, L, h_d, **cross_attention), role="layers"),
        layer_norm=LayerNorm(H, role="final-norm"),
    )


def whisper_for_conditional_generation(flags: Flags) -> Block:
    """The encoder and the decoder, plus VH if the head is not tied to the embedding."""
    head = Linear(H, V, bias=False, role="language-model-head")
    return Block(
        "WhisperForConditionalGeneration",
        role="model",
        model=Block("WhisperModel", role="transformer", encoder=encoder(), decoder=decoder()),
        proj_out=Tied(head, weight="model.decoder.embed_tokens.weight") if flags["tie_word_embeddings"] else head,
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonMapping:
    """Checks that the padding token is in the vocabulary; no value depends on several keys."""
    check_padding(keys, values, {"V": "vocab_size"}, default=50256)
    return {}


WHISPER = Family(
    name="whisper",
    title="Whisper",
    model_type="whisper",
    source="Radford et al. 2022, arXiv 2212.04356; transformers, models/whisper/modeling_whisper.py",
    sizes=(
        SizeKey("V", "vocab_size", 51865),
        SizeKey("n_m", "num_mel_bins", 80),
        SizeKey("H", "d_model", 384, ("hidden_size",)),
        SizeKey("N_e", "encoder_layers", 4, ("num_hidden_layers",)),
        SizeKey("h_e", "encoder_attention_heads", 6, ("num_attention_heads", "num_key_value_heads")),
        SizeKey("I_e", "encoder_ffn_dim", 1536),
        SizeKey("N_d", "decoder_layers", 4),
        SizeKey("h_d", "decoder_attention_heads", 6),
        SizeKey("I_d", "decoder_ffn_dim", 1536),
        SizeKey("P_e", "max_source_positions", 1500),
        SizeKey("P_d", "max_target_positions", 448),
    ),
    flags={"tie_word_embeddings": True},
    classes={"WhisperForConditionalGeneration": whisper_for_conditional_generation},
    divisible=(("H", "h_e"), ("H", "h_d")),
    activation_key="activation_function",
    settings=settings,
)

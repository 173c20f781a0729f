"""OPT: a decoder modelled on GPT-3, whose embedding may be narrower than the model, with or without biases and norm parameters.

Source: Zhang et al. 2022, arXiv 2205.01068; transformers, models/opt/modeling_opt.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import H, I, L, N, P, V, symbol
from symparam.core.json_types import JsonMapping
from symparam.models.architectures.family import Family, Flags, SizeKey, in_order
from symparam.models.architectures.settings import check_padding
from symparam.models.blocks import Activation, Block, DotProduct, Embedding, LayerNorm, Linear, Module, Repeat, Tied

H_e = symbol("H_e")


def norm(flags: Flags, name: str, role: str) -> dict[str, Module]:
    """``2H``; 0 where the norms have neither scale nor shift."""
    return {name: LayerNorm(H, elementwise_affine=flags["layer_norm_elementwise_affine"], role=role)}


def layer(flags: Flags) -> Block:
    """``4H² + 2HI + 9H + I``; 5H + I less without biases, 4H less without scales and shifts."""
    bias = flags["enable_bias"]
    before: tuple[str, ...] = ("self_attn_layer_norm", "self_attn", "final_layer_norm", "fc1", "activation_fn", "fc2")
    after: tuple[str, ...] = ("self_attn", "self_attn_layer_norm", "fc1", "activation_fn", "fc2", "final_layer_norm")
    return Block(
        "OPTDecoderLayer",
        role="layer",
        execution_order=before if flags["do_layer_norm_before"] else after,
        self_attn=Block(
            "OPTAttention",
            role="attention",
            execution_order=("q_proj", "k_proj", "v_proj", "dot_product", "out_proj"),
            k_proj=Linear(H, H, bias=bias, role="key"),
            v_proj=Linear(H, H, bias=bias, role="value"),
            q_proj=Linear(H, H, bias=bias, role="query"),
            out_proj=Linear(H, H, bias=bias, role="output-projection"),
            dot_product=DotProduct(L, H, H, 2 * H, causal=True, role="dot-product"),
        ),
        **norm(flags, "self_attn_layer_norm", "attention-norm"),
        fc1=Linear(H, I, bias=bias, role="feed-forward-in"),
        activation_fn=Activation(I, role="activation"),
        fc2=Linear(I, H, bias=bias, role="feed-forward-out"),
        **norm(flags, "final_layer_norm", "feed-forward-norm"),
    )


def decoder(flags: Flags) -> Block:
    """``VH + (P + 2)H + N(4H² + 2HI + 9H + I) + 2H``: the position table has two extra rows.

    With an embedding size H_e, VH_e replaces VH, and two projections of HH_e are added. There is a final norm only where the layers are
    pre-norm.
    """
    projected, final = flags["embedding_projection"], flags["do_layer_norm_before"] and not flags["_remove_final_layer_norm"]
    projections: dict[str, Module] = {
        "project_out": Linear(H, H_e, bias=False, role="embedding-projection-out"),
        "project_in": Linear(H_e, H, bias=False, role="embedding-projection-in"),
    }
    chosen = (projections if projected else {}) | (norm(flags, "final_layer_norm", "final-norm") if final else {})
    return Block(
        "OPTDecoder",
        role="decoder",
        execution_order=(
            *("embed_tokens", "embed_positions", *in_order(chosen, "project_in")),
            *("layers", *in_order(chosen, "final_layer_norm", "project_out")),
        ),
        embed_tokens=Embedding(V, H_e if projected else H, role="token-embedding"),
        embed_positions=Embedding(P + 2, H, role="position-embedding"),
        **chosen,
        layers=Repeat(N, layer(flags), role="layers"),
    )


def opt_for_causal_lm(flags: Flags) -> Block:
    """The decoder, plus the size of the embedding if the head is not tied to it."""
    head = Linear(H_e if flags["embedding_projection"] else H, V, bias=False, role="language-model-head")
    return Block(
        "OPTForCausalLM",
        role="model",
        model=Block("OPTModel", role="transformer", decoder=decoder(flags)),
        lm_head=Tied(head, weight="model.decoder.embed_tokens.weight") if flags["tie_word_embeddings"] else head,
    )


def settings(keys: JsonMapping, values: Mapping[str, int]) -> dict[str, bool]:
    """Whether the embedding is projected, as it is if its width differs from the model's; checks that the padding token is in the
    vocabulary.
    """
    check_padding(keys, values, {"V": "vocab_size"}, default=1)
    return {"embedding_projection": values["H_e"] != values["H"]}


OPT = Family(
    name="opt",
    title="OPT",
    model_type="opt",
    source="Zhang et al. 2022, arXiv 2205.01068; transformers, models/opt/modeling_opt.py",
    sizes=(
        SizeKey("V", "vocab_size", 50272),
        SizeKey("P", "max_position_embeddings", 2048),
        SizeKey("H", "hidden_size", 768),
        SizeKey("N", "num_hidden_layers", 12),
        SizeKey("h", "num_attention_heads", 12),
        SizeKey("I", "ffn_dim", 3072),
        SizeKey("H_e", "word_embed_proj_dim", "H"),
    ),
    flags={
        "tie_word_embeddings": True,
        "embedding_projection": False,
        "do_layer_norm_before": True,
        "_remove_final_layer_norm": False,
        "enable_bias": True,
        "layer_norm_elementwise_affine": True,
    },
    classes={"OPTForCausalLM": opt_for_causal_lm},
    divisible=(("H", "h"),),
    activation_key="activation_function",
    default_activation="relu",
    remark="heads-and-two-rows",
    settings=settings,
)

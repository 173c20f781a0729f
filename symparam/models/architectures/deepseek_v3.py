"""DeepSeek-V3: latent attention, and experts of which some are shared by all tokens; the first layers are dense.

Source: DeepSeek-AI 2024, arXiv 2412.19437; transformers, models/deepseek_v3/modeling_deepseek_v3.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import E, H, K, L, N, h, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.core.message import message
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.gated_decoder import Design, causal_lm, feed_forward, gated, layer
from symparam.models.blocks import Block, DotProduct, Experts, Layers, Linear, Module, Repeat, RMSNorm

I_m, E_s, N_f, r_q, r_k, d_n, d_r, d_v = map(symbol, ("I_m", "E_s", "N_f", "r_q", "r_k", "d_n", "d_r", "d_v"))


def latent_attention(flags: Flags, name: str = "DeepseekV3", **further: Module) -> Block:
    """``r_q(H + 1 + h(d_n + d_r)) + H(r_k + d_r) + r_k(1 + h(d_n + d_v)) + hd_vH``; Hh(d_n + d_r) replaces the first term where the queries
    are not low-rank. The parts in ``further`` run before the products.
    """
    bias, queries = flags["attention_bias"], h * (d_n + d_r)
    if flags["query_low_rank"]:
        query: dict[str, Module] = {
            "q_a_proj": Linear(H, r_q, bias=bias, role="query-down"),
            "q_a_layernorm": RMSNorm(r_q, role="latent-query-norm"),
            "q_b_proj": Linear(r_q, queries, bias=False, role="query-up"),
        }
    else:
        query = {"q_proj": Linear(H, queries, bias=False, role="query")}
    return Block(
        f"{name}Attention",
        role="latent-attention",
        execution_order=(*query, "kv_a_proj_with_mqa", "kv_a_layernorm", "kv_b_proj", *further, "dot_product", "o_proj"),
        **query,
        kv_a_proj_with_mqa=Linear(H, r_k + d_r, bias=bias, role="key-value-down"),
        kv_a_layernorm=RMSNorm(r_k, role="latent-key-value-norm"),
        kv_b_proj=Linear(r_k, h * (d_n + d_v), bias=False, role="key-value-up"),
        o_proj=Linear(h * d_v, H, bias=bias, role="output-projection"),
        dot_product=DotProduct(
            L,
            queries,
            h * d_v,
            r_k + d_r,
            causal=True,
            absorbed_key_width=h * (r_k + d_r),
            absorbed_value_width=h * r_k,
            role="dot-product",
        ),
        **further,
    )


def expert_layer(name: str = "DeepseekV3") -> Block:
    """``3EHI_m + EH + 3E_sHI_m``: the routed experts, the router, and the shared experts as one network."""
    return Block(
        f"{name}MoE",
        role="expert-layer",
        execution_order=("gate", "experts", "shared_experts"),
        experts=Experts(E, K, H, I_m, role="experts"),
        gate=Linear(H, E, bias=False, role="router"),
        shared_experts=gated(f"{name}MLP", E_s * I_m, "shared-experts"),
    )


def deepseek_v3_for_causal_lm(flags: Flags) -> Block:
    """``2VH + H + N(attention + 2H) + 3N_fHI + (N - N_f)(3EHI_m + EH + 3E_sHI_m)``."""
    return after_dense_layers(Design("DeepseekV3"), latent_attention(flags), flags)


def after_dense_layers(design: Design, attention: Block, flags: Flags) -> Block:
    """A decoder whose first N_f layers are dense and whose other layers have experts."""
    dense = layer(design, attention, feed_forward(design))
    sparse = layer(design, attention, expert_layer(design.name))
    if flags["dense_layers"] and flags["expert_layers"]:
        groups = Repeat(N_f, dense, "<N_f", role="dense-layers"), Repeat(N - N_f, sparse, ">=N_f", role="expert-layers")
        return causal_lm(design, Layers(*groups, role="layers"), flags)
    return causal_lm(design, Repeat(N, sparse if flags["expert_layers"] else dense, role="layers"), flags)


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Whether there are layers without and with experts, and whether the queries have a rank."""
    return {**kinds_of_layers(keys, values), "query_low_rank": "r_q" in values}


def kinds_of_layers(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Whether there are layers without and with experts."""
    more = keys.get("num_nextn_predict_layers")
    with_experts = values["N_f"] < values["N"]
    return {
        **({"remarks": (message("further-tokens-not-counted", layers=more),)} if isinstance(more, int) and more > 0 else {}),
        **({"released_extras": (("correction-biases", "E(N - N_f)"),)} if with_experts else {}),
        "dense_layers": values["N_f"] > 0,
        "expert_layers": with_experts,
    }


DEEPSEEK_V3 = Family(
    name="deepseek-v3",
    title="DeepSeek-V3",
    model_type="deepseek_v3",
    source="DeepSeek-AI 2024, arXiv 2412.19437; transformers, models/deepseek_v3/modeling_deepseek_v3.py",
    sizes=(
        SizeKey("V", "vocab_size", 129280),
        SizeKey("H", "hidden_size", 7168),
        SizeKey("N", "num_hidden_layers", 61),
        SizeKey("N_f", "first_k_dense_replace", 3, minimum=0),
        SizeKey("h", "num_attention_heads", 128),
        SizeKey("r_q", "q_lora_rank", 1536, optional=True),
        SizeKey("r_k", "kv_lora_rank", 512),
        SizeKey("d_n", "qk_nope_head_dim", 128),
        SizeKey("d_r", "qk_rope_head_dim", 64),
        SizeKey("d_v", "v_head_dim", 128),
        SizeKey("I", "intermediate_size", 18432),
        SizeKey("I_m", "moe_intermediate_size", 2048),
        SizeKey("E", "n_routed_experts", 256, ("num_local_experts",)),
        SizeKey("K", "num_experts_per_tok", 8),
        SizeKey("E_s", "n_shared_experts", 1),
    ),
    flags={
        "tie_word_embeddings": False,
        "attention_bias": False,
        "query_low_rank": True,
        "dense_layers": True,
        "expert_layers": True,
    },
    activation_key="hidden_act",
    default_activation="silu",
    classes={"DeepseekV3ForCausalLM": deepseek_v3_for_causal_lm},
    settings=settings,
)

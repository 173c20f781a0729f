"""DeepSeek-V3.2: DeepSeek-V3 with an indexer in each layer, a small attention whose scores select the tokens that a query attends to.

The operations are those of the reference, which computes the scores of all pairs of tokens and masks those that were not selected.

Source: DeepSeek-AI 2025, arXiv 2512.02556; transformers, models/deepseek_v32/modeling_deepseek_v32.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from symparam.core.dimensions import H, L, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.deepseek_v3 import DEEPSEEK_V3, after_dense_layers, kinds_of_layers, latent_attention, r_q
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.gated_decoder import Design
from symparam.models.blocks import Block, DotProduct, LayerNorm, Linear
from symparam.models.blocks.operation import NONE

h_x, d_x = map(symbol, ("h_x", "d_x"))


def indexer() -> Block:
    """``r_qh_xd_x + Hd_x + 2d_x + Hh_x``: queries from the latent queries, one key for all heads with its norm, and a weight
    for each head.
    """
    return Block(
        "DeepseekV32Indexer",
        role="indexer",
        execution_order=("wq_b", "wk", "k_norm", "scores", "weights_proj"),
        wq_b=Linear(r_q, h_x * d_x, bias=False, role="query-up"),
        wk=Linear(H, d_x, bias=False, role="key"),
        k_norm=LayerNorm(d_x, role="key-norm"),
        weights_proj=Linear(H, h_x, bias=False, role="head-weights"),
        scores=DotProduct(
            L,
            h_x * d_x,
            h_x,
            d_x,
            causal=True,
            num_heads=h_x,
            supports_sdpa=False,
            window=NONE,
            function="relu",
            role="index-scores",
        ),
    )


def deepseek_v32_for_causal_lm(flags: Flags) -> Block:
    """DeepSeek-V3, plus ``N(r_qh_xd_x + Hd_x + 2d_x + Hh_x)``."""
    attention = latent_attention({**flags, "query_low_rank": True}, "DeepseekV32", indexer=indexer())
    return after_dense_layers(Design("DeepseekV32"), attention, flags)


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """As DeepSeek-V3. A config may list which layers have experts, provided that the layers without experts come first."""
    if (types := keys.get("mlp_layer_types")) is None:
        return kinds_of_layers(keys, values)
    first = types.count("dense") if isinstance(types, list) else 0
    if types != ["dense"] * first + ["sparse"] * (values["N"] - first):
        raise KeyValueError("mlp_layer_types", f'a list of {values["N"]:,} types, all "dense" in front of all "sparse",')
    return {**kinds_of_layers(keys, {**values, "N_f": first}), "N_f": first}


EXPERTS = SizeKey("E", "n_routed_experts", 256, legacy=("num_local_experts", "num_experts"))

DEEPSEEK_V32 = Family(
    name="deepseek-v32",
    title="DeepSeek-V3.2",
    model_type="deepseek_v32",
    source="DeepSeek-AI 2025, arXiv 2512.02556; transformers, models/deepseek_v32/modeling_deepseek_v32.py",
    sizes=(
        *(EXPERTS if size.letter == EXPERTS.letter else replace(size, optional=False) for size in DEEPSEEK_V3.sizes),
        SizeKey("h_x", "index_n_heads", 64),
        SizeKey("d_x", "index_head_dim", 128),
    ),
    flags={name: value for name, value in DEEPSEEK_V3.flags.items() if name != "query_low_rank"},
    activation_key="hidden_act",
    default_activation="silu",
    classes={"DeepseekV32ForCausalLM": deepseek_v32_for_causal_lm},
    settings=settings,
)

"""GLM-4.5: the grouped attention of Llama with biases on its projections, and the experts of DeepSeek-V3.

Source: GLM-4.5 Team 2025, arXiv 2508.06471; transformers, models/glm4_moe/modeling_glm4_moe.py.
"""

from __future__ import annotations

from symparam.models.architectures.deepseek_v3 import after_dense_layers, kinds_of_layers
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.gated_decoder import GROUPED_HEADS, Design, attention, sizes
from symparam.models.blocks import Block


def glm4_moe_for_causal_lm(flags: Flags) -> Block:
    """``2VH + H + N(2dhH + 2dkH + 2H) + 3N_fHI + (N - N_f)(3EHI_m + EH + 3E_sHI_m)``; biases of queries, keys and values add N(hd + 2kd),
    norms over each head 2dN.
    """
    normed = "head" if flags["use_qk_norm"] else ""
    design = Design("Glm4Moe", query_bias=flags["attention_bias"], query_norm=normed, late_query_norm=True)
    return after_dense_layers(design, attention(design), flags)


GLM4_MOE = Family(
    name="glm4-moe",
    title="GLM-4.5",
    model_type="glm4_moe",
    source="GLM-4.5 Team 2025, arXiv 2508.06471; transformers, models/glm4_moe/modeling_glm4_moe.py",
    sizes=(
        *sizes(vocabulary=151552, hidden=4096, intermediate=10944, layers=46, heads=96, key_value_heads=8),
        SizeKey("N_f", "first_k_dense_replace", 1, minimum=0),
        SizeKey("I_m", "moe_intermediate_size", 1408),
        SizeKey("E", "n_routed_experts", 128, ("num_local_experts",)),
        SizeKey("K", "num_experts_per_tok", 8),
        SizeKey("E_s", "n_shared_experts", 1),
    ),
    flags={
        "tie_word_embeddings": False,
        "attention_bias": False,
        "use_qk_norm": False,
        "dense_layers": True,
        "expert_layers": True,
    },
    activation_key="hidden_act",
    default_activation="silu",
    classes={"Glm4MoeForCausalLM": glm4_moe_for_causal_lm},
    divisible_to_run=GROUPED_HEADS,
    settings=kinds_of_layers,
)

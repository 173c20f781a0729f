"""Qwen3-Next: three of every four layers update a state by the gated delta rule, the others have gated attention; all have experts.

The operations are those of the recurrence, token by token. The reference processes tokens in chunks of 64 and fills up the last chunk,
which takes more multiplications: conventions of tools count these.

Source: Qwen Team 2025, Qwen3-Next; Yang et al. 2024, arXiv 2412.06464; transformers, models/qwen3_next/modeling_qwen3_next.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import sympy

from symparam.core.dimensions import E, H, K, L, d, h, k, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.gated_decoder import GROUPED_HEADS, STATE_NORM, Design, causal_lm, feed_forward, gated, layer, sizes
from symparam.models.architectures.layer_kinds import Kind, Pairs, check_depth, crossed, layers_of, sizes_of, whole_number
from symparam.models.architectures.qwen3_moe import layers_without_experts
from symparam.models.blocks import Activation, Block, Conv1d, DotProduct, Experts, Linear, Parameter, RMSNorm
from symparam.models.blocks.state_space import ChunkedDeltaRule

I_m, I_x, N_a, N_x, h_k, h_v, d_q, d_v, w_c = map(symbol, ("I_m", "I_x", "N_a", "N_x", "h_k", "h_v", "d_q", "d_v", "w_c"))

CHUNK = sympy.Integer(64)
"""The tokens of a chunk, a number of the reference's code."""


def gated_attention(bias: bool) -> Block:
    """``3dhH + 2dkH + 2d``: the query projection also computes a gate for each output feature of the heads."""
    return Block(
        "Qwen3NextAttention",
        role="grouped-attention",
        execution_order=("q_proj", "q_norm", "k_proj", "k_norm", "v_proj", "dot_product", "gate", "o_proj"),
        q_proj=Linear(H, 2 * h * d, bias=bias, role="query-and-gate"),
        k_proj=Linear(H, k * d, bias=bias, role="key"),
        v_proj=Linear(H, k * d, bias=bias, role="value"),
        o_proj=Linear(h * d, H, bias=bias, role="output-projection"),
        q_norm=RMSNorm(d, role="query-norm"),
        k_norm=RMSNorm(d, role="key-norm"),
        dot_product=DotProduct(L, h * d, h * d, 2 * k * d, causal=True, role="dot-product"),
        gate=Activation(h * d, "sigmoid", is_module=False, role="gate"),
    )


def delta_net() -> Block:
    """``H(2d_qh_k + 3d_vh_v + 2h_v) + w_c(2d_qh_k + d_vh_v) + 2h_v + d_v``: a state of d_qd_v numbers for each of h_v heads."""
    keys, values = h_k * d_q, h_v * d_v
    mixed = 2 * keys + values
    return Block(
        "Qwen3NextGatedDeltaNet",
        role="linear-attention",
        execution_order=(
            *("in_proj_qkvz", "in_proj_ba", "conv1d", "act", "A_log", "dt_bias", "recall", "readout", "norm", "gate", "out_proj"),
        ),
        dt_bias=Parameter(h_v, role="time-step-bias"),
        A_log=Parameter(h_v, role="state-decay"),
        conv1d=Conv1d(mixed, mixed, w_c, padding=w_c - 1, groups=mixed, bias=False, role="convolution", cut_off=w_c - 1),
        act=Activation(mixed, is_module=False, role="activation"),
        in_proj_qkvz=Linear(H, 2 * keys + 2 * values, bias=False, role="query-key-value-and-gate"),
        in_proj_ba=Linear(H, 2 * h_v, bias=False, role="strength-and-decay"),
        recall=ChunkedDeltaRule(values, d_q, carries=False, num_heads=h_v, chunk=CHUNK, role="state-recall"),
        readout=ChunkedDeltaRule(values, d_q, num_heads=h_v, chunk=CHUNK, role="state-readout"),
        norm=RMSNorm(d_v, role="gated-norm"),
        gate=Activation(values, "silu", is_module=False, role="gate"),
        out_proj=Linear(values, H, bias=False, role="output-projection"),
    )


def expert_layer() -> Block:
    """``EH + 3EHI_m + 3HI_x + H``: the router, the experts, a shared expert of width I_x, and the gate of its weight."""
    return Block(
        "Qwen3NextSparseMoeBlock",
        role="expert-layer",
        execution_order=("shared_expert", "gate", "scores", "experts", "shared_expert_gate"),
        gate=Linear(H, E, bias=False, role="router"),
        scores=Activation(E, "softmax", is_module=False, role="router-scores"),
        experts=Experts(E, K, H, I_m, role="experts"),
        shared_expert=gated("Qwen3NextMLP", I_x, "shared-experts"),
        shared_expert_gate=Linear(H, sympy.S.One, bias=False, role="shared-expert-gate"),
    )


def qwen3_next_for_causal_lm(flags: Flags) -> Block:
    """``2VH + H + 2NH + N_a(3dhH + 2dkH + 2d) + (N - N_a)(H(2d_qh_k + 3d_vh_v + 2h_v) + w_c(2d_qh_k + d_vh_v) + 2h_v + d_v) +
    N(EH + 3EHI_m + 3HI_x + H)``."""
    design, kinds = Design("Qwen3Next"), []
    for (attends, sparse), count, numbers in crossed(flags["layer_kinds"], N_a, N_x):
        mixing = gated_attention(flags["attention_bias"]) if attends else delta_net()
        own = design if attends else replace(design, norms=STATE_NORM)
        names = ("self_attn" if attends else "linear_attn", "mlp")
        body = layer(own, mixing, expert_layer() if sparse else feed_forward(design), names)
        kinds.append(Kind(count, numbers, body, f"{'attention' if attends else 'state-space'}-layers{'-of-experts' * sparse}"))
    return causal_lm(design, layers_of(*kinds), flags)


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Which layers have attention, and which have experts."""
    check_depth(values["N"])
    dense = layers_without_experts(keys, values).get("dense_layers", ())
    attends = _attends(keys, values["N"])
    found: Pairs = tuple((own, index not in dense) for index, own in enumerate(attends))
    return {"layer_kinds": found, **sizes_of(found, "N_a", "N_x")}


def _attends(keys: JsonMapping, layers: int) -> tuple[bool, ...]:
    """For each layer whether it has attention: as ``layer_types`` lists them, or one in every ``full_attention_interval``."""
    types = keys.get("layer_types")
    if types is None:
        interval = whole_number(keys, "full_attention_interval", 4)
        return tuple((index + 1) % interval == 0 for index in range(layers))
    names = ("linear_attention", "full_attention")
    if not isinstance(types, list) or len(types) != layers or any(each not in names for each in types):
        raise KeyValueError("layer_types", f"a list with the type of each of the {layers:,} layers, linear_attention or full_attention,")
    return tuple(each == "full_attention" for each in types)


QWEN3_NEXT = Family(
    name="qwen3-next",
    title="Qwen3-Next",
    model_type="qwen3_next",
    source="Qwen Team 2025, Qwen3-Next; Yang et al. 2024, arXiv 2412.06464; transformers, models/qwen3_next/modeling_qwen3_next.py",
    sizes=(
        *sizes(vocabulary=151936, hidden=2048, intermediate=5632, layers=48, heads=16, key_value_heads=2, head=256),
        SizeKey("I_m", "moe_intermediate_size", 512),
        SizeKey("I_x", "shared_expert_intermediate_size", 512),
        SizeKey("E", "num_experts", 512, minimum=0),
        SizeKey("K", "num_experts_per_tok", 10),
        SizeKey("h_k", "linear_num_key_heads", 16),
        SizeKey("h_v", "linear_num_value_heads", 32),
        SizeKey("d_q", "linear_key_head_dim", 128),
        SizeKey("d_v", "linear_value_head_dim", 128),
        SizeKey("w_c", "linear_conv_kernel_dim", 4),
    ),
    flags={
        "tie_word_embeddings": False,
        "attention_bias": False,
        "layer_kinds": tuple(((index + 1) % 4 == 0, True) for index in range(48)),
    },
    activation_key="hidden_act",
    default_activation="silu",
    classes={"Qwen3NextForCausalLM": qwen3_next_for_causal_lm},
    divisible_to_run=(*GROUPED_HEADS, ("h_v", "h_k")),
    settings=settings,
)

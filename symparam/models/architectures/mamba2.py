"""Mamba-2: Mamba's state split into heads with one decay rate each, and one joined input projection.

The operations are those of the recurrence, token by token. The reference processes tokens in chunks of L_c and fills up the last chunk,
which takes more multiplications: conventions of tools count these.

Source: Dao and Gu 2024, arXiv 2405.21060; transformers, models/mamba2/modeling_mamba2.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import H, d, h, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.mamba import language_model
from symparam.models.blocks import Activation, Block, Conv1d, Linear, Parameter, RMSNorm
from symparam.models.blocks.state_space import ChunkedScan

d_s, w_c, g_s, L_c = map(symbol, ("d_s", "w_c", "g_s", "L_c"))


def mixer(flags: Flags) -> Block:
    """``H(3dh + 2d_sg_s + h) + (dh + 2d_sg_s)(w_c + 1) + dh + 3h``; use_bias adds 2dh + 2d_sg_s + h + H, and without use_conv_bias
    it is dh + 2d_sg_s less."""
    inner, bias = h * d, flags["use_bias"]
    mixed = inner + 2 * g_s * d_s
    return Block(
        "Mamba2Mixer",
        role="state-space",
        execution_order=("in_proj", "conv1d", "act", "dt_bias", "A_log", "scan", "D", "gate", "norm", "out_proj"),
        dt_bias=Parameter(h, role="time-step-bias"),
        A_log=Parameter(h, role="state-decay"),
        D=Parameter(h, role="skip-connection"),
        act=Activation(mixed, is_module=False, role="activation"),
        conv1d=Conv1d(mixed, mixed, w_c, padding=w_c - 1, groups=mixed, bias=flags["use_conv_bias"], role="convolution", cut_off=w_c - 1),
        in_proj=Linear(H, inner + mixed + h, bias=bias, role="input-and-gate"),
        norm=RMSNorm(inner, role="gated-norm"),
        out_proj=Linear(inner, H, bias=bias, role="output-projection"),
        scan=ChunkedScan(inner, d_s, num_heads=h, chunk=L_c, role="state-readout"),
        gate=Activation(inner, "silu", is_module=False, role="gate"),
    )


def mamba2_for_causal_lm(flags: Flags) -> Block:
    """``2VH + H + N(H(3dh + 2d_sg_s + h) + (dh + 2d_sg_s)(w_c + 1) + dh + 3h + H)``."""
    return language_model("Mamba2", mixer(flags), flags)


def check_inner_size(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Checks that all heads together are ``expand`` times as wide as the model; no value depends on several keys."""
    expand, inner = keys.get("expand", 2), values["h"] * values["d"]
    if isinstance(expand, bool) or not isinstance(expand, int) or expand * values["H"] != inner:
        raise KeyValueError("expand" if "expand" in keys else "num_heads", f"expand · {values['H']:,} = num_heads · head_dim = {inner:,},")
    if values["h"] % values["g_s"]:
        raise KeyValueError("n_groups", f"a number that divides the {values['h']:,} heads")
    return {}


MAMBA2 = Family(
    name="mamba2",
    title="Mamba-2",
    model_type="mamba2",
    source="Dao and Gu 2024, arXiv 2405.21060; transformers, models/mamba2/modeling_mamba2.py",
    sizes=(
        SizeKey("V", "vocab_size", 32768),
        SizeKey("H", "hidden_size", 4096),
        SizeKey("N", "num_hidden_layers", 64),
        SizeKey("h", "num_heads", 128),
        SizeKey("d", "head_dim", 64),
        SizeKey("d_s", "state_size", 128),
        SizeKey("g_s", "n_groups", 8),
        SizeKey("w_c", "conv_kernel", 4),
        SizeKey("L_c", "chunk_size", 256),
    ),
    flags={"tie_word_embeddings": False, "use_bias": False, "use_conv_bias": True},
    classes={"Mamba2ForCausalLM": mamba2_for_causal_lm},
    divisible=(("h", "g_s"),),
    activation_key="hidden_act",
    default_activation="silu",
    settings=check_inner_size,
)

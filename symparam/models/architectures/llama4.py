"""Llama 4, the language model: a router chooses one of many experts for each token, in addition to one expert that all tokens use.

The operations are those of the chosen experts; the reference multiplies each token by all of them, most times zero.

Source: Meta 2025, Llama 4; transformers, models/llama4/modeling_llama4.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.core.dimensions import E, H, I, K, N_w, symbol
from symparam.core.json_types import JsonMapping, JsonObject
from symparam.errors import KeyValueError
from symparam.models.architectures.family import Family, Flags, SizeKey
from symparam.models.architectures.gated_decoder import GROUPED_HEADS, Design, attention, causal_lm, gated, layer, sizes
from symparam.models.architectures.layer_kinds import Kind, check_depth, crossed, is_numbers, layers_of, sizes_of, whole_number
from symparam.models.blocks import Block, Experts, Linear
from symparam.models.blocks.operation import CHUNK, NONE

I_m, N_x = symbol("I_m"), symbol("N_x")


def expert_layer() -> Block:
    """``EH + 3EHI_m + 3HI_m``: the router, the experts, and one expert of the same width for all tokens."""
    return Block(
        "Llama4TextMoe",
        role="expert-layer",
        execution_order=("router", "experts", "shared_expert"),
        experts=Experts(E, K, H, I_m, inputs_first=True, all_multiplied=True, role="experts"),
        router=Linear(H, E, bias=False, role="router"),
        shared_expert=gated("Llama4TextMLP", I_m, "shared-experts", function="activation_fn"),
    )


def llama4_for_causal_lm(flags: Flags) -> Block:
    """``2VH + H + N(2dhH + 2dkH + 2H + EH + 3EHI_m + 3HI_m)``; in a layer without experts 3HI replaces the last three terms."""
    bias = flags["attention_bias"]
    dense = gated("Llama4TextMLP", I, "gated-feed-forward", function="activation_fn")
    found = {pair: (count, numbers) for pair, count, numbers in crossed(flags["layer_kinds"], N_w, N_x)}
    kinds = []
    for sparse in (True, False):
        (windowed, in_chunks), (others, in_full) = found[True, sparse], found[False, sparse]
        design = Design("Llama4Text", query_bias=bias, output_bias=bias, window=CHUNK if in_chunks else NONE)
        kinds.append(
            Kind(
                windowed + others,
                tuple(sorted((*in_chunks, *in_full))),
                layer(design, attention(design), expert_layer() if sparse else dense, ("self_attn", "feed_forward")),
                "expert-layers" if sparse else "dense-layers",
                windowed if in_chunks and in_full else None,
            )
        )
    return causal_lm(Design("Llama4Text"), layers_of(*kinds), flags, "Llama4ForCausalLM")


def settings(keys: JsonMapping, values: Mapping[str, int]) -> JsonObject:
    """Which layers have experts: those in ``moe_layers``, or one in every ``interleave_moe_layer_step``; and which attend within chunks."""
    check_depth(values["N"])
    step, listed = whole_number(keys, "interleave_moe_layer_step", 1), keys.get("moe_layers")
    if listed is not None and not is_numbers(listed):
        raise KeyValueError("moe_layers", "a list of the numbers of layers")
    sparse = frozenset(range(step - 1, values["N"], step) if listed is None else listed)
    chunked = _in_chunks(keys, values["N"])
    found = tuple((chunked[index], index in sparse) for index in range(values["N"]))
    chunk = whole_number(keys, "attention_chunk_size", 8192) if keys.get("attention_chunk_size", 1) is not None else None
    return {"layer_kinds": found, **sizes_of(found, "N_w", "N_x"), **({"w": chunk} if chunk and any(chunked) else {})}


def _in_chunks(keys: JsonMapping, layers: int) -> tuple[bool, ...]:
    """For each layer whether it rotates queries and keys, as it does if it attends within chunks: all but every fourth."""
    rotated, types = keys.get("no_rope_layers") or None, keys.get("layer_types")
    if rotated is None:
        interval = whole_number(keys, "no_rope_layer_interval", 4)
        rotated = [int((index + 1) % interval != 0) for index in range(layers)]
    if not (isinstance(rotated, list) and len(rotated) == layers and all(each in (0, 1) for each in rotated)):
        raise KeyValueError("no_rope_layers", f"a list of {layers:,} numbers, 1 for layers that rotate queries and keys, 0 for others,")
    usual = ["chunked_attention" if each else "full_attention" for each in rotated]
    if types is not None and types != usual:
        raise KeyValueError("layer_types", "chunked_attention for the layers that rotate queries and keys, full_attention for the others,")
    return tuple(map(bool, rotated))


LLAMA4 = Family(
    name="llama4",
    title="Llama 4",
    model_type="llama4_text",
    wrapper="llama4",
    source="Meta 2025, Llama 4; transformers, models/llama4/modeling_llama4.py",
    sizes=(
        *sizes(vocabulary=202048, hidden=5120, intermediate=8192, layers=48, heads=40, key_value_heads=8, head=128)[:-1],
        SizeKey("I", "intermediate_size_mlp", 16384),
        SizeKey("I_m", "intermediate_size", 8192),
        SizeKey("E", "num_local_experts", 16),
        SizeKey("K", "num_experts_per_tok", 1),
    ),
    flags={
        "tie_word_embeddings": False,
        "attention_bias": False,
        "layer_kinds": tuple(((index + 1) % 4 != 0, True) for index in range(48)),
    },
    activation_key="hidden_act",
    default_activation="silu",
    classes={"Llama4ForCausalLM": llama4_for_causal_lm},
    divisible_to_run=GROUPED_HEADS,
    settings=settings,
)

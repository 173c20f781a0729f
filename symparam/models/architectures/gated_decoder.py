"""The decoder of Llama and its relatives: rotary positions, RMSNorm, grouped-query attention and a gated feed-forward part.

`Design` has the switches by which the relatives differ; `symparam.models.architectures.llama` compares it with GPT-2.
"""

from __future__ import annotations

from collections.abc import Callable

from symparam.core.dimensions import H, I, L, N, N_w, V, d, h, k
from symparam.core.frozen import frozen
from symparam.models.architectures.family import Flags, SizeKey
from symparam.models.blocks import Activation, Block, DotProduct, Embedding, Linear, Module, Repeat, RMSNorm, Tied
from symparam.models.blocks.module import Size
from symparam.models.blocks.operation import BACK

Norms = tuple[tuple[str, str], ...]
"""The RMSNorms of a layer, by name and role."""

PRE_NORM: Norms = (("input_layernorm", "attention-norm"), ("post_attention_layernorm", "feed-forward-norm"))
STATE_NORM: Norms = (("input_layernorm", "norm"), ("post_attention_layernorm", "feed-forward-norm"))
POST_NORM: Norms = (("post_attention_layernorm", "after-attention-norm"), ("post_feedforward_layernorm", "after-feed-forward-norm"))
SANDWICH: Norms = (
    ("input_layernorm", "attention-norm"),
    ("post_attention_layernorm", "after-attention-norm"),
    ("pre_feedforward_layernorm", "feed-forward-norm"),
    ("post_feedforward_layernorm", "after-feed-forward-norm"),
)

GROUPED_HEADS = (("h", "k"),)
"""Each key/value head is shared by equally many heads. The reference builds other models, but their attention cannot run."""

RUNS = ("norm", "attention-norm", "attention", "after-attention-norm", "feed-forward-norm", "feed-forward", "after-feed-forward-norm")
"""The roles of the parts of a layer in the order of execution."""


@frozen
class Design:
    """How a family builds its layers; the defaults are Llama's without any bias.

    ``name`` is the prefix of the reference's class names. ``query_norm`` is an RMSNorm on queries and keys, over one ``"head"`` or over
    ``"all"`` of them. ``joined`` stores query, key and value in one matrix, and gate and up projection in another. ``norms`` are the
    RMSNorms of a layer. ``late_query_norm`` says that queries and keys are normalised after all three projections. ``fused`` says whether
    the reference can call `scaled_dot_product_attention`, and ``some_windowed`` that only N_w layers have a sliding window. ``window`` is
    the kind of a window, as in `AttentionProducts`.
    """

    name: str
    query_bias: bool = False
    output_bias: bool = False
    feed_forward_bias: bool = False
    query_norm: str = ""
    late_query_norm: bool = False
    joined: bool = False
    norms: Norms = PRE_NORM
    fused: bool = True
    some_windowed: bool = False
    window: str = BACK


def attention(design: Design) -> Block:
    """``2dhH + 2dkH``: queries and output are h·d wide, keys and values k·d."""
    bias, norms = design.query_bias, {"head": (d, d), "all": (h * d, k * d)}.get(design.query_norm)
    output = Linear(h * d, H, bias=design.output_bias, role="output-projection")
    dot_product = DotProduct(L, h * d, h * d, 2 * k * d, causal=True, supports_sdpa=design.fused, window=design.window, role="dot-product")
    if design.joined:
        joined = Linear(H, h * d + 2 * k * d, bias=bias, role="query-key-value")
        return Block(
            f"{design.name}Attention",
            role="grouped-attention",
            execution_order=("qkv_proj", "dot_product", "o_proj"),
            o_proj=output,
            qkv_proj=joined,
            dot_product=dot_product,
        )
    if not norms:
        projections: tuple[str, ...] = ("q_proj", "k_proj", "v_proj")
    elif design.late_query_norm:
        projections = ("q_proj", "k_proj", "v_proj", "q_norm", "k_norm")
    else:
        projections = ("q_proj", "q_norm", "k_proj", "k_norm", "v_proj")
    return Block(
        f"{design.name}Attention",
        role="grouped-attention",
        execution_order=(*projections, "dot_product", "o_proj"),
        q_proj=Linear(H, h * d, bias=bias, role="query"),
        k_proj=Linear(H, k * d, bias=bias, role="key"),
        v_proj=Linear(H, k * d, bias=bias, role="value"),
        o_proj=output,
        dot_product=dot_product,
        **({"q_norm": RMSNorm(norms[0], role="query-norm"), "k_norm": RMSNorm(norms[1], role="key-norm")} if norms else {}),
    )


def feed_forward(design: Design) -> Block:
    """``3HI``: gate and up projection, whose outputs are multiplied elementwise, and the down projection."""
    if design.joined:
        both = Linear(H, 2 * I, bias=design.feed_forward_bias, role="feed-forward-gate-and-in")
        return Block(
            f"{design.name}MLP",
            role="gated-feed-forward",
            execution_order=("gate_up_proj", "activation_fn", "down_proj"),
            gate_up_proj=both,
            down_proj=Linear(I, H, bias=design.feed_forward_bias, role="feed-forward-out"),
            activation_fn=Activation(I, role="activation"),
        )
    return gated(f"{design.name}MLP", I, "gated-feed-forward", design.feed_forward_bias)


def gated(kind: str, width: Size, role: str, bias: bool = False, function: str = "act_fn") -> Block:
    """Three matrices between H and the given width: gate, up and down projection."""
    return Block(
        kind,
        role=role,
        execution_order=("gate_proj", function, "up_proj", "down_proj"),
        gate_proj=Linear(H, width, bias=bias, role="feed-forward-gate"),
        up_proj=Linear(H, width, bias=bias, role="feed-forward-in"),
        down_proj=Linear(width, H, bias=bias, role="feed-forward-out"),
        **{function: Activation(width, role="activation")},
    )


def layer(design: Design, attention: Module, feed_forward: Module, parts: tuple[str, str] = ("self_attn", "mlp")) -> Block:
    """Attention and feed-forward part under the names in ``parts``, and an RMSNorm of H parameters for each of the design's norms."""
    norms = {name: RMSNorm(H, role=role) for name, role in design.norms}
    names = {role: name for name, role in design.norms} | dict(zip(("attention", "feed-forward"), parts, strict=True))
    order = tuple(names[role] for role in RUNS if role in names)
    both = dict(zip(parts, (attention, feed_forward), strict=True))
    return Block(f"{design.name}DecoderLayer", role="layer", execution_order=order, **both, **norms)


def body(design: Design, layers: Module, role: str = "transformer") -> Block:
    """``VH + H`` and the layers: everything but the head."""
    return Block(
        f"{design.name}Model",
        role=role,
        embed_tokens=Embedding(V, H, role="token-embedding"),
        layers=layers,
        norm=RMSNorm(H, role="final-norm"),
    )


def causal_lm(design: Design, layers: Module, flags: Flags, kind: str = "") -> Block:
    """``VH + H`` and the layers, plus VH if the head is not tied to the embedding."""
    head = Linear(H, V, bias=False, role="language-model-head")
    return Block(
        kind or f"{design.name}ForCausalLM",
        role="model",
        model=body(design, layers),
        lm_head=Tied(head, weight="model.embed_tokens.weight") if flags["tie_word_embeddings"] else head,
    )


def dense(design: Callable[[Flags], Design]) -> Callable[[Flags], Block]:
    """The whole model of a family without experts, whose design may depend on its flags."""

    def build(flags: Flags) -> Block:
        chosen = design(flags)
        return causal_lm(chosen, dense_layers(chosen), flags)

    return build


def dense_body(design: Callable[[Flags], Design]) -> Callable[[Flags], Block]:
    """The whole model without its head, the class that configs of embedding models name."""

    def build(flags: Flags) -> Block:
        chosen = design(flags)
        return body(chosen, dense_layers(chosen))

    return build


def dense_layers(design: Design) -> Repeat:
    """``N`` layers of the same shape."""
    windowed = N_w if design.some_windowed else None
    return Repeat(N, layer(design, attention(design), feed_forward(design)), windowed=windowed, role="layers")


def sizes(
    vocabulary: int, hidden: int, intermediate: int, layers: int, heads: int, key_value_heads: int | str = "h", head: int | str = "H/h"
) -> tuple[SizeKey, ...]:
    """The keys that the relatives of Llama share, with the family's own defaults."""
    return (
        SizeKey("V", "vocab_size", vocabulary),
        SizeKey("H", "hidden_size", hidden),
        SizeKey("N", "num_hidden_layers", layers),
        SizeKey("h", "num_attention_heads", heads),
        SizeKey("k", "num_key_value_heads", key_value_heads, null_default="h"),
        SizeKey("d", "head_dim", head),
        SizeKey("I", "intermediate_size", intermediate),
    )

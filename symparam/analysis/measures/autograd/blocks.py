"""The tensors that autograd saves for each kind of block. Each storage counts once: where two blocks save the same one, one rule counts it.

A matrix saves its input, a norm its input and its statistics, a product of two tensors both factors, a softmax its output, and a dropout
its mask, on the CPU as a number of the model's format per element. The query, key and value projections of one sequence share their input,
as do the gate and up projections of a feed-forward part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sympy

from symparam.analysis.measures.autograd.experts import saved_by_experts, saved_by_router
from symparam.analysis.measures.autograd.llama4 import saved_beside_chunks
from symparam.analysis.measures.autograd.run import FLAG, SCORES, WIDE, Run, Saved, rotated_numbers
from symparam.analysis.measures.autograd.state_space import (
    convolved_steps,
    saved_by_chunks,
    saved_by_convolved,
    saved_by_decay,
    saved_by_gate,
    saved_by_gated_norm,
    saved_by_readout,
)
from symparam.analysis.measures.conventions.dispatch import WITHOUT_GRADIENT
from symparam.analysis.measures.recomputation import is_in_a_layer
from symparam.core.dimensions import B, H, L, d, h, k
from symparam.models.blocks import Activation, Conv1D, DotProduct, Embedding, Experts, LayerNorm, Linear, Module, Parameter, RMSNorm, Tied
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.convolution import Convolution
from symparam.models.blocks.operation import MatrixProduct
from symparam.models.blocks.state_space import ChunkedScan, StateReadout

INDEX = 8  # The bytes of an index in a lookup.
LARGEST_HEAD = 256  # The largest head size at which the fused call, given no mask, repeats keys and values itself.
HEADS = ("pooler", "classifier-transform", "classifier")
"""Blocks with a dropout before them. Their input is the first token of each sequence, a view that keeps the whole sequence."""


def saved(run: Run, place: Place) -> Iterator[Saved]:
    """The tensors that a block itself saves; for a layer under activation checkpointing, only the layer's input."""
    if run.recomputed and is_in_a_layer(place):
        if place.module.role == "layer":
            yield Saved(place.rows * H)
        return
    if place.parent in WITHOUT_GRADIENT:
        return
    module = _plain(place)
    for kind, rule in RULES.items():
        if isinstance(module, kind):
            yield from rule(run, place)


def _plain(place: Place) -> Module:
    """The block without its tie to another block."""
    return place.module.inner if isinstance(place.module, Tied) else place.module


def _source_of_all(run: Run) -> sympy.Expr:
    """The elements of the sequence that cross-attention reads: one tensor for all layers."""
    found = (each for around in run.around.values() for each in around.parent.inside if _is_of_a_source(each))
    return next((each.rows * _product(each).in_features for each in found), sympy.S.Zero)


def _is_of_a_source(place: Place) -> bool:
    return place.module.role in ("key", "key-value") and place.module.rows is not None


def _embedding(run: Run, place: Place) -> Iterator[Saved]:
    module = _plain(place)
    assert isinstance(module, Embedding)
    role = module.role or ""
    if role == "relative-positions":
        yield Saved(run.around[place.path].parent.rows ** 2 / B**2, INDEX)
        return
    if role == "token-embedding" and "encoder.embed_tokens" in run.around and place.path == "shared":
        return  # Encoder and decoder each look up their own tokens.
    form = {"position-embedding": run.code.positions, "token-type-embedding": run.code.types}.get(role, "rows")
    if role == "position-embedding" and place.path.startswith("model.encoder"):
        form = ""
    if form:
        yield Saved(L if form == "sequence" else place.rows, INDEX)
    if role == "token-embedding" and run.code.rotary is not None and not run.recomputed and run.keys.get("alibi") is not True:
        tables = run.code.tables * (2 if run.code.tables_by_window and "N_w" in run.values else 1)
        yield Saved(tables * L * rotated_numbers(run), WIDE if run.code.wide_tables else None)  # Those of all layers.
    if role == "token-embedding" and run.recomputed and run.code.hands_masks and run.causal and not run.fused:
        yield Saved(B * L**2)  # The mask, one for all layers.
    if role == "token-embedding" and "encoder" not in run.roles:
        yield Saved(_source_of_all(run))
    if run.drops("encoder-positions" if role == "position-embedding" and not form else role):
        yield Saved(place.rows * module.embedding_dim)


def _parameter(run: Run, place: Place) -> Iterator[Saved]:
    if place.module.role == "state-decay":
        yield from saved_by_decay(place)
    if place.module.role == "position-embedding" and run.drops("position-embedding"):
        yield Saved(place.rows * place.module.tensors[0].shape[-1])


def _layer_norm(run: Run, place: Place) -> Iterator[Saved]:
    module = place.module
    assert isinstance(module, LayerNorm)
    yield Saved(2 * place.rows)
    if not _reads_the_same(run, place):
        yield Saved(place.rows * module.normalized_shape)
    if run.drops(module.role):
        yield Saved(place.rows * module.normalized_shape)
    yield from _leaving_the_encoder(run, place)


def _leaving_the_encoder(run: Run, place: Place) -> Iterator[Saved]:
    if place.module.role == "final-norm" and run.around[place.path].parent.module.role == "encoder":
        yield Saved(_source_of_all(run))


def _reads_the_same(run: Run, place: Place) -> bool:
    """Whether the norm of a parallel feed-forward part has the same input as the norm of the attention."""
    if place.path.endswith(".ln_mlp"):
        return True
    parallel = place.path.startswith("gpt_neox.layers") and place.module.role == "feed-forward-norm"
    return parallel and run.keys.get("use_parallel_residual") is not False


def _rms_norm(run: Run, place: Place) -> Iterator[Saved]:
    module = place.module
    assert isinstance(module, RMSNorm)
    if (scan := _scan(run, place)) is not None and module.role == "gated-norm":
        yield from saved_by_gated_norm(run, place, module.normalized_shape, scan)
        return
    whole = {"query-norm": h * d, "key-norm": k * d}.get(module.role or "", module.normalized_shape)
    width = whole
    if module.role == "latent-key-value-norm" and not run.half:  # Its input is a part of the previous matrix's output.
        width = _leaving(run, place, "key-value-down")
    yield Saved(place.rows * width, WIDE)  # A copy of the input in a 16-bit model.
    if run.half and run.code.masks:
        yield Saved(place.rows * width)  # T5 multiplies by the tensor before the copy.
    wide = run.code.wide_norm or (module.role == "final-norm" and run.adds_in_32_bits)
    yield Saved(place.rows * whole, WIDE if wide else None)  # The normalised input, before the scale.
    yield Saved(place.rows * whole / module.normalized_shape, WIDE)
    if run.code.gain:
        yield Saved(module.normalized_shape, WIDE)
    if module.role == "state-output-norm" or (module.role == "state-input-norm" and not run.half):
        yield Saved(place.rows * module.normalized_shape)  # The scan reads it; of its input in a 16-bit model, a copy.
    if run.drops(module.role):
        yield Saved(place.rows * module.normalized_shape)
    yield from _leaving_the_encoder(run, place)


def _linear(run: Run, place: Place) -> Iterator[Saved]:
    module = _plain(place)
    role, product = module.role or "", _product(place)
    # The time-step projection reads a part of the previous matrix's output, unless that is normalised first.
    a_part = role == "time-step" and "time-step-norm" not in run.sibling_roles(place)
    width = _leaving(run, place, "selection") if a_part else product.in_features
    yield Saved(_entering(run, place, role) * width)
    if role == "router":
        yield from saved_by_router(run, place, product.out_features)
    elif role == "pooler" and "activation" not in run.around[place.path].roles and not run.roles & {"classifier", "next-sentence"}:
        yield Saved(place.rows * product.out_features)  # The output of its tanh.
    elif (role not in HEADS and run.drops(role) and not _is_added_first(run, place)) or run.enters_function(role):
        yield Saved(place.rows * product.out_features)


def _is_added_first(run: Run, place: Place) -> bool:
    """Whether Falcon adds the outputs of attention and feed-forward part first and applies one dropout to the sum."""
    falcon = run.around[place.path].parent.module.kind == "FalconAttention"
    return falcon and bool(run.keys.get("parallel_attn", True) or run.keys.get("new_decoder_architecture"))


def _scan(run: Run, place: Place) -> ChunkedScan | None:
    """The scan in chunks beside a block."""
    return next((each.module for each in run.around[place.path].parent.inside if isinstance(each.module, ChunkedScan)), None)


def _leaving(run: Run, place: Place, role: str) -> sympy.Expr:
    """The output width of the matrix of that role next to the block."""
    (before,) = (each for each in run.around[place.path].parent.inside if each.module.role == role)
    return _product(before).out_features


def _product(place: Place) -> MatrixProduct:
    (product,) = place.module.operations
    assert isinstance(product, MatrixProduct)
    return product


def _entering(run: Run, place: Place, role: str) -> sympy.Expr:
    """The input rows of a matrix that no other block saves, together with the mask of a dropout before a head."""
    around = run.around[place.path]
    if role in ("key", "value", "key-value", "key-value-down") or (role == "feed-forward-in" and "feed-forward-gate" in around.roles):
        return sympy.S.Zero
    if role == "selection" and run.any_is_one(B, L):
        return sympy.S.Zero  # It reads the activation's output as it lies in memory; with several sequences, a copy of it.
    if role == "feed-forward-gate" and "router" in run.sibling_roles(around.parent):
        return sympy.S.Zero
    if role == "feed-forward-in" and "shared-norm" in run.sibling_roles(around.parent):
        return sympy.S.Zero
    if role == "pooler":
        return sympy.S.Zero if "next-sentence" in run.roles else run.rows
    if role == "classifier-transform":
        return 2 * place.rows if run.drops(role) else run.rows
    if role != "classifier" or place.rows != B:
        return place.rows * (2 if role == "classifier" and run.drops(role) else 1)
    if "patch-projection" in run.roles:
        return run.rows
    return place.rows * (3 if run.drops(role) else 1)  # The output of the function before it, the mask, and the product of both.


def _convolution(run: Run, place: Place) -> Iterator[Saved]:
    module = place.module
    assert isinstance(module, Convolution)
    if module.role == "patch-projection":
        image = run.image
        yield Saved(B * module.in_channels * image if image else place.rows * module.in_channels * sympy.Mul(*module.kernel))
    elif module.role == "convolution":
        yield Saved(B * L * _leaving(run, place, "input-and-gate"))
        if (steps := convolved_steps(run)) != L:
            yield Saved(B * steps * module.in_channels)
    else:
        yield Saved(place.rows * module.in_channels * (2 if module.role == "second-convolution" else 1))


def _activation(run: Run, place: Place) -> Iterator[Saved]:
    module = place.module
    assert isinstance(module, Activation)
    around, numbers = run.around[place.path], place.rows * module.num_features
    if module.role == "gate":  # The gate of a state-space layer: a product of readout and gate; the convolution saves the gate's input.
        if _scan(run, place) is None:  # A norm behind the gate saves what it reads.
            yield from saved_by_gate(run, numbers)
        return
    if module.function == "softmax":
        return  # A router's softmax, which the router saves.
    own = run.function(module)
    dropped = run.drops("activation") and "feed-forward-out" in run.sibling_roles(place)
    if "feed-forward-gate-and-in" in around.roles:  # Both are views of one tensor.
        yield Saved((2 + own.between + (not own.same)) * numbers)
    elif "feed-forward-gate" in around.roles:
        yield Saved((own.input + own.between + 2) * numbers)
    elif "state-readout" in around.roles:
        yield from saved_by_convolved(run, place)
    else:
        last = own.output and "pooler" in around.roles
        yield Saved((own.input + own.between + (dropped and own.output) + last) * numbers)
    if dropped:
        yield Saved(numbers)


def _dot_product(run: Run, place: Place) -> Iterator[Saved]:
    module = place.module
    assert isinstance(module, DotProduct)
    keys, scores = _source(run, place), place.rows * module.num_heads * module.keys
    if run.code.chunks:
        yield from saved_beside_chunks(run, place, module)
    if run.is_fused(module) and not (run.code.masks and not _is_cross(run, place)):  # A learned position bias needs a gradient.
        yield from _fused(run, place, module)
        return
    # With one sequence, a single key stays as it is; with several, it is copied for each head before the product. Where the fused call is
    # decomposed, keys are scaled, and without a mask the call itself repeats both.
    alone = run.any_is_one(B) and _has_one_key(run, module) and module.causal
    in_call = run.fused and run.numbers(module.queries_per_key) == 1
    as_it_is = not in_call or (_is_repeated(run, place) and not run.half)
    value_width = module.cached / 2 if alone and as_it_is else module.value_width
    widths = (module.cached / 2 if alone and not in_call else module.key_width) + value_width
    called = WIDE if run.fused else None  # The call computes in 32 bits, on copies in a 16-bit model.
    yield Saved(place.rows * module.key_width + keys * widths, called)
    if run.cap(SCORES):
        yield Saved(scores)
    yield from _weights(run, module, scores, called)
    if not (run.half and run.fused):
        yield from _beside_slices(run, place, module, value_width)
        if run.any_is_one(B, h, L):
            yield from _latent_keys(run, place)
    if run.fused and run.code.masks and module.causal and not run.any_is_one(L):
        yield Saved(module.keys**2, FLAG)
    yield from _lookups(run, place)


def _weights(run: Run, module: DotProduct, scores: sympy.Expr, called: int | None) -> Iterator[Saved]:
    """The output of the softmax and, with a dropout, its mask and the product of both; beside sinks, also where each row is largest."""
    dropped = run.drops("dot-product")
    if module.sinks:  # One more score for each query and head.
        rows = scores / module.keys
        yield Saved(rows, INDEX)
        yield Saved(rows)
    if run.half and run.code.upcast and not called:
        yield Saved(scores, WIDE)
        yield Saved(scores * (2 if dropped else 1))  # Without a dropout, the weights in 16 bits.
    else:
        yield Saved(scores * (3 if dropped else 1), called)


def _fused(run: Run, place: Place, module: DotProduct) -> Iterator[Saved]:
    """The fused call saves queries, keys and values, and one number per query and head. Its output is the input of the next matrix."""
    keys = _source(run, place)
    shared = module.cached / 2 if module.cached and run.around[place.path].parent.module.role != "latent-attention" else module.key_width
    falcon = run.around[place.path].parent.module.kind == "FalconAttention"  # It is always given a mask.
    windowed = falcon or "indexer" in run.sibling_roles(place) or run.is_within_a_window(module)
    copied = falcon or (_is_repeated(run, place) and not _has_one_key(run, module))
    shared = module.key_width if copied else shared
    yield Saved(place.rows * module.key_width + 2 * keys * shared)
    yield Saved(place.rows * module.num_heads, WIDE)
    if windowed:
        yield Saved(place.rows * module.keys)
    if run.code.contiguous and not run.any_is_one(module.num_heads, place.rows / B):
        yield Saved(place.rows * module.value_width)
    yield from _latent_keys(run, place)
    if run.code.masks and "{i=0}" in place.path:
        yield Saved(module.num_heads * L * module.keys)  # A mask of zeros replaces the learned one and is shared by all layers.
    yield from _beside_slices(run, place, module, shared, called=True)
    yield from _lookups(run, place)


def _beside_slices(run: Run, place: Place, module: DotProduct, value_width: sympy.Expr, called: bool = False) -> Iterator[Saved]:
    """The rest of a joined projection's output, whose storage stays alive because queries, keys or values are slices of it. The slices
    themselves count elsewhere.

    A slice is no longer saved once it is copied. A cache copies keys and values, and so does repeating them for the queries. A matrix
    product copies slices unless the heads of all sequences are contiguous. The decomposed call scales queries and keys, which copies them
    too.
    """
    code, roles = run.code, run.sibling_roles(place)
    stretch = run.any_is_one(B, module.num_heads) or (code.interleaved and run.any_is_one(L))
    if not (called or stretch) or not ("query-key-value" in roles or "key-value" in roles):
        return
    of_keys = module.cached or module.key_width + module.value_width  # An encoder caches nothing.
    widths = {"query": module.key_width, "key": of_keys / 2, "value": value_width}
    copied = {"query", "key"} if run.fused and not called else set()
    repeated = value_width == module.value_width and not _has_a_key_for_each_query(run, module)
    if run.caches or repeated or _picks_keys(run, place):
        copied |= {"key", "value"}
    if "key-value" in roles:
        copied.add("query")
    slices = [width for role, width in widths.items() if role in code.slices and role not in copied]
    if slices:
        joined = of_keys + (module.key_width if "query-key-value" in roles else 0)
        yield Saved(_source(run, place) * (joined - sympy.Add(*slices)))


def _is_repeated(run: Run, place: Place) -> bool:
    """Whether the reference repeats keys and values before the fused call: if that is given a mask, or if heads are large."""
    module = place.module
    assert isinstance(module, DotProduct)
    head = run.known(module.key_width / module.num_heads)
    return run.is_within_a_window(module) or (head is not None and head > LARGEST_HEAD)


def _has_one_key(run: Run, module: DotProduct) -> bool:
    return bool(run.numbers(module.cached * module.num_heads) == run.numbers(2 * module.key_width))


def _has_a_key_for_each_query(run: Run, module: DotProduct) -> bool:
    return bool(run.numbers(module.cached) in (0, run.numbers(2 * module.key_width)))


def _latent_keys(run: Run, place: Place) -> Iterator[Saved]:
    """The rest of the up projection's output, which also holds the keys: the values are a view that keeps it alive."""
    up = next((each for each in run.around[place.path].parent.inside if each.module.role == "key-value-up"), None)
    if up is not None:
        assert isinstance(place.module, DotProduct)
        yield Saved(place.rows * (_product(up).out_features - place.module.value_width))


def _is_cross(run: Run, place: Place) -> bool:
    """Whether keys and values come from another sequence than the queries."""
    return any(_is_of_a_source(each) for each in run.around[place.path].parent.inside)


def _source(run: Run, place: Place) -> sympy.Expr:
    """The rows of the sequence from which keys and values come."""
    around = run.around[place.path].parent
    return next((each.rows for each in around.inside if _is_of_a_source(each)), place.rows)


def _lookups(run: Run, place: Place) -> Iterator[Saved]:
    if _picks_keys(run, place):
        yield Saved(sympy.Integer(2), INDEX)


def _picks_keys(run: Run, place: Place) -> bool:
    """Whether Falcon picks shared keys and values out of the joined projection by an index list, which needs one index for each of both."""
    parent = run.around[place.path].parent.module
    return parent.kind == "FalconAttention" and parent.role == "grouped-attention"


def _experts(run: Run, place: Place) -> Iterator[Saved]:
    yield from saved_by_experts(run, place)


def _readout(run: Run, place: Place) -> Iterator[Saved]:
    if isinstance(place.module, ChunkedScan):
        yield from saved_by_chunks(run, place, place.module)
    else:
        yield from saved_by_readout(run, place)


RULES: dict[type[Module], Callable[[Run, Place], Iterator[Saved]]] = {
    Embedding: _embedding,
    Parameter: _parameter,
    LayerNorm: _layer_norm,
    RMSNorm: _rms_norm,
    Linear: _linear,
    Conv1D: _linear,
    Convolution: _convolution,
    Activation: _activation,
    DotProduct: _dot_product,
    Experts: _experts,
    StateReadout: _readout,
}

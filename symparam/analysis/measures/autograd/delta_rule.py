"""The tensors that autograd saves for a gated delta rule, which the reference runs in chunks, and for the gated norm after it."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from symparam.analysis.measures.autograd.forward_pass import BOOLEAN_BYTES, FLOAT32_BYTES, ForwardPass, Saved
from symparam.analysis.measures.autograd.state_space import convolved_steps
from symparam.core.dimensions import B, L, symbol
from symparam.models.blocks import Activation
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.state_space import ChunkedDeltaRule

w_c, h_k, h_v, d_q, d_v = map(symbol, ("w_c", "h_k", "h_v", "d_q", "d_v"))


def saved_by_delta_convolved(run: ForwardPass, place: Place) -> Iterator[Saved]:
    """The output of the convolution, which extends beyond the end of the sequence, if the activation saves its input, and what else that
    saves; its output too where the rule reads it as it lies in memory.
    """
    module = place.module
    assert isinstance(module, Activation)
    own, steps, read = run.function(module), convolved_steps(run), _reads_in_place(run)
    convolved = steps + w_c - 1 if own.input or (own.same and read) else sympy.S.Zero
    outputs = own.between + (own.output or (read and not own.same))
    yield Saved(B * (convolved + outputs * steps) * module.num_features)


def _reads_in_place(run: ForwardPass) -> bool:
    """Whether queries and keys stay slices of the convolution's output: they are neither repeated for several value heads nor copied."""
    return not run.half and run.numbers(h_k) == run.numbers(h_v)


def saved_by_delta_rule(run: ForwardPass, place: Place, module: ChunkedDeltaRule) -> Iterator[Saved]:
    """What the rule saves, all of it but the strengths in 32 bits, with the last chunk filled up.

    These are strengths, and decays before and after softplus; queries and keys before they are normalised, with the reciprocals of their
    lengths; values and strengths; queries and keys as they are, with the decay since the chunk began or until it ends, and the latter times
    the strengths; three decays of each token, and one of each chunk; of all pairs of tokens of a chunk their decay, and their products with
    it and without, twice; the solutions of the triangular system for values and keys; the states before each chunk; the corrected values;
    and the mask of the pairs.
    """
    chunks, chunk, heads, keys = module.chunks(L), module.chunk, module.num_heads, module.num_heads * module.state_size
    tokens = B * chunks * chunk
    yield Saved(place.rows * heads)
    yield Saved(2 * place.rows * (2 * heads + (0 if _reads_in_place(run) else keys)), FLOAT32_BYTES)
    yield Saved(tokens * (_tensors_of_keys(run, module) * keys + 3 * module.channels + 4 * heads), FLOAT32_BYTES)
    yield Saved(5 * tokens * heads * chunk, FLOAT32_BYTES)
    yield Saved(B * chunks * (heads + module.channels * module.state_size), FLOAT32_BYTES)
    yield Saved(chunk**2, BOOLEAN_BYTES)


def _tensors_of_keys(run: ForwardPass, module: ChunkedDeltaRule) -> sympy.Expr:
    """How many tensors of the size of all keys are saved.

    Queries with their decay enter from the second chunk on: before the first one the state is zero and needs no gradient. A sequence of
    whole chunks is not filled up, which would copy it: queries and keys then lie head by head for each token, or token by token for each
    feature, and products copy what does not lie side by side.
    """
    chunks, of_one = module.chunks(L), run.any_is_one(module.chunks(L))
    length, chunk = run.known(L), int(module.chunk)
    if run.half or length is None or length % chunk:
        return sympy.Integer(5 if of_one else 6)
    in_place, alone = _reads_in_place(run), run.any_is_one(B)
    stretch = of_one or run.any_is_one(d_q) or (alone and run.any_is_one(h_v)) if in_place else of_one and alone
    decayed = (chunks - 1) / chunks if not in_place and not alone else sympy.Integer(not of_one)
    return 5 + (0 if stretch else 4) + decayed


def saved_by_delta_norm(run: ForwardPass, place: Place, rule: ChunkedDeltaRule) -> Iterator[Saved]:
    """A norm of each head's readout, times a function of the gate: the readout, its root mean square, the normalised readout, the gate, and
    its function.

    In a 16-bit model readout and gate are copied to 32 bits. Otherwise the gate remains a slice of the input projection where each key
    head has one value head.
    """
    numbers, rows = place.rows * h_v * d_v, place.rows
    # The readout of one head remains a slice of the chunks, the last one filled up.
    whole = not run.half and run.any_is_one(h_v) and run.any_is_one(B, L)
    yield Saved(B * rule.chunks(L) * rule.chunk * d_v if whole else numbers, FLOAT32_BYTES)
    yield Saved(rows * h_v, FLOAT32_BYTES)
    yield Saved(2 * numbers)
    grouped = run.numbers(h_k) != run.numbers(h_v) and not (run.any_is_one(h_k) and run.any_is_one(B) and run.any_is_one(L))
    yield Saved(numbers if run.half or grouped else 2 * rows * (h_k * d_q + h_v * d_v), FLOAT32_BYTES)
    yield Saved(numbers, FLOAT32_BYTES)

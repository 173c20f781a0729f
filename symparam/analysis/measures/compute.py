"""Multiply-accumulate and floating-point operations of matrix products and of attention; nothing else counts.

A product of an m × k with a k × n matrix is mnk multiply-accumulate operations (MACs) and 2mnk floating-point operations (FLOPs). Biases,
norms, activations and the softmax are left out, as in Kaplan et al. 2020, arXiv 2001.08361, table 1, and in torch's FlopCounterMode. For a
forward pass with eager attention the count equals that of FlopCounterMode, with two exceptions: experts, since it does not see
``grouped_mm``, and the rows of a convolution that the reference cuts off.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.recomputation import checked_recomputation, is_computed_again
from symparam.analysis.measures.windows import IN_CACHE, IN_SEQUENCE, split_by_window
from symparam.core.combining import summed
from symparam.core.dimensions import L, S, w
from symparam.core.formula import Formula, Number
from symparam.core.frozen import frozen
from symparam.errors import UnknownNameError
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.operation import AROUND, BACK, CHUNK, NONE, AttentionProducts, Operation

ATTENTION = ("full", "causal", "window")
LATENT = ("absorbed", "expanded")
"""How decoding uses the latents of keys and values: ``absorbed``, with the up projection absorbed by queries and outputs, or
``expanded``.
"""
_DECODING = {L: sympy.S.One}
BACKWARD = 2  # For each product of the forward pass, the backward pass has two: for the inputs and for the weights.


@frozen
class Work:
    """Which passes are counted: ``passes`` is how often the products of a forward pass count, ``training`` says that recomputation is
    added, and ``decoding`` that the pass is for one new token.
    """

    passes: int
    training: bool = False
    decoding: bool = False


WORK = {
    "": Work(1),
    "backward-": Work(BACKWARD),
    "training-": Work(1 + BACKWARD, training=True),
    "decoding-": Work(1, decoding=True),
}
"""The work to count, by the prefix of the measure's name; the unit follows."""
EACH = {"macs": 1, "flops": 2}
"""The value of one multiply-accumulate operation in each unit."""
COMPUTE = {f"{begin}{unit}": (work, each) for begin, work in WORK.items() for unit, each in EACH.items()}
"""The measures by name: ``macs``, ``flops``, ``backward-macs``, …: the work to count, and the unit."""
TRAINING = tuple(name for name, (work, _) in COMPUTE.items() if work.training)


@frozen
class Counting:
    """How the operations of a block are counted: the passes, the unit, the keys of attention, and the recomputation."""

    work: Work
    each: int
    attention: str
    recomputation: str
    latent: str = "absorbed"


def compute(name: str, attention: str = "full", recomputation: str = "none", latent: str = "absorbed") -> Measure:
    """The measure of that name: one of `COMPUTE`.

    A backward pass has two products for each of the forward pass, and a training step has three. ``attention`` says which keys a causal
    query is multiplied with: ``full``, all L of them, which is what implementations compute; ``causal``, those up to its own, L(L + 1)/2
    pairs for a sequence; or ``window``, the last w of those, w(2L − w + 1)/2 pairs where w ≤ L. A model may have windows of another kind: w
    tokens back and ahead, L(2w − 1) − w(w − 1) pairs, or chunks of w tokens, w(w + 1)/2 pairs in each. Decoding is one token against the S
    tokens in the cache and itself. ``recomputation`` is what a training step computes once more: ``none``, ``selective`` (the products of
    attention) or ``full`` (the forward pass of the layers). ``latent`` says how decoding uses the latents of DeepSeek: ``absorbed``, where
    queries pass through the up projection of the keys and are multiplied with the latents themselves, or ``expanded``, where the keys and
    values made from them are cached. Raises `UnknownNameError`.

    Source of the passes: Narayanan et al. 2021, arXiv 2104.04473, appendix; Korthikanti et al. 2022, arXiv 2205.05198, appendix A.
    """
    if attention not in ATTENTION:
        raise UnknownNameError("kind of attention", attention, ATTENTION)
    if name not in COMPUTE:
        raise UnknownNameError("measure", name, COMPUTE)
    work, each = COMPUTE[name]
    again = checked_recomputation(recomputation) if work.training else "none"
    unit = "MACs" if each == 1 else "FLOPs"
    details = (
        f"products-{unit}",
        *((f"pass-{name.partition('-')[0]}",) if "-" in name else ()),
        *((f"attention-{attention}",) if attention != "full" else ()),
        *((f"recomputing-{again}",) if again != "none" else ()),
        *((f"latent-{latent}",) if latent != "absorbed" else ()),
    )
    own = partial(_own, Counting(work, each, attention, again, latent))
    factors = tuple(_factors(name.partition("-")[0], each, again))
    if attention != "window":
        return Measure(name, unit, own, details=details, factors=factors, of_operations=True)
    conditions = (IN_CACHE if work.decoding else IN_SEQUENCE,)
    return Measure(name, unit, own, details=details, factors=factors, transform=split_by_window, conditions=conditions, of_operations=True)


def _factors(work: str, each: int, again: str) -> Iterator[tuple[str, Formula]]:
    """How often a multiplication with its addition counts, pass by pass: ``2 + 4`` operations in training."""
    passes = {"backward": (1, 1), "training": (1, BACKWARD, *((1,) if again == "full" else ()))}.get(work)
    if passes:
        yield f"{work}-{again}", summed(*(Number(each * times) for times in passes))


def _own(counting: Counting, place: Place) -> sympy.Expr:
    work, rows = counting.work, place.rows
    if work.decoding:
        # Blocks without rows of the decoder have run before: the encoder, and the keys and values that the decoder takes from it.
        rows = rows.xreplace(_DECODING) if rows.has(L) else sympy.S.Zero
    operations = place.operations
    products = (
        (work.passes + is_computed_again(counting.recomputation, place, operation)) * _for_a_row(operation, counting, work.decoding)
        for operation in operations
    )
    return counting.each * rows * sympy.Add(*products)


def _keys(operation: AttentionProducts, attention: str, decoding: bool) -> sympy.Expr:
    """The keys of a query, on average over a sequence."""
    keys, window = operation.keys, operation.window if attention == "window" else NONE
    if window == AROUND:
        return (keys * (2 * w - 1) - w * (w - 1)) / keys
    if not operation.causal:
        return keys
    if decoding:
        return {BACK: w, CHUNK: S + 1 - w * sympy.floor(S / w)}.get(window, S + 1)
    if window == BACK:
        return w * (2 * keys - w + 1) / (2 * keys)
    if window == CHUNK:
        whole = sympy.floor(keys / w)
        rest = keys - w * whole
        return (whole * w * (w + 1) + rest * (rest + 1)) / (2 * keys)
    return keys if attention == "full" else (keys + 1) / 2


def _for_a_row(operation: Operation, counting: Counting, decoding: bool) -> sympy.Expr:
    if not isinstance(operation, AttentionProducts):
        return operation.in_features * operation.out_features
    keys = _keys(operation, counting.attention, decoding)
    if decoding and counting.latent == "absorbed" and operation.absorbed_key_width is not None:
        assert operation.absorbed_value_width is not None
        return keys * (operation.absorbed_key_width + operation.absorbed_value_width)
    return keys * (operation.key_width + operation.value_width)

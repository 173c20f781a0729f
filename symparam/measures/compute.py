"""Multiplications and floating-point operations: the products of rows with matrices and of queries with keys, and nothing else.

A product of an m × k with a k × n matrix is mnk multiply-accumulate operations (MACs) and 2mnk floating-point operations (FLOPs). Biases,
norms, activations and the softmax are left out, as they are in Kaplan et al. 2020, arXiv 2001.08361, table 1, and in torch's
FlopCounterMode, whose count of a forward pass with eager attention this equals; only experts it does not see, where one call of
``grouped_mm`` multiplies them all.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import sympy

from symparam.blocks.architecture import Place
from symparam.blocks.operation import AttentionProducts, Operation
from symparam.derivation import Measure
from symparam.dimensions import L, S, w
from symparam.errors import UnknownNameError
from symparam.measures.recomputing import is_computed_again, recomputation_named
from symparam.measures.windows import IN_CACHE, IN_SEQUENCE, windows_apart

ATTENTION = ("full", "causal", "window")
_DECODING = {L: sympy.S.One}
BACKWARD = 2  # A backward pass has two products, for the inputs and for the weights, where the forward pass has one.


@dataclass(frozen=True)
class Work:
    """Which passes of the model are counted: how often the products of a forward pass are, ``training`` with those that it computes again
    beside them, and whether the pass is that of one more token."""

    passes: int
    training: bool = False
    decoding: bool = False


WORK = {
    "": Work(1),
    "backward-": Work(BACKWARD),
    "training-": Work(1 + BACKWARD, training=True),
    "decoding-": Work(1, decoding=True),
}
"""What is counted, by how the names of its measures begin; they end in the unit."""
EACH = {"macs": 1, "flops": 2}
"""How much a multiplication is with the addition behind it, in each unit."""
COMPUTE = {f"{begin}{unit}": (work, each) for begin, work in WORK.items() for unit, each in EACH.items()}
"""The measures by name: ``macs``, ``flops``, ``backward-macs``, …: what is counted, and in which unit."""
TRAINING = tuple(name for name, (work, _) in COMPUTE.items() if work.training)


@dataclass(frozen=True)
class Counting:
    """How the operations of a block are counted: which passes, at how much each, with which keys, and what is computed again."""

    work: Work
    each: int
    attention: str
    recomputation: str


def compute(name: str, attention: str = "full", recomputation: str = "none") -> Measure:
    """The measure of that name: one of `COMPUTE`.

    A backward pass is twice a forward pass, as each product comes back as two, and a training step three times. ``attention`` says which
    keys a causal query is multiplied with: ``full``, all L of them, which is what implementations compute; or ``causal``, those up to its
    own, L(L + 1)/2 pairs for a sequence; or ``window``, the last w of those, w(2L − w + 1)/2 pairs where w ≤ L. Decoding is one token
    against S in the cache and itself. ``recomputation`` is what a training step computes once more: ``none``, ``selective`` (the products
    of attention) or ``full`` (the forward pass of the layers). Raises `UnknownNameError`.

    Source of the passes: Narayanan et al. 2021, arXiv 2104.04473, appendix; Korthikanti et al. 2022, arXiv 2205.05198, appendix A.
    """
    if attention not in ATTENTION:
        raise UnknownNameError("kind of attention", attention, ATTENTION)
    if name not in COMPUTE:
        raise UnknownNameError("measure", name, COMPUTE)
    work, each = COMPUTE[name]
    again = recomputation_named(recomputation) if work.training else "none"
    unit = "MACs" if each == 1 else "FLOPs"
    details = (
        f"products-{unit}",
        *((f"pass-{name.partition('-')[0]}",) if "-" in name else ()),
        *((f"attention-{attention}",) if attention != "full" else ()),
        *((f"recomputing-{again}",) if again != "none" else ()),
    )
    own = partial(_own, Counting(work, each, attention, again))
    if attention != "window":
        return Measure(name, unit, own, details=details)
    return Measure(name, unit, own, details=details, prepared=windows_apart, conditions=(IN_CACHE if work.decoding else IN_SEQUENCE,))


def _own(counting: Counting, place: Place) -> sympy.Expr:
    work, rows = counting.work, place.rows
    if work.decoding:
        # What has no rows of the decoder has run before: the encoder, and the keys and values that the decoder takes from it.
        rows = rows.xreplace(_DECODING) if rows.has(L) else sympy.S.Zero
    operations = place.module.operations
    products = (
        (work.passes + is_computed_again(counting.recomputation, place, operation))
        * _for_a_row(operation, counting.attention, work.decoding)
        for operation in operations
    )
    return counting.each * rows * sympy.Add(*products)


def _for_a_row(operation: Operation, attention: str, decoding: bool) -> sympy.Expr:
    if not isinstance(operation, AttentionProducts):
        return operation.inputs * operation.outputs
    keys = operation.keys
    windowed = attention == "window" and operation.windowed
    if decoding and operation.causal:
        keys = w if windowed else S + 1
    elif windowed and operation.causal:
        keys = w * (2 * keys - w + 1) / (2 * keys)
    elif attention != "full" and operation.causal:
        keys = (keys + 1) / 2
    return keys * (operation.key_width + operation.value_width)

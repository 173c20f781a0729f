"""The measure: the bytes of the distinct storages that autograd keeps of one forward pass in training mode on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.autograd.blocks import kept, rotated_numbers
from symparam.analysis.measures.autograd.run import Run, run_of
from symparam.core.dimensions import B, L, h
from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.blocks import Architecture
from symparam.models.blocks.architecture import Place

AUTOGRAD = "autograd"
FLOAT32 = 4


def autograd(
    architecture: Architecture,
    number_format: str,
    implementation: str,
    dropout: str,
    activation: str,
    values: Mapping[str, int],
    keys: JsonMapping,
) -> Measure:
    """The bytes that autograd keeps. Raises `FormulaError` for a number format other than float32, which the recordings are in."""
    if number_format != "float32":
        raise FormulaError(f"what autograd keeps is known of 32-bit floats alone; state --number-format float32, not {number_format}")
    run = run_of(architecture, keys, implementation == "sdpa", dropout, activation, values)
    _require_a_usual_pass(architecture, run)
    return Measure(
        "activations",
        "bytes",
        partial(_own, run),
        reason="autograd",
        convention=AUTOGRAD,
        details=(f"autograd-{implementation}", f"dropout-{dropout}"),
        conditions=() if None not in (run.known(B), run.known(L), run.known(h)) else ("several-sequences-condition",),
        format=number_format,
        of_operations=True,
    )


def _require_a_usual_pass(architecture: Architecture, run: Run) -> None:
    """Raise an `ArchitectureError` for a config with which the reference does something else than with others, or cannot run."""
    if run.keys.get("alibi") is True:
        raise ArchitectureError("what autograd keeps of Falcon with ALiBi was not recorded; leave out --convention autograd")
    head = None if run.code.rotary is None else run.known(run.code.rotary)
    rotated = None if head is None else run.known(rotated_numbers(run))
    if head is not None and rotated is not None and rotated + rotated % 2 > head:
        raise ArchitectureError(
            f"rotations take numbers in pairs, and {architecture.class_name} has {head:,} of them in each head: the reference makes two of "
            "one, and fails with any other odd number; state an even size of heads, or leave out --convention autograd"
        )
    if architecture.name == "t5" and run.keys.get("is_encoder_decoder") is False and run.caches:
        raise ArchitectureError(
            "with is_encoder_decoder: false the reference puts the keys of the source into the cache of the decoder's own, behind them; "
            "state true, or use_cache: false, or leave out --convention autograd"
        )


def _own(run: Run, place: Place) -> sympy.Expr:
    return sympy.Add(*(each.numbers * (each.bytes or FLOAT32) for each in kept(run, place)))

"""The measure: the bytes of the distinct storages that autograd keeps of one forward pass in training mode on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.autograd.blocks import kept
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
    if keys.get("alibi") is True:
        raise ArchitectureError("what autograd keeps of Falcon with ALiBi was not recorded; leave out --convention autograd")
    run = run_of(architecture, keys, implementation == "sdpa", dropout, activation, values)
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


def _own(run: Run, place: Place) -> sympy.Expr:
    return sympy.Add(*(each.numbers * (each.bytes or FLOAT32) for each in kept(run, place)))

"""The measure: the bytes of the distinct storages that autograd keeps of one forward pass in training mode on the CPU."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.autograd.blocks import kept, rotated_numbers
from symparam.analysis.measures.autograd.effects import Settings
from symparam.analysis.measures.autograd.flow import apart, kept_in, passed
from symparam.analysis.measures.autograd.run import Run, checked_dropout, run_of
from symparam.core.algebra.rounding import settled
from symparam.core.dimensions import B, L, h, symbol
from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.architectures import families
from symparam.models.blocks import LSTM, Architecture
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
    if not is_of_a_family(architecture):
        return _of_blocks(architecture, dropout, values)
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


def is_of_a_family(architecture: Architecture) -> bool:
    """Whether the architecture is one of the reference, of which the code between the blocks is known."""
    return architecture.input is None and any(
        family.name == architecture.name and architecture.class_name in family.classes for family in families()
    )


def _of_blocks(architecture: Architecture, dropout: str, values: Mapping[str, int]) -> Measure:
    """What a model of one's own keeps, whose blocks say what they take."""
    numbers = {symbol(letter): sympy.Integer(value) for letter, value in values.items()}

    def known(size: sympy.Expr) -> int | None:
        found = settled(size.xreplace(numbers))
        return int(found) if found.is_Integer else None

    checked_dropout(dropout)
    settings = Settings(known, lambda block: dropout != "off" and (dropout == "on" or block.p > 0))
    seen, unlike = architecture, set[str]()
    while (found := passed(seen, settings)).unlike:  # Lists in lists come apart one after the other.
        unlike |= found.unlike
        seen = apart(architecture, unlike)
    recurrent = any(isinstance(place.module, LSTM) and not place.module.projects for place in architecture.places())
    return Measure(
        "activations",
        "bytes",
        lambda place: settled(sympy.Add(*(each.numbers * (each.bytes or FLOAT32) for each in kept_in(found, place)))),
        reason="autograd",
        convention=AUTOGRAD,
        details=("autograd-blocks", f"dropout-{dropout}"),
        transform=lambda architecture: apart(architecture, unlike),
        conditions=(
            *(() if known(B) is not None else ("several-sequences-condition",)),
            *(("lstm-condition",) if recurrent else ()),
        ),
        format="float32",
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

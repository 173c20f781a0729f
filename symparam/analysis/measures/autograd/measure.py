"""The measure: the bytes of the distinct storages that autograd saves in one forward pass in training mode on the CPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.autograd.blocks import saved
from symparam.analysis.measures.autograd.effects import Settings
from symparam.analysis.measures.autograd.flow import apart, newly_saved, passed
from symparam.analysis.measures.autograd.forward_pass import ForwardPass, Saved, checked_dropout, forward_pass_of, rotated_numbers
from symparam.analysis.measures.recomputation import checked_recomputation
from symparam.analysis.measures.windows import split_by_window
from symparam.core.algebra.rounding import with_normal_floors
from symparam.core.dimensions import B, L, h, symbol
from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError, FormulaError
from symparam.models.architectures import REGISTRY
from symparam.models.blocks import LSTM, Architecture
from symparam.models.blocks.architecture import Place

SavedNumbers = Mapping[tuple[str, int], sympy.Expr]
AUTOGRAD = "autograd"
BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}
"""The formats, of parameters and activations alike, with recordings of what autograd saves; with the bytes of a number."""
NOT_RECOMPUTED = ("gpt1", "t5", "whisper")
"""Families whose reference cannot checkpoint layers, or passes each layer more than its input, depending on its position."""
CLAMPING = ("t5", "whisper")
"""Families whose layers clamp their values to the range of float16."""


def autograd(
    architecture: Architecture,
    number_format: str,
    implementation: str,
    dropout: str,
    activation: str,
    values: Mapping[str, int],
    keys: JsonMapping,
    recomputation: str = "none",
) -> Measure:
    """The bytes that autograd saves. Raises `FormulaError` for a number format without recordings."""
    if number_format not in BYTES:
        raise FormulaError(f"what autograd saves is known for {', '.join(BYTES)}; state one of these, not --number-format {number_format}")
    _require_recorded(architecture, recomputation, number_format)
    if not is_of_a_family(architecture):
        return _of_blocks(architecture, number_format, dropout, values)
    # Fused attention gets a mask in layers with a window, and other code runs in those with chunks.
    transform = split_by_window if implementation == "sdpa" or architecture.name == "llama4" else None
    seen = transform(architecture) if transform else architecture
    half, recomputed = number_format != "float32", recomputation == "full"
    run = forward_pass_of(seen, keys, implementation == "sdpa", dropout, activation, values, half, recomputed)
    _require_a_usual_pass(architecture, run)
    if number_format == "float16" and architecture.name in CLAMPING:
        raise ArchitectureError(
            f"in float16 {architecture.class_name} of the reference clamps the outputs of its layers, and what autograd saves then was "
            "not recorded; state --number-format bfloat16 or float32"
        )
    saved_numbers = partial(_saved_numbers, partial(saved, run), BYTES[number_format])
    return Measure(
        "activations",
        "bytes",
        partial(_own, saved_numbers),
        reason="autograd",
        stored=saved_numbers,
        convention=AUTOGRAD,
        details=(f"autograd-{implementation}", f"dropout-{dropout}", *((f"recomputing-{recomputation}",) if run.recomputed else ())),
        transform=transform,
        conditions=() if None not in (run.known(B), run.known(L), run.known(h)) else ("several-sequences-condition",),
        format=number_format,
        of_operations=True,
    )


def _require_recorded(architecture: Architecture, recomputation: str, number_format: str) -> None:
    """Raise an error for recomputation in a case without recordings."""
    if checked_recomputation(recomputation) == "none":
        return
    if recomputation == "selective":
        raise FormulaError(
            f"the reference recomputes whole layers, so under {AUTOGRAD} there is no selective recomputation; state full, or "
            "--convention korthikanti"
        )
    if number_format != "float32":
        raise FormulaError("what autograd saves for recomputed layers was recorded in float32; state --number-format float32")
    if not is_of_a_family(architecture) or architecture.name in NOT_RECOMPUTED:
        raise ArchitectureError(
            f"what autograd saves for {architecture.class_name} where its layers are recomputed is not known; leave out "
            "--recomputation, or name a family such as bert or llama"
        )


def is_of_a_family(architecture: Architecture) -> bool:
    """Whether the architecture is one of the reference's, so that the code between its blocks is known."""
    return architecture.input is None and any(
        entry.name == architecture.name and architecture.class_name in entry.classes for entry in REGISTRY
    )


def _of_blocks(architecture: Architecture, number_format: str, dropout: str, values: Mapping[str, int]) -> Measure:
    """The measure of a user's own model, whose blocks declare what they take."""
    if number_format != "float32":
        raise FormulaError("what autograd saves for blocks of your own is known only for 32-bit floats; state --number-format float32")
    numbers = {symbol(letter): sympy.Integer(value) for letter, value in values.items()}

    def known(size: sympy.Expr) -> int | None:
        found = with_normal_floors(size.xreplace(numbers))
        return int(found) if found.is_Integer else None

    checked_dropout(dropout)
    settings = Settings(known, lambda block: dropout != "off" and (dropout == "on" or block.p > 0))
    seen, unlike = architecture, set[str]()
    while (found := passed(seen, settings)).unlike:  # Nested lists are split one after the other.
        unlike |= found.unlike
        seen = apart(architecture, unlike)
    recurrent = any(isinstance(place.module, LSTM) and not place.module.projects for place in architecture.places())
    saved_numbers = partial(_saved_numbers, partial(newly_saved, found), BYTES[number_format])
    return Measure(
        "activations",
        "bytes",
        partial(_own, saved_numbers),
        reason="autograd",
        stored=saved_numbers,
        convention=AUTOGRAD,
        details=("autograd-blocks", f"dropout-{dropout}"),
        transform=lambda architecture: apart(architecture, unlike),
        conditions=(
            *(() if known(B) is not None else ("several-sequences-condition",)),
            *(("lstm-condition",) if recurrent else ()),
        ),
        format=number_format,
        of_operations=True,
    )


def _require_a_usual_pass(architecture: Architecture, run: ForwardPass) -> None:
    """Raise an `ArchitectureError` for a config with which the reference runs different code, or cannot run."""
    if run.keys.get("alibi") is True:
        raise ArchitectureError("what autograd saves for Falcon with ALiBi was not recorded; leave out --convention autograd")
    if run.half and run.keys.get("reorder_and_upcast_attn"):
        raise ArchitectureError(
            "what autograd saves in 16 bits where reorder_and_upcast_attn is true is not known; state --number-format float32, or false"
        )
    head, rotated = _rotated_head(run)
    if head is not None and rotated is not None and rotated + rotated % 2 > head:
        raise ArchitectureError(
            f"rotations take numbers in pairs, and {architecture.class_name} has {head:,} of them in each head: the reference makes two of "
            "one, and fails with any other odd number; state an even size of heads, or leave out --convention autograd"
        )
    if architecture.name == "mamba2" and run.values.get("d_s") == 1:
        raise ArchitectureError(
            "what autograd saves for a scan in chunks with states of one number was not recorded; state a larger d_s (state_size), or "
            "leave out --convention autograd"
        )
    if architecture.name == "qwen3-next" and run.caches and "dot-product" not in run.roles:
        raise ArchitectureError(
            "the reference cannot fill a cache if no layer has attention; state use_cache: false, or leave out --convention autograd"
        )
    if architecture.name == "t5" and run.keys.get("is_encoder_decoder") is False and run.caches:
        raise ArchitectureError(
            "with is_encoder_decoder: false the reference appends the keys of the source to the cache of the decoder's own; "
            "state true, or use_cache: false, or leave out --convention autograd"
        )


def _rotated_head(run: ForwardPass) -> tuple[int | None, int | None]:
    """The size of a head and how many of its numbers are rotated, as far as they are known, of the model or of a part of it."""
    parts = (run, *(run.within(beginning) for beginning, _, _ in run.code.inner))
    rotating = next((each for each in parts if each.code.rotary is not None), None)
    if rotating is None or rotating.code.rotary is None:
        return None, None
    return rotating.known(rotating.code.rotary), rotating.known(rotated_numbers(rotating))


def _own(saved_numbers: Callable[[Place], SavedNumbers], place: Place) -> sympy.Expr:
    return sympy.Add(*(size * numbers for (_, size), numbers in saved_numbers(place).items()))


def _saved_numbers(kept: Callable[[Place], Iterable[Saved]], bytes: int, place: Place) -> SavedNumbers:
    """How many numbers a block keeps, by the bytes of each."""
    found: dict[tuple[str, int], sympy.Expr] = {}
    for each in kept(place):
        size = "", each.bytes or bytes
        found[size] = found.get(size, sympy.S.Zero) + each.numbers
    return {size: with_normal_floors(numbers) for size, numbers in found.items()}

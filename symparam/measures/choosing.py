"""Measures by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TypedDict

from symparam.blocks import Architecture, DotProduct
from symparam.derivation import Measure
from symparam.dimensions import MAX_SIZE
from symparam.errors import ArchitectureError, FormulaError, UnknownNameError
from symparam.measures.activations import TENSOR_PARALLEL, activations, insist_on_layers
from symparam.measures.compute import COMPUTE, TRAINING, compute
from symparam.measures.inference import inference_memory
from symparam.measures.memory import kv_cache, weights
from symparam.measures.number_formats import number_format
from symparam.measures.optimizers import DATA_PARALLEL, training_memory
from symparam.measures.parameters import PARAMETERS
from symparam.measures.recomputing import insist_on_something_again
from symparam.measures.sharing import per

TRAINED = ("gradients", "optimizer-states", "training-memory")
MEMORY = ("weights", "kv-cache", "inference-memory", *TRAINED)
MEASURES = (*PARAMETERS, *COMPUTE, *MEMORY, "activations")

APPLIES: Mapping[str, Iterable[str]] = MappingProxyType(
    {
        "attention": (*COMPUTE, "kv-cache", "inference-memory"),
        "number_format": MEMORY,
        "optimizer": TRAINED,
        "zero": TRAINED,
        "recomputation": (*TRAINING, "activations"),
        "per": COMPUTE,
        "tensor_parallel": ("activations",),
        "sequence_parallel": ("activations",),
    }
)
"""The measures that each option is for; for all others only its default may stand."""

OF_SIZES = ("blocks-condition", "small-tensors-condition", "largest-output-condition")
"""Conditions on the sizes of a model."""


class Measuring(TypedDict, total=False):
    """The fields of `Options` by name, as the functions of the API take them."""

    measure: str
    attention: str
    number_format: str
    optimizer: str
    zero: int
    recomputation: str
    per: str
    tensor_parallel: bool
    sequence_parallel: bool
    convention: str | None
    implementation: str


@dataclass(frozen=True)
class Options:
    """A measure by its name, with what each kind of measure needs to know beside it: operations ``attention`` and what they are for
    (``per``), bytes a ``number_format``, training its ``optimizer``, the stage of ``zero`` (ZeRO) and its ``recomputation``, activations
    how they are shared, and the convention of a tool how attention is written (``eager`` or ``sdpa``).

    With a convention, the measure ``parameters`` stands for the tool's own total.
    """

    measure: str = "parameters"
    attention: str = "full"
    number_format: str = "bfloat16"
    optimizer: str = "adam-mixed"
    zero: int = 0
    recomputation: str = "none"
    per: str = "batch"
    tensor_parallel: bool = False
    sequence_parallel: bool = False
    convention: str | None = None
    implementation: str = "eager"

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that the measure may have beside those of an architecture's shapes."""
        if self.convention is None and self.measure in PARAMETERS:
            return ()
        return ("L", "B", "L_e", TENSOR_PARALLEL) if self.measure == "activations" else ("L", "B", "S", "L_e", "w", "N_w", DATA_PARALLEL)


def measure_of(
    architecture: Architecture,
    options: Options,
    stated: Iterable[str] = (),
    activation: str = "",
    values: Mapping[str, int] = MappingProxyType({}),
) -> Measure:
    """The measure that was asked for, where the architecture has what it measures; ``stated`` are the letters that something was said of.

    ``activation`` is the model's activation function, and ``values`` are those of its letters. Raises `UnknownNameError`,
    `ArchitectureError` and `FormulaError`.
    """
    if options.convention is not None:
        return per(_of_a_tool(architecture, options, activation, values), options.per, architecture)
    insist_on_what_applies(options)
    if options.implementation != "eager":
        raise FormulaError(f"--implementation {options.implementation} is about what a tool sees; name the tool with --convention")
    if options.attention == "window" and values.get("w", 0) > values.get("L", MAX_SIZE):
        raise FormulaError(
            f"a window of w = {values['w']:,} tokens is longer than the sequence, L = {values['L']:,}; leave out --attention"
        )
    if options.measure in MEMORY:
        return _of_memory(architecture, options, values)
    if options.measure != "activations":
        found = choose_measure(options.measure, options.attention, options.recomputation)
        insist_on_a_cache(architecture, found.name)
        insist_on_something_again(architecture, options.recomputation)
        return per(found, options.per, architecture)
    insist_on_layers(architecture)
    return activations(options.recomputation, options.tensor_parallel or TENSOR_PARALLEL in stated, options.sequence_parallel)


def _of_memory(architecture: Architecture, options: Options, values: Mapping[str, int]) -> Measure:
    name, stored, window = options.measure, number_format(options.number_format), options.attention == "window"
    if options.attention not in ("full", "window"):
        raise FormulaError(f"--attention {options.attention} leaves nothing out of a cache; full or window is expected")
    if window and values.get("w", 0) > values.get("S", MAX_SIZE):
        raise FormulaError(
            f"a window of w = {values['w']:,} tokens is longer than what is in the cache, S = {values['S']:,}; leave out --attention"
        )
    if name in TRAINED:
        found = training_memory(name, options.optimizer, stored, options.zero, values)
    elif name == "inference-memory":
        found = inference_memory(architecture, stored, values, window, is_causal(architecture))
    elif name == "kv-cache":
        insist_on_a_cache(architecture, name)
        found = kv_cache(stored, values, window)
    else:
        found = weights(stored, values)
    # What a formula without numbers takes for granted of the sizes is settled by these.
    settled = OF_SIZES if architecture.letters <= values.keys() else ()
    return replace(found, conditions=tuple(each for each in found.conditions if each not in settled), format=stored.name)


def _of_a_tool(architecture: Architecture, options: Options, activation: str, values: Mapping[str, int]) -> Measure:
    # Only who asks for a tool pays for its import.
    from symparam.measures.conventions.counting import in_the_eyes_of, insist_on_a_formula

    if options.attention != "full":
        raise FormulaError(f"no tool leaves out pairs of tokens; leave out --attention {options.attention}, or --convention")
    if options.recomputation != "none":
        raise FormulaError(
            f"a convention is about a forward pass, of which nothing is computed again; leave out --recomputation {options.recomputation}, "
            "or --convention"
        )
    name = None if options.measure == "parameters" else options.measure
    found = in_the_eyes_of(options.convention or "", name, options.implementation, activation, values)
    insist_on_a_formula(found.convention, architecture)
    cores = [place.module for place in architecture.places() if isinstance(place.module, DotProduct)]
    if options.implementation == "sdpa" and cores and not any(core.fused for core in cores):
        raise ArchitectureError(
            f"{architecture.class_name} of the reference cannot call scaled_dot_product_attention; leave out --implementation sdpa"
        )
    return found


def insist_on_what_applies(options: Options) -> None:
    """Raise a `FormulaError` for an option that is not for the measure, and an `UnknownNameError` for a measure that there is not."""
    if options.measure not in MEASURES:
        raise UnknownNameError("measure", options.measure, MEASURES)
    usual = Options()
    for option, measures in APPLIES.items():
        stated = getattr(options, option)
        if stated != getattr(usual, option) and options.measure not in measures:
            shown = f"--{option.replace('_', '-')}" + ("" if stated is True else f" {stated}")
            raise FormulaError(f"{shown} is not for the measure {options.measure}; leave it out, or measure {_one_of(measures)}")


def _one_of(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def choose_measure(name: str, attention: str = "full", recomputation: str = "none") -> Measure:
    """The measure of parameters or operations of that name, ``attention`` and ``recomputation`` being for operations.

    Raises `UnknownNameError`.
    """
    if name in PARAMETERS:
        return PARAMETERS[name]
    if name in COMPUTE:
        return compute(name, attention, recomputation)
    raise UnknownNameError("measure", name, MEASURES)


def is_causal(architecture: Architecture) -> bool:
    """Whether the model writes token after token with attention to those before; else it sees all tokens at once."""
    return any(isinstance(place.module, DotProduct) and place.module.causal for place in architecture.places())


def insist_on_a_cache(architecture: Architecture, measure: str) -> None:
    """Raise an `ArchitectureError` for decoding and its cache where no attention is causal."""
    if measure.startswith(("decoding", "kv")) and not is_causal(architecture):
        raise ArchitectureError(
            f"{architecture.class_name} does not write token after token with attention to those before, so it has no {measure}; "
            "name a decoder, such as gpt2 or llama"
        )

"""The measures by name, and the one that given options select."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from types import MappingProxyType

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.compute import COMPUTE, LATENT, TRAINING, compute
from symparam.analysis.measures.division import per
from symparam.analysis.measures.options import TRAINING_RUN, Options
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.analysis.measures.recomputation import require_recomputable
from symparam.analysis.measures.training_run import DEVICES, PERCENT, TOKENS, training_run
from symparam.analysis.measures.training_run import PEAK as PEAK_SPEED
from symparam.core.dimensions import DATA_PARALLEL, MAX_SIZE, TENSOR_PARALLEL
from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError, FormulaError, UnknownNameError
from symparam.models import blocks
from symparam.models.adapters import has_adapters
from symparam.models.blocks.architecture import Architecture
from symparam.models.blocks.operation import AROUND, NONE

AUTOGRAD, KORTHIKANTI = "autograd", "korthikanti"
"""The two conventions for activations: what the reference's autograd saves, and the formulas of Korthikanti et al. 2022, the default."""
TRAINED = ("gradients", "optimizer-states", "training-memory")
INFERENCE = ("prefill-memory", "decoding-memory")
MEMORY = ("weights", "kv-cache", *INFERENCE, *TRAINED)
PEAK = "training-peak"
KEPT = ("activations", PEAK)
"""The measures of saved activations, by one of the two conventions."""
MEASURES = (*PARAMETERS, *COMPUTE, *TRAINING_RUN, *MEMORY, *KEPT)

APPLIES: Mapping[str, Iterable[str]] = MappingProxyType(
    {
        "attention": (*COMPUTE, *TRAINING_RUN, "kv-cache", *INFERENCE),
        "number_format": (*MEMORY, PEAK),
        "optimizer": (*TRAINED, PEAK),
        "zero": (*TRAINED, PEAK),
        "recomputation": (*TRAINING, *TRAINING_RUN, "activations"),
        "per": COMPUTE,
        "tensor_parallel": ("activations",),
        "sequence_parallel": ("activations",),
        "dropout": KEPT,
        "latent": ("kv-cache", *INFERENCE, "decoding-macs", "decoding-flops"),
    }
)
"""The measures to which each option applies; for all others it must have its default."""
OF_TOOLS = ("measure", "convention", "implementation", "per", "attention", "recomputation")
OF_PAPERS = tuple(option for option in OF_TOOLS if option != "implementation")
OF_AUTOGRAD = ("measure", "convention", "implementation", "number_format", "dropout", "recomputation")
"""The options that each kind of convention reads or refuses with a reason of its own; all others must have their defaults."""

SIXTEEN_BITS = 16
OF_SIZES = ("blocks-condition", "small-tensors-condition", "largest-output-condition", "largest-in-layers-condition")
"""Conditions on a model's sizes, which are decided once all sizes have values."""


def only_for(options: Options, measure: str) -> Options:
    """The options for another measure: those that it shares are kept, the others get their defaults."""
    kept = {option: getattr(options, option) for option, measures in APPLIES.items() if measure in measures}
    return Options(measure, **kept)


def letters_of(options: Options) -> tuple[str, ...]:
    """The letters that the measure may use in addition to those of the architecture's shapes."""
    if options.convention is None and options.measure in PARAMETERS:
        return ()
    if options.measure in KEPT:
        return ("L", "B", "L_e", "L_c", TENSOR_PARALLEL if options.measure == "activations" else DATA_PARALLEL)
    training_run = (TOKENS, PERCENT, DEVICES, PEAK_SPEED) if options.measure in TRAINING_RUN else ()
    return ("L", "B", "S", "L_e", "w", "N_w", "L_c", DATA_PARALLEL, *training_run)


def depends_on_sizes(options: Options) -> bool:
    """Whether the formula itself depends on the values of sizes: formats have blocks, and one output is the largest."""
    return options.convention is not None or options.measure not in (*PARAMETERS, *COMPUTE, *TRAINING_RUN)


def measure_of(
    architecture: Architecture,
    options: Options,
    stated: Iterable[str] = (),
    activation: str = "",
    values: Mapping[str, int] = MappingProxyType({}),
    keys: JsonMapping = MappingProxyType({}),
) -> Measure:
    """The requested measure, provided that the architecture has what it measures; ``stated`` are the letters with statements about them.

    ``activation`` is the model's activation function, ``values`` are those of its letters, and ``keys`` those of its config. Raises
    `UnknownNameError`, `ArchitectureError` and `FormulaError`.
    """
    _require_adapters_apart(architecture, options)
    if options.measure == PEAK:
        return _peak(architecture, options, activation, values, keys)
    if options.convention == KORTHIKANTI and options.measure == "activations":
        return measure_of(architecture, replace(options, convention=None), stated, activation, values, keys)
    if options.convention == AUTOGRAD:
        return _autograd_measure(architecture, options, activation, values, keys)
    if options.dropout != "config":
        raise FormulaError(f"--dropout {options.dropout} applies to what a pass keeps; state --measure activations --convention {AUTOGRAD}")
    if options.convention is not None:
        return per(_tool_measure(architecture, options, activation, values), options.per, architecture)
    require_applicable(options)
    if options.implementation != "eager":
        raise FormulaError(f"--implementation {options.implementation} applies only to what a tool sees; name the tool with --convention")
    if options.attention != "full" and architecture.observed:
        raise ArchitectureError(
            f"a run of {architecture.class_name} does not show which pairs of tokens are masked; leave out --attention {options.attention}"
        )
    if options.attention == "window" and values.get("w", 0) > values.get("L", MAX_SIZE):
        raise FormulaError(
            f"a window of w = {values['w']:,} tokens is longer than the sequence, L = {values['L']:,}; leave out --attention"
        )
    _require_effect(architecture, options.attention)
    if options.measure in MEMORY:
        return _memory_measure(architecture, options, values)
    if options.measure in TRAINING_RUN:
        step = replace(options, measure="training-flops")
        return training_run(options.measure, measure_of(architecture, step, stated, activation, values, keys), architecture)
    if options.measure != "activations":
        require_latent(architecture, options.latent)
        found = find_measure(options.measure, options.attention, options.recomputation, options.latent)
        require_cache(architecture, found.name)
        require_recomputable(architecture, options.recomputation)
        return per(found, options.per, architecture)
    from symparam.analysis.measures.activations import require_layers, saved_activations  # Only for those who ask for it.

    require_layers(architecture)
    return saved_activations(options.recomputation, options.tensor_parallel or TENSOR_PARALLEL in stated, options.sequence_parallel)


def _peak(architecture: Architecture, options: Options, activation: str, values: Mapping[str, int], keys: JsonMapping) -> Measure:
    # Imported here, so that only those who use it pay for the import.
    from symparam.analysis.measures.number_formats import number_format
    from symparam.analysis.measures.training_peak import training_peak

    if options.convention not in (None, KORTHIKANTI, AUTOGRAD):
        raise FormulaError(f"{PEAK} takes the activations of {KORTHIKANTI} or {AUTOGRAD}, not of {options.convention}; name one of these")
    require_applicable(options)
    stored = number_format(options.number_format)
    if options.convention == AUTOGRAD and options.number_format != "float32":
        raise FormulaError(f"{PEAK} with the convention {AUTOGRAD} was recorded in float32; state --number-format float32")
    if options.convention != AUTOGRAD and stored.bits != SIXTEEN_BITS:
        raise FormulaError(
            f"Korthikanti et al. 2022 count activations of 16 bits, not {options.number_format}; leave out --number-format, "
            f"or state --convention {AUTOGRAD} with float32"
        )
    activations = measure_of(
        architecture,
        Options(
            "activations",
            number_format=options.number_format if options.convention == AUTOGRAD else "bfloat16",
            convention=options.convention,
            implementation=options.implementation,
            dropout=options.dropout,
        ),
        (),
        activation,
        values,
        keys,
    )
    states = _memory_measure(
        architecture,
        Options("training-memory", number_format=options.number_format, optimizer=options.optimizer, zero=options.zero),
        values,
    )
    return training_peak(architecture, states, activations, stored, values)


def _memory_measure(architecture: Architecture, options: Options, values: Mapping[str, int]) -> Measure:
    # A formula for parameters does not need the formats and optimisers.
    from symparam.analysis.measures.cache_contents import cache_contents
    from symparam.analysis.measures.inference import inference_memory
    from symparam.analysis.measures.memory import kv_cache, weights
    from symparam.analysis.measures.number_formats import number_format
    from symparam.analysis.measures.optimizers import training_memory

    name, stored = options.measure, number_format(options.number_format)
    require_latent(architecture, options.latent)
    cached = cache_contents(architecture, options.attention, options.latent, values, "L" if name == INFERENCE[0] else "S")
    if name in TRAINED:
        found = training_memory(name, options.optimizer, stored, options.zero, values)
    elif name in INFERENCE:
        require_cache(architecture, name)
        found = inference_memory(name, architecture, stored, values, cached, is_causal(architecture))
    elif name == "kv-cache":
        require_cache(architecture, name)
        found = kv_cache(stored, values, cached)
    else:
        found = weights(stored, values)
    # With a value for every size, the conditions on sizes have been checked.
    settled = OF_SIZES if architecture.letters <= values.keys() else ()
    return replace(found, conditions=tuple(each for each in found.conditions if each not in settled), format=stored.name)


def _autograd_measure(
    architecture: Architecture, options: Options, activation: str, values: Mapping[str, int], keys: JsonMapping
) -> Measure:
    # Imported here, so that only those who use it pay for the import.
    from symparam.analysis.measures.autograd.measure import autograd
    from symparam.analysis.measures.conventions.convention import IMPLEMENTATIONS

    if options.measure not in ("parameters", "activations"):
        raise FormulaError(f"the convention {AUTOGRAD} applies to activations, not to {options.measure}; state --measure activations")
    usual = Options()
    for name in ("tensor_parallel", "sequence_parallel"):
        if getattr(options, name) != getattr(usual, name):
            raise FormulaError(
                f"--{name.replace('_', '-')} does not apply to the convention {AUTOGRAD}, a pass of one process; state --convention "
                f"{KORTHIKANTI}"
            )
    _require_read(options, OF_AUTOGRAD)
    if options.implementation not in IMPLEMENTATIONS:
        raise UnknownNameError("implementation of attention", options.implementation, IMPLEMENTATIONS)
    _require_sdpa(architecture, options)
    choices = (options.number_format, options.implementation, options.dropout, activation, values, keys, options.recomputation)
    return _remarked(autograd(architecture, *choices), architecture, options)


def _tool_measure(architecture: Architecture, options: Options, activation: str, values: Mapping[str, int]) -> Measure:
    # Imported here, so that only those who use a tool pay for the import.
    from symparam.analysis.measures.conventions.convention import Convention
    from symparam.analysis.measures.conventions.measure import convention, is_tool, require_formula, tool_measure

    if options.attention != "full":
        raise FormulaError(f"no tool leaves out pairs of tokens; leave out --attention {options.attention}, or --convention")
    if options.recomputation != "none":
        raise FormulaError(
            f"a convention counts a forward pass, in which nothing is recomputed; leave out --recomputation {options.recomputation}, "
            "or --convention"
        )
    _require_read(options, OF_TOOLS if is_tool(options.convention or "") else OF_PAPERS)
    name = None if options.measure == "parameters" else options.measure
    found = tool_measure(options.convention or "", name, options.implementation, activation, values)
    require_formula(found.convention, architecture)
    tool = convention(found.convention)
    if isinstance(tool, Convention):
        if architecture.name in tool.cannot_run:
            raise ArchitectureError(
                f"{tool.tool} fails with {architecture.class_name}; name a tool such as torch, or leave out --convention"
            )
        if architecture.observed and (found.convention != "torch" or "-" in found.name or options.implementation != "eager"):
            raise ArchitectureError(
                f"a run of {architecture.class_name} showed only its matrix products; leave out --convention, or state --convention torch "
                "for a forward pass"
            )
    _require_sdpa(architecture, options)
    return _remarked(found, architecture, options)


def _require_adapters_apart(architecture: Architecture, options: Options) -> None:
    """Raise an `ArchitectureError` for a measure that treats adapted matrices as trained, and for a measure of adapters in a model without
    any.
    """
    adapted = has_adapters(architecture)
    trained = options.measure in (*TRAINED, *TRAINING, *TRAINING_RUN, *KEPT) or options.convention is not None
    if adapted and trained:
        raise ArchitectureError(
            f"{options.convention or options.measure} takes all parameters of {architecture.class_name} as trained, but with LoRA only the "
            "adapters are; measure adapter-parameters, or leave out --lora"
        )
    if options.measure == "adapter-parameters" and not adapted:
        raise ArchitectureError(f"{architecture.class_name} has no adapters; state --lora r=16 --lora-on with the names of its matrices")


def _require_sdpa(architecture: Architecture, options: Options) -> None:
    if options.implementation == "eager":
        return
    from symparam.models.architectures import family_named  # Most questions are not about one implementation.

    family = family_named(architecture.name)
    if not _attends(architecture) and (family is None or not _attends(family.architecture())):
        raise ArchitectureError(
            f"{architecture.class_name} has no attention, so --implementation {options.implementation} changes nothing; leave it out"
        )
    cores = [place.module for place in architecture.places() if isinstance(place.module, blocks.DotProduct)]
    if cores and not any(core.supports_sdpa for core in cores):
        raise ArchitectureError(
            f"{architecture.class_name} of the reference cannot call scaled_dot_product_attention; leave out --implementation sdpa"
        )


def _attends(architecture: Architecture) -> bool:
    return any(isinstance(place.module, (blocks.DotProduct, blocks.MultiheadAttention)) for place in architecture.places())


def _remarked(found: Measure, architecture: Architecture, options: Options) -> Measure:
    """The measure, with a remark where the model of a hybrid family has no layer with the attention that an option is about."""
    without = options.implementation != "eager" and not _attends(architecture)
    return replace(found, conditions=(*found.conditions, "no-attention-condition")) if without else found


def require_applicable(options: Options) -> None:
    """Raise a `FormulaError` for an option that does not apply to the measure, and an `UnknownNameError` for an unknown measure."""
    if options.measure not in MEASURES:
        raise UnknownNameError("measure", options.measure, MEASURES)
    usual = Options()
    for option, measures in APPLIES.items():
        stated = getattr(options, option)
        if stated != getattr(usual, option) and options.measure not in measures:
            shown = f"--{option.replace('_', '-')}" + ("" if stated is True else f" {stated}")
            raise FormulaError(f"{shown} does not apply to the measure {options.measure}; leave it out, or measure {_one_of(measures)}")


def _require_read(options: Options, read: Iterable[str]) -> None:
    """Raise a `FormulaError` for an option that a convention would ignore."""
    usual = Options()
    for option in (each.name for each in fields(options) if each.name not in read):
        stated = getattr(options, option)
        if stated != getattr(usual, option):
            shown = f"--{option.replace('_', '-')}" + ("" if stated is True else f" {stated}")
            raise FormulaError(f"{shown} changes nothing of what {options.convention} counts; leave it out, or --convention")


def _require_effect(architecture: Architecture, attention: str) -> None:
    """Raise an `ArchitectureError` for a kind of attention that leaves out no pair of tokens in the model."""
    cores = [place.module for place in architecture.places() if isinstance(place.module, blocks.DotProduct)]
    if attention == "causal" and not any(core.causal for core in cores):
        raise ArchitectureError(f"no attention of {architecture.class_name} is causal, so --attention causal changes nothing; leave it out")
    windowed = (core.window == AROUND or (core.causal and core.window != NONE) for core in cores)
    if attention == "window" and not any(windowed):
        raise ArchitectureError(
            f"no attention of {architecture.class_name} can have a window, so --attention {attention} changes nothing; leave it out"
        )


def _one_of(names: Iterable[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


def require_latent(architecture: Architecture, latent: str) -> None:
    """Raise an `ArchitectureError` for a choice of how latents are used in a model without latent attention."""
    if latent not in LATENT:
        raise UnknownNameError("use of latents", latent, LATENT)
    cores = (place.module for place in architecture.places() if isinstance(place.module, blocks.DotProduct))
    if latent != LATENT[0] and not any(core.absorbed_key_width is not None for core in cores):
        raise ArchitectureError(f"{architecture.class_name} has no latent attention; leave out --latent {latent}, or name deepseek-v3")


def find_measure(name: str, attention: str = "full", recomputation: str = "none", latent: str = "absorbed") -> Measure:
    """The measure of parameters or operations of that name; ``attention`` and ``recomputation`` apply to operations.

    Raises `UnknownNameError`.
    """
    if name in PARAMETERS:
        return PARAMETERS[name]
    if name in COMPUTE:
        return compute(name, attention, recomputation, latent)
    raise UnknownNameError("measure", name, MEASURES)


def is_causal(architecture: Architecture) -> bool:
    """Whether the model generates token after token, with causal attention that caches or with states; otherwise, as in CLIP's causal
    encoder of texts, it sees all tokens at once.
    """
    return any(place.module.keeps_past for place in architecture.places())


def require_cache(architecture: Architecture, measure: str) -> None:
    """Raise an `ArchitectureError` for decoding and its cache in a model that carries nothing from token to token."""
    if measure.startswith(("decoding", "kv")) and not is_causal(architecture):
        raise ArchitectureError(
            f"{architecture.class_name} does not write token after token with attention to those before, so it has no {measure}; "
            "name a decoder, such as gpt2 or llama"
        )

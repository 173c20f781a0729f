"""The bytes of the weights and of a decoder's cache in a number format, scales included."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.cache_contents import WHOLE_CACHE, CacheContents
from symparam.analysis.measures.number_formats import FORMATS, NO_VALUES, NumberFormat, QuantizedMatrix, Values
from symparam.analysis.measures.parameter_kinds import counted_elements
from symparam.analysis.measures.windows import IN_CACHE, split_by_window
from symparam.core.dimensions import B
from symparam.core.formula import Formula, Number, Quotient
from symparam.errors import FormulaError
from symparam.models.blocks import DotProduct
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.convolution import Convolution
from symparam.models.blocks.state_space import StateReadout

BYTE = 8
BITS_OF_RESULTS = 16
BITS_OF_STATES = 32
"""The reference computes and stores the states of a layer in 32 bits, whatever the model's format."""


def weights(format: NumberFormat, values: Values = NO_VALUES) -> Measure:
    """The bytes of all weights: ``bits/8`` for each number, plus the scales. Raises `FormulaError` where a size does not fit the format's
    blocks.
    """
    if format.plain:
        of_weights = partial(bytes_of_weights, format, values)
        return Measure("weights", "bytes", of_weights, reason="", factors=(("weights", bytes_of(format)),))
    return Measure(
        "weights",
        "bytes",
        partial(bytes_of_weights, format, values),
        reason="quantised",
        details=(f"of-{format.of}",),
        quantities=partial(parts_of_weights, format, values),
        conditions=("blocks-condition",) if format.in_blocks else (),
    )


def kv_cache(format: NumberFormat, values: Values = NO_VALUES, contents: CacheContents = WHOLE_CACHE) -> Measure:
    """The bytes of ``2 · B · d · k · S`` numbers per layer, or of whatever else a decoder caches for a token. With a window, its tokens
    replace S in the layers that have one.

    Layers with states store these and the last inputs of their convolution, however many tokens there are. Raises `FormulaError` for a
    format that applies to weights only.
    """
    if not format.cache:
        raise FormulaError(
            f"{format.name} is a format for weights, not for a cache; "
            f"name another, such as {', '.join(name for name in ('float16', 'float8', 'q8_0') if name in FORMATS)}"
        )
    conditions = (("blocks-condition",) if format.in_blocks else ()) + ((IN_CACHE,) if contents.window is not None else ())
    return Measure(
        "kv-cache",
        "bytes",
        partial(bytes_of_cache, format, values, contents),
        reason="cached-plain" if format.plain else "cached",
        quantities=partial(_of_token, format, contents),
        details=contents.details,
        transform=split_by_window if contents.window is not None else None,
        conditions=conditions,
    )


def bytes_of_weights(format: NumberFormat, values: Values, place: Place) -> sympy.Expr:
    """The bytes of a block's own tensors."""
    parts = parts_of_weights(format, values, place)
    return parts["numbers"] + parts["scales"]


def parts_of_weights(format: NumberFormat, values: Values, place: Place) -> Mapping[str, sympy.Expr]:
    """The bytes of a block's own tensors in two parts, ``numbers`` and ``scales``; tied tensors count as 0."""
    numbers = scales = sympy.S.Zero
    for tensor in place.module.tensors:
        matrix = None if tensor.tied_to else format.matrix(place, tensor)
        bits = format.bits if matrix or format.plain else format.others
        numbers += sympy.Rational(bits, BYTE) * counted_elements("parameters", place.module, tensor)
        scales += format.bits_of_scales(matrix, values) / BYTE if matrix else 0
    return {"numbers": numbers, "scales": scales}


def bytes_of_cache(format: NumberFormat, values: Values, contents: CacheContents, place: Place) -> sympy.Expr:
    """The bytes that an attention block caches for all tokens, or that a layer with states stores for a sequence."""
    module = place.module
    if isinstance(module, StateReadout) and module.carries:
        return B * BITS_OF_STATES * module.channels * module.state_size / BYTE
    if isinstance(module, Convolution) and module.cut_off:
        return B * _bits_of_inputs(format) * module.out_channels * sympy.prod(module.kernel) / BYTE
    if not isinstance(module, DotProduct) or module.cached == 0:
        return sympy.S.Zero
    cached = contents.numbers(module)
    row = QuantizedMatrix(sympy.S.One, cached)
    return B * contents.tokens(module) * (format.bits * cached + format.bits_of_scales(row, values)) / BYTE


def _bits_of_inputs(format: NumberFormat) -> int:
    """The bits of a stored convolution input: those of results, to which formats of eight bits or blocks do not apply."""
    return format.bits if format.plain and format.bits > BITS_OF_RESULTS else BITS_OF_RESULTS


def bytes_of(format: NumberFormat) -> Formula:
    """The bytes of a number as the quotient of its bits: ``16/8``."""
    return Quotient(Number(format.bits), Number(BYTE))


def _of_token(format: NumberFormat, contents: CacheContents, place: Place) -> Mapping[str, sympy.Expr]:
    """The numbers per token in the cache, and the bytes per number, for the reason."""
    if isinstance(place.module, Convolution):
        return {"bytes": sympy.Rational(_bits_of_inputs(format), BYTE)}
    bytes_of_number = {"bytes": sympy.Rational(format.bits, BYTE)}
    if not isinstance(place.module, DotProduct):
        return bytes_of_number
    latents = place.module.absorbed_key_width is not None and contents.latent == "absorbed"
    return {"latents" if latents else "numbers": contents.numbers(place.module), **bytes_of_number}

"""Bytes that do not change while a model runs, and those of a decoder's cache: in a number format, its scales with them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import sympy

from symparam.blocks import DotProduct
from symparam.blocks.architecture import Place
from symparam.derivation import Measure
from symparam.dimensions import B, S, w
from symparam.errors import FormulaError
from symparam.measures.kinds import counted
from symparam.measures.number_formats import FORMATS, NO_VALUES, Matrix, NumberFormat, Values
from symparam.measures.windows import IN_CACHE, windows_apart

BYTE = 8


def weights(format: NumberFormat, values: Values = NO_VALUES) -> Measure:
    """The bytes of all weights: ``bits/8`` for each number, and the scales. Raises `FormulaError` where a format has no such blocks."""
    if format.plain:
        return Measure("weights", "bytes", partial(bytes_of_weights, format, values), reason="bytes")
    return Measure(
        "weights",
        "bytes",
        partial(bytes_of_weights, format, values),
        reason="quantised",
        details=(f"of-{format.of}",),
        quantities=partial(parts_of_weights, format, values),
        conditions=("blocks-condition",) if format.in_blocks else (),
    )


def kv_cache(format: NumberFormat, values: Values = NO_VALUES, window: bool = False) -> Measure:
    """``2 · B · d · k · S`` numbers for each layer, or what else a decoder keeps of a token; with a ``window`` w tokens in the place of S,
    in the layers that have one. Raises `FormulaError` for a format of weights alone."""
    if not format.cache:
        raise FormulaError(
            f"{format.name} is a format of weights, and no cache is kept in it; "
            f"name another, such as {', '.join(name for name in ('float16', 'float8', 'q8_0') if name in FORMATS)}"
        )
    conditions = (("blocks-condition",) if format.in_blocks else ()) + ((IN_CACHE,) if window else ())
    return Measure(
        "kv-cache",
        "bytes",
        partial(bytes_of_cache, format, values, window),
        reason="cached",
        details=("cache-window",) if window else (),
        prepared=windows_apart if window else None,
        conditions=conditions,
    )


def bytes_of_weights(format: NumberFormat, values: Values, place: Place) -> sympy.Expr:
    """The bytes of a block's own tensors."""
    parts = parts_of_weights(format, values, place)
    return parts["numbers"] + parts["scales"]


def parts_of_weights(format: NumberFormat, values: Values, place: Place) -> Mapping[str, sympy.Expr]:
    """The same apart: the bytes of the ``numbers`` and of the ``scales`` beside them; tied tensors are counted where they belong."""
    numbers = scales = sympy.S.Zero
    for tensor in place.module.tensors:
        matrix = None if tensor.tied_to else format.matrix(place, tensor)
        bits = format.bits if matrix or format.plain else format.others
        numbers += sympy.Rational(bits, BYTE) * counted("parameters", place.module, tensor)
        scales += format.bits_of_scales(matrix, values) / BYTE if matrix else 0
    return {"numbers": numbers, "scales": scales}


def bytes_of_cache(format: NumberFormat, values: Values, window: bool, place: Place) -> sympy.Expr:
    """The bytes that a block of attention keeps of all tokens."""
    module = place.module
    if not isinstance(module, DotProduct) or module.cached == 0:
        return sympy.S.Zero
    # Of its own tokens a decoder keeps as many as it has written or looks back at; of a source, all of it.
    tokens = (w if window and module.windowed else S) if module.causal else module.keys
    row = Matrix(sympy.S.One, module.cached)
    return B * tokens * (format.bits * module.cached + format.bits_of_scales(row, values)) / BYTE

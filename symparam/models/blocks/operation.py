"""The operations of a block for each row that it processes; a row is the features of one token, position or pixel."""

from __future__ import annotations

from typing import TypeAlias

import sympy

from symparam.core.frozen import frozen

Size: TypeAlias = sympy.Expr


@frozen
class MatrixProduct:
    """``in_features · out_features`` multiply-accumulate operations for each row: the product of a row with a matrix.

    ``bias`` says whether a vector is added, and ``dispatch`` how the reference dispatches the product where that does not follow from the
    block. ``cut_off`` is the number of additional rows of each sequence that the reference computes at the ends and cuts off: they are not
    part of the model, but tools see them. ``groups`` are those of a convolution. ``inside`` says that the block itself computes the first
    factor, except for ``constant`` rows of each sequence, such as the state before the first token. ``times`` is the factor by which the
    reference multiplies more often than that, mostly with zeros, which tools see. Nothing reads the products of ``unread`` rows of each
    sequence, and ``in_backward`` rows are multiplied in the backward pass only.
    """

    in_features: Size
    out_features: Size
    bias: bool = False
    cut_off: Size = sympy.S.Zero
    dispatch: str = ""
    groups: Size = sympy.S.One
    inside: bool = False
    constant: Size | int = 0
    times: Size = sympy.S.One
    unread: Size = sympy.S.Zero
    in_backward: Size = sympy.S.Zero


BACK, AROUND, CHUNK, NONE = "back", "around", "chunk", "none"
"""The keys that a window of w tokens leaves: the last w; the last w and as many ahead; those in the same chunk of w tokens; or all."""


@frozen
class AttentionProducts:
    """``keys · (key_width + value_width)`` multiply-accumulate operations for each query: its products with the keys, and the weighted sum
    of the values.

    ``key_width`` and ``value_width`` are the features of all heads together. ``causal`` says that later keys are masked. ``supports_sdpa``
    says whether the reference can call `scaled_dot_product_attention` instead, and ``queries_per_key`` is the number of query heads that
    this call has for each key head. ``window`` says which keys a window leaves, if the measure uses one: `BACK`, `AROUND`, `CHUNK`, `NONE`.
    ``absorbed_key_width`` and ``absorbed_value_width`` are the two widths where a decoder multiplies with cached latents, the up projection
    being absorbed by queries and outputs; None if there are none. ``learned_positions`` says that parameters are added to the scores.
    """

    keys: Size
    key_width: Size
    value_width: Size
    causal: bool
    supports_sdpa: bool = True
    queries_per_key: Size = sympy.S.One
    window: str = BACK
    absorbed_key_width: Size | None = None
    absorbed_value_width: Size | None = None
    learned_positions: bool = False


Operation = MatrixProduct | AttentionProducts


FAMILY = "that of the config"
"""Placeholder for the function that the config names, for instance under ``hidden_act``."""


@frozen
class Elementwise:
    """A function that is applied to each of ``numbers`` numbers of a row.

    ``function`` is a norm (``layer-norm``, or ``plain-layer-norm`` without scale and shift), ``softmax``, or an activation by its name in
    configs; `FAMILY` means that the config chooses it. ``is_module`` says whether it is a module of the model, and ``registrations`` how
    many blocks hold that same module.
    """

    function: str
    numbers: Size
    is_module: bool = False
    registrations: Size = sympy.S.One

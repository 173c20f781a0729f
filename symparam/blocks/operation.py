"""What a block computes for each row that passes through it, a row being the features of one token, position or pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import sympy

Size: TypeAlias = sympy.Expr


@dataclass(frozen=True)
class MatrixProduct:
    """``inputs · outputs`` multiplications with as many additions for each row: a row times a matrix.

    ``bias`` says whether a vector is added. ``call`` is how the reference's code calls the product, as a tool that counts sees the call:
    ``linear`` and ``convolution`` are torch's modules, ``addmm``, ``matmul``, ``function`` (``F.linear``), ``convolution-function`` and
    ``grouped`` (``grouped_mm``, for experts) its functions, ``operator`` is Python's ``@``, ``weight-first`` an ``@`` with the matrix in
    front of the rows, and ``linear-of-columns`` the module with rows that lie apart in memory, where torch adds the bias by itself.
    """

    inputs: Size
    outputs: Size
    bias: bool = False
    call: str = "linear"


@dataclass(frozen=True)
class AttentionProducts:
    """``keys · (key_width + value_width)`` for each query: its products with the keys, and the weighted sum of the values.

    ``key_width`` and ``value_width`` are the features of all heads together. ``causal`` says that a query has no later keys. ``call`` is
    how the reference writes the two products in eager attention: ``matmul``, ``operator``, the method ``baddbmm`` and
    then ``bmm``, or the function ``baddbmm-function`` and then ``matmul``. ``fused`` says
    whether the reference can call `scaled_dot_product_attention` in their place, and ``shared`` is how many queries of a place that call
    gives to one key. ``windowed`` says that a sliding window, where one is asked for, is for this attention too.
    """

    keys: Size
    key_width: Size
    value_width: Size
    causal: bool
    call: str = "matmul"
    fused: bool = True
    shared: Size = sympy.S.One
    windowed: bool = True


Operation = MatrixProduct | AttentionProducts


FAMILY = "that of the config"
"""The function that a config names, as in ``hidden_act``."""


@dataclass(frozen=True)
class Elementwise:
    """A function of each of so many numbers of a row.

    ``function`` is a norm (``layer-norm``, without scale and shift ``plain-layer-norm``), ``softmax``, or an activation by its name in
    configs, which is `FAMILY` where each config chooses. ``held`` says whether a module for it is part of the model, built with it, and
    ``holders`` how many blocks hold that same module.
    """

    function: str
    numbers: Size
    held: bool = False
    holders: Size = sympy.S.One

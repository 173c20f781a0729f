"""Scaled dot-product attention: the products of queries with keys, and the weighted sums of the values."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from symparam.core.dimensions import h
from symparam.models.blocks.module import OPTIONAL_SIZE, SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import AttentionProducts, Elementwise, Operation


@dataclass(frozen=True)
class DotProduct(Module):
    """``keys · (key_width + value_width)`` multiplications for each query, and no parameters.

    ``key_width`` and ``value_width`` are the features of all heads together, h·d. ``keys`` is the number of positions that a query attends
    to, ``causal`` whether later positions are masked. ``cached`` is how many numbers per token a decoder keeps in its cache: 2·k·d for keys
    and values, 0 without a cache. ``num_heads`` is the number of scores for each pair of tokens; ``supports_sdpa``, ``queries_per_key``,
    ``windowed`` and the absorbed widths are as in `AttentionProducts`. ``upcast`` says that scores are computed in 32 bits. Source: Vaswani
    et al. 2017, arXiv 1706.03762, section 3.2.1.
    """

    keys: Size = field(metadata=SIZE)
    key_width: Size = field(metadata=SIZE)
    value_width: Size = field(metadata=SIZE)
    cached: Size | int = field(default=0, metadata=OPTIONAL_SIZE)
    causal: bool = False
    num_heads: Size = field(default=h, metadata=SIZE)
    supports_sdpa: bool = True
    queries_per_key: Size = field(default=sympy.S.One, metadata=SIZE)
    windowed: bool = True
    absorbed_key_width: Size | None = field(default=None, metadata=OPTIONAL_SIZE)
    absorbed_value_width: Size | None = field(default=None, metadata=OPTIONAL_SIZE)
    upcast: bool = False

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return ()

    @property
    def operations(self) -> tuple[Operation, ...]:
        products = AttentionProducts(
            self.keys,
            self.key_width,
            self.value_width,
            self.causal,
            self.supports_sdpa,
            self.queries_per_key,
            self.windowed,
            self.absorbed_key_width,
            self.absorbed_value_width,
        )
        return (products,)

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        scores = self.num_heads * self.keys
        added = (Elementwise("added-scores", scores),) if self.upcast else ()
        return (Elementwise("softmax", scores), *added)

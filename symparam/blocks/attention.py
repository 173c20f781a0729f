"""The part of attention that has no parameters: queries times keys, and the weighted sum of the values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy

from symparam.blocks.module import Change, Module, Size, Tensor
from symparam.blocks.operation import AttentionProducts, Elementwise, Operation
from symparam.dimensions import canonical, h


@dataclass(frozen=True)
class DotProduct(Module):
    """``keys · (key_width + value_width)`` multiplications for each query, and no parameters.

    ``key_width`` and ``value_width`` are the features of all heads together, h·d. ``keys`` are the positions that a query looks at,
    ``causal`` whether it looks at no later ones. ``cached`` are the numbers that a decoder keeps of each token: 2·k·d for keys and
    values, 0 where nothing is kept. ``heads`` is how many scores a pair of tokens has; ``call``, ``fused`` and ``shared`` as in
    `AttentionProducts`, and so is ``windowed``.
    Source: Vaswani et al. 2017, arXiv 1706.03762, section 3.2.1.
    """

    keys: Size
    key_width: Size
    value_width: Size
    cached: Size | int = 0
    causal: bool = False
    heads: Size = h
    call: str = "matmul"
    fused: bool = True
    shared: Size = sympy.S.One
    windowed: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cached", canonical(self.cached))

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return ()

    @property
    def operations(self) -> tuple[Operation, ...]:
        widths = self.key_width, self.value_width
        return (AttentionProducts(self.keys, *widths, self.causal, self.call, self.fused, self.shared, self.windowed),)

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        scores = self.heads * self.keys
        added = (Elementwise("added-scores", scores),) if self.call == "baddbmm-function" else ()
        return (Elementwise("softmax", scores), *added)

    def resized(self, change: Change) -> DotProduct:
        return replace(super().resized(change), cached=change(canonical(self.cached)))

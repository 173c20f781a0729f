"""Layers whose tensors are known, but not what they compute with them."""

from __future__ import annotations

from dataclasses import replace
from typing import Self

from symparam.core.frozen import frozen
from symparam.models.blocks.module import Change, Module, Size, Tensor


@frozen
class OpaqueLayer(Module):
    """A layer of any class that holds tensors and no other layers: a convolution of which only the shapes are known. ``name`` is its class.

    Where a layer ``scales``, it works on each feature by itself, so that there are no products to know of.
    """

    name: str
    shapes: tuple[tuple[str, tuple[Size, ...]], ...]
    scales: bool = False

    @property
    def kind(self) -> str:
        return self.name

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return tuple(Tensor(name, shape) for name, shape in self.shapes)

    @property
    def undeclared(self) -> bool:
        return not self.scales

    def map_sizes(self, change: Change) -> Self:
        rows = None if self.rows is None else change(self.rows)
        return replace(self, rows=rows, shapes=tuple((name, tuple(map(change, shape))) for name, shape in self.shapes))

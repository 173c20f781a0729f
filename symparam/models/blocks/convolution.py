"""Convolutions over a sequence or an image."""

from __future__ import annotations

from dataclasses import dataclass, field

from sympy import Mul

from symparam.core.dimensions import canonical
from symparam.models.blocks.module import SIZE, Change, Module, Size, Tensor, checked_size
from symparam.models.blocks.operation import MatrixProduct, Operation


@dataclass(frozen=True, init=False)
class Convolution(Module):
    """``out_channels · in_channels/groups · kernel_size + out_channels`` parameters.

    A weight ``(out_channels, in_channels/groups, *kernel_size)`` and, unless ``bias`` is false, a bias. ``kernel_size`` is the width of the
    filter, or its height and width. With ``groups = in_channels`` the convolution is depthwise: each channel is filtered by itself. A row
    is one position of the filter; ``cut_off`` is as in `MatrixProduct`. Source: ``torch.nn.Conv1d`` and ``torch.nn.Conv2d``.
    """

    in_channels: Size = field(metadata=SIZE)
    out_channels: Size = field(metadata=SIZE)
    kernel_size: tuple[Size, ...]
    groups: Size = field(metadata=SIZE)
    bias: bool
    cut_off: Size

    def __init__(
        self,
        in_channels: Size,
        out_channels: Size,
        *kernel_size: Size | int,
        groups: Size | int = 1,
        bias: bool = True,
        role: str | None = None,
        rows: Size | None = None,
        cut_off: Size | int = 0,
    ) -> None:
        values = {"in_channels": in_channels, "out_channels": out_channels, "groups": groups}
        for name, value in values.items():
            object.__setattr__(self, name, checked_size(value, f"{name} of a Convolution"))
        object.__setattr__(self, "kernel_size", tuple(checked_size(each, "kernel_size of a Convolution") for each in kernel_size))
        object.__setattr__(self, "bias", bias)
        object.__setattr__(self, "cut_off", canonical(cut_off))
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "rows", rows)

    @property
    def kind(self) -> str:
        return f"Conv{len(self.kernel_size)}d"

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.out_channels, self.in_channels / self.groups, *self.kernel_size))
        return (weight, Tensor("bias", (self.out_channels,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(Mul(self.in_channels / self.groups, *self.kernel_size), self.out_channels, self.bias, self.cut_off),)

    def map_sizes(self, change: Change) -> Convolution:
        in_channels, out_channels, groups, *kernel_size = map(change, (self.in_channels, self.out_channels, self.groups, *self.kernel_size))
        rows = None if self.rows is None else change(self.rows)
        return Convolution(
            in_channels,
            out_channels,
            *kernel_size,
            groups=groups,
            bias=self.bias,
            role=self.role,
            rows=rows,
            cut_off=change(self.cut_off),
        )

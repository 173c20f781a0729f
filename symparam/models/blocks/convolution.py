"""Convolutions over a sequence, an image or a volume, and transposed ones."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import sympy
from sympy import Mul

from symparam.core.dimensions import canonical
from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import OPTIONAL_SIZE, SIZE, SIZES, Module, Size, Tensor
from symparam.models.blocks.operation import Elementwise, MatrixProduct, Operation
from symparam.models.blocks.window import Each, Sizes, check_features, each_direction, moved_over, reached

SAME, VALID = "same", "valid"


@frozen
class Convolution(Module):
    """``out_channels · in_channels/groups · kernel_size + out_channels`` parameters.

    A weight ``(out_channels, in_channels/groups, *kernel_size)`` and, unless ``bias`` is false, a bias. ``kernel_size``, ``stride``,
    ``padding`` and ``dilation`` are one size or one for each direction; ``padding`` may be ``same``, or ``valid``, which is 0. Along n
    positions there are ``⌊(n + 2 padding − dilation (kernel_size − 1) − 1)/stride⌋ + 1`` rows. With ``groups = in_channels`` each channel
    is filtered by itself. ``cut_off`` is the number of rows at the end that the reference computes and cuts off. Source:
    ``torch.nn.Conv1d``.
    """

    in_channels: Size = field(metadata=SIZE)
    out_channels: Size = field(metadata=SIZE)
    kernel_size: Each = field(metadata=SIZES)
    stride: Each = field(default=1, metadata=SIZES)
    padding: Each = field(default=0, metadata=SIZES)
    dilation: Each = field(default=1, metadata=SIZES)
    groups: Size | int = field(default=1, metadata=SIZE)
    bias: bool = True
    cut_off: Size | int = field(default=0, metadata=OPTIONAL_SIZE, kw_only=True)

    directions: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name in ("kernel_size", "stride", "padding", "dilation"):
            if getattr(self, name) not in (SAME, VALID):
                object.__setattr__(self, name, each_direction(getattr(self, name), self.directions, f"{name} of {self.kind}"))
        super().__post_init__()

    def _sizes(self, name: str) -> Sizes:
        if self.padding == SAME and name == "padding":
            return tuple(dilation * (kernel - 1) / 2 for kernel, dilation in zip(self.kernel, self._sizes("dilation"), strict=True))
        if self.padding == VALID and name == "padding":
            return (sympy.S.Zero,) * self.directions
        sizes: Sizes = getattr(self, name)
        return sizes

    @property
    def kernel(self) -> Sizes:
        """The kernel size along each direction."""
        return self._sizes("kernel_size")

    @property
    def padded(self) -> Sizes:
        """The padding at each end of each direction; for ``same`` a fraction where one end has one position more."""
        return self._sizes("padding")

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.out_channels, self.in_channels / self.groups, *self.kernel))
        return (weight, Tensor("bias", (self.out_channels,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        inputs = Mul(self.in_channels / self.groups, *self.kernel)
        dispatch = "convolution-same" if self.padding == SAME else ""
        return (MatrixProduct(inputs, self.out_channels, self.bias, canonical(self.cut_off), dispatch, canonical(self.groups)),)

    def positions(self, *taken: FeatureMap) -> Size:
        return self.output(*taken).positions

    def output(self, *taken: FeatureMap) -> FeatureMap:
        image = moved_over(taken[0], self.directions, self.kind)
        check_features(image, self.in_channels, self.kind)
        named = zip(*(self._sizes(name) for name in ("kernel_size", "stride", "padding", "dilation")), strict=True)
        extent = (reached(size, *each) - self.cut_off for size, each in zip(image.extent, named, strict=True))
        return FeatureMap(image.features and self.out_channels, *extent)


class Conv1d(Convolution):
    """A convolution over a sequence: see `Convolution`."""


class Conv2d(Convolution):
    """A convolution over an image: see `Convolution`."""

    directions: ClassVar[int] = 2


class Conv3d(Convolution):
    """A convolution over a volume: see `Convolution`."""

    directions: ClassVar[int] = 3


@frozen
class ConvTranspose1d(Module):
    """``in_channels · out_channels/groups · kernel_size + out_channels`` parameters.

    The transpose of a convolution: each input position, which is a row, is multiplied with the whole kernel. n positions become ``(n − 1)
    stride − 2 padding + dilation (kernel_size − 1) + output_padding + 1``. Source: ``torch.nn.ConvTranspose1d``.
    """

    in_channels: Size = field(metadata=SIZE)
    out_channels: Size = field(metadata=SIZE)
    kernel_size: Each = field(metadata=SIZES)
    stride: Each = field(default=1, metadata=SIZES)
    padding: Each = field(default=0, metadata=SIZES)
    output_padding: Each = field(default=0, metadata=SIZES)
    groups: Size | int = field(default=1, metadata=SIZE)
    bias: bool = True
    dilation: Each = field(default=1, metadata=SIZES)

    directions: ClassVar[int] = 1

    def __post_init__(self) -> None:
        for name in ("kernel_size", "stride", "padding", "output_padding", "dilation"):
            object.__setattr__(self, name, each_direction(getattr(self, name), self.directions, f"{name} of {self.kind}"))
        super().__post_init__()

    def _sizes(self, name: str) -> Sizes:
        sizes: Sizes = getattr(self, name)
        return sizes

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.in_channels, self.out_channels / self.groups, *self._sizes("kernel_size")))
        return (weight, Tensor("bias", (self.out_channels,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        dispatch = "transposed-convolution" if self.groups == 1 else "grouped-transposed-convolution"
        return (
            MatrixProduct(
                self.in_channels,
                Mul(self.out_channels / self.groups, *self._sizes("kernel_size")),
                dispatch=dispatch,
                groups=canonical(self.groups),
            ),
        )

    def elementwise_on(self, *taken: FeatureMap) -> tuple[Elementwise, ...]:
        """The bias, added at each position of the output, whose number differs from that of rows; and the bias of the convolution that is
        not transposed, as one tool counts it.
        """
        if not self.bias:
            return ()
        sizes = (self._sizes(name) for name in ("kernel_size", "stride", "padding", "dilation"))
        otherwise = sympy.Mul(*map(reached, taken[0].extent, *sizes))
        return (
            Elementwise("transposed-bias", self.out_channels * self.output(*taken).positions / taken[0].positions),
            Elementwise("transposed-bias-as-if-not", self.out_channels * otherwise / taken[0].positions),
        )

    def output(self, *taken: FeatureMap) -> FeatureMap:
        image = moved_over(taken[0], self.directions, self.kind)
        check_features(image, self.in_channels, self.kind)
        names = ("kernel_size", "stride", "padding", "output_padding", "dilation")
        named = zip(*(self._sizes(name) for name in names), strict=True)
        extent = (
            (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1
            for size, (kernel, stride, padding, more, dilation) in zip(image.extent, named, strict=True)
        )
        return FeatureMap(image.features and self.out_channels, *extent)


class ConvTranspose2d(ConvTranspose1d):
    """A transposed convolution over an image: see `ConvTranspose1d`."""

    directions: ClassVar[int] = 2


class ConvTranspose3d(ConvTranspose1d):
    """A transposed convolution over a volume: see `ConvTranspose1d`."""

    directions: ClassVar[int] = 3

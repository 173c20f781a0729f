"""Pooling: the largest number or the mean in a window, or in a part of the input. It has no parameters."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import sympy

from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import SIZES, Module, Size
from symparam.models.blocks.operation import Elementwise
from symparam.models.blocks.window import Each, each_direction, known_features, moved_over, reached


def pooled(block: Module, function: str, taken: FeatureMap) -> tuple[Elementwise, ...]:
    """The function as tools count it, for one row: per input number, and per output number."""
    features = known_features(taken, block.kind)
    given = features * block.output(taken).positions / taken.positions
    return (Elementwise(f"{function}-of", features, is_module=True), Elementwise(f"{function}-to", given, is_module=True))


@frozen
class Pooling(Module):
    """Along each direction n positions become ``⌊(n + 2 padding − dilation (kernel_size − 1) − 1)/stride⌋ + 1``.

    The stride defaults to the kernel size. With ``ceil_mode`` the quotient is rounded up, provided that the last window begins within the
    input or the padding before it. Source: ``torch.nn.MaxPool2d``, ``torch.nn.AvgPool2d``.
    """

    kernel_size: Each = field(metadata=SIZES)
    stride: Each | None = field(default=None, metadata=SIZES)
    padding: Each = field(default=0, metadata=SIZES)
    dilation: Each = field(default=1, metadata=SIZES)
    ceil_mode: bool = False

    directions: ClassVar[int] = 1
    function: ClassVar[str] = "max-pool"

    def __post_init__(self) -> None:
        if self.stride is None:
            object.__setattr__(self, "stride", self.kernel_size)
        for name in ("kernel_size", "stride", "padding", "dilation"):
            object.__setattr__(self, name, each_direction(getattr(self, name), self.directions, f"{name} of {self.kind}"))
        super().__post_init__()

    def elementwise_on(self, *taken: FeatureMap) -> tuple[Elementwise, ...]:
        return pooled(self, self.function, taken[0])

    def output(self, *taken: FeatureMap) -> FeatureMap:
        image = moved_over(taken[0], self.directions, self.kind)
        named = zip(*(getattr(self, name) for name in ("kernel_size", "stride", "padding", "dilation")), strict=True)
        extent = (self._reached(size, *each) for size, each in zip(image.extent, named, strict=True))
        return FeatureMap(image.features, *extent)

    def _reached(self, size: Size, kernel_size: Size, stride: Size, padding: Size, dilation: Size) -> Size:
        if not self.ceil_mode:
            return reached(size, kernel_size, stride, padding, dilation)
        last = sympy.Min(stride + 2 * padding - dilation * (kernel_size - 1) - 1, padding)
        return sympy.ceiling((size + last) / stride)


@frozen
class AdaptivePooling(Module):
    """``output_size`` positions whatever the size of the input, one size for all directions or one for each.

    Source: ``torch.nn.AdaptiveAvgPool2d``.
    """

    output_size: Each = field(metadata=SIZES)

    directions: ClassVar[int] = 1
    function: ClassVar[str] = "adaptive-avg-pool"

    def __post_init__(self) -> None:
        object.__setattr__(self, "output_size", each_direction(self.output_size, self.directions, f"output_size of {self.kind}"))
        super().__post_init__()

    def elementwise_on(self, *taken: FeatureMap) -> tuple[Elementwise, ...]:
        return pooled(self, self.function, taken[0])

    def output(self, *taken: FeatureMap) -> FeatureMap:
        sizes = each_direction(self.output_size, self.directions, f"output_size of {self.kind}")
        return FeatureMap(moved_over(taken[0], self.directions, self.kind).features, *sizes)


class MaxPool1d(Pooling):
    """The largest number in each window of a sequence: see `Pooling`."""


class MaxPool2d(MaxPool1d):
    """The largest number in each window of an image: see `MaxPool1d`."""

    directions: ClassVar[int] = 2


class MaxPool3d(MaxPool1d):
    """The largest number in each window of a volume: see `MaxPool1d`."""

    directions: ClassVar[int] = 3


class AvgPool1d(Pooling):
    """The mean of the numbers in each window of a sequence: see `Pooling`."""

    function: ClassVar[str] = "avg-pool"


class AvgPool2d(AvgPool1d):
    """The mean of the numbers in each window of an image: see `AvgPool1d`."""

    directions: ClassVar[int] = 2


class AvgPool3d(AvgPool1d):
    """The mean of the numbers in each window of a volume: see `AvgPool1d`."""

    directions: ClassVar[int] = 3


class AdaptiveAvgPool1d(AdaptivePooling):
    """The mean of the numbers in each part of a sequence: see `AdaptivePooling`."""


class AdaptiveAvgPool2d(AdaptiveAvgPool1d):
    """The mean of the numbers in each part of an image: see `AdaptiveAvgPool1d`."""

    directions: ClassVar[int] = 2


class AdaptiveAvgPool3d(AdaptiveAvgPool1d):
    """The mean of the numbers in each part of a volume: see `AdaptiveAvgPool1d`."""

    directions: ClassVar[int] = 3


class AdaptiveMaxPool1d(AdaptivePooling):
    """The largest number in each part of a sequence: see `AdaptivePooling`."""

    function: ClassVar[str] = "adaptive-max-pool"


class AdaptiveMaxPool2d(AdaptiveMaxPool1d):
    """The largest number in each part of an image: see `AdaptiveMaxPool1d`."""

    directions: ClassVar[int] = 2


class AdaptiveMaxPool3d(AdaptiveMaxPool1d):
    """The largest number in each part of a volume: see `AdaptiveMaxPool1d`."""

    directions: ClassVar[int] = 3

"""Normalisation layers."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import Elementwise
from symparam.models.blocks.window import check_features


@frozen
class LayerNorm(Module):
    """``2 · normalized_shape`` parameters: a scale (``weight``) and a shift (``bias``) for each feature.

    Without ``bias`` there is no shift; without ``elementwise_affine`` there is neither. Source: ``torch.nn.LayerNorm``; Ba et al. 2016,
    arXiv 1607.06450.
    """

    normalized_shape: Size = field(metadata=SIZE)
    elementwise_affine: bool = True
    bias: bool = True

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        if not self.elementwise_affine:
            return ()
        weight = Tensor("weight", (self.normalized_shape,))
        return (weight, Tensor("bias", (self.normalized_shape,))) if self.bias else (weight,)

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise("layer-norm" if self.elementwise_affine else "plain-layer-norm", self.normalized_shape),)


@frozen
class RMSNorm(Module):
    """``normalized_shape`` parameters: a scale (``weight``) for each feature. The mean is not subtracted, and there is no shift.

    Source: Zhang and Sennrich 2019, arXiv 1910.07467; ``LlamaRMSNorm`` of transformers. `name` is the reference's class name.
    """

    normalized_shape: Size = field(metadata=SIZE)
    name: str = "RMSNorm"

    @property
    def kind(self) -> str:
        return self.name

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.normalized_shape,)),)

    @property
    def undeclared(self) -> bool:
        return False  # Each feature is scaled by itself.


@frozen
class BatchNorm1d(Module):
    """``2 · num_features`` parameters: a scale (``weight``) and a shift (``bias``) for each feature; none without ``affine``.

    The running mean and variance are buffers and not parameters. Source: ``torch.nn.BatchNorm2d``; Ioffe and Szegedy 2015, arXiv
    1502.03167.
    """

    num_features: Size = field(metadata=SIZE)
    affine: bool = True

    function: ClassVar[str] = "batch-norm"

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return _scale_and_shift(self.num_features) if self.affine else ()

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise(self.function if self.affine else f"plain-{self.function}", self.num_features),)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        check_features(taken[0], self.num_features, self.kind)
        return taken[0]


class BatchNorm2d(BatchNorm1d):
    """Normalises each feature over the batch and the positions of an image: see `BatchNorm1d`."""


class BatchNorm3d(BatchNorm1d):
    """Normalises each feature over the batch and the positions of a volume: see `BatchNorm1d`."""


@frozen
class GroupNorm(Module):
    """``2 · num_channels`` parameters: a scale (``weight``) and a shift (``bias``) for each channel; none without ``affine``.

    Mean and variance are computed for each of the ``num_groups`` groups of channels. Source: ``torch.nn.GroupNorm``; Wu and He 2018, arXiv
    1803.08494.
    """

    num_groups: Size = field(metadata=SIZE)
    num_channels: Size = field(metadata=SIZE)
    affine: bool = True

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return _scale_and_shift(self.num_channels) if self.affine else ()

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise("group-norm" if self.affine else "plain-group-norm", self.num_channels),)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        check_features(taken[0], self.num_channels, self.kind)
        return taken[0]


def _scale_and_shift(features: Size) -> tuple[Tensor, ...]:
    return (Tensor("weight", (features,)), Tensor("bias", (features,)))

"""Normalisation layers."""

from __future__ import annotations

from dataclasses import dataclass, field

from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import Elementwise


@dataclass(frozen=True)
class LayerNorm(Module):
    """``2 · normalized_shape`` parameters: a scale (``weight``) and a shift (``bias``) for each feature.

    Without ``bias`` there is no shift, and without ``elementwise_affine`` neither of the two. Source: ``torch.nn.LayerNorm``; Ba et al.
    2016, arXiv 1607.06450.
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


@dataclass(frozen=True)
class RMSNorm(Module):
    """``normalized_shape`` parameters: a scale (``weight``) for each feature. The mean is not subtracted, and there is no shift.

    Source: Zhang and Sennrich 2019, arXiv 1910.07467; ``LlamaRMSNorm`` of transformers. `name` is the class there.
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
        return False  # Features are scaled one by one.

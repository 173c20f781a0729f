"""Layers that normalise features and then scale them."""

from __future__ import annotations

from dataclasses import dataclass

from symparam.blocks.module import Module, Size, Tensor


@dataclass(frozen=True)
class LayerNorm(Module):
    """``2 · width`` parameters: a scale (``weight``) and a shift (``bias``) for each feature.

    Source: ``torch.nn.LayerNorm`` with ``elementwise_affine=True``; Ba et al. 2016, arXiv 1607.06450.
    """

    width: Size

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.width,)), Tensor("bias", (self.width,)))

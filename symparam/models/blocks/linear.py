"""Linear layers."""

from __future__ import annotations

from dataclasses import dataclass, field

from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import MatrixProduct, Operation


@dataclass(frozen=True)
class Linear(Module):
    """``out_features · in_features + out_features`` parameters: a weight of shape (out_features, in_features) and, unless ``bias`` is
    false, a bias.

    Source: ``torch.nn.Linear``.
    """

    in_features: Size = field(metadata=SIZE)
    out_features: Size = field(metadata=SIZE)
    bias: bool = True

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.out_features, self.in_features))
        return (weight, Tensor("bias", (self.out_features,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(self.in_features, self.out_features, self.bias),)


@dataclass(frozen=True)
class Conv1D(Module):
    """``in_features · out_features + out_features`` parameters: a `Linear` whose weight is stored transposed, (in_features, out_features).

    Source: ``transformers.pytorch_utils.Conv1D``, which GPT-1 and GPT-2 use instead of a linear layer.
    """

    in_features: Size = field(metadata=SIZE)
    out_features: Size = field(metadata=SIZE)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.in_features, self.out_features)), Tensor("bias", (self.out_features,)))

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(self.in_features, self.out_features, True),)

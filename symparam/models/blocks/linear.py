"""Linear layers."""

from __future__ import annotations

from dataclasses import field

from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import MatrixProduct, Operation
from symparam.models.blocks.window import check_features


@frozen
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

    def output(self, *taken: FeatureMap) -> FeatureMap:
        check_features(taken[0], self.in_features, self.kind)
        return taken[0].with_features(self.out_features)


@frozen
class Bilinear(Module):
    """``out_features · in1_features · in2_features + out_features`` parameters: each output is a bilinear form of both inputs.

    A row of the first input is multiplied with all matrices, and the results with the row of the second: (in1_features + 1) in2_features
    multiplications for each output. Source: ``torch.nn.Bilinear``.
    """

    in1_features: Size = field(metadata=SIZE)
    in2_features: Size = field(metadata=SIZE)
    out_features: Size = field(metadata=SIZE)
    bias: bool = True

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.out_features, self.in1_features, self.in2_features))
        return (weight, Tensor("bias", (self.out_features,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct((self.in1_features + 1) * self.in2_features, self.out_features, self.bias),)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        for each, features in zip(taken, (self.in1_features, self.in2_features), strict=False):
            check_features(each, features, self.kind)
        return taken[0].with_features(self.out_features)


@frozen
class Similarity(Module):
    """``features · others`` multiply-accumulate operations for each row, and no parameters: its product with each of the other vectors."""

    features: Size = field(metadata=SIZE)
    others: Size = field(metadata=SIZE)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(self.features, self.others),)


@frozen
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

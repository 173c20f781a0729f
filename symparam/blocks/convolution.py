"""Filters that slide over a sequence or an image."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Mul

from symparam.blocks.module import Change, Module, Size, Tensor, checked_size
from symparam.blocks.operation import MatrixProduct, Operation


@dataclass(frozen=True, init=False)
class Convolution(Module):
    """``outputs · inputs/groups · kernel + outputs`` parameters: a weight ``(outputs, inputs/groups, *kernel)`` and, unless ``bias`` is
    false, a bias.

    ``kernel`` is the width of the filter, or its height and width. ``groups`` are channels kept apart; where each is (``groups`` = inputs),
    the convolution is called depthwise. A row is one place where the filter stands; ``call`` is as in `MatrixProduct`. Source:
    ``torch.nn.Conv1d`` and ``Conv2d``.
    """

    inputs: Size
    outputs: Size
    kernel: tuple[Size, ...]
    groups: Size
    bias: bool
    call: str

    def __init__(
        self,
        inputs: Size,
        outputs: Size,
        *kernel: Size | int,
        groups: Size | int = 1,
        bias: bool = True,
        role: str | None = None,
        passing: Size | None = None,
        call: str = "convolution",
    ) -> None:
        values = {"inputs": inputs, "outputs": outputs, "groups": groups}
        for name, value in values.items():
            object.__setattr__(self, name, checked_size(value, f"{name} of a Convolution"))
        object.__setattr__(self, "kernel", tuple(checked_size(each, "kernel of a Convolution") for each in kernel))
        object.__setattr__(self, "bias", bias)
        object.__setattr__(self, "call", call)
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "passing", passing)

    @property
    def kind(self) -> str:
        return f"Conv{len(self.kernel)}d"

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        weight = Tensor("weight", (self.outputs, self.inputs / self.groups, *self.kernel))
        return (weight, Tensor("bias", (self.outputs,))) if self.bias else (weight,)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(Mul(self.inputs / self.groups, *self.kernel), self.outputs, self.bias, self.call),)

    def resized(self, change: Change) -> Convolution:
        inputs, outputs, groups, *kernel = map(change, (self.inputs, self.outputs, self.groups, *self.kernel))
        passing = None if self.passing is None else change(self.passing)
        return Convolution(inputs, outputs, *kernel, groups=groups, bias=self.bias, role=self.role, passing=passing, call=self.call)

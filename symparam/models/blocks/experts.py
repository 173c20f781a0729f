"""Mixtures of experts: feed-forward networks of which a router chooses a few for each token."""

from __future__ import annotations

from dataclasses import field

import sympy

from symparam.core.frozen import frozen
from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import FAMILY, Elementwise, MatrixProduct, Operation


@frozen
class Experts(Module):
    """``num_experts · 3 · hidden_size · intermediate_size`` parameters: gated feed-forward networks whose tensors are stacked over the
    experts.

    ``hidden_size`` is the width of a token, ``intermediate_size`` that of one expert; each token passes through ``experts_per_token`` of
    them. ``bias`` adds 2 · intermediate_size + hidden_size per expert; ``inputs_first`` stores each matrix with its input features before
    its output features, as ``GptOssExperts`` does. With ``all_multiplied`` the reference multiplies each token with all experts, most of
    them by zero, which is not counted but seen by tools; ``function`` is the activation, empty where it is not a module. Source:
    ``MixtralExperts`` of transformers, models/mixtral/modeling_mixtral.py; Shazeer et al. 2017, arXiv 1701.06538.
    """

    num_experts: Size = field(metadata=SIZE)
    experts_per_token: Size = field(metadata=SIZE)
    hidden_size: Size = field(metadata=SIZE)
    intermediate_size: Size = field(metadata=SIZE)
    name: str = "Experts"
    bias: bool = False
    inputs_first: bool = False
    all_multiplied: bool = False
    function: str = FAMILY

    @property
    def kind(self) -> str:
        return self.name

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        found: list[Tensor] = []
        for name, entering, leaving in (
            ("gate_up_proj", self.hidden_size, 2 * self.intermediate_size),
            ("down_proj", self.intermediate_size, self.hidden_size),
        ):
            matrix = (entering, leaving) if self.inputs_first else (leaving, entering)
            found.append(self._stacked(name, *matrix))
            found += [self._stacked(f"{name}_bias", leaving)] if self.bias else []
        return tuple(found)

    def _stacked(self, name: str, *shape: Size) -> Tensor:
        return Tensor(name, (self.num_experts, *shape), active_fraction=self.experts_per_token / self.num_experts)

    @property
    def operations(self) -> tuple[Operation, ...]:
        used, times = self.experts_per_token, self._times
        return (
            MatrixProduct(self.hidden_size, 2 * self.intermediate_size * used, self.bias, times=times),
            MatrixProduct(self.intermediate_size, self.hidden_size * used, self.bias, times=times),
        )

    @property
    def _times(self) -> Size:
        return self.num_experts / self.experts_per_token if self.all_multiplied else sympy.S.One

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        numbers = self.intermediate_size * self.experts_per_token * self._times
        return (Elementwise(self.function, numbers, is_module=True),) if self.function else ()

"""Mixtures of experts: feed-forward networks of which a router chooses a few for each token."""

from __future__ import annotations

from dataclasses import dataclass, field

from symparam.models.blocks.module import SIZE, Module, Size, Tensor
from symparam.models.blocks.operation import FAMILY, Elementwise, MatrixProduct, Operation


@dataclass(frozen=True)
class Experts(Module):
    """``num_experts · 3 · hidden_size · intermediate_size`` parameters: gated feed-forward networks, the tensors of all experts stacked
    into one.

    ``hidden_size`` are the features of a token, ``intermediate_size`` the intermediate size of one expert; each token passes through
    ``experts_per_token`` of them. Source: ``MixtralExperts`` of transformers, models/mixtral/modeling_mixtral.py; Shazeer et al. 2017,
    arXiv 1701.06538.
    """

    num_experts: Size = field(metadata=SIZE)
    experts_per_token: Size = field(metadata=SIZE)
    hidden_size: Size = field(metadata=SIZE)
    intermediate_size: Size = field(metadata=SIZE)
    name: str = "Experts"

    @property
    def kind(self) -> str:
        return self.name

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        share = self.experts_per_token / self.num_experts
        return (
            Tensor("gate_up_proj", (self.num_experts, 2 * self.intermediate_size, self.hidden_size), active_fraction=share),
            Tensor("down_proj", (self.num_experts, self.hidden_size, self.intermediate_size), active_fraction=share),
        )

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (
            MatrixProduct(self.hidden_size, 2 * self.intermediate_size * self.experts_per_token),
            MatrixProduct(self.intermediate_size, self.hidden_size * self.experts_per_token),
        )

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise(FAMILY, self.intermediate_size * self.experts_per_token, is_module=True),)

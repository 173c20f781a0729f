"""Lookup tables."""

from __future__ import annotations

from dataclasses import field

from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import SIZE, Module, Size, Tensor


@frozen
class Embedding(Module):
    """``num_embeddings · embedding_dim`` parameters: one row of ``embedding_dim`` numbers for each entry of the table.

    Source: ``torch.nn.Embedding``.
    """

    num_embeddings: Size = field(metadata=SIZE)
    embedding_dim: Size = field(metadata=SIZE)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.num_embeddings, self.embedding_dim)),)

    @property
    def undeclared(self) -> bool:
        return False  # A lookup multiplies nothing.

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return taken[0].with_features(self.embedding_dim)

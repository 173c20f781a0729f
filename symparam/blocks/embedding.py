"""Tables in which a row is looked up."""

from __future__ import annotations

from dataclasses import dataclass

from symparam.blocks.module import Module, Size, Tensor


@dataclass(frozen=True)
class Embedding(Module):
    """``rows · width`` parameters: one row of ``width`` numbers for each thing that is looked up.

    Source: ``torch.nn.Embedding``.
    """

    rows: Size
    width: Size

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.rows, self.width)),)

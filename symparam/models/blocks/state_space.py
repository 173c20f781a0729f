"""The readout of a state-space layer."""

from __future__ import annotations

from dataclasses import field

from symparam.core.frozen import frozen
from symparam.models.blocks.module import SIZE, Module, Size
from symparam.models.blocks.operation import Elementwise, MatrixProduct, Operation


@frozen
class StateReadout(Module):
    """``channels · state_size`` multiply-accumulate operations for each row: the product of every channel's state with the row's readout
    vector.

    The update of the states is elementwise, and so is the skip connection with one number per channel. Source: Gu and Dao 2023, arXiv
    2312.00752, algorithm 2. ``carries`` is false for a second readout of states that another block carries to the next row.
    """

    channels: Size = field(metadata=SIZE)
    state_size: Size = field(metadata=SIZE)
    carries: bool = True

    @property
    def operations(self) -> tuple[Operation, ...]:
        return (MatrixProduct(self.state_size, self.channels),)

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise("states", self.channels * self.state_size), Elementwise("past-states", self.channels))

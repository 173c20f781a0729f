"""Elementwise functions, which some tools count as operations and others do not."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy

from symparam.models.blocks.module import SIZE, Module, Size
from symparam.models.blocks.operation import FAMILY, Elementwise


@dataclass(frozen=True)
class Activation(Module):
    """An activation function, applied to each of the ``num_features`` numbers of a row. It has no parameters.

    ``function`` is its name in configs, such as ``gelu`` or ``softmax``; ``is_module`` and ``registrations`` as in `Elementwise`. Source:
    ``ACT2FN`` of transformers, activations.py.
    """

    num_features: Size = field(metadata=SIZE)
    function: str = FAMILY
    is_module: bool = True
    registrations: Size = field(default=sympy.S.One, metadata=SIZE)

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        return (Elementwise(self.function, self.num_features, self.is_module, self.registrations),)

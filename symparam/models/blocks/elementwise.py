"""Elementwise functions, which some tools count as operations and others do not."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

import sympy

from symparam.core.frozen import frozen
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.module import SIZE, Module, Size
from symparam.models.blocks.operation import FAMILY, Elementwise
from symparam.models.blocks.window import known_features


@frozen
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


class ReLU(Module):
    """An activation function, applied to each number of its input. It has no parameters. Source: ``torch.nn.ReLU``."""

    function: ClassVar[str] = "relu"

    def elementwise_on(self, *taken: FeatureMap) -> tuple[Elementwise, ...]:
        return (Elementwise(self.function, known_features(taken[0], self.kind), is_module=True),)


class GELU(ReLU):
    """An activation with the function of ``torch.nn.GELU``, which tools see even where they do not see that of transformers."""

    function: ClassVar[str] = "gelu-module"


class SiLU(ReLU):
    """An activation with the function of ``torch.nn.SiLU``."""

    function: ClassVar[str] = "silu"


class Sigmoid(ReLU):
    """An activation with the function of ``torch.nn.Sigmoid``."""

    function: ClassVar[str] = "sigmoid"


class Tanh(ReLU):
    """An activation with the function of ``torch.nn.Tanh``."""

    function: ClassVar[str] = "tanh"

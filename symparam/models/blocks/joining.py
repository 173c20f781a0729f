"""Blocks without parameters that join branches or rearrange feature maps."""

from __future__ import annotations

from dataclasses import field

import sympy

from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError
from symparam.models.blocks.feature_map import FeatureMap, differ
from symparam.models.blocks.module import SIZE, Block, Module, Size
from symparam.models.blocks.window import known_features


class Add(Module):
    """The sum of branches of the same size, as at the end of a residual block."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        for other in taken[1:]:
            if differ(taken[0].features, other.features) or _differ_in_extent(taken[0], other):
                raise ArchitectureError(f"{self.kind} takes {taken[0]} and {other}; branches of the same size are expected")
        return taken[0]


class Multiply(Add):
    """The elementwise product of branches of the same size, such as a gate and the values that it gates."""


class Concatenate(Module):
    """The features of all branches concatenated, as in the skip connections of a U-Net."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        for other in taken[1:]:
            if _differ_in_extent(taken[0], other):
                raise ArchitectureError(f"Concatenate takes {taken[0]} and {other}; branches with equally many positions are expected")
        features = [each.features for each in taken]
        return FeatureMap(None if None in features else sympy.Add(*features), *taken[0].extent)


class GLU(Module):
    """Half of the features, each times the sigmoid of one of the other half. Source: ``torch.nn.GLU``; Dauphin et al. 2016, 1612.08083."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return taken[0].with_features(known_features(taken[0], self.kind) / 2)


class Transpose(Module):
    """The positions as features, and the features as positions: ``FeatureMap(H, L)`` becomes ``FeatureMap(L, H)``."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return FeatureMap(taken[0].positions, known_features(taken[0], self.kind))


class Patches(Module):
    """The positions of an image in one sequence: ``FeatureMap(H, 14, 14)`` becomes ``FeatureMap(H, 196)``."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return FeatureMap(taken[0].features, taken[0].positions)


class Flatten(Module):
    """All numbers as features of one position. Source: ``torch.nn.Flatten``."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return FeatureMap(None if taken[0].features is None else taken[0].features * taken[0].positions)


class Mean(Module):
    """The mean of each feature over all positions."""

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return FeatureMap(taken[0].features)


@frozen
class Upsample(Module):
    """``scale_factor`` times as many positions along each direction. Source: ``torch.nn.Upsample``."""

    scale_factor: Size = field(metadata=SIZE)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return FeatureMap(taken[0].features, *(size * self.scale_factor for size in taken[0].extent))


class Identity(Module):
    """Returns its input. Source: ``torch.nn.Identity``."""


@frozen
class Dropout(Module):
    """Sets a fraction ``p`` of its input to zero at random in training: a mask, which changes no size.

    Source: ``torch.nn.Dropout``.
    """

    p: float = 0.5


def Sequential(*parts: Module, role: str | None = None) -> Block:  # noqa: N802
    """Blocks in sequence, named by their numbers. Source: ``torch.nn.Sequential``."""
    return Block("Sequential", role=role, **{str(number): part for number, part in enumerate(parts)})


def _differ_in_extent(one: FeatureMap, other: FeatureMap) -> bool:
    return len(one.extent) != len(other.extent) or any(map(differ, one.extent, other.extent))

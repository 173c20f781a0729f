"""Windows that move over a sequence, an image or a volume: the common part of convolutions and pooling."""

from __future__ import annotations

from typing import TypeAlias

import sympy

from symparam.core.dimensions import canonical
from symparam.errors import ArchitectureError
from symparam.models.blocks.feature_map import FeatureMap, differ
from symparam.models.blocks.module import Size

Each: TypeAlias = Size | int | str | tuple[Size | int | str, ...]
"""One size for all directions, or one for each."""
Sizes: TypeAlias = tuple[Size, ...]


def each_direction(value: Each, directions: int, what: str) -> Sizes:
    """One size for each direction. Raises `ArchitectureError` if their number does not match."""
    sizes = tuple(map(canonical, value if isinstance(value, tuple) else (value,) * directions))
    if len(sizes) != directions:
        raise ArchitectureError(f"{what} has {len(sizes)} sizes; one is expected, or {directions}")
    return sizes


def reached(positions: Size, kernel_size: Size, stride: Size, padding: Size, dilation: Size) -> Size:
    """``⌊(n + 2 padding − dilation (kernel_size − 1) − 1)/stride⌋ + 1``: the places of a window along n positions."""
    return sympy.floor((positions + 2 * padding - dilation * (kernel_size - 1) - 1) / stride) + 1


def moved_over(taken: FeatureMap, directions: int, kind: str) -> FeatureMap:
    """The input over which a window moves. Raises `ArchitectureError` if it has another number of directions."""
    if len(taken.extent) != directions:
        raise ArchitectureError(
            f"{kind} moves in {directions} direction{'s' * (directions > 1)}, but its input is {taken}; "
            "state the input of the model, as in Architecture(..., input=FeatureMap(3, H_i, W_i)) for images"
        )
    return taken


def check_features(taken: FeatureMap, features: Size, kind: str) -> None:
    """Raise an `ArchitectureError` if the input of a block has another number of features than it takes."""
    if differ(taken.features, features):
        raise ArchitectureError(
            f"{kind} takes {features} features, but {taken.features} come to it; give it as many as the block before it has"
        )


def known_features(taken: FeatureMap, kind: str) -> Size:
    """The features of a block's input. Raises `ArchitectureError` if they are unknown."""
    if taken.features is None:
        raise ArchitectureError(
            f"how many features {kind} takes is not known; state the input of the model, as in Architecture(..., input=FeatureMap(H, L))"
        )
    return taken.features

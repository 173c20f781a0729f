"""Feature maps, the values passed between blocks: the features at each position, and the positions along each direction."""

from __future__ import annotations

from collections.abc import Callable

import sympy

from symparam.core.algebra.rounding import with_normal_floors
from symparam.core.dimensions import B, canonical
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError


@frozen
class FeatureMap:
    """B × features × extent: ``FeatureMap(3, H_i, W_i)`` is an image, ``FeatureMap(H, L)`` a sequence, ``FeatureMap(H)`` a single vector.

    ``features`` is None if unknown, in which case blocks are not checked against each other. ``computed`` says that it depends on
    parameters, so that a backward pass continues through it.
    """

    features: sympy.Expr | None
    extent: tuple[sympy.Expr, ...]
    computed: bool

    def __init__(self, features: sympy.Expr | int | str | None, *extent: sympy.Expr | int | str, computed: bool = False) -> None:
        object.__setattr__(self, "computed", computed)
        object.__setattr__(self, "features", None if features is None else with_normal_floors(canonical(features)))
        object.__setattr__(self, "extent", tuple(with_normal_floors(canonical(size)) for size in extent))
        for size in (self.features, *self.extent):
            if size is not None and size.is_number and not size.is_positive:
                raise ArchitectureError(f"a feature map of {self} is empty; a larger input is expected")

    @property
    def positions(self) -> sympy.Expr:
        """The number of positions: the product of the extent."""
        return sympy.Mul(*self.extent)

    @property
    def rows(self) -> sympy.Expr:
        """The positions of the whole batch."""
        return B * self.positions

    def map(self, change: Callable[[sympy.Expr], sympy.Expr]) -> FeatureMap:
        """The feature map with a function applied to every size."""
        return FeatureMap(None if self.features is None else change(self.features), *map(change, self.extent))

    def with_features(self, features: sympy.Expr) -> FeatureMap:
        """The same positions with other features; unknown features stay unknown."""
        return FeatureMap(None if self.features is None else features, *self.extent)

    def after_parameters(self) -> FeatureMap:
        """The same sizes after a block with parameters."""
        return self if self.computed else FeatureMap(self.features, *self.extent, computed=True)

    def __str__(self) -> str:
        features = "an unknown number of" if self.features is None else self.features
        return f"{features} features" + (f" at {' × '.join(map(str, self.extent))} positions" if self.extent else "")


def differ(one: sympy.Expr | None, other: sympy.Expr | None) -> bool:
    """Whether two sizes differ for all values of their letters; false if one of them is unknown."""
    if one is None or other is None:
        return False
    difference = with_normal_floors(sympy.expand(one - other))
    return bool(difference.is_number and difference != 0)

"""Blocks around other blocks: lists of layers, and blocks with tied tensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Self

import sympy

from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError, UnknownNameError
from symparam.models.blocks.feature_map import FeatureMap, differ
from symparam.models.blocks.module import OPTIONAL_SIZE, SIZE, Change, Module, Size, Tensor, checked_block, output_of
from symparam.models.blocks.operation import Operation


@frozen
class Repeat(Module):
    """``count`` blocks of the same shape in a list (``torch.nn.ModuleList``). Their number stays symbolic: 200 layers cost no more than 2.

    Inside `Layers`, ``label`` marks in the tensor names which layers these are (``{i<3}``), and ``indices`` lists their numbers unless
    these simply follow the previous group's. ``windowed`` is the number of layers with a sliding window, where only some have one, and
    ``unread`` that of the last ones, if nothing reads their output.
    """

    count: Size = field(metadata=SIZE)
    body: Module
    label: str = ""
    indices: tuple[int, ...] | None = None
    windowed: Size | None = field(default=None, metadata=OPTIONAL_SIZE)
    unread: Size | None = field(default=None, metadata=OPTIONAL_SIZE)

    def __post_init__(self) -> None:
        super().__post_init__()
        checked_block(self.body, "what is repeated")

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return ((f"{{i{self.label}}}", self.body),)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        found = output_of(self.body, *taken)
        if self.count != 1 and (differ(found.features, taken[0].features) or any(map(differ, found.extent, taken[0].extent))):
            raise ArchitectureError(
                f"{self.body.kind}, of which there are {self.count}, takes {taken[0]} and gives {found}; a repeated block has to give "
                "what it takes: put the first one, which differs, in front"
            )
        return found

    def map_sizes(self, change: Change) -> Self:
        return replace(super().map_sizes(change), body=self.body.map_sizes(change))


@frozen
class Layers(Module):
    """One list of layers of several shapes, in groups of equal layers: ``Layers(Repeat(3, dense, "<3"), Repeat(N - 3, sparse, ">=3"))``."""

    groups: tuple[Repeat, ...]

    def __init__(self, *groups: Repeat, role: str | None = None) -> None:
        for group in groups:
            if not isinstance(group, Repeat):
                raise ArchitectureError(f"a group of Layers is {group!r}; equal layers such as Repeat(N, layer) are expected")
        object.__setattr__(self, "groups", groups)
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "rows", None)

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return tuple(("", group) for group in self.groups)

    def with_groups(self, groups: Iterable[Repeat]) -> Self:
        """The same list with other groups."""
        return type(self)(*groups, role=self.role)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        for group in self.groups:
            taken = (output_of(group, *taken),)
        return taken[0]

    def taken_inside(self, *taken: FeatureMap) -> tuple[tuple[FeatureMap, ...], ...]:
        found = []
        for group in self.groups:
            found.append(taken)
            taken = (output_of(group, *taken),)
        return tuple(found)

    def map_sizes(self, change: Change) -> Self:
        return self.with_groups(group.map_sizes(change) for group in self.groups)


@dataclass(frozen=True, init=False)
class OpaqueLayers(Layers):
    """Layers in a sequence in which each may process another number of rows, since it is not known what lies between them."""

    @property
    def kind(self) -> str:
        return "Sequential"

    @property
    def undeclared(self) -> bool:
        return True

    def taken_inside(self, *taken: FeatureMap) -> tuple[tuple[FeatureMap, ...], ...]:
        """One position for each, as in an `OpaqueBlock`."""
        return tuple((FeatureMap(None),) for _ in self.groups)


@frozen
class Tied(Module):
    """A block with tensors that are tied to others: ``Tied(Linear(H, V), weight="transformer.wte.weight")``."""

    inner: Module
    targets: tuple[tuple[str, str], ...]

    def __init__(self, inner: Module, /, **targets: str) -> None:
        object.__setattr__(self, "inner", checked_block(inner, "what is tied"))
        object.__setattr__(self, "targets", tuple(targets.items()))
        object.__setattr__(self, "role", inner.role)
        object.__setattr__(self, "rows", inner.rows)
        names = [tensor.name for tensor in inner.tensors]
        if inner.children:
            raise ArchitectureError(
                f"{inner.kind} holds other blocks; only a block with tensors of its own can be tied, such as Linear(H, V)"
            )
        for name in targets:
            if name not in names:
                raise UnknownNameError(f"tensor of {inner.kind}", name, names, "it has no tensors of its own")

    @property
    def kind(self) -> str:
        return self.inner.kind

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        targets = dict(self.targets)
        return tuple(replace(tensor, tied_to=targets.get(tensor.name)) for tensor in self.inner.tensors)

    @property
    def operations(self) -> tuple[Operation, ...]:
        return self.inner.operations

    def operations_on(self, *taken: FeatureMap) -> tuple[Operation, ...]:
        return self.inner.operations_on(*taken)

    def positions(self, *taken: FeatureMap) -> sympy.Expr:
        return self.inner.positions(*taken)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return self.inner.output(*taken)

    @property
    def undeclared(self) -> bool:
        return self.inner.undeclared

    def map_sizes(self, change: Change) -> Self:
        return type(self)(self.inner.map_sizes(change), **dict(self.targets))

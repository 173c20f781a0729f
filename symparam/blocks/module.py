"""What every block is: a `Module` with a kind, tensors of its own, and children by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from typing import Self, TypeAlias

import sympy

from symparam.blocks.operation import Elementwise, Operation
from symparam.dimensions import canonical
from symparam.errors import ArchitectureError, UnknownNameError

Size: TypeAlias = sympy.Expr
Change = Callable[[sympy.Expr], sympy.Expr]


@dataclass(frozen=True)
class Tensor:
    """A tensor by its name within its module and its symbolic shape.

    ``tied_to`` is the full name of the tensor whose memory it shares; a tied tensor is listed and not counted again. ``used`` is the part
    of it that one token passes through: K of the E experts that it holds, else the whole.
    """

    name: str
    shape: tuple[Size, ...]
    tied_to: str | None = None
    used: sympy.Expr = sympy.S.One

    @property
    def elements(self) -> sympy.Expr:
        """The number of elements: the product of the shape."""
        return sympy.Mul(*self.shape)

    @property
    def active(self) -> sympy.Expr:
        """The number of elements that one token passes through."""
        return self.elements * self.used


@dataclass(frozen=True)
class Module:
    """The common part of all blocks.

    ``role`` is the key of its title in the phrases of a language, such as ``query``. ``passing`` are the rows that pass through it in all,
    where they are others than in the block around it: B for a pooler, which sees one token of each sequence.
    """

    role: str | None = field(default=None, kw_only=True)
    passing: Size | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        for name in self.size_names:
            object.__setattr__(self, name, checked_size(getattr(self, name), f"{name} of {self.kind}"))

    @property
    def kind(self) -> str:
        """What the block is called in the reference implementation."""
        return type(self).__name__

    @property
    def size_names(self) -> tuple[str, ...]:
        """The names of the fields that hold symbolic sizes."""
        return tuple(each.name for each in fields(self) if each.type == "Size")

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors that belong to the block itself, in the order in which the reference registers them."""
        return ()

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        """The blocks inside, by name, in the order in which the reference registers them."""
        return ()

    @property
    def running(self) -> tuple[int, ...]:
        """For each of the blocks inside its place among them as they run, from 0 on."""
        return tuple(range(len(self.children)))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The products that the block itself computes for each row."""
        return ()

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        """What it computes of each number of a row by itself."""
        return ()

    def resized(self, change: Change) -> Self:
        """The same block with each size changed, as by a relation ``I = 4H``."""
        passing = None if self.passing is None else change(self.passing)
        return replace(self, passing=passing, **{name: change(getattr(self, name)) for name in self.size_names})


@dataclass(frozen=True, init=False)
class Block(Module):
    """A block made of other blocks: ``Block("Layer", query=Linear(H, H), key=Linear(H, H))``.

    ``runs`` names its parts in the order in which they run, where that is not the order in which they are listed. Raises
    `ArchitectureError` where it does not name each part once.
    """

    name: str
    parts: tuple[tuple[str, Module], ...]
    runs: tuple[str, ...]

    def __init__(
        self,
        name: str,
        /,
        *,
        role: str | None = None,
        passing: Size | None = None,
        runs: tuple[str, ...] | Module | None = None,  # A part cannot be called so; in parts by ** it may be.
        **parts: Module,
    ) -> None:
        if role is not None and not isinstance(role, str):
            raise ArchitectureError(f"role in {name} is {role!r}: it names the title of the block, so no block in it can be called so")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", tuple(parts.items()))
        object.__setattr__(self, "role", role)
        if passing is not None and not isinstance(passing, sympy.Expr):
            raise ArchitectureError(
                f"passing in {name} is {passing!r}: it says how many rows pass through, so no block in it can be called so"
            )
        object.__setattr__(self, "passing", passing)
        for part_name, part in parts.items():
            if not part_name or set(part_name) & set(". {}"):
                raise ArchitectureError(f"{part_name!r} in {name} cannot name a block: a name without dots, spaces and braces is expected")
            _block(part, f"{part_name!r} in {name}")
        object.__setattr__(self, "runs", _order(runs, tuple(parts), name))

    @property
    def kind(self) -> str:
        return self.name

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return self.parts

    @property
    def running(self) -> tuple[int, ...]:
        return tuple(self.runs.index(name) for name, _ in self.parts)

    def resized(self, change: Change) -> Self:
        passing = None if self.passing is None else change(self.passing)
        parts = {name: part.resized(change) for name, part in self.parts}
        return type(self)(self.name, role=self.role, passing=passing, runs=self.runs, **parts)


@dataclass(frozen=True)
class Repeat(Module):
    """``count`` blocks of the same shape, as a list of layers. Their number stays symbolic: 200 layers cost no more than 2.

    Inside `Layers`, ``label`` says in the names of the tensors which of the layers these are (``{i<3}``), and ``at`` lists their numbers
    where they do not simply follow the ones before. ``windowed`` is how many of them look back at a sliding window alone, where that is
    known of some.
    """

    count: Size
    body: Module
    label: str = ""
    at: tuple[int, ...] | None = None
    windowed: Size | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _block(self.body, "what is repeated")

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return ((f"{{i{self.label}}}", self.body),)

    def resized(self, change: Change) -> Self:
        windowed = None if self.windowed is None else change(self.windowed)
        return replace(super().resized(change), body=self.body.resized(change), windowed=windowed)


@dataclass(frozen=True, init=False)
class Layers(Module):
    """One list of layers of several shapes, such as ``Layers(Repeat(3, dense, "<3"), Repeat(N - 3, sparse, ">=3"))``."""

    runs: tuple[Repeat, ...]

    def __init__(self, *runs: Repeat, role: str | None = None) -> None:
        object.__setattr__(self, "runs", runs)
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "passing", None)

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return tuple(("", run) for run in self.runs)

    def resized(self, change: Change) -> Self:
        return type(self)(*(run.resized(change) for run in self.runs), role=self.role)


@dataclass(frozen=True, init=False)
class Tied(Module):
    """A block some of whose tensors share the values of others: ``Tied(Linear(H, V), weight="transformer.wte.weight")``."""

    inner: Module
    targets: tuple[tuple[str, str], ...]

    def __init__(self, inner: Module, /, **targets: str) -> None:
        object.__setattr__(self, "inner", _block(inner, "what is tied"))
        object.__setattr__(self, "targets", tuple(targets.items()))
        object.__setattr__(self, "role", inner.role)
        object.__setattr__(self, "passing", inner.passing)
        names = [tensor.name for tensor in inner.tensors]
        if inner.children:
            raise ArchitectureError(
                f"{inner.kind} holds other blocks; what is tied is a block with tensors of its own, such as Linear(H, V)"
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

    def resized(self, change: Change) -> Self:
        return type(self)(self.inner.resized(change), **dict(self.targets))


@dataclass(frozen=True, init=False)
class Parameter(Module):
    """A single tensor that belongs to the block around it and bears the name it has there: ``bias=Parameter(V)``."""

    shape: tuple[Size, ...]

    def __init__(self, *shape: Size | int | str, role: str | None = None) -> None:
        object.__setattr__(self, "shape", tuple(checked_size(size, "a size of a Parameter") for size in shape))
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "passing", None)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("", self.shape),)

    def resized(self, change: Change) -> Self:
        return type(self)(*map(change, self.shape), role=self.role)


def checked_size(value: Size | int | str, what: str) -> Size:
    """The value as a size in symbols made here. Raises `ArchitectureError`, naming ``what``, for what cannot be a positive whole number."""
    size = canonical(value)
    if size.is_positive is False or size.is_integer is False or not (size.free_symbols or size.is_Integer):
        raise ArchitectureError(f"{what} is {size}, but a size is a positive whole number")
    return size


def _block(value: Module, what: str) -> Module:
    if not isinstance(value, Module):
        raise ArchitectureError(f"{what} is {value!r}; a block such as Linear(H, H) is expected")
    return value


def _order(runs: tuple[str, ...] | Module | None, parts: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The names of the parts as they run. Raises `ArchitectureError` for an order that does not name each part once."""
    if runs is None:
        return parts
    if not isinstance(runs, tuple) or not all(isinstance(each, str) for each in runs):
        raise ArchitectureError(f"runs in {name} is {runs!r}: it names the parts as they run, so no block in it can be called so")
    if sorted(runs) != sorted(parts):
        raise ArchitectureError(f"runs in {name} names {', '.join(runs) or 'nothing'}; each part is expected once: {', '.join(parts)}")
    return runs

"""The base class of all blocks, `Module`, and the blocks that are made of others."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Self, TypeAlias

import sympy

from symparam.core.dimensions import canonical
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError, UnknownNameError
from symparam.models.blocks.feature_map import FeatureMap
from symparam.models.blocks.operation import Elementwise, Operation

Size: TypeAlias = sympy.Expr
Change = Callable[[sympy.Expr], sympy.Expr]
SIZE: Mapping[str, str] = MappingProxyType({"size": "of a shape"})
"""Declares a field of a block as a size: ``in_features: Size = field(metadata=SIZE)``. Relations such as ``I = 4H`` apply to
these fields.
"""
OPTIONAL_SIZE: Mapping[str, str] = MappingProxyType({"size": "optional"})
"""Declares a size that may be absent (None) or 0, and for a number of rows, which may be a fraction for some values of its letters."""
SIZES: Mapping[str, str] = MappingProxyType({"size": "one for each direction"})
"""Declares a tuple of sizes, which may be 0: the height and the width of a filter, and its stride."""

INPUT, OUTSIDE = "input", "outside"
"""Names by which parts take the block's own input, and inputs from outside the model, such as the states of an encoder."""


@frozen
class Tensor:
    """A parameter tensor: its name within its module and its symbolic shape.

    ``tied_to`` is the full name of the tensor with which it shares memory; a tied tensor is listed but not counted again.
    ``active_fraction`` is the fraction of its elements that one token uses: K of the E experts that it holds, else all.
    """

    name: str
    shape: tuple[Size, ...]
    tied_to: str | None = None
    active_fraction: sympy.Expr = sympy.S.One

    @property
    def elements(self) -> sympy.Expr:
        """The number of elements: the product of the shape."""
        return sympy.Mul(*self.shape)

    @property
    def active_elements(self) -> sympy.Expr:
        """The number of elements that one token uses."""
        return self.elements * self.active_fraction


@frozen
class Module:
    """The base class of all blocks.

    ``role`` is the key of its title in the phrases of a language, such as ``query``. ``rows`` is the total number of rows that pass through
    it, if that differs from the enclosing block: B for a pooler, which sees one token of each sequence.
    """

    role: str | None = field(default=None, kw_only=True)
    rows: Size | None = field(default=None, kw_only=True, metadata=OPTIONAL_SIZE)

    def __post_init__(self) -> None:
        for each in fields(self):
            value, declared = getattr(self, each.name), each.metadata.get("size")
            if declared == SIZE["size"]:
                object.__setattr__(self, each.name, checked_size(value, f"{each.name} of {self.kind}"))
            elif declared == SIZES["size"]:
                object.__setattr__(self, each.name, tuple(map(canonical, value)) if isinstance(value, tuple) else value)
            elif declared and value is not None:
                object.__setattr__(self, each.name, canonical(value))
            elif isinstance(value, sympy.Expr):
                raise ArchitectureError(
                    f"{each.name} of {self.kind} is {value}, but the field is not declared as a size, so no relation would reach it; "
                    f"declare it in the class, as in {each.name}: Size = field(metadata=SIZE)"
                )

    @property
    def kind(self) -> str:
        """The block's class name in the reference implementation."""
        return type(self).__name__

    @property
    def size_names(self) -> tuple[str, ...]:
        """The names of the fields that are declared as sizes."""
        return tuple(each.name for each in fields(self) if each.metadata.get("size") == SIZE["size"])

    @property
    def keeps_past(self) -> bool:
        """Whether the block keeps something of earlier tokens for the next one: keys and values in a cache, or a state."""
        return False

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        """The tensors that belong to the block itself, in the order in which the reference registers them."""
        return ()

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        """The blocks inside, by name, in the order in which the reference registers them."""
        return ()

    @property
    def execution_positions(self) -> tuple[int, ...]:
        """The position of each child in the order of execution, from 0."""
        return tuple(range(len(self.children)))

    @property
    def operations(self) -> tuple[Operation, ...]:
        """The products that the block itself, without its children, computes for each row."""
        return ()

    @property
    def elementwise(self) -> tuple[Elementwise, ...]:
        """The elementwise functions that the block itself applies."""
        return ()

    def operations_on(self, *taken: FeatureMap) -> tuple[Operation, ...]:
        """The products, for blocks where they depend on the inputs, as the keys of attention do."""
        return self.operations

    def elementwise_on(self, *taken: FeatureMap) -> tuple[Elementwise, ...]:
        """The elementwise functions, for blocks where they depend on the inputs: an activation function is applied to each of their
        elements.
        """
        return self.elementwise

    def positions(self, *taken: FeatureMap) -> sympy.Expr:
        """The rows that the block processes per sequence or image: the positions of its input, unless it is a window that
        moves over them.
        """
        return taken[0].positions

    def output(self, *taken: FeatureMap) -> FeatureMap:
        """The output of the block for its inputs; by default the input's sizes are unchanged."""
        return taken[0]

    def taken_inside(self, *taken: FeatureMap) -> tuple[tuple[FeatureMap, ...], ...]:
        """The inputs of each child, in the order of the children."""
        return tuple(taken for _ in self.children)

    @property
    def undeclared(self) -> bool:
        """Whether it may compute products that it does not declare: it has tensors, but declares no operations."""
        return bool(self.tensors) and not (self.operations or self.elementwise)

    def map_sizes(self, change: Change) -> Self:
        """The block with a function applied to every size, such as the substitution of a relation ``I = 4H``."""
        sizes = {each.name: getattr(self, each.name) for each in fields(self) if "size" in each.metadata}
        return replace(self, **{name: _changed(size, change) for name, size in sizes.items()})


def _changed(size: Size, change: Change) -> Size:
    """The function of a size, or of each of several; None and words stay as they are."""
    if size is None or isinstance(size, str):
        return size
    return tuple(map(change, size)) if isinstance(size, tuple) else change(size)


@frozen
class Block(Module):
    """A block made of other blocks: ``Block("Layer", query=Linear(H, H), key=Linear(H, H))``.

    ``execution_order`` names the parts in the order in which they run, if it differs from the order in which they are registered. Each part
    takes the output of the part that ran before it, and the block's output is that of the last; a part with ``rows`` of its own is not on
    this line. ``takes`` gives a part other inputs: the outputs of parts by name, or ``input``, the block's own input: ``takes={"shortcut":
    "input", "add": ("norm", "shortcut")}``. Raises `ArchitectureError` where either names a part that does not exist.
    """

    name: str
    parts: tuple[tuple[str, Module], ...]
    execution_order: tuple[str, ...]
    takes: tuple[tuple[str, tuple[str, ...]], ...]

    def __init__(
        self,
        name: str,
        /,
        *,
        role: str | None = None,
        rows: Size | None = None,
        execution_order: tuple[str, ...] | Module | None = None,  # Not a valid keyword, but possible in parts given by **.
        takes: Mapping[str, str | tuple[str, ...]] | Module | None = None,
        **parts: Module,
    ) -> None:
        if role is not None and not isinstance(role, str):
            raise ArchitectureError(f"role in {name} is {role!r}: it selects the title of the block, so no part can have this name")
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "parts", tuple(parts.items()))
        object.__setattr__(self, "role", role)
        if rows is not None and not isinstance(rows, sympy.Expr):
            raise ArchitectureError(f"rows in {name} is {rows!r}: it says how many rows pass through, so no part can have this name")
        object.__setattr__(self, "rows", rows)
        for part_name, part in parts.items():
            if not part_name or set(part_name) & set(". {}"):
                raise ArchitectureError(f"{part_name!r} in {name} cannot name a block: a name without dots, spaces and braces is expected")
            checked_block(part, f"{part_name!r} in {name}")
        object.__setattr__(self, "execution_order", _order(execution_order, tuple(parts), name))
        object.__setattr__(self, "takes", _taken_by(takes, self.execution_order, name))

    @property
    def kind(self) -> str:
        return self.name

    @property
    def children(self) -> tuple[tuple[str, Module], ...]:
        return self.parts

    @property
    def execution_positions(self) -> tuple[int, ...]:
        return tuple(self.execution_order.index(name) for name, _ in self.parts)

    def with_parts(self, parts: Mapping[str, Module]) -> Self:
        """The same block with other blocks under the same names."""
        return self._rebuilt(self.rows, parts)

    def map_sizes(self, change: Change) -> Self:
        rows = None if self.rows is None else change(self.rows)
        return self._rebuilt(rows, {name: part.map_sizes(change) for name, part in self.parts})

    def _rebuilt(self, rows: Size | None, parts: Mapping[str, Module]) -> Self:
        return type(self)(self.name, role=self.role, rows=rows, execution_order=self.execution_order, takes=dict(self.takes), **parts)

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return self._passed(taken)[1]

    def taken_inside(self, *taken: FeatureMap) -> tuple[tuple[FeatureMap, ...], ...]:
        found, _ = self._passed(taken)
        return tuple(found[name] for name, _ in self.parts)

    def _passed(self, taken: tuple[FeatureMap, ...]) -> tuple[dict[str, tuple[FeatureMap, ...]], FeatureMap]:
        """The inputs of each part, and the output of the last one."""
        parts, stated = dict(self.parts), dict(self.takes)
        found, made, line = dict[str, tuple[FeatureMap, ...]](), {INPUT: taken, OUTSIDE: (FeatureMap(None),)}, taken
        for name in self.execution_order:
            found[name] = tuple(each for source in stated[name] for each in made[source]) if name in stated else line
            made[name] = (output_of(parts[name], *found[name]),)
            line = line if parts[name].rows is not None and name in stated else made[name]
        return found, line[0]


def output_of(module: Module, *taken: FeatureMap) -> FeatureMap:
    """The output of a block for its inputs; a block with rows of its own is not on the line and passes the input on."""
    made = module.output(*taken) if module.rows is None else taken[0]
    return made.after_parameters() if made.computed or any(each.computed for each in taken) or _has_parameters(module) else made


def _has_parameters(module: Module) -> bool:
    """Whether the output of a block depends on its parameters; a lone tensor takes no input, so it has no effect on one."""
    if isinstance(module, Parameter):
        return False
    return bool(module.tensors) or (module.rows is not None and any(_has_parameters(part) for _, part in module.children))


@dataclass(frozen=True, init=False)
class OpaqueBlock(Block):
    """A block whose parts are known but not what it computes with them, as in a printed model."""

    @property
    def undeclared(self) -> bool:
        return True

    def taken_inside(self, *taken: FeatureMap) -> tuple[tuple[FeatureMap, ...], ...]:
        """One position for each part: a pooler takes one of all tokens, so more would not be a lower bound."""
        return tuple((FeatureMap(None),) for _ in self.children)


@dataclass(frozen=True, init=False)
class ObservedBlock(OpaqueBlock):
    """A block whose products are its parts, since a run of it was observed; the order in which its parts run is not known."""

    @property
    def undeclared(self) -> bool:
        return False


@frozen
class Parameter(Module):
    """A single tensor of the enclosing block, named as a part of it: ``bias=Parameter(V)``."""

    shape: tuple[Size, ...]

    def __init__(self, *shape: Size | int | str, role: str | None = None) -> None:
        object.__setattr__(self, "shape", tuple(checked_size(size, "a size of a Parameter") for size in shape))
        object.__setattr__(self, "role", role)
        object.__setattr__(self, "rows", None)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("", self.shape),)

    @property
    def undeclared(self) -> bool:
        """A vector is added or scales. A matrix may be multiplied, unless its role says otherwise, as for a table of positions."""
        return not self.role and sum(size != 1 for size in self.shape) > 1

    def map_sizes(self, change: Change) -> Self:
        return type(self)(*map(change, self.shape), role=self.role)


def checked_size(value: Size | int | str, what: str) -> Size:
    """The value as a size in symparam's symbols. Raises `ArchitectureError`, naming ``what``, if it cannot be a positive integer."""
    size = canonical(value)
    if size.is_positive is False or size.is_integer is False or not (size.free_symbols or size.is_Integer):
        raise ArchitectureError(f"{what} is {size}, but a size is a positive whole number")
    return size


def checked_block(value: Module, what: str) -> Module:
    """The value if it is a block. Raises `ArchitectureError`, naming ``what``."""
    if not isinstance(value, Module):
        raise ArchitectureError(f"{what} is {value!r}; a block such as Linear(H, H) is expected")
    return value


def _order(order: tuple[str, ...] | Module | None, parts: tuple[str, ...], name: str) -> tuple[str, ...]:
    """The names of the parts in the order of execution. Raises `ArchitectureError` for an order that does not name each part once."""
    if order is None:
        return parts
    if not isinstance(order, tuple) or not all(isinstance(each, str) for each in order):
        raise ArchitectureError(f"execution_order in {name} is {order!r}: it lists the parts as they run, so no part can have this name")
    if sorted(order) != sorted(parts):
        raise ArchitectureError(
            f"execution_order in {name} names {', '.join(order) or 'nothing'}; each part is expected once: {', '.join(parts)}"
        )
    return order


def _taken_by(
    takes: Mapping[str, str | tuple[str, ...]] | Module | None, order: tuple[str, ...], name: str
) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The inputs of parts, by name. Raises `ArchitectureError` for a name that is not a part, or a part that has not run yet."""
    if isinstance(takes, Module):
        raise ArchitectureError(f"takes in {name} is {takes!r}: it says what the parts take, so no part can have this name")
    found = {part: (source,) if isinstance(source, str) else tuple(source) for part, source in (takes or {}).items()}
    for part, sources in found.items():
        if part not in order:
            raise UnknownNameError(f"part of {name}", part, order, "takes names its parts")
        known = (INPUT, OUTSIDE, *order[: order.index(part)])
        for source in sources:
            if source not in known:
                raise ArchitectureError(f"{part} in {name} takes {source}; a part that runs before it is expected: {', '.join(known)}")
    return tuple(found.items())

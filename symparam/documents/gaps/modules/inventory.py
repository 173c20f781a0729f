"""Lists everything in an architecture that a person may count: its tensors, including tied ones, and biases and LayerNorms that it could
have.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from enum import Enum
from fractions import Fraction
from functools import reduce
from hashlib import sha256
from operator import or_

import sympy

from symparam.analysis.counting import times_copies
from symparam.core.algebra.closed_form import expanded
from symparam.core.combining import summed
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import cached_property, frozen
from symparam.documents.gaps.modules.topics import topic_of_module, topic_of_table
from symparam.models.blocks import Architecture, Conv1D, Embedding, LayerNorm, Linear, Module, Repeat, RMSNorm, Tensor, Tied
from symparam.models.blocks.architecture import Place, join_path

Amount = int | Fraction
Mask = int
"""A set of items as a bit mask: item 0 is bit 0."""


class Status(Enum):
    """Whether a tensor is counted by the model, shared with another one, or absent."""

    COUNTED = "counted"
    SHARED = "shared"
    ABSENT = "absent"


@frozen
class Item:
    """A tensor in all its copies: its full name, its block, the part of a model that it belongs to, and its status."""

    name: str
    place: Place
    tensor: Tensor
    topic: str
    status: Status

    @property
    def module(self) -> Module:
        return self.place.module.inner if isinstance(self.place.module, Tied) else self.place.module

    @property
    def is_bias(self) -> bool:
        return self.name.rpartition(".")[2] == "bias"

    @property
    def is_linear(self) -> bool:
        return isinstance(self.module, (Linear, Conv1D))

    @property
    def is_norm(self) -> bool:
        return "Norm" in self.module.kind

    @property
    def is_table(self) -> bool:
        return isinstance(self.module, Embedding)

    @property
    def size(self) -> sympy.Expr:
        """The number of elements of all copies."""
        return self.place.copies * self.tensor.elements


@frozen
class InventoryScope:
    """A block with the items inside it. ``wide`` marks the whole model, a list of layers, and one layer of it, which have families of
    items; ``partial`` marks a block with tensors that are not in the inventory.
    """

    place: Place
    mask: Mask
    wide: bool
    is_layer: bool
    partial: bool = False


@frozen
class Inventory:
    """The items of an architecture with a number for each letter; ``symbolic`` says that the numbers are only placeholders for the letters,
    and ``within_blocks`` limits the inventory to the items of the named blocks.
    """

    architecture: Architecture
    values: Mapping[str, Amount] = field(hash=False)
    symbolic: bool = False
    within_blocks: frozenset[str] | None = None

    @cached_property
    def items(self) -> tuple[Item, ...]:
        own = tuple(_items(self.architecture.place, ()))
        if self.within_blocks is not None:
            return tuple(item for item in own if item.place.path in self.within_blocks)
        return (*own, *_norms_more(own))

    @cached_property
    def norm(self) -> str:
        """The name of the model's norms: ``RMSNorm`` if it has no others."""
        kinds = {item.module.kind for item in self.items if item.is_norm and item.place.module is not NO_MODULE}
        return "RMSNorm" if kinds == {"RMSNorm"} else "LayerNorm"

    @property
    def letters(self) -> frozenset[str]:
        """The letters of all sizes."""
        return frozenset(str(letter) for item in self.items for letter in item.size.free_symbols)

    def with_points(self, others: Iterable[sympy.Expr]) -> Inventory:
        """The inventory with a random 64-bit number for each letter, including those of other expressions, so that no two sizes coincide by
        chance.
        """
        letters = self.letters | {str(letter) for each in others for letter in each.free_symbols}
        points = {letter: int.from_bytes(sha256(letter.encode()).digest()[:8]) | 1 << 63 for letter in letters}
        return replace(self, values=points, symbolic=True)

    @cached_property
    def scopes(self) -> tuple[InventoryScope, ...]:
        """Every block that holds tensors, from the outermost in."""
        own: dict[str, Mask] = {}
        for index, item in enumerate(self.items):
            if item.place.module is not NO_MODULE:
                own[item.place.path] = own.get(item.place.path, 0) | 1 << index
        found = [scope for scope in _scopes(self.architecture.place, own, False) if scope.mask]
        if self.within_blocks is None:
            return tuple(found)
        # A block around a part may hold the same items, but is not the part that is meant.
        innermost = {scope.mask: scope for scope in found}
        return tuple(scope for scope in found if innermost[scope.mask] is scope)

    def of_status(self, status: Status) -> Mask:
        """All items with this status."""
        return sum(1 << index for index, item in enumerate(self.items) if item.status is status)

    def within(self, mask: Mask) -> list[Item]:
        """The items of the set."""
        return [self.items[index] for index in indexes(mask)]

    @cached_property
    def _amounts(self) -> list[Amount]:
        return [self.value(item.size) for item in self.items]

    def amount(self, mask: Mask) -> Amount:
        """The number of parameters of all items of the set."""
        if mask not in self._sums:
            self._sums[mask] = sum(self._amounts[index] for index in indexes(mask))
        return self._sums[mask]

    @cached_property
    def _sums(self) -> dict[Mask, Amount]:
        return {}

    def size(self, mask: Mask) -> sympy.Expr:
        """The same in letters."""
        return sympy.Add(*(item.size for item in self.within(mask)))

    def value(self, size: sympy.Expr) -> Amount:
        """The value of an expression."""
        if size.is_Integer:
            return int(size)
        if size not in self._known:
            self._known[size] = evaluate(expanded(size), self.values)
        return self._known[size]

    @cached_property
    def _known(self) -> dict[sympy.Expr, Amount]:
        return {}

    def formula(self, mask: Mask) -> Formula:
        """The size of a set as people write it, with the contents of the layers factored: ``N(5H + I) + H² + H``."""
        together: dict[sympy.Expr, list[sympy.Expr]] = {}
        for item in self.within(mask):
            together.setdefault(item.place.copies, []).append(item.tensor.elements)
        repeated_first = sorted(together.items(), key=lambda pair: pair[0] == 1)
        return summed(*(times_copies(expanded(copies), expanded(sympy.Add(*each))) for copies, each in repeated_first))


def indexes(mask: Mask) -> Iterator[int]:
    """The numbers of the items in a set, in ascending order."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


NO_MODULE = Module()
"""A placeholder where the architecture has no module."""


def _scopes(place: Place, own: Mapping[str, Mask], repeated: bool) -> list[InventoryScope]:
    """The scope of the block, and of those inside it."""
    repeats = isinstance(place.module, Repeat)
    inside = [_scopes(inner, own, repeats) for inner in place.inside]
    mask = reduce(or_, (scopes[0].mask for scopes in inside), own.get(place.path, 0) if place.module.tensors else 0)
    is_layer = repeated and bool(place.module.children)
    wide = is_layer or repeats or any(scope.wide for scopes in inside for scope in scopes)
    partial = any(scopes[0].partial for scopes in inside) or bool(place.module.tensors and place.path not in own)
    return [InventoryScope(place, mask, wide, is_layer, partial), *(scope for scopes in inside for scope in scopes)]


def _items(place: Place, around: tuple[str, ...]) -> Iterator[Item]:
    module = place.module.inner if isinstance(place.module, Tied) else place.module
    names = [*around, place.module.role or place.path.rpartition(".")[2]]
    topic = "norm" if "Norm" in module.kind else topic_of_table(names) if isinstance(module, Embedding) else topic_of_module(names)
    for tensor in place.module.tensors:
        status = Status.COUNTED if tensor.tied_to is None else Status.SHARED
        yield Item(join_path(place.path, tensor.name), place, tensor, topic, status)
    if isinstance(module, Linear) and not module.bias:
        yield Item(join_path(place.path, "bias"), place, Tensor("bias", (module.out_features,)), topic, Status.ABSENT)
    for inner in place.inside:
        yield from _items(inner, tuple(names))


def _norms_more(items: tuple[Item, ...]) -> Iterator[Item]:
    """Additional norms, once and in each layer: people add a norm where another model has one."""
    found = [(item.module, item.place.copies) for item in items if isinstance(item.module, (LayerNorm, RMSNorm))]
    widths = {(norm.normalized_shape, copies): sum(tensor.elements for tensor in norm.tensors) for norm, copies in found}
    copies = dict.fromkeys([sympy.S.One, *(copies for _, copies in widths)])
    for width, size in {width: size for (width, _), size in widths.items()}.items():
        for times in copies:
            place = Place("", NO_MODULE, times)
            yield Item(f"a norm of {width} in {times}", place, Tensor("", (size,)), "norm", Status.ABSENT)

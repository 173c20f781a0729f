"""What people count, or forget, in one go: a module, its biases, all LayerNorms of the layers; and the ways in which they get it wrong.

A `Subset` is a set of tensors with a simple description, a `Change` is what an author did to it, and the `cost` says how far-fetched
that is: 1 for a whole module or a natural family of tensors, 4 for the weights of a single map without its biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy

from symparam.algebra.closed_form import expanded
from symparam.blocks.architecture import Place
from symparam.counting import in_all
from symparam.formula import Formula
from symparam.gaps.modules.inventory import NO_MODULE, Amount, Inventory, Item, Mask, Scope, Status, indexes


@dataclass(frozen=True)
class Kind:
    """A choice among the tensors of a scope; ``wide`` and ``narrow`` are what it costs of the whole model or its layers, and elsewhere."""

    words: str
    covers: Callable[[Item], bool]
    wide: int
    narrow: int
    whole_modules: bool = True


WHOLE = Kind("", lambda item: True, 1, 1)
BIASES = Kind("the biases of the linear maps", lambda item: item.is_linear and item.is_bias, 1, 3, False)
KINDS = (
    WHOLE,
    BIASES,
    Kind("the LayerNorms", lambda item: item.is_norm, 1, 2),
    Kind("the linear maps", lambda item: item.is_linear, 3, 2),
    Kind("the attention", lambda item: item.topic == "attention", 2, 2),
    Kind("the feed-forward part", lambda item: item.topic == "feed-forward", 2, 2),
    Kind("the biases of the attention", lambda item: item.topic == "attention" and item.is_bias, 3, 3, False),
    Kind("the biases of the feed-forward part", lambda item: item.topic == "feed-forward" and item.is_bias, 3, 3, False),
    Kind("the biases", lambda item: item.is_bias, 2, 3, False),
    Kind("the biases of the LayerNorms", lambda item: item.is_norm and item.is_bias, 3, 4, False),
    Kind("the weights of the linear maps", lambda item: item.is_linear and not item.is_bias, 4, 4, False),
    Kind("the weights of the attention", lambda item: item.topic == "attention" and not item.is_bias, 4, 4, False),
    Kind("the weights of the feed-forward part", lambda item: item.topic == "feed-forward" and not item.is_bias, 4, 4, False),
    Kind("the weights", lambda item: not item.is_bias, 5, 5, False),
)
TABLES = Kind("the tables", lambda item: item.is_table, 1, 1)


@dataclass(frozen=True)
class Subset:
    """The tensors of one kind in the smallest block that holds them all."""

    mask: Mask
    kind: Kind
    scope: Scope

    @property
    def place(self) -> Place:
        return self.scope.place

    @cached_property
    def cost(self) -> int:
        """Whole modules of a single copy and families come first, then single modules of the layers, then biases, then weights."""
        if self.kind is WHOLE:
            return 1 if self.scope.wide or self.place.copies == 1 else 2
        return self.kind.wide if self.scope.wide else self.kind.narrow


class Change(Enum):
    """What an author does to a subset: leaves it out, counts what is not the model's own, or counts it in another number."""

    MISSING = "missing"
    SURPLUS = "surplus"
    TWICE = "counted twice"
    ONCE = "counted once"
    FEWER = "one layer fewer"
    MORE = "one layer more"


@dataclass(frozen=True)
class Candidate:
    """A change to a subset of an inventory, and what it makes the author's total too large by."""

    change: Change
    subset: Subset
    inventory: Inventory

    @property
    def mask(self) -> Mask:
        return self.subset.mask

    @cached_property
    def cost(self) -> int:
        more = {Change.MISSING: 0, Change.SURPLUS: 0, Change.TWICE: 2, Change.ONCE: 2, Change.FEWER: 2, Change.MORE: 2}
        return self.subset.cost + more[self.change]

    @cached_property
    def value(self) -> Amount:
        full = self.inventory.amount(self.mask)
        value: Fraction = self._of(Fraction(full), full / Fraction(self.inventory.value(self.subset.place.copies)))
        return value.numerator if value.denominator == 1 else value

    @cached_property
    def size(self) -> sympy.Expr:
        """The same in letters."""
        full = self.inventory.size(self.mask)
        return self._of(full, full / self.subset.place.copies)

    def _of(self, full: Any, one: Any) -> Any:
        match self.change:
            case Change.MISSING:
                return -full
            case Change.SURPLUS | Change.TWICE:
                return full
            case Change.ONCE:
                return one - full
            case Change.FEWER:
                return -one
            case Change.MORE:
                return one

    @property
    def formula(self) -> Formula:
        """How many parameters it is about, without a sign, as people write it."""
        copies = self.subset.place.copies
        match self.change:
            case Change.ONCE:
                return in_all(expanded(copies - 1), expanded(self.inventory.size(self.mask) / copies))
            case Change.FEWER | Change.MORE:
                return expanded(self.inventory.size(self.mask) / copies)
            case _:
                return self.inventory.formula(self.mask)


def subsets(inventory: Inventory) -> list[Subset]:
    """Every set of counted tensors that has a simple description, each with the simplest, in the order of the model."""
    counted = inventory.of_status(Status.COUNTED)
    masks = [(kind, _covered(inventory, kind)) for kind in (*KINDS, TABLES)]
    found: dict[Mask, Subset] = {}
    for scope in inventory.scopes:
        for kind, covered in masks:
            mask = scope.mask & counted & covered
            # All tables of a whole model have nothing in common but that they are tables; those of one block stand together.
            if not mask or (kind is TABLES and scope.wide):
                continue
            known = found.get(mask)
            if known is None or known.scope is not scope:
                found.pop(mask, None)
                found[mask] = Subset(mask, kind, scope)
    return list(found.values())


def _covered(inventory: Inventory, kind: Kind) -> Mask:
    return sum(1 << index for index, item in enumerate(inventory.items) if kind.covers(item))


def candidates(inventory: Inventory) -> list[Candidate]:
    """Everything that an author may have done, simple or far-fetched, in the order of the model."""
    return [each for each in _candidates(inventory) if each.value != 0]


def _candidates(inventory: Inventory) -> Iterator[Candidate]:
    for subset in subsets(inventory):
        yield Candidate(Change.MISSING, subset, inventory)
        if subset.kind.whole_modules and subset.scope.place.path:
            yield Candidate(Change.TWICE, subset, inventory)
        if subset.place.copies != 1 and (subset.kind.whole_modules or subset.kind is BIASES):
            yield Candidate(Change.ONCE, subset, inventory)
        if subset.scope.is_layer and subset.kind is WHOLE:
            yield Candidate(Change.FEWER, subset, inventory)
            yield Candidate(Change.MORE, subset, inventory)
    yield from (Candidate(Change.SURPLUS, subset, inventory) for subset in surplus(inventory))


SHARED = Kind("", lambda item: item.status is Status.SHARED, 1, 1)
SHARED_AND_ABSENT = Kind("", lambda item: item.status is not Status.COUNTED, 2, 2)
ABSENT = Kind("", lambda item: item.status is Status.ABSENT, 3, 3)
NORM_MORE = Kind("", lambda item: item.place.module is NO_MODULE, 2, 2)


def surplus(inventory: Inventory) -> Iterator[Subset]:
    """What the model has not, or shares with something that is counted: tied heads, biases and LayerNorms that it could have."""
    for scope in inventory.scopes:
        if not scope.place.module.tensors:
            continue
        seen: set[Mask] = set()
        for kind in (SHARED, ABSENT, SHARED_AND_ABSENT):
            inside = [index for index in indexes(scope.mask) if kind.covers(inventory.items[index])]
            for mask in (sum(1 << index for index in inside), *(1 << index for index in inside)):
                if mask and mask not in seen:
                    seen.add(mask)
                    yield Subset(mask, kind, scope)
    for index, item in enumerate(inventory.items):
        if item.place.module is NO_MODULE:
            yield Subset(1 << index, NORM_MORE, Scope(item.place, 1 << index, False, False))

"""Lists the sets of tensors that people count or forget as one: a module, its biases, all LayerNorms of the layers.

A `Subset` is a set of tensors with a simple description, and its ``cost`` says how far-fetched it is: 1 for a whole module or a natural
family of tensors, 4 for the weights of a single map without its biases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.documents.gaps.modules.inventory import NO_MODULE, Inventory, InventoryScope, Item, Mask, Status, indexes
from symparam.models.blocks.architecture import Place


@frozen
class SubsetKind:
    """A selection among the tensors of a scope; ``wide`` is its cost in the whole model or its layers, ``narrow`` its cost elsewhere."""

    name: str
    covers: Callable[[Item], bool]
    wide: int
    narrow: int
    whole_modules: bool = True


WHOLE = SubsetKind("all", lambda item: True, 1, 1)
BIASES = SubsetKind("linear-biases", lambda item: item.is_linear and item.is_bias, 1, 3, False)
KINDS = (
    WHOLE,
    BIASES,
    SubsetKind("norms", lambda item: item.is_norm, 1, 2),
    SubsetKind("linear", lambda item: item.is_linear, 3, 2),
    SubsetKind("attention", lambda item: item.topic == "attention", 2, 2),
    SubsetKind("feed-forward", lambda item: item.topic == "feed-forward", 2, 2),
    SubsetKind("attention-biases", lambda item: item.topic == "attention" and item.is_bias, 3, 3, False),
    SubsetKind("feed-forward-biases", lambda item: item.topic == "feed-forward" and item.is_bias, 3, 3, False),
    SubsetKind("biases", lambda item: item.is_bias, 2, 3, False),
    SubsetKind("norm-biases", lambda item: item.is_norm and item.is_bias, 3, 4, False),
    SubsetKind("linear-weights", lambda item: item.is_linear and not item.is_bias, 4, 4, False),
    SubsetKind("attention-weights", lambda item: item.topic == "attention" and not item.is_bias, 4, 4, False),
    SubsetKind("feed-forward-weights", lambda item: item.topic == "feed-forward" and not item.is_bias, 4, 4, False),
    SubsetKind("weights", lambda item: not item.is_bias, 5, 5, False),
)
TABLES = SubsetKind("tables", lambda item: item.is_table, 1, 1)


@frozen
class Subset:
    """The tensors of one kind in the smallest block that holds them all; ``cost`` is that of their simplest description."""

    mask: Mask
    kind: SubsetKind
    scope: InventoryScope
    cost: int

    @property
    def place(self) -> Place:
        return self.scope.place

    @property
    def is_layers(self) -> bool:
        """Whether it is the whole content of a list of layers."""
        return self.scope.is_layer and self.kind is WHOLE

    @property
    def is_repeated_block(self) -> bool:
        """Whether it is a block within the layers, or the layers themselves, and more than a single map."""
        return self.place.copies != 1 and bool(self.place.module.children)


def described_subset(mask: Mask, kind: SubsetKind, scope: InventoryScope) -> Subset:
    """A set of tensors with the cost of this description.

    Whole modules with a single copy and families come first, then single modules of the layers, then biases, then weights.
    """
    if kind is WHOLE:
        return Subset(mask, kind, scope, 1 if scope.wide or scope.place.copies == 1 else 2)
    return Subset(mask, kind, scope, kind.wide if scope.wide else kind.narrow)


def subsets(inventory: Inventory) -> list[Subset]:
    """Every set of counted tensors that has a simple description, each with its simplest one, in the order of the model."""
    counted = inventory.of_status(Status.COUNTED)
    masks = [(kind, _covered(inventory, kind)) for kind in (*KINDS, TABLES)]
    found: dict[Mask, Subset] = {}
    for scope in inventory.scopes:
        for kind, covered in masks:
            mask = scope.mask & counted & covered
            # The tables of a whole model are not a natural set; those of one block are. Some tensors of a block are not that block.
            if not mask or (kind is TABLES and scope.wide) or (kind is WHOLE and scope.partial):
                continue
            known = found.get(mask)
            if known is None or known.scope is not scope:
                found.pop(mask, None)
                # If only the attention has biases, those are all biases: whoever forgets biases forgets them.
                subset = described_subset(mask, kind, scope)
                found[mask] = replace(subset, cost=min(subset.cost, known.cost)) if known and kind is BIASES else subset
    return list(found.values())


def layer_subsets(inventory: Inventory) -> Iterator[Subset]:
    """The lists of layers, each with everything counted in it, even if one block inside a layer holds the same; and the content of each
    layer for an inventory of a part.
    """
    for scope in inventory.scopes:
        is_part = inventory.within_blocks is not None and scope is inventory.scopes[0] and scope.place.copies != 1
        if (scope.is_layer or is_part) and (mask := scope.mask & inventory.of_status(Status.COUNTED)):
            yield described_subset(mask, WHOLE, replace(scope, wide=True))


def _covered(inventory: Inventory, kind: SubsetKind) -> Mask:
    return sum(1 << index for index, item in enumerate(inventory.items) if kind.covers(item))


SHARED = SubsetKind("all", lambda item: item.status is Status.SHARED, 1, 1)
SHARED_AND_ABSENT = SubsetKind("all", lambda item: item.status is not Status.COUNTED, 2, 2)
ABSENT = SubsetKind("all", lambda item: item.status is Status.ABSENT, 3, 3)
NORM_MORE = SubsetKind("all", lambda item: item.place.module is NO_MODULE, 2, 2)


def surplus_subsets(inventory: Inventory) -> Iterator[Subset]:
    """The tensors that the model lacks, or shares with a counted one: tied heads, biases and LayerNorms that it could have."""
    for scope in inventory.scopes:
        if not scope.place.module.tensors:
            continue
        seen: set[Mask] = set()
        for kind in (SHARED, ABSENT, SHARED_AND_ABSENT):
            inside = [index for index in indexes(scope.mask) if kind.covers(inventory.items[index])]
            for mask in (sum(1 << index for index in inside), *(1 << index for index in inside)):
                if mask and mask not in seen:
                    seen.add(mask)
                    yield described_subset(mask, kind, scope)
    for index, item in enumerate(inventory.items):
        if item.place.module is NO_MODULE:
            yield described_subset(1 << index, NORM_MORE, InventoryScope(item.place, 1 << index, False, False))

"""Describes a change to a set of tensors as a message: what the author did, and to which modules of the reference implementation."""

from __future__ import annotations

from collections.abc import Sequence

import sympy

from symparam.core.algebra.closed_form import expanded
from symparam.core.formula import Formula
from symparam.core.message import Message, Modules, message
from symparam.documents.gaps.modules.gap_search import ChangeChoice
from symparam.documents.gaps.modules.inventory import NO_MODULE, Inventory, Item, Mask, Status
from symparam.documents.gaps.modules.subsets import WHOLE, Subset, described_subset
from symparam.documents.gaps.modules.tensor_changes import ChangeCandidate, TensorChange

_SORTS = {
    "norms": lambda item: item.is_norm,
    "linear": lambda item: item.is_linear,
    "tables": lambda item: item.is_table,
}
"""Kinds of single blocks that may occur several times."""


def change_message(choice: ChangeChoice, times: int = 1, missing: Mask = 0) -> Message:
    """The message for a change. ``modules`` are the sets of tensors that the numbers cannot tell apart, ``count`` how many of them are
    meant.

    ``missing`` is everything that the author leaves out: a shared tensor is counted twice only if its counterpart is counted as well.
    """
    inventory = choice.candidates[0].inventory
    match choice.change:
        case TensorChange.TIMES:
            return _in_another_number(choice.candidates, times)
        case TensorChange.SIZE:
            return _with_another_size(choice.candidates, times)
        case TensorChange.SURPLUS if _is_counted_twice(choice, inventory, missing):
            kind = "surplus-counted-twice"
        case change:
            kind = change.value
    return message(kind, modules=_modules(choice.candidates), count=times)


def _modules(candidates: Sequence[ChangeCandidate]) -> tuple[Modules, ...]:
    return tuple(modules_in_message(candidate.subset, candidate.inventory) for candidate in candidates)


def _in_another_number(candidates: Sequence[ChangeCandidate], times: int) -> Message:
    """The message for a wrong number of copies; for whole layers it says how many are missing or in excess."""
    first, subset, inventory = candidates[0], candidates[0].subset, candidates[0].inventory
    copies = amount_in_message(subset.place.copies, inventory)
    if not subset.is_layers or first.count == 1 or first.surplus_count is None:
        counted = 1 if first.count == 1 else amount_in_message(first.count, inventory)
        return message("counted-times", modules=_modules(candidates), count=times, counted=counted, copies=copies)
    kind = f"{_copied(subset)}-{'missing' if first.surplus_count < 0 else 'surplus'}"
    more = abs(int(first.surplus_count))
    return message(kind, modules=_modules(candidates), count=times, more=more, copies=copies)


def _with_another_size(candidates: Sequence[ChangeCandidate], times: int) -> Message:
    """The message for one size used instead of another, such as h instead of k in the key and value projections."""
    first, inventory = candidates[0], candidates[0].inventory
    assert first.sizes is not None
    sizes = tuple(_instead(letter, size, inventory) for letter, size in first.sizes.instead)
    return message("counted-with-size", modules=tuple(map(_of_another_size, candidates)), count=times, sizes=sizes)


def _instead(letter: sympy.Expr, size: sympy.Expr, inventory: Inventory) -> Message:
    stated, own = expanded(size), expanded(letter)
    if inventory.symbolic:
        return message("size-instead", stated=stated, own=own)
    numbers = inventory.value(size), inventory.value(letter)
    return message("number-instead", stated=stated, own=own, stated_value=numbers[0], own_value=numbers[1])


def _of_another_size(candidate: ChangeCandidate) -> Modules | tuple[Modules, Modules]:
    """The one or two modules that have the size, or otherwise the block that contains them."""
    subset, inventory = candidate.subset, candidate.inventory
    paths = {item.place.path for item in inventory.within(candidate.mask)}
    scopes = [scope for scope in inventory.scopes if scope.place.path in paths and scope.place.module.tensors]
    if len(scopes) != 2 or len({scope.place.copies for scope in scopes}) > 1:
        return modules_in_message(subset, inventory)
    first, second = (described_subset(subset.mask & scope.mask, subset.kind, scope) for scope in scopes)
    return modules_in_message(first, inventory), modules_in_message(second, inventory)


def _is_counted_twice(choice: ChangeChoice, inventory: Inventory, missing: Mask) -> bool:
    shared = {item.tensor.tied_to for each in choice.candidates for item in inventory.within(each.mask)} - {None}
    left_out = {item.name for item in inventory.within(missing)}
    return bool(shared) and not shared & left_out


def modules_in_message(subset: Subset, inventory: Inventory) -> Modules:
    """A set of tensors as a message refers to it."""
    items, place = inventory.within(subset.mask), subset.place
    single, whole, status = not place.module.children, subset.kind is WHOLE, _status(subset, items)
    of_one = len(items) == 1 and single and not whole and status in ("counted", "absent")
    everything = sum(1 << index for index, item in enumerate(inventory.items) if subset.kind.covers(item))
    sort = next((sort for sort in _SORTS if single and _is(sort, items[0])), "")
    return Modules(
        tensors=subset.kind.name if whole or not single else "bias" if items[0].is_bias else "weight",
        names=tuple(item.name for item in items if item.place.module is not NO_MODULE),
        role=place.module.role or "",
        block=place.module.kind if place.path or place.module is NO_MODULE else inventory.architecture.class_name,
        path=items[0].name if of_one else place.path,
        copies=amount_in_message(place.copies, inventory),
        copied=_copied(subset),
        is_layer=subset.scope.is_layer,
        is_single=single,
        is_everywhere=subset.scope.wide and not everything & inventory.of_status(Status.COUNTED) & ~subset.mask,
        sort=sort,
        alike=len({item.place.path for item in inventory.items if sort and _is(sort, item) and item.place.copies == place.copies}),
        status=status,
        shares=tuple(str(item.tensor.tied_to) for item in items if item.status is Status.SHARED),
        norm=inventory.norm,
    )


def amount_in_message(size: sympy.Expr, inventory: Inventory) -> int | Formula:
    """A size as a number, or as a formula if the letters have no values."""
    return expanded(size) if inventory.symbolic and not size.is_Integer else int(inventory.value(size))


def _status(subset: Subset, items: Sequence[Item]) -> str:
    if subset.place.module is NO_MODULE:
        return "further-norm"
    found = {item.status for item in items}
    if Status.SHARED in found:
        return "shared-with-bias" if Status.ABSENT in found else "shared"
    return "absent" if Status.ABSENT in found else "counted"


def _copied(subset: Subset) -> str:
    """What the copies of a block are."""
    words = {"layer", "layers", "block", "blocks", "h"} & set(subset.place.path.replace("_", ".").split("."))
    return "layers" if words or subset.place.module is NO_MODULE else "copies"


def _is(sort: str, item: Item) -> bool:
    return _SORTS[sort](item) and item.status is Status.COUNTED

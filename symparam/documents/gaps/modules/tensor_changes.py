"""The changes that people make to a set of tensors: they leave it out, count it twice or the wrong number of times, or use another size."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from fractions import Fraction

import sympy

from symparam.analysis.counting import times_copies
from symparam.core.algebra.closed_form import expanded
from symparam.core.combining import summed
from symparam.core.formula import Formula, Negative, Number, Sum
from symparam.core.frozen import cached_property, frozen
from symparam.documents.gaps.modules.confused_sizes import ConfusedSizes, subsets_with_confused_sizes
from symparam.documents.gaps.modules.inventory import Amount, Inventory, Mask
from symparam.documents.gaps.modules.subsets import BIASES, Subset, layer_subsets, subsets, surplus_subsets

MOST_COPIES = 128  # Other numbers of layers that are tried, at most.
MOST_LETTERED = 4  # Layers added to or subtracted from a number of layers that is a letter.


class TensorChange(Enum):
    """A kind of change to a subset: it is left out, counted although it is not the model's own, or counted in another number or size."""

    MISSING = "missing"
    SURPLUS = "surplus"
    TWICE = "counted-twice"
    TIMES = "counted-times"
    SIZE = "counted-with-size"


_FAR_FETCHED = {TensorChange.MISSING: 0, TensorChange.SURPLUS: 0, TensorChange.TWICE: 2, TensorChange.TIMES: 3, TensorChange.SIZE: 2}


@frozen
class ChangeCandidate:
    """A change to a subset of an inventory, and the amount by which it makes the author's total too large.

    ``count`` is the number of copies that the author counts, if it is wrong; ``sizes`` are the sizes used in place of the right ones.
    """

    change: TensorChange
    subset: Subset
    inventory: Inventory
    count: sympy.Expr = sympy.S.One
    sizes: ConfusedSizes | None = None

    @property
    def mask(self) -> Mask:
        return self.subset.mask

    @property
    def surplus_copies(self) -> sympy.Expr:
        """The number of copies counted in excess; negative if too few are counted."""
        return self.count - self.subset.place.copies

    @cached_property
    def surplus_count(self) -> Amount | None:
        """``more`` as a number, or None if it depends on a letter."""
        if self.inventory.symbolic:
            return int(self.surplus_copies) if self.surplus_copies.is_Integer else None
        return self.inventory.value(self.surplus_copies)

    @cached_property
    def cost(self) -> int:
        """The cost of the wrong number of copies: zero, one, and one more or fewer are the most common mistakes."""
        near = self.change is TensorChange.TIMES and (self.count == 1 or self.surplus_count in (-1, 1))
        return self.subset.cost + _FAR_FETCHED[self.change] - near

    @cached_property
    def value(self) -> Amount:
        full = self.inventory.amount(self.mask)
        match self.change:
            case TensorChange.MISSING:
                return -full
            case TensorChange.TIMES:
                copies = self.inventory.value(self.subset.place.copies)
                value = full / Fraction(copies) * (self.inventory.value(self.count) - copies)
                return value.numerator if value.denominator == 1 else value
            case TensorChange.SIZE:
                return self.inventory.value(self.size)
        return full

    @cached_property
    def size(self) -> sympy.Expr:
        """The same in letters."""
        full = self.inventory.size(self.mask)
        match self.change:
            case TensorChange.MISSING:
                return -full
            case TensorChange.TIMES:
                return self.surplus_copies * full / self.subset.place.copies
            case TensorChange.SIZE if self.sizes:
                return self.sizes.substitute(full) - full
        return full

    @property
    def formula(self) -> Formula:
        """The number of parameters it concerns, as people write it: without a sign if the words for the change imply it."""
        copies = self.subset.place.copies
        if self.change is TensorChange.TIMES:
            size = self.inventory.size(self.mask) / copies
            if self.count == 1:
                return times_copies(expanded(copies - 1), expanded(size))
            if self.surplus_count is None:
                return times_copies(summed(expanded(self.count), Negative(expanded(copies))), expanded(size))
            more, one = abs(int(self.surplus_count)), expanded(size)
            several = times_copies(Number(more), one) if more > 1 and isinstance(one, Sum) else expanded(more * size)
            return Negative(several) if self.surplus_count < 0 and not self.subset.is_layers else several
        if self.change is TensorChange.SIZE:
            return times_copies(expanded(copies), expanded(self.size / copies))
        return self.inventory.formula(self.mask)


def change_candidates(inventory: Inventory) -> list[ChangeCandidate]:
    """All changes that an author may have made, from simple to far-fetched."""
    return [each for each in _candidates(inventory) if each.value != 0]


def _candidates(inventory: Inventory) -> Iterator[ChangeCandidate]:
    for sizes, subset in subsets_with_confused_sizes(inventory):
        yield ChangeCandidate(TensorChange.SIZE, subset, inventory, sizes=sizes)
    for subset in subsets(inventory):
        yield ChangeCandidate(TensorChange.MISSING, subset, inventory)
        if subset.kind.whole_modules and subset.scope.place.path:
            yield ChangeCandidate(TensorChange.TWICE, subset, inventory)
        if subset.place.copies != 1 and (subset.kind.whole_modules or subset.kind is BIASES) and not subset.is_layers:
            yield ChangeCandidate(TensorChange.TIMES, subset, inventory)
    yield from (ChangeCandidate(TensorChange.SURPLUS, subset, inventory) for subset in surplus_subsets(inventory))
    # Last, as there are many: among equal costs only the first are combined.
    for subset in layer_subsets(inventory):
        yield from (ChangeCandidate(TensorChange.TIMES, subset, inventory, count) for count in wrong_counts(inventory, subset))


def wrong_counts(inventory: Inventory, subset: Subset) -> Iterator[sympy.Expr]:
    """The wrong numbers of copies that an author may count for a subset, less than twice the right one."""
    copies = subset.place.copies
    if inventory.symbolic and not copies.is_Integer:
        yield from (copies + sign * more for more in range(1, MOST_LETTERED + 1) for sign in (-1, 1))
        yield from map(sympy.Integer, range(1, MOST_COPIES + 1))
    else:
        own = int(inventory.value(copies))
        near = range(max(2, own - MOST_COPIES), min(2 * own, own + MOST_COPIES))
        yield from (sympy.Integer(count) for count in (1, *near) if count != own)

"""Sizes that people confuse: as many heads for keys as for queries, four times the width for the feed-forward part."""

from __future__ import annotations

from collections.abc import Iterator

import sympy

from symparam.core.dimensions import symbol
from symparam.core.frozen import frozen
from symparam.documents.gaps.modules.inventory import Inventory, Mask, Status
from symparam.documents.gaps.modules.subsets import WHOLE, Subset, SubsetKind, described_subset
from symparam.models.blocks import Conv1D, Linear


@frozen
class ConfusedSizes:
    """Letters of a model, each with the wrong size that an author uses instead; ``of_biases`` says that people do so in biases alone."""

    instead: tuple[tuple[sympy.Symbol, sympy.Expr], ...]
    of_biases: bool = False

    def substitute(self, size: sympy.Expr) -> sympy.Expr:
        return size.xreplace(dict(self.instead))

    def occur_in(self, size: sympy.Expr) -> bool:
        """Whether a size contains all their letters."""
        return all(letter in size.free_symbols for letter, _ in self.instead)

    def exist_in(self, inventory: Inventory) -> bool:
        """Whether the model has all these letters, and the substituted sizes are integers different from theirs."""
        if not all(str(letter) in inventory.values for pair in self.instead for each in pair for letter in each.free_symbols):
            return False
        numbers = [(inventory.value(letter), inventory.value(size)) for letter, size in self.instead]
        return inventory.symbolic or all(stated.denominator == 1 and stated != own for own, stated in numbers)


_H, _I, _V, _P, _E, _K, _d, _h, _k = (symbol(letter) for letter in "HIVPEKdhk")
_IN_THE_PLACE_OF = (
    ConfusedSizes(((_k, _h),)),  # The keys and values of grouped queries.
    ConfusedSizes(((_d, _H / _h),)),  # Heads whose width is not their share of the hidden size.
    ConfusedSizes(((_k, _h), (_d, _H / _h))),
    ConfusedSizes(((_I, 4 * _H),)),
    ConfusedSizes(((_I, _H),)),
    ConfusedSizes(((_P, _V),)),
    ConfusedSizes(((_V, _P),)),
    ConfusedSizes(((_E, _K),)),  # The experts that one token uses.
    ConfusedSizes(((_H, _I),), of_biases=True),  # The bias of the other linear map.
    ConfusedSizes(((_I, _H),), of_biases=True),
)
_WEIGHTS = SubsetKind("weights", lambda item: not item.is_bias, 2, 2, False)
_BIASES = SubsetKind("biases", lambda item: item.is_bias, 2, 2, False)


def subsets_with_confused_sizes(inventory: Inventory) -> Iterator[tuple[ConfusedSizes, Subset]]:
    """The counted tensors of each block whose size contains a confused one: all of them, and their weights alone, without duplicates; the
    bias of a single map.
    """
    counted = inventory.of_status(Status.COUNTED)
    weights, biases = (sum(1 << at for at, item in enumerate(inventory.items) if kind.covers(item)) for kind in (_WEIGHTS, _BIASES))
    for sizes in (each for each in _IN_THE_PLACE_OF if each.exist_in(inventory)):
        concerned = sum(1 << index for index, item in enumerate(inventory.items) if sizes.occur_in(item.size)) & counted
        found: dict[Mask, Subset] = {}
        for scope in inventory.scopes:
            single = isinstance(scope.place.module, (Linear, Conv1D))
            if sizes.of_biases:
                if single and (mask := scope.mask & concerned & biases):
                    found[mask] = described_subset(mask, _BIASES, scope)
                continue
            for kind, mask in ((_WEIGHTS, scope.mask & concerned & weights), (WHOLE, scope.mask & concerned)):
                # Attributed to the smallest block that holds the set, as nobody confuses the size of one map and not that of the next,
                # unless the map is all that is counted.
                if mask and (not single or mask in found or scope.mask & counted == counted):
                    found[mask] = described_subset(mask, kind, scope)
        yield from ((sizes, subset) for subset in found.values())

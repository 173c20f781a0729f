"""Where the quantities of a page stand: in which sentence, row, block and section, and which of them are near one of them."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from symparam.core.frozen import frozen
from symparam.documents.checking.laws.typed_quantity import TypedQuantity
from symparam.documents.reading.unit_senses import Dimension

HERE, BESIDE, ABOVE = range(3)
"""How near an operand stands: in the same sentence or row, in the same block, or in the section or a heading above."""

_MOST = (4, 3, 3)  # Operands of each of these that are tried.
_ALIKE = 40  # Quantities above among which the same number may stand in full.
_FAR = 200  # Lines above that are searched, apart from headings.
_LINES = 8  # Lines of a block above a quantity that are searched.


@frozen
class Placed:
    """A quantity with the numbers of its stretch (a sentence or a row), its line and its block, and those of the headings above it.
    ``column`` is that of a table, and ``is_total`` says that its row calls it the total of the table.
    """

    quantity: TypedQuantity
    stretch: int
    line: int
    block: int
    section: tuple[int, ...]
    column: int = -1
    in_head: bool = False
    in_heading: bool = False
    is_total: bool = False

    def is_like(self, other: Placed) -> bool:
        """Whether one number is the other, perhaps rounded: 354.5M and 354,501,632."""
        one, two = self.quantity.size, other.quantity.size
        return abs(one - two) * 100 <= two


@dataclass
class Places:
    """The quantities of a page in its order, and those of each dimension."""

    all: list[Placed] = field(default_factory=list)
    _of: dict[Dimension, list[Placed]] = field(default_factory=lambda: defaultdict(list))
    _starts: dict[Dimension, list[int]] = field(default_factory=lambda: defaultdict(list))

    def add(self, placed: Placed) -> None:
        """Note a quantity behind all others."""
        self.all.append(placed)
        for dimension in placed.quantity.dimensions if not placed.quantity.kind else ():
            self._of[dimension].append(placed)
            self._starts[dimension].append(placed.quantity.start)

    def dimensions(self) -> list[Dimension]:
        """All that the quantities of the page may measure."""
        return list(self._of)

    def has(self, dimension: Dimension) -> bool:
        """Whether a quantity of the page measures this."""
        return dimension in self._of

    def near(self, claim: Placed, dimension: Dimension) -> Iterator[tuple[Placed, int]]:
        """The quantities of a dimension that one may follow from, the nearest first, each with how near it is."""
        found, starts = self._of.get(dimension, []), self._starts.get(dimension, [])
        at = bisect_left(starts, claim.quantity.start)
        counts, seen = [0, 0, 0], list[Placed]()
        for each in _outwards(found, at, claim):
            tier = _tier(each, claim)
            if tier is None or counts[tier] >= _MOST[tier] or each is claim or any(one.is_like(each) for one in seen):
                continue
            if tier == ABOVE and counts[HERE]:
                return
            counts[tier] += 1
            seen.append(each)
            fuller = (one for one in found[max(0, at - _ALIKE) : at] if one.stretch == each.stretch and one.is_like(each) and tier == ABOVE)
            yield max((each, *fuller), key=lambda one: one.quantity.literal.digits), tier


def _outwards(found: list[Placed], at: int, claim: Placed) -> Iterator[Placed]:
    """Those before a quantity in its stretch, then those behind it in it, then those above."""
    before = at - 1
    while before >= 0 and found[before].stretch == claim.stretch:
        yield found[before]
        before -= 1
    behind = at
    while behind < len(found) and found[behind].stretch == claim.stretch:
        yield found[behind]
        behind += 1
    yield from reversed(found[max(0, before - 40) : before + 1])
    yield from [each for each in found[behind : behind + _LINES] if each.block == claim.block and each.line > claim.line]


def _tier(each: Placed, claim: Placed) -> int | None:
    if each.stretch == claim.stretch:
        return HERE
    if each.block == claim.block:
        if claim.column >= 0:
            return HERE if each.in_head and each.column == claim.column else None
        return BESIDE if abs(claim.line - each.line) <= _LINES else None
    if each.column >= 0 and not (each.in_head or each.is_total):
        return None
    heads = each.section == claim.section[: len(each.section)]
    return ABOVE if heads or (not each.in_heading and claim.line - each.line <= _FAR) else None

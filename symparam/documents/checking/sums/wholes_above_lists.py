"""Judges a number above a list whose items add up to it: ``Attention (2,360,064 parameters)``, and below it its four matrices; that may be
an item with a list of its own.

Words need not say that it is a total, as a number of so many digits is not the sum of a list by chance; it is never called wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from fractions import Fraction

from symparam.core.message import message
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import MARKED, chance
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.checking.sums.sums import SumClaim
from symparam.documents.reading.parsed_document import ParsedLine
from symparam.documents.reading.source import Source
from symparam.documents.rules.rule import applies

_LEAST = 10_000  # A smaller number is the sum of some list by chance.
_FARTHEST = 8  # Lines between the number and the first item.
_MOST_PARTS = 40
_DIGITS = re.compile(r"\d(?:.*\d)?")  # Without the bracket and the words around them.


@dataclass
class WholeAboveList:
    """The numbers above lists that are still open, the outer ones first, each with the items below it so far that count the same."""

    _open: list[tuple[ListEntry, list[ListEntry]]] = field(default_factory=list)

    def line(self, line: ParsedLine, source: Source) -> None:
        """Take the one large number of a line that is no item as what the items below it may add up to."""
        sides = [side for chain in line.chains for side in chain.sides]
        large = [side for side in sides if isinstance(side.exact, int) and side.exact >= _LEAST]
        if line.line.kind == "item" or not large:
            return
        self._open = []
        if len(large) > 1 or any(chain.relations and chain.sides[-1] is large[0] for chain in line.chains):
            return
        (number,) = large
        digits = _DIGITS.search(source.text, number.start, number.end)
        if digits is not None:
            side, value = ClaimSide(number.formula, number.literals), Fraction(number.exact or 0)
            self._open = [(ListEntry("", digits[0], side, value, source.place(number.start)[0], *digits.span(), is_alone=True), [])]

    def add(self, entry: ListEntry) -> SumClaim | None:
        """Add an item. Returns the claim as soon as the items so far are the number of the line, or of the outer item, above them."""
        if not entry.is_item or entry.bound:
            return None
        while self._open and self._open[-1][0].is_item and self._open[-1][0].indent >= entry.indent:
            self._open.pop()
        claim = _sum(entry, *self._open[-1]) if self._open else None
        if claim is not None:
            self._open.pop()
        self._open.append((entry, []))
        return claim


def _sum(entry: ListEntry, whole: ListEntry, parts: list[ListEntry]) -> SumClaim | None:
    """The claim that the parts with this entry are the whole, if they are, and that is no chance."""
    first = parts[0] if parts else entry
    if len(parts) >= _MOST_PARTS or entry.indent != first.indent or first.line - whole.line > _FARTHEST:
        return None
    if entry.side.units != whole.side.units or whole.is_total:  # Words for a total are another rule's.
        return None
    parts.append(entry)
    total = sum((part.value for part in parts), Fraction(0))
    if len(parts) < 2 or total != whole.value or not applies("list-below-whole", whole.start):
        return None
    if chance(_shown(whole), map(_shown, parts), len(parts)) > MARKED:
        return None
    reason = message("parts-below", count=len(parts))
    return SumClaim(tuple(parts), whole, Judgement(Verdict.HOLDS, "sum", reason, total, whole.value, ("list-below-whole",)))


def _shown(entry: ListEntry) -> Fraction:
    """The number of an entry without its unit."""
    return Fraction(entry.side.literal.value) if entry.side.literal is not None else entry.value

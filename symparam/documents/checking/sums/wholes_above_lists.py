"""Judges a number above a list whose items add up to it: ``Attention (2,360,064 parameters)``, and below it its four matrices.

Words need not say that it is a total, as a number of so many digits is not the sum of a list by chance; it is never called wrong.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from symparam.core.message import message
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
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
    """The last number above a list, and the items of the list so far that count the same."""

    whole: ListEntry | None = None
    parts: tuple[ListEntry, ...] = ()

    def line(self, line: ParsedLine, source: Source) -> None:
        """Take the one large number of a line that is no item as what the items below it may add up to."""
        sides = [side for chain in line.chains for side in chain.sides]
        large = [side for side in sides if isinstance(side.exact, int) and side.exact >= _LEAST]
        if line.line.kind == "item" or not large:
            return
        self.whole, self.parts = None, ()
        if len(large) > 1 or any(chain.relations and chain.sides[-1] is large[0] for chain in line.chains):
            return
        (number,) = large
        digits = _DIGITS.search(source.text, number.start, number.end)
        if digits is not None:
            side, value = ClaimSide(number.formula, number.literals), Fraction(number.exact or 0)
            self.whole = ListEntry("", digits[0], side, value, source.place(number.start)[0], *digits.span(), is_alone=True)

    def add(self, entry: ListEntry) -> SumClaim | None:
        """Add an item. Returns the claim as soon as the items so far are the number."""
        whole, first = self.whole, self.parts[0] if self.parts else entry
        if whole is None or not entry.is_item or not entry.is_exact or entry.measured or len(self.parts) >= _MOST_PARTS:
            return None
        if entry.indent != first.indent or first.line - whole.line > _FARTHEST:
            return None
        self.parts += (entry,)
        total = sum(part.value for part in self.parts)
        if len(self.parts) < 2 or total != whole.value or not applies("list-below-whole", whole.start):
            return None
        self.whole = None
        reason = message("parts-below", count=len(self.parts))
        return SumClaim(self.parts, whole, Judgement(Verdict.HOLDS, "sum", reason, Fraction(total), whole.value, ("list-below-whole",)))

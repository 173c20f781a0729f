"""Judges a total above its parts: ``Total: 3,000``, and below it ``weights: 2,000`` and ``biases: 1,000``."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from symparam.core.message import message
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sums.sums import SumClaim
from symparam.documents.rules.rule import in_force

_VERY_CLOSE = Fraction(1, 100)


@dataclass
class TotalAboveParts:
    """A total above its parts, which are indented below it."""

    total: ListEntry
    parts: list[ListEntry] = field(default_factory=list)
    done: bool = False
    sums: list[Fraction] = field(default_factory=list)

    def add(self, entry: ListEntry) -> SumClaim | None:
        """Add a part. Returns the claim as soon as the parts so far equal the total."""
        found = entry.value + (self.sums[-1] if self.sums else 0)
        self.parts.append(entry)
        self.sums.append(found)
        if self.done or len(self.parts) < 2 or found != self.total.value or not in_force("total-above"):
            return None
        self.done = True
        judgement = Judgement(
            Verdict.HOLDS, "sum", message("parts-below", count=len(self.parts)), found, self.total.value, ("total-above",)
        )
        return SumClaim(tuple(self.parts), self.total, judgement)

    def close(self) -> SumClaim | None:
        """The wrong claim, if the parts come so close to the total that they must be meant."""
        if self.done or not in_force("total-above") or not self.total.is_exact or not all(part.is_exact for part in self.parts):
            return None
        for size in range(len(self.parts), 1, -1):
            found = self.sums[size - 1]
            if abs(found - self.total.value) <= _VERY_CLOSE * self.total.value and not self.total.is_rounded(found):
                reason = message("parts-below-to", count=size, total=found)
                wrong = Judgement(Verdict.WRONG, "wrong-sum", reason, found, self.total.value, ("total-above",))
                return SumClaim(tuple(self.parts[:size]), self.total, wrong)
        return None

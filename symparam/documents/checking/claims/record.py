"""The claims of a document judged so far, each with its place and in its author's words."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace

from symparam.core.formula import Formula
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.claims.unit_consistency import proven_sense
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.reading.source import Source

_RECENT = 60  # The last claims, searched for one on a number.


@dataclass
class Record:
    """``judged`` are the claims of the source, in the order in which they were judged."""

    source: Source
    judged: list[JudgedClaim] = field(default_factory=list)
    _reached: int = 0  # The end of the claim that goes furthest: most numbers stand behind all claims so far.

    @property
    def text(self) -> str:
        """The text of the document."""
        return self.source.text

    def text_of(self, side: Expression) -> str:
        """The side as its author wrote it."""
        return self.text[side.start : side.end]

    def add(
        self, place: tuple[int, int, int], left: str, right: str, relation: str, judgement: Judgement,
        formulas: tuple[Formula | None, Formula | None] = (None, None), parts: tuple[ListEntry, ...] = (),
    ) -> None:  # fmt: skip
        """Record a judged claim; ``place`` is its start and end, and the start of the stated side."""
        start, end, right_start = place
        start = min(start, right_start)
        finding = Finding(
            start, end, right_start, self.text[start:end], left, right, relation, judgement.verdict, judgement.code, judgement.reason,
            judged_by=judgement.rules,
        )  # fmt: skip
        claim = JudgedClaim(
            finding, *formulas, parts, judgement.right, judgement.left,
            rounded=judgement.rounded, otherwise=judgement.otherwise, lacking=judgement.lacking,
        )  # fmt: skip
        self.take([claim])

    def take(self, claims: Iterable[JudgedClaim]) -> None:
        """Record claims that were judged elsewhere."""
        for each in claims:
            self.judged.append(each)
            self._reached = max(self._reached, each.finding.end, each.finding.right_start + 1)

    def forget_undecided(self, places: Set[int]) -> None:
        """Forget the claims without a verdict on the numbers that begin at these places."""
        kept = (each for each in self.judged if each.finding.verdict is not Verdict.UNDECIDED or each.finding.right_start not in places)
        self.judged = list(kept)

    def is_stated_at(self, place: int) -> bool:
        """Whether one of the last claims is on the number that begins at a place."""
        return place < self._reached and any(each.finding.right_start == place for each in self.judged[-_RECENT:])

    def is_judged_at(self, place: int) -> bool:
        """Whether one of the last claims is on the number that begins at a place, or has it inside."""
        inside = (each.finding.start < place < each.finding.end for each in self.judged[-_RECENT:])
        return place < self._reached and (self.is_stated_at(place) or any(inside))

    def add_link(self, left: Expression, right: Expression, sign: str, judgement: Judgement, written: str = "") -> None:
        """Record a judged ``left sign right``; ``written`` is the text of the left side if it differs from the text on the page."""
        place = (left.start, right.end, right.start)
        self.add(place, written or self.text_of(left), self.text_of(right), sign, judgement, (in_numbers(left), in_numbers(right)))
        if judgement.verdict is Verdict.HOLDS and not left.letters | right.letters and (unit := proven_sense(left, right, sign)):
            self.judged[-1] = replace(self.judged[-1], unit=unit)

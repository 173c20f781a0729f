"""What the checker says of a document: one `Finding` for each claim, with a verdict, a stable code, and the gap where it is wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from symparam.gaps.gap import Gap
from symparam.reading.source import Source


class Verdict(StrEnum):
    """The four verdicts. Only what is proven wrong is `WRONG`."""

    HOLDS = "holds"
    WRONG = "wrong"
    UNDECIDED = "undecided"
    NOT_READ = "not-read"


CODES: dict[str, str] = {
    # What holds, and how exactly.
    "exact": "both sides are the same number",
    "rounded": "the stated number is the exact one rounded to the digits that are shown",
    "truncated": "the stated number is the exact one cut off after the digits that are shown",
    "about": "the stated number is within one per cent, and the text says that it is approximate",
    "unit": "it holds with the unit read in one of its usual senses, which the message names",
    "typography": "it holds as its author meant it: a superscript or a sign was lost on the way to this page",
    "proven": "both sides are the same formula",
    "sum": "the parts add up to the stated total",
    "total": "the stated total is that of the architecture",
    # What is wrong.
    "wrong-number": "the two sides are different numbers",
    "wrong-rounding": "the stated number is not the exact one at the digits that are shown",
    "wrong-formula": "the two sides are different formulas",
    "wrong-value": "the formula gives another number with the values that the document states",
    "wrong-sum": "the parts add up to another number or formula than the stated total",
    "wrong-total": "the architecture comes to another total",
    "expected": "the document says that there is a wrong line here, and there is none",
    # What cannot be decided.
    "no-value": "a letter has no value here, so a formula and a number cannot be compared",
    "several-values": "the document gives a letter several values, and the line holds with none of them that is meant for sure",
    "several-meanings": "one letter stands for different sizes",
    "unclear": "where the expression begins or ends, or what belongs to it, is not clear from the text",
    "no-meaning": "the expression has no exact rational value, as it divides by zero or takes a root",
    "too-large": "the numbers or the formula are too large to be worked out",
    # What cannot be read.
    "unreadable": "something in the expression cannot be read",
    "too-long": "the line is too long to be read",
}
"""Every code of a finding and what it means. Codes are stable: they stand in documents and in other people's scripts."""


@dataclass(frozen=True)
class Finding:
    """What is said of one claim: ``left relation right``, each as the author wrote it.

    ``start`` and ``end`` are offsets in the text of the source, ``code`` one of `CODES`, ``message`` one sentence with the reason,
    ``remedy`` what to do about it (or empty). ``right_start`` is the offset at which the stated side stands, which the report marks.
    ``ignored`` says that the document asks not to be told.
    """

    start: int
    end: int
    right_start: int
    text: str
    left: str
    right: str
    relation: str
    verdict: Verdict
    code: str
    message: str
    remedy: str = ""
    gap: Gap | None = None
    ignored: bool = False


@dataclass(frozen=True)
class CheckedDocument:
    """A document with what is said of each of its claims, in the order of the page. ``notes`` are about the document as a whole."""

    source: Source
    findings: tuple[Finding, ...]
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Counter[Verdict]:
        """How many findings there are of each verdict, ignored ones left out."""
        return Counter(finding.verdict for finding in self.findings if not finding.ignored)

    @property
    def wrong(self) -> tuple[Finding, ...]:
        """The findings that call for a change."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.WRONG and not finding.ignored)

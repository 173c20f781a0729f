"""The result of checking a document: one `Finding` for each claim, with a verdict, a stable code, and for a wrong claim the gap."""

from __future__ import annotations

from collections import Counter
from dataclasses import field
from enum import StrEnum

from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.gaps.gap import Gap
from symparam.documents.reading.source import Source
from symparam.documents.rules.registry import BY_MESSAGE
from symparam.documents.rules.rule import AppliedRules, named_in


class Verdict(StrEnum):
    """The four verdicts. A claim is `WRONG` only if it is proven wrong."""

    HOLDS = "holds"
    WRONG = "wrong"
    UNDECIDED = "undecided"
    NOT_READ = "not-read"


CODES = (
    # Codes of claims that hold, by how exactly they do.
    "exact",
    "rounded",
    "truncated",
    "about",
    "unit",
    "typography",
    "proven",
    "sum",
    "total",
    "component",
    # Codes of wrong claims.
    "wrong-number",
    "wrong-rounding",
    "wrong-formula",
    "wrong-value",
    "wrong-sum",
    "wrong-total",
    "wrong-component",
    "expected",
    # Codes of undecided claims.
    "no-value",
    "several-values",
    "several-meanings",
    "unclear",
    "unclear-subject",
    "unclear-rounding",
    "open-component",
    "not-judged",
    "no-equation",
    "no-meaning",
    "too-large",
    # Codes of claims that cannot be read.
    "unreadable",
    "too-long",
)
"""Every code of a finding. Codes are stable, as documents and other people's scripts contain them."""


@frozen
class Finding:
    """The finding on one claim: ``left relation right``, each as the author wrote it.

    ``start`` and ``end`` are offsets in the source, ``code`` is one of `CODES`, and ``reason`` explains the verdict. ``right_start`` is the
    offset of the stated side, which the report marks. ``ignored`` says that the document suppresses the finding. A side that is not on the
    page, such as the parameters of a model, is a message. ``judged_by`` are the rules behind the verdict that the reason does not name.
    """

    start: int
    end: int
    right_start: int
    text: str
    left: str | Message
    right: str
    relation: str
    verdict: Verdict
    code: str
    reason: Message
    gap: Gap | None = None
    ignored: bool = False
    judged_by: tuple[str, ...] = ()


@frozen
class CheckedDocument:
    """A document with the findings on its claims, in the order of the page. ``language`` is the one it requests for its report,
    if any, ``applied`` records which rules of reading were applied where, and ``remarks`` are about the document as a whole.
    """

    source: Source
    findings: tuple[Finding, ...]
    language: str = ""
    applied: AppliedRules = field(default_factory=AppliedRules)
    remarks: tuple[Message, ...] = ()

    def rules(self, finding: Finding) -> tuple[str, ...]:
        """The rules behind the verdict of a finding: those applied to its stretch of the page, and those that its reason names."""
        said = set(finding.judged_by) | {BY_MESSAGE[kind] for kind in named_in(finding.reason) if kind in BY_MESSAGE}
        return tuple(sorted(said | self.applied.between(finding.start, finding.end)))

    @property
    def counts(self) -> Counter[Verdict]:
        """The number of findings with each verdict, without ignored ones."""
        return Counter(finding.verdict for finding in self.findings if not finding.ignored)

    @property
    def wrong(self) -> tuple[Finding, ...]:
        """The wrong findings that are not ignored, which call for a change."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.WRONG and not finding.ignored)

"""Puts findings into the words of a language, once for all formats."""

from __future__ import annotations

from dataclasses import fields

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.documents.checking.finding import CheckedDocument, Finding, Verdict
from symparam.documents.gaps.gap import Cause, Gap
from symparam.writing.wording import Wording


@frozen
class WordedCause(Cause):
    """A cause; ``what`` says it in words, such as ``missing: the LM head (lm_head.weight)`` or ``line 41 is left out``."""

    what: str = ""


@frozen
class WordedGap(Gap):
    """A gap whose causes are in words."""

    explained_by: tuple[WordedCause, ...] = ()
    others: tuple[tuple[WordedCause, ...], ...] = ()


@frozen
class WordedFinding(Finding):
    """A finding in words; ``message`` is one sentence with the reason, ``remedy`` says what to do about it (or is empty)."""

    left: str
    gap: WordedGap | None = None
    message: str = ""
    remedy: str = ""


@frozen
class WordedDocument(CheckedDocument):
    """A checked document whose findings are in words; ``notes`` are the sentences of its ``remarks``."""

    findings: tuple[WordedFinding, ...] = ()
    language: str = "en"
    notes: tuple[str, ...] = ()

    @property
    def wrong(self) -> tuple[WordedFinding, ...]:
        """The findings that call for a change."""
        return tuple(finding for finding in self.findings if finding.verdict is Verdict.WRONG and not finding.ignored)


def in_words(document: CheckedDocument, wording: Wording) -> WordedDocument:
    """The document with its findings in words; the language is that of the wording."""
    findings = tuple(_finding(each, wording) for each in document.findings)
    notes = tuple(map(wording.say, document.remarks))
    return WordedDocument(document.source, findings, wording.words.language, document.applied, document.remarks, notes)


def gap_in_words(gap: Gap, wording: Wording) -> WordedGap:
    """The gap with its causes in words."""
    others = tuple(tuple(_cause(each, wording) for each in causes) for causes in gap.others)
    return WordedGap(gap.value, gap.formula, tuple(_cause(each, wording) for each in gap.explained_by), others, gap.unit, gap.last_digit)


def _cause(cause: Cause, wording: Wording) -> WordedCause:
    return WordedCause(cause.reason, cause.value, cause.formula, wording.say(cause.reason))


def _finding(finding: Finding, wording: Wording) -> WordedFinding:
    left = wording.say(finding.left) if isinstance(finding.left, Message) else finding.left
    slipped = finding.code == "wrong-rounding" and finding.gap is not None and finding.gap.explained_by  # Rounding is not what is wrong.
    remedy = wording.words.messages.get("remedy-wrong-number" if slipped else f"remedy-{finding.code}", "")
    gap = None if finding.gap is None else gap_in_words(finding.gap, wording)
    return WordedFinding(**{**_fields(finding), "left": left, "gap": gap}, message=wording.say(finding.reason), remedy=remedy)


def _fields(finding: Finding) -> JsonObject:
    return {name: getattr(finding, name) for name in _FIELDS}


_FIELDS = tuple(field.name for field in fields(Finding))

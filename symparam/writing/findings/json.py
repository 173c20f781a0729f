"""Writes findings as JSON. The keys below are stable and always present, in this order; later versions may append further ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from fractions import Fraction

from symparam.core.formula import Formula, write
from symparam.core.json_types import JsonObject
from symparam.core.notation import Notation
from symparam.documents.checking.finding import Verdict
from symparam.documents.message import Argument, Message, Modules
from symparam.writing.findings.gaps import number
from symparam.writing.findings.worded import WordedCause, WordedDocument, WordedFinding, WordedGap
from symparam.writing.wording import ENGLISH, Wording

_WRITABLE_BITS = 10_000  # Python and other readers refuse whole numbers of some thousand digits.


def report(documents: tuple[WordedDocument, ...], wording: Wording = ENGLISH, unreadable: tuple[str, ...] = ()) -> JsonObject:
    """One object for a run.

    ``files`` has one for each document: ``file``, ``claims`` and ``notes``. A claim has ``line``, ``column``, ``end_line`` and
    ``end_column`` (from 1, in characters, the end one behind the last), ``text``, ``left``, ``right``, ``relation``, ``verdict``, ``code``,
    ``message``, ``gap``, ``remedy``, ``ignored``, ``reason`` and ``rules``, the names of those that made the verdict. A gap is null or
    has ``value`` (stated minus right), ``formula``,
    ``explained_by`` and ``others``, lists of causes with ``what``, ``formula``, ``value`` and ``reason``. A reason is what a message or a
    cause says as data: its ``kind``, and what it is about, by name. Whole numbers are integers, fractions strings such as ``"7/3"``,
    formulas the text that symparam writes and reads.
    ``summary`` counts files and claims, ignored ones under ``ignored`` alone, and has the sentences about files that could not be read.
    """
    counts = sum((document.counts for document in documents), Counter[Verdict]())
    claims = sum(len(document.findings) for document in documents)
    return {
        "files": [
            {
                "file": encodable(document.source.name),
                "claims": [_claim(finding, document, wording.notation) for finding in document.findings],
                "notes": [*document.notes],
            }
            for document in documents
        ],
        "summary": {
            "files": len(documents),
            "claims": claims,
            **{verdict.value: counts[verdict] for verdict in Verdict},
            "ignored": claims - counts.total(),
            "unreadable": [*map(encodable, unreadable)],
        },
    }


def encodable(name: str) -> str:
    """The name of a file without lone surrogates, by which Python represents undecodable bytes, and which JSON must not contain."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _claim(finding: WordedFinding, document: WordedDocument, notation: Notation) -> JsonObject:
    source = document.source
    line, column = source.place(finding.start)
    end_line, end_column = source.place(max(finding.start, finding.end - 1))
    return {
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column + 1,
        "text": finding.text,
        "left": finding.left,
        "right": finding.right,
        "relation": finding.relation,
        "verdict": finding.verdict.value,
        "code": finding.code,
        "message": finding.message,
        "gap": None if finding.gap is None else _gap(finding.gap, notation),
        "remedy": finding.remedy,
        "ignored": finding.ignored,
        "reason": _message(finding.reason, notation),
        "rules": [*document.rules(finding)],
    }


def _gap(gap: WordedGap, notation: Notation) -> JsonObject:
    return {
        "value": _number(gap.value),
        "formula": _formula(gap.formula, notation),
        "explained_by": [_cause(cause, notation) for cause in gap.explained_by],
        "others": [[_cause(cause, notation) for cause in causes] for causes in gap.others],
    }


def _cause(cause: WordedCause, notation: Notation) -> JsonObject:
    return {
        "what": cause.what,
        "formula": _formula(cause.formula, notation),
        "value": _number(cause.value),
        "reason": _message(cause.reason, notation),
    }


def _message(message: Message, notation: Notation) -> JsonObject:
    return {"kind": message.kind, **{name: _argument(value, notation) for name, value in message.about}}


def _argument(value: Argument, notation: Notation) -> object:
    match value:
        case Message():
            return _message(value, notation)
        case Modules():
            return {field.name: _argument(getattr(value, field.name), notation) for field in fields(value)}
        case Formula():
            return _formula(value, notation)
        case tuple():
            return [_argument(each, notation) for each in value]
        case bool() | str():
            return value
    return _number(value)


def _formula(formula: Formula | None, notation: Notation) -> str | None:
    return None if formula is None else write(formula, notation)


def _number(value: int | Fraction | None) -> int | str | None:
    if value is None:
        return None
    if max(abs(value.numerator), value.denominator).bit_length() > _WRITABLE_BITS:
        return number(value, ENGLISH)
    return int(value) if value.denominator == 1 else str(value)

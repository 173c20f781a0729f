"""Writes findings as JSON. The keys below are stable and always present, in this order; later versions may append further ones."""

from __future__ import annotations

from collections import Counter

from symparam.core.json_types import JsonObject
from symparam.core.notation import Notation
from symparam.documents.checking.finding import Verdict
from symparam.writing.findings.worded import WordedCause, WordedDocument, WordedFinding, WordedGap
from symparam.writing.message_data import as_data, formula_text, number_data
from symparam.writing.wording import ENGLISH, Wording


def report(documents: tuple[WordedDocument, ...], wording: Wording = ENGLISH, unreadable: tuple[str, ...] = ()) -> JsonObject:
    """One object for a run.

    ``files`` has one for each document: ``file``, ``claims``, ``notes``, and ``remarks``, the notes as data. A claim has ``line``,
    ``column``, ``end_line`` and ``end_column`` (from 1, in characters, the end one past the last), ``text``, ``left``, ``right``,
    ``relation``, ``verdict``, ``code``, ``message``, ``gap``, ``remedy``, ``ignored``, ``reason`` and ``rules``, the names of those that
    made the verdict. A gap is null or has ``value`` (stated minus right), its ``unit`` (empty if it is a plain number), ``formula``,
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
                "remarks": [as_data(each, wording.notation) for each in document.remarks],
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
    line, column = source.place_in_file(finding.start)
    end_line, end_column = source.place_in_file(max(finding.start, finding.end - 1))
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
        "reason": as_data(finding.reason, notation),
        "rules": [*document.rules(finding)],
    }


def _gap(gap: WordedGap, notation: Notation) -> JsonObject:
    return {
        "value": number_data(gap.value),
        "unit": gap.unit,
        "formula": formula_text(gap.formula, notation),
        "explained_by": [_cause(cause, notation) for cause in gap.explained_by],
        "others": [[_cause(cause, notation) for cause in causes] for causes in gap.others],
    }


def _cause(cause: WordedCause, notation: Notation) -> JsonObject:
    return {
        "what": cause.what,
        "formula": formula_text(cause.formula, notation),
        "value": number_data(cause.value),
        "reason": as_data(cause.reason, notation),
    }

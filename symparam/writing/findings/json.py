"""Findings as JSON. The keys below are stable and always there, in this order; further ones may come to be added behind them."""

from __future__ import annotations

import json
import re
from collections import Counter
from fractions import Fraction
from typing import Any

from symparam.alphabets import STANDARD, Alphabet
from symparam.checking.finding import CheckedDocument, Finding, Verdict
from symparam.formula import Formula, write
from symparam.gaps.gap import Cause, Gap
from symparam.notation import UNICODE, Notation
from symparam.reading.source import Source
from symparam.writing.findings.gaps import number
from symparam.writing.json import dumps as written

_OBEYED = re.compile("[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_WRITABLE_BITS = 10_000  # Python and other readers refuse whole numbers of some thousand digits.


def report(documents: tuple[CheckedDocument, ...], unreadable: tuple[str, ...] = (), alphabet: Alphabet = STANDARD) -> dict[str, Any]:
    """One object for a run.

    ``files`` has one for each document: ``file``, ``claims`` and ``notes``. A claim has ``line``, ``column``, ``end_line`` and
    ``end_column`` (from 1, in characters, the end one behind the last), ``text``, ``left``, ``right``, ``relation``, ``verdict``, ``code``,
    ``message``, ``gap``, ``remedy`` and ``ignored``. A gap is null or has ``value`` (stated minus right), ``formula``, ``explained_by`` and
    ``others``; whole numbers are integers, fractions strings such as ``"7/3"``, formulas the text that symparam writes and reads.
    ``summary`` counts files and claims, ignored ones under ``ignored`` alone, and has the sentences about files that could not be read.
    """
    notation = UNICODE.using(alphabet)
    counts = sum((document.counts for document in documents), Counter[Verdict]())
    claims = sum(len(document.findings) for document in documents)
    return {
        "files": [
            {
                "file": encodable(document.source.name),
                "claims": [_claim(finding, document.source, notation) for finding in document.findings],
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


def dumps(value: dict[str, Any]) -> str:
    """The object as text. What a terminal would obey, or not show, is escaped also where JSON does not ask for it."""
    return _OBEYED.sub(lambda match: json.dumps(match[0])[1:-1], written(value))


def encodable(name: str) -> str:
    """The name of a file without the lone surrogates by which Python keeps bytes that are no text, and which no JSON may hold."""
    return name.encode("utf-8", "backslashreplace").decode("utf-8")


def _claim(finding: Finding, source: Source, notation: Notation) -> dict[str, Any]:
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
    }


def _gap(gap: Gap, notation: Notation) -> dict[str, Any]:
    return {
        "value": _number(gap.value),
        "formula": _formula(gap.formula, notation),
        "explained_by": [_cause(cause, notation) for cause in gap.explained_by],
        "others": [[_cause(cause, notation) for cause in causes] for causes in gap.others],
    }


def _cause(cause: Cause, notation: Notation) -> dict[str, Any]:
    return {"what": cause.what, "formula": _formula(cause.formula, notation), "value": _number(cause.value)}


def _formula(formula: Formula | None, notation: Notation) -> str | None:
    return None if formula is None else write(formula, notation)


def _number(value: int | Fraction | None) -> int | str | None:
    if value is None:
        return None
    if max(abs(value.numerator), value.denominator).bit_length() > _WRITABLE_BITS:
        return number(value, UNICODE)
    return int(value) if value.denominator == 1 else str(value)

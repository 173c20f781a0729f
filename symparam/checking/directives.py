"""Remarks to the checker in a document: findings that are not wanted, and wrong lines that stand there on purpose.

``symparam: ignore`` in a comment is about its own line, or about the next one if nothing else stands on it; ``symparam: expect CODE`` says
that there is a finding with that code, as a document about mistakes has, and it is an error if there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from symparam.checking.finding import CODES, Finding, Verdict
from symparam.errors import DocumentError, UnknownNameError
from symparam.reading.source import Source

_DIRECTIVE = re.compile(r"(?:<!--|%|//|#|\[//\]: *#|\{#|;)[^\S\n]*\(?\"?symparam:[^\S\n]*(\w+)([^\n]*)")
_CODE = re.compile(r"[a-z]+(?:-[a-z]+)*")
_REST = re.compile(r"-->.*|#\}.*|[\")].*")


@dataclass(frozen=True)
class Directive:
    """``expect`` or ``ignore`` for the lines from ``first`` to ``last``; no codes stand for all."""

    kind: str
    codes: frozenset[str]
    start: int
    end: int
    lines: range


def directives(source: Source) -> list[Directive]:
    """The remarks of a document. Raises `DocumentError` for one that says something else, with its line."""
    return list(_found(source)) if "symparam:" in source.text else []


def _found(source: Source) -> Iterator[Directive]:
    for match in _DIRECTIVE.finditer(source.text):
        line, column = source.place(match.start())
        kind = match[1]
        if kind not in ("ignore", "expect"):
            raise DocumentError(f"{source.name}:{line}:{column}: {kind!r} is said to symparam; 'ignore' or 'expect' and codes are expected")
        codes = frozenset(_CODE.findall(_REST.sub("", match[2])))
        for code in codes - CODES.keys():
            raise DocumentError(f"{source.name}:{line}:{column}: {UnknownNameError('code', code, CODES)}")
        if kind == "expect" and not codes:
            raise DocumentError(f"{source.name}:{line}:{column}: the code that is expected is missing, as in 'symparam: expect wrong-sum'")
        alone = not source.line(line)[: column - 1].strip()
        yield Directive(kind, codes, match.start(), match.end(), _about(source, line + 1) if alone else range(line, line + 1))


def _about(source: Source, line: int) -> range:
    """The next lines that say something: up to the first that is not blank, or to the end of a displayed formula or code that begins."""
    last = source.place(len(source.text))[0]
    while line < last and not source.line(line).strip():
        line += 1
    opening = source.line(line).strip()
    end = line
    if opening.startswith(("```", "~~~", "$$", "\\[", "\\begin")):
        end += 1
        while end < last and source.line(end).strip():
            end += 1
    return range(line, end + 1)


def applied(source: Source, found: Sequence[Finding], ignored_codes: frozenset[str]) -> list[Finding]:
    """The findings with those marked that the document does not want, and with one more for each expected finding that there is not."""
    remarks = directives(source)
    marked = [
        replace(finding, ignored=finding.code in ignored_codes or any(_meets(source, each, finding) for each in remarks))
        for finding in found
    ]
    missing = [
        Finding(
            each.start,
            each.end,
            each.start,
            source.text[each.start : each.end],
            "",
            "",
            "",
            Verdict.WRONG,
            "expected",
            f"the remark expects {', '.join(sorted(each.codes))} here, and there is no such finding",
        )
        for each in remarks
        if each.kind == "expect"
        and not all(any(_meets(source, each, finding) and finding.code == code for finding in found) for code in each.codes)
    ]
    return [*marked, *missing]


def _meets(source: Source, directive: Directive, finding: Finding) -> bool:
    first, last = source.place(finding.start)[0], source.place(max(finding.start, finding.end - 1))[0]
    here = first < directive.lines.stop and last >= directive.lines.start
    return here and (not directive.codes or finding.code in directive.codes)

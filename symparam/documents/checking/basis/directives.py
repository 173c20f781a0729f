"""Remarks to the checker in a document: they suppress findings, and mark lines that are wrong on purpose.

``symparam: ignore`` in a comment applies to its own line, or, if it is alone on its line, to what follows: a line, or a whole table,
displayed formula or block of code. ``symparam: expect CODE`` says that there is a finding with that code, as in a document about mistakes;
it is an error if there is none. ``symparam: without RULE`` switches a rule off for the same stretch, and ``symparam: measure NAME`` says
what its numbers count.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.finding import CODES, Finding, Verdict
from symparam.documents.reading.source import Source
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.documents.rules.registry import RULES
from symparam.errors import DocumentError, UnknownNameError

_DIRECTIVE = re.compile(r"(?:<!--|%|//|#|\[//\]: *#|\{#|;)[^\S\n]*\(?\"?symparam:[^\S\n]*(\w+)([^\n]*)")
ASKED = (
    "derive", "explain", "count", "draw", "explore", "tensors", "compare", "published", "crossover", "solve", "sweep", "analyze", "budget",
    "list", "rules", "letters",
)  # fmt: skip
"""Words in comments that address symparam but not the checker: the commands that fill a marked place of a page."""

STATED = ("measure", "convention")
_CODE = re.compile(r"[a-z]+(?:-[a-z]+)*")
_REST = re.compile(r"-->.*|#\}.*|[\")].*")
_BEHIND = re.compile(r"(?<=[^\s{])[^\S\n]*(?:%|//|#|;)[^\S\n]*symparam:[^\n]*")  # Comment marks that are also signs or units.
_COMMENT = ("<!--", "-->")
_VISIBLE = re.compile(r"[^\n]")
_BLOCKS = {"```": "```", "~~~": "~~~", "$$": "$$", "\\[": "\\]", "<table": "</table"}
_ENVIRONMENT = re.compile(r"\\begin(\{[^{}]*\})")


@frozen
class Directive:
    """``expect``, ``ignore``, ``without`` or ``measure`` for the lines from ``first`` to ``last``; an empty list of codes means all."""

    kind: str
    codes: frozenset[str]
    start: int
    end: int
    lines: range


def directives(source: Source) -> list[Directive]:
    """The remarks of a document. Raises `DocumentError`, with the line, for a remark that cannot be understood."""
    return list(_found(source)) if "symparam:" in source.text else []


def rules_switched_off(source: Source) -> tuple[tuple[int, int, frozenset[str]], ...]:
    """The stretches in which remarks switch rules off: the start and end of each, and the rules."""
    found = (each for each in directives(source) if each.kind == "without")
    return tuple((source.offset(each.lines.start), source.offset(each.lines.stop), each.codes) for each in found)


def stated_measures(source: Source) -> tuple[tuple[int, int, StatedMeasure], ...]:
    """The stretches for which remarks state a measure or a convention: the start and end of each, and what is stated."""
    found = (each for each in directives(source) if each.kind in STATED)
    return tuple((source.offset(each.lines.start), source.offset(each.lines.stop), _stated(each.kind, min(each.codes))) for each in found)


def _stated(kind: str, name: str) -> StatedMeasure:
    return StatedMeasure(**{kind: name})


def without_remarks(source: Source) -> Source:
    """The document without its comments, and without remarks at ends of lines, since ``= 7 % symparam: ignore`` is not a percentage.
    Spaces take their place, so that offsets stay the same.
    """
    text = "".join(_without_comments(source.text)) if _COMMENT[0] in source.text else source.text
    if "symparam:" in text:
        text = _BEHIND.sub(lambda match: " " * len(match[0]), text)
    return source if text is source.text else replace(source, text=text)


def _without_comments(text: str) -> Iterator[str]:
    """The pieces of the text, with spaces in place of comments, which readers of the page do not see; a remark to symparam stays."""
    at, (opening, closing) = 0, _COMMENT
    while (begin := text.find(opening, at)) >= 0 and (end := text.find(closing, begin + len(opening))) >= 0:
        end += len(closing)
        comment = text[begin:end]
        yield text[at:begin]
        yield comment if "symparam:" in comment else _VISIBLE.sub(" ", comment)
        at = end
    yield text[at:]


def _found(source: Source) -> Iterator[Directive]:
    for match in _DIRECTIVE.finditer(source.text):
        line, column = source.place(match.start())
        kind = match[1]
        if kind in ASKED:
            continue
        if kind not in ("ignore", "expect", "without", *STATED):
            wanted = "'ignore' or 'expect' and codes, 'without' and rules, or 'measure' or 'convention' and a name, are expected"
            raise DocumentError(f"{source.name}:{line}:{column}: {kind!r} is addressed to symparam; {wanted}")
        codes = _CODE.findall(_REST.sub("", match[2]))
        if kind in STATED:
            try:
                _stated(kind, codes[0] if len(codes) == 1 else match[2].strip()[:40]).check()
            except UnknownNameError as error:
                raise DocumentError(f"{source.name}:{line}:{column}: {error}") from None
        known = codes if kind in STATED else RULES if kind == "without" else CODES
        unknown = next((code for code in codes if code not in known), None)
        if unknown is not None:
            what = "rule" if kind == "without" else "code"
            raise DocumentError(f"{source.name}:{line}:{column}: {UnknownNameError(what, unknown, known)}")
        if kind != "ignore" and not codes:
            missing = "rule to switch off" if kind == "without" else "code that is expected"
            example = "without noun" if kind == "without" else "expect wrong-sum"
            raise DocumentError(f"{source.name}:{line}:{column}: the {missing} is missing, as in 'symparam: {example}'")
        alone = not source.line(line)[: column - 1].strip()
        yield Directive(kind, frozenset(codes), match.start(), match.end(), _about(source, line + 1) if alone else range(line, line + 1))


def _about(source: Source, line: int) -> range:
    """The lines that a remark applies to: the next line, or a whole table, displayed formula or block of code, up to the next remark."""
    last = source.place(len(source.text))[0]
    while line < last and not source.line(line).strip():
        line += 1
    opening = source.line(line).strip() if line <= last else ""
    mark = next((mark for mark in _BLOCKS if opening.startswith(mark)), "")
    environment = _ENVIRONMENT.match(opening)
    closing = "\\end" + environment[1] if environment else _BLOCKS.get(mark, "")
    end = line
    if opening.startswith("|"):
        while end < last and source.line(end + 1).lstrip().startswith("|"):
            end += 1
    elif closing and closing not in opening[len(mark) :]:
        while end < last and "symparam:" not in source.line(end + 1):
            end += 1
            if closing in source.line(end):
                break
    return range(line, end + 1)


def with_directives(source: Source, found: Sequence[Finding], ignored_codes: frozenset[str]) -> list[Finding]:
    """The findings, marked if the document ignores them, with one more for each expected finding that is missing."""
    remarks = [each for each in directives(source) if each.kind in ("ignore", "expect")]
    if not remarks and not ignored_codes:
        return list(found)
    about: dict[int, list[Directive]] = {}
    for each in remarks:
        for line in each.lines:
            about.setdefault(line, []).append(each)
    marked: list[Finding] = []
    met: set[tuple[Directive, str]] = set()
    for finding in found:
        here = [each for line in _lines(source, finding) for each in about.get(line, ())]
        meant = [each for each in here if not each.codes or finding.code in each.codes]
        met |= {(each, finding.code) for each in meant}
        marked.append(replace(finding, ignored=finding.code in ignored_codes or bool(meant)))
    return [*marked, *(missing for each in remarks for missing in _missing(source, each, met))]


def _missing(source: Source, remark: Directive, met: Set[tuple[Directive, str]]) -> Iterator[Finding]:
    """The finding on a remark whose expected finding is missing."""
    codes = sorted(code for code in remark.codes if (remark, code) not in met)
    if remark.kind == "expect" and codes:
        reason = message("not-found", codes=tuple(codes))
        text = source.text[remark.start : remark.end]
        yield Finding(remark.start, remark.end, remark.start, text, "", "", "", Verdict.WRONG, "expected", reason)


def _lines(source: Source, finding: Finding) -> range:
    return range(source.place(finding.start)[0], source.place(max(finding.start, finding.end - 1))[0] + 1)

"""The report that people read: the author's line with the place marked, the reason, the gap and the remedy, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from symparam.alphabets import STANDARD, Alphabet
from symparam.checking.finding import CODES, CheckedDocument, Finding, Verdict
from symparam.notation import ASCII, UNICODE, Notation
from symparam.writing.findings.excerpt import excerpt, shown
from symparam.writing.findings.gaps import difference, listed

REMARKABLE = frozenset({"unit", "truncated", "about", "typography", "several-meanings"})
"""Codes of what holds in a sense that its author may want to know of."""

_REMARKS = 10  # For each file, without --verbose.
_REASONS = 5
_WIDTH = 120  # Of the author's lines where no terminal sets a limit.
_NARROWEST = 20
_STYLES: dict[str, dict[str, str | bool]] = {
    "place": {"bold": True},
    "wrong": {"fg": "red", "bold": True},
    "gutter": {"fg": "blue", "bold": True},
    "note": {"fg": "cyan"},
    "holds": {"fg": "green"},
    "undecided": {"fg": "yellow"},
    "not-read": {"fg": "yellow"},
}


@dataclass(frozen=True)
class Look:
    """How the report is to look: columns of the terminal (0 without one), what it can show, how much is told, in whose letters."""

    width: int = 0
    encoding: str = "utf-8"
    verbose: bool = False
    color: bool = False
    alphabet: Alphabet = STANDARD

    @property
    def notation(self) -> Notation:
        return (UNICODE if shown("×−²", self.encoding) == "×−²" else ASCII).using(self.alphabet)

    def text(self, words: str, style: str = "") -> str:
        """Words as the terminal can show them, in a style of the report."""
        safe = shown(words, self.encoding)
        if not self.color or not style:
            return safe
        import typer

        return typer.style(safe, **_STYLES[style])  # type: ignore[arg-type]


PLAIN = Look()


def report(documents: tuple[CheckedDocument, ...], look: Look = PLAIN, unreadable: tuple[str, ...] = ()) -> str:
    """What is wrong, file by file; remarks on what holds; what was not decided and why; the counts."""
    blocks = [block for document in documents for block in _file(document, look)]
    reasons = _reasons(documents, look)
    if reasons:
        blocks.append("\n".join(reasons))
    ending = [_counted(document, look) for document in documents] if len(documents) > 1 else []
    blocks.append("\n".join([*ending, look.text(summary(documents, len(unreadable)), "place")]))
    return "\n\n".join(blocks) + "\n"


def summary(documents: tuple[CheckedDocument, ...], unreadable: int = 0) -> str:
    """``3 files: 41 claims hold, 2 are wrong, 5 are undecided, 1 is not read``, on one line."""
    counts = sum((document.counts for document in documents), Counter[Verdict]())
    ignored = sum(finding.ignored for document in documents for finding in document.findings)
    said = [f"{_plural(counts[Verdict.HOLDS], 'claim holds', 'claims hold')}", f"{_are(counts[Verdict.WRONG])} wrong"]
    said += [f"{_are(counts[verdict])} {name}" for verdict, name in _OPEN if counts[verdict]]
    said += [f"{_are(ignored)} ignored"] if ignored else []
    found = ", ".join(said) if counts or ignored else "no claims found"
    lost = f"; {_plural(unreadable, 'file', 'files')} could not be read" if unreadable else ""
    return f"{_plural(len(documents), 'file', 'files')}: {found}{lost}"


_OPEN = ((Verdict.UNDECIDED, "undecided"), (Verdict.NOT_READ, "not read"))


def _file(document: CheckedDocument, look: Look) -> list[str]:
    """The blocks of one document: a block for each finding that is wrong, then one of single lines."""
    told = [finding for finding in document.findings if not finding.ignored and finding.verdict is not Verdict.WRONG]
    lines = [f"{look.text(document.source.name, 'place')}: {look.text('note', 'note')}: {look.text(note)}" for note in document.notes]
    if look.verbose:
        lines += [_line(document, finding, look) for finding in told]
    else:
        remarks = [finding for finding in told if finding.code in REMARKABLE]
        lines += [_line(document, finding, look) for finding in remarks[:_REMARKS]]
        if len(remarks) > _REMARKS:
            lines.append(f"{look.text(document.source.name, 'place')}: and {len(remarks) - _REMARKS} more (--verbose)")
    return [*(_wrong(document, finding, look) for finding in document.wrong), *(["\n".join(lines)] if lines else [])]


def _wrong(document: CheckedDocument, finding: Finding, look: Look) -> str:
    number, column = document.source.place(finding.right_start)
    line = document.source.line(number)
    margin = " " * len(str(number))
    room = max(_NARROWEST, (look.width or _WIDTH) - len(margin) - 3)
    # A stated side of several lines is marked on its first.
    end = min(len(line), column - 1 + finding.end - finding.right_start)
    excerpted, mark = excerpt(line, column - 1, end, room, look.encoding)
    bar, point = look.text("|", "gutter"), look.text("=", "gutter")
    lines = [
        f"{_place(document, finding, look)}: {look.text('wrong', 'wrong')} {look.text(f'[{finding.code}]')} {look.text(finding.message)}",
        f"{margin} {bar}",
        f"{look.text(str(number), 'gutter')} {bar} {excerpted}".rstrip(),
        f"{margin} {bar} {look.text(mark, 'wrong')}",
    ]
    for indent, said in _explained(finding, look):
        lines.append(f"{margin} {' ' if indent else point} {' ' * indent}{look.text(said)}")
    return "\n".join(lines)


def _explained(finding: Finding, look: Look) -> Iterable[tuple[int, str]]:
    """The gap, its causes and the remedy, with how far each line is indented."""
    if finding.gap is not None:
        gap = finding.gap
        amount = difference(gap, look.notation)
        if amount or gap.explained_by:
            yield 0, (amount or "explained by") + (":" if gap.explained_by else "")
        yield from ((2, line) for line in listed(gap.explained_by, look.notation))
        for causes in gap.others if look.verbose else ():
            yield 0, "or:"
            yield from ((2, line) for line in listed(causes, look.notation))
    if finding.remedy:
        yield 0, f"help: {finding.remedy}"


def _line(document: CheckedDocument, finding: Finding, look: Look) -> str:
    """A finding on one line: ``notes.md:14:3: undecided [no-value] 12NH² = 85M: N has no value here``."""
    remark = finding.verdict is Verdict.HOLDS and finding.code in REMARKABLE
    word = look.text("note", "note") if remark else look.text(finding.verdict.value.replace("-", " "), finding.verdict.value)
    text = " ".join(finding.text.split())
    text = text if len(text) <= 60 else text[:59] + "…"
    return f"{_place(document, finding, look)}: {word} {look.text(f'[{finding.code}] {text}: {finding.message}')}"


def _place(document: CheckedDocument, finding: Finding, look: Look) -> str:
    line, column = document.source.place(finding.right_start if finding.verdict is Verdict.WRONG else finding.start)
    return look.text(f"{document.source.name}:{line}:{column}", "place")


def _reasons(documents: tuple[CheckedDocument, ...], look: Look) -> list[str]:
    """Why claims are open, the commonest reason first; with ``--verbose`` each claim has said it."""
    open_verdicts = {verdict for verdict, _ in _OPEN}
    codes = Counter(
        finding.code for document in documents for finding in document.findings if finding.verdict in open_verdicts and not finding.ignored
    )
    if look.verbose or not codes:
        return []
    common = codes.most_common(_REASONS)
    column = len(str(common[0][1]))
    lines = ["Not decided or not read (--verbose shows where):"]
    lines += [f"  {count:>{column}}  {look.text(f'[{code}] {CODES.get(code, code)}')}" for code, count in common]
    if len(codes) > _REASONS:
        lines.append(f"  {codes.total() - sum(count for _, count in common)} for other reasons")
    return lines


def _counted(document: CheckedDocument, look: Look) -> str:
    counts = document.counts
    said = [f"{counts[Verdict.HOLDS]} {'holds' if counts[Verdict.HOLDS] == 1 else 'hold'}"] if counts[Verdict.HOLDS] else []
    if counts[Verdict.WRONG]:
        said.append(look.text(f"{_are(counts[Verdict.WRONG])} wrong", "wrong"))
    said += [f"{_are(counts[verdict])} {name}" for verdict, name in _OPEN if counts[verdict]]
    return f"{look.text(document.source.name)}: {', '.join(said) or 'no claims found'}"


def _plural(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _are(count: int) -> str:
    return _plural(count, "is", "are")

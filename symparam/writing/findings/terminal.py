"""The report that people read: the author's line with the place marked, the reason, the gap and the remedy, and a summary at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.core.message import Argument
from symparam.core.notation import ASCII
from symparam.documents.checking.finding import Verdict
from symparam.writing.findings.excerpt import excerpt, quoted, shown
from symparam.writing.findings.gaps import difference, listed
from symparam.writing.findings.worded import WordedDocument, WordedFinding
from symparam.writing.wording import ENGLISH, Wording

REMARKABLE = frozenset({"unit", "truncated", "about", "typography", "several-meanings"})
"""Codes of claims that hold in a sense that their author may want to know."""

_REMARKS = 10  # For each file, without --verbose.
_REASONS = 5
_WIDTH = 120  # Columns of the author's lines if no terminal sets a limit.
_NARROWEST = 20
_LONGEST = 60  # Characters of a claim on one line.
_COLORS = {
    "place": None,
    "wrong": "red",
    "gutter": "blue",
    "note": "cyan",
    "holds": "green",
    "undecided": "yellow",
    "not-read": "yellow",
}
_BOLD = ("place", "wrong", "gutter")


@frozen
class Look:
    """How the report looks: columns of the terminal (0 without one), its encoding, verbosity, language and alphabet."""

    width: int = 0
    encoding: str = "utf-8"
    verbose: bool = False
    color: bool = False
    wording: Wording = ENGLISH

    @property
    def signs(self) -> Wording:
        """The wording, limited to the characters of the terminal."""
        if shown("×−²", self.encoding) == "×−²":
            return self.wording
        return replace(self.wording, notation=ASCII.using(self.wording.notation.alphabet))

    def say(self, kind: str, style: str = "", /, **about: Argument) -> str:
        """A sentence of the report that the terminal can show."""
        return self.text(self.wording.fill(kind, **about), style)

    def text(self, words: str, style: str = "") -> str:
        """Words as the terminal can show them, in a style of the report."""
        safe = shown(words, self.encoding)
        if not self.color or not style:
            return safe
        import typer

        return typer.style(safe, fg=_COLORS[style], bold=style in _BOLD or None)


PLAIN = Look()


def report(documents: tuple[WordedDocument, ...], look: Look = PLAIN, unreadable: tuple[str, ...] = ()) -> str:
    """The report: wrong claims, file by file; remarks on claims that hold; undecided claims with reasons; the counts."""
    blocks = [block for document in documents for block in _file(document, look)]
    reasons = _reasons(documents, look)
    if reasons:
        blocks.append("\n".join(reasons))
    ending = [_counted(document, look) for document in documents] if len(documents) > 1 else []
    blocks.append("\n".join([*ending, look.text(summary(documents, look.wording, len(unreadable)), "place")]))
    return "\n\n".join(blocks) + "\n"


def summary(documents: tuple[WordedDocument, ...], wording: Wording = ENGLISH, unreadable: int = 0) -> str:
    """``3 files: 41 claims hold, 2 are wrong, 5 are undecided, 1 is not read``, on one line."""
    counts = sum((document.counts for document in documents), Counter[Verdict]())
    ignored = sum(finding.ignored for document in documents for finding in document.findings)
    said = [wording.counted("claims-hold", counts[Verdict.HOLDS]), wording.counted("are-wrong", counts[Verdict.WRONG])]
    said += [wording.counted(kind, counts[verdict]) for verdict, kind in _OPEN if counts[verdict]]
    said += [wording.counted("are-ignored", ignored)] if ignored else []
    found = wording.fill("between").join(said) if counts or ignored else wording.fill("no-claims")
    whole = wording.fill("of-file", file=wording.counted("files", len(documents)), said=found)
    return wording.fill("and-unreadable", said=whole, lost=wording.counted("files-lost", unreadable)) if unreadable else whole


_OPEN = ((Verdict.UNDECIDED, "are-undecided"), (Verdict.NOT_READ, "are-not-read"))


def _file(document: WordedDocument, look: Look) -> list[str]:
    """The blocks of one document: a block for each finding that is wrong, then one of single lines."""
    told = [finding for finding in document.findings if not finding.ignored and finding.verdict is not Verdict.WRONG]
    lines = [f"{look.text(document.source.name, 'place')}: {look.say('note', 'note')}: {look.text(note)}" for note in document.notes]
    if look.verbose:
        lines += [_line(document, finding, look) for finding in told]
    else:
        remarks = [finding for finding in told if finding.code in REMARKABLE]
        lines += [_line(document, finding, look) for finding in remarks[:_REMARKS]]
        if len(remarks) > _REMARKS:
            lines.append(f"{look.text(document.source.name, 'place')}: {look.say('and-more', count=len(remarks) - _REMARKS)}")
    return [*(_wrong(document, finding, look) for finding in document.wrong), *(["\n".join(lines)] if lines else [])]


def _wrong(document: WordedDocument, finding: WordedFinding, look: Look) -> str:
    on_page, column = document.source.place(finding.right_start)
    line, number = document.source.line(on_page), document.source.place_in_file(finding.right_start)[0]
    margin = " " * len(str(number))
    room = max(_NARROWEST, (look.width or _WIDTH) - len(margin) - 3)
    # A stated side of several lines is marked on its first line.
    end = min(len(line), column - 1 + finding.end - finding.right_start)
    excerpted, mark = excerpt(line, column - 1, end, room, look.encoding)
    bar, point = look.text("|", "gutter"), look.text("=", "gutter")
    said = look.text(f"[{finding.code}] {finding.message}")
    lines = [
        f"{_place(document, finding, look)}: {look.say('verdict-wrong', 'wrong')} {said}",
        f"{margin} {bar}",
        f"{look.text(str(number), 'gutter')} {bar} {excerpted}".rstrip(),
        f"{margin} {bar} {look.text(mark, 'wrong')}",
    ]
    for indent, said in (*_explained(finding, look), *_rules(document, finding, look)):
        lines.append(f"{margin} {' ' if indent else point} {' ' * indent}{look.text(said)}")
    return "\n".join(lines)


def _rules(document: WordedDocument, finding: WordedFinding, look: Look) -> Iterable[tuple[int, str]]:
    """The rules behind the verdict, if the report is verbose."""
    found = document.rules(finding) if look.verbose else ()
    if found:
        yield 0, look.wording.fill("by-rules", rules=found)


def _explained(finding: WordedFinding, look: Look) -> Iterable[tuple[int, str]]:
    """The lines for the gap, its causes and the remedy, each with its indent."""
    if finding.gap is not None:
        gap = finding.gap
        amount = difference(gap, look.signs)
        if amount or gap.explained_by:
            yield 0, explained(amount, bool(gap.explained_by), look.wording)
        yield from ((2, line) for line in listed(gap.explained_by, look.signs))
        for causes in gap.others if look.verbose else ():
            yield 0, look.wording.fill("or-by")
            yield from ((2, line) for line in listed(causes, look.signs))
    if finding.remedy:
        yield 0, look.wording.fill("help", remedy=finding.remedy)


def explained(amount: str, causes: bool, wording: Wording) -> str:
    """The amount of a gap as the heading of its causes, if it has any."""
    amount = amount or wording.fill("explained-by")
    return wording.fill("heading", heading=amount) if causes else amount


def _line(document: WordedDocument, finding: WordedFinding, look: Look) -> str:
    """A finding on one line: ``notes.md:14:3: undecided [no-value] 12NH² = 85M: N has no value here``."""
    remark = finding.verdict is Verdict.HOLDS and finding.code in REMARKABLE
    word = look.say("note", "note") if remark else look.say(f"verdict-{finding.verdict.value}", finding.verdict.value)
    text = quoted(finding.text, _LONGEST)
    return f"{_place(document, finding, look)}: {word} {look.text(f'[{finding.code}] {text}: {finding.message}')}"


def _place(document: WordedDocument, finding: WordedFinding, look: Look) -> str:
    line, column = document.source.place_in_file(finding.right_start if finding.verdict is Verdict.WRONG else finding.start)
    return look.text(f"{document.source.name}:{line}:{column}", "place")


def _reasons(documents: tuple[WordedDocument, ...], look: Look) -> list[str]:
    """The reasons why claims are undecided, the most common first; with ``--verbose`` each claim states its own."""
    open_verdicts = {verdict for verdict, _ in _OPEN}
    codes = Counter(
        finding.code for document in documents for finding in document.findings if finding.verdict in open_verdicts and not finding.ignored
    )
    if look.verbose or not codes:
        return []
    common = codes.most_common(_REASONS)
    column = len(str(common[0][1]))
    lines = [look.say("open")]
    lines += [f"  {count:>{column}}  {look.text(f'[{code}] ')}{look.say(f'code-{code}')}" for code, count in common]
    if len(codes) > _REASONS:
        lines.append("  " + look.say("other-reasons", count=codes.total() - sum(count for _, count in common)))
    return lines


def _counted(document: WordedDocument, look: Look) -> str:
    counts, wording = document.counts, look.wording
    said = [wording.counted("hold", counts[Verdict.HOLDS])] if counts[Verdict.HOLDS] else []
    if counts[Verdict.WRONG]:
        said.append(look.text(wording.counted("are-wrong", counts[Verdict.WRONG]), "wrong"))
    said += [wording.counted(kind, counts[verdict]) for verdict, kind in _OPEN if counts[verdict]]
    found = wording.fill("between").join(said) if said else wording.fill("no-claims")
    return wording.fill("of-file", file=look.text(document.source.name), said=found)

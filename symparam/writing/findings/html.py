"""Writes HTML for notebooks: the findings of a check, claim by claim in the author's lines, and lists of marked places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from itertools import groupby

from symparam.documents.checking.finding import Verdict
from symparam.writing.findings.excerpt import quoted, shown
from symparam.writing.findings.gaps import difference, rows
from symparam.writing.findings.terminal import explained, summary
from symparam.writing.findings.worded import WordedCause, WordedDocument, WordedFinding
from symparam.writing.html.elements import Content, Element, element, serialised, style
from symparam.writing.wording import ENGLISH, Wording

MOST = 300  # Claims that are shown; nobody reads more in a notebook.
_BEFORE, _BEHIND = 60, 120  # Characters of a long line around its claims.
_LONGEST = 80  # Characters of a claim next to its verdict.
_SIGNS = {Verdict.HOLDS: "✓", Verdict.WRONG: "✗", Verdict.UNDECIDED: "?", Verdict.NOT_READ: "–"}


def report(
    documents: tuple[WordedDocument, ...], wording: Wording = ENGLISH, errors: tuple[str, ...] = (), notes: tuple[str, ...] = ()
) -> str:
    """Each claim with its verdict, as a sign and a word, under its line; for wrong ones also the gap, its causes, and help.

    If there are more than `MOST` claims, only wrong ones are shown, at most `MOST`.
    """
    claims = sum(document.counts.total() for document in documents)
    left = MOST
    content: list[Content] = [_said("note", note, wording) for note in notes]
    for document in documents:
        content += [_said("note", note, wording) for note in document.notes]
        findings = document.wrong if claims > MOST else tuple(finding for finding in document.findings if not finding.ignored)
        content += _document(document, findings[:left], wording, named=len(documents) > 1)
        left -= len(findings[:left])
    if claims > MOST:
        content.append(_said("note", wording.fill("only-wrong-shown", claims=claims, most=MOST), wording))
    content += [_said("error", error, wording) for error in errors]
    return _fragment(*content, element("p", summary(documents, wording, len(errors)), class_="sum"), language=wording.words.tag)


def places(listed: Iterable[tuple[bool, str, str, str]], errors: tuple[str, ...], total: str) -> str:
    """A list of places in pages: for each whether it is up to date, its location, its state, and further remarks."""
    lines = (
        element(
            "li",
            element("b", f"{'✓' if well else '✗'} {state}"),
            " ",
            element("code", shown(where)),
            f": {shown(message)}",
            class_="holds" if well else "wrong",
        )
        for well, where, state, message in listed
    )
    return _fragment(
        element("ul", *lines, class_="places"), *(_said("error", error, ENGLISH) for error in errors), element("p", total, class_="sum")
    )


def _fragment(*content: Content, language: str = "en") -> str:
    """The content as a part of a page, with its own styles."""
    return serialised(element("article", style(_css()), *content, class_="symparam-findings", lang=language))


def _document(document: WordedDocument, findings: tuple[WordedFinding, ...], wording: Wording, named: bool) -> Iterator[Content]:
    """The lines of the document that have findings, with these below them."""
    if named and findings:
        yield element("p", element("code", shown(document.source.name)), class_="name")
    for number, here in groupby(sorted(findings, key=_start), lambda finding: document.source.place(_start(finding))[0]):
        yield _line(document, number, list(here), wording)


def _line(document: WordedDocument, number: int, findings: list[WordedFinding], wording: Wording) -> Element:
    line = document.source.line(number)
    offset = _start(findings[0]) - document.source.place(_start(findings[0]))[1] + 1
    spans = [(_start(finding) - offset, min(finding.end - offset, len(line)), finding) for finding in findings]
    marked = sorted({(start, end) for start, end, finding in spans if finding.verdict is Verdict.WRONG})
    first, last = min(start for start, _, _ in spans), max(end for _, end, _ in spans)
    excerpt = element("code", *_marked(line, marked, max(0, first - _BEFORE), min(len(line), last + _BEHIND, first + 4 * _BEHIND)))
    place = element("span", str(document.source.place_in_file(offset)[0]), class_="number")
    return element(
        "section",
        element("p", place, " ", excerpt, class_="line"),
        *(_finding(finding, wording, alone=len(findings) == 1) for finding in findings),
    )


def _marked(line: str, marks: list[tuple[int, int]], first: int, last: int) -> Iterator[Content]:
    """The line from the first character to the last, with what is wrong in it marked."""
    if first:
        yield "…"
    at = first
    for start, end in marks:
        start, end = max(at, start), min(end, last)
        if start < end:
            yield shown(line[at:start])
            yield element("mark", shown(line[start:end]))
            at = end
    yield shown(line[at:last])
    if last < len(line):
        yield "…"


def _finding(finding: WordedFinding, wording: Wording, alone: bool) -> Element:
    """The sign, the word, the claim if its line has several, and the reason; for a wrong claim also the causes, and what to do."""
    named: list[Content] = [] if alone else [" ", element("code", claim(finding)), ":"]
    said = element("p", verdict(finding, wording), *named, f" {shown(finding.message)} ", element("small", finding.code))
    return element("div", said, *explanation(finding, wording), class_=finding.verdict.value)


def verdict(finding: WordedFinding, wording: Wording) -> Element:
    """The verdict as a sign and a word."""
    return element("b", f"{_SIGNS[finding.verdict]} {wording.fill(f'verdict-{finding.verdict.value}')}")


def claim(finding: WordedFinding) -> str:
    """The claim on one line, as its author wrote it, shortened if it is long."""
    return shown(quoted(finding.text, _LONGEST))


def explanation(finding: WordedFinding, wording: Wording) -> Iterator[Element]:
    """The gap of a wrong claim, its causes, and what to do about it."""
    if finding.gap is not None:
        amount = difference(finding.gap, wording)
        if amount or finding.gap.explained_by:
            yield element("p", shown(explained(amount, bool(finding.gap.explained_by), wording)), class_="gap")
        yield from causes(finding.gap.explained_by, wording)
    if finding.remedy:
        yield element("p", shown(wording.fill("help", remedy=finding.remedy)), class_="help")


def causes(listed: tuple[WordedCause, ...], wording: Wording) -> Iterator[Element]:
    """The causes of a gap as a table of amounts and words, if there are any."""
    if listed:
        yield element("table", *(_cause(amount, what) for amount, what in rows(listed, wording)), class_="causes")


def _cause(amount: str, what: str) -> Element:
    return element("tr", element("td", shown(amount), class_="amount"), element("td", shown(what)))


def _said(kind: str, sentence: str, wording: Wording) -> Element:
    return element("p", element("b", wording.fill(kind)), f": {shown(sentence)}", class_="note" if kind == "note" else "wrong")


def _start(finding: WordedFinding) -> int:
    """The stated side is what is wrong."""
    return finding.right_start if finding.verdict is Verdict.WRONG else finding.start


@cache
def _css() -> str:
    return files("symparam.writing.findings").joinpath("style.css").read_text(encoding="utf-8")

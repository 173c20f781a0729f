"""Writes the report as an HTML page: the whole text of each document with its claims marked, and the explanation of each beside its line.

There is no script: an explanation is opened by a click or a key, and a marked claim is a link to its own.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from importlib.resources import files
from typing import NamedTuple

from symparam.documents.checking.finding import Verdict
from symparam.writing.findings.excerpt import shown
from symparam.writing.findings.gaps import difference
from symparam.writing.findings.html import causes, claim, explanation, verdict
from symparam.writing.findings.terminal import summary
from symparam.writing.findings.worded import WordedDocument, WordedFinding
from symparam.writing.html.elements import Content, Element, element
from symparam.writing.html.whole import whole
from symparam.writing.wording import ENGLISH, Wording

_FIRST = (Verdict.WRONG, Verdict.UNDECIDED, Verdict.NOT_READ, Verdict.HOLDS)  # The order in which overlapping claims are marked.


class _Claim(NamedTuple):
    """A finding with the id of its element in the page, and the offsets of what is marked: only the stated side if that is wrong, or if the
    other side is lines above it.
    """

    name: str
    finding: WordedFinding
    start: int
    end: int


def report(
    documents: tuple[WordedDocument, ...], wording: Wording = ENGLISH, errors: tuple[str, ...] = (), notes: tuple[str, ...] = ()
) -> str:
    """The whole page: the counts, what is wrong with links to it, and each document line by line. Ignored claims are not marked."""
    title = documents[0].source.name if len(documents) == 1 else wording.counted("files", len(documents))
    claims = [list(_claims(document, index)) for index, document in enumerate(documents, 1)]
    head: list[Content] = [
        element("h1", shown(wording.fill("page-of-claims", name=title))),
        element("p", shown(summary(documents, wording, len(errors))), class_="summary"),
        *(_said("error", error, wording) for error in errors),
        *(_said("note", note, wording) for note in notes),
        *_wrong(documents, claims, wording),
    ]
    if any(claims):
        only = element("input", type="checkbox", id="only")
        head.append(element("p", element("label", only, " ", wording.fill("page-only-claims"))))
    pages = (_document(document, found, wording, len(documents) > 1) for document, found in zip(documents, claims, strict=True))
    styles = "".join(files("symparam.writing.findings").joinpath(name).read_text(encoding="utf-8") for name in ("style.css", "page.css"))
    main = element("main", *head, *pages, class_="symparam-findings checked")
    return whole(shown(title), main, tag=wording.words.tag, styles=styles)


def _claims(document: WordedDocument, index: int) -> Iterator[_Claim]:
    told = (finding for finding in document.findings if not finding.ignored)
    for number, finding in enumerate(told, 1):
        across_lines = "\n" in document.source.text[finding.start : finding.right_start]
        start = finding.right_start if across_lines or finding.verdict is Verdict.WRONG else finding.start
        yield _Claim(f"claim-{index}-{number}", finding, start, max(start, finding.end))


def _wrong(documents: tuple[WordedDocument, ...], claims: list[list[_Claim]], wording: Wording) -> Iterator[Element]:
    """The wrong claims as a list of links, each with its place and gap."""
    items = []
    for document, found in zip(documents, claims, strict=True):
        for each in found:
            if each.finding.verdict is Verdict.WRONG:
                line, column = document.source.place_in_file(each.start)
                amount = difference(each.finding.gap, wording) if each.finding.gap else ""
                place = f"{line}:{column}" if len(documents) == 1 else f"{document.source.name}:{line}:{column}"
                link = element("a", place, href=f"#{each.name}")
                said = shown(f" {each.finding.message}" + (f" · {amount}" if amount else ""))
                items.append(element("li", link, " ", element("code", claim(each.finding)), said))
    if items:
        yield element("nav", element("ul", *items, class_="wrong-claims"), aria_label=wording.fill("verdict-wrong"))


def _document(document: WordedDocument, claims: list[_Claim], wording: Wording, named: bool) -> Element:
    """The text of the document line by line, and beside each line the findings on its claims."""
    source = document.source
    marked: defaultdict[int, list[_Claim]] = defaultdict(list)
    explained: defaultdict[int, list[_Claim]] = defaultdict(list)
    for each in claims:
        first, last = source.place(each.start)[0], source.place(max(each.start, each.end - 1))[0]
        explained[first].append(each)
        for number in range(first, last + 1):
            marked[number].append(each)
    head: list[Content] = [element("h2", shown(source.name))] if named else []
    head += [_said("note", note, wording) for note in document.notes]
    count = source.place(len(source.text))[0]
    lines = (_line(document, number, marked.get(number, []), explained.get(number, []), wording) for number in range(1, count + 1))
    return element("section", *head, *lines)


def _line(document: WordedDocument, number: int, marked: list[_Claim], explained: list[_Claim], wording: Wording) -> Element:
    text, offset = document.source.line(number), document.source.offset(number)
    line = element("pre", *_marks(text, offset, marked), data_line=str(number))
    if not explained:
        return element("div", line, class_="claimed" if marked else "unclaimed")
    beside = element("div", *(_explained(document, each, wording, len(explained) == 1) for each in explained), class_="beside")
    return element("div", line, beside, class_="claimed")


def _marks(text: str, offset: int, marked: list[_Claim]) -> Iterator[Content]:
    """The line with its claims marked; where they overlap, a wrong claim is above an undecided one, and a shorter above a longer one."""
    owner: list[_Claim | None] = [None] * len(text)
    for each in sorted(marked, key=_depth):
        start, end = max(0, each.start - offset), min(len(text), each.end - offset)
        owner[start:end] = [each] * (end - start)
    at = 0
    while at < len(text):
        end = next((index for index in range(at, len(text)) if owner[index] is not owner[at]), len(text))
        held = owner[at]
        piece = shown(text[at:end])
        yield piece if held is None else element("a", piece, href=f"#{held.name}", class_=held.finding.verdict.value)
        at = end


def _depth(each: _Claim) -> tuple[int, int]:
    return -_FIRST.index(each.finding.verdict), each.start - each.end


def _explained(document: WordedDocument, each: _Claim, wording: Wording, alone: bool) -> Element:
    """The verdict, which opens the explanation on click; for a wrong claim it is open."""
    finding = each.finding
    head: list[Content] = [verdict(finding, wording)] if alone else [verdict(finding, wording), " ", element("code", claim(finding))]
    content: list[Content] = [
        element("p", f"{shown(finding.message)} ", element("small", finding.code)),
        *explanation(finding, wording),
    ]
    for others in finding.gap.others if finding.gap else ():
        content += [element("p", wording.fill("or-by")), *causes(others, wording)]
    rules = document.rules(finding)
    if rules:
        content.append(element("p", shown(wording.fill("by-rules", rules=rules)), class_="help"))
    opened = {"open": ""} if finding.verdict is Verdict.WRONG else {}
    # Browsers open a folded element when a link to something inside is followed, so no script is needed.
    return element("details", element("summary", *head), element("div", *content, id=each.name), class_=finding.verdict.value, **opened)


def _said(kind: str, sentence: str, wording: Wording) -> Element:
    return element("p", element("b", wording.fill(kind)), f": {shown(sentence)}", class_="note" if kind == "note" else "wrong")

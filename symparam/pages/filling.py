"""Fills the marked places of a page, and records what was done with each."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from difflib import ndiff
from enum import Enum
from pathlib import Path

from symparam.core.frozen import frozen
from symparam.documents.reading.source import Source
from symparam.errors import SymparamError, visible
from symparam.pages.answering import AnswerContext, answered
from symparam.pages.languages import MARKDOWN, Language
from symparam.pages.marks import Mark, digest_of, marks, masked
from symparam.writing.dialects import dialect_of

_HEADING = re.compile(r"(#{1,6})[ \t]")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*")


Fill = Callable[[Source], "FilledPage"]


class State(Enum):
    """The state of a place: up to date, filled, left alone because someone edited it or because it holds text that was never filled in, or
    failed because of its command.
    """

    CURRENT = "current"
    FILLED = "filled"
    EDITED = "edited"
    NOT_FILLED = "not-filled"
    FAILED = "failed"


@frozen
class FilledPlace:
    """A marked place: its start in the page or in a cell of a notebook, its command, its state, and a sentence that says what is wrong.

    ``instead`` is a diff between an edit by hand and what symparam would write.
    """

    line: int
    column: int
    words: str
    state: State
    message: str = ""
    instead: tuple[str, ...] = ()
    cell: int | None = None


@frozen
class FilledPage:
    """A page before and after, and its places in order."""

    name: str
    before: str
    after: str
    places: tuple[FilledPlace, ...]

    def of(self, *states: State) -> tuple[FilledPlace, ...]:
        """The places in one of these states."""
        return tuple(place for place in self.places if place.state in states)

    def where(self, place: FilledPlace) -> str:
        """``page.md:12:1``, or ``notebook.ipynb: cell 3:12:1``."""
        return f"{visible(self.name)}{f': cell {place.cell}' if place.cell else ''}:{place.line}:{place.column}"


def fill(source: Source, language: Language, folder: Path, dialect: str | None = None, overwrite: bool = False) -> FilledPage:
    """The page with each place filled with today's answer; edits by hand are kept unless ``overwrite`` is set.

    Without a ``dialect`` of Markdown, each place keeps its current one. Raises `DocumentError` for marks that do not match.
    """
    if "\r" in source.text and "\n" not in source.text:  # The line ends of old Macs.
        page = fill(Source(source.name, source.text.replace("\r", "\n")), language, folder, dialect, overwrite)
        return replace(page, before=source.text, after=page.after.replace("\n", "\r"))
    pieces: list[str] = []
    places: list[FilledPlace] = []
    at = 0
    found = marks(source, language)
    levels = _levels_above(masked(source.text, language), found) if language is MARKDOWN else [0] * len(found)
    for mark, level in zip(found, levels, strict=True):
        around = AnswerContext(language, folder, mark.inline, level, dialect or dialect_of(source.text[slice(*mark.inside)]))
        place, text = _filled(source, mark, around, overwrite)
        pieces += [source.text[at : mark.inside[0]], text]
        places.append(place)
        at = mark.end
    return FilledPage(source.name, source.text, "".join((*pieces, source.text[at:])), tuple(places))


def _filled(source: Source, mark: Mark, around: AnswerContext, overwrite: bool) -> tuple[FilledPlace, str]:
    """The place with its new state, and the text from the end of its opening mark to the end of its closing mark."""
    content = source.text[slice(*mark.inside)]
    as_it_is = source.text[mark.inside[0] : mark.end]
    place = FilledPlace(*source.place(mark.start), mark.words, State.CURRENT)
    try:
        answer = answered(mark.words, around)
    except SymparamError as error:
        return replace(place, state=State.FAILED, message=visible(f"symparam {mark.words}: {error}")), as_it_is
    digest = digest_of(answer)
    text = _between(answer, mark, around.language)
    ends = "\r\n" if content.partition("\n")[0].endswith("\r") else "\n"  # Ends as the line of the mark ends.
    new = (text + around.language.closing.format(f" {digest}")).replace("\n", ends)
    if new == as_it_is:
        return place, new
    found = digest_of(content, mark.margin or "")
    if content.strip(" \t\r\n>") and found not in (mark.digest, digest) and not overwrite:
        state = State.EDITED if mark.digest else State.NOT_FILLED
        return replace(place, state=state, message=_LEFT[state], instead=_instead(content, text)), as_it_is
    return replace(place, state=State.FILLED), new


LEFT_ALONE = (State.EDITED, State.NOT_FILLED)
_LEFT = {
    State.EDITED: "this place was edited by hand since it was filled, so it is left as it is; move the edit out of it, or fill it "
    "again with symparam docs --overwrite",
    State.NOT_FILLED: "this place holds text that symparam has not filled in, so it is left as it is; empty it, or fill it with "
    "symparam docs --overwrite",
}
MOST_LINES = 12  # Lines of a difference to show; filling the place again shows the rest.


def _instead(by_hand: str, own: str) -> tuple[str, ...]:
    """The lines that only one of the two texts has, as ``- by hand`` and ``+ own``."""
    before, after = ([line.rstrip() for line in text.strip().splitlines()] for text in (by_hand, own))
    lines = [line.rstrip() for line in ndiff(before, after) if line[0] in "+-"]
    return tuple(lines) if len(lines) <= MOST_LINES else (*lines[:MOST_LINES], f"... and {len(lines) - MOST_LINES} lines more")


def _between(answer: str, mark: Mark, language: Language) -> str:
    """The answer with its separators from the marks: none within a line, otherwise line ends and the margin."""
    if mark.margin is None:
        return answer
    gap = f"{mark.margin.rstrip()}\n" if language.apart else ""
    lines = "".join(f"{mark.margin}{line}".rstrip() + "\n" for line in answer.split("\n"))
    return f"\n{gap}{lines}{gap}{mark.margin}"


def _levels_above(text: str, found: list[Mark]) -> list[int]:
    """For each place the level of the last heading before it that is not itself in a place; 0 if there is none."""
    levels: list[int] = []
    level = at = 0
    before = ""
    for line in text.splitlines(keepends=True):
        while len(levels) < len(found) and found[len(levels)].start < at + len(line):
            levels.append(level)
        heading = _HEADING.match(line)
        if levels and at < found[len(levels) - 1].end:
            pass  # Headings inside of places do not count.
        elif heading:
            level = len(heading[1])
        elif before.strip() and _UNDERLINE.fullmatch(line.rstrip("\r\n")):
            level = 1 if line.startswith("=") else 2
        before, at = line, at + len(line)
    return levels

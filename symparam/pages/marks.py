"""Marked places: ``<!-- symparam: derive llama -->`` … ``<!-- /symparam 3f2a9c01 -->``, found in a page.

The number in the closing mark is a digest of what symparam filled in; it tells symparam's own words from an edit by hand.
"""

from __future__ import annotations

import hashlib
import re

from symparam.core.frozen import frozen
from symparam.documents.reading.source import Source
from symparam.errors import DocumentError
from symparam.pages.languages import Language

REMARKS = (["ignore"], ["expect"])
"""The first words of remarks to the checker, which are comments of the same form."""

MOST = 1_000  # Places of one page; each costs a derivation.
_ALMOST = re.compile(r"<!--\s{0,9}/?\s{0,9}symparam\b(?:(?!-->)[^\n]){0,60}(?:-->)?")
_MARGIN = re.compile(r"[ \t>]*")


@frozen
class Mark:
    """A marked place: its command, the offsets of opening mark, content and closing mark, and the recorded digest.

    ``margin`` is the text before an opening mark that is otherwise alone on its line (the indent of a list, the ``>`` of a quotation), and
    ``None`` for a place within a line.
    """

    words: str
    start: int
    inside: tuple[int, int]
    end: int
    digest: str
    margin: str | None

    @property
    def inline(self) -> bool:
        return self.margin is None


def marks(source: Source, language: Language) -> list[Mark]:
    """The places of a page in order. Raises `DocumentError`, with line and column, for an unmatched mark."""
    if "symparam" not in source.text:
        return []
    text = "\n" + masked(source.text, language) + "\n"  # So that the first and the last line are delimited like the others.
    found: list[Mark] = []
    opening: re.Match[str] | None = None
    for match in language.mark.finditer(text):
        words = match["words"]
        if words is not None and words.split()[:1] in REMARKS:
            continue
        if (words is None) == (opening is None):
            where = _where(source, _start(match) - 1)
            if opening is None:
                raise DocumentError(f"{where}: this mark closes nothing; remove it, or put {language.opening.format('...')} before it")
            line = source.place(_start(opening) - 1)[0]
            closing = language.closing.format("")
            raise DocumentError(f"{where}: the marked place of line {line} is still open here; put {closing} after its content")
        if words is None and opening is not None:
            found.append(_mark(source, opening, match))
            opening = None
        else:
            opening = match
    if opening is not None:
        where = _where(source, _start(opening) - 1)
        raise DocumentError(f"{where}: this marked place is not closed; put {language.closing.format('')} after its content")
    if len(found) > MOST:
        raise DocumentError(
            f"{source.name}: the page has {len(found):,} marked places; at most {MOST:,} are filled, so split it into several pages"
        )
    _refuse_what_is_almost_a_mark(source, text, language)
    return found


def digest_of(content: str, margin: str = "") -> str:
    """Eight hexadecimal digits that identify a content, regardless of its margin, its line ends and the blank lines around it."""
    lines = (line.removeprefix(margin).rstrip() if line.startswith(margin) else line.strip(" \t\r>") for line in content.split("\n"))
    return hashlib.sha256("\n".join(lines).strip().encode("utf-8", "surrogatepass")).hexdigest()[:8]


def _mark(source: Source, opening: re.Match[str], closing: re.Match[str]) -> Mark:
    start, end = _start(opening) - 1, _start(closing) - 1
    inside = opening.end() - 1, end
    line, column = source.place(start)
    before = source.line(line)[: column - 1]
    behind = source.text[inside[0] :].partition("\n")[0]
    alone = _MARGIN.fullmatch(before) and not behind.strip()
    return Mark(" ".join(opening["words"].split()), start, inside, closing.end() - 1, closing["digest"] or "", before if alone else None)


def _start(match: re.Match[str]) -> int:
    """The start of the mark itself, after the indent that some patterns include."""
    return match.end("indent") if "indent" in match.re.groupindex else match.start()


def masked(text: str, language: Language) -> str:
    """The text with its code replaced by blanks, at the same length."""
    pieces, at = [], 0
    for start, end in language.code(text):
        pieces += [text[at:start], re.sub(r"[^\n]", " ", text[start:end])]
        at = end
    return "".join((*pieces, text[at:]))


def _refuse_what_is_almost_a_mark(source: Source, text: str, language: Language) -> None:
    for match in _ALMOST.finditer(text) if language.opening.startswith("<!--") else ():
        if not language.mark.match(text, match.start()):
            where = _where(source, match.start() - 1)
            expected = f"{language.opening.format('derive MODEL')} or {language.closing.format('')}"
            raise DocumentError(f"{where}: {' '.join(match[0].split())!r} is not a mark; {expected} is expected")


def _where(source: Source, offset: int) -> str:
    line, column = source.place(max(offset, 0))
    return f"{source.name}:{line}:{column}"

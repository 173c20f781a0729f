"""Splits a page into lines as its author meant them: joins what continues over several lines, and strips list and quotation markers.

A line keeps its tokens with their offsets in the whole text, its indent, and the block it belongs to; a table row keeps its cells. Nothing
here knows what a claim is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from symparam.core.parsing.lexer import Token
from symparam.documents.reading.code_lines import with_result
from symparam.documents.reading.headings import heading_in, level_of_underline
from symparam.documents.reading.line_joins import adds_on, counts_copies, ends_open, formula_rows
from symparam.documents.reading.page_lexer import page_tokens
from symparam.documents.reading.plain_tables import ListTable, Place, cells_below, columns_of, goes_on_above, is_head, list_table
from symparam.documents.reading.tex_tables import cell_places, pieces, table_begun
from symparam.documents.rules.rule import applies

MAX_LINE = 100_000  # Characters of a line; a longer one is data without line breaks.
MAX_JOINED = 60  # Lines that one formula or table row may span.

_PREFIX = re.compile(
    r"(?P<quote>[ \t]*(?:[>│┃][ \t]*)*)(?P<comment>(?://+|%+|;+|\#+(?=[^\w#]))[ \t]*|\#{1,6}[ \t]+)?"
    r"(?P<marker>(?:(?:[-*+•●○▪◦‣·–—│┃]|\d{1,3}(?:[.)](?=[ \t])|、)|[(（]\d{1,2}[)）]|[①-⑳]|\#{1,6})[ \t]*+(?![-+=\d]|\*(?!\*)))*)"
)
_BLOCK_OF_HTML = re.compile(r"<(?:tr|/table|table|h[1-6]|p|li|ul|ol|div)\b")
_RULE = re.compile(r"[\s\-─━═=_*~.+·|:│┃┌┐└┘├┤╭╮╰╯]*")  # With three of these together:
_RULED = re.compile(r"[-─━═=_*~.]{3}")
_DELIMITING = re.compile(r":?-+:?")  # A cell between the head of a table and its body; one dash is enough.
_FENCE = re.compile(r"[ \t>]*(?:[-*+] )?(`{3,}|~{3,})(.*)")
# A line is worth reading if it has one of these signs or commands, is a cell of TeX or a product of letters, or goes on with a sum.
_SIGN = re.compile(r"[\d=≈×·|\u2009]")
_SIGNS = re.compile(r"[:：]\s?\$|\w\*\w|\\cdot|\\approx|\\times|<t[rdh]")
_WITHOUT_DIGIT = re.compile(r"[ \t]*&|[ \t$]*[A-Z]{1,4}[²³⁴]?[ \t$]*$|[ \t]{4,}[+−] [A-Za-z]\w*(?: [+−] [A-Za-z]\w*)*[ \t]*$")
_ROW = re.compile(r"[ \t>]*\|.*\|[ \t]*|[^|\n]*\S[ \t]+\|[ \t]+\S.*\|.*")
# The possible beginnings of a line that continues the one above: a sign, or something that the tokens leave out or merge.
_MAY_GO_ON = re.compile(r"[\s`$\u200b\ufeff]*[^\w\s`$(\[{})\].,;!?，。；！？、\"'“”…]")
_CODE = re.compile(r"[ \t]*+[A-Za-z_]\w*+ ?= ?[^=#]++(?<=\s)# ")  # A line of code outside of a fence, with a comment.
_ITEM = re.compile(r"[ \t]*[-*+•][ \t]")
_HIDDEN = re.compile(r"\\begin\{(comment|verbatim|lstlisting|minted)\*?\}|<(style|script)\b", re.IGNORECASE)
_LONE_SIGNS = {"x": "*", "X": "*", "×": "*", "*": "*", "·": "*", "+": "+", "-": "-", "−": "-", "/": "/", "÷": "/"}


class Cell(NamedTuple):
    """A cell of a table row: the tokens in it and its text."""

    start: int
    end: int
    tokens: tuple[Token, ...]


class PageLine(NamedTuple):
    """A line: ``start`` and ``end`` are its offsets, ``indent`` the columns before its text, ``block`` the number of the stretch without
    blank lines or headings that it belongs to. ``raw`` is the text without its marker; ``cells`` are those of a table row;
    ``level`` is that of a heading, from 1.
    """

    kind: str
    start: int
    end: int
    indent: int
    block: int
    raw: str
    tokens: tuple[Token, ...] = ()
    cells: tuple[Cell, ...] = ()
    fenced: bool = False
    too_long: bool = False
    level: int = 0


def page_lines(text: str) -> Iterator[PageLine]:
    """The lines of the page. Kinds are ``text``, ``item``, ``heading``, ``row``, ``delimiter`` (of a table), ``rule`` and ``blank``."""
    return _Layout(text).lines()


class _Layout:
    def __init__(self, text: str) -> None:
        self.text, self.block, self.fence = text, 0, ""
        self.held: PageLine | None = None
        self.hidden = ""  # The end of the stretch that is not displayed.
        self.tex = "\\begin{document}" in text or "\\documentclass" in text
        self.joined = 0
        self.table, self.row = "", -1  # The end of the table of TeX that a line is in, and where its unfinished row begins.
        self.columns: tuple[Place, ...] = ()  # Those of the table below a line of dashes that a line is in.
        self.listed: ListTable | None = None

    def lines(self) -> Iterator[PageLine]:
        at, size = 0, len(self.text)
        while at < size:
            end = self.text.find("\n", at)
            end = size if end < 0 else end
            yield from self._physical(at, end)
            at = end + 1
        yield from self._release()
        if self.listed is not None:
            yield from self._listed_row(self.listed, self.listed.ended())

    def _release(self) -> Iterator[PageLine]:
        if self.held is not None:
            yield self.held
        self.held, self.joined = None, 0

    def _blank(self, start: int, end: int) -> Iterator[PageLine]:
        yield from self._release()
        self.block += not self.fence
        self.columns = ()
        yield PageLine("blank", start, end, 0, self.block, "")

    def _is_hidden(self, raw: str) -> bool:
        """Whether the line is not part of the displayed text: a comment or verbatim text of TeX, styles and scripts of HTML."""
        if self.hidden:
            self.hidden = "" if self.hidden in raw else self.hidden
            return True
        begins = _HIDDEN.search(raw) if "\\begin{" in raw or "<s" in raw or "<S" in raw else None
        if begins:
            ending = f"\\end{{{begins[1]}" if begins[1] else f"</{begins[2].lower()}"
            self.hidden = "" if ending in raw[begins.end() :] else ending
            return True
        return self.tex and raw.lstrip().startswith("%")

    def _physical(self, start: int, end: int) -> Iterator[PageLine]:
        if start == end and not self.hidden and self.listed is None:
            self.table = ""
            yield from self._blank(start, end)
            return
        raw = self.text[start:end]
        if end - start > MAX_LINE:
            yield from self._release()
            yield PageLine("text", start, end, 0, self.block, raw[:200], too_long=True)
            return
        if self._is_hidden(raw):
            yield from self._release()
            yield PageLine("rule", start, end, 0, self.block, "")
            return
        self.table = "" if not raw.strip() else self.table or table_begun(raw)
        if self.table:
            yield from self._release()
            yield from self._in_table(raw, start, end)
            return
        if self.listed is not None:
            cells = self.listed.takes(raw, start)
            yield from self._listed_row(self.listed, self.listed.ended() if cells is None else cells)
            if cells is not None:
                return
            self.listed = None
        self.listed = list_table(raw) if ".. l" in raw else None
        if self.listed is not None:
            yield from self._release()
            yield PageLine("rule", start, end, 0, self.block, "")
            return
        if raw.count("<tr") > 1:  # HTML without line breaks.
            places = [start, *(start + block.start() for block in _BLOCK_OF_HTML.finditer(raw) if block.start()), end]
            for first, last in pairwise(places):
                yield from self._physical(first, last)
            return
        heading = None if self.fence else heading_in(raw)
        if heading is not None:
            yield from self._release()
            level, first, last = heading
            self.block += 1
            tokens = tuple(page_tokens(self.text, start + first, start + last))
            yield PageLine("heading", start + first, start + last, 0, self.block, raw[first:last], tokens, level=level)
            return
        fence = _FENCE.fullmatch(raw) if "```" in raw or "~~~" in raw else None
        if fence and (not self.fence or fence[1].startswith(self.fence)):
            self.fence = "" if self.fence else fence[1]
            self.block += 1
            yield from self._release()
            yield PageLine("blank", start, end, 0, self.block, "")
            return
        stripped = raw.strip().lstrip("> \t")
        if not stripped.strip(">│┃ \t\r") or self._is_comment(stripped):
            yield from self._blank(start, end)
            return
        may_join = stripped in _LONE_SIGNS and self.joined < MAX_JOINED and applies("line-goes-on", start)
        if may_join and self.held is not None and self.held.tokens:
            self.joined += 1
            sign = Token(_LONE_SIGNS[stripped], end - len(stripped), end)
            self.held = self.held._replace(end=end, tokens=(*self.held.tokens, sign))
            return
        if self.columns and (cells := cells_below(self.text, start, end, self.columns)) and not columns_of(raw):
            yield from self._in_columns(cells, start, end)
            return
        self.columns = ()
        if _RULE.fullmatch(stripped) and (_RULED.search(stripped) or _is_delimiter(stripped)):
            if columns := columns_of(raw):
                yield from self._begin_columns(columns, start, end)
                return
            if self.held is not None and not self.fence and (level := level_of_underline(self._single(self.held, start), stripped)):
                self.block += 1
                self.held = self.held._replace(kind="heading", block=self.block, level=level)
            yield from self._release()
            yield PageLine("delimiter" if "|" in raw else "rule", start, end, 0, self.block, stripped)
            return
        yield from self._content(raw, start, end)

    def _in_table(self, raw: str, start: int, end: int) -> Iterator[PageLine]:
        """The rows of a table of TeX, in the place of the line that ends in it."""
        ends = self.table in raw or "\\begin{" in raw
        begin, self.row = (start if self.row < 0 else self.row), -1
        for kind, first, last in pieces(self.text, begin, start if ends else end):
            if kind == "open" and not ends and self.joined < MAX_JOINED:
                self.row = first
            elif kind == "delimiter":
                yield PageLine(kind, first, last, 0, self.block, "")
            else:
                cells = tuple(Cell(at, to, tuple(page_tokens(self.text, at, to))) for at, to in cell_places(self.text, first, last))
                tokens = tuple(token for cell in cells for token in cell.tokens)
                yield PageLine("row", first, last, 0, self.block, self.text[first:last].strip(), tokens, cells)
        self.joined = self.joined + 1 if self.row >= 0 else 0
        if ends:
            self.table = "" if self.table in raw else self.table
            yield PageLine("rule", start, end, 0, self.block, "")

    def _begin_columns(self, columns: tuple[Place, ...], start: int, end: int) -> Iterator[PageLine]:
        """The head above a line of dashes that marks columns, and the line as the delimiter below it."""
        above = self.held
        if above is not None and self._single(above, start):
            begin = self.text.rfind("\n", 0, start - 1) + 1
            if above.kind == "text" and is_head(self.text, begin, start - 1, columns):
                self.held = None
                yield self._row(cells_below(self.text, begin, start - 1, columns), begin, start - 1)
        yield from self._release()
        self.columns = columns
        yield PageLine("delimiter", start, end, 0, self.block, "")

    def _in_columns(self, cells: list[Place], start: int, end: int) -> Iterator[PageLine]:
        """A row below a line of dashes. What goes on in several lines is not read."""
        if goes_on_above(cells) and self.held is not None and self.held.kind == "row":
            wrapped = [first < last for first, last in cells]
            kept = tuple(Cell(each.end, each.end, ()) if more else each for each, more in zip(self.held.cells, wrapped, strict=True))
            self.held = self.held._replace(cells=kept, tokens=tuple(token for cell in kept for token in cell.tokens))
            return
        yield from self._release()
        self.held = self._row(cells, start, end)

    def _listed_row(self, table: ListTable, cells: list[Place]) -> Iterator[PageLine]:
        if cells:
            yield from self._release()
            yield self._row(cells, cells[0][0], cells[-1][1])
            if table.rows == table.heads:
                yield PageLine("delimiter", cells[-1][1], cells[-1][1], 0, self.block, "")

    def _row(self, places: list[Place], start: int, end: int) -> PageLine:
        cells = tuple(Cell(first, last, tuple(page_tokens(self.text, first, last))) for first, last in places)
        tokens = tuple(token for cell in cells for token in cell.tokens)
        return PageLine("row", start, end, 0, self.block, self.text[start:end].strip(), tokens, cells, bool(self.fence))

    def _single(self, line: PageLine, start: int) -> str:
        """The text of the line if it is the whole line of the page above the one that begins at ``start``, and not the end of several."""
        begin = self.text.rfind("\n", 0, start - 1) + 1
        is_first = begin == 0 or not self.text[self.text.rfind("\n", 0, begin - 1) + 1 : begin].strip()
        return self.text[begin : start - 1].strip() if line.kind == "text" and line.start >= begin and is_first else ""

    def _is_comment(self, stripped: str) -> bool:
        """Whether a lone asterisk is an empty line of a comment in code, whose other lines begin with one as well."""
        if stripped != "*" or not self.fence or self.held is None:
            return False
        begin = self.text.rfind("\n", 0, self.held.start) + 1
        return self.text[begin : self.held.start + 2].lstrip().startswith(("* ", "/*"))

    def _content(self, raw: str, start: int, end: int) -> Iterator[PageLine]:
        prefix = _PREFIX.match(raw)
        assert prefix  # Every part of it may be empty.
        indent = _columns(raw[: prefix.end("quote")])
        heading = bool(prefix["comment"]) and prefix["comment"].startswith("#") and not self.fence
        kind = "heading" if heading else "item" if prefix["marker"].strip() else "text"
        first = start + prefix.end()
        worth = bool(
            _SIGN.search(raw)
            or _SIGNS.search(raw)
            or _WITHOUT_DIGIT.match(raw)
            or (self.held is not None and self.held.tokens and ends_open(self.held.tokens))
        )
        if (
            worth
            and self.held is not None
            and self._goes_on(start + prefix.end("comment") if prefix["comment"] else start + prefix.end("quote"), end)
            and applies("line-goes-on", start)
        ):
            self._join(start, end, prefix)
            return
        yield from self._release()
        if heading:
            self.block += 1
        if worth and (("|" in raw and _ROW.fullmatch(raw)) or "<td" in raw or "<th" in raw or "<tr" in raw):
            start += len(raw) - len(raw.lstrip("> \t"))
            tokens = tuple(page_tokens(self.text, start, end))
            self.held = PageLine(
                "row", start, end, indent, self.block, raw.strip(), tokens, tuple(_cells(tokens, start, end)), bool(self.fence)
            )
            return
        tokens = tuple(page_tokens(self.text, first, end)) if worth else ()
        tokens = with_result(self.text, tokens) if self.fence or _CODE.match(raw) else tokens
        for piece in formula_rows(tokens):
            yield from self._release()
            place = (piece[0].start, piece[-1].end) if len(piece) < len(tokens) else (first, end)
            line = PageLine(kind, *place, indent, self.block, self.text[place[0] : place[1]].strip(), tuple(piece), (), bool(self.fence))
            self.held = line
        if not tokens:
            self.held = PageLine(kind, first, end, indent, self.block, raw[prefix.end() :].strip(), (), (), bool(self.fence))
        if heading and self.held is not None:
            self.held = self.held._replace(level=prefix["comment"].count("#"))

    def _goes_on(self, first: int, end: int) -> bool:
        """Whether the pending line continues in this one: it ends with a sign or an open bracket, or this one begins with one."""
        held = self.held
        assert held is not None
        if end - held.start > MAX_LINE:
            return False
        if held.kind == "row":
            written = self.text[held.start : held.end].lower()
            return self.joined < MAX_JOINED and "<tr" in written and "</tr" not in written
        if not held.tokens or held.kind == "heading" or self.joined >= MAX_JOINED:
            return False
        if held.kind == "item" and not held.fenced and _ITEM.match(self.text, first, end):
            return False  # Whatever the item above left open, another one begins.
        is_open = ends_open(held.tokens)
        if not is_open and not _MAY_GO_ON.match(self.text, first, end):
            return False
        begins = page_tokens(self.text, first, min(end, first + 200))
        if not begins or counts_copies(held.tokens, begins):
            return False
        if is_open or (begins[0].kind == "relation" and begins[0].value in ("=", "≈")):
            return True
        aligned = self.text[first:end].lstrip().startswith("&")
        minus = aligned or self.text[begins[0].start] == "−"  # A hyphen would begin a list item.
        return adds_on(held.tokens, begins, held.fenced, "+-*/" if minus else "+*/")

    def _join(self, start: int, end: int, prefix: re.Match[str]) -> None:
        held = self.held
        assert held is not None
        first = start + (prefix.end("comment") if prefix["comment"] else prefix.end("quote"))
        more = tuple(token for token in page_tokens(self.text, first, end) if token.kind != "newline")
        tokens = (*held.tokens, *more)
        cells = tuple(_cells(tokens, held.start, end)) if held.kind == "row" else ()
        raw = self.text[held.start : end].strip()
        self.held = PageLine(held.kind, held.start, end, held.indent, held.block, raw, tokens, cells, held.fenced)
        self.joined += 1


def _cells(tokens: tuple[Token, ...], start: int, end: int) -> Iterator[Cell]:
    cell: list[Token] = []
    begin = start
    seen = False
    for token in tokens:
        if token.kind == "separator" and token.value in ("|", "│", "┃"):
            if cell or seen:
                yield Cell(begin, token.start, tuple(cell))
            cell, begin, seen = [], token.end, True
        elif token.kind != "newline":
            cell.append(token)
    if cell:
        yield Cell(begin, end, tuple(cell))


def _is_delimiter(line: str) -> bool:
    """Whether every cell of the line is made of dashes: ``|:--|--:|``."""
    return "|" in line and all(_DELIMITING.fullmatch(cell.strip()) for cell in line.strip("|").split("|"))


def _columns(space: str) -> int:
    return len(space.replace(">", "").expandtabs(4))

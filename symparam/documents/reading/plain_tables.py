"""Splits tables without bars into rows and cells: columns below a line of dashes, and the ``list-table`` of reStructuredText."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from unicodedata import combining, east_asian_width

_DASHED = re.compile(r"[ \t]*(?:(?:-{2,}+ *){2,}|(?:={2,}+ *){2,}|(?:[─━]{2,}+ *){2,})\s*")
_DASHES = re.compile(r"\S+")
_LIST_TABLE = re.compile(r"[ \t]*\.\. list-table::")
_HEADS = re.compile(r"[ \t]*:header-rows:[ \t]*(\d)[ \t]*")
_OPTION = re.compile(r"[ \t]*:[\w-]+:")
_CELL = re.compile(r"(?P<indent>[ \t]*)(?P<row>\*[ \t]+)?-(?:[ \t]+|$)")

Place = tuple[int, int]
"""The beginning and the end of a stretch of the text, or of a line on the screen."""


def columns_of(rule: str) -> tuple[Place, ...]:
    """The columns that a line of dashes marks, as it is shown, ``-----  -----``; none if it is a single rule."""
    if not _DASHED.fullmatch(rule):
        return ()
    found = tuple(match.span() for match in _DASHES.finditer(rule))
    return found if len(found) > 1 else ()


def cells_below(text: str, start: int, end: int, columns: tuple[Place, ...]) -> list[Place]:
    """The cells of a line in the columns, empty ones between others included; none if something is written across two columns.

    Wide letters take two columns of a screen, but many programs count one.
    """
    return _cells(text, start, end, columns, 2) or _cells(text, start, end, columns, 1)


def _cells(text: str, start: int, end: int, columns: tuple[Place, ...], wide: int) -> list[Place]:
    found: list[Place | None] = [None] * len(columns)
    at = column = 0
    for offset in range(start, end):
        letter = text[offset]
        if letter == "\t":
            return []
        if not letter.isspace():
            while column < len(columns) - 1 and at >= columns[column][1]:
                column += 1
            if at < columns[column][0] or (at >= columns[column][1] and column < len(columns) - 1):
                return []
            found[column] = ((found[column] or (offset, 0))[0], offset + 1)
        at += 0 if combining(letter) else wide if east_asian_width(letter) in "WF" else 1
    if not any(found):
        return []
    cells: list[Place] = []
    for each in found:
        before = cells[-1][1] if cells else start
        cells.append(each or (before, before))
    return cells


def goes_on_above(cells: list[Place]) -> bool:
    """Whether the line of these cells continues the row above: neither its first nor its last column has a cell."""
    return all(start == end for start, end in (cells[0], cells[-1]))


def is_head(text: str, start: int, end: int, columns: tuple[Place, ...]) -> bool:
    """Whether the line above the dashes is the head of their columns."""
    cells = cells_below(text, start, end, columns)
    return sum(first < last for first, last in cells) > 1


@dataclass
class ListTable:
    """A ``list-table``: its indent, how many rows are heads, the rows so far, and the cells of the row that is being read."""

    indent: int
    heads: int = 0
    rows: int = 0
    cells: list[Place] = field(default_factory=list)

    def takes(self, raw: str, start: int) -> list[Place] | None:
        """Read a line of it. Returns the cells of the row that ends before the line, if any; None if the line is outside of the table."""
        if not raw.strip():
            return []
        if len(raw) - len(raw.lstrip()) <= self.indent:
            return None
        if heads := _HEADS.fullmatch(raw):
            self.heads = int(heads[1])
            return []
        cell = _CELL.match(raw)
        end = start + len(raw.rstrip())
        if cell is None:
            if self.cells and not _OPTION.match(raw):
                self.cells[-1] = self.cells[-1][0], end
            return []
        ended = self.ended() if cell["row"] else []
        self.cells.append((min(start + cell.end(), end), end))
        return ended

    def ended(self) -> list[Place]:
        """The cells of the row that is being read, which ends here."""
        cells, self.cells = self.cells, []
        self.rows += bool(cells)
        return cells


def list_table(raw: str) -> ListTable | None:
    """The table that a line of the page begins, if any."""
    begun = _LIST_TABLE.match(raw)
    return ListTable(len(raw) - len(raw.lstrip())) if begun else None

"""Writes tables in LaTeX, with columns as wide as their contents need and the page allows."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from operator import truediv

from symparam.core.frozen import frozen
from symparam.core.notation import Notation
from symparam.writing import widths
from symparam.writing.document import Code, Inline, Line, Table
from symparam.writing.latex.inline import escaped, inline, render

SIZES = {"small": 9.25, "footnotesize": 8.7, "scriptsize": 8.0, "tiny": 7.0}  # The font sizes of tables, with the points of an em.
GAP = 10  # Points between two columns, twice the \tabcolsep of a document.


@frozen
class Page:
    """The page: its width in points, and its font size relative to the 10 points of an article."""

    width: float
    type: float = 1.0


@frozen
class ColumnLayout:
    """The columns of a table: their font size, the points of its em, and their widths in points."""

    size: str
    em: float
    widths: list[float]


def table(node: Table, notation: Notation, page: Page) -> str:
    """The rows under their header, on as many pages as needed."""
    fitted = columns((tuple((words,) for words in node.header), *node.rows), notation, page)
    specification = "".join(
        f">{{\\ragged{'left' if column in node.numeric else 'right'}\\hangindent=1em\\arraybackslash}}p{{{int(width)}pt}}"
        for column, width in enumerate(fitted.widths)
    )
    head = " & ".join(escaped(words) for words in node.header) + " \\\\"
    rows = [" & ".join(_cell(cell, notation) for cell in row) + " \\\\" for row in node.rows]
    return "\n".join(
        [
            f"{{\\{fitted.size}\n\\begin{{longtable}}[l]{{@{{}}{specification}@{{}}}}",
            "\\toprule",
            head,
            "\\midrule",
            "\\endhead",
            *rows,
            "\\bottomrule",
            "\\end{longtable}}",
        ]
    )


def _cell(line: Line, notation: Notation) -> str:
    depth, line = _indented(line)
    return (f"\\hangindent={depth + 1}em\\hspace*{{{depth}em}}" if depth else "") + inline(line, notation)


def _indented(line: Line) -> tuple[int, Line]:
    """The depth given by the leading spaces of a cell, and the cell without them."""
    if not line or not isinstance(line[0], str):
        return 0, line
    words = line[0].lstrip(" ")
    return (len(line[0]) - len(words)) // 2, (words, *line[1:])


def columns(rows: Sequence[tuple[Line, ...]], notation: Notation, page: Page, taken: float = 0) -> ColumnLayout:
    """The columns of a table for the available width in points, in the largest font size that fits.

    The widths are fixed here, as TeX would need a second run to determine them, and would misalign the table in the first.
    """
    needed = [[_width(cell, notation) for cell in row] for row in rows]
    whole = [max(column) for column in zip(*needed, strict=True)]
    least = [max(_least(cell, notation) for cell in column) for column in zip(*rows, strict=True)]
    for size, points in SIZES.items():
        em = points * page.type
        room = (page.width - taken - GAP * (len(whole) - 1)) / em
        if sum(whole) <= room:
            return ColumnLayout(size, em, [width * em for width in whole])
        if size != "small" and sum(least) <= room:
            break
    shared = _shared(needed, [min(pair) for pair in zip(least, whole, strict=True)], room)
    return ColumnLayout(size, em, [width * em for width in shared])


def _shared(rows: list[list[float]], columns: list[float], room: float) -> list[float]:
    """The minimal widths of the columns, widened until the room is used up: each step widens the column that reduces the height most."""
    different = Counter(map(tuple, rows))

    def height(columns: list[float]) -> float:
        return sum((max(1.0, *map(truediv, row, columns)) * times for row, times in different.items()), 0.0)

    while sum(columns) + 1 <= room:
        columns = min(([*columns[:index], width + 1, *columns[index + 1 :]] for index, width in enumerate(columns)), key=height)
    return columns


def _width(line: Line, notation: Notation) -> float:
    depth, line = _indented(line)
    return depth + 0.3 + sum(_piece_width(piece, notation) for piece in line)


def _least(line: Line, notation: Notation) -> float:
    depth, line = _indented(line)
    longest = 0.0
    for piece in line:
        if isinstance(piece, str | Code):
            words = piece if isinstance(piece, str) else piece.text
            parts = re.findall(r"[^\s./_]*[./_]?" if isinstance(piece, Code) else r"[\u3000-\u9fff]|[^\s/_\u3000-\u9fff]*[/_]?", words)
            found = [_piece_width(part if isinstance(piece, str) else Code(part), notation) for part in parts]
        else:
            # TeX breaks a formula after its signs, so each stays with what precedes it.
            found = [widths.formula(part) + widths.SIGN for part in re.split(r" (?:[+-]|\\times) ", render(piece, notation))]
        longest = max(longest, *found)
    return depth + 1.3 + longest


def _piece_width(piece: Inline, notation: Notation) -> float:
    match piece:
        case str():
            return widths.words(piece)
        case Code(name):
            return widths.code(name)
    return widths.formula(render(piece, notation))

"""Markdown with TeX mathematics between dollar signs, which GitHub, MyST, MkDocs and Jupyter all read."""

from __future__ import annotations

import re

from symparam.formula import write, write_apart
from symparam.notation import LATEX, Notation
from symparam.writing.breaking import aligned
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table
from symparam.writing.text import printable

LINE = 56  # The longest line of a displayed formula, in em.
_LIST = re.compile(r"\A(?:([0-9]+)([.)])(?= |$)|([-+=]))")  # What would begin a list, or underline a heading, at the beginning of a line.
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|$~&])")


def document(page: Document) -> str:
    """The document as Markdown."""
    notation = LATEX.using(page.alphabet)
    blocks = []
    for node in page.nodes:
        match node:
            case Heading(level, words):
                blocks.append(f"{'#' * level} {escaped(words)}")
            case Paragraph(line):
                blocks.append(_line(line, notation))
            case Table():
                blocks.append(table(node, notation))
            case Chain():
                blocks.append(_display(node, notation))
            case Entry():
                blocks.append(_entry(node, notation))
    return "\n\n".join(blocks) + "\n"


def table(node: Table, notation: Notation) -> str:
    """A pipe table."""
    rules = ["---:" if column in node.numeric else "---" for column in range(len(node.header))]
    rows = [[_cell(cell, notation) for cell in row] for row in node.rows]
    return "\n".join("| " + " | ".join(row) + " |" for row in [[escaped(words) for words in node.header], rules, *rows])


def escaped(words: str) -> str:
    """Words that come out as they are, whatever signs of Markdown or HTML are among them."""
    return _SPECIAL.sub(r"\\\1", printable(words))


def _cell(line: Line, notation: Notation) -> str:
    first = line[0] if line else ""
    depth = (len(first) - len(first.lstrip(" "))) // 2 if isinstance(first, str) else 0
    # Leading spaces would be lost in a table, and how deep a module lies would be lost with them.
    pieces = (_piece(piece, notation) for piece in line)
    # A table takes every | that has no backslash for the end of a cell, also in a name.
    written = "".join(text.replace("|", "\\|") if isinstance(piece, Code) else text for piece, text in zip(line, pieces, strict=True))
    return "&emsp;" * depth + written.lstrip(" ")


def _line(line: Line, notation: Notation) -> str:
    """A paragraph, which no sign at its beginning makes into anything else."""
    return _LIST.sub(lambda match: f"{match[1]}\\{match[2]}" if match[1] else f"\\{match[3]}", _inline(line, notation).lstrip(" "))


def _inline(line: Line, notation: Notation) -> str:
    return "".join(_piece(piece, notation) for piece in line)


def _piece(piece: Inline, notation: Notation) -> str:
    match piece:
        case str():
            return escaped(piece) if piece.strip() else piece
        case Code(name):
            return _code(printable(name))
        case Shape(sizes):
            return f"${write_apart(sizes, notation)}$"
    return "$" + write(piece, notation) + "$"


def _code(name: str) -> str:
    """The name between more backticks than it has in a row itself."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    space = " " if name.startswith("`") or name.endswith("`") else ""
    return f"{fence}{space}{name}{space}{fence}"


def _display(node: Chain, notation: Notation) -> str:
    rows = aligned([write(formula, notation) for formula in node.formulas], LINE)
    if len(rows) > 1:
        # Markdown may take one of the backslashes of \\\\, but leaves \\cr alone.
        rows = ["\\begin{aligned}", *(f"{row} \\cr" for row in rows[:-1]), rows[-1], "\\end{aligned}"]
    return "\n".join(["$$", *(row.replace("&= ", "= ") if len(rows) == 1 else row for row in rows), "$$"])


def _entry(entry: Entry, notation: Notation) -> str:
    head = f"**{entry.number} {escaped(entry.title)}**" + (f" {_piece(entry.place, notation)}" if entry.place else "")
    blocks = [head, _line(entry.reason, notation)]
    if entry.chain:
        blocks.append(_display(entry.chain, notation))
    return "\n\n".join(blocks)

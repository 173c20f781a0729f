"""Markdown with TeX mathematics between dollar signs, which GitHub, MyST, MkDocs and Jupyter all read."""

from __future__ import annotations

import re

from symparam.formula import write
from symparam.notation import LATEX, Notation
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table

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
                blocks.append(_inline(line, notation))
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
    return _SPECIAL.sub(r"\\\1", " ".join(words.splitlines()))


def _cell(line: Line, notation: Notation) -> str:
    first = line[0] if line else ""
    depth = (len(first) - len(first.lstrip(" "))) // 2 if isinstance(first, str) else 0
    # Leading spaces would be lost in a table, and how deep a module lies would be lost with them.
    return "&emsp;" * depth + _inline(line, notation).lstrip(" ")


def _inline(line: Line, notation: Notation) -> str:
    return "".join(_piece(piece, notation) for piece in line)


def _piece(piece: Inline, notation: Notation) -> str:
    match piece:
        case str():
            return escaped(piece) if piece.strip() else piece
        case Code(name):
            return "`" + name.replace("`", "'") + "`"
        case Shape(sizes):
            return "$" + notation.times.join(write(size, notation) for size in sizes) + "$"
    return "$" + write(piece, notation) + "$"


def _display(node: Chain, notation: Notation) -> str:
    return "$$\n" + "\n= ".join(write(formula, notation) for formula in node.formulas) + "\n$$"


def _entry(entry: Entry, notation: Notation) -> str:
    head = f"**{entry.number} {escaped(entry.title)}**" + (f" {_piece(entry.place, notation)}" if entry.place else "")
    blocks = [f"{head}\\\n{_inline(entry.reason, notation)}"]
    if entry.chain:
        blocks.append(_display(entry.chain, notation))
    return "\n\n".join(blocks)

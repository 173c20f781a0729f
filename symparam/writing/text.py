"""Plain text, for a terminal or a file; in ASCII where the terminal knows nothing else."""

from __future__ import annotations

from tabulate import tabulate

from symparam.formula import write
from symparam.notation import UNICODE, Notation
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table

WIDTH = 100


def document(page: Document, notation: Notation = UNICODE) -> str:
    """The document as plain text."""
    notation = notation.using(page.alphabet)
    blocks = []
    for node in page.nodes:
        match node:
            case Heading(level, words):
                blocks.append(f"{words}\n{('=' if level == 1 else '-') * _width(words)}")
            case Paragraph(line):
                blocks.append(inline(line, notation))
            case Table():
                blocks.append(table(node, notation))
            case Chain(formulas):
                blocks.append(_indented(chain([write(formula, notation) for formula in formulas]), "    "))
            case Entry():
                blocks.append(_entry(node, notation))
    return "\n\n".join(blocks) + "\n"


def inline(line: Line, notation: Notation) -> str:
    """The pieces of a line, one after the other."""
    return "".join(_piece(piece, notation) for piece in line)


def table(node: Table, notation: Notation) -> str:
    """The rows under their header, in columns; full-width characters take two places."""
    rows = [[inline(cell, notation) for cell in row] for row in node.rows]
    align = ["right" if column in node.numeric else "left" for column in range(len(node.header))]
    text = tabulate(rows, node.header, tablefmt="simple", colalign=align, disable_numparse=True, preserve_whitespace=True)
    return "\n".join(line.rstrip() for line in text.splitlines())


def chain(formulas: list[str]) -> str:
    """``a = b = c`` on one line, or with each ``=`` on a line of its own where one line would be too long."""
    one = " = ".join(formulas)
    return one if len(one) <= WIDTH else "\n  = ".join(formulas)


def _piece(piece: Inline, notation: Notation) -> str:
    match piece:
        case str():
            return piece
        case Code(name):
            return name
        case Shape(sizes):
            return notation.times.join(write(size, notation) for size in sizes)
    return write(piece, notation)


def _entry(entry: Entry, notation: Notation) -> str:
    head = f"{entry.number}  {entry.title}" + (f"  [{entry.place.text}]" if entry.place else "")
    lines = [head, _indented(inline(entry.reason, notation), "    ")]
    if entry.chain:
        lines.append(_indented(chain([write(formula, notation) for formula in entry.chain.formulas]), "    "))
    return _indented("\n".join(lines), "  " * entry.depth)


def _indented(text: str, indent: str) -> str:
    return "\n".join(indent + line if line else line for line in text.splitlines())


def _width(words: str) -> int:
    from wcwidth import wcswidth

    return wcswidth(words)

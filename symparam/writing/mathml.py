"""Writes the document as one ``<math>`` element of MathML Core, with rows and tables as ``mtable``.

A diagram becomes a list of its modules; bars are left out, as the table below them has their numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.writing import widths
from symparam.writing.document import Box, Chain, Code, Diagram, Document, Entry, Heading, Inline, Line, Node, Paragraph, Shape, Table
from symparam.writing.formula_elements import Element, converted, latex, lines, times
from symparam.writing.plain import printable

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
# MathML breaks no lines of its own. The longest ones in em: of words, of a chain of formulas, of a formula in a table, of words there.
LINE, CHAIN, CELL, WORDS = 46, 56, 26, 30

_HEADINGS = {1: "font: bold 150% sans-serif; padding-top: 0.4em", 2: "font: bold 120% sans-serif; padding-top: 1em"}
_RIGHT = "text-align: right; text-align: -webkit-right"  # Chromium knows only the second for mathematics, Firefox only the first.
_OPENING, _CLOSING = "([（《“", ".,;:!?)]，。；：、！？）》”"  # Signs that end no line, and signs that begin none.
_WIDE = "\u3000-\u9fff\uff00-\uffef"


def mathml(formula: Formula, alphabet: Alphabet = STANDARD, before: str = "", after: str = "") -> str:
    """One formula as a ``<math>`` element, optionally with words before and after it."""
    written = _formula(formula, alphabet)
    words = [_word(said, alphabet) if said else None for said in (before, after)]
    row = [each for each in (words[0], written, words[1]) if each is not None]
    return _serialised(_element("mrow", *row) if len(row) > 1 else written)


def document(page: Document) -> str:
    """The document as one ``<math>`` element: a table with a row for each line of words, each table and each chain of formulas."""
    rows: list[Element] = []
    for node in page.without_links:
        rows += [_row([cell]) for cell in _cells(node, page.alphabet)]
    # The width of a table depends on the reader's fonts; one wider than the page can be scrolled, also by keyboard.
    return _serialised(_element("mtable", *rows), style="overflow-x: auto; max-width: 100%; white-space: nowrap", tabindex="0")


def _serialised(content: Element, **attributes: str) -> str:
    math = _element("math", content, xmlns=NAMESPACE, display="block", **attributes)
    return ElementTree.tostring(math, encoding="unicode") + "\n"


def _element(tag: str, *children: Element, text: str | None = None, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.text = text
    element.extend(children)
    return element


def _formula(formula: Formula | Shape, alphabet: Alphabet) -> Element:
    return converted(latex(formula, alphabet))


def _broken(formula: Formula, alphabet: Alphabet, width: float) -> list[Element]:
    """The formula broken into lines of at most the given length."""
    return [converted(line) for line in lines(latex(formula, alphabet), width)]


def _cells(node: Node, alphabet: Alphabet) -> Iterator[Element]:
    match node:
        case Heading(level, words):
            yield _element("mtext", text=_spaced(words), style=_HEADINGS[level])
        case Paragraph(line):
            yield from _lines(line, alphabet)
        case Table():
            yield _table(node, alphabet)
        case Chain():
            yield _chain(node, alphabet, indent=1)
        case Entry():
            indent = node.depth * 1.2
            style = f"font: bold 95% sans-serif; padding-left: {indent:.1f}em; padding-top: 0.6em"
            title = _element("mtext", text=_spaced(node.title), style=style)
            place = [_element("mspace", width="1em"), _word(node.place, alphabet)] if node.place else []
            yield _element("mrow", title, *place)
            yield from (_padded(line, indent + 1.5) for line in _lines(node.reason, alphabet))
            if node.chain:
                yield _chain(node.chain, alphabet, indent + 1.5)
        case Diagram():
            yield from (line for box in node.boxes for line in _drawn(box, alphabet, 1))


def _drawn(box: Box, alphabet: Alphabet, indent: float) -> Iterator[Element]:
    """The module and those inside it, one below the other, instead of a drawing."""
    title = [_element("mtext", text=_spaced(box.title), style="font: bold 95% sans-serif")]
    title += [_element("mspace", width="0.5em"), times(box.repeats, alphabet)] if box.repeats is not None else []
    content: list[Inline] = [piece for name, shape in box.tensors for piece in ("  ", name, " ", shape)]
    content += ["  ", *box.note] if box.note else []
    content += ["  ", box.formula] if box.formula is not None else []
    room = max(LINE - indent - widths.words(box.title), CELL)
    first, *others = _lines(tuple(content[1:]), alphabet, room)
    yield _padded(_element("mrow", *title, _element("mspace", width="0.8em"), first), indent)
    yield from (_padded(line, indent + 2) for line in others)
    for inner in box.inside:
        yield from _drawn(inner, alphabet, indent + 1.2)


def _padded(content: Element, indent: float) -> Element:
    return _element("mrow", _element("mspace", width=f"{indent:.1f}em"), content)


def _row(cells: Iterable[Element], numeric: frozenset[int] = frozenset(), style: str = "") -> Element:
    return _element(
        "mtr",
        *(_element("mtd", cell, style=(_RIGHT if column in numeric else "text-align: left") + style) for column, cell in enumerate(cells)),
    )


def _stack(lines: Iterable[Element]) -> Element:
    """Lines below each other, aligned to the left."""
    return _element("mtable", *(_row([line], style="; padding: 0 0.4em 0.5ex 0") for line in lines))


def _table(node: Table, alphabet: Alphabet) -> Element:
    head = _row((_word(words, alphabet) for words in node.header), node.numeric, "; border-bottom: thin solid; padding: 0.2em 0.6em")
    return _element("mtable", head, *(_body_row([_cell(cell, alphabet) for cell in row], node.numeric) for row in node.rows))


def _body_row(cells: list[Element], numeric: frozenset[int]) -> Element:
    # Cells of one row share their baseline; beside a formula of several lines they align with its first.
    several = any(cell.tag == "mtable" for cell in cells)
    return _row(cells, numeric, "; vertical-align: top" * several + "; padding: 0.2em 0.6em")


def _cell(line: Line, alphabet: Alphabet) -> Element:
    if len(line) == 1 and isinstance(line[0], Formula):
        first, *others = _broken(line[0], alphabet, CELL)
        return _stack([first, *(_padded(each, 1) for each in others)]) if others else first
    if sum(widths.words(piece) for piece in line if isinstance(piece, str)) > WORDS:
        return _stack(_lines(line, alphabet, WORDS))
    return _element("mrow", *(_word(piece, alphabet) for piece in line))


def _chain(node: Chain, alphabet: Alphabet, indent: float) -> Element:
    """Equal formulas below each other, with their equals signs in one column: beside the first formula if it is short, else below it."""
    first, *others = (_broken(formula, alphabet, CHAIN) for formula in node.formulas)
    right = [line for lines in others for line in _continued(lines, "=")]
    left = widths.formula(latex(node.formulas[0], alphabet))
    if len(first) == 1 and right and left <= CHAIN / 3:
        rows = [_row([first[0] if index == 0 else _element("mrow"), line]) for index, line in enumerate(right)]
        return _padded(_element("mtable", *rows), indent)
    return _padded(_stack([*_continued(first), *right]), indent)


def _continued(lines: list[Element], sign: str = "") -> Iterator[Element]:
    first, *others = lines
    yield _element("mrow", _element("mo", text=sign), first) if sign else first
    yield from (_padded(line, 2) for line in others)


@frozen
class _Atom:
    """An unbreakable piece: its element, its width in em, and its first and last character."""

    element: Element
    width: float
    first: str
    last: str


def _lines(line: Line, alphabet: Alphabet, longest: float = LINE) -> Iterator[Element]:
    """The line, broken between words and before the signs of formulas if it is too long."""
    width = 0.0
    words: list[Element] = []
    for cluster in _clusters(line, alphabet):
        size = sum(atom.width for atom in cluster)
        if words and width + size > longest:
            yield _element("mrow", *words)
            width, words = 0.0, []
        if words or cluster[0].first != " ":
            words += [atom.element for atom in cluster]
            width += size
    yield _element("mrow", *words)


def _clusters(line: Line, alphabet: Alphabet) -> Iterator[list[_Atom]]:
    """The atoms of a line, grouped where a line must not break between them."""
    cluster: list[_Atom] = []
    for atom in (atom for piece in line for atom in _atoms(piece, alphabet)):
        if cluster and _may_break(cluster[-1].last, atom.first):
            yield cluster
            cluster = []
        cluster.append(atom)
    if cluster:
        yield cluster


def _may_break(before: str, behind: str) -> bool:
    if behind in _CLOSING or before in _OPENING:
        return False
    return before == " " or any(unicodedata.east_asian_width(letter) in "WF" for letter in (before, behind))


def _atoms(piece: Inline, alphabet: Alphabet) -> Iterator[_Atom]:
    """Words with the space after them, single Chinese characters, names, and formulas in lines that fit."""
    match piece:
        case str():
            for text in re.findall(rf"[{_WIDE}]|[^ {_WIDE}]+ *| +", printable(piece)):
                yield _Atom(_word(text, alphabet), widths.words(text), text[0], text[-1])
        case Code(name):
            yield _Atom(_word(piece, alphabet), widths.code(name), "x", "x")
        case Shape(sizes):
            size = sum(widths.formula(latex(each, alphabet)) + widths.SIGN for each in sizes)
            yield _Atom(_word(piece, alphabet), size, "x", "x")
        case _:
            parts = lines(latex(piece, alphabet), LINE * 0.6)
            for index, each in enumerate(parts, 1):
                yield _Atom(converted(each), widths.formula(each), "x", " " if index < len(parts) else "x")


def _word(piece: Inline, alphabet: Alphabet) -> Element:
    match piece:
        case str():
            return _element("mtext", text=_spaced(piece))
        case Code(name):
            return _element("mtext", text=printable(name), style="font-family: monospace")
    return _formula(piece, alphabet)


def _spaced(text: str) -> str:
    """The words with non-breaking spaces, as MathML drops ordinary spaces at the ends of a text."""
    return printable(text).replace(" ", "\u00a0")

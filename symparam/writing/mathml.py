"""MathML Core, through latex2mathml one formula at a time, and set right where its output is not.

What latex2mathml gets wrong never reaches it or is mended behind it: a formula goes in with ungrouped numbers, which are grouped in
their ``<mn>`` afterwards; words lose the backslashes that it leaves in them; the rows of a document are our own ``mtable``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from fractions import Fraction
from xml.etree import ElementTree

from latex2mathml.converter import convert

from symparam.alphabets import STANDARD, Alphabet
from symparam.formula import Formula, write
from symparam.notation import LATEX, UNICODE, Notation, decimal
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Inline, Line, Paragraph, Shape, Table
from symparam.writing.text import inline

Element = ElementTree.Element

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
WIDTH = 88  # Places in a line of words; MathML breaks no lines of its own.


class _Ungrouped(Notation):
    """LaTeX with plain digits."""

    def number(self, value: int | Fraction) -> str:
        return decimal(value)


_LATEX = _Ungrouped(LATEX.name, LATEX.times, LATEX.minus, drawn=True)


def mathml(formula: Formula, alphabet: Alphabet = STANDARD) -> str:
    """One formula as a ``<math>`` element."""
    return _serialised(_formula(formula, alphabet))


def document(page: Document) -> str:
    """The document as one ``<math>`` element: a table with a row for each line of words, each table and each chain of formulas."""
    rows: list[Element] = []
    for node in page.nodes:
        rows += [_row([cell]) for cell in _cells(node, page.alphabet)]
    return _serialised(_element("mtable", *rows))


def _serialised(content: Element) -> str:
    math = _element("math", content, xmlns=NAMESPACE, display="block")
    return ElementTree.tostring(math, encoding="unicode") + "\n"


def _element(tag: str, *children: Element, text: str | None = None, **attributes: str) -> Element:
    element = Element(tag, attributes)
    element.text = text
    element.extend(children)
    return element


def _formula(formula: Formula, alphabet: Alphabet) -> Element:
    root = ElementTree.fromstring(convert(write(formula, _LATEX.using(alphabet))))
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
        if element.tag == "mn" and element.text:
            element.text = re.sub(r"^[0-9]+", lambda match: f"{int(match[0]):,}", element.text)
        elif element.tag == "mtext" and element.text:
            element.text = element.text.replace("\\_", "_")
    return _element("mrow", *root)


def _cells(node: Heading | Paragraph | Table | Chain | Entry, alphabet: Alphabet) -> Iterator[Element]:
    match node:
        case Heading(level, words):
            size = "font-weight: bold; font-size: 140%; padding-top: 0.4em" if level == 1 else "font-weight: bold; font-size: 115%; padding-top: 1em"
            yield _element("mtext", text=words, style=size)
        case Paragraph(line):
            yield from _lines(line, alphabet)
        case Table():
            yield _table(node, alphabet)
        case Chain():
            yield _chain(node, alphabet, indent=1)
        case Entry():
            indent = node.depth * 1.2
            place: Line = ("  ", node.place) if node.place else ()
            title = _element("mtext", text=f"{node.number}\u2002{node.title}", style=f"font-weight: bold; padding-left: {indent}em")
            yield _element("mrow", title, *(_word(piece, alphabet) for piece in place))
            yield from (_padded(line, indent + 1.5) for line in _lines(node.reason, alphabet))
            if node.chain:
                yield _chain(node.chain, alphabet, indent + 1.5)


def _padded(content: Element, indent: float) -> Element:
    return _element("mrow", _element("mspace", width=f"{indent}em"), content)


def _row(cells: Iterable[Element], numeric: frozenset[int] = frozenset(), style: str = "") -> Element:
    return _element("mtr", *(
        _element("mtd", cell, style=f"text-align: {'right' if column in numeric else 'left'}{style}") for column, cell in enumerate(cells)
    ))


def _table(node: Table, alphabet: Alphabet) -> Element:
    head = _row((_element("mtext", text=words) for words in node.header), node.numeric, "; border-bottom: thin solid; padding: 0.2em 0.6em")
    rows = (_row((_line(cell, alphabet) for cell in row), node.numeric, "; padding: 0.2em 0.6em") for row in node.rows)
    return _element("mtable", head, *rows)


def _chain(node: Chain, alphabet: Alphabet, indent: float) -> Element:
    """Equal formulas below each other, their equals signs in one column."""
    first, *others = (_formula(formula, alphabet) for formula in node.formulas)
    rows = [[first, _element("mrow")]] if not others else [
        [first if index == 0 else _element("mrow"), _element("mrow", _element("mo", text="="), other)] for index, other in enumerate(others)
    ]
    return _padded(_element("mtable", *map(_row, rows)), indent)


def _lines(line: Line, alphabet: Alphabet) -> Iterator[Element]:
    """The line, broken between words where it is too long; a formula or a name stays in one piece."""
    width = 0
    words: list[Element] = []
    for piece in line:
        for atom in _atoms(piece):
            size = _width(inline((atom,), UNICODE.using(alphabet)))
            if words and width + size > WIDTH:
                yield _element("mrow", *words)
                width, words = 0, []
            words.append(_word(atom, alphabet))
            width += size
    yield _element("mrow", *words)


def _line(line: Line, alphabet: Alphabet) -> Element:
    return _element("mrow", *(_word(piece, alphabet) for piece in line))


def _atoms(piece: Inline) -> list[Inline]:
    """The places between which a line may break: words with the space behind them, and each Chinese character."""
    if not isinstance(piece, str):
        return [piece]
    return list(re.findall(r"[\u3000-\u9fff\uff00-\uffef]|[^\s\u3000-\u9fff\uff00-\uffef]*\s*", piece)[:-1])


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)


def _word(piece: Inline, alphabet: Alphabet) -> Element:
    match piece:
        case str():
            # MathML drops the spaces at the ends of a text, and with them those between words.
            return _element("mtext", text=_printable(piece).replace(" ", "\u00a0"))
        case Code(name):
            return _element("mtext", text=_printable(name), style="font-family: monospace")
        case Shape(sizes):
            parts: list[Element] = []
            for size in sizes:
                parts += [_element("mo", text="×"), _formula(size, alphabet)] if parts else [_formula(size, alphabet)]
            return _element("mrow", *parts)
    return _formula(piece, alphabet)


def _printable(text: str) -> str:
    """The text without control characters, which XML cannot hold."""
    return "".join(character for character in text if character.isprintable())

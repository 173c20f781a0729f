"""Writes the content of a line: words, names that may break at their dots, and formulas that may break before their signs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symparam.core.alphabets import Alphabet
from symparam.core.notation import UNICODE
from symparam.writing import plain, widths
from symparam.writing.document import Chain, Code, Inline, Line
from symparam.writing.formula_elements import converted, latex, lines
from symparam.writing.html.elements import Content, Element, element

# MathML breaks no lines of its own. A longer formula is therefore several elements, one after the other like words, so that a browser
# can fit it on any screen. The longest piece in em: in a line or a chain, and in a table.
PIECE, CELL = 11, 8
WIDEST = 15  # The widest piece that every screen has room for; what is wider, such as a fraction of a long sum, can be scrolled.
# The longest formula with the equals signs of its chain to its right, and the longest pieces there; a longer one has them below it.
LEFT, RIGHT = 6, 7
_PART = re.compile(r"(?>(?:\{[^{}]*+\}|[^._])+)[._]*+|[._]++")
_CLOSING = re.compile("[.,;:!?)。，；：）]+")


def line(pieces: Line, alphabet: Alphabet, longest: float = PIECE) -> list[Content]:
    """The pieces in sequence; punctuation after a formula stays on its line."""
    found: list[Content] = []
    for piece in pieces:
        last = found[-1] if found else None
        sign = _CLOSING.match(piece) if isinstance(piece, str) else None
        if isinstance(piece, str) and sign and isinstance(last, Element) and last.tag == "math":
            found[-1:] = [element("span", last, sign[0], class_="together"), piece[sign.end() :]]
        else:
            found += inline(piece, alphabet, longest)
    return found


def inline(piece: Inline, alphabet: Alphabet, longest: float = PIECE) -> Iterator[Content]:
    """Words as they are, a name as ``<code>``, a formula or shape as one ``<math>``, or as several if it is long."""
    match piece:
        case str():
            yield piece
        case Code(name):
            yield code(name)
        case _:
            for index, part in enumerate(lines(latex(piece, alphabet), longest)):
                if index:
                    yield element("wbr")
                shown = element("math", converted(part))
                if widths.formula(part) <= WIDEST:
                    yield shown
                else:
                    name = plain.inline((piece,), UNICODE.using(alphabet))
                    yield element("span", shown, class_="scroll wide", tabindex="0", role="group", aria_label=name)


def code(name: str) -> Element:
    """The name of a tensor or a key, which may break after dots and underscores, but not within braces."""
    parts = _PART.findall(name)
    return element("code", *[content for part in parts for content in (element("wbr"), part)][1:])


def chain(node: Chain, alphabet: Alphabet) -> Element:
    """Equal formulas below each other, with their equals signs in one column, beside the first formula if it is short."""
    first, *others = node.formulas
    short = bool(others) and widths.formula(latex(first, alphabet)) <= LEFT
    rows: list[Content] = [element("div", *inline(first, alphabet), class_="left")]
    for formula in others:
        rows += [
            element("div", _equals(), class_="sign"),
            element("div", *inline(formula, alphabet, RIGHT if short else PIECE), class_="right"),
        ]
    return element("div", *rows, class_="chain beside" if short else "chain")


def _equals() -> Element:
    """The sign of a line; the room after it is the line's, as not every browser leaves any around a sign that stands alone."""
    return element("math", element("mo", "=", lspace="0", rspace="0"))

"""A small document model: what an explanation says, before anything is decided about how it looks."""

from __future__ import annotations

from dataclasses import dataclass

from symparam.alphabets import Alphabet
from symparam.formula import Formula


@dataclass(frozen=True)
class Code:
    """A name from a program, to be set letter by letter."""

    text: str


@dataclass(frozen=True)
class Shape:
    """The shape of a tensor: ``V × H``."""

    sizes: tuple[Formula, ...]


Inline = str | Code | Formula | Shape
Line = tuple[Inline, ...]


@dataclass(frozen=True)
class Heading:
    """The title of the document (level 1) or of a section (level 2)."""

    level: int
    text: str


@dataclass(frozen=True)
class Paragraph:
    """A line of words, formulas and names."""

    line: Line


@dataclass(frozen=True)
class Table:
    """Rows under a header. ``numeric`` lists the columns that are set to the right."""

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    numeric: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Chain:
    """Formulas that are equal, one after the other: ``a = b = c``."""

    formulas: tuple[Formula, ...]


@dataclass(frozen=True)
class Entry:
    """One step of a derivation: its number, title and place, the reason for its formula, and the formula."""

    number: str
    title: str
    place: Code | None
    reason: Line
    chain: Chain | None
    depth: int


Node = Heading | Paragraph | Table | Chain | Entry


@dataclass(frozen=True)
class Document:
    """The nodes in order, the language they are in (``en`` or ``zh``) and the alphabet that formulas are written in."""

    nodes: tuple[Node, ...]
    language: str
    alphabet: Alphabet

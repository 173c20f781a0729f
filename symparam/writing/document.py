"""A small document model: the content of an explanation, independent of its format."""

from __future__ import annotations

from fractions import Fraction

from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula
from symparam.core.frozen import frozen


@frozen
class Code:
    """A name from a program, to be set verbatim."""

    text: str


@frozen
class Shape:
    """The shape of a tensor: ``V × H``."""

    sizes: tuple[Formula, ...]


Inline = str | Code | Formula | Shape
Line = tuple[Inline, ...]


@frozen
class Heading:
    """The title of the document (level 1) or of a section (level 2)."""

    level: int
    text: str


@frozen
class Paragraph:
    """A line of words, formulas and names."""

    line: Line


@frozen
class Table:
    """Rows under a header. ``numeric`` lists the columns that are aligned to the right; a ``folded`` table gives details, and is collapsed
    in formats that can fold.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[Line, ...], ...]
    numeric: frozenset[int] = frozenset()
    folded: bool = False


@frozen
class Chain:
    """Formulas that are equal, one after the other: ``a = b = c``."""

    formulas: tuple[Formula, ...]


@frozen
class SumTerm:
    """A formula in a sum, with the title and the place of the module that it counts."""

    formula: Formula
    title: str
    place: Code


@frozen
class Terms:
    """A formula as the sum of its modules: terms, with numbers of copies and signs between them. Where there are links, each term leads to
    its module; ``plain`` is the formula in formats without them, if it belongs there.
    """

    pieces: tuple[str | Formula | SumTerm, ...]
    plain: Formula | None = None


@frozen
class Entry:
    """One step of a derivation: its title and place, the reason for its formula, and the formula. A ``folded`` one is a detail, and is
    collapsed in formats that can fold.
    """

    title: str
    place: Code | None
    reason: Line
    chain: Chain | None
    depth: int
    folded: bool = False


@frozen
class Box:
    """One module of a diagram: its title and place, its group (one of `GROUPS`), its own tensors with their shapes, the formula of a single
    copy, the number of copies, and the modules inside in execution order. A note says whose values it shares. A formula that is too long
    for a drawing is left out.
    """

    title: str
    place: Code | None
    group: str
    tensors: tuple[tuple[Code, Shape], ...]
    formula: Formula | None
    repeats: Formula | None
    inside: tuple[Box, ...]
    note: Line = ()


@frozen
class Diagram:
    """The architecture as boxes inside boxes, from the top down."""

    title: str
    boxes: tuple[Box, ...]


@frozen
class Bar:
    """One module of a chart: its title, depth, group, number, share of the whole, the share in words, and its place."""

    title: str
    depth: int
    group: str
    number: Formula
    share: Fraction
    percent: str
    place: Code | None = None


@frozen
class Shares:
    """The numbers of the modules as bars of proportional length."""

    title: str
    bars: tuple[Bar, ...]


GROUPS = ("embedding", "attention", "feed-forward", "norm", "head", "other")
"""The kinds of parts that drawings tell apart."""

Node = Heading | Paragraph | Table | Chain | Terms | Entry | Diagram | Shares


@frozen
class Document:
    """The nodes in order, the language they are in (``en`` or ``zh``) and the alphabet that formulas are written in."""

    nodes: tuple[Node, ...]
    language: str
    alphabet: Alphabet

    @property
    def without_links(self) -> tuple[Node, ...]:
        """The nodes for formats without links: a formula instead of linked terms, or nothing."""
        nodes = (Chain((node.plain,)) if isinstance(node, Terms) and node.plain is not None else node for node in self.nodes)
        return tuple(node for node in nodes if not isinstance(node, Terms))

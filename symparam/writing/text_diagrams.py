"""Draws with characters: the architecture as a tree, and shares as bars."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from symparam.core.formula import Formula, Sum, write
from symparam.core.frozen import frozen
from symparam.core.notation import Notation
from symparam.writing.document import Box, Diagram, Shares
from symparam.writing.plain import columns, inline, printable, wrapped

LONGEST_BAR, SHORTEST_BAR = 40, 8  # Columns of the longest bar.
NARROWEST = 12  # Columns that words keep next to a tree in the narrowest terminal.
GAP = "  "
_EIGHTHS = ("", "▏", "▎", "▍", "▌", "▋", "▊", "▉")


@frozen
class _Branches:
    """The signs of a tree: before a part, before the last one, and below either of them."""

    part: str
    last: str
    below_part: str
    below_last: str


_DRAWN = _Branches("├─ ", "└─ ", "│  ", "   ")
_ASCII = _Branches("|- ", "`- ", "|  ", "   ")


@frozen
class _DrawnRow:
    """A module: the branches that lead to it, those that continue below its first line, and its text."""

    branch: str
    below: str
    name: str
    shapes: str
    formula: str


def diagram(node: Diagram, notation: Notation, width: int = 0) -> str:
    """A tree with a line for each module and its shapes and formula in columns, as far as the width allows, if it is limited."""
    rows = list(_rows(node.boxes, "", _ASCII if notation.name == "ascii" else _DRAWN, notation))
    names = max((columns(row.branch + row.name) for row in rows), default=0)
    shapes = max((columns(row.shapes) for row in rows), default=0)
    lines = [printable(node.title)]
    for row in rows:
        in_columns = GAP.join((_padded(row.branch + row.name, names), _padded(row.shapes, shapes), row.formula)).rstrip()
        close = GAP.join(filter(None, (row.branch + row.name, row.shapes, row.formula)))
        fitting = (line for line in (in_columns, close) if not width or columns(line) <= width)
        lines += [line] if (line := next(fitting, "")) else _stacked(row, width)
    return "\n".join(lines)


def shares(node: Shares, notation: Notation, width: int = 0) -> str:
    """A line for each module: title, number, percentage, and a bar as long as its share of the longest, to an eighth of a letter."""
    rows = [(GAP * bar.depth + printable(bar.title), write(bar.number, notation), bar.percent) for bar in node.bars]
    titles, numbers, percents = (max(map(columns, column), default=0) for column in zip(*rows, strict=True)) if rows else (0, 0, 0)
    taken = titles + numbers + percents + 3 * len(GAP)
    longest = max(SHORTEST_BAR, min(LONGEST_BAR, width - taken)) if width else LONGEST_BAR
    lines = [
        GAP.join((_padded(title, titles), number.rjust(numbers), percent.rjust(percents), _bar(bar.share, longest, notation))).rstrip()
        for (title, number, percent), bar in zip(rows, node.bars, strict=True)
    ]
    return "\n".join([printable(node.title), *lines])


def times(repeats: Formula, notation: Notation) -> str:
    """``× N``, how often a module is repeated."""
    written = write(repeats, notation)
    return f"{notation.times.strip()} {notation.brackets(written) if isinstance(repeats, Sum) else written}"


def _rows(boxes: tuple[Box, ...], before: str, signs: _Branches, notation: Notation) -> Iterator[_DrawnRow]:
    for number, box in enumerate(boxes, 1):
        last = number == len(boxes)
        below = before + (signs.below_last if last else signs.below_part)
        name = printable(box.title) + (f" {times(box.repeats, notation)}" if box.repeats is not None else "")
        shapes = ", ".join(inline((tensor, " ", shape), notation) for tensor, shape in box.tensors)
        if box.note:
            shapes += f" ({inline(box.note, notation)})"
        formula = write(box.formula, notation) if box.formula is not None else ""
        own = below + (signs.below_part if box.inside else signs.below_last)
        yield _DrawnRow(before + (signs.last if last else signs.part), own, name, shapes, formula)
        yield from _rows(box.inside, below, signs, notation)


def _stacked(row: _DrawnRow, width: int) -> Iterator[str]:
    """The module, and below it its shapes and its formula, broken where they are too long for the width."""
    room = max(NARROWEST, width - columns(row.below))
    first, *others = [line for words in (row.name, row.shapes, row.formula) if words for line in wrapped(words, room)]
    yield row.branch + first
    yield from (row.below + line for line in others)


def _bar(share: Fraction, longest: int, notation: Notation) -> str:
    if notation.name == "ascii":
        return "#" * round(share * longest)
    whole, eighths = divmod(round(share * longest * 8), 8)
    return "█" * whole + _EIGHTHS[eighths]


def _padded(words: str, places: int) -> str:
    return words + " " * (places - columns(words))

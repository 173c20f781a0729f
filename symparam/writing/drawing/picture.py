"""A drawing as shapes, independent of the format: lengths are in screen pixels, y grows downwards."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Literal

from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, write
from symparam.core.frozen import frozen
from symparam.core.notation import LATEX, UNICODE, Notation
from symparam.writing import widths

Look = Literal["box", "frame", "matrix", "line", "mark"]


@frozen
class Run:
    """A stretch of words in one style; a number may carry the formula that it is the ``value`` of."""

    text: str
    italic: bool = False
    low: bool = False
    value: Formula | None = None


@frozen
class Rectangle:
    """A rectangle by its upper left corner: a box with a name, a frame around others, or a matrix."""

    x: float
    y: float
    width: float
    height: float
    look: Look
    group: str = "other"


@frozen
class Stroke:
    """Straight pieces from point to point, with a head at the end of an ``arrow``."""

    points: tuple[tuple[float, float], ...]
    look: Look = "line"
    arrow: bool = False
    group: str = "other"


@frozen
class Joint:
    """A small circle on a line where branches are added, multiplied or concatenated, or, without a sign, where they leave."""

    x: float
    y: float
    sign: str = ""


@frozen
class Words:
    """One line of words. ``x`` is its left end, its middle or its right end, as ``anchor`` says, and ``y`` its baseline."""

    x: float
    y: float
    runs: tuple[Run, ...]
    size: float
    anchor: Literal["start", "middle", "end"] = "start"
    bold: bool = False
    quiet: bool = False
    code: bool = False


@frozen
class Side:
    """A side of a matrix: its formula, the number of heads that it is divided into, and whether it is cut off."""

    size: Formula
    strips: Formula
    cut: bool


@frozen
class Sized:
    """A matrix whose sides, downwards and to the right, a page changes with the sizes of its model; ``shapes`` are the initial ones."""

    down: Side
    right: Side
    shapes: tuple[Rectangle | Stroke, ...]


Shape = Rectangle | Stroke | Joint | Words | Sized


@frozen
class Drawn:
    """The shapes of one part of the architecture, with its place, its group, and a description in words."""

    place: str
    group: str
    title: str
    shapes: tuple[Shape, ...]


@frozen
class Picture:
    """A drawing: its size, title, description in words, shapes, and language."""

    width: float
    height: float
    title: str
    description: str
    content: tuple[Shape | Drawn, ...]
    language: str


class _Marked(Notation):
    """The notation of text, with markers around letters and subscripts."""

    def symbol(self, letter: str) -> str:
        name = self.alphabet.name_of(letter)
        base, _, low = name.partition("_")
        return f"\ue000{base}\ue001{low}\ue002" if len(base) == 1 else f"\ue000{name}\ue001\ue002"


_MARKS = re.compile("\ue000([^\ue000\ue001]*)\ue001([^\ue000\ue002]*)\ue002|([^\ue000]+)")


def formula_runs(formula: Formula, alphabet: Alphabet) -> tuple[Run, ...]:
    """A formula on one line: single letters in italics, and subscripts smaller."""
    marked = _Marked(**{each.name: getattr(UNICODE, each.name) for each in fields(Notation)} | {"alphabet": alphabet})
    runs: list[Run] = []
    for base, low, others in _MARKS.findall(write(formula, marked)):
        runs += [Run(base, italic=len(base) == 1)] if base else []
        runs += [Run(low, italic=len(low) == 1, low=True)] if low else []
        runs += [Run(others)] if others else []
    return tuple(runs)


def formula_width(formula: Formula, alphabet: Alphabet, size: float) -> float:
    """The greatest width that the formula can have at this font size."""
    return widths.formula(write(formula, LATEX.using(alphabet))) * size

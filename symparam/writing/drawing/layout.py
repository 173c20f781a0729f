"""Lays out the flow of an architecture from top to bottom.

The main line runs down at the left; branches leave it to the right and return to it. No font is measured: each word gets the most room that
it can take.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

import sympy

from symparam.analysis.counting import Count
from symparam.analysis.derivation import Derivation, Step
from symparam.analysis.flow import ADDED, CONCATENATED, MULTIPLIED, FlowBox, Frame, Item, Join, Line, Stream, flow
from symparam.analysis.roles import CROSS_ATTENTION
from symparam.core.algebra.closed_form import closed_form
from symparam.core.dimensions import k
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, number, write
from symparam.core.frozen import frozen
from symparam.models.blocks import DotProduct, Experts
from symparam.models.blocks.architecture import Place, evaluate_size
from symparam.models.blocks.module import OpaqueBlock
from symparam.writing import widths
from symparam.writing.completeness import sentences
from symparam.writing.document import GROUPS
from symparam.writing.drawing.matrices import GAP, DrawingScale, Laid, Setting, laid, scale, sections
from symparam.writing.drawing.picture import (
    Drawn,
    Joint,
    Picture,
    Rectangle,
    Run,
    Shape,
    Stroke,
    Words,
    formula_runs,
    formula_width,
)
from symparam.writing.phrases import Phrases
from symparam.writing.titles import of_block

WIDTH = 360.0  # The narrowest screen to fit.
MARGIN = 8.0
AXIS = 20.0  # The line of the model, from the left end of its boxes.
TITLE, TEXT = 12.0, 10.5
STEP = 16.0  # The distance between lines of text.
ARROW = 14.0  # Between two boxes.
PAD = 7.0
INSET = 6.0  # The distance of a frame from its content.
SHEET = 3.0  # A repeated frame looks like a pile of two sheets; their distance.
BRANCH = 26.0  # The distance from the main line to a branch.
SIGNS = {ADDED: "+", MULTIPLIED: "×", CONCATENATED: "∥"}


@frozen
class Piece:
    """A stretch that has been laid out: its shapes, where it ends, and whether the line continues from there."""

    end: float
    content: tuple[Shape | Drawn, ...]
    crossings: tuple[tuple[float, float], ...] = ()


@frozen
class Sheet:
    """The data of a drawing: the derivation, the numbers if there are any, and the scale of the matrices."""

    derivation: Derivation
    count: Count | None
    scale: DrawingScale
    words: Phrases
    steps: Mapping[str, Step] = field(hash=False)
    live: bool = False

    def formula_of(self, size: sympy.Expr) -> Formula:
        return closed_form(self.derivation.relations.substitute(size))

    def title(self, place: Place) -> str:
        *_, outer, name = ("", "", *place.path.split("."))
        if place.module.role is None and name.isdecimal():
            return f"{outer}.{name}".lstrip(".")
        return of_block(place.module.role, place.module.kind, place.path, self.words)

    def said(self, key: str, **sizes: sympy.Expr) -> str:
        """A sentence with sizes, as numbers if these are known."""
        values = self.count.values if self.count and not self.live else {}
        return self.words.say(key, **{name: write(self.formula_of(size).substitute(values)) for name, size in sizes.items()})

    def number(self, formula: Formula, count: Count) -> Run:
        """The number of the formula, and, if the page lets its reader change the sizes, the formula itself."""
        return Run(write(number(evaluate(formula, count.values))), value=formula if self.live else None)

    @property
    def setting(self) -> Setting:
        return Setting(self.scale, self.derivation.alphabet, self.formula_of, self.words.sentences["drawing-shared"], self.live)


def picture(derivation: Derivation, count: Count | None, values: Mapping[str, int], words: Phrases, live: bool = False) -> Picture:
    """The drawing of an architecture; ``values`` determine the proportions, even if the formulas are shown without numbers.

    In a ``live`` drawing each number carries its formula, and appears nowhere else.
    """
    known: dict[sympy.Expr, int] = {}

    def value(size: sympy.Expr) -> int | None:
        return evaluate_size(size, values, known) if {str(letter) for letter in size.free_symbols} <= values.keys() else None

    streams = flow(derivation.architecture)
    parts = [part for stream in streams for part in _parts(stream.line)]
    sheet = Sheet(derivation, count, scale(parts, value), words, {step.path: step for step in derivation.root.walk()}, live)
    room = WIDTH - 2 * MARGIN - (LANE if len(streams) > 1 else 0)
    content: list[Shape | Drawn] = []
    y, left = MARGIN, 0.0
    for stream in streams:
        drawn = _stream(stream, sheet, Column(MARGIN, room, MARGIN + AXIS), y)
        content += drawn.content
        if left:
            content += _led_across(drawn.crossings, left)
        left, y = drawn.end, drawn.end + 2 * ARROW
    legend = _legend(parts, sheet, y)
    name = words.say("drawing-of", class_name=derivation.architecture.class_name)
    return Picture(WIDTH, legend.end + MARGIN, name, "; ".join(_described(streams, sheet)), (*content, *legend.content), words.tag)


LANE = 14.0  # Room at the right for the line from an encoder to its decoder.


@frozen
class Column:
    """The column of a line: the left end and the width of its boxes, and the position of the line."""

    x: float
    width: float
    axis: float

    @property
    def inner(self) -> Column:
        """The same inside a frame."""
        return Column(self.x + INSET, self.width - 2 * INSET, self.axis)

    def one_of(self, number: int, index: int, shift: float) -> Column:
        """One of several columns next to each other, after a shift to the right."""
        width = (self.width - shift - GAP * (number - 1)) / number
        x = self.x + shift + index * (width + GAP)
        return Column(x, width, self.axis if index == 0 and not shift else x + min(AXIS, width / 4))


def _stream(stream: Stream, sheet: Sheet, column: Column, y: float) -> Piece:
    """A whole line, with its input and its output."""
    said = sheet.words.sentences
    unordered = isinstance(sheet.derivation.architecture.root, OpaqueBlock)
    top = y + STEP + 2
    title = sheet.words.titles[stream.place.module.role or ""] + ": " if stream.place else ""
    into = Words(column.x, top - 6, (Run(title + said["drawing-unordered" if unordered else "drawing-input"]),), TEXT, quiet=True)
    if unordered:
        return _stacked(stream.line, sheet, column, top + 4, into)
    line = _line(stream.line, sheet, column, top)
    out = Stroke(((column.axis, line.end), (column.axis, line.end + ARROW)), arrow=True)
    last = stream.line[-1] if stream.line else None
    is_head = isinstance(last, FlowBox) and last.first.module.role in ("language-model-head", "vocabulary-projection")
    made = said["drawing-logits" if is_head else "drawing-output"]
    end = line.end + ARROW + STEP
    return Piece(end, (into, *line.content, out, Words(column.x, end - 3, (Run(made),), TEXT, quiet=True)), line.crossings)


def _stacked(line: Line, sheet: Sheet, column: Column, y: float, *before: Shape) -> Piece:
    """Boxes below each other without a line, if the flow between them is unknown."""
    content: list[Shape | Drawn] = [*before]
    for item in line:
        assert not isinstance(item, Join)  # Its inputs are unknown.
        piece = _frame(item, sheet, column, y) if isinstance(item, Frame) else _box(item, sheet, column, y)
        content += piece.content
        y = piece.end + GAP
    return Piece(y, tuple(content))


def _line(line: Line, sheet: Sheet, column: Column, y: float) -> Piece:
    """The items of a line from top to bottom, each with the arrow that leads to it."""
    content: list[Shape | Drawn] = []
    crossings: list[tuple[float, float]] = []
    for item in line:
        piece = _item(item, sheet, column, y)
        content += piece.content
        crossings += piece.crossings
        y = piece.end
    return Piece(y, tuple(content), tuple(crossings))


def _item(item: Item, sheet: Sheet, column: Column, y: float) -> Piece:
    if isinstance(item, Join):
        return _join(item, sheet, column, y)
    arrow = Stroke(((column.axis, y), (column.axis, y + ARROW)), arrow=isinstance(item, FlowBox))
    piece = _frame(item, sheet, column, y + ARROW) if isinstance(item, Frame) else _box(item, sheet, column, y + ARROW)
    return Piece(piece.end, (arrow, *piece.content), piece.crossings)


def _frame(frame: Frame, sheet: Sheet, column: Column, y: float) -> Piece:
    """A block with a line inside, and its number of copies."""
    said = sheet.title(frame.place)
    runs: tuple[Run, ...] = (Run(said),)
    if frame.count != 1:
        times = sheet.formula_of(frame.count)
        shown = formula_runs(times, sheet.derivation.alphabet)
        runs = (Run(f"{said} × "), *((Run("("), *shown, Run(")")) if frame.count.is_Add else shown))
        if sheet.count:
            runs = (*runs, Run(" = "), sheet.number(times, sheet.count))
    top, inner = y + STEP + 4, column.inner
    inside = _stacked(frame.line, sheet, inner, top) if frame.unordered else _line(frame.line, sheet, inner, top)
    through = () if frame.unordered else (Stroke(((column.axis, y), (column.axis, top))),)
    end = inside.end + (0 if frame.unordered else INSET + 2)
    onward = () if frame.unordered else (Stroke(((column.axis, inside.end), (column.axis, end))),)
    shifts = (SHEET, 0.0) if frame.count != 1 else (0.0,)
    sheets = [Rectangle(column.x + shift, y + shift, column.width - shift, end - y, "frame") for shift in shifts]
    head = Words(column.x + column.width - INSET, y + STEP - 2, runs, TITLE, "end", bold=True)
    return Piece(end, (*sheets, head, *through, *inside.content, *onward), inside.crossings)


def _join(join: Join, sheet: Sheet, column: Column, y: float) -> Piece:
    """Branches side by side, from the point where they leave the line to the one where they return."""
    passes = any(not branch for branch in join.branches)
    branches = [branch for branch in join.branches if branch]
    columns = [column.one_of(len(branches), index, BRANCH if passes else 0.0) for index in range(len(branches))]
    start = y + ARROW / 2
    pieces = [_line(branch, sheet, each, start) for branch, each in zip(branches, columns, strict=True)]
    end = max((piece.end for piece in pieces), default=start) + ARROW
    content: list[Shape | Drawn] = [Stroke(((column.axis, y), (column.axis, end - 7 if passes else start)))]
    reach = max((each.axis for each in columns), default=column.axis)
    if reach > column.axis:
        content += [Stroke(((column.axis, start), (reach, start))), Joint(column.axis, start)]
    for piece, each in zip(pieces, columns, strict=True):
        content += piece.content
        content.append(Stroke(((each.axis, piece.end), (each.axis, end if each.axis > column.axis else end - 7))))
    if reach > column.axis:
        content.append(Stroke(((reach, end), (column.axis + 7, end)), arrow=True))
    content.append(Joint(column.axis, end, SIGNS[join.how]))
    crossings = tuple(point for piece in pieces for point in piece.crossings)
    return Piece(end + 7, tuple(content), crossings)


def _box(part: FlowBox, sheet: Sheet, column: Column, y: float) -> Piece:
    """A part: its name, the formula and the number of its parameters, and its matrices."""
    room, x = column.width - 2 * PAD, column.x + PAD
    name, formula = _name(part, sheet), _formula(part, sheet)
    group = part.group if part.group in GROUPS else "other"
    shapes: list[Shape] = []
    at = y + STEP - 2
    lines = _broken(name, room, TITLE)
    for line in lines:
        shapes.append(Words(x, at, (Run(line),), TITLE, bold=True))
        at += STEP - 2
    needed = formula_width(formula, sheet.derivation.alphabet, TEXT) + 10
    shown = formula_runs(formula, sheet.derivation.alphabet)
    if formula == Number(0):
        pass  # Its tensors are shared; a note below it says so.
    elif len(lines) == 1 and 1.1 * widths.words(name) * TITLE + needed <= room:
        shapes.append(Words(x + room, at - STEP + 2, shown, TEXT, "end"))
    elif needed <= room:
        shapes.append(Words(x, at, shown, TEXT))
        at += STEP - 2
    if sheet.count and formula != Number(0):
        shapes.append(Words(x, at, (sheet.number(formula, sheet.count),), TEXT, quiet=True))
        at += STEP - 2
    for line in (line for note in _notes(part, sheet) for line in _broken(note, room, TEXT)):
        shapes.append(Words(x, at, (Run(line),), TEXT, quiet=True))
        at += STEP - 2
    for around, held in sections(part):
        if around is not None:
            at += 4
            shapes.append(Words(x, at, (Run(sheet.title(around)),), TEXT))
            at += STEP - 2
        for row in _rows([laid(each, sheet.setting, group, room) for each in held], room):
            left, height = x, max(each.height for each in row)
            for each in row:
                shapes += each.at(left, at - STEP + 12)
                left += each.width + GAP
            at += height + 6
    end = at - STEP + 2 + PAD
    rectangle = Rectangle(column.x, y, column.width, end - y, "box", group)
    crossing = ((column.x + column.width, y + 10),) if any(_takes_source(place) for place in part.places) else ()
    return Piece(end, (Drawn(part.first.path, group, name, (rectangle, *shapes)),), crossing)


def _notes(part: FlowBox, sheet: Sheet) -> Iterable[str]:
    """The notes on a part: the number of attention heads, and the number of experts that a token passes through."""
    for place in (each for outer in part.places for each in outer.walk()):
        module = place.module
        if isinstance(module, DotProduct):
            grouped = next((inner for outer in part.places for inner in outer.walk() if _is_grouped(inner)), None)
            yield sheet.said("drawing-grouped-heads" if grouped else "drawing-heads", heads=module.num_heads, groups=k)
        elif isinstance(module, Experts):
            yield sheet.said("drawing-experts", experts=module.num_experts, used=module.experts_per_token)


def _is_grouped(place: Place) -> bool:
    """Whether keys or values have a different number of heads than queries."""
    return any(size.has(k) for tensor in place.module.tensors for size in tensor.shape)


def _takes_source(place: Place) -> bool:
    return any(each.module.role in CROSS_ATTENTION for each in place.walk())


def _rows(matrices: Sequence[Laid], room: float) -> list[list[Laid]]:
    """The matrices in rows that fit the width."""
    rows: list[list[Laid]] = []
    taken = 0.0
    for each in matrices:
        if rows and taken + GAP + each.width <= room:
            rows[-1].append(each)
            taken += GAP + each.width
        else:
            rows.append([each])
            taken = each.width
    return rows


def _name(part: FlowBox, sheet: Sheet) -> str:
    if len(part.places) > 1:
        return sheet.words.sentences[f"group-{part.group if part.group in GROUPS else 'other'}"]
    return sheet.title(part.first)


def _formula(part: FlowBox, sheet: Sheet) -> Formula:
    formulas = [sheet.steps[place.path].formula for place in part.places if place.path in sheet.steps]
    if len(formulas) == 1:
        return formulas[0]
    return closed_form(sympy.Add(*(formula.expr for formula in formulas))) if formulas else Number(0)


def _broken(text: str, room: float, size: float) -> list[str]:
    """The words on as many lines as they need; text in languages without spaces breaks anywhere."""
    lines = [""]
    pieces = text.split(" ") if " " in text else list(text)
    for piece in pieces:
        longer = lines[-1] + (" " if " " in text and lines[-1] else "") + piece
        if not lines[-1] or widths.words(longer) * size * 1.1 <= room:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _led_across(crossings: Iterable[tuple[float, float]], start: float) -> list[Shape]:
    """The line from the end of the encoder, along the right side, to each part of the decoder that takes the encoder's output."""
    points = list(crossings)
    if not points:
        return []
    lane, height = WIDTH - MARGIN, start - STEP - ARROW / 2
    trunk = Stroke(((MARGIN + AXIS, height), (lane, height), (lane, max(y for _, y in points))))
    return [trunk, *(Stroke(((lane, y), (x, y)), arrow=True) for x, y in points)]


def _legend(parts: Sequence[FlowBox], sheet: Sheet, y: float) -> Piece:
    """The legend: the meaning of the colours and of the sides of the rectangles, and what the model has or may have that is not drawn."""
    said = sheet.words.sentences
    found = {part.group if part.group in GROUPS else "other" for part in parts}
    shapes: list[Shape] = []
    x, y = MARGIN, y + STEP
    for group in (group for group in GROUPS if group in found):
        width = 16 + 1.1 * widths.words(said[f"group-{group}"]) * TEXT
        if x > MARGIN and x + width > WIDTH - MARGIN:
            x, y = MARGIN, y + STEP
        shapes += [Rectangle(x, y - 8, 9, 9, "matrix", group), Words(x + 13, y, (Run(said[f"group-{group}"]),), TEXT)]
        x += width + GAP
    scaled = said["drawing-to-scale" if sheet.scale.per_pixel else "drawing-not-to-scale"]
    lines = [scaled, *sentences(sheet.derivation.missing, sheet.words)]
    for line in (piece for words in lines for piece in _broken(words, WIDTH - 2 * MARGIN, TEXT)):
        y += STEP
        shapes.append(Words(MARGIN, y, (Run(line),), TEXT, quiet=True))
    return Piece(y, tuple(shapes))


def _parts(line: Line) -> Iterable[FlowBox]:
    """The boxes of a line, with those of its branches and frames."""
    for item in line:
        if isinstance(item, FlowBox):
            yield item
        elif isinstance(item, Frame):
            yield from _parts(item.line)
        else:
            for branch in item.branches:
                yield from _parts(branch)


def _described(streams: Sequence[Stream], sheet: Sheet) -> Iterable[str]:
    """A description of the boxes in words, for readers who cannot see them."""
    for stream in streams:
        for part in _parts(stream.line):
            yield f"{_name(part, sheet)}: {write(_formula(part, sheet))}"

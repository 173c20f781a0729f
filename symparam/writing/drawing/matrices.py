"""Draws the matrices of a part as rectangles. All sides of a drawing are to scale, except those that are cut off."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

import sympy

from symparam.analysis.flow import FlowBox
from symparam.core.alphabets import Alphabet
from symparam.core.dimensions import h, k
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.models.blocks import Embedding, Tensor
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.linear import Linear
from symparam.writing import widths
from symparam.writing.drawing.picture import Rectangle, Run, Shape, Side, Sized, Stroke, Words, formula_runs, formula_width

HIDDEN = 26.0  # Pixels of the most common side among the matrices of a model.
LONGEST = 118.0  # Longer sides are cut off.
SHORTEST = 2.5
SMALL = 10.0  # The font size next to a matrix.
LINE = 12.0
GAP = 10.0
NARROWEST_STRIP = 2.2
TIMES = 13.0  # Between two sizes of a shape.
CARD = 3.0  # How far each matrix of a pile is away from the one in front of it.

Value = Callable[[sympy.Expr], int | None]


@frozen
class DrawingScale:
    """The scale from sizes to pixels: ``value`` gives the number of a size, or None if it is unknown; then all sides are alike."""

    value: Value
    per_pixel: float | None

    def length(self, size: sympy.Expr, longest: float) -> tuple[float, bool]:
        """The length of a side, and whether it is cut off."""
        number = self.value(size)
        if number is None or self.per_pixel is None:
            return HIDDEN, False
        pixels = number / self.per_pixel
        return max(SHORTEST, min(pixels, longest)), pixels > longest


@frozen
class DrawnMatrix:
    """A matrix: its name, its shape as stored, the sizes drawn downwards and to the right, the number of strips that each is divided into
    for heads, and the number of such matrices in a pile.
    """

    name: str
    shape: tuple[sympy.Expr, ...]
    down: sympy.Expr
    right: sympy.Expr
    strips_down: sympy.Expr = sympy.S.One
    strips_right: sympy.Expr = sympy.S.One
    pile: bool = False
    tied: bool = False


@frozen
class Laid:
    """A matrix with its label, laid out at (0, 0): its width and height, and a function that moves its shapes to their place."""

    width: float
    height: float
    at: Callable[[float, float], tuple[Shape, ...]]


def scale(parts: Sequence[FlowBox], value: Value) -> DrawingScale:
    """The scale that gives the most common side the same length in every drawing."""
    sides = [number for part in parts for matrix in matrices(part) for side in (matrix.down, matrix.right) if (number := value(side))]
    common = max(sides, key=lambda number: (sides.count(number), number), default=0)
    return DrawingScale(value, common / HIDDEN if common else None)


def sections(part: FlowBox) -> list[tuple[Place | None, list[DrawnMatrix]]]:
    """The matrices of a part. Those of its routed and of its shared experts are apart, each with the block that holds them."""
    found: dict[Place | None, list[DrawnMatrix]] = {}
    for place in part.places:
        for around, matrix in _matrices(place, None):
            found.setdefault(around, []).append(matrix)
    return list(found.items())


def matrices(part: FlowBox) -> Iterator[DrawnMatrix]:
    """The tensors of a part with at least two sides."""
    for _, each in sections(part):
        yield from each


def _matrices(place: Place, around: Place | None) -> Iterator[tuple[Place | None, DrawnMatrix]]:
    """The matrices in the block, each with the experts that hold it, if any."""
    around = place if place.module.role in ("experts", "shared-experts") else around
    for tensor in place.module.tensors:
        if sum(size != 1 for size in tensor.shape) >= 2:
            yield around, _matrix(place, tensor)
    for _, inner in sorted(zip(place.module.execution_positions, place.inside, strict=True), key=lambda pair: pair[0]):
        yield from _matrices(inner, around)


def _matrix(place: Place, tensor: Tensor) -> DrawnMatrix:
    """The matrix with its input features drawn downwards and its output features to the right, however the reference stores it."""
    module = place.module
    own = module.inner if hasattr(module, "inner") else module
    name = tensor.name if tensor.name not in ("weight", "") else place.path.rpartition(".")[2]
    first, second = _two_sides(tensor)
    stored_as_out_in = isinstance(own, (Linear, Embedding)) or len(tensor.shape) > 2
    down, right = (second, first) if stored_as_out_in else (first, second)
    strips = _strips(module.role or "", right if module.role != "output-projection" else down)
    into = {"strips_down": strips} if module.role == "output-projection" else {"strips_right": strips}
    return DrawnMatrix(name, tensor.shape, down, right, **into, pile=_is_pile(tensor), tied=tensor.tied_to is not None)


def _is_pile(tensor: Tensor) -> bool:
    return len(tensor.shape) == 3 and tensor.active_fraction != 1


def _two_sides(tensor: Tensor) -> tuple[sympy.Expr, sympy.Expr]:
    """The sides of the matrix: the last two of a pile, else the first two that are longer than 1."""
    if _is_pile(tensor):
        return tensor.shape[1], tensor.shape[2]
    first, second, *_ = [size for size in tensor.shape if size != 1]
    return first, second


def _strips(role: str, side: sympy.Expr) -> sympy.Expr:
    """The number of heads that a side is divided into."""
    if role in ("query", "output-projection"):
        return h
    if role in ("key", "value"):
        return k if side.has(k) else h
    return sympy.S.One


@frozen
class Setting:
    """How matrices are drawn: their scale, the letters of their shapes, how a size is written, the remark on a shared one, and whether a
    page changes their sides.
    """

    scale: DrawingScale
    alphabet: Alphabet
    formula_of: Callable[[sympy.Expr], Formula]
    shared: str
    live: bool = False


def laid(matrix: DrawnMatrix, setting: Setting, group: str, room: float) -> Laid:
    """The rectangle with its name and its shape below it, within that width."""
    scale, pile = setting.scale, 2 * CARD if matrix.pile else 0.0
    (height, cut_down), (width, cut_right) = scale.length(matrix.down, LONGEST), scale.length(matrix.right, min(LONGEST, room - pile))
    names = [(Run(name),) for name in broken_name(matrix.name, room)]
    shapes = list(_shape_lines(matrix.shape, setting, room))
    shared = [(Run(setting.shared),)] if matrix.tied else []
    label = max(*(widths.code(run.text) * SMALL * 1.15 for (run,) in names), *(length for _, length in shapes), 0.0)

    def at(x: float, y: float) -> tuple[Shape, ...]:
        top = y + pile
        cards = [Rectangle(x + CARD * n, top - CARD * n, width, height, "matrix", group) for n in ((2, 1, 0) if matrix.pile else (0,))]
        below = [top + height + LINE * (n + 1) - 1 for n in range(len(names) + len(shapes) + len(shared))]
        lines = [*((runs, True) for runs in names), *((runs, False) for runs in (*(runs for runs, _ in shapes), *shared))]
        words = [Words(x, height, runs, SMALL, quiet=not code, code=code) for height, (runs, code) in zip(below, lines, strict=True)]
        across, cuts = _across(matrix, scale, x, top, width, height), _cuts(x, top, width, height, cut_down, cut_right)
        rectangle: tuple[Rectangle | Stroke, ...] = (*cards, *across, *cuts)
        if not setting.live or scale.value(matrix.down) is None or scale.value(matrix.right) is None:
            return (*rectangle, *words)
        down = Side(setting.formula_of(matrix.down), setting.formula_of(matrix.strips_down), cut_down)
        right = Side(setting.formula_of(matrix.right), setting.formula_of(matrix.strips_right), cut_right)
        return (Sized(down, right, rectangle), *words)

    return Laid(max(width + pile, label), pile + height + (len(names) + len(shapes) + len(shared)) * LINE, at)


def broken_name(name: str, room: float) -> list[str]:
    """A name on as many lines as it needs, broken after underscores."""
    lines = [""]
    for piece in re.split(r"(?<=[_.])", name):
        if lines[-1] and widths.code(lines[-1] + piece) * SMALL * 1.15 > room:
            lines.append(piece)
        else:
            lines[-1] += piece
    return lines


def _shape_lines(shape: tuple[sympy.Expr, ...], setting: Setting, room: float) -> Iterator[tuple[tuple[Run, ...], float]]:
    """The shape with its width, with a line for each size if it is too long for one line."""
    sizes = [_size(size, setting) for size in shape]
    if sum(width for _, width in sizes) + TIMES * (len(sizes) - 1) <= room:
        runs = tuple(run for index, (size, _) in enumerate(sizes) for run in ((Run(" × "),) * bool(index) + size))
        yield runs, sum(width for _, width in sizes) + TIMES * (len(sizes) - 1)
    else:
        for index, (size, width) in enumerate(sizes):
            yield (Run("× "),) * bool(index) + size, width + TIMES


def _size(size: sympy.Expr, setting: Setting) -> tuple[tuple[Run, ...], float]:
    formula = setting.formula_of(size)
    runs = formula_runs(formula, setting.alphabet)
    wide = formula_width(formula, setting.alphabet, SMALL)
    return ((Run("("), *runs, Run(")")), wide + 7.0) if size.is_Add else (runs, wide)


def _across(matrix: DrawnMatrix, scale: DrawingScale, x: float, y: float, width: float, height: float) -> Iterator[Stroke]:
    """The lines between heads, unless they would run together."""
    right, down = scale.value(matrix.strips_right) or 1, scale.value(matrix.strips_down) or 1
    if right > 1 and width / right >= NARROWEST_STRIP:
        yield from (Stroke(((x + width * n / right, y), (x + width * n / right, y + height)), "mark") for n in range(1, right))
    if down > 1 and height / down >= NARROWEST_STRIP:
        yield from (Stroke(((x, y + height * n / down), (x + width, y + height * n / down)), "mark") for n in range(1, down))


def _cuts(x: float, y: float, width: float, height: float, down: bool, right: bool) -> Iterator[Stroke]:
    """The jagged line that marks a side as cut off."""
    if right:
        at, step = x + width * 0.72, height / 4
        for shift in (0.0, 4.0):
            yield Stroke(tuple((at + shift + (2 if n % 2 else -2), y + step * n) for n in range(5)), "line")
    if down:
        at, step = y + height * 0.72, width / 4
        for shift in (0.0, 4.0):
            yield Stroke(tuple((x + step * n, at + shift + (2 if n % 2 else -2)) for n in range(5)), "line")

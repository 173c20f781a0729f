"""Draws a sweep with Matplotlib: a panel for each measure, a line for each value of the second letter.

Lines differ in marker, dash and a name at their end as well as in colour. An axis is logarithmic if its numbers span more than a factor of
fifty, or are multiples of each other. Only here do numbers become floats, as a chart cannot show more.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from fractions import Fraction
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from symparam.analysis.sweeping import Axis, Sweep
from symparam.core.dimensions import BY_LETTER
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE
from symparam.errors import FormulaError, SymparamError
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.plain import wrapped
from symparam.writing.titles import of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png", "html")
MAX_LINES = 30  # More lines could not be distinguished.
SPAN = 50  # Between the smallest and the largest number of an axis that is not logarithmic.
MOST_MARKERS = 12  # Markers on one line.

_MARKERS = "osD^vPX<>*"
_DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (6, 1.5, 1, 1.5)))
_UNITS = ((10**15, "P"), (10**12, "T"), (10**9, "B"), (10**6, "M"), (10**3, "K"))


@frozen
class Theme:
    """The colours of a chart; each line has enough contrast with the background."""

    ground: str
    text: str
    grid: str
    lines: tuple[str, ...]


LIGHT = Theme("#ffffff", "#1c1e21", "#d8dbe0", ("#0063a6", "#b84a00", "#00745a", "#9a3f78", "#806000", "#4b4f9e"))
DARK = Theme("#16181c", "#e8eaed", "#3a3f47", ("#6db9f2", "#ff9a5c", "#4fd1a8", "#e79ac6", "#e3bd4a", "#a9adff"))


def chart(found: Sweep, name: str, format: str, language: str = "en", dark: bool = False) -> bytes:
    """The chart as a file in one of `FORMATS`; HTML has it twice, for light and for dark. Raises `SymparamError` without Matplotlib."""
    try:
        import matplotlib
    except ImportError:
        raise SymparamError('charts are drawn by Matplotlib, which is not installed: pip install "symparam[charts]"') from None
    words = phrases(language)
    if format == "html":
        return _page(found, name, words)
    theme = DARK if dark else LIGHT
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": f"symparam-{dark}", "text.parse_math": False}):
        figure = _figure(found, name, words, theme)
        file = io.BytesIO()
        metadata = {"Date": None, "Title": name} if format == "svg" else {"Title": name}
        figure.savefig(file, format=format, dpi=160, facecolor=theme.ground, metadata=metadata)
    return file.getvalue()


def drawing(found: Sweep, name: str, language: str = "en") -> str:
    """The chart as HTML to embed in a page, in the colours that the reader prefers."""
    pair = []
    for dark in (False, True):
        svg = chart(found, name, "svg", language, dark).decode()
        pair.append(f'<div class="symparam-{"dark" if dark else "light"}">{svg[svg.index("<svg") :]}</div>')
    style = (
        "<style>.symparam-dark{display:none}@media(prefers-color-scheme:dark){.symparam-dark{display:block}.symparam-light{display:none}}"
        ".symparam-light svg,.symparam-dark svg{max-width:100%;height:auto}</style>"
    )
    return f'<figure role="img" aria-label="{escape(name, quote=True)}">{style}{"".join(pair)}</figure>\n'


def _page(found: Sweep, name: str, words: Phrases) -> bytes:
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    style = (
        f"<style>:root{{color-scheme:light dark}}body{{margin:1rem;background:{LIGHT.ground}}}figure{{margin:0}}"
        f"@media(prefers-color-scheme:dark){{body{{background:{DARK.ground}}}}}</style>"
    )
    body = drawing(found, name, words.language)
    top = f'<!doctype html>\n<html lang="{words.tag}"><head>{head}<title>{escape(name)}</title>{style}</head>'
    return f"{top}\n<body>\n{body}</body></html>\n".encode()


def _figure(found: Sweep, name: str, words: Phrases, theme: Theme) -> Figure:
    from matplotlib.figure import Figure

    along, across = _roles(found.axes)
    if across is not None and len(across.values) > MAX_LINES:
        raise FormulaError(f"{len(across.values)} lines cannot be told apart in a chart; take at most {MAX_LINES} values of one letter")
    panels = len(found.derivations)
    figure = Figure(figsize=(8, 0.9 + 3.9 * panels), layout="constrained")
    for index, (derivation, axes) in enumerate(zip(found.derivations, figure.subplots(panels, 1, squeeze=False)[:, 0], strict=True)):
        _panel(axes, _lines(found, index, along, across), along, across, found, theme, derivation.measure.unit == "bytes")
        label = "\n".join(wrapped(of_measure(derivation.measure, words), 40))
        axes.set_ylabel(label, color=theme.text)
    letter = UNICODE.using(found.derivations[0].alphabet).symbol(along.letter)
    meaning = f" ({words.meaning(along.letter)})" if along.letter in BY_LETTER else ""
    axes.set_xlabel(letter + meaning, color=theme.text)
    figure.suptitle(name, color=theme.text, fontsize=12)
    figure.canvas.draw()  # The names are placed at the ends of the lines, so these must be known.
    for axes in figure.axes:
        _spread(axes)
    return figure


def _roles(axes: Sequence[Axis]) -> tuple[Axis, Axis | None]:
    """The letter of the horizontal axis, which is the one with more values, and the one with a line for each value."""
    ordered = sorted(axes, key=lambda axis: -len(axis.values))
    return ordered[0], ordered[1] if len(ordered) > 1 else None


def _lines(found: Sweep, index: int, along: Axis, across: Axis | None) -> dict[int | None, list[tuple[int, float]]]:
    letters = [axis.letter for axis in found.axes]
    lines: dict[int | None, list[tuple[int, float]]] = {}
    for row in found.rows:
        at = dict(zip(letters, row.point, strict=True))
        lines.setdefault(at[across.letter] if across else None, []).append((at[along.letter], float(row.numbers[index])))
    return {value: sorted(points) for value, points in sorted(lines.items(), key=lambda item: item[0] or 0)}


def _panel(
    axes: Axes,
    lines: dict[int | None, list[tuple[int, float]]],
    along: Axis,
    across: Axis | None,
    found: Sweep,
    theme: Theme,
    of_bytes: bool,
) -> None:
    notation = UNICODE.using(found.derivations[0].alphabet)
    for index, (value, points) in enumerate(lines.items()):
        color = theme.lines[index % len(theme.lines)]
        x, y = zip(*points, strict=True)
        axes.plot(
            x,
            y,
            color=color,
            linestyle=_DASHES[index % len(_DASHES)],
            marker=_MARKERS[index % len(_MARKERS)],
            markevery=max(1, -(-len(points) // MOST_MARKERS)),
            markersize=4.5,
            linewidth=1.5,
        )
        if across is not None:
            axes.annotate(
                f"{notation.symbol(across.letter)} = {value:,}",
                (x[-1], y[-1]),
                xytext=(22, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=theme.text,
                arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.8, "shrinkA": 1, "relpos": (0, 0.5), "patchA": None},
            )
    numbers = [number for points in lines.values() for _, number in points]
    if _is_wide(sorted(along.values)):
        axes.set_xscale("log", base=2)
        axes.set_xticks(_some(sorted(along.values)), minor=False)
        axes.set_xticks([], minor=True)
    if min(numbers) > 0 and max(numbers) >= SPAN * min(numbers):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.yaxis.set_major_formatter(lambda value, _: _tick(value, of_bytes))
    axes.yaxis.set_minor_formatter(lambda value, _: "")
    axes.set_facecolor(theme.ground)
    axes.grid(color=theme.grid, linewidth=0.6)
    axes.tick_params(colors=theme.text, which="both")
    for side, spine in axes.spines.items():
        spine.set_visible(side in ("left", "bottom"))
        spine.set_color(theme.text)


def _is_wide(values: list[int]) -> bool:
    ratios = {Fraction(later, earlier) for earlier, later in pairwise(values)}
    return values[-1] >= SPAN * values[0] or (len(values) > 2 and len(ratios) == 1)


def _some(values: list[int]) -> list[int]:
    """At most nine of the values: evenly spaced, from the first on, with the last if their number allows it."""
    return values[:: -(-len(values) // 9)]


def _tick(value: float, of_bytes: bool) -> str:
    for size, unit in _UNITS:
        if abs(value) >= size:
            return f"{value / size:,.4g}{'G' if of_bytes and unit == 'B' else unit}" if value < 1000 * _UNITS[0][0] else f"{value:.1e}"
    return f"{value:,.4g}"


def _spread(axes: Axes) -> None:
    """Move the names at the ends of lines apart, in the order of these ends, by no more than necessary."""
    from matplotlib.text import Annotation

    names = sorted((each for each in axes.texts if isinstance(each, Annotation)), key=lambda each: axes.transData.transform(each.xy)[1])
    room = 9.5 * axes.figure.dpi / 72
    ends = [axes.transData.transform(each.xy)[1] for each in names]
    places: list[float] = []
    for end in ends:
        places.append(max(end, places[-1] + room) if places else end)
    if places and (over := places[-1] - axes.bbox.y1) > 0:  # The excess height: the topmost names are pushed down again.
        places[-1] -= over
        for index in range(len(places) - 2, -1, -1):
            places[index] = min(places[index], places[index + 1] - room)
    for name, end, place in zip(names, ends, places, strict=True):
        name.set_position((22, (place - end) * 72 / axes.figure.dpi))

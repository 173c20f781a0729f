"""A picture as PNG, for slides: drawn by Matplotlib, which also draws the charts."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from symparam.errors import SymparamError
from symparam.writing.drawing.picture import Drawn, Joint, Picture, Rectangle, Run, Shape, Stroke, Words
from symparam.writing.drawing.svg import THEMES, head

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PIXELS = 3  # Pixels of the file for one of the picture.
_FAMILIES = [
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Noto Sans CJK JP",
    "WenQuanYi Zen Hei",
    "Microsoft YaHei",
    "PingFang SC",
    "Arial Unicode MS",
]
_SIDES = {"start": "left", "middle": "center", "end": "right"}


def png(picture: Picture, dark: bool = False) -> bytes:
    """The picture, light or dark. Raises `SymparamError` without Matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise SymparamError(
            'PNG is drawn by Matplotlib, which is not installed: pip install "symparam[charts]", or take another format with -o FILE.svg'
        ) from None
    from matplotlib.font_manager import get_font_names

    colours = THEMES["dark" if dark else "light"]
    known = {*get_font_names()}
    families = [name for name in _FAMILIES if name in known]
    if picture.language.startswith("zh"):
        # Lines with formulas take no second font for what the first one lacks.
        families.sort(key=_FAMILIES[0].__eq__)
    with matplotlib.rc_context({"font.family": families, "mathtext.fontset": "stix"}):
        figure = Figure(figsize=(picture.width / 72, picture.height / 72), facecolor=colours["paper"])
        axes = figure.add_axes((0, 0, 1, 1), xlim=(0, picture.width), ylim=(picture.height, 0))
        axes.set_axis_off()
        for piece in picture.content:
            for shape in piece.shapes if isinstance(piece, Drawn) else (piece,):
                _draw(shape, axes, colours)
        file = io.BytesIO()
        figure.savefig(file, format="png", dpi=72 * PIXELS, metadata={"Title": picture.title})
    return file.getvalue()


def _draw(shape: Shape, axes: Axes, colours: dict[str, str]) -> None:
    from matplotlib.patches import Circle, FancyBboxPatch, Polygon

    match shape:
        case Rectangle():
            group = colours[shape.group]
            edge, face, opacity, corner = {
                "box": (group, group, float(colours["tint"]), 5.0),
                "frame": (colours["edge"], colours["paper"], 1.0, 7.0),
            }.get(shape.look, (colours["paper"], group, 0.75, 0.0))
            style = f"round,pad=0,rounding_size={corner}" if corner else "square,pad=0"
            at, size = (shape.x, shape.y), (shape.width, shape.height)
            axes.add_patch(FancyBboxPatch(at, *size, boxstyle=style, facecolor=face, alpha=opacity, edgecolor="none"))
            axes.add_patch(FancyBboxPatch(at, *size, boxstyle=style, facecolor="none", edgecolor=edge, linewidth=0.9))
        case Stroke():
            colour = colours["paper" if shape.look == "mark" else "ink"]
            axes.plot(*zip(*shape.points, strict=True), color=colour, linewidth=0.7 if shape.look == "mark" else 1.2)
            if shape.arrow:
                axes.add_patch(Polygon(head(shape), closed=True, color=colour, zorder=3))
        case Joint():
            radius = 7 if shape.sign else 2.5
            fill = colours["paper"] if shape.sign else colours["ink"]
            axes.add_patch(Circle((shape.x, shape.y), radius, facecolor=fill, edgecolor=colours["ink"], linewidth=1.2, zorder=3))
            axes.text(shape.x, shape.y, shape.sign, color=colours["ink"], fontsize=10, ha="center", va="center_baseline", zorder=4)
        case Words():
            families = ["DejaVu Sans Mono"] if shape.code else None
            axes.text(
                shape.x,
                shape.y,
                "".join(map(_run, shape.runs)),
                color=colours["quiet" if shape.quiet else "ink"],
                fontsize=shape.size,
                fontweight="bold" if shape.bold else "normal",
                ha=_SIDES[shape.anchor],
                va="baseline",
                zorder=5,
                fontfamily=families,
            )


def _run(run: Run) -> str:
    if run.low:
        return f"$_{{\\mathit{{{run.text}}}}}$" if run.text.isalnum() and run.text.isascii() else run.text.replace("$", "\\$")
    if run.italic and run.text.isascii():
        return f"$\\mathit{{{run.text}}}$"
    return run.text.replace("$", "\\$").replace("\N{THIN SPACE}", "$\\,$")  # Not every font has a thin space.

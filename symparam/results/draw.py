"""What `symparam.draw` returns: a drawing of an architecture, in every format."""

from __future__ import annotations

from pathlib import Path

from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.errors import FormulaError, shorten
from symparam.models.blocks.missing import Missing
from symparam.models.configs.values import Model
from symparam.writing.drawing.picture import Picture
from symparam.writing.file import write_file
from symparam.writing.formats import check_format
from symparam.writing.notes import sentences

FORMATS = ("svg", "latex")
"""The formats that are text; PNG is a file."""
FORMAT_OF_ENDING = {".svg": "svg", ".tex": "latex", ".png": "png"}


@frozen
class DrawResult:
    """A drawing, shown as such in a notebook. ``notes`` say what was assumed."""

    picture: Picture
    model: Model
    missing: tuple[Missing, ...] = ()
    language: str = "en"

    @property
    def notes(self) -> tuple[str, ...]:
        return sentences(self.model.remarks, self.language)

    def svg(self, dark: bool | None = None) -> str:
        """The drawing as SVG: ``dark``, light, or following the reader's preference."""
        from symparam.writing.drawing.svg import svg

        return svg(self.picture, dark)

    def png(self, dark: bool = False) -> bytes:
        """The drawing as PNG. Raises `SymparamError` without Matplotlib."""
        from symparam.writing.drawing.png import png

        return png(self.picture, dark)

    def write(
        self,
        format: str = "svg",
        notation: Notation = UNICODE,
        width: int = 0,
        dialect: str | None = None,
        fragment: bool = False,
        *,
        dark: bool | None = None,
    ) -> str:
        """The drawing as ``svg``, or as TikZ with ``latex``; a ``fragment`` of the latter is the picture alone."""
        check_format(format, dialect, fragment, FORMATS)
        if format == "svg":
            return self.svg(dark)
        from symparam.writing.drawing.tikz import tikz

        return tikz(self.picture, fragment)

    def save(self, path: str, dark: bool = False) -> None:
        """Write the drawing into a file, in the format that its name ends in. Raises `SymparamError` for another ending."""
        ending = Path(path).suffix.lower()
        if ending not in FORMAT_OF_ENDING:
            raise FormulaError(
                f"a drawing is written into a file that ends in {', '.join(FORMAT_OF_ENDING)}; {shorten(path)!r} ends in none of them"
            )
        if dark and ending == ".tex":
            raise FormulaError("a drawing in LaTeX is always dark on light; leave out --dark, or take another format")
        write_file(path, self.png(dark) if ending == ".png" else self.write(FORMAT_OF_ENDING[ending], dark=dark or None))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f'<{type(self).__name__}: {self.picture.title}; .save("FILE.svg") writes it>'

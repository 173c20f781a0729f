"""What `symparam.sweep` returns: measures over values of one or two letters."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from symparam.analysis.sweeping import Sweep, SweepPoint
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.core.message import Message
from symparam.core.notation import UNICODE, Notation
from symparam.errors import UnknownNameError
from symparam.models.configs.values import Model
from symparam.results.result import Result
from symparam.writing import json, sweep
from symparam.writing.document import Document
from symparam.writing.formats import check_format

if TYPE_CHECKING:
    from symparam.analysis.reasons import Reason


@frozen
class SweepResult(Result):
    """Exact numbers, a row for each point. A notebook shows the chart above the table where Matplotlib is installed."""

    sweep: Sweep
    model: Model
    language: str = "en"

    @property
    def rows(self) -> tuple[SweepPoint, ...]:
        """The points in order, each with the value of each measure."""
        return self.sweep.rows

    @property
    def reasons(self) -> tuple[Reason, ...]:
        from symparam.analysis.reasons import of_sweep

        return tuple(of_sweep(self.sweep))

    @property
    def document(self) -> Document:
        return sweep.sweep(self.sweep, self._name, self.language)

    @property
    def json(self) -> JsonObject:
        return {**sweep.as_json(self.sweep), **json.what_if(self.model), **self.noted}

    @property
    def remarks(self) -> tuple[Message, ...]:
        return self.model.remarks

    def write(
        self, format: str = "text", notation: Notation = UNICODE, width: int = 0, dialect: str | None = None, fragment: bool = False
    ) -> str:
        """The result in a format of documents, or as ``csv``."""
        if format == "csv":
            check_format(format, dialect, fragment, ("csv",))
            return sweep.csv(self.sweep)
        return super().write(format, notation, width, dialect, fragment)

    def chart(self, format: str = "svg", dark: bool = False) -> bytes:
        """A line for each value of the second letter, as ``svg``, ``png`` or ``html``. Raises `SymparamError` without Matplotlib."""
        from symparam.writing import charts

        if format not in charts.FORMATS:
            raise UnknownNameError("format of a chart", format, charts.FORMATS)
        return charts.chart(self.sweep, sweep.title(self.sweep, self._name, self.language), format, self.language, dark)

    def save_chart(self, path: str, dark: bool = False) -> None:
        """Write the chart to a file, in the format given by the suffix of its name."""
        from symparam.writing.file import write_file

        write_file(path, self.chart(Path(path).suffix.lower().removeprefix("."), dark), "give another file with --chart")

    @property
    def _name(self) -> str:
        return self.model.origin or self.sweep.derivations[0].architecture.class_name

    def _repr_html_(self) -> str:
        table = super()._repr_html_()
        if find_spec("matplotlib") is None:
            return table
        from symparam.writing import charts

        return charts.drawing(self.sweep, sweep.title(self.sweep, self._name, self.language), self.language) + table

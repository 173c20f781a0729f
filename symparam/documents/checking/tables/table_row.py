"""A row of a table on a page."""

from __future__ import annotations

import re

from symparam.core.frozen import cached_property, frozen
from symparam.documents.reading.parsed_document import ParsedCell, ParsedLine
from symparam.documents.reading.source import Source

_ELLIPSIS = re.compile(r"\s*(?:\.{2,}|…|⋮|\\[vd]?dots)\s*")


@frozen
class TableRow:
    """A row of a table, with its place."""

    parsed: ParsedLine
    source: Source

    @property
    def is_delimiter(self) -> bool:
        """Whether it is the delimiter between head and body."""
        return self.parsed.line.kind == "delimiter"

    @property
    def cells(self) -> tuple[ParsedCell, ...]:
        """Its cells, from the left."""
        return self.parsed.cells

    @property
    def is_gap(self) -> bool:
        """Whether it marks omitted rows."""
        return bool(self.cells) and all(_ELLIPSIS.fullmatch(cell.text) or not cell.text for cell in self.cells)

    @cached_property
    def number(self) -> int:
        """Its line number."""
        return self.source.place(self.parsed.line.start)[0]

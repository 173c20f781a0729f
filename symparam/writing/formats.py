"""The formats by name, and the options of each."""

from __future__ import annotations

from symparam.errors import FormulaError, UnknownNameError

DOCUMENTS = ("text", "latex", "mathml", "markdown", "rst", "html", "json")
"""The formats of documents; each except ``json`` has a writer of that name in `symparam.writing`."""

FORMULAS = ("text", "latex", "mathml", "markdown", "rst", "json")
"""The formats of a single formula without a page around it."""


def check_format(format: str, dialect: str | None, fragment: bool, known: tuple[str, ...] = DOCUMENTS) -> None:
    """Raise an `UnknownNameError` for an unknown format, and a `FormulaError` for an option that the format does not have."""
    if format not in known:
        raise UnknownNameError("format", format, known)
    if dialect is not None and format != "markdown":
        raise FormulaError(f"--dialect {dialect} is only for markdown, but the format is {format}; leave it out, or add --format markdown")
    if fragment and format not in ("latex", "html"):
        raise FormulaError(f"--fragment is only for latex and html, but the format is {format}; leave it out")

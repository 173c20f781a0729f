"""Notebooks: each cell of Markdown is a page of its own, and all that is not in a marked place stays as it is in the file."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

from symparam.errors import DocumentError
from symparam.pages.filling import Fill, FilledPage, FilledPlace
from symparam.reading.source import Source


def fill_notebook(source: Source, fill: Fill) -> FilledPage:
    """The notebook with the places of its cells filled. Raises `DocumentError` for what is no notebook."""
    pieces, places, at = list[str](), list[FilledPlace](), 0
    for number, cell in enumerate(_cells(source), 1):
        text = _text(cell)
        start, end, escaped = _place(source, cell.get("source", ""), at)
        if cell.get("cell_type") == "markdown" and "symparam" in text:
            page = fill(Source(f"{source.name}: cell {number}", text))
            # The line of a place is that of the cell, as nobody sees the lines of the file.
            places += [replace(place, cell=number) for place in page.places]
            if page.after != text:
                pieces += [source.text[at:start], _written(page.after, escaped, source.text[start:end])]
                at = end
                continue
        pieces.append(source.text[at:end])
        at = end
    return FilledPage(source.name, source.text, "".join((*pieces, source.text[at:])), tuple(places))


def _cells(source: Source) -> list[dict[str, Any]]:
    try:
        notebook = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{source.name}: this is no notebook ({error}); a file in the format of Jupyter is expected") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise DocumentError(f"{source.name}: this is no notebook of the fourth format: it has no list of cells; save it with Jupyter again")
    return cells


def _text(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _place(source: Source, value: object, start: int) -> tuple[int, int, bool]:
    """Where the source of the next cell stands in the file, and whether other letters than those of ASCII are escaped in it."""
    for escaped in (False, True):
        found = re.compile(_pattern(value, escaped)).search(source.text, start)
        if found:
            return found.start(), found.end(), escaped
    raise DocumentError(f"{source.name}: a cell is written in an unusual way; save the notebook with Jupyter again")


def _pattern(value: object, escaped: bool) -> str:
    """The value behind ``"source":``, with whatever blanks there are."""
    if not isinstance(value, list):
        return r'(?<="source":)\s*' + re.escape(json.dumps(value, ensure_ascii=escaped))
    return r'(?<="source":)\s*\[\s*' + r"\s*,\s*".join(re.escape(json.dumps(line, ensure_ascii=escaped)) for line in value) + r"\s*\]"


def _written(text: str, escaped: bool, like: str) -> str:
    """The new value, with blanks as the one before had them."""
    listed = re.match(r"(\s*\[)(\s*)", like)
    if not listed:
        return like[: len(like) - len(like.lstrip())] + json.dumps(text, ensure_ascii=escaped)
    closing = re.search(r"\s*\]$", like)
    lines = [json.dumps(line, ensure_ascii=escaped) for line in text.splitlines(keepends=True)]
    return listed[1] + listed[2] + f",{listed[2] or ' '}".join(lines) + (closing[0] if closing else "]")

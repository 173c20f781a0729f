"""Notebooks: each Markdown cell is a page of its own, and everything outside of marked places stays byte for byte as it is."""

from __future__ import annotations

import json
import re
from dataclasses import replace

from symparam.core.json_types import JsonObject
from symparam.documents.reading.source import Source
from symparam.errors import DocumentError
from symparam.pages.filling import Fill, FilledPage, FilledPlace


def fill_notebook(source: Source, fill: Fill) -> FilledPage:
    """The notebook with the places in its cells filled. Raises `DocumentError` if it is not a notebook."""
    pieces, places, at = list[str](), list[FilledPlace](), 0
    cells = _cells(source)
    for number, (cell, where) in enumerate(zip(cells, _sources(source.text), strict=True), 1):
        text = _text(cell)
        if cell.get("cell_type") == "markdown" and "symparam" in text and where:
            page = fill(Source(f"{source.name}: cell {number}", text))
            # Lines are counted within the cell, as nobody sees the lines of the file.
            places += [replace(place, cell=number) for place in page.places]
            if page.after != text:
                pieces += [source.text[at : where[0]], _written(page.after, text, source.text[slice(*where)])]
                at = where[1]
    return FilledPage(source.name, source.text, "".join((*pieces, source.text[at:])), tuple(places))


def _cells(source: Source) -> list[JsonObject]:
    try:
        notebook = json.loads(source.text)
    except (ValueError, RecursionError) as error:
        raise DocumentError(f"{source.name}: this is not a notebook ({error}); a file in the format of Jupyter is expected") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise DocumentError(f"{source.name}: this is not a notebook in format 4: it has no list of cells; save it with Jupyter again")
    return cells


def _text(cell: JsonObject) -> str:
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


_TOKEN = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[{}\[\],:]', re.DOTALL)


def _sources(text: str) -> list[tuple[int, int] | None]:
    """For each cell of the notebook, the start and end in the file of the value of its ``"source"``."""
    found: list[tuple[int, int] | None] = []
    around: list[str] = []  # The open brackets, each with the key that was last read in it.
    keys: list[str] = []
    before, start = "", 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        in_cell = len(around) == 3 and keys[0] == "cells" and around[1] == "["
        if in_cell and keys[2] == "source" and sign in ",}":
            value = text[start : token.start()]
            found[-1] = start + len(value) - len(value.lstrip()), start + len(value.rstrip())
        if sign in "{[":
            if around == ["{", "["] and keys[0] == "cells":
                found.append(None)
            around.append(sign)
            keys.append("")
        elif sign in "}]":
            around.pop()
            keys.pop()
        elif sign == ":":
            start = token.end() if len(around) == 3 else start
            found = [] if len(around) == 1 and keys == ["cells"] else found  # Of a repeated key, the last one counts.
        elif sign == ",":
            keys[-1] = ""
        elif around[-1:] == ["{"] and before in "{,":
            keys[-1] = json.loads(sign)
        before = sign
    return found


def _written(text: str, former: str, like: str) -> str:
    """The new value, formatted and escaped like the one it replaces."""
    escaped = like.isascii() and not former.isascii()
    if not like.startswith("["):
        return json.dumps(text, ensure_ascii=escaped)
    inside = like[1:-1]
    opening, closing = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
    lines = [json.dumps(line, ensure_ascii=escaped) for line in text.splitlines(keepends=True)]
    return f"[{opening}" + f",{opening or ' '}".join(lines) + f"{closing}]"

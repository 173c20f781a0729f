"""Reads a notebook as a page: its Markdown, and in fences its code and what that printed, each character with its place in the file."""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterator

from symparam.core.json_types import JsonObject
from symparam.documents.reading.source import Origin, Source

_TOKEN = re.compile(r'"(?>(?:[^"\\]++|\\.)*)"|[{}\[\],:]', re.DOTALL)
_ESCAPE = re.compile(r"(?>(?:\\u[0-9a-fA-F]{4})+)|\\.", re.DOTALL)
_COLOUR = re.compile(r"\x1b\[[0-9;]*+m")  # As terminals are told to change it.
_FENCE = "~~~~"
_PRINTED = (("text",), ("data", "text/plain"))

Path = tuple[str | int, ...]


def as_page(source: Source) -> Source:
    """The page that a notebook shows; any other source as it is."""
    cells = _cells(source.text)
    if cells is None:
        return source
    page = _Page(source.text)
    strings: dict[Path, list[tuple[int, int]]] = {}
    for path, start, end in _strings(source.text):
        if path[:1] == ("cells",) and len(path) > 2:
            strings.setdefault(path[1:-1] if isinstance(path[-1], int) else path[1:], []).append((start, end))
    for number, cell in enumerate(cells):
        written = strings.get((number, "source"), [])
        if cell.get("cell_type") != "code":
            page.add(written)
            continue
        page.add(written, _FENCE)
        outputs = cell.get("outputs")
        for output in range(len(outputs) if isinstance(outputs, list) else 0):
            for kind in _PRINTED:
                page.add(strings.get((number, "outputs", output, *kind), []), _FENCE)
    return Source(source.name, "".join(page.pieces), Origin(source, page.places))


def _cells(text: str) -> list[JsonObject] | None:
    """The cells of a notebook; None for any other text."""
    if not text.lstrip().startswith("{") or '"cells"' not in text or '"nbformat"' not in text:
        return None
    try:
        cells = json.loads(text).get("cells")
    except (ValueError, RecursionError):
        return None
    return cells if isinstance(cells, list) and all(isinstance(cell, dict) for cell in cells) else None


def _strings(text: str) -> Iterator[tuple[Path, int, int]]:
    """The strings in a text of JSON that are values: the keys and numbers that lead to each, and where its quotation marks stand."""
    path: list[str | int] = []
    key = ""
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in "{[":
            path.append("" if sign == "{" else 0)
        elif sign in "}]":
            path.pop()
        elif sign == ",":
            path[-1:] = [path[-1] + 1] if isinstance(path[-1], int) else [""]
        elif sign == ":":
            path[-1:] = [json.loads(key)]
        elif path[-1] == "":
            key = sign
        else:
            yield tuple(path), token.start(), token.end()


class _Page:
    """The text of a page in pieces, and the place of each character in the file, which what stands between cells has from before it."""

    def __init__(self, text: str) -> None:
        self.text, self.pieces, self.places = text, list[str](), array("L")

    def add(self, strings: list[tuple[int, int]], fence: str = "") -> None:
        """Add a cell or an output, in a fence or without one."""
        if not strings:
            return
        self._between(f"{fence}\n" if fence else "", strings[0][0])
        written, places = list[str](), array("L")
        for start, end in strings:
            for piece, at in _decoded(self.text, start + 1, end - 1):
                written.append(piece)
                places.extend(at)
        text, begin = "".join(written), 0
        for colour in (*_COLOUR.finditer(text), None):
            end = colour.start() if colour else len(text)
            self.pieces.append(text[begin:end])
            self.places.extend(places[begin:end])
            begin = colour.end() if colour else end
        self._between(f"\n{fence}\n\n", strings[-1][1] - 1)

    def _between(self, text: str, place: int) -> None:
        self.pieces.append(text)
        self.places.extend([place] * len(text))


def _decoded(text: str, start: int, end: int) -> Iterator[tuple[str, range | list[int]]]:
    """The characters that a string of JSON stands for, each with where it is written."""
    at = start
    for escape in _ESCAPE.finditer(text, start, end):
        yield text[at : escape.start()], range(at, escape.start())
        meant = json.loads(f'"{escape[0]}"')
        step = len(escape[0]) // len(meant)
        yield meant, [escape.start() + step * index for index in range(len(meant))]
        at = escape.end()
    yield text[at:end], range(at, end)

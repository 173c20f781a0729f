"""Splits TeX's tables into rows and cells: ``FFN & $8d^2$ & 33,554,432 \\\\ \\hline``."""

from __future__ import annotations

import re
from collections.abc import Iterator

_BEGIN = re.compile(r"\\begin\{(tabular[xy*]?|longtable|tabu)\}")
_RULES = re.compile(
    r"\s*+(?>(?:\\(?:hline|toprule|midrule|bottomrule|c?midrule|cline|addlinespace|specialrule|endhead|endfirsthead)(?![A-Za-z])"
    r"(?>(?:\([^()]*\)|\{[^{}]*\}|\[[^\[\]]*\])*)\s*+)+)"
)
_ROW_END = re.compile(r"\\\\(?>(?:\*|\[[^\[\]]*\])?)|\\tabularnewline(?![A-Za-z])")
_MARK = re.compile(r"(?<!\\)&")


def table_begun(raw: str) -> str:
    """The end of the table that a line of the page begins, ``\\end{tabular}``; empty if it begins none."""
    found = _BEGIN.search(raw) if "\\begin{t" in raw or "\\begin{l" in raw else None
    return f"\\end{{{found[1]}}}" if found and f"\\end{{{found[1]}}}" not in raw else ""


def pieces(text: str, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    """The rows and rules of a stretch of a table, each with its kind and place: ``row``, ``delimiter``, or ``open`` for a row whose end is
    on a later line.
    """
    while start < end:
        if rules := _RULES.match(text, start, end):
            yield "delimiter", start, rules.end()
            start = rules.end()
            continue
        stop = _ROW_END.search(text, start, end)
        if text[start : stop.start() if stop else end].strip():
            yield ("row" if stop else "open"), start, stop.start() if stop else end
        start = stop.end() if stop else end


def cell_places(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The beginning and the end of each cell of a row."""
    marks = [match.start() for match in _MARK.finditer(text, start, end)]
    return list(zip([start, *(mark + 1 for mark in marks)], [*marks, end], strict=True))

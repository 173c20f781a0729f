"""Tables in HTML as the rows of Markdown that they would be; line numbers do not change."""

from __future__ import annotations

import html
import re

from symparam.models.printed.listings.lines import MAX_LINE

_ROW = re.compile(r"<(/?)(tr|th|td|table)\b[^<>]{0,400}>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]{0,400}>")
_INSIDE = "|"  # A rule without cells: a table goes on until a line is empty.


def rows_of_html(lines: list[str]) -> list[str]:
    """The lines with each row of a table in the line in which it begins, its cells between pipes; other tags are left out inside."""
    if not any("<tr" in line[:MAX_LINE].lower() for line in lines):
        return lines
    found, at, inside = list[str](lines), -1, False
    for number, line in enumerate(lines):
        tags = [(tag[1], tag[2].lower()) for tag in _ROW.finditer(line)] if len(line) <= MAX_LINE else []
        if inside or ("", "table") in tags or ("", "tr") in tags:
            inside = ("/", "table") not in tags
            found[number] = _INSIDE
        if ("", "tr") in tags:
            at, found[number] = number, ""
        if at >= 0:
            found[at] += _cells(line)
        if ("/", "tr") in tags:
            found[at] = f"{found[at]} |"
            at = -1
    return found


def _cells(line: str) -> str:
    """The cells that begin in the line, each after a pipe, and what continues one."""
    told = _ROW.sub(lambda tag: " | " if not tag[1] and tag[2].lower() in ("th", "td") else " ", line)
    return html.unescape(_TAG.sub("", told)).rstrip()

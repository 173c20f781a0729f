"""Finds headings of TeX and reStructuredText, and those that are underlined: ``\\section{Memory}``, ``.. rubric:: Memory``."""

from __future__ import annotations

import re

_LEVELS = {"part": 1, "chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
_OF_TEX = re.compile(
    rf"[ \t]*\\({'|'.join(_LEVELS)})\*?(?:\[[^\[\]]*\])?"
    r"\{(?P<title>[^{}]*(?:\{[^{}]*\}[^{}]*){0,4})\}(?:\\label\{[^{}]*\})?\s*"
)
_RUBRIC = re.compile(r"[ \t]*\.\. rubric::[ \t]+(?P<title>\S.*)")
_RUBRIC_LEVEL = 6
_UNDERLINES = "=-"
_MOST_LONGER = 2  # Characters of an underline beyond its title.


def heading_in(raw: str) -> tuple[int, int, int] | None:
    """The level of the heading that is the whole line, and the place of its title; None if the line is none."""
    found = _OF_TEX.fullmatch(raw) if "\\" in raw else _RUBRIC.fullmatch(raw) if ".. r" in raw else None
    if found is None:
        return None
    level = _LEVELS[found[1]] if found.re is _OF_TEX else _RUBRIC_LEVEL
    return level, *found.span("title")


def level_of_underline(title: str, line: str) -> int:
    """The level of a heading that the line underlines, from 1; 0 if it does not."""
    sign = line[0]
    is_rule = sign in _UNDERLINES and line == sign * len(line)
    is_title = bool(title) and "  " not in title and "|" not in title and not title.endswith((".", ":", ";", ","))
    return _UNDERLINES.index(sign) + 1 if is_rule and is_title and 0 <= len(line) - len(title) <= _MOST_LONGER else 0

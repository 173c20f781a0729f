"""The words of a number in a sentence that states several: those behind the number before it and what that counts."""

from __future__ import annotations

import re

from symparam.documents.roles.measurands import without_setting

_STATED = re.compile(r"(?<![\w.,^_])\d(?:[\d,_]|\{,\}){3,}\d(?:\.\d+)?(?!\w)")
"""A number that is not a mere size: one of at least five digits or signs."""
_MARK = re.compile(r"[,;:(，；：、（]|\s(?:and|und|et|y|e|plus)\s|[和与及]")
_MOST = 200  # Characters of a sentence that are read.


def own_clause(sentence: str) -> str:
    """The words that belong to the next number alone; empty if the sentence states no number before it, or no mark separates the two."""
    start = max(0, len(sentence) - _MOST)
    sizes_left_out = without_setting(sentence[start:])
    *_, last = [None, *_STATED.finditer(sizes_left_out)]
    mark = _MARK.search(sizes_left_out, last.end()) if last is not None else None
    return sentence[start + mark.end() :] if mark is not None else ""

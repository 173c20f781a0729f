"""Reads a line with ranges, ``7-8B × 2 bytes = 14-16 GB``, once with their lower ends and once with their upper ones."""

from __future__ import annotations

import re
from fractions import Fraction

_NUMBER = r"\d{1,12}+(?>(?:,\d{3})*)(?>(?:\.\d{1,6}+)?)"
_RANGE = re.compile(
    rf"(?P<marks>(?<![*`$])[*`$]{{0,4}}+)(?<![\w.,^/-])(?P<low>{_NUMBER})(?P<own>[^\W\d_]{{0,4}}+)(?:-| ?[–~～—] ?)"
    rf"(?P<high>{_NUMBER})(?![\d^]|[.,]\d|[-–~/]\d)(?P<unit> ?[^\W\d_]{{0,6}}+)"
)
_RELATION = re.compile(r"(?<![<>!=])[=≈→](?!=)")


def has_ranges(text: str, start: int, end: int) -> bool:
    """Whether a range stands before a sign of equality, and another one behind it."""
    sign = _RELATION.search(text, start, end)
    return (
        sign is not None
        and any(_is_range(each) for each in _RANGE.finditer(text, sign.end(), end))
        and bool(next(filter(_is_range, _RANGE.finditer(text, start, end)), None))
    )


def begin_of_range(text: str, start: int, at: int) -> int:
    """Where the range in which a number stands begins, in a line from ``start`` on."""
    return next((each.start("low") for each in _RANGE.finditer(text, start) if each.start() <= at < each.end()), at)


def at_lower_ends(text: str, start: int, end: int) -> str:
    """The text with the lower ends alone in a line, with each sign at its place."""
    return text[:start] + _RANGE.sub(_lower, text[start:end]) + text[end:]


def at_upper_ends(text: str, start: int, end: int) -> str:
    """The text with the upper ends alone in a line, with each sign at its place."""
    return text[:start] + _RANGE.sub(_upper, text[start:end]) + text[end:]


def _lower(match: re.Match[str]) -> str:
    if not _is_range(match):
        return match[0]
    if match["own"]:
        return f"{match['marks']}{match['low']}{match['own']}".rjust(len(match[0]))
    return f"{match['marks']}{match['low']}{match['unit']}".rjust(len(match[0]))


def _upper(match: re.Match[str]) -> str:
    return f"{match['marks']}{match['high']}{match['unit']}".rjust(len(match[0])) if _is_range(match) else match[0]


def _is_range(match: re.Match[str]) -> bool:
    low, high = (Fraction(match[name].replace(",", "")) for name in ("low", "high"))
    return low < high and match["own"] in ("", match["unit"].strip())

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


def has_ranges(line: str) -> bool:
    """Whether a range stands before a sign of equality, and another one behind it."""
    sign = _RELATION.search(line)
    return sign is not None and all(any(map(_is_range, _RANGE.finditer(line, *part))) for part in ((0, sign.start()), (sign.end(),)))


def begin_of_range(line: str, at: int) -> int:
    """Where the range begins in which a number stands."""
    return next((each.start("low") for each in _RANGE.finditer(line) if each.start() <= at < each.end()), at)


def at_lower_ends(line: str) -> str:
    """The line with the lower ends alone, with each sign at its place."""
    return _RANGE.sub(_lower, line)


def at_upper_ends(line: str) -> str:
    """The line with the upper ends alone, with each sign at its place."""
    return _RANGE.sub(_upper, line)


def _lower(match: re.Match[str]) -> str:
    return _alone(match, f"{match['low']}{match['own'] or match['unit']}")


def _upper(match: re.Match[str]) -> str:
    return _alone(match, f"{match['high']}{match['unit']}")


def _alone(match: re.Match[str], end: str) -> str:
    return f"{match['marks']}{end}".rjust(len(match[0])) if _is_range(match) else match[0]


def _is_range(match: re.Match[str]) -> bool:
    low, high = (Fraction(match[name].replace(",", "")) for name in ("low", "high"))
    return low < high and match["own"] in ("", match["unit"].strip())

"""Judges how many things a range has, with both of its ends, or without the last: ``layers 0-26 (27 layers)``."""

from __future__ import annotations

import re

from symparam.core.message import message
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.counted_nouns import have_in_common
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.rules.rule import applies

_NEAR = 2  # By how many a count is off that was counted wrong; others count something else.
_LEAST = 3  # A range of fewer things is no calculation.
_RANGE = re.compile(
    r"(?P<things>[^\W\d_]{1,20})[ _*`]{0,3}(?P<first>\d{1,6})\s?(?:[-–—~～→]|\.\.\.?)\s?(?P<last>\d{1,6})(?![\w.,%/×*^-])[*_`]{0,3}"
    r"(?:[ ](?:[+&]\s?\w{1,20})?){0,12}[(（][*_`]{0,3}(?P<count>\d{1,6})\s?(?P<counted>[^\W\d_]{1,20})[*_`]{0,3}[)）]"
)


def judge_counted_ranges(record: Record, start: int, end: int) -> None:
    """Record the counts of a line that stand in brackets behind a range of what they count."""
    for match in _RANGE.finditer(record.text, start, end):
        first, last, count = (int(match[name]) for name in ("first", "last", "count"))
        between = last - first
        is_near = -_NEAR <= count - between <= 1 + _NEAR
        is_count = between >= _LEAST and is_near and _are_alike(match["things"], match["counted"])
        if not is_count or record.is_judged_at(match.start("count")) or not applies("count-of-range", match.start("count")):
            continue
        place = match.start("first"), match.end("count"), match.start("count")
        written = f"{last} - {first}" if count == between else f"{last} - {first} + 1"
        if count in (between, between + 1):
            found = Judgement(Verdict.HOLDS, "exact", message("same-number"), rules=("count-of-range",))
        else:
            found = Judgement(Verdict.WRONG, "wrong-number", message("left-side", left=between + 1), rules=("count-of-range",))
        record.add(place, written, match["count"], "=", found)


def _are_alike(things: str, counted: str) -> bool:
    return have_in_common(frozenset({things.lower()}), frozenset({counted.lower()}))

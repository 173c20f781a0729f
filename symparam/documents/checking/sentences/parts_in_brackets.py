"""Judges a count that its parts behind it add up to: ``61 layers (3 dense + 58 sparse)``, ``32 bits: 1 sign, 8 exponent, 23 mantissa``.

Parts may be left out, or be counted twice, so such a claim holds if the numbers agree in every digit, and is never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Number, Sum
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.entries.things_of_each import between_things
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.rules.rule import applies
from symparam.documents.words.scripts import UNSPACED

_LEAST, _LEAST_OUTSIDE = 10, 50  # The least count with parts in a bracket, and with only two behind a colon.
_MOST_PARTS = 8
_NUMBER = (
    r"(?<![\w.,^/×*=−–-])(?P<value>\d{1,3}(?>(?:,\d{3})+)|\d{1,9}+(?>(?:\.\d{1,3}+)?))"
    r"(?P<unit>(?:[KMBTG]i?B?)?)(?![^\W_]*\d|[.,^]\d|\s?[%×*=/])"
)
_WHOLE = re.compile(
    rf"{_NUMBER}(?>(?:[ -]?[^\W\d_]{{1,24}}+){{0,4}})[*_`]{{0,2}}\s?"
    r"(?:[(（](?P<inside>[^()（）\n|]{3,160})[)）]|(?:[:：]|—{1,2}|–)\s?[*_`]{0,2}(?P<behind>[^()（）\n|.;。；:：]{3,160})(?:[.;。；](?!\d)|\n|\Z))"
)
_PART = re.compile(_NUMBER)
_ANY_DIGIT = re.compile(r"\d")
_WORD = re.compile(rf"[^\W\d_]{{2}}|[{UNSPACED}]")


def judge_parts_in_brackets(record: Record, start: int, end: int) -> None:
    """Record the counts of a line that are followed by their parts."""
    for match in _WHOLE.finditer(record.text, start, end):
        parts = list(_parts(match["inside"] or match["behind"], match["unit"]))
        whole = Fraction(match["value"].replace(",", ""))
        least = _LEAST if match["inside"] or len(parts) > 2 else _LEAST_OUTSIDE
        if len(parts) > 1 and whole >= least and not record.is_judged_at(match.start("value")):
            _add(record, match, parts, whole)


def _parts(written: str, unit: str) -> Iterator[str]:
    """The numbers of the parts, if each of them has a name, and all are in one unit; else none."""
    pieces = between_things().split(written)
    found = [_PART.search(piece) for piece in pieces]
    if 1 < len(found) <= _MOST_PARTS and all(
        match is not None and match["unit"] == unit and _is_named(piece, match) for piece, match in zip(pieces, found, strict=True)
    ):
        yield from (match["value"] for match in found if match is not None)


def _is_named(piece: str, number: re.Match[str]) -> bool:
    """Whether a part is a number with a word, and no other number."""
    rest = f"{piece[: number.start()]} {piece[number.end() :]}"
    return _WORD.search(rest) is not None and _ANY_DIGIT.search(re.sub(r"(?<![^\W\d_])[^\W\d_]++\d+", "", rest)) is None


def _add(record: Record, match: re.Match[str], parts: list[str], whole: Fraction) -> None:
    values = [Fraction(part.replace(",", "")) for part in parts]
    found = holding(ClaimSide(Sum(tuple(map(_written, values))), {}), ClaimSide(_written(whole), {}), "=")
    if found is None or sum(values) != whole or not applies("parts-behind-whole", match.start("value")):
        return
    place = match.start("value"), match.end(), match.start("value")
    shown = f"{match['value']}{match['unit']}"
    left = " + ".join(f"{part}{match['unit']}" for part in parts)
    record.add(place, left, shown, "=", replace(found, code="sum", rules=(*found.rules, "parts-behind-whole")))


def _written(value: Fraction) -> Number:
    return Number(int(value) if value.denominator == 1 else value)

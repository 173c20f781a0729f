"""Amounts of counted things: ``4K tokens: 0.5 GB``, and what so many times as many of them take: ``16K tokens: 2 GB``."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

from symparam.documents.checking.sentences.calculated_way import Way
from symparam.documents.checking.sentences.operand_calculations import multiplied
from symparam.documents.checking.sentences.operands import Operand
from symparam.documents.reading.unit_senses import PURE

_MOST_PAIRS = 3  # Earlier amounts of the same things.
_SIMPLE = 64  # By larger factors nobody calculates.
_BETWEEN = re.compile(r"\s?([^\W\d_]{1,20})(?:\s(?:[^\W\d_]{1,20}\s){0,4}|[:：=→|,，(]|\s[→|(])[*_`]{0,2}\s{0,3}[~≈]?")


@dataclass
class CountedAmounts:
    """The last amounts of the section that a count of things stands before, each with the count and the word for the things."""

    _pairs: deque[tuple[str, Operand, Operand]] = field(default_factory=lambda: deque(maxlen=_MOST_PAIRS))

    def clear(self) -> None:
        """Forget the amounts of the section before."""
        self._pairs.clear()

    def ways(self, stated: Operand, count: Operand | None, text: str) -> Iterator[Way]:
        """The ways in which the amount is that of an earlier count, in proportion; then the amount is recorded."""
        thing = _thing(stated, count, text)
        if count is None or not thing:
            return
        for word, earlier, amount in reversed(self._pairs):
            ratio = count.value / earlier.value
            is_simple = ratio != 1 and max(ratio.as_integer_ratio()) <= _SIMPLE
            if is_simple and word == thing and earlier.unit == count.unit and amount.dimensions == stated.dimensions:
                yield Way(float(ratio) * amount.size, (amount,), partial(multiplied, Fraction(ratio)), announced=True)
        self._pairs.append((thing, count, stated))


def _thing(stated: Operand, count: Operand | None, text: str) -> str:
    """The word after the count, if that is the last number before an amount with a unit, and only a few words are between the two."""
    if count is None or stated.dimensions == PURE or count.dimensions != PURE or count.ratio or count.value <= 1:
        return ""
    between = _BETWEEN.fullmatch(text, count.end, stated.start)
    return between[1].lower() if between else ""

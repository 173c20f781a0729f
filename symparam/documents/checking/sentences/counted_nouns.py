"""The counts of a sentence, and whether words about them mean the same things: ``16 servers`` and ``per server``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import cache

from symparam.core.formula import Number, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.expression import PLACEHOLDER, Literal
from symparam.documents.words import fraction_words, words, words_of
from symparam.documents.words.scripts import UNSPACED, either, is_unspaced, joined

_MARKS = r"[ *_`$]*+"
_COUNT = re.compile(
    r"(?<![\w.,^/\\{-])(?P<value>\d{1,3}(?>(?:,\d{3})+)|\d{1,9}+(?>(?:\.\d{1,4}+)?))"
    r"(?P<unit>(?> ?(?:(?:[KMGTP]i?[Bb]?(?:ps|/s)?|[kB])(?![A-Za-z0-9])))?)(?![A-Za-z\d^_/{(]|[.,]\d|\s?\\?%)"
)
_IN_FORMULA = re.compile(r"(?:[×*/+÷^<>−–-]|\d\s?[~≈]|(?<![A-Za-z_])\s?=|\\[a-z]+|[(\[]\d[\d, ]*,)[ *_`$]{0,8}\Z")
_GOES_ON = re.compile(rf"{_MARKS}(?:[×+÷^=<>≈−–~]|\*\s?\d|[-/]\s?\d|,\s?\d|[x:] ?\d)")
_STOP = re.compile(r"[\d.,;:!?()（）|\n。，；：、=×→]")
_WORD = re.compile(rf"[{UNSPACED}]+|[^\W\d_{UNSPACED}]+")
_BEFORE = 20  # Characters before a number in which a formula shows.
_NAMED = 40  # Characters in which the words for what a number counts stand.
_MOST_WORDS = 3
_ENDING, _LEAST_STEM = 2, 2  # Letters in which two forms of a word may differ, and that they have in common.


@frozen
class Count:
    """A number without a formula around it. ``things`` are the words directly behind it, of which one may be what it counts."""

    value: Fraction
    start: int
    end: int
    unit: str
    shown: str
    things: frozenset[str]

    @property
    def digits(self) -> int:
        """How many digits it shows."""
        return len(re.sub(r"\D", "", self.shown).strip("0")) or 1

    @cached_property
    def side(self) -> ClaimSide:
        """The number as a side of a claim, without its unit."""
        if "." not in self.shown:
            return ClaimSide(Number(int(self.value)), {})
        letter = f"{PLACEHOLDER}{self.start}"
        last = Fraction(1, 10 ** len(self.shown.partition(".")[2]))
        return ClaimSide(Symbol(letter), {letter: Literal(self.value, last, None, self.digits)})


def counts_in(text: str, start: int, end: int) -> Iterator[Count]:
    """The counts from ``start`` to ``end``, in their order."""
    for match in _COUNT.finditer(text, start, end):
        before = text[max(start, match.start() - _BEFORE) : match.start()]
        if not _IN_FORMULA.search(before) and not _GOES_ON.match(text, match.end(), end):
            value, unit = match["value"], match["unit"].strip()
            yield Count(Fraction(value.replace(",", "")), match.start(), match.end(), unit, value, things_in(text, match.end(), end))


def things_in(text: str, start: int, end: int) -> frozenset[str]:
    """The first words of a stretch, in small letters, up to a sign, a number or a word such as "per"."""
    stretch = of_each().split(_STOP.split(text[start : min(end, start + _NAMED)])[0])[0]
    found = [word for word in _WORD.findall(_classifier().sub("", stretch)) if not words("short").is_one(word)]
    return frozenset(word.lower() for word in found[:_MOST_WORDS])


def things_before(text: str, end: int) -> frozenset[str]:
    """The word of a script without spaces that a word for each of several things directly follows: ``ノードあたり``."""
    said = _WORD.findall(_STOP.split(text[max(0, end - _BEFORE) : end])[-1])[-1:]
    return frozenset(word for word in said if text.endswith(word, 0, end) and is_unspaced(text[end : end + 1]))


def have_in_common(some: frozenset[str], others: frozenset[str]) -> bool:
    """Whether a word of the ones is one of the others, or another form of it."""
    return any(_are_alike(one, other) for one in some for other in others)


def _are_alike(one: str, other: str) -> bool:
    if is_unspaced(one) or is_unspaced(other):
        return one[:_LEAST_STEM] == other[:_LEAST_STEM] or (min(len(one), len(other)) == 1 and one[0] == other[0])
    stem = max(len(one), len(other)) - _ENDING
    return len(one) >= _LEAST_STEM <= len(other) and one[: max(stem, _LEAST_STEM)] == other[: max(stem, _LEAST_STEM)]


@cache
def of_each() -> re.Pattern[str]:
    """The words that say that a number beside them is for each of several things: ``per``, ``each``, ``每``."""
    return either([*words_of("per_one"), *(word for word in words_of("each") if not any(fraction_words(word)))])


@cache
def _classifier() -> re.Pattern[str]:
    """What stands between a count and what it counts in scripts without spaces."""
    return re.compile(rf"\A{_MARKS}(?:{joined(words_of('classifier'), unspaced=True)})")

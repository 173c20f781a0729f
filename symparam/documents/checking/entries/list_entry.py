"""The entry of a list or a column: a number with the words next to it."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache

from symparam.core.formula import Formula
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.words import role_words, words, words_of
from symparam.documents.words.scripts import either

_LONGEST_LABEL = 80  # Characters of a label; longer text is a sentence, where a word for a sum means little.
_LEAST_ROUNDING = 50  # Of numbers with two zeros at their end; one zero is often chance.
_DIGITS = re.compile(r"\d\s*[^\W\d]*\b.*\w")  # A number before further words: the word for a total is about that number.
_BRACKETS = re.compile(r"[(（][^()（）]*[)）]|[*_`:：=]")
_NESTED = re.compile(r"(?:&(?:nbsp|emsp|ensp);|[\s\u3000└├│─↳·]|[-*+•–]++(?=\s))*")
_BOUNDS = {"least": ("at_least", "[≥⩾>]|>="), "most": ("at_most", "[≤⩽<]|<=")}
"""The words and the signs before the least or the most that is meant."""


@cache
def _bound(kind: str) -> re.Pattern[str]:
    """The words and signs of a bound at the end of a label."""
    notion, signs = _BOUNDS[kind]
    return re.compile(rf"(?:{either(words_of(notion)).pattern}|{signs})\s?$", re.IGNORECASE)


@cache
def _weighted_sums() -> re.Pattern[str]:
    return re.compile("|".join(map(re.escape, role_words()["attention-values"])), re.IGNORECASE)


@frozen
class ListEntry:
    """A number at the end of a line or in a cell. ``calculation`` is the expression next to it whose result it is, if there is one;
    ``is_alone`` says that it has only words next to it, ``is_item`` that the line is an item of a list, and ``is_about`` that a sign of
    approximation stands before it. ``things`` is how many things its line names that have the number each. ``further`` are the numbers
    after it that the line may contribute to a sum instead, each with its text: ``K, V each: 1,835,520, both 3,671,040``.
    """

    label: str
    text: str
    side: ClaimSide
    value: Fraction
    line: int
    start: int
    end: int
    calculation: Formula | None = None
    bold: bool = False
    indent: int = 0
    is_alone: bool = False
    is_item: bool = False
    is_about: bool = False
    things: int = 1
    further: tuple[tuple[str, ClaimSide, Fraction], ...] = ()

    @cached_property
    def depth(self) -> int:
        """How far its label is indented in its cell."""
        nested = _NESTED.match(self.label)
        return len(nested[0]) if nested else 0

    @cached_property
    def measured(self) -> frozenset[str]:
        """What its units count, without scales."""
        units = (each.unit for each in self.side.literals.values() if each.unit)
        return frozenset("%" if unit.written == "%" else unit.counted for unit in units) - {""}

    def is_rounded(self, exact: Fraction) -> bool:
        """Whether it may be the exact number rounded at its trailing zeros: 52,000 for 52,170."""
        return self.rounding >= _LEAST_ROUNDING and abs(exact - self.value) <= self.rounding

    @cached_property
    def rounding(self) -> Fraction:
        """By how much it differs from the exact number at most, if that is rounded at its trailing zeros: 500 of 52,000."""
        written = str(self.value.numerator)
        return Fraction(10 ** (len(written) - len(written.rstrip("0"))) if self.value.denominator == 1 else 0, 2)

    def is_above(self, entry: ListEntry) -> bool:
        """Whether it is a list item, and the other entry is in a nested list below it."""
        return self.is_item and entry.is_item and self.indent < entry.indent

    @staticmethod
    def says_total(text: str) -> bool:
        """Whether the words announce a sum; the weighted sum of the values is a part of the attention."""
        return words("total").in_text(text) and words("total").in_text(_weighted_sums().sub(" ", text))

    @staticmethod
    def says_group(text: str) -> bool:
        """Whether the words name a part of a model, such as a layer."""
        return words("part").in_text(text)

    @cached_property
    def is_total(self) -> bool:
        """Whether its words call it a sum."""
        return self.says_total(self.label)

    @cached_property
    def is_named(self) -> bool:
        """Whether its words begin or end with a word for a sum; in the middle it may be part of a name: ``peak total memory in use``."""
        label = _BRACKETS.sub("", self.label)
        if not self.is_total or len(label) > _LONGEST_LABEL or _DIGITS.search(label):
            return False
        return words("total").at_either_end(label, words("before_total"))

    @property
    def is_grand_total(self) -> bool:
        """Whether its words call it the sum of everything above, rather than of one group."""
        return self.is_total and not self.says_group(self.label)

    @cached_property
    def number(self) -> int | Fraction:
        """The value, as an ``int`` if it is whole, since integers are compared ten times as fast."""
        return self.value.numerator if self.value.denominator == 1 else self.value

    @cached_property
    def is_counted(self) -> bool:
        """Whether it is part of the sum, as its words do not exclude it."""
        return not words("not_counted").in_text(self.label)

    @cached_property
    def is_exact(self) -> bool:
        """Whether it is an integer without unit or rounding, and not a bound."""
        return self.is_whole and not self.bound

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is an integer without unit or rounding."""
        return not self.side.literals and self.value.denominator == 1

    @cached_property
    def bound(self) -> str:
        """``least`` or ``most`` if the words before it make it a bound, as in ``at least 81,152``; otherwise empty."""
        return next((kind for kind in _BOUNDS if _bound(kind).search(self.label)), "")

    def agrees_with(self, right: Fraction) -> bool:
        """Whether the entry equals the right number, or is a bound that the number satisfies."""
        if self.bound == "least":
            return self.value <= right
        return self.value >= right if self.bound == "most" else self.value == right

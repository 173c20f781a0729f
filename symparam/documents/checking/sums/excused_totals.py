"""Reasons why a total may be meant otherwise than as the sum of the parts above it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate, combinations

from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.sums.addends import without_single_copies
from symparam.documents.roles.labels import read_label
from symparam.documents.words import words

LEAST_PART = 10_000
"""The least parameters that are multiplied by a count; a smaller factor is a size."""

_SMALL_REST = 20  # A total is that many times the other numbers above it, of which it repeats the largest.
_REMARK = re.compile("[(（:：]")
_LONG_NUMBERS = re.compile(r"(?<![\d.,])(?:\d{1,3}(?>(?:[.,]\d{3})+)|\d{4,12})(?![\d.,]*\d)")
_MOST_NAMED = 4
_FEW_DIGITS, _CLOSE_TO_ABOUT = 3, Fraction(1, 100)  # A total of so few digits that is about its parts may be so far from them.
_ADDS = re.compile(r"\([^()+]{1,40}\+[^()]{1,40}\)")  # "Total (a + b)" says which of the entries above it adds up.


def is_excused(entry: ListEntry, parts: Sequence[ListEntry]) -> bool:
    """Whether the total may be meant otherwise than as the sum of these parts."""
    gap = entry.value - sum(part.number for part in parts)
    labels = Counter(part.label for part in parts)
    adds = _ADDS.search(entry.label)
    if gap and (entry.is_rounded(entry.value - gap) or (adds and adds[0].count("+") + 1 < len(parts))):
        return True
    if all(each.is_about for each in (entry, *parts)) and abs(gap) <= sum(each.rounding for each in (entry, *parts)):
        return True  # About 20,000 and about 25,000 are about 46,000.
    if entry.is_about and len(str(entry.number).rstrip("0")) <= _FEW_DIGITS and abs(gap) <= _CLOSE_TO_ABOUT * entry.value:
        return True  # About 195,000 for 193,400.
    if gap < 0 and entry.is_total and _says_of_what(entry.label):
        return True  # "Total input" leaves out what is output.
    is_small = -gap * _SMALL_REST < entry.value  # What stands beside it: 500 merges, 328,430 tokens, 510 of them different.
    if gap in _sums_in(entry.label):
        return True  # Its own words name further parts: "Total (with the pooler, 590,592)".
    if any(part.number == entry.number and (part.is_total or part.calculation is not None or is_small) for part in parts):
        return True  # It is stated again.
    if entry.value >= LEAST_PART and entry.value in [*accumulate(part.number for part in reversed(parts))][1:-2]:
        return True  # It adds up the last of them, to the digit: the first ones are the parts of something else.
    if not entry.is_named and len(parts) > 2 and any(-gap == part.number for part in parts):
        return True  # One of the rows above a bold one may stand for itself.
    if words("added").in_text(entry.label) and entry.value in accumulate(part.value for part in reversed(parts)):
        return True  # What is trained, below what is frozen.
    # Of two rows with the same label, such as one with a cache and one without, only one may count.
    return any(-gap == part.number and labels[part.label] > 1 for part in parts) or (
        gap != 0 and any(sum(part.number for part in without_single_copies(parts, by)) == entry.value for by in (False, True))
    )


def _says_of_what(label: str) -> bool:
    """Whether a total is called one of something in particular, by words that name neither a measure nor a part of a model."""
    return not words("before_total").whole.issuperset(read_label(_REMARK.split(label)[0]).rest)


def _sums_in(label: str) -> set[int]:
    """What the long numbers of a label may add up to."""
    found = [int(re.sub("[.,]", "", number)) for number in _LONG_NUMBERS.findall(label)][-_MOST_NAMED:]
    return {sum(chosen) for size in range(1, len(found) + 1) for chosen in combinations(found, size)}

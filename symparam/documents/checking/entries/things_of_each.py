"""Reads how many things a number is said to be for each of: two in ``q_proj and v_proj: 65,536 each``."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from symparam.documents.words import number_words, words, words_of
from symparam.documents.words.scripts import either, is_unspaced

_MOST = 8  # Things of an enumeration; more are the words of a sentence.
_LONGEST = 120  # Characters of a label.
BEHIND = 12  # Characters after a number in which it is said to be for each.


@lru_cache(maxsize=1_024)
def things_of_each(label: str, behind: str = "") -> int:
    """How many things a label counts or enumerates, if it or the words behind its number say that each has the number; otherwise 1."""
    if not (words("each").in_text(label) or words("each").in_text(behind)):
        return 1
    counted = [count for _, count in number_words(label) if 1 < count <= _MOST]
    named = [
        each for each in _between().split(label[-_LONGEST:]) if any(map(str.isalpha, each)) and not words("each").is_one(each.strip(" :："))
    ]
    return counted[-1] if counted else len(named) if 1 < len(named) <= _MOST else 1


def without_each(label: str) -> str:
    """The label without a word for 'each' directly before its number: ``k_proj and v_proj: each``."""
    return _each_at_end().sub("", label).rstrip()


@cache
def _each_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?:{either(words_of('each')).pattern})\Z", re.IGNORECASE)


@cache
def _between() -> re.Pattern[str]:
    """What stands between the things of an enumeration."""
    spaced, unspaced = ("|".join(re.escape(each) for each in words_of("and") if is_unspaced(each) is which) for which in (False, True))
    return re.compile(rf"[、,，;；/&+]|\s(?:{spaced})\s|{unspaced}")

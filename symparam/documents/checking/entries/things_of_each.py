"""Reads how many things a number is said to be for each of: two in ``q_proj and v_proj: 65,536 each``."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from symparam.documents.words import number_words, words, words_of
from symparam.documents.words.scripts import either, ended, joined

_MOST = 8  # Things of an enumeration; more are the words of a sentence.
_LONGEST = 120  # Characters of a label.
BEHIND = 12  # Characters after a number in which it is said to be for each.


@lru_cache(maxsize=1_024)
def things_of_each(label: str, behind: str = "") -> int:
    """How many things a label counts or enumerates, if it or the words behind its number say that each has the number; otherwise 1."""
    if not (words("each").in_text(label) or words("each").in_text(behind)):
        return 1
    counted = [count for _, count in number_words(label) if 1 < count <= _MOST]
    things = (each.strip(" :：") for each in between_things().split(label[-_LONGEST:]))
    named = [each for each in things if any(map(str.isalpha, each)) and not words("each").is_one(each)]
    return counted[-1] if counted else len(named) if 1 < len(named) <= _MOST else 1


def without_each(label: str) -> str:
    """The label without a word for 'each' directly before its number: ``k_proj and v_proj: each``."""
    return _each_at_end().sub("", label).rstrip()


@cache
def _each_at_end() -> re.Pattern[str]:
    return re.compile(rf"(?:{either(words_of('each')).pattern})\Z", re.IGNORECASE)


@cache
def between_things() -> re.Pattern[str]:
    """What separates things of an enumeration: a sign, or a word for "and"."""
    spaced, unspaced = ended(words_of("and")), joined(words_of("and"), unspaced=True)
    return re.compile(rf"\s?(?:\+|[,，](?!\d{{3}})|[、;；&]|/(?=\s))\s?(?:{spaced}\s)?|\s{spaced}\s|{unspaced}")

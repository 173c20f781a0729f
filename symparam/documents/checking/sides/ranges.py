"""Whether a number is an end of a range, or one of a list: ``from 117M to 1.5B``, ``1 GB ~ 2 GB``, ``7B, 13B & 33B``."""

from __future__ import annotations

import re
from functools import cache

from symparam.documents.words import words_of
from symparam.documents.words.scripts import either

_SCALED = r"\d[\d.]{0,6}\s?[KMBGT](?![A-Za-z0-9])"
_FARTHEST = 20  # Characters before a number in which the beginning of a range stands.


def begins_range(text: str, end: int) -> bool:
    """Whether another number follows what ends here, as the end of a range."""
    return _begun().match(text, end) is not None


def ends_range(text: str, start: int) -> bool:
    """Whether what starts here follows another number, as the end of a range."""
    return _ended().search(text[max(0, start - _FARTHEST) : start]) is not None


def is_one_of_a_list(text: str, start: int, end: int) -> bool:
    """Whether the number that stands here is one of several with a scale, of which each may count something else: ``7B, 13B & 33B``."""
    return _listed_behind().match(text, end) is not None or _listed_before().search(text[max(0, start - _FARTHEST) : start]) is not None


@cache
def _listed_behind() -> re.Pattern[str]:
    return re.compile(rf"{_joint()}{_SCALED}")


@cache
def _listed_before() -> re.Pattern[str]:
    return re.compile(rf"{_SCALED}{_joint()}\Z")


def _joint() -> str:
    return rf"\s?(?:[,，、&/]|{either(words_of('and')).pattern})\s?"


@cache
def _begun() -> re.Pattern[str]:
    return re.compile(rf"\s?{_sign()}\s?\d", re.IGNORECASE)


@cache
def _ended() -> re.Pattern[str]:
    return re.compile(rf"\d\s?[^\W\d_]{{0,3}}\s?{_sign()}\s?\Z", re.IGNORECASE)


def _sign() -> str:
    return rf"(?:[–—~～-]|{either(words_of('up_to')).pattern})"

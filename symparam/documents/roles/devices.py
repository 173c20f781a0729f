"""Finds how many devices share what a number counts, as its words say: ``14.8 GB per card with TP=2``."""

from __future__ import annotations

import re

_DEVICE = r"(?:gpus?|cards?|devices?|ranks?|karten?|cartes?|[ah]100s?)"
_COUNTS = {
    "two": 2, "both": 2, "three": 3, "four": 4, "eight": 8, "sixteen": 16, "zwei": 2, "vier": 4, "acht": 8, "deux": 2, "quatre": 4,
    "huit": 8, "两": 2, "兩": 2, "四": 4, "八": 8,
}  # fmt: skip
_NUMBER = rf"(?:\d{{1,4}}|{'|'.join(_COUNTS)})"
_OF_DEVICES = rf"(?<![\w.,])({_NUMBER})[ -]{_DEVICE}\b|\btp ?= ?(\d{{1,3}})\b|({_NUMBER}) ?(?:张显?|块显?)卡|({_NUMBER}) ?路张量并行"
_COUNT = re.compile(_OF_DEVICES, re.IGNORECASE)
_EACH = re.compile(
    rf"\b(?:per|pro|par|por|each|every|each of(?: the| {_NUMBER})?) {_DEVICE}\b|每(?:张|块)?显?卡|gpu\s?(?:あたり|당|마다)", re.IGNORECASE
)
_ONE = re.compile(r"\b(?:each(?: one)?|auf jede|chacune?)\b|每张", re.IGNORECASE)
_SHARE = r"\b(?:an?|one) (?:half|third|quarter|eighth|sixteenth) of(?: the)?\b"
_SPLIT = r"(?:\b(?:split|shard\w{0,3}|distributed|spread|with|over|on|across|using|of|auf|sur)\b[ ,]{0,2}){1,4}"
_PARALLEL = r"\btensor[ -]parallel(?:ism)?\b|张量并行"
_PHRASE = re.compile(rf"{_EACH.pattern}|(?:{_SPLIT})?(?:{_PARALLEL}|{_OF_DEVICES})|{_SHARE}", re.IGNORECASE)
_LARGEST = 1_024  # Devices of one model.


def devices_in(text: str) -> tuple[int, ...]:
    """The numbers of devices that the text states."""
    written = (next(filter(None, match.groups())).lower() for match in _COUNT.finditer(text))
    counts = (int(each) if each.isdecimal() else _COUNTS[each] for each in written)
    return tuple(dict.fromkeys(each for each in counts if 1 < each <= _LARGEST))


def says_each_device(text: str) -> bool:
    """Whether the text says that a number is for one device of several: ``per GPU``."""
    return _EACH.search(text) is not None


def shares_among(own: str, sentence: str, page: tuple[int, ...]) -> tuple[int, ...]:
    """The numbers of devices that may share what a number counts, 1 among them unless its ``own`` words say that it is for one device.

    They are those that its own words state, or its ``sentence``, or the ``page``.
    """
    stated = devices_in(own)
    if says_each_device(own):
        return stated or devices_in(sentence) or page
    is_shared = (says_each_device(sentence) or _ONE.search(sentence) is not None) and bool(stated or devices_in(sentence))
    return (1, *(stated or devices_in(sentence))) if is_shared else ()


def without_devices(text: str) -> str:
    """The text with spaces in place of its words about devices."""
    return _PHRASE.sub(lambda match: " " * len(match[0]), text)

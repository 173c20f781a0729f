"""Finds how many devices share what a number counts, as its words say: ``14.8 GB per card with TP=2``."""

from __future__ import annotations

import re

from symparam.documents.words import device_words, numbers_in_words
from symparam.documents.words.scripts import at_words, either

_WORDS = {key: either(listed).pattern for key, listed in device_words().items()}
_DEVICE = f"(?:{_WORDS['device']})"
_NUMBER = rf"(?:\d{{1,4}}|{either(numbers_in_words()).pattern})"
_OF_DEVICES = rf"(?<![a-z\d_.,])({_NUMBER})[ -]?{_DEVICE}|\btp ?= ?(\d{{1,3}})\b"
_COUNT = re.compile(at_words(_OF_DEVICES), re.IGNORECASE)
_EACH = re.compile(
    at_words(
        rf"(?:{_WORDS['each_before']}) ?{_DEVICE}|(?:{_WORDS['each_of']}) ?(?:{_NUMBER} ?)?{_DEVICE}|{_DEVICE} ?(?:{_WORDS['each_behind']})"
    ),
    re.IGNORECASE,
)
_ONE = re.compile(_WORDS["each_alone"], re.IGNORECASE)
_SPLIT = rf"(?:(?:{_WORDS['over']})[ ,]{{0,2}}){{1,4}}"
_PHRASE = re.compile(at_words(rf"{_EACH.pattern}|(?:{_SPLIT})?(?:{_WORDS['parallel']}|{_OF_DEVICES})|{_WORDS['share']}"), re.IGNORECASE)
_DIVISOR = re.compile(r"[/÷]\s?(\d{1,4})\s?[=≈][ *`~≈]{0,4}\Z")
_LARGEST = 1_024  # Devices of one model.


def devices_in(text: str) -> tuple[int, ...]:
    """The numbers of devices that the text states."""
    written = (next(filter(None, match.groups())).lower() for match in _COUNT.finditer(text))
    counts = (int(each) if each.isdecimal() else numbers_in_words()[each] for each in written)
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
    each = says_each_device(sentence)
    shared = stated or devices_in(sentence) or (page if each else ())
    return (1, *shared) if shared and (each or _ONE.search(sentence)) else ()


def devices_of_quotient(before: str, behind: str) -> tuple[int, ...]:
    """The number of devices by which the calculation before a number divides, as words ``behind`` say: ``/ 128 = 25.3 GB per rank``."""
    divided = _DIVISOR.search(before)
    count = int(divided[1]) if divided is not None and says_each_device(behind) else 0
    return (count,) if 1 < count <= _LARGEST else ()


def without_devices(text: str) -> str:
    """The text with spaces in place of its words about devices."""
    return _PHRASE.sub(lambda match: " " * len(match[0]), text)

"""Finds the released models that a text names: ``GPT-2 small``, ``Llama-3-8B``, ``BERT-base``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache, reduce

from symparam.documents.words.scripts import UNSPACED
from symparam.models.configs.presets import presets

_FIRST_LINES = 600  # Characters of a page that say what it is about, like its headings.
_MOST = 6_000  # Characters of headings that are searched.
_LONGEST = 8  # Words and numbers of a name.
_HEADING = re.compile(r"^(?:#{1,6}[ \t]|\\(?:sub)*section\*?\{|<h[1-6]>|[^\n]{1,120}\n[=-]{3,}$)[^\n]{0,200}", re.MULTILINE)
_PIECE = re.compile(rf"[^\W_{UNSPACED}]+")  # Scripts without spaces go on right behind a name.
_SIZE = re.compile(r"nano|tiny|mini|small|base|medium|large|huge|giant|x{1,3}l|\d+[bm]?")
_QUALIFIERS = frozenset(("uncased", "cased", "v0", "1", "224", "in21k", "instruct"))
"""The last pieces of names that people leave out: BERT-base, Mistral 7B."""
_ALSO = {
    **dict.fromkeys(("gpt2small", "gpt2.124m", "gpt2.117m"), "gpt2"),
    "gpt1": "openai-gpt",
    "gpt3": "gpt3-175b",
    "vitb16": "vit-base-patch16-224",
}


def first_models(text: str) -> dict[str, int]:
    """The released models that the headings name, or else the first lines, or else any line, each with its first place."""
    return _first_places(_in_headings(text)) or _first_places(names_in(text[:_FIRST_LINES])) or _first_places(names_in(text))


def models_named(text: str) -> list[str]:
    """The released models that a text names, in its order."""
    return list(_first_places(names_in(text)))


@lru_cache(maxsize=4)  # A page is searched for several purposes.
def names_in(text: str) -> tuple[tuple[int, int, str], ...]:
    """The released models that a text names, each with its place."""
    return tuple(_found_in(text))


@lru_cache(maxsize=4096)  # Many numbers have the same words and the same heading.
def names_in_words(words: str) -> tuple[tuple[int, int, str], ...]:
    """The released models that the words beside a number name, each with its place."""
    return tuple(_found_in(words))


def places_of_names(text: str) -> list[tuple[int, int]]:
    """Where the text names a released model, whose name may have a number in it: ``Llama 2 70B``."""
    return [(start, end) for start, end, _ in names_in(text)]


def _in_headings(text: str) -> Iterator[tuple[int, int, str]]:
    left = _MOST
    for heading in _HEADING.finditer(text):
        yield from ((heading.start() + start, heading.start() + end, name) for start, end, name in _found_in(heading[0][:left]))
        left = max(0, left - len(heading[0]))


def _first_places(found: Iterable[tuple[int, int, str]]) -> dict[str, int]:
    places: dict[str, int] = {}
    for start, _, name in found:
        places.setdefault(name, start)
    return places


def _found_in(text: str) -> Iterator[tuple[int, int, str]]:
    begun, last = _begun_names(), 0
    pieces = [*_PIECE.finditer(text.lower())]
    for at, piece in enumerate(pieces):
        if piece[0] in begun and at >= last:  # Few words of a page begin a name.
            length, name = _longest([each[0] for each in pieces[at : at + _LONGEST]])
            last = at + length
            has_size = any(_SIZE.fullmatch(each[0]) and not each[0].isdecimal() for each in pieces[at:last])
            behind = pieces[last][0] if last < len(pieces) else ""
            if length and (has_size or not _SIZE.fullmatch(behind)):  # GPT-2 1.5B is not GPT-2.
                yield piece.start(), pieces[last - 1].end(), name


def _longest(pieces: Sequence[str]) -> tuple[int, str]:
    """The longest name that the pieces begin with, and the number of its pieces; 0 if they begin with none."""
    names, begun = _names(), _begun_names()
    joined, length, name = "", 0, ""
    for count, piece in enumerate(pieces, 1):
        joined = _joined(joined, piece)
        if joined not in begun:
            break
        if joined in names:
            length, name = count, names[joined]
    return length, name


def _joined(name: str, piece: str) -> str:
    """The name with one more piece; two numbers stay apart, as OPT-1.3B is not OPT-13B."""
    return f"{name}.{piece}" if name[-1:].isdigit() and piece[0].isdigit() else name + piece


@cache
def _names() -> dict[str, str]:
    """The released models by the pieces of their names, in full and without their qualifiers; the first has the shorter name."""
    found = dict(_ALSO)
    for name in presets():
        pieces = _PIECE.findall(name)
        found[reduce(_joined, pieces)] = name
    for name in presets():
        pieces = _PIECE.findall(name)
        while len(pieces) > 1 and pieces[-1] in _QUALIFIERS:
            del pieces[-1]
            found.setdefault(reduce(_joined, pieces), name)
    return found


@cache
def _begun_names() -> frozenset[str]:
    """The names and all that they begin with."""
    return frozenset(name[:end] for name in _names() for end in range(1, len(name) + 1))

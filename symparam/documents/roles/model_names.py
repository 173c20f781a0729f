"""Finds the released models that a text names: ``GPT-2 small``, ``Llama-3-8B``, ``BERT-base``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, reduce

from symparam.models.configs.presets import presets

_FIRST_LINES = 600  # Characters of a page that say what it is about, like its headings.
_MOST = 6_000  # Characters of headings that are searched.
_LONGEST = 8  # Words and numbers of a name.
_HEADING = re.compile(r"^(?:#{1,6}[ \t]|\\(?:sub)*section\*?\{|<h[1-6]>|[^\n]{1,120}\n[=-]{3,}$)[^\n]{0,200}", re.MULTILINE)
_PIECE = re.compile(r"[^\W_]+")
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
    headings = [(match.start(), match[0]) for match in _HEADING.finditer(text)]
    parts = (headings, [(0, text[:_FIRST_LINES])], [(0, text)])
    found = (list(_names_in(each, _MOST if each is headings else len(text))) for each in parts)
    return {name: place for place, name in reversed(next(filter(None, found), []))}


def models_named(text: str) -> list[str]:
    """The released models that a text names, in its order."""
    return list(dict.fromkeys(name for _, name in _names_in([(0, text)], len(text))))


def names_in(text: str) -> list[tuple[int, int, str]]:
    """The released models that a text names, each with its place."""
    return list(_found_in([(0, text)], len(text)))


def places_of_names(text: str) -> list[tuple[int, int]]:
    """Where the text names a released model, whose name may have a number in it: ``Llama 2 70B``."""
    return [(start, end) for start, end, _ in names_in(text)]


def _names_in(parts: Iterable[tuple[int, str]], left: int = _MOST) -> Iterator[tuple[int, str]]:
    yield from ((start, name) for start, _, name in _found_in(parts, left))


def _found_in(parts: Iterable[tuple[int, str]], left: int) -> Iterator[tuple[int, int, str]]:
    names, begun = _names(), _begun_names()
    for start, part in parts:
        pieces = [*_PIECE.finditer(part[:left].lower())]
        left -= len(part)
        at = 0
        while at < len(pieces):
            joined, length, name = "", 0, ""
            for count, piece in enumerate(pieces[at : at + _LONGEST], 1):
                joined = _joined(joined, piece[0])
                if joined not in begun:
                    break
                if joined in names:
                    length, name = count, names[joined]
            has_size = any(_SIZE.fullmatch(piece[0]) and not piece[0].isdecimal() for piece in pieces[at : at + length])
            behind = pieces[at + length][0] if at + length < len(pieces) else ""
            if length and (has_size or not _SIZE.fullmatch(behind)):  # GPT-2 1.5B is not GPT-2.
                yield start + pieces[at].start(), start + pieces[at + length - 1].end(), name
            at += length or 1


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

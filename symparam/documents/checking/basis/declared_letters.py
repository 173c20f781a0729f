"""Finds the letters that a page declares in words: ``L the number of layers``, ``层数为 $l$``, or a row of a table of notation.

A letter has its meaning on the whole page if it is declared with one meaning only.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate
from typing import Literal

from symparam.core.frozen import frozen
from symparam.documents.reading.parsed_document import PAGE_NAMES
from symparam.documents.words import size_words, words, words_of
from symparam.documents.words.scripts import is_unspaced

_NAME = r"[A-Za-z](?:_(?:[A-Za-z0-9]{1,6}+|\{[A-Za-z0-9]{1,6}+\}|\{\\(?:text|mathrm)\{[A-Za-z]{1,6}+\}\}))?"
_VALUE = r"(?:\s?=\s?\d[\d,.]{0,12})?"  # ``hidden size $h = 5120$``
_SET = rf"(?:\$(?P<a>{_NAME}){_VALUE}\$|`(?P<b>{_NAME})`|\*\*?(?P<c>{_NAME})\*\*?)"
_NO_WORD = r"(?!(?-i:[aeoy])(?!\w))"  # Short words: Spanish "y el número de capas", Portuguese "e a dimensão oculta".
_SPACED = "[A-Za-zÀ-\u024fЀ-ӿ]"  # Letters of scripts that separate words by spaces.
_SIGNS = "[:：=|(（–—-]"
_AFTER = ("N_parameters",)
"""What is named after its letter only: ``the number of parameters`` of a heading stands before any letter."""
_USUAL = {"N": "LlNn", "h": "HhAan", "L": "Ss"}
"""The first characters of names for what is counted, before its name: ``$L$ layers``, but not ``$k$ layers``, which may be some of them."""
_ROW = re.compile(
    r"^[ \t]*\|[ \t]*(?P<name>[$`*]{0,2}[^\W\d][^|()\n]{2,30}?)[ \t]*\([$`]?(?P<letter>[A-Za-z])[$`]?\)[ \t]*\|", re.MULTILINE
)
"""A row of a table of notation: ``| $n_\\text{heads}$ (N) | 64 |``."""
_ROW_NAMES = {"d_qkv": "d", "n_embeddings": "V", "n_vocab": "V"}
"""Names that are too rare to be read in code."""
_SEVERAL = 3  # Letters of one line, among which a brief name declares one.
_LAST_WORD = re.compile(r"([^\W\d_]{1,20})[\s$]?\Z")
_NEAR = 24  # Characters before a name in which a word may belong to it.
_LEADING = ("declares", "demand", "and", "particle")
"""What may stand directly before the name of a size in a script without spaces; other words are a part of the name: 专家中间维度."""


@frozen
class _Declaration:
    """A name with the letter of its size, and where the page says so."""

    name: str
    letter: str
    start: int
    end: int


def declared_letters(text: str) -> Mapping[str, str]:
    """The names that the page declares, each with the letter of its size; without those that it declares with several meanings.

    A brief name declares a letter in a line that declares several: ``hidden $h$, layers $l$, vocabulary $V$``.
    """
    full = [*_declared(text, "sizes"), *_in_rows(text)]
    brief = _without(full, _declared(text, "brief"))
    beside: dict[int, set[str]] = defaultdict(set)
    for each in (*full, *brief):
        beside[text.rfind("\n", 0, each.start)].add(each.name)
    found: dict[str, set[str]] = defaultdict(set)
    for each in (*full, *(each for each in brief if len(beside[text.rfind("\n", 0, each.start)]) >= _SEVERAL)):
        found[each.name].add(each.letter)
    return {name: min(letters) for name, letters in found.items() if len(letters) == 1}


def _without(full: Sequence[_Declaration], brief: Iterable[_Declaration]) -> list[_Declaration]:
    """The declarations with brief names that are no part of those with full ones."""
    ordered = sorted(full, key=lambda each: each.start)
    starts, reached = [each.start for each in ordered], [*accumulate((each.end for each in ordered), max)]
    before = ((bisect_left(starts, each.end), each) for each in brief)
    return [each for count, each in before if not count or reached[count - 1] <= each.start]


def _declared(text: str, kind: Literal["sizes", "brief"]) -> Iterator[_Declaration]:
    for pattern in _patterns(kind):
        for match in pattern.finditer(text):
            groups = match.groupdict()
            written = next(groups[each] for each in "abc" if groups.get(each))
            name = re.sub(r"\\(?:text|mathrm)|[{}]", "", written)
            letter = next(each for each in size_words(kind) if groups.get(f"size_{each}"))
            is_other = name in PAGE_NAMES and PAGE_NAMES[name] != letter
            if not (is_other or _goes_before(text, match, letter, kind)):
                yield _Declaration(name, letter, *match.span())


def _in_rows(text: str) -> Iterator[_Declaration]:
    """The letters in brackets behind names of sizes as in code or as formulas, if several rows of tables have such."""
    found = []
    for match in _ROW.finditer(text):
        name = re.sub(r"\W", "", re.sub(r"(?<=\w)[ -](?=\w)", "_", re.sub(r"\\(?:text|mathrm)", "", match["name"]))).lower()
        letter = _ROW_NAMES.get(name) or PAGE_NAMES.get(name)
        if letter is not None:
            found.append(_Declaration(match["letter"], letter, *match.span()))
    yield from found if len(found) >= _SEVERAL else ()


def _goes_before(text: str, match: re.Match[str], letter: str, kind: str) -> bool:
    """Whether the name of the size is the end of a longer one."""
    start = match.start(f"size_{letter}")
    before = text[max(0, start - _NEAR) : start]
    if is_unspaced(text[start]) and before[-1:].isalpha() and is_unspaced(before[-1]):
        return not before.endswith(_leading())
    if kind == "sizes" or start > match.start():
        return False
    word = _LAST_WORD.search(before)
    return word is not None and not (words("short").is_one(word[1]) or words("and").is_one(word[1]) or before.endswith(_leading()))


@cache
def _leading() -> tuple[str, ...]:
    return tuple(word for notion in _LEADING for word in words_of(notion) if is_unspaced(word))


@cache
def _patterns(kind: Literal["sizes", "brief"]) -> tuple[re.Pattern[str], ...]:
    """A letter before the name of its size, marked or not, or as its number, and a marked letter after the name."""
    apart = [word for word in words_of("declares") if not is_unspaced(word)]
    together = [word for word in words_of("declares") if is_unspaced(word)]
    linked = rf"(?:[^\S\n]{{0,2}}(?:{_SIGNS}|{_any(together)})[^\S\n]{{0,2}}|\s{{1,2}}(?:{_any(apart)})\s{{1,2}})"
    size, before = (
        "|".join(f"(?P<size_{letter}>{_any(names)})" for letter, names in size_words(kind).items() if letter not in left)
        for left in ((), _AFTER)
    )
    between = linked if kind == "brief" else rf"(?:{linked}|\s{{1,2}})"  # ``the first $k$ layers``
    either_way = (
        re.compile(rf"{_SET}{between}(?:{size})(?!{_SPACED})", re.IGNORECASE),
        re.compile(rf"(?<!{_SPACED})(?:{before})(?:{linked}|\s{{0,2}}){_SET}", re.IGNORECASE),
    )
    if kind == "brief":
        return either_way
    # ``- Sequence length: n``, alone in an item.
    alone = re.compile(rf"^[ \t]{{0,8}}[-*•][ \t]{{1,4}}(?:{before}):[ \t]{{1,2}}(?P<a>{_NAME})[ \t]{{0,4}}$", re.IGNORECASE | re.MULTILINE)
    counted = "|".join(
        rf"(?=(?P<size_{letter}>(?-i:[{_USUAL[letter]}])[^\s$`*]{{0,20}}[$`*]{{1,2}}\s{{0,2}}(?:{_any(names)})(?!{_SPACED})))"
        for letter, names in size_words("counted").items()
    )
    counts = "".join(f"(?<!{word})(?<!{word} )" for word in words_of("ordinal"))
    return (
        *either_way,
        alone,
        re.compile(rf"(?<![\w$\\.']){_NO_WORD}(?P<a>{_NAME}){linked}(?:{size})(?!{_SPACED})", re.IGNORECASE),
        re.compile(rf"{counts}(?:\$|`|\*\*?)(?:{counted})(?P<a>{_NAME})[$`*]", re.IGNORECASE),
    )


def _any(names: Iterable[str]) -> str:
    """One of the names; the longest is tried first, and a hyphen counts as a space."""
    longest = sorted(dict.fromkeys(names), key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in longest)

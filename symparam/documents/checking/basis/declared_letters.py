"""Finds the letters that a page declares in words: ``L the number of layers``, ``层数为 $l$``, or a row of a table of notation.

A letter has its meaning on the whole page if it is declared with one meaning only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from symparam.documents.words import counted_words, size_words, words_of
from symparam.documents.words.scripts import is_unspaced

_NAME = r"[A-Za-z](?:_(?:[A-Za-z0-9]{1,6}+|\{[A-Za-z0-9]{1,6}+\}|\{\\(?:text|mathrm)\{[A-Za-z]{1,6}+\}\}))?"
_VALUE = r"(?:\s?=\s?\d[\d,.]{0,12})?"  # ``hidden size $h = 5120$``
_SET = rf"(?:\$(?P<a>{_NAME}){_VALUE}\$|`(?P<b>{_NAME})`|\*\*?(?P<c>{_NAME})\*\*?)"
_NO_WORD = r"(?!(?-i:[aeoy])(?!\w))"  # Short words: Spanish "y el número de capas", Portuguese "e a dimensão oculta".
_SPACED = "[A-Za-zÀ-\u024fЀ-ӿ]"  # Letters of scripts that separate words by spaces.
_SIGNS = "[:：=|(（–—-]"
_AFTER = ("N_parameters",)
"""What is named after its letter only: ``the number of parameters`` of a heading stands before any letter."""
_USUAL = {"N": "LlNn", "h": "HhAan"}
"""The first characters of names for what is counted, before its name: ``$L$ layers``, but not ``$k$ layers``, which may be some of them."""


def declared_letters(text: str) -> Mapping[str, str]:
    """The names that the page declares, each with the letter of its size; without those that it declares with several meanings."""
    found: dict[str, set[str]] = {}
    for name, letter in _declared(text):
        found.setdefault(name, set()).add(letter)
    return {name: min(letters) for name, letters in found.items() if len(letters) == 1}


def _declared(text: str) -> Iterator[tuple[str, str]]:
    for pattern in _patterns():
        for match in pattern.finditer(text):
            groups = match.groupdict()
            name = next(groups[each] for each in "abc" if groups.get(each))
            letter = next(each for each in size_words() if groups.get(f"size_{each}"))
            yield re.sub(r"\\(?:text|mathrm)|[{}]", "", name), letter


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """A letter before the name of its size, marked or not, or as its number, and a marked letter after the name."""
    apart = [word for word in words_of("declares") if not is_unspaced(word)]
    together = [word for word in words_of("declares") if is_unspaced(word)]
    linked = rf"(?:\s{{0,2}}(?:{_SIGNS}|{_any(together)})\s{{0,2}}|\s{{1,2}}(?:{_any(apart)})\s{{1,2}})"
    counted = "|".join(
        rf"(?=(?P<size_{letter}>(?-i:[{_USUAL[letter]}])[^\s$`*]{{0,20}}[$`*]{{1,2}}\s{{0,2}}(?:{_any(names)})(?!{_SPACED})))"
        for letter, names in counted_words().items()
    )
    counts = "".join(f"(?<!{word})(?<!{word} )" for word in words_of("ordinal"))
    size, before = (
        "|".join(f"(?P<size_{letter}>{_any(names)})" for letter, names in size_words().items() if letter not in left)
        for left in ((), _AFTER)
    )
    return (
        re.compile(rf"{_SET}(?:{linked}|\s{{1,2}})(?:{size})(?!{_SPACED})", re.IGNORECASE),
        re.compile(rf"(?<![\w$\\.']){_NO_WORD}(?P<a>{_NAME}){linked}(?:{size})(?!{_SPACED})", re.IGNORECASE),
        re.compile(rf"{counts}(?:\$|`|\*\*?)(?:{counted})(?P<a>{_NAME})[$`*]", re.IGNORECASE),
        re.compile(rf"(?<!{_SPACED})(?:{before})(?:{linked}|\s{{0,2}}){_SET}", re.IGNORECASE),
    )


def _any(names: Iterable[str]) -> str:
    """One of the names; the longest is tried first, and a hyphen counts as a space."""
    longest = sorted(dict.fromkeys(names), key=len, reverse=True)
    return "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in longest)

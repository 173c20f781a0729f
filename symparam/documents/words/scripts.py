"""Scripts with and without spaces between words, and patterns of words from both."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

_SMALL = "a-zß-öø-\u024f\u0370-\u03ff\u0400-\u04ff"
LETTERS = f"{_SMALL}0-9"
"""The small letters of scripts that separate words by spaces, and digits, as a range of a pattern."""
SPACED = f"{_SMALL}A-ZÀ-ÖØ-Þ"
"""The letters of these scripts: one of another script may stand beside a word, ``以fp16存储``."""
UNSPACED = "\u2e80-\u9fff\uac00-\ud7a3\uf900-\ufaff"
"""The letters of scripts that do not separate words by spaces, as a range of a pattern."""
_UNSPACED = re.compile(f"[{UNSPACED}]")


def is_unspaced(word: str) -> bool:
    """Whether the word is in a script that does not separate words by spaces."""
    return _UNSPACED.search(word) is not None


def either(listed: Iterable[str]) -> re.Pattern[str]:
    """A pattern of words, the longest first; those of scripts with spaces are delimited, also by letters of other scripts."""
    listed = [*listed]
    return re.compile(begun(listed, rf"{joined(listed, unspaced=True)}|(?<![{SPACED}]){ended(listed)}"), re.IGNORECASE)


def begun(listed: Iterable[str], pattern: str) -> str:
    """A pattern of words that is tried only at the letters with which they begin."""
    firsts = sorted({word[0] for word in listed})
    return rf"(?=[{re.escape(''.join(firsts))}])(?:{pattern})" if firsts else r"(?!)"


def at_words(pattern: str, signs: str = "") -> str:
    """A pattern that is tried only where a word, a number or one of the signs begins."""
    return rf"(?:(?<![{SPACED}])|(?=[\d{UNSPACED}{signs}]))(?=[\w{signs}])(?:{pattern})"


def ended(listed: Iterable[str]) -> str:
    """One of the words of scripts with spaces, and its end, as part of a pattern."""
    return rf"(?:(?:{joined(listed, unspaced=False)})(?![{SPACED}\d_]))"


def joined(listed: Iterable[str], unspaced: bool) -> str:
    """The words of one kind of scripts, the longest first, as part of a pattern; blanks may be left out or be other signs. Where there is
    none it matches nothing.
    """
    return alternatives([re.escape(sign).replace(r"\ ", "[ _-]?") for sign in word] for word in listed if is_unspaced(word) is unspaced)


def alternatives(words: Iterable[Iterable[str]]) -> str:
    """A pattern of words, the longest first, each given by the patterns of its signs; it matches nothing if there are none.

    What words begin with alike is tried once: at most places of a page none begins, and to try all of them takes many times as long.
    """
    tree: dict[str, dict[str, Any]] = {}
    for word in sorted(map(tuple, words), key=len, reverse=True):
        node = tree
        for sign in (*word, ""):
            node = node.setdefault(sign, {})
    return _either_of(tree) if tree else r"(?!)"


def _either_of(tree: Mapping[str, Mapping[str, Any]]) -> str:
    """What the words of a tree go on with; the end of a word comes behind what goes on from there, as that is longer."""
    found = [sign + _either_of(behind) for sign, behind in tree.items()]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})" if found else ""

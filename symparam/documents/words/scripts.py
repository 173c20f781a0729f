"""Scripts with and without spaces between words, and patterns of words from both."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
    spaced = rf"(?<![{SPACED}]){ended(listed)}"
    return re.compile("|".join(filter(None, (joined(listed, unspaced=True), spaced))), re.IGNORECASE)


def ended(listed: Iterable[str]) -> str:
    """One of the words of scripts with spaces, and its end, as part of a pattern."""
    return rf"(?:(?:{joined(listed, unspaced=False)})(?![{SPACED}\d_]))"


def joined(listed: Iterable[str], unspaced: bool) -> str:
    """The words of one kind of scripts, the longest first, as part of a pattern; blanks may be left out or be other signs. Where there is
    none it matches nothing.
    """
    chosen = (word for word in dict.fromkeys(listed) if is_unspaced(word) is unspaced)
    return "|".join(re.escape(word).replace(r"\ ", "[ _-]?") for word in sorted(chosen, key=len, reverse=True)) or r"(?!)"

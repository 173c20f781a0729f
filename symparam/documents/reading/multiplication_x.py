"""Decides whether an x is a sign, as in ``768x768``, a letter, or part of a comparison, as in ``8x smaller``."""

from __future__ import annotations

import re

from symparam.core.parsing.lexer import Token
from symparam.documents.words import words
from symparam.documents.words.scripts import UNSPACED

_X_IS_A_SYMBOL = re.compile(r"(?<![A-Za-z\\])x(?:[\^²³_]|\s*[-+=)](?!\s*\d))|\(x\b")
_COMPARED = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile(rf"[{UNSPACED}]")


_RESULT = re.compile(r"[\d)][\s*`$]{0,3}[=≈~][\s~≈*`$]{0,4}\d[\d.,]{0,12}\Z")
_REMARK = re.compile(r"[(（][^()（）\d+*/×=^]{2,60}[)）](?!\s*[^\s.,;。，；*`])")
_RATIO = re.compile(r"[\d)}][\s*`$]{0,3}(?:[=≈~]|\\approx)[\s~≈*`$]{0,4}(?:\\(?:text|math)bf\{)?\d[\d.,]{0,12}\Z")
_IN_WORDS = re.compile(
    r"[}$*]{0,3} ?(?!\w{0,40}[\d_(\[])[^\W\d_]{2,}+(?>(?:[ -][^\W\d_]++){0,6})(?![ $`*]{0,3}(?:[=≈×/+^]|\*|\\(?:times|approx|cdot)))"
)


def is_comparison_factor(text: str, at: int, follows: str) -> bool:
    """Whether the words after an x make it a factor of comparison: ``8x smaller``, and ``512 / 8 = 64x (of the latents alone)``, or it is
    in bold or apart from words without spaces: ``**256x** (16² = 256)``, ``160 / 32 = 5x 压缩``.
    """
    is_glued = text[at - 1 : at].isdecimal()
    if is_glued and (text.startswith("**", at + 1) or (text.startswith(" ", at + 1) and _UNSPACED.match(follows))):
        return True
    word, remark = _COMPARED.match(follows), _REMARK.match(follows)
    if word is not None:
        return words("less").is_one(word[0]) or words("more").is_one(word[0]) or (is_glued and _is_ratio(text, at, at + 1))
    return remark is not None and _COMPARED.search(remark[0]) is not None and _RESULT.search(text, max(0, at - 20), at) is not None


_CELL_BEFORE = re.compile(r"\|[\s*_~≈]{0,8}\Z")
_CELL_BEHIND = re.compile(r"[\s*_]{0,8}(?:[(（][^()（）|\n\d]{0,40}[)）][\s*_]{0,8})?\|")


def is_factor_of_cell(text: str, start: int, end: int) -> bool:
    """Whether a number and an x behind it are all that a cell of a table holds: ``| 0.40x |``."""
    return _CELL_BEFORE.search(text, max(0, start - 9), start) is not None and _CELL_BEHIND.match(text, end) is not None


_ENDS_LINE = re.compile(r"[ \t*`)）.,;。，；]*(?:\n|\Z)")


def is_factor(text: str, before: Token | None, start: int, end: int) -> bool:
    """Whether a sign for times behind a number makes it a factor by which something is larger: it ends the cell, or written together with
    the number the line, ``989 / 312 ≈ 3.17×``, or there are words behind what is calculated, ``7168 / 512 = 14× the width``.
    """
    if before is None or before.kind != "number":
        return False
    is_glued = before.end == start
    if (is_glued or text.startswith("$", end)) and _is_ratio(text, start, end):
        return True
    return (is_glued and _ENDS_LINE.match(text, end) is not None) or is_factor_of_cell(text, before.start, end)


def _is_ratio(text: str, start: int, end: int) -> bool:
    """Whether the number before a sign for times is the result of a calculation, and words follow, with which nothing is calculated."""
    in_words = _IN_WORDS.match(text, end) or _REMARK.match(text, end)
    return in_words is not None and _RATIO.search(text, max(0, start - 40), start) is not None


def x_means_times(text: str, at: int) -> bool:
    """Whether an x on this line can be a sign: no x on it has an exponent or a subscript, or is alone in a bracket or before a sign."""
    start, end = text.rfind("\n", 0, at) + 1, text.find("\n", at)
    return _X_IS_A_SYMBOL.search(text, max(start, at - 300), min(end if end >= 0 else len(text), at + 300)) is None


def end_of_times_x(text: str, at: int, end: int) -> int:
    """The end of the x in ``768x768`` or ``3xLxH``, between a number and what it multiplies; otherwise 0."""
    if (
        at + 1 < end
        and (text[at] == "x" or (text[at] == "X" and text[at + 1 : at + 3].strip()[:1].isdecimal()))
        and (text[at + 1].isdecimal() or text[at + 1] in "([{$ " or text[at + 1].isupper())
    ):
        follows = text[at + 1 : at + 80].lstrip(" $`")
        if is_comparison_factor(text, at, follows):
            return 0  # 8x smaller
        if (follows[:1].isalnum() or follows[:1] in ("(", "[", "{", "\\")) and x_means_times(text, at):
            return at + 1
    return 0

"""Tells from the words of a label whether it is about one of several things that a part consists of: ``each of the four matrices``."""

from __future__ import annotations

from collections.abc import Sequence

from symparam.documents.words import thing_words, words
from symparam.documents.words.scripts import is_unspaced

_JOINED = ("query-key-value", "key-value")


def follows_each(said: Sequence[str]) -> bool:
    """Whether an 'each' is among the meanings that were read, and behind it only words that say nothing: ``each of the four …``."""
    return "each" in said and {*said[said.index("each") + 1 :]} <= {"nothing", "each"}


def is_of_several(meaning: str, length: int, is_plural: bool) -> bool:
    """Whether the name of a part, behind an 'each', names what the part consists of: ``query, key and value``, ``four projections``."""
    return meaning in _JOINED or (meaning == "attention" and length > 1 and is_plural)


def is_one_of_several(name: str, meaning: str) -> bool:
    """Whether a name behind an 'each' is that of the matrices or the components of a part."""
    return meaning != "parameters" and (words("one_matrix").is_one(name) or words("matrices").in_text(name))


def is_single(written: Sequence[str], pieces: Sequence[str], at: int, length: int, meaning: str, after_each: bool) -> bool:
    """Whether a name in the singular says that a part consists of several: ``a matrix``, ``one linear layer``.

    ``pieces`` are the words as they are ``written``, but in the singular.
    """
    end, name = at + length, written[at]
    if meaning == "module-kind":
        is_layer = end < len(pieces) and pieces[end] in thing_words()["layer"]
        return is_layer and written[end] == pieces[end] and (after_each or not is_unspaced(pieces[at]))
    is_matrix = length == 1 and words("one_matrix").is_one(name) and words("matrices").in_text(name)
    return is_matrix and name == pieces[at] and not is_unspaced(name)

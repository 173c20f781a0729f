"""Rates: what stands behind a unit and says what it is counted per, and divides nothing: ``KB/token/layer``, ``GB per second``."""

from __future__ import annotations

from collections.abc import Sequence

from symparam.core.parsing.lexer import Token
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies
from symparam.documents.words import is_a_thing, unit_words, words

_SIGNS = frozenset("+-*/")


def is_rate(tokens: Sequence[Token], at: int, vocabulary: Vocabulary, goes_on: bool = False) -> bool:
    """Whether the rest of a rate is here: ``/token`` in ``KB/token``; where it ``goes_on`` a letter is none, and a thing is: ``/layer``."""
    slash = tokens[at]
    if slash.kind in ("name", "word"):
        return (
            str(tokens[at + 1].value) in unit_words()["second"]
            and words("per_one").is_one(str(slash.value))
            and applies("rate", slash.start)
        )
    if slash.kind != "/" or tokens[at + 1].kind not in ("name", "word"):
        return False
    name, behind = tokens[at + 1], tokens[at + 2]
    glued = name.start == slash.end and slash.start == tokens[at - 1].end
    is_last = behind.kind not in _SIGNS or (behind.kind == "/" and is_rate(tokens, at + 2, vocabulary, True))
    is_word = (goes_on and is_a_thing(str(name.value))) or vocabulary.letters_of(str(name.value), False) is None
    return ((is_word and is_last) or (glued and not goes_on)) and applies("rate", slash.start)


def behind_rates(tokens: Sequence[Token], begin: int, vocabulary: Vocabulary) -> int:
    """The token behind all that is counted per, or ``begin`` if there is nothing."""
    at = begin
    while is_rate(tokens, at, vocabulary, at > begin):
        at += 2
    return at

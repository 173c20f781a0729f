"""Rates: what stands behind a unit and says what it is counted per, and divides nothing: ``KB/token/layer``, ``GB per second``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from symparam.core.parsing.lexer import Token
from symparam.documents.reading.unit_senses import unit_of
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies
from symparam.documents.words import is_a_thing, thing_words, unit_words, words, words_of
from symparam.documents.words.scripts import joined

_SIGNS = frozenset("+-*/")
_PAID = re.compile(r"[=≈~→][ *_~≈]{0,8}\\?[$€£¥]\Z")
_FEW_LETTERS = 2  # Letters in TeX: $2/NH$.


def is_rate(tokens: Sequence[Token], at: int, vocabulary: Vocabulary, goes_on: bool = False) -> bool:
    """Whether the rest of a rate is here: ``/token`` in ``KB/token``; where it ``goes_on`` a letter is none, and a thing is: ``/layer``."""
    slash = tokens[at]
    if slash.kind in ("name", "word"):
        is_of_seconds = str(tokens[at + 1].value) in unit_words()["second"] and words("per_one").is_one(str(slash.value))
        return is_of_seconds and applies("rate", slash.start)
    if slash.kind != "/" or tokens[at + 1].kind not in ("name", "word"):
        return False
    name, behind = tokens[at + 1], tokens[at + 2]
    glued = name.start == slash.end and slash.start == tokens[at - 1].end
    is_last = behind.kind not in _SIGNS or (behind.kind == "/" and is_rate(tokens, at + 2, vocabulary, True))
    is_word = (goes_on and is_a_thing(str(name.value))) or vocabulary.letters_of(str(name.value), False) is None
    return ((is_word and is_last) or (glued and not goes_on)) and applies("rate", slash.start)


def is_rate_of_money(text: str, tokens: Sequence[Token], at: int) -> bool:
    """Whether the number before is a result of money, per what is behind the slash here: ``= $54,800/month``; a factor divides by it."""
    slash, number = tokens[at], tokens[at - 1]
    if slash.kind != "/" or slash.start > number.end or not _PAID.search(text, max(0, number.start - 12), number.start):
        return False
    name = str(tokens[at + 1].value)
    return len(name.encode()) > _FEW_LETTERS or (len(name) == _FEW_LETTERS and unit_of(name) is not None)


@cache
def of_seconds() -> re.Pattern[str]:
    """A rate of a second in the text: ``GB/s``, ``tokens per second``."""
    counted = joined((*unit_words()["byte"], *thing_words()["token"]), unspaced=False)
    per, second = joined(words_of("per_one"), unspaced=False), joined(unit_words()["second"], unspaced=False)
    return re.compile(rf"(?:[KMGTP]i?B|FLOPs?|(?<![^\W_])(?:{counted}))(?:/| (?:{per}) )(?:{second})(?![^\W_])")


def behind_rates(tokens: Sequence[Token], begin: int, vocabulary: Vocabulary) -> int:
    """The token behind all that is counted per, or ``begin`` if there is nothing."""
    at = begin
    while is_rate(tokens, at, vocabulary, at > begin):
        at += 2
    return at

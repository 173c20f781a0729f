"""Notations that a page may use, each with its rule: what it looks like, and the tokens that it stands for.

A notation is one entry of `NOTATIONS`: a rule, a pattern that takes time in proportion to the text, and the tokens of a formula that the
pattern stands for, each with its place on the page. The entry is all. The reader takes it up, `symparam rules` lists it, and
``tests/documents/test_rules.py`` checks its example and its counterexample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from symparam.core.parsing.lexer import Token
from symparam.documents.rules.rule import Rule, applies


@dataclass(frozen=True)
class Notation:
    """``pattern`` is what stands on the page and ``sign`` a character that is in all of it; ``tokens`` are what it stands for, and none
    where it is not this notation after all."""

    rule: Rule
    sign: str
    pattern: re.Pattern[str]
    tokens: Callable[[re.Match[str]], list[Token]]


NOTATIONS: tuple[Notation, ...] = ()


def notations_in(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[Token]]]:
    """The notations in a stretch of the page, in their order: where each starts and ends, and its tokens."""
    for notation in NOTATIONS:
        if text.find(notation.sign, start, end) < 0:
            continue
        for match in notation.pattern.finditer(text, start, end):
            found = notation.tokens(match)
            if found and applies(notation.rule.code, match.start()):
                yield match.start(), match.end(), found

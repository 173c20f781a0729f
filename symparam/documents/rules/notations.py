"""Notations that a page may use, each with its rule: what it looks like, and the tokens that it stands for.

A notation is one entry of `NOTATIONS`: a rule, a pattern that matches in linear time, and the tokens that the match stands for, each with
its place on the page. A bracket whose value is the rule's name says that the notation may mean something else: it can make a claim hold,
but never wrong. Nothing else is needed: the reader uses the entry, `symparam rules` lists it, and ``tests/documents/test_rules.py`` checks
its example and its counterexample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from symparam.core.frozen import frozen
from symparam.core.parsing.lexer import Token
from symparam.documents.rules.rule import Rule, applies


@frozen
class Notation:
    """``pattern`` matches the notation on the page, and ``sign`` is a character that every match contains; ``tokens`` gives the tokens that
    a match stands for, and none if it is not this notation after all.
    """

    rule: Rule
    sign: str
    pattern: re.Pattern[str]
    tokens: Callable[[re.Match[str]], list[Token]]


def _as_many(match: re.Match[str]) -> list[Token]:
    """``x_{1..N}`` as ``(N x)``: N things, each as large as x."""
    name, count = match.span("name"), match.span("count")
    written = match["count"]
    number = Token("number", *count, int(written)) if written.isdecimal() else Token("name", *count, written)
    return [
        Token("(", name[0], name[0], "name-over-range"),
        number,
        Token("*", *count),
        Token("name", *name, match["name"]),
        Token(")", match.end() - 1, match.end()),
    ]


NOTATIONS: tuple[Notation, ...] = (
    Notation(
        Rule(
            "name-over-range",
            "A name with an index from 1 to N stands for N things, each as large as the name says.",
            "$x = 768$\n\n$x_{1..12} = 9216$", "holds", "nothing",
            "$x = 768$\n\n$x_{12} = 768$", "nothing",
        ),
        "_{1",
        re.compile(r"(?<![\w\\])(?P<name>[A-Za-z])_\{1\s?(?:\.\.\.?|…|\\l?dots)\s?(?P<count>\d{1,9}|[A-Za-z])\}"),
        _as_many,
    ),
)  # fmt: skip
"""The notations; a new one is a further entry."""


def notations_in(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[Token]]]:
    """The notations in a stretch of the page, in order: the start and end of each, and its tokens."""
    for notation in NOTATIONS:
        if text.find(notation.sign, start, end) < 0:
            continue
        for match in notation.pattern.finditer(text, start, end):
            found = notation.tokens(match)
            if found and applies(notation.rule.code, match.start()):
                yield match.start(), match.end(), found

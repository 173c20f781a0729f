"""Records the places where a page can be read in two ways, with the rule that chooses there, and allows some choices to be reversed.

A line is read as its author most likely means it. If a claim is wrong in that reading, the line is read again with its choices reversed one
after the other: a claim that holds in one of these readings is not wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import pairwise

from symparam.core.frozen import frozen
from symparam.core.parsing.lexer import Token
from symparam.documents.reading.copied_formulas import FIGURE_SPACE
from symparam.documents.rules.rule import applies, in_force

_AMBIGUOUS = ("x", "，", FIGURE_SPACE)
_MOST_READINGS = 12  # Readings of one claim besides the usual one.

Place = tuple[str, int]
"""The code of a rule and the offset in the text at which it chooses."""


@frozen
class ReadingChoices:
    """``reversed`` are the places where a rule's choice is reversed; ``made`` are all places where a rule has chosen."""

    reversed: frozenset[Place] = frozenset()
    made: dict[Place, None] = field(default_factory=dict)

    def decide(self, code: str, at: int, usual: bool) -> bool:
        """The choice of the rule at this offset, which may be reversed."""
        if not in_force(code, at):
            return not usual
        self.made[code, at] = None
        return (usual and applies(code, at)) != ((code, at) in self.reversed)


def other_readings(choices: Mapping[Place, None], start: int, end: int) -> Iterator[frozenset[Place]]:
    """The choices to reverse for the other readings of a stretch: all of one rule together, then each alone."""
    places = [place for place in choices if start <= place[1] < end]
    codes = dict.fromkeys(code for code, _ in places)
    found = dict.fromkeys(frozenset(place for place in places if place[0] == code) for code in codes)
    found |= dict.fromkeys(frozenset((place,)) for place in places)
    yield from list(found)[:_MOST_READINGS]


def chosen_tokens(text: str, tokens: Sequence[Token], choices: ReadingChoices) -> Sequence[Token]:
    """The tokens with ambiguous ones, ``0x16`` or ``32，128``, read as the choices say."""
    if not tokens:
        return tokens
    written = text[tokens[0].start : tokens[-1].end]
    if written.count("=") > 1:
        tokens = _operands_named(tokens)
    if not any(sign in written for sign in _AMBIGUOUS):
        return tokens
    found: list[Token] = []
    for index, token in enumerate(tokens):
        written = text[token.start : token.end]
        middle = token.start + max(written.find("x"), written.find("，"))
        if token.kind == "number" and written.startswith("0x") and not choices.decide("hexadecimal", token.start, True):
            found += [Token("number", token.start, middle, 0), Token("*", middle, middle + 1)]
            found += [Token("number", middle + 1, token.end, int(written[2:]))] if written[2:].isdecimal() else [token]
        elif token.kind == "number" and written.count("，") == 1 and not choices.decide("wide-comma", token.start, True):
            found += [Token("number", token.start, middle, int(written.partition("，")[0])), Token("separator", middle, middle + 1, "，")]
            found += [Token("number", middle + 1, token.end, int(written.partition("，")[2]))]
        elif token.kind == "number" and FIGURE_SPACE in written and not choices.decide("thousands-space", token.start, True):
            middle = token.start + written.find(FIGURE_SPACE)
            found += [Token("number", token.start, middle, int(text[token.start : middle]))]
            found += [Token("number", middle + 1, token.end, int(text[middle + 1 : token.end]))]
        elif _may_multiply(tokens, index) and not choices.decide("x-is-a-letter", token.start, True):
            found.append(Token("*", token.start, token.end))
        else:
            found.append(token)
    return found


def _operands_named(tokens: Sequence[Token]) -> Sequence[Token]:
    """The tokens without the names of factors, as ``TP=2 × CP=4`` is a product of two named numbers, and with a separator in place of a
    slash or plus between named numbers, which are a list: ``G3=0.61 / G4=0.62``.
    """
    named = [
        at
        for at in range(len(tokens) - 2)
        if (tokens[at].kind, tokens[at + 1].value, tokens[at + 2].kind) == ("name", "=", "number")
        and tokens[at].end == tokens[at + 1].start
        and tokens[at + 1].end == tokens[at + 2].start
    ]
    joined = {at + 3: tokens[at + 3] for at, then in pairwise(named) if then == at + 4 and tokens[at + 3].kind in ("*", "+", "/")}
    if not joined:
        return tokens
    factors = {sign - 3 for sign, token in joined.items() if token.kind == "*"}
    left_out = {place for at in factors for first in (at, at + 4) for place in (first, first + 1)}
    apart = {sign: Token("separator", token.start, token.end, token.kind) for sign, token in joined.items() if token.kind != "*"}
    return [apart.get(at, token) for at, token in enumerate(tokens) if at not in left_out]


def _may_multiply(tokens: Sequence[Token], at: int) -> bool:
    """Whether an x that is read as a letter stands between two numbers."""
    if tokens[at].value != "x" or not 0 < at < len(tokens) - 1 or tokens[at - 1].kind != "number":
        return False
    behind = at + 1 + (tokens[at + 1].kind == "-")
    return behind < len(tokens) and tokens[behind].kind == "number"

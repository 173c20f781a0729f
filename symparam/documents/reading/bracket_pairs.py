"""Matches the brackets of a page, some of which have no partner, and tells what one may hold."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from symparam.core.parsing.lexer import Token
from symparam.core.parsing.parser import CLOSING
from symparam.documents.reading.unit_senses import unit_of

MOST_INSIDE = 40  # Tokens in a bracket that explains the number before it.


def bracket_pairs(tokens: Sequence[Token]) -> dict[int, int]:
    """For each opening bracket the closing one, by token numbers; unmatched brackets are left out."""
    found: dict[int, int] = {}
    open_: list[int] = []
    for index, token in enumerate(tokens):
        if token.kind in CLOSING:
            open_.append(index)
        elif token.kind in (")", "]", "}"):
            for depth in range(len(open_) - 1, max(-1, len(open_) - 4), -1):
                if CLOSING[tokens[open_[depth]].kind] == token.kind:
                    found[open_[depth]] = index
                    del open_[depth:]
                    break
    return found


def amounts_in(tokens: Sequence[Token]) -> int:
    """How many numbers with units of what they measure are among the tokens."""
    units = (unit_of(str(behind.value)) for token, behind in pairwise(tokens) if token.kind == "number" and behind.kind in ("name", "word"))
    return sum(found is not None and bool(found[0].counted) for found in units)


def may_explain(tokens: Sequence[Token]) -> bool:
    """Whether the tokens may be the calculation of the number before their bracket: ``12H² + 13H``, ``2H``."""
    kinds = [token.kind for token in tokens]
    calculates = not {"*", "/", "+", "-", "^"}.isdisjoint(kinds) or kinds == ["number", "name"]
    return calculates and len(kinds) <= MOST_INSIDE and {"(", "[", "frac"}.isdisjoint(kinds)

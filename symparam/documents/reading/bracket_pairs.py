"""Matches the brackets of a page; some have no partner."""

from __future__ import annotations

from collections.abc import Sequence

from symparam.core.parsing.lexer import Token
from symparam.core.parsing.parser import CLOSING


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

"""Whether a formula goes on in the next line of a page, and where the rows of an aligned one begin."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symparam.core.parsing.lexer import Token

# A letter, with or without a subscript, or a run of letters of sizes: not a word of a list.
_LETTERS = re.compile(r"\w|[^\W_]*+_\w*+|[A-Zdhkw]{2,6}")
_SIGNS = frozenset("+-*/^") | {"relation", "frac"}
_OPEN, _CLOSE = frozenset("([{"), frozenset(")]}")


def formula_rows(tokens: tuple[Token, ...]) -> Iterator[list[Token]]:
    """The rows of an aligned formula, separated by TeX's line breaks and joined if a row begins with a relation."""
    if tokens and "newline" not in {token.kind for token in tokens}:
        yield list(tokens)  # The usual case.
        return
    piece: list[Token] = []
    broken = False
    for token in tokens:
        if token.kind == "newline":
            broken = True
            continue
        if broken and piece and token.kind != "relation" and not ends_open(piece):
            yield piece
            piece = []
        broken = False
        piece.append(token)
    if piece:
        yield piece


def ends_open(tokens: tuple[Token, ...] | list[Token]) -> bool:
    """Whether the tokens end with a sign, in an open bracket, or before a denominator, so that the next line goes on with them."""
    last = tokens[-1]
    if last.kind == "{" and len(tokens) > 1 and tokens[-2].kind in (")", "relation", "name", "word"):
        return False  # A block of code begins.
    if last.kind == "+" and len(tokens) > 1 and tokens[-2].end == last.start and tokens[-2].kind in ("number", "word", "name"):
        return tokens[-2].kind == "name" and (len(tokens) == 2 or tokens[-3].kind != "number")  # 10 GB+
    if (last.kind in _SIGNS and last.value not in ("?",) and len(tokens) > 1) or last.kind in _SIGNS - {"-", "relation"}:
        return True
    depth = 0
    if last.kind == "}" and _lacks_denominator(tokens):
        return True
    for token in reversed(tokens[-400:]):
        depth += token.kind in _CLOSE
        depth -= token.kind in _OPEN
        if depth < 0:
            return any(each.kind in "+-*/" or each.kind == "relation" for each in tokens[-400:])
    return False


def counts_copies(tokens: tuple[Token, ...], begins: list[Token]) -> bool:
    """Whether the tokens say how often what is named below them is there: ``12 ×`` above a list."""
    return [each.kind for each in tokens] == ["number", "*"] and begins[0].kind in ("name", "word")


def _lacks_denominator(tokens: tuple[Token, ...] | list[Token]) -> bool:
    """Whether the tokens end with the numerator of a TeX fraction whose denominator is on the next line."""
    depth = 0
    for at in range(len(tokens) - 1, max(-1, len(tokens) - 400), -1):
        depth += (tokens[at].kind == "}") - (tokens[at].kind == "{")
        if not depth:
            return at > 0 and tokens[at - 1].kind == "frac"
    return False


def adds_on(held: tuple[Token, ...], begins: list[Token], fenced: bool, signs: str) -> bool:
    """Whether a line such as ``+ 1.342B + 0.262B ≈ 46.7B`` continues the expression above it, which has no result of its own."""
    if begins[0].kind == "*" and not fenced:
        return False  # An item of a list.
    if begins[0].kind not in signs or len(begins) < 2 or begins[1].kind not in ("number", "name", "(", "{", "frac"):
        return begins[0].kind in "*/" and len(begins) == 1
    if begins[1].kind == "name" and "-" not in signs and not _LETTERS.fullmatch(str(begins[1].value)):
        return False
    last = max((index for index, token in enumerate(held) if token.kind == "relation"), default=-1)
    # VH or H², on a line of its own above its sum.
    alone = held[0].kind == "name" and all(token.kind in ("^", "{", "number", "}") for token in held[1:])
    return alone or any(token.kind in signs for token in held[last + 1 :])

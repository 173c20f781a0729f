"""Reads TeX's ``{2 \\times 3 \\over 4}`` as a fraction: the sign divides all of the group in which it stands."""

from __future__ import annotations

from symparam.core.parsing.lexer import Token
from symparam.documents.rules.rule import applies

OVER = "\\over"


def with_fractions(tokens: list[Token]) -> list[Token]:
    """The tokens with brackets around what stands before and after each ``\\over`` within its braces, and a slash for it."""
    if not any(token.value == OVER for token in tokens):
        return tokens
    found: list[Token] = []
    opened: list[tuple[int, bool]] = []  # Where the group begins in what was found, and whether it is a fraction.
    for token in tokens:
        place = token.start, token.end
        if token.kind == "{":
            opened.append((len(found) + 1, False))
        elif token.value == OVER and opened and not opened[-1][1] and applies("tex-over", token.start):
            begin, opened[-1] = opened[-1][0], (opened[-1][0], True)
            first = found[begin - 1]
            found.insert(begin, Token("(", first.end, first.end))
            found += [Token(")", token.start, token.start), Token("/", *place), Token("(", token.end, token.end)]
            continue
        elif token.kind == "}" and opened and opened.pop()[1]:
            found.append(Token(")", token.start, token.start))
        found.append(token)
    return found

"""Reads lines of code as claims: the result of a calculation in the comment behind it, and what a macro stands for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symparam.core.parsing.lexer import Token
from symparam.documents.rules.rule import applies

_SIGNS = frozenset("+-*/^") | {"frac", "//"}
_OPERATORS = _SIGNS | {"relation", "(", "[", "{"}
_MOST_OF_LABEL = 6  # Words and commas of a comment before the result.
_ENDS = (";", ",")


def with_result(text: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens of a line of code, with a relation in place of the sign and the label of a comment that states the result of the line:
    ``n = 12 * d**2  # 7,077,888``, ``w = 2 * n  # bf16: 6 GB``, ``#define D (4 * H)  /* 4096 */``.
    """
    tokens = _with_macro(text, tokens)
    sign = next((at for at in range(1, len(tokens)) if _begins_comment(text, tokens, at)), 0)
    result = _result(tokens, sign) if sign else 0
    code = tuple(_floor_divisions(tokens[:sign]))
    if code and str(code[-1].value) in _ENDS:
        code = code[:-1]
    last = [token.kind for token in code[-2:]]
    calculates = len(last) == 2 and (last[1] in (")", "]", "}") or last[0] in _SIGNS)  # Not in ttl = 3600  # 1 hour
    if not result or not calculates or not applies("result-in-comment", tokens[sign].start):
        return tokens
    about = any(token.value == "≈" for token in tokens[sign:result])
    if len(code) > 2 and code[0].value == "print" and code[1].kind == "(" and code[-1].kind == ")":
        code = code[2:-1]
    relation = Token("relation", tokens[sign].start, tokens[result - 1].end, "≈" if about else "=")
    end = len(tokens) - 2 if text[tokens[-2].start : tokens[-1].end] == "*/" else len(tokens)
    return (*code, relation, *tokens[result:end])


def _with_macro(text: str, tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """The tokens with a relation behind the name of a macro: ``#define D_FF (4 * D)``."""
    is_macro = len(tokens) > 2 and tokens[0].value == "define" and text[tokens[0].start - 1] == "#" and tokens[1].kind == "name"
    if not is_macro or tokens[1].end == tokens[2].start:
        return tokens  # With arguments: #define D(x) (4 * x)
    return (tokens[1], Token("relation", tokens[1].end, tokens[1].end + 1, "="), *tokens[2:])


def _begins_comment(text: str, tokens: Sequence[Token], at: int) -> bool:
    start = tokens[at].start
    if tokens[at].value == "#" or text.startswith("/*", start):
        return True
    return text.startswith("//", start) and str(tokens[at - 1].value) in _ENDS  # Elsewhere it may divide.


def _result(tokens: Sequence[Token], sign: int) -> int:
    """The place of the single number with which a comment begins, or that follows a label and a colon; 0 if there is none."""
    at = sign + 1
    while at < len(tokens) and tokens[at].kind in ("relation", "/"):
        at += 1
    label = at
    while label < len(tokens) and (tokens[label].kind in ("name", "word") or tokens[label].value == ",") and label - at < _MOST_OF_LABEL:
        label += 1
    is_labelled = at < label < len(tokens) - 1 and tokens[label].value == ":"
    at = label + 1 if is_labelled else at
    if at >= len(tokens) or tokens[at].kind != "number":
        return 0
    behind = tokens[at + 1 : at + 2]
    kinds = [token.kind for token in tokens[at + 1 : at + 3]]
    is_note = kinds in (["*", "/"], ["(", "name"], ["(", "word"], ["/", "name"])  # The end of the comment, a remark, or a rate.
    goes_on = kinds[:1] == ["relation"]  # 3.36e9 -> 3.125 GiB
    return at if not behind or behind[0].kind not in _OPERATORS or is_note or goes_on else 0


def _floor_divisions(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens with a single one for each ``//`` of Python."""
    before: Token | None = None
    for token in tokens:
        if before is not None and token.kind == before.kind == "/" and before.end == token.start:
            token, before = Token("//", before.start, token.end), None
        if before is not None:
            yield before
        before = token
    if before is not None:
        yield before

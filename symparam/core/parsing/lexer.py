"""The lexer: splits a line of mathematics, in plain text or LaTeX, into tokens with their positions.

It relies on the declared names: a run of letters must be one declared name, or split unambiguously into declared names, the longest first.
Anything else is refused with its column; the lexer never guesses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from symparam.errors import FormulaError, nearest, shorten

MAX_LENGTH = 20_000  # Characters in one formula.
MAX_DIGITS = 1_300  # Digits of one number as written; more than the largest power that is computed has.
MAX_RUN = 200  # Consecutive letters without a space or sign between them.


class Token(NamedTuple):
    """A piece of a formula. ``kind`` is ``number``, ``symbol``, ``frac``, ``root``, ``floor``, ``end``, or a sign such as ``+``."""

    kind: str
    start: int
    end: int
    value: int | Fraction | str = ""


_SIGNS = {
    "+": "+",
    "＋": "+",
    "-": "-",
    "−": "-",
    "－": "-",
    "–": "-",
    "*": "*",
    "×": "*",
    "·": "*",
    "⋅": "*",
    "∗": "*",
    "✕": "*",
    "＊": "*",
    "/": "/",
    "÷": "/",
    "∕": "/",
    "／": "/",
    "^": "^",
    "＾": "^",
    "(": "(",
    "（": "(",
    ")": ")",
    "）": ")",
    "[": "[",
    "［": "[",
    "]": "]",
    "］": "]",
    "{": "{",
    "}": "}",
    "√": "root",
    "⌊": "⌊",
    "⌋": "⌋",
}
_COMMANDS = {
    "times": "*",
    "cdot": "*",
    "ast": "*",
    "div": "/",
    "frac": "frac",
    "dfrac": "frac",
    "tfrac": "frac",
    "sqrt": "root",
    "lfloor": "⌊",
    "rfloor": "⌋",
    **dict.fromkeys(("left", "right", "big", "Big", "bigl", "bigr", "Bigl", "Bigr", "quad", "qquad", "displaystyle"), ""),
}
_WORDING = "text|mathrm|mathit|textit|textrm|operatorname|mathsf|texttt"
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")

_GROUP = r"(?:,(?:\\!)?|\{,\}|_|\\,|，|\u202f)"
_NUMBER = re.compile(
    rf"(?P<whole>[1-9][0-9]{{0,2}}(?P<mark>{_GROUP})[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*(?![0-9])|[0-9]+)"
    r"(?P<decimals>\.[0-9]+)?(?:e(?P<exponent>[+-]?[0-9]{1,3})(?![0-9]))?"
)
_SUPERSCRIPT = re.compile(r"⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|<sup>[-−]?[0-9]+</sup>")
_SPACE = re.compile(r"(?:\s|\\[,;:!> ]|~)+")
_LETTER = r"[^\W\d_⁰¹²³⁴⁵⁶⁷⁸⁹]"
_NAME = re.compile(rf"{_LETTER}+(?:\\?_(?:{_LETTER}|[0-9])+)*")
_NAME_WITH_DIGITS = re.compile(rf"{_LETTER}(?:{_LETTER}|[0-9]){{0,{MAX_RUN}}}(?:\\?_(?:{_LETTER}|[0-9])+)*")
# The quantifiers are possessive, so that a line of spaces is scanned only once.
_SUBSCRIPT = re.compile(
    rf"_(?:\{{\s*+(?:\\(?:{_WORDING})\s*+\{{(?P<a>[\w ]++)\}}|(?P<b>[\w ]++))\s*+\}}"
    rf"|\\(?:{_WORDING})\s*+\{{(?P<c>[\w ]++)\}})"
)
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_ROOT = re.compile(r"sqrt(?=\s*+\()")
_FLOOR = re.compile(r"floor(?=\s*+\()")
_WORD = re.compile(rf"\\(?:{_WORDING})\s*+\{{((?>(?:[^\\{{}}]|\\_)*))\}}")


def tokens(text: str, names: Mapping[str, str]) -> list[Token]:
    """The tokens of a formula. ``names`` maps each name that may occur on the page to the standard letter that it means.

    Raises `FormulaError` with the column of the first character that cannot be read.
    """
    if len(text) > MAX_LENGTH:
        raise FormulaError(f"the formula is {len(text):,} characters long; at most {MAX_LENGTH:,} are read")
    found: list[Token] = []
    at = 0
    while at < len(text):
        space = _SPACE.match(text, at)
        if space:
            at = space.end()
            continue
        new = _token(text, at, names)
        found += [token for token in new if token.kind]
        at = new[-1].end
    return [*found, Token("end", len(text), len(text))]


def _token(text: str, at: int, names: Mapping[str, str]) -> list[Token]:
    character = text[at]
    if text.startswith("**", at):
        return [Token("^", at, at + 2)]
    if character in _SIGNS:
        return [Token(_SIGNS[character], at, at + 1)]
    if character.isascii() and character.isdigit():
        return [_number(text, at)]
    power = _SUPERSCRIPT.match(text, at)
    if power:
        return _superscript(text, power)
    if character == "\\":
        return _command(text, at, names)
    if root := _ROOT.match(text, at):
        return [Token("root", *root.span())]
    if floor := _FLOOR.match(text, at):
        return [Token("floor", *floor.span())]
    if character.isalpha():
        return _names(text, at, names)
    raise FormulaError(f"{character!r} is not part of a formula", text, at + 1)


def _number(text: str, at: int) -> Token:
    match = _NUMBER.match(text, at)
    assert match  # The character at this place is a digit.
    end = match.end()
    rest = re.compile(r"[,，][0-9]+").match(text, end)
    if rest:
        raise FormulaError(f"{text[at : rest.end()]!r} is not a number: digits are grouped in threes", text, at + 1)
    digits, decimals, exponent = re.sub(r"[^0-9]", "", match["whole"]), match["decimals"] or ".", int(match["exponent"] or 0)
    length = max(len(digits) + exponent, 1) + max(len(decimals) - 1 - exponent, 0)
    if length > MAX_DIGITS:
        raise FormulaError(f"the number is {length:,} digits long; at most {MAX_DIGITS:,} are read", text, at + 1)
    value = Fraction(digits + decimals + "0") * Fraction(10) ** exponent
    return Token("number", at, end, int(value) if value.denominator == 1 else value)


def _superscript(text: str, match: re.Match[str]) -> list[Token]:
    """``H²`` as ``H^2``: tokens for the sign, an opening brace, the number and a closing brace, all at the column of the superscript."""
    start, end = match.span()
    digits = match[0].removeprefix("<sup>").removesuffix("</sup>").replace("−", "-").translate(_SUPERSCRIPTS)
    if len(digits) > 6:
        raise FormulaError(f"the exponent {shorten(match[0], 20)} is too large", text, start + 1)
    minus = [Token("-", start, end)] if digits.startswith("-") else []
    number = Token("number", start, end, int(digits.lstrip("-")))
    return [Token("^", start, end), Token("{", start, end), *minus, number, Token("}", start, end)]


def _command(text: str, at: int, names: Mapping[str, str]) -> list[Token]:
    word = _WORD.match(text, at)
    if word:
        return _names(text, at, names, word)
    command = _COMMAND.match(text, at)
    if command and command[1] in _COMMANDS:
        return [Token(_COMMANDS[command[1]], at, command.end())]
    raise FormulaError(f"the command {shorten(command[0] if command else text[at : at + 2], 30)!r} is not read in a formula", text, at + 1)


def _names(text: str, at: int, names: Mapping[str, str], word: re.Match[str] | None = None) -> list[Token]:
    match = word or _declared_with_digits(text, at, names) or _NAME.match(text, at)
    assert match  # The character here is a letter, or the pattern for a word command has matched.
    run, end = (match[1].strip() if word else match[0]).replace("\\_", "_").replace(" ", "_"), match.end()
    subscript = _SUBSCRIPT.match(text, end)
    if subscript:
        # In LaTeX a subscript belongs to the letter before it; a whole word with a subscript is nevertheless a single name.
        tail = (subscript["a"] or subscript["b"] or subscript["c"]).strip().replace(" ", "_")
        end = subscript.end()
        run = f"{run}_{tail}"
    if word:
        if run in names:
            return [Token("symbol", at, end, names[run])]
        raise _unknown(text, at, run, names)
    pieces = _split(run, names)
    if pieces is None:
        raise _unknown(text, at, run, names)
    found, start = [], at
    for index, piece in enumerate(pieces):
        stop = end if index == len(pieces) - 1 else start + len(piece)
        found.append(Token("symbol", start, stop, names[piece]) if piece in names else Token("*", start, stop))
        start = stop
    return found


def _declared_with_digits(text: str, at: int, names: Mapping[str, str]) -> re.Match[str] | None:
    """A run such as ``d2`` or ``Nd2`` if its digits belong to declared names; otherwise the digits are a number."""
    match = _NAME_WITH_DIGITS.match(text, at)
    return match if match and _split(match[0].replace("\\_", "_"), names) is not None else None


def _split(run: str, names: Mapping[str, str]) -> list[str] | None:
    """The run split into declared names, the longest first; an x that is not itself declared is a multiplication sign."""
    if run in names:
        return [run]
    if len(run) > MAX_RUN:
        return None
    longest = max(map(len, names), default=0)
    ends: dict[int, list[str] | None] = {len(run): []}
    for start in range(len(run) - 1, -1, -1):
        ends[start] = None
        for stop in range(min(len(run), start + longest), start, -1):
            piece, rest = run[start:stop], ends[stop]
            if rest is not None and (piece in names or piece == "x"):
                ends[start] = [piece, *rest]
                break
    return ends[0]


def _unknown(text: str, at: int, run: str, names: Mapping[str, str]) -> FormulaError:
    close = nearest(run, names)
    letters = ", ".join(sorted(name for name in names if len(name) < 3))
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else f"; the declared letters are {letters}"
    return FormulaError(f"{shorten(run, 40)!r} is not a declared letter or name, nor a product of declared ones{hint}", text, at + 1)

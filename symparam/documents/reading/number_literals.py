"""Reads numbers as written on a page: with marks between thousands, a decimal comma, exponents, or in hexadecimal."""

from __future__ import annotations

import re
from fractions import Fraction

from symparam.core.parsing.lexer import MAX_DIGITS, Token
from symparam.documents.rules.rule import applies

_SPACED = re.compile(r"[1-9]\d{0,2} \d{3}(?![\w%]|[.,]\d|\s*\d)")
_BARE_DECIMALS = re.compile(r"(?<![\w.,)\]}…'\"”’%])\.\d{1,9}+(?![\w.]*\w)")
_SPACED_CELL = re.compile(r"[1-9]\d{0,2} \d{3}(?=[ \t*_]*(?:\||</t|$))")  # The whole cell of a table.


def spaced_thousands(text: str, start: int, end: int, limit: int, found: list[Token]) -> int:
    """The end of ``589 824`` after a sign; elsewhere a space separates two numbers as often as thousands."""
    if not found or (found[-1].kind not in ("relation", "+", "-", "*", "/") and found[-1].value != "|") or found[-1].value == "?":
        return end
    spaced = (_SPACED_CELL if found[-1].value == "|" else _SPACED).match(text, start, limit)
    return spaced.end() if spaced else end


def begins_with_point(text: str, at: int, end: int) -> bool:
    """Whether the point there is the first sign of a number that stands before ``end``: ``32 / .017``."""
    return _BARE_DECIMALS.match(text, at, end) is not None and applies("point-first", at)


_GROUPED = {
    ",": "thousands-comma",
    ".": "thousands-point",
    "_": "thousands-underscore",
    "'": "thousands-apostrophe",
    "’": "thousands-apostrophe",
}


def number_end(text: str, start: int, end: int) -> int:
    """The end of a number by the rules in force."""
    if text[start:end].isdecimal():
        return end
    written = text[start:end]
    digits = len(written) - len(written.lstrip("0123456789"))
    mark = written[digits : digits + 1]
    if mark in " \u00a0\u202f\u2009\u2007":
        code = "spaced-comma" if "," in written else "thousands-space"
    elif mark in "{\\":
        code = "decimal-comma" if len(written.rpartition("}")[2]) < 3 else "thousands-tex"
    elif mark in ",." and len(written) - digits < 4:
        code = "decimal-comma" if mark == "," else ""
    else:
        code = "" if mark == "." and written.count(".") == 1 else _GROUPED.get(mark, "")
    return end if not code or applies(code, start) else start + digits


def hexadecimal(written: str, start: int, end: int) -> list[Token]:
    """``0x10`` as a hexadecimal number, or as zero times ten."""
    if applies("hexadecimal", start):
        return [Token("number", start, end, int(written, 16))]
    times = [Token("number", start, start + 1, 0), Token("*", start + 1, start + 2)]
    return [
        *times,
        Token("number", start + 2, end, int(written[2:])) if written[2:].isdecimal() else Token("name", start + 2, end, written[2:]),
    ]


def number_token(text: str, start: int, end: int) -> Token:
    """The number, or a token ``large`` for one with more digits than are read."""
    written = text[start:end]
    if written.isdecimal():
        return Token("number", start, end, int(written)) if len(written) <= MAX_DIGITS else Token("other", start, end, "large")
    if written[-4:-3] == ",":  # The form of most large numbers; the code below could read them, too, but takes five times as long.
        digits = written.replace(",", "")
        if digits.isdecimal() and len(digits) <= MAX_DIGITS:
            return Token("number", start, end, int(digits))
    mantissa, _, exponent = written.lower().partition("e")
    groups = mantissa.split(".")
    if len(groups) > 2:  # Dots between the thousands.
        mantissa, groups = "".join(groups), ["".join(groups)]
    decimal_comma = re.fullmatch(r"\d+(?:\{,\}|,)(\d{1,2})", mantissa) if "," in mantissa else None
    whole, _, decimals = mantissa.partition(".")
    if decimal_comma:
        whole, decimals = mantissa[: decimal_comma.start(1)], decimal_comma[1]
    digits = "".join(filter(str.isdecimal, whole))
    power = int(exponent or 0) - len(decimals)
    if len(digits) + len(decimals) + abs(power) > MAX_DIGITS:
        return Token("other", start, end, "large")
    shown = int(digits + decimals)
    value = Fraction(shown, 10**-power) if power < 0 else shown * 10**power
    return Token("number", start, end, int(value) if value.denominator == 1 else value)

"""Finds lost and moved brackets: variants of a line, one of which may give the author's number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import accumulate, chain

from symparam.core.floor import Floor
from symparam.core.formula import MAX_BITS, Formula, Negative, Number, Power, Product, Quotient, Sum
from symparam.core.notation import UNICODE

MAX_NUMBERS = 12  # Operands of a line whose brackets are varied; a longer line has too many variants for a match to mean anything.

Rational = int | Fraction
Token = Rational | str
"""A number, an operator or a bracket."""

_LEVEL = {Sum: 1, Negative: 1, Product: 2, Quotient: 2, Power: 3, Number: 4}
_SIGNS = {"*": UNICODE.times, "/": " / ", "+": " + ", "-": f" {UNICODE.minus} "}


def other_brackets(formula: Formula, value: Rational) -> str | None:
    """The line with one pair of brackets added, removed or moved so that it gives the value; None if there is no such variant."""
    if _rounds_down(formula):
        return None
    tokens = _tokens(formula)
    if len([token for token in tokens if not isinstance(token, str)]) > MAX_NUMBERS:
        return None
    fewer = list(_without_a_pair(tokens))
    readings = chain(fewer, _with_a_pair(tokens), *map(_with_a_pair, fewer))
    return next((_written(reading) for reading in readings if _value(reading) == value), None)


def _tokens(formula: Formula) -> list[Token]:
    """The tokens of the line as written, with brackets only where they are needed: ``a / b * c`` needs none."""
    match formula:
        case Number(value):
            return [value]
        case Sum(terms):
            tokens = [token for term in terms for token in (_tokens(term) if isinstance(term, Negative) else ["+", *_inside(term, 2)])]
            return tokens[1:] if tokens[0] == "+" else tokens
        case Negative(operand):
            return ["-", *_inside(operand, 2)]
        case Product(factors):
            # Division is left-associative, so a quotient needs no brackets as the first factor, but does in any other place.
            rest = (_inside(factor, 3 if isinstance(factor, Quotient) else 2) for factor in factors[1:])
            return [*_inside(factors[0], 2), *(token for factor in rest for token in ("*", *factor))]
        case Quotient(numerator, denominator):
            return [*_inside(numerator, 2), "/", *_inside(denominator, 3)]
        case Power(base, exponent):
            return [*_inside(base, 4), "^", *_inside(exponent, 3)]
    raise AssertionError(f"{type(formula).__name__} does not stand in a line of numbers")


def _rounds_down(formula: Formula) -> bool:
    return isinstance(formula, Floor) or any(map(_rounds_down, formula.parts))


def _inside(part: Formula, level: int) -> list[Token]:
    return _tokens(part) if _LEVEL[type(part)] >= level else ["(", *_tokens(part), ")"]


def _pairs(tokens: list[Token]) -> Iterator[tuple[int, int]]:
    opened: list[int] = []
    for at, token in enumerate(tokens):
        if token == "(":
            opened.append(at)
        elif token == ")":
            yield opened.pop(), at


def _without_a_pair(tokens: list[Token]) -> Iterator[list[Token]]:
    for start, end in _pairs(tokens):
        yield [*tokens[:start], *tokens[start + 1 : end], *tokens[end + 1 :]]


def _with_a_pair(tokens: list[Token]) -> Iterator[list[Token]]:
    """The variants of the line with brackets around two or more adjacent operands at the same depth."""
    depths = list(accumulate((token == "(") - (token == ")") for token in tokens))
    closed = [at for at, token in enumerate(tokens) if token == ")" or not isinstance(token, str)]
    for start, token in enumerate(tokens):
        if isinstance(token, str) and token != "(":
            continue
        inside = depths[start] - (token == "(")
        for end in closed:
            if end > start and depths[end] == inside and min(depths[start : end + 1]) >= inside:
                yield [*tokens[:start], "(", *tokens[start : end + 1], ")", *tokens[end + 1 :]]


def _value(tokens: list[Token]) -> Rational | None:
    """The value of the line, or None if it cannot be computed."""
    reader = _Reader(tokens)
    try:
        return reader.sum()
    except ArithmeticError:
        return None


class _Reader:
    """Evaluates the four operations, powers and brackets over well-formed tokens, in which a minus may have lost its brackets."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens, self.at = [*tokens, "end"], 0

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def sum(self) -> Rational:
        total: Rational = 0 if self.tokens[self.at] == "-" else self.product()
        while self.tokens[self.at] in ("+", "-"):
            total = total + self.product() if self.take() == "+" else total - self.product()
        return total

    def product(self) -> Rational:
        total = self.power()
        while self.tokens[self.at] in ("*", "/"):
            total = total * self.power() if self.take() == "*" else Fraction(total) / self.power()
        return total

    def power(self) -> Rational:
        base = self.atom()
        if self.tokens[self.at] != "^":
            return base
        self.take()
        return _raised(base, self.power())

    def atom(self) -> Rational:
        token = self.take()
        if token == "(":
            inside = self.sum()
            self.take()
            return inside
        if isinstance(token, str):  # A minus after another sign; it had brackets around it.
            raise ArithmeticError
        return token


def _raised(base: Rational, exponent: Rational) -> Rational:
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if exponent.denominator != 1 or size * abs(exponent.numerator) > MAX_BITS:
        raise ArithmeticError
    return Fraction(base) ** exponent.numerator


def _written(tokens: list[Token]) -> str:
    text = "".join(_SIGNS.get(token, token) if isinstance(token, str) else UNICODE.number(token) for token in tokens)
    text = re.sub(r"\^(\d+)", lambda exponent: UNICODE.power("", exponent[1]), text)
    return text.replace(f"({_SIGNS['-']}", f"({UNICODE.minus}").strip()

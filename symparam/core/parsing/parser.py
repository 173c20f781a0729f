"""A precedence parser for the tokens of any lexer.

From loosest to tightest: ``+ −``; a leading minus; ``× /``, left-associative; juxtaposition, so that ``s/6h`` is ``s/(6h)``, as its authors
mean it; powers, right-associative. A minus after ``×`` or ``/`` applies to the next factors only.
"""

from __future__ import annotations

from collections.abc import Sequence

from symparam.core.floor import Floor
from symparam.core.formula import Formula, Negative, Power, Product, Quotient, Root, Sum, Symbol, number
from symparam.core.parsing.lexer import Token
from symparam.errors import FormulaError, shorten

MAX_NESTED = 50  # Nesting of brackets and exponents.
CLOSING = {"(": ")", "[": "]", "{": "}", "⌊": "⌋"}


class Parser:
    """Parses a list of tokens that ends with one of kind ``end``. Raises `FormulaError` with the column of a problem."""

    def __init__(self, text: str, found: Sequence[Token]) -> None:
        self.text, self.tokens, self.at, self.nested = text, found, 0, 0

    @property
    def next(self) -> Token:
        return self.tokens[self.at]

    def take(self) -> Token:
        self.at += 1
        return self.tokens[self.at - 1]

    def expect(self, kind: str, problem: str) -> Token:
        if self.next.kind != kind:
            raise self.error(problem)
        return self.take()

    def error(self, problem: str) -> FormulaError:
        return FormulaError(problem, self.text, min(self.next.start, len(self.text)) + 1)

    def follows(self, *signs: str) -> bool:
        """Whether the next token is one of the signs and the formula continues after it."""
        return self.next.kind in signs

    def is_juxtaposed(self) -> bool:
        """Whether another factor follows without a multiplication sign."""
        return self.next.kind in ("symbol", "frac", "root", "floor", *CLOSING)

    def after_factors(self, start: int, factors: list[Formula]) -> None:
        """A hook, called after each group of factors of a product; ``start`` is the index of the product's first token."""

    def sum(self) -> Formula:
        terms = [self.signed()]
        while self.follows("+", "-"):
            sign = self.take().kind
            term = self.product() if sign == "-" else self.signed()
            terms.append(Negative(term) if sign == "-" else term)
        return Sum(tuple(terms)) if len(terms) > 1 else terms[0]

    def signed(self) -> Formula:
        sign = self.next.kind
        if sign == "+":
            self.take()
            sign = self.next.kind
        if sign != "-":
            return self.product()
        self.take()
        return Negative(self.product())

    def product(self) -> Formula:
        start = self.at
        factors = self.juxtaposition()
        self.after_factors(start, factors)
        while self.follows("*", "/", "//"):
            sign = self.take().kind
            minus = self.next.kind == "-" and self.take()
            first = self.at
            more = self.juxtaposition()
            if minus:
                more = [Negative(product_of(more))]
            factors = [*factors, *more] if sign == "*" else self.quotient(factors, more, first)
            factors = [Floor(factor) for factor in factors] if sign == "//" else factors
            self.after_factors(start, factors)
        return product_of(factors)

    def quotient(self, above: list[Formula], below: list[Formula], first: int) -> list[Formula]:
        """The numerator's factors divided by the denominator's, which begin at the token ``first``."""
        return [Quotient(product_of(above), product_of(below))]

    def is_apart(self) -> bool:
        """Whether the next token belongs to something else, such as the next column of a table."""
        return False

    def juxtaposition(self) -> list[Formula]:
        factors = [self.power()]
        while self.is_juxtaposed():
            factors.append(self.power())
        if self.next.kind == "number" and not self.is_apart():
            raise self.error("a number stands directly after another factor; a sign such as × is expected between them")
        return factors

    def power(self) -> Formula:
        base = self.atom()
        if self.next.kind != "^":
            return base
        self.take()
        return Power(base, self.exponent())

    def exponent(self) -> Formula:
        self.deeper()
        raised = self.next.kind == "{"
        minus = self.next.kind == "-" and self.take()
        exponent = self.atom() if raised else self.power()
        if raised and self.next.kind == "^":
            raise self.error("an exponent stands after an exponent; brackets are expected around what the second one applies to")
        self.nested -= 1
        return Negative(exponent) if minus else exponent

    def atom(self) -> Formula:
        token = self.next
        if token.kind == "number":
            self.take()
            assert not isinstance(token.value, str)
            return number(token.value)
        if token.kind == "symbol":
            return Symbol(str(self.take().value))
        if token.kind == "frac":
            self.take()
            return Quotient(self.group("{"), self.group("{"))
        if token.kind == "root":
            self.take()
            if self.next.kind == "[":
                raise self.error("only square roots are read, as in √(H)")
            self.deeper()
            inside = self.atom()
            self.nested -= 1
            return Root(inside)
        if token.kind == "floor":
            self.take()
            return Floor(self.group("("))
        if token.kind in CLOSING:
            inside = self.group(token.kind)
            return Floor(inside) if token.kind == "⌊" else inside
        if token.kind == "end":
            raise self.error("the formula ends where a number, a letter or a bracket is expected")
        raise self.error(f"{shorten(self.text[token.start : token.end], 20)!r} stands where a number, a letter or a bracket is expected")

    def group(self, opening: str) -> Formula:
        self.expect(opening, f"{opening!r} is expected here")
        self.deeper()
        inside = self.sum()
        self.expect(CLOSING[opening], f"{CLOSING[opening]!r} is missing here")
        self.nested -= 1
        return inside

    def deeper(self) -> None:
        self.nested += 1
        if self.nested > MAX_NESTED:
            raise self.error(f"more than {MAX_NESTED} brackets and exponents stand inside one another")


def product_of(factors: list[Formula]) -> Formula:
    """The product of the factors, or the factor itself if there is only one."""
    return Product(tuple(factors)) if len(factors) > 1 else factors[0]

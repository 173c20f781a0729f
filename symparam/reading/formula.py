"""A formula read from plain text or LaTeX: a precedence parser over the tokens of `symparam.reading.lexer`.

From loose to tight: ``+ −``, then a leading minus, then ``× /`` from the left, then factors side by side (so ``s/6h`` is
``s/(6h)``, as its authors mean it), then powers from the right.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.algebra.relations import Relation
from symparam.alphabets import STANDARD, Alphabet
from symparam.dimensions import BY_LETTER
from symparam.errors import FormulaError, RelationError, shorten
from symparam.formula import Formula, Negative, Power, Product, Quotient, Sum, Symbol, number
from symparam.reading.lexer import Token, tokens

MAX_BRACKETS = 50


def read_formula(text: str, alphabet: Alphabet = STANDARD, names: Mapping[str, str] | None = None) -> Formula:
    """The formula that the text writes, exactly as grouped there.

    Names are those of the alphabet and the spelled-out names of the dimensions (``hidden_size``); ``names`` declares more, each
    with its standard letter. Raises `FormulaError` with the column of what cannot be read.
    """
    declared = {dimension.name: letter for letter, dimension in BY_LETTER.items()} | alphabet.letters() | dict(names or {})
    parser = _Parser(text, tokens(text, declared))
    formula = parser.sum()
    parser.expect("end", "the formula ends here, and then there is more")
    return formula


def read_relation(text: str, alphabet: Alphabet = STANDARD) -> Relation:
    """A relation such as ``I = 4H``: one letter, an equals sign, a formula. Raises `RelationError` or `FormulaError`."""
    left, sign, right = text.replace("＝", "=").partition("=")
    if not sign or "=" in right:
        raise RelationError(f"{shorten(text)!r} is not a relation; one letter, one '=' and a formula are expected, as in I=4H")
    try:
        name = read_formula(left, alphabet)
        formula = read_formula(right, alphabet)
    except FormulaError as error:
        column = error.column and error.column + (0 if error.text == left else len(left) + 1)
        raise FormulaError(error.problem, text, column) from None
    if not isinstance(name, Symbol):
        raise RelationError(f"the left side of {shorten(text)!r} is {name}, but one letter is expected there, as in I=4H")
    return Relation(name.letter, formula)


class _Parser:
    def __init__(self, text: str, found: list[Token]) -> None:
        self.text, self.tokens, self.at, self.open = text, found, 0, 0

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

    def sum(self) -> Formula:
        terms = [self.signed()]
        while self.next.kind in ("+", "-"):
            sign = self.take().kind
            term = self.product()
            terms.append(Negative(term) if sign == "-" else term)
        return Sum(tuple(terms)) if len(terms) > 1 else terms[0]

    def signed(self) -> Formula:
        if self.next.kind == "+":
            self.take()
        if self.next.kind != "-":
            return self.product()
        self.take()
        return Negative(self.product())

    def product(self) -> Formula:
        factors = self.side_by_side()
        while self.next.kind in ("*", "/"):
            sign = self.take().kind
            more = self.side_by_side() if self.next.kind != "-" else [self.signed()]
            factors = [*factors, *more] if sign == "*" else [Quotient(_product(factors), _product(more))]
        return _product(factors)

    def side_by_side(self) -> list[Formula]:
        factors = [self.power()]
        while self.next.kind in ("symbol", "(", "frac", "{"):
            factors.append(self.power())
        if self.next.kind == "number":
            raise self.error("a number stands directly behind another factor; a sign such as × is expected between them")
        return factors

    def power(self) -> Formula:
        base = self.atom()
        if self.next.kind != "^":
            return base
        self.take()
        return Power(base, self.exponent())

    def exponent(self) -> Formula:
        if self.next.kind == "-":
            self.take()
            return Negative(self.power())
        return self.power()

    def atom(self) -> Formula:
        token = self.next
        if token.kind == "number":
            assert not isinstance(token.value, str)
            return number(self.take().value)  # type: ignore[arg-type]
        if token.kind == "symbol":
            return Symbol(str(self.take().value))
        if token.kind == "frac":
            self.take()
            return Quotient(self.group("{", "}"), self.group("{", "}"))
        if token.kind in ("(", "{"):
            return self.group(token.kind, ")" if token.kind == "(" else "}")
        if token.kind == "end":
            raise self.error("the formula ends where a number, a letter or a bracket is expected")
        raise self.error(f"{shorten(self.text[token.start:token.end], 20)!r} stands where a number, a letter or a bracket is expected")

    def group(self, opening: str, closing: str) -> Formula:
        self.expect(opening, f"{opening!r} is expected here")
        self.open += 1
        if self.open > MAX_BRACKETS:
            raise self.error(f"more than {MAX_BRACKETS} brackets are open at once")
        inside = self.sum()
        self.expect(closing, f"{closing!r} is missing here")
        self.open -= 1
        return inside


def _product(factors: list[Formula]) -> Formula:
    return Product(tuple(factors)) if len(factors) > 1 else factors[0]



"""A formula read from plain text or LaTeX: a precedence parser over the tokens of `symparam.reading.lexer`.

From loose to tight: ``+ −``, then a leading minus, then ``× /`` from the left, then factors side by side (so ``s/6h`` is
``s/(6h)``, as its authors mean it), then powers from the right. A minus behind ``×`` or ``/`` belongs to the factors there alone.
"""

from __future__ import annotations

from collections.abc import Mapping

from symparam.algebra.relations import Relation
from symparam.alphabets import STANDARD, Alphabet
from symparam.dimensions import BY_LETTER
from symparam.errors import FormulaError, RelationError, shorten
from symparam.formula import Formula, Negative, Power, Product, Quotient, Sum, Symbol, number
from symparam.reading.lexer import Token, tokens

MAX_NESTED = 50  # Brackets and exponents inside one another.
_CLOSING = {"(": ")", "[": "]", "{": "}"}


# A config's key without an underscore, such as dim, could also be a product of letters.
_COMMON_NAMES = {
    name: letter
    for letter, dimension in BY_LETTER.items()
    for name in (*(key for key in dimension.config_keys if "_" in key), dimension.name)
}


def read_formula(text: str, alphabet: Alphabet = STANDARD, names: Mapping[str, str] | None = None) -> Formula:
    """The formula that the text writes, exactly as grouped there.

    Names are those of the alphabet, the spelled-out names of the dimensions (``hidden_size``) and those of configs (``n_embd``);
    ``names`` declares more, each with its standard letter. Raises `FormulaError` with the column of what cannot be read.
    """
    parser = _Parser(text, tokens(text, _COMMON_NAMES | alphabet.letters() | dict(names or {})))
    formula = parser.sum()
    parser.expect("end", "the formula ends here, and then there is more")
    return formula


def read_relation(text: str, alphabet: Alphabet = STANDARD, names: Mapping[str, str] | None = None) -> Relation:
    """A relation such as ``I = 4H``: one letter, an equals sign, a formula; ``names`` as for `read_formula`.

    Raises `RelationError` or `FormulaError`.
    """
    left, sign, right = text.replace("＝", "=").partition("=")
    if not sign or "=" in right:
        raise RelationError(f"{shorten(text)!r} is not a relation; one letter, one '=' and a formula are expected, as in I=4H")
    try:
        name = read_formula(left, alphabet, names)
        formula = read_formula(right, alphabet, names)
    except FormulaError as error:
        column = error.column and error.column + (0 if error.text == left else len(left) + 1)
        raise FormulaError(error.problem, text, column) from None
    if not isinstance(name, Symbol):
        raise RelationError(f"the left side of {shorten(text)!r} is {shorten(str(name))}, but one letter is expected there, as in I=4H")
    return Relation(name.letter, formula)


class _Parser:
    def __init__(self, text: str, found: list[Token]) -> None:
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
            minus = self.next.kind == "-" and self.take()
            more = self.side_by_side()
            if minus:
                more = [Negative(_product(more))]
            factors = [*factors, *more] if sign == "*" else [Quotient(_product(factors), _product(more))]
        return _product(factors)

    def side_by_side(self) -> list[Formula]:
        factors = [self.power()]
        while self.next.kind in ("symbol", "frac", *_CLOSING):
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
        self.deeper()
        raised = self.next.kind == "{"
        minus = self.next.kind == "-" and self.take()
        exponent = self.atom() if raised else self.power()
        if raised and self.next.kind == "^":
            raise self.error("an exponent stands behind an exponent; brackets are expected around what the second one applies to")
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
        if token.kind in _CLOSING:
            return self.group(token.kind)
        if token.kind == "end":
            raise self.error("the formula ends where a number, a letter or a bracket is expected")
        raise self.error(f"{shorten(self.text[token.start : token.end], 20)!r} stands where a number, a letter or a bracket is expected")

    def group(self, opening: str) -> Formula:
        self.expect(opening, f"{opening!r} is expected here")
        self.deeper()
        inside = self.sum()
        self.expect(_CLOSING[opening], f"{_CLOSING[opening]!r} is missing here")
        self.nested -= 1
        return inside

    def deeper(self) -> None:
        self.nested += 1
        if self.nested > MAX_NESTED:
            raise self.error(f"more than {MAX_NESTED} brackets and exponents stand inside one another")


def _product(factors: list[Formula]) -> Formula:
    return Product(tuple(factors)) if len(factors) > 1 else factors[0]

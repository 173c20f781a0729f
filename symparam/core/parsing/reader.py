"""Reads a single formula or relation from plain text or LaTeX, in declared letters and names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from symparam.core.algebra.relations import Relation
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Formula, Number, Quotient, Symbol, number
from symparam.core.parsing.lexer import tokens
from symparam.core.parsing.parser import Parser, product_of
from symparam.errors import FormulaError, RelationError, shorten

# A config key without an underscore, such as dim, could also be a product of letters. Of two dimensions that share a key, the
# first gets it.
COMMON_NAMES = {
    name: letter
    for letter, dimension in reversed(BY_LETTER.items())
    for name in (*(key for key in dimension.config_keys if "_" in key), dimension.name)
}


class _StatedParser(Parser):
    """Reads ``8/3 H`` as people mean it, (8/3)H. Without the space it is ambiguous, so brackets are required."""

    def quotient(self, above: list[Formula], below: list[Formula], first: int) -> list[Formula]:
        if len(below) < 2 or not all(isinstance(each, Number) for each in (*above, below[0])):
            return super().quotient(above, below, first)
        divisor, behind = self.tokens[first : first + 2]
        if divisor.end == behind.start:
            rest = self.text[behind.start : self.tokens[self.at - 1].end]
            self.at = first
            raise self.error(
                f"this is ({product_of(above)}/{below[0]}){rest} or {product_of(above)}/({below[0]}{rest}); put the brackets that are meant"
            )
        return [Quotient(product_of(above), below[0]), *below[1:]]


def read_formula(text: str, alphabet: Alphabet = STANDARD, names: Mapping[str, str] | None = None) -> Formula:
    """The formula that the text states, grouped exactly as written.

    Names are those of the alphabet, the spelled-out names of the dimensions (``hidden_size``) and those of configs (``n_embd``); ``names``
    declares more, each with its standard letter. Raises `FormulaError` with the column of what cannot be read.
    """
    parser = _StatedParser(text, tokens(text, COMMON_NAMES | alphabet.letters() | dict(names or {})))
    formula = parser.sum()
    parser.expect("end", "the formula ends here, but more text follows")
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
        if isinstance(name, Symbol) and (value := scaled(name.letter, right, alphabet.letters() | dict(names or {}))):
            return Relation(name.letter, value)
        formula = read_formula(right, alphabet, names)
    except FormulaError as error:
        column = error.column and error.column + (0 if error.text == left else len(left) + 1)
        raise FormulaError(error.problem, text, column) from None
    if not isinstance(name, Symbol):
        raise RelationError(f"the left side of {shorten(text)!r} is {shorten(str(name))}, but one letter is expected there, as in I=4H")
    return Relation(name.letter, formula)


_SCALED = re.compile(r"(?:^|(?<=[-+*×·(]))\s*+([0-9]++(?:\.[0-9]++)?)\s*+([kKMG])(i?)(?=\s*+(?:[-+)]|$))")
_POWERS = {"k": 1, "K": 1, "M": 2, "G": 3}


def scaled(letter: str, text: str, names: Mapping[str, str]) -> Number | None:
    """The value of ``8Ki``, 8 × 2^10.

    Raises `RelationError` for ``8k`` and ``8k - 1``, which are ambiguous: 8k may mean 8,192, 8,000, or, where k is a declared letter, a
    product. None for any other text.
    """
    for found in _SCALED.finditer(text):
        prefix, power = found[2], _POWERS[found[2]]
        binary, decimal = Fraction(found[1]) * 1024**power, Fraction(found[1]) * 1000**power
        alone = found[0].strip() == text.strip()
        if found[3] and alone and binary.denominator == 1:
            return Number(int(binary))
        dimension = BY_LETTER.get(names.get(prefix, ""))
        meant = [(f"{found[1]}{prefix.upper()}i" if alone else str(binary), str(number(binary))), (str(decimal), str(number(decimal)))]
        meant += [(f"{found[1]}*{prefix}", f"that many times the {dimension.english}")] if dimension else []
        choices = [f"{letter}={(text[: found.start(1)] + each + text[found.end() :]).strip()} for {what}" for each, what in meant]
        raise RelationError(f"{letter} = {shorten(text.strip())} can be read in {len(choices)} ways; write {', or '.join(choices)}")
    return None

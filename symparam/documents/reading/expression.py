"""An expression on a page, with what its author wrote around it.

A number with a unit or with decimals is a *literal*: the formula holds a placeholder for it, as 103.7M may mean 10⁶ or 2²⁰ and may be
rounded. If it is unclear where the expression ends, or what belongs to it, that is recorded as a doubt: a doubtful claim is never called
wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Negative, Number, Product, Symbol, number
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Message
from symparam.documents.reading.unit_senses import Unit
from symparam.errors import FormulaError

PLACEHOLDER = "§"  # Prefix of the placeholder for a literal; no name on a page begins so.
_LEAST_LONG = 1_000  # A smaller number is as often a count.
UNKNOWN = "¤"  # Prefix of the placeholder for words used as a number, such as "LN params".
_LONGEST_NAME = 60  # Characters of such words.
_TEXT = re.compile(r"\\(?:text|math|operator)[a-z]{0,4}\s?\{([^{}]{1,60})\}")


@frozen
class Literal:
    """A number as written: its value without the unit, one unit of its last digit, and the unit after it."""

    value: int | Fraction
    last_digit: Fraction
    unit: Unit | None
    digits: int

    @cached_property
    def usual(self) -> int | Fraction:
        """What it means with its unit in the usual sense."""
        return self.value * self.unit.senses[0] if self.unit else self.value


@frozen
class Repeated:
    """A bracket that repeats the value of the factors before it: ``12*2359296(28311552)``, ``32 × 8 × 176,160,768 (45.10B experts)``."""

    formula: Formula
    literal: Expression
    start: int
    end: int
    whole: Expression | None = None  # The whole that it is a share of: ``38,597,376 (31% of 124M)``.


class Expression(NamedTuple):
    """A stretch of the page that is an expression, from the token ``first`` up to but not including ``last``."""

    formula: Formula
    first: int
    last: int
    start: int
    end: int
    literals: Mapping[str, Literal] = MappingProxyType({})
    nouns: tuple[str, ...] = ()
    doubts: tuple[Message, ...] = ()
    repeats: tuple[Repeated, ...] = ()
    calculation: Expression | None = None  # Of a number, in the bracket after it: 49152 (4 × 12288)

    @property
    def letters(self) -> frozenset[str]:
        """The author's letters and names in it, without placeholders."""
        letters = self.formula.letters
        for letter in letters:  # Mostly there is none, or only one.
            if letter[0] == PLACEHOLDER:
                return frozenset([letter for letter in letters if letter[0] != PLACEHOLDER])
        return letters

    @property
    def unknown(self) -> frozenset[str]:
        """The words used in place of a number."""
        letters = self.formula.letters
        return frozenset([letter[1:] for letter in letters if letter[0] == UNKNOWN]) if letters else letters

    @property
    def is_name(self) -> bool:
        """Whether it is a single name, which can be defined or given a value."""
        return isinstance(self.formula, Symbol) and self.formula.letter[0] != PLACEHOLDER

    @property
    def has_repeated_letter(self) -> bool:
        """Whether it is a single run of letters with a repeated one, as ``XX``: a product would be written as a square."""
        alone = self.last - self.first == 1 and isinstance(self.formula, Product)
        return alone and 0 < len(self.formula.letters) < len(self.formula.parts)

    @property
    def is_word(self) -> bool:
        """Whether it is a single run of letters, which may be one name."""
        alone = self.last - self.first == 1 and isinstance(self.formula, Product)
        return alone and all(isinstance(part, Symbol) for part in self.formula.parts)

    @property
    def is_number(self) -> bool:
        """Whether it is a single number, with or without a unit."""
        formula = self.formula.operand if isinstance(self.formula, Negative) else self.formula
        return isinstance(formula, Number) or (isinstance(formula, Symbol) and formula.letter[0] == PLACEHOLDER)

    @property
    def literal(self) -> Literal | None:
        """The literal, if it is a single one."""
        return self.literals.get(self.formula.letter) if isinstance(self.formula, Symbol) else None

    @property
    def is_amount(self) -> bool:
        """Whether it is a number with a unit that says what it counts: ``4 KB``."""
        return self.literal is not None and self.literal.unit is not None and bool(self.literal.unit.counted)

    @property
    def exact(self) -> int | Fraction | None:
        """The number, if it is a single one without unit or rounding."""
        return self.formula.value if isinstance(self.formula, Number) else None

    @property
    def is_long(self) -> bool:
        """Whether it is a number of at least a thousand with several digits, which does not begin a remark such as ``(8.4M, trained)``."""
        literal = self.literal
        if literal is None:
            return self.exact is not None and self.exact >= _LEAST_LONG
        return literal.digits > 1 and literal.usual >= _LEAST_LONG


@lru_cache(1_000)
def symbol_of(letter: str) -> Symbol:
    """The symbol of a letter; cached, as a page has few letters and many formulas in them."""
    return Symbol(letter)


def unknown(written: str) -> Symbol:
    """The operand for words used as a number, the same in TeX and outside of it: ``\\text{ratio}`` is ``ratio``."""
    return Symbol(UNKNOWN + " ".join(_TEXT.sub(r"\1", written).split())[:_LONGEST_NAME])


def in_numbers(expression: Expression) -> Formula:
    """The formula with its literals replaced by the numbers that they usually mean, for explanations."""
    values = {letter: number(literal.usual) for letter, literal in expression.literals.items()}
    return expression.formula.substitute(values) if values else expression.formula


def plain_value(formula: Formula) -> int | Fraction | None:
    """The value of an expression of numbers only, without units."""
    try:
        return evaluate(formula, {})
    except FormulaError:
        return None

"""A formula as it is written on a page, and the expression that it means.

The tree keeps the order, the grouping and the factors that a person wrote. Brackets are not nodes: they follow from the shape of the tree,
so that ``read(write(formula)) == formula`` in every notation. `expr` is the exact SymPy expression. The tree alone decides how a line
looks, and the expression alone decides whether two lines are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import ClassVar

import sympy

from symparam.core.dimensions import symbol, without_assumptions
from symparam.core.frozen import cached_property, frozen
from symparam.core.notation import ASCII, LATEX, UNICODE, Notation, decimal_places
from symparam.core.sympy_printing import SympyPrintable
from symparam.errors import NoValueError

MAX_DEPTH = 100  # Deeper than any formula a person writes, and shallow enough for every recursion over the tree.
MAX_DEGREE = 100  # SymPy looks for roots in what it raises to a power, which takes minutes for degrees in the thousands.
MAX_BITS = 4096  # Binary digits of the largest power that is computed; 9**9**9 would not fit into memory.
MAX_BITS_TOGETHER = 100_000  # Binary digits of all numbers in one sum or product; without powers, no formula that is read has more.
MAX_DECIMALS = 2_000  # Python refuses to write integers of more than 4,300 digits.


@frozen
class Formula(SympyPrintable):
    """The base class of all nodes: `Number`, `Symbol`, `Sum`, `Product`, `Quotient`, `Power`, `Root`, `Negative`."""

    enclosed: ClassVar[bool] = False  # Whether it is written with delimiters of its own and needs no brackets.

    def __post_init__(self) -> None:
        if self.depth > MAX_DEPTH:
            raise NoValueError("deep", most=MAX_DEPTH)

    @property
    def parts(self) -> tuple[Formula, ...]:
        """The child nodes, in the order in which they are written."""
        return ()

    @cached_property
    def depth(self) -> int:
        return 1 + max([part.depth for part in self.parts], default=0)

    @cached_property
    def letters(self) -> frozenset[str]:
        """The standard letters of the dimensions that occur."""
        return frozenset().union(*[part.letters for part in self.parts])

    @cached_property
    def degree(self) -> int:
        """An upper bound for the number of letters multiplied together in one term."""
        return max((part.degree for part in self.parts), default=0)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        """A node of the same kind with other children."""
        return self

    def substitute(self, values: Mapping[str, Formula | int | Fraction]) -> Formula:
        """The formula with letters replaced by values and otherwise unchanged: ``12NH²`` becomes ``12 × 12 × 768²``."""
        return self.with_parts(tuple(part.substitute(values) for part in self.parts)) if not self.letters.isdisjoint(values) else self

    @cached_property
    def expr(self) -> sympy.Expr:
        """The formula as an exact SymPy expression over the rationals. Raises `FormulaError` for ``x/0`` and the like."""
        raise AssertionError("every kind of node has a meaning")

    def render(self, notation: Notation) -> str:
        """The text of a node whose class is defined in another module."""
        raise AssertionError(f"{type(self).__name__} is not a kind of formula")

    def plain(self) -> sympy.Expr:
        """The expression in symbols without assumptions, for SymPy's solvers: `symparam.core.dimensions.without_assumptions`."""
        return without_assumptions(self.expr)

    def _sympy_(self) -> sympy.Expr:
        return self.expr

    def __str__(self) -> str:
        return write(self, UNICODE)

    @property
    def latex(self) -> str:
        return write(self, LATEX)

    @property
    def ascii(self) -> str:
        return write(self, ASCII)


@frozen
class Number(Formula):
    """A nonnegative number with a finite decimal expansion. Raises `ValueError` for any other."""

    value: int | Fraction

    depth = 1
    letters = frozenset()

    def __post_init__(self) -> None:
        if type(self.value) is int and self.value >= 0 and self.value.bit_length() <= MAX_BITS:
            return  # The common case.
        if self.value < 0:
            raise ValueError(f"{self.value} is written as the Negative of a Number")
        if decimal_places(self.value.denominator) > MAX_DECIMALS:
            raise ValueError(f"a number of more than {MAX_DECIMALS:,} decimals is written as a Quotient")
        if self.value.numerator.bit_length() > 3 * MAX_BITS:
            raise NoValueError("large-number", most=3 * MAX_BITS)
        if self.value.denominator == 1:
            object.__setattr__(self, "value", int(self.value))

    @cached_property
    def expr(self) -> sympy.Expr:
        return sympy.Rational(self.value.numerator, self.value.denominator)


@frozen
class Symbol(Formula):
    """A dimension, by its standard letter; the author's name for it comes from the notation's alphabet."""

    letter: str

    depth = 1

    @cached_property
    def letters(self) -> frozenset[str]:
        return frozenset({self.letter})

    @cached_property
    def degree(self) -> int:
        return 1

    def substitute(self, values: Mapping[str, Formula | int | Fraction]) -> Formula:
        value = values.get(self.letter, self)
        return value if isinstance(value, Formula) else number(value)

    @cached_property
    def expr(self) -> sympy.Expr:
        return symbol(self.letter)


@frozen
class Sum(Formula):
    """Two or more terms. A subtracted term is a `Negative`."""

    terms: tuple[Formula, ...]

    @property
    def parts(self) -> tuple[Formula, ...]:
        return self.terms

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Sum(parts)

    @cached_property
    def expr(self) -> sympy.Expr:
        terms = [term.expr for term in self.terms]
        _refuse_large(self, terms)
        return sympy.Add(*terms)


@frozen
class Product(Formula):
    """Two or more factors."""

    factors: tuple[Formula, ...]

    @property
    def parts(self) -> tuple[Formula, ...]:
        return self.factors

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Product(parts)

    @cached_property
    def degree(self) -> int:
        return sum(factor.degree for factor in self.factors)

    @cached_property
    def expr(self) -> sympy.Expr:
        factors = [factor.expr for factor in self.factors]
        _refuse_large(self, factors)
        return sympy.Mul(*factors)


@frozen
class Quotient(Formula):
    """An exact division."""

    numerator: Formula
    denominator: Formula

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.numerator, self.denominator)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Quotient(*parts)

    @cached_property
    def degree(self) -> int:
        return self.numerator.degree + self.denominator.degree

    @cached_property
    def expr(self) -> sympy.Expr:
        below = self.denominator.expr
        if below == 0:  # A zero that only shows when multiplied out is found by the normal form.
            raise NoValueError("divides-by-zero", formula=abbreviated(self))
        _refuse_large(self, [])
        return self.numerator.expr / below


@frozen
class Power(Formula):
    """A base raised to an exponent."""

    base: Formula
    exponent: Formula

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.base, self.exponent)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Power(*parts)

    @cached_property
    def degree(self) -> int:
        exponent = self.exponent.expr
        return self.base.degree * (max(1, abs(int(exponent))) if exponent.is_Integer else 1)

    @cached_property
    def expr(self) -> sympy.Expr:
        base, exponent = self.base.expr, self.exponent.expr
        if exponent.is_Rational and not exponent.is_Integer:
            raise NoValueError("is-a-root", formula=abbreviated(self))
        if exponent.is_Integer:
            # The coefficient of a product is raised too: ((9H)^99)^99 would fill the memory as 9^99^99 does.
            number_in_front = base.as_coeff_Mul()[0]
            size = max(abs(number_in_front.p).bit_length(), number_in_front.q.bit_length())
            if size > 1 and size * abs(int(exponent)) > MAX_BITS:
                raise NoValueError("large-power", formula=abbreviated(self), most=MAX_BITS)
        _refuse_large(self, [])
        if base == 0 and not exponent.is_nonnegative:
            raise NoValueError("divides-by-zero" if exponent.is_number else "may-divide-by-zero", formula=abbreviated(self))
        return base**exponent


@frozen
class Root(Formula):
    """The square root of a formula. It occurs only in solutions for an unknown, and has a value only where that is rational."""

    radicand: Formula

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.radicand,)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Root(*parts)

    @cached_property
    def expr(self) -> sympy.Expr:
        return sympy.sqrt(self.radicand.expr)


@frozen
class Negative(Formula):
    """A minus sign and its operand."""

    operand: Formula

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.operand,)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Negative(*parts)

    @cached_property
    def expr(self) -> sympy.Expr:
        return -self.operand.expr


def _refuse_large(formula: Formula, parts: list[sympy.Expr]) -> None:
    if formula.degree > MAX_DEGREE:
        raise NoValueError("high-degree", formula=abbreviated(formula), most=MAX_DEGREE)
    numbers = (part.as_coeff_Mul()[0] for part in parts)
    if sum(abs(each.p).bit_length() + each.q.bit_length() for each in numbers) > MAX_BITS_TOGETHER:
        raise NoValueError("large-numbers", formula=abbreviated(formula), most=MAX_BITS_TOGETHER)


def number(value: int | Fraction) -> Formula:
    """The formula for a rational number: ``5``, ``−5``, ``2.5``, ``8/3``."""
    if value < 0:
        return Negative(number(-value))
    try:
        return Number(value)
    except ValueError:
        return Quotient(Number(value.numerator), Number(value.denominator))


def abbreviated(formula: Formula) -> str:
    """The formula as text for a message, shortened to 80 characters."""
    text = str(formula)
    return text if len(text) <= 80 else text[:79] + "…"


def write(formula: Formula, notation: Notation = UNICODE) -> str:
    """The formula as text in a notation, with brackets only where reading it back requires them."""
    match formula:
        case Number(value):
            return notation.number(value)
        case Symbol(letter):
            return notation.symbol(letter)
        case Sum(terms):
            return _write_sum(terms, notation)
        case Product(factors):
            return _write_product(factors, notation)
        case Quotient(numerator, denominator):
            if notation.typeset:
                return notation.quotient(write(numerator, notation), write(denominator, notation))
            tight = (Number, Symbol, Power, Root)
            return notation.quotient(_bracketed(numerator, notation, (*tight, Product)), _bracketed(denominator, notation, tight))
        case Power(base, exponent):
            written = write(exponent, notation) if notation.typeset else _bracketed(exponent, notation, (Number, Symbol))
            return notation.power(_bracketed(base, notation, (Number, Symbol)), written)
        case Root(radicand):
            return notation.square_root(write(radicand, notation))
        case Negative(operand):
            return notation.minus + _bracketed(operand, notation, (Number, Symbol, Power, Root, Product, Quotient))
    return formula.render(notation)


def write_factors(factors: Iterable[Formula], notation: Notation = UNICODE) -> str:
    """The factors with a multiplication sign between all of them, as in the shape of a tensor: ``(P + 1) × H``, ``H × (d_v × h)``.

    A single number has the shape ``()``.
    """
    written = tuple(factors)
    if not written:
        return notation.brackets("")
    bare = (Number, Symbol, Power, Root, Product, *((Quotient,) if notation.typeset else ()))
    if len(written) == 1:
        return write(written[0], notation)
    texts = ((each, _bracketed(each, notation, bare)) for each in written)
    return notation.times.join(
        notation.brackets(text) if isinstance(each, Product) and notation.times in text else text for each, text in texts
    )


def _bracketed(part: Formula, notation: Notation, bare: tuple[type[Formula], ...]) -> str:
    text = write(part, notation)
    return text if isinstance(part, bare) or part.enclosed else notation.brackets(text)


def _write_sum(terms: tuple[Formula, ...], notation: Notation) -> str:
    bare = (Number, Symbol, Power, Root, Product, Quotient)
    text = _bracketed(terms[0], notation, (*bare, Negative))
    for term in terms[1:]:
        sign, operand = (notation.minus, term.operand) if isinstance(term, Negative) else ("+", term)
        text += f" {sign} {_bracketed(operand, notation, bare)}"
    return text


def _write_product(factors: tuple[Formula, ...], notation: Notation) -> str:
    bare: tuple[type[Formula], ...] = (Number, Symbol, Power, Root, *((Quotient,) if notation.typeset else ()))
    written = [_bracketed(factor, notation, bare) for factor in factors]
    signs = [_sign_between(*pair, notation) for pair in pairwise(factors)]
    if notation.times in signs or not any(factor.letters for factor in factors):
        return notation.times.join(written)
    return written[0] + "".join(sign + factor for sign, factor in zip(signs, written[1:], strict=True))


def _sign_between(left: Formula, right: Formula, notation: Notation) -> str:
    """The separator between two adjacent factors: a sign where digits would run together or long names would merge."""
    first = right.base if isinstance(right, Power) else right
    if isinstance(first, (Number, Quotient)) or ((isinstance(first, Root) or first.enclosed) and notation.root.isalpha()):
        return notation.times  # A letter must not merge with the name of a function.
    named = left.exponent if isinstance(left, Power) and isinstance(left.exponent, Symbol) else None
    if named and not notation.typeset and notation.sign_beside(named.letter):
        return notation.times  # After a name in an exponent, a space would not show where the exponent ends.
    last = left.base if isinstance(left, Power) else left
    return max((notation.sign_beside(end.letter) for end in (last, first) if isinstance(end, Symbol)), key=len, default="")

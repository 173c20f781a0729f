"""Explains the difference of two formulas by their own terms, by the parts that the document derives, and by common slips."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice

from symparam.core.algebra.closed_form import by_symbol
from symparam.core.algebra.polynomial import Polynomial, expression_of, polynomial
from symparam.core.combining import multiplied
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Message, message
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.gaps.arithmetic.polynomials import (
    Ratio,
    in_author_order,
    letters_in_order,
    monomial_ratio,
    polynomial_fingerprint,
    polynomial_sum,
    scaled_polynomial,
)
from symparam.documents.gaps.arithmetic.stated_number import absolute_value, int_if_whole, line_reference
from symparam.documents.gaps.arithmetic.subset_sums import subset_sums
from symparam.documents.gaps.gap import Cause, Gap
from symparam.errors import FormulaError

MAX_TERMS = 40
MAX_PARTS = 200
MAX_NUMBERS = 12
MAX_OTHERS = 6

Part = tuple[str, Formula, int]
"""The document's name for a part, its formula, and its line."""

Found = tuple[int, tuple[Cause, ...]]
"""An explanation, and how far-fetched it is."""


@frozen
class _Piece:
    """A term of one of the two formulas, or a part of the document, as a polynomial."""

    reference: Message
    terms: Polynomial
    side: str

    @cached_property
    def number(self) -> int | Fraction:
        return polynomial_fingerprint(self.terms)


@frozen
class _Difference:
    """The right formula minus the left one, and the pieces that may explain it."""

    terms: Polynomial
    left: Formula
    right: Formula
    pieces: tuple[_Piece, ...]

    @cached_property
    def formula(self) -> Formula:
        return self.closed_form(self.terms)

    def closed_form(self, terms: Polynomial) -> Formula:
        """The polynomial as a closed form, in the author's order of letters."""
        return in_author_order(by_symbol(expression_of(terms)), letters_in_order(self.left, self.right))

    def of(self, side: str) -> list[_Piece]:
        return [piece for piece in self.pieces if piece.side == side]


def explain_difference(left: Formula, right: Formula, parts: Sequence[Part] = ()) -> Gap:
    """Why the stated formula ``right`` is not ``left``. ``parts`` are the other formulas that the document derives, each with label and
    line.

    Raises `FormulaError` if one of the two has no normal form.
    """
    difference = right.expr - left.expr
    terms = polynomial(difference)
    formula = in_author_order(by_symbol(difference), letters_in_order(left, right))
    value = int_if_whole(terms.terms.get((), Fraction(0))) if terms is not None and not terms.letters else None
    if terms is None or not terms.terms:
        return Gap(value, formula)
    found = _found(_Difference(terms, left, right, tuple(_pieces(left, right, parts))))
    return Gap(value, formula, found[0] if found else (), tuple(found[1 : 1 + MAX_OTHERS]))


def _found(difference: _Difference) -> list[tuple[Cause, ...]]:
    """The explanations, simplest first, each once."""
    simple = chain(_factor(difference), _own_term(difference), _surplus(difference), _part(difference))
    found = sorted(simple, key=lambda each: each[0])
    if not found:
        found = sorted(chain(_together(difference), _number(difference)), key=lambda each: each[0])
    return list(dict.fromkeys(causes for _, causes in found))


def _pieces(left: Formula, right: Formula, parts: Sequence[Part]) -> Iterator[_Piece]:
    order = letters_in_order(left, right)
    for side, formula in (("left", left), ("right", right)):
        for term in islice(_terms(formula), MAX_TERMS):
            if (terms := _polynomial(term)) is not None:
                # A term from inside a bracket is not on the page in this form, so it is written in normal form: 12NH² instead of N × 12 ×
                # H².
                itself = term if term in formula.parts else in_author_order(by_symbol(expression_of(terms)), order)
                yield _Piece(message("term", formula=itself), terms, side)
    for label, formula, line in parts[:MAX_PARTS]:
        if (terms := _polynomial(formula)) is not None and terms.letters:
            yield _Piece(line_reference(line, label, formula), terms, "part")


def _polynomial(formula: Formula) -> Polynomial | None:
    """The polynomial of a formula; None if it has no normal form, or is zero."""
    try:
        terms = polynomial(formula.expr)
    except FormulaError:
        return None
    return terms if terms and terms.terms else None


def _terms(formula: Formula) -> Iterator[Formula]:
    """The terms of a formula, with those inside a bracket multiplied by the factors around it."""
    match formula:
        case Sum(terms):
            for term in terms:
                yield from _terms(term)
        case Negative(operand):
            for term in _terms(operand):
                yield term.operand if isinstance(term, Negative) else Negative(term)
        case Product(factors) if sum(isinstance(factor, Sum) for factor in factors) == 1:
            at = next(at for at, factor in enumerate(factors) if isinstance(factor, Sum))
            for term in _terms(factors[at]):
                yield multiplied(*_opened((*factors[:at], term, *factors[at + 1 :])))
        case Quotient(Sum() as numerator, denominator):
            for term in _terms(numerator):
                yield Quotient(term, denominator)
        case _:
            yield formula


def _opened(factors: tuple[Formula, ...]) -> Iterator[Formula]:
    for factor in factors:
        yield from factor.factors if isinstance(factor, Product) else (factor,)


# The searches.


def _factor(difference: _Difference) -> Iterator[Found]:
    """Explain the right side as the left one times a number or a letter."""
    left, right = _polynomial(difference.left), _polynomial(difference.right)
    ratio = monomial_ratio(right, left) if left and right else None
    if ratio and (said := _times(ratio)):
        cost, count, is_larger = said
        kind = "times-too-large" if is_larger else "times-too-small"
        if count == Number(2):
            reason = message(kind, count=count, why=message("why-counted-twice" if is_larger else "why-counted-once"))
        else:
            reason = message(kind, count=count)
        yield cost, (Cause(reason, None, difference.formula),)


def _own_term(difference: _Difference) -> Iterator[Found]:
    """Explain the difference by a term of the left side that is left out, counted more than once, or has the wrong sign."""
    for piece in difference.of("left"):
        if said := _said_of_term(difference, piece, polynomial_sum(piece.terms, difference.terms)):
            yield said[0], (Cause(said[1], None, difference.formula),)


def _said_of_term(difference: _Difference, piece: _Piece, need: Polynomial) -> tuple[int, Message] | None:
    if not need.terms:
        return 1, message("left-out", part=piece.reference)
    ratio = monomial_ratio(need, piece.terms)
    if ratio is None:
        return None
    meant = difference.closed_form(need)
    monomial, count = ratio
    if not monomial and count == 2:
        return 1, message("once-more", part=piece.reference, meant=meant)
    if not monomial and count == -1:
        return 1, message("other-sign", part=piece.reference)
    if absolute_value(count) <= 4 and 4 * absolute_value(count) >= 1 and (said := _times(ratio)):
        cost, factor, is_larger = said
        return cost + 2, message("often-meant" if is_larger else "once-meant", part=piece.reference, count=factor, meant=meant)
    return None


def _surplus(difference: _Difference) -> Iterator[Found]:
    """Explain the difference by a term that only the right side has."""
    for piece in difference.of("right"):
        if piece.terms == difference.terms and all(piece.terms != other.terms for other in difference.of("left")):
            yield 3, (Cause(message("not-on-the-left-side", part=piece.reference), None, difference.formula),)


def _part(difference: _Difference) -> Iterator[Found]:
    """Explain the difference by a missing or surplus part that the document derives: once, several times, or as many times as a letter
    says.
    """
    for piece in difference.of("part"):
        ratio = monomial_ratio(difference.terms, piece.terms)
        if ratio is None:
            continue
        monomial, count = ratio
        if not monomial and abs(count) == 1:
            yield 2, (_cause(difference, piece, -1 if count < 0 else 1),)
        elif (said := _times((monomial, abs(count)))) and said[2]:
            part = message("several", count=said[1], part=piece.reference)
            yield 2 + said[0], (Cause(message("left-out" if count < 0 else "added-too", part=part), None, difference.formula),)


def _together(difference: _Difference) -> Iterator[Found]:
    """Explain the difference by two or three terms or parts."""
    terms = [piece for piece in difference.pieces if piece.side != "part"]
    yield from _adding_up(difference, [(piece, 1 if piece.side == "right" else -1) for piece in terms], 4)
    parts = [(piece, sign) for piece in _scaled(difference) for sign in (-1, 1)]
    yield from _adding_up(difference, parts, 6)


def _scaled(difference: _Difference) -> Iterator[_Piece]:
    """The parts, and each of them times each letter of the difference."""
    for piece in difference.of("part"):
        yield piece
        for letter in sorted(difference.terms.letters):
            several = message("several", count=Symbol(letter), part=piece.reference)
            yield _Piece(several, scaled_polynomial(piece.terms, 1, ((letter, 1),)), "part")


def _adding_up(difference: _Difference, signed: list[tuple[_Piece, int]], cost: int) -> Iterator[Found]:
    values = [sign * piece.number for piece, sign in signed]
    for together in (2, 3):
        for chosen in islice(subset_sums(polynomial_fingerprint(difference.terms), values, together), 3):
            made = [signed[at] for at in chosen]
            total = polynomial_sum(*(scaled_polynomial(piece.terms, sign) for piece, sign in made))
            # One term with two coefficients, 8x on the left and 16x on the right, says no more than the difference itself.
            kinds = [frozenset(piece.terms.terms) for piece, _ in made]
            if total == difference.terms and len(set(kinds)) == len(kinds):
                yield cost + together - 2, tuple(_cause(difference, piece, sign) for piece, sign in made)


def _cause(difference: _Difference, piece: _Piece, sign: int) -> Cause:
    kind = "left-out" if sign < 0 else "added-too" if piece.side == "part" else "not-on-the-left-side"
    return Cause(message(kind, part=piece.reference), None, difference.closed_form(scaled_polynomial(piece.terms, sign)))


def _number(difference: _Difference) -> Iterator[Found]:
    """Explain the difference by one wrong number on the right."""
    unknown = "unknown"
    own = {value for value, _ in _with_unknown(difference.left, Symbol(unknown))}
    for value, formula in islice(_with_unknown(difference.right, Symbol(unknown)), MAX_NUMBERS):
        terms = _polynomial(Sum((formula, Negative(difference.left))))
        by_power = terms.by_powers(unknown) if terms and unknown not in difference.terms.letters else {}
        if by_power.keys() not in ({0, 1}, {-1, 0}):
            continue
        power = max(by_power, key=abs)
        ratio = monomial_ratio(by_power[0], by_power[power])
        if ratio and not ratio[0] and ratio[1] < 0:
            needed = int_if_whole((-ratio[1]) ** power)
            if digit_slip(value, needed) or needed in own:
                yield 7, (Cause(message("holds-with", needed=needed, stated=value)),)


def _with_unknown(formula: Formula, unknown: Symbol) -> Iterator[tuple[int | Fraction, Formula]]:
    """The formula with each of its numbers, except those in exponents, replaced in turn by an unknown."""
    if isinstance(formula, Number):
        yield formula.value, unknown
    parts = formula.parts[:1] if isinstance(formula, Power) else formula.parts
    for at, part in enumerate(parts):
        for value, replaced in _with_unknown(part, unknown):
            yield value, formula.with_parts((*formula.parts[:at], replaced, *formula.parts[at + 1 :]))


def _times(ratio: Ratio) -> tuple[int, Formula, bool] | None:
    """The cost of a factor as an explanation, the factor, and whether it enlarges; None for a factor that no one would leave out by
    mistake.

    Accepted are a number up to 200, a letter, or a small multiple of a letter, as in two LayerNorms in each of the N layers.
    """
    monomial, count = ratio
    if count < 0:
        return None
    is_larger = all(power > 0 for _, power in monomial) and count >= 1
    if not is_larger:
        monomial, count = tuple((letter, -power) for letter, power in monomial), 1 / count
    degree = sum(power for _, power in monomial)
    if any(power < 0 for _, power in monomial) or count.denominator != 1 or degree > 1 or count > (4 if degree else 200):
        return None
    cost = (0 if count == 2 else 1 if count <= 4 else 2) if not degree else 1 if count == 1 else 3
    return 1 + cost, by_symbol(expression_of(Polynomial({monomial: count}))), is_larger

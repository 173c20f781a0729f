"""Brackets that an author left out, and with which a claim would hold."""

from __future__ import annotations

from dataclasses import replace

from symparam.core.formula import Formula, Negative, Product, Quotient, Sum
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression, Literal


def lacks_brackets(left: Expression, right: Expression, sign: str) -> bool:
    """Whether it holds with brackets around a numerator that end behind its last term, ``1 - 0.5 / 0.5774 = 0.866``, or that begin behind
    the first factor: ``10M × 2 KB + 1 KB = 30 GB``; or around amounts of which the last is multiplied: ``100M + 5M × 2 KB = 210 GB``;
    or around what stands behind a stroke: ``224 × 224 / 16 × 16 = 196``.
    """
    side = side_of(left)
    if not left.letters and isinstance(side.formula, Product):
        return _divides_by_all(side, side.formula, right, sign)
    if left.letters or not isinstance(side.formula, Sum):
        return False
    first, *others = side.formula.terms
    have_units = all(any(each.unit for each in _literals_of(term, side)) for term in side.formula.terms)
    if isinstance(first, Product) and right.is_number and have_units:
        factor, *rest = first.factors
        inside = Sum((rest[0] if len(rest) == 1 else Product(tuple(rest)), *others))
        if holding(replace(side, formula=Product((factor, inside))), side_of(right), sign) is not None:
            return True
    *terms, last = side.formula.terms
    if isinstance(last, Product) and right.is_number and side.literals and _holds_behind(side, last, right, sign):
        return True
    is_negative = isinstance(last, Negative)
    below = last.operand if isinstance(last, Negative) else last
    if not isinstance(below, Quotient):
        return False
    above = Sum((*terms, Negative(below.numerator) if is_negative else below.numerator))
    meant = replace(side, formula=Quotient(above, below.denominator))
    return holding(meant, side_of(right), sign) is not None


def _divides_by_all(side: ClaimSide, product: Product, right: Expression, sign: str) -> bool:
    """Whether it holds if all factors behind a stroke are divided by, which are the sizes of one thing as those before it are."""
    at = next((at for at, each in enumerate(product.factors) if isinstance(each, Quotient)), None)
    quotient = product.factors[at] if at is not None else None
    if at is None or not isinstance(quotient, Quotient) or at + 1 == len(product.factors):
        return False
    above = (*product.factors[:at], *(quotient.numerator.parts or (quotient.numerator,)))
    if len(set(above)) > 1 or len({quotient.denominator, *product.factors[at + 1 :]}) > 1:
        return False
    below = Product((quotient.denominator, *product.factors[at + 1 :]))
    meant = Quotient(Product(above) if len(above) > 1 else above[0], below)
    return holding(replace(side, formula=meant), side_of(right), sign) is not None


def _holds_behind(side: ClaimSide, last: Product, right: Expression, sign: str) -> bool:
    """Whether it holds if what multiplies the last term multiplies all of them."""
    assert isinstance(side.formula, Sum)
    first, *rest = last.factors
    meant = Product((Sum((*side.formula.terms[:-1], first)), *rest))
    return bool(_literals_of(first, side)) and holding(replace(side, formula=meant), side_of(right), sign) is not None


def _literals_of(formula: Formula, side: ClaimSide) -> list[Literal]:
    return [side.literals[letter] for letter in formula.letters & side.literals.keys()]

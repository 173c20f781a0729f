"""Puts a gap into words: by how much the stated side is too small or too large, and the causes that add up to it, one on each line."""

from __future__ import annotations

from fractions import Fraction
from math import log10

from symparam.core.algebra.polynomial import polynomial
from symparam.core.combining import summed
from symparam.core.formula import Formula, Negative, Product, Sum, write
from symparam.core.notation import decimal_places
from symparam.documents.checking.sides.shown_digits import with_power_of_ten
from symparam.documents.gaps.gap import Gap
from symparam.writing.findings.worded import WordedCause
from symparam.writing.wording import Wording

_MOST_DIGITS = 60  # Digits of a number that is written out; nobody reads more, and Python itself refuses more than 4,300.
_MOST_DECIMALS = 12
_FINEST = 100  # An exact gap has at most two more decimals than the stated number.
_FINER = 1000  # A gap below the last digit is shown with three more.


def difference(gap: Gap, wording: Wording) -> str:
    """``short by 673,536`` or ``too much by 2NH``; empty if there is no amount.

    A formula whose terms have different signs may be either, depending on the values of its letters; it is shown as it is.
    """
    if gap.value:
        below = gap.value < 0
        amount = _at_the_digits(-gap.value if below else gap.value, gap, wording)
        if gap.formula is not None:
            formula = write(_negated(gap.formula) if below else gap.formula, wording.notation)
            amount = wording.fill("amount-and-formula", amount=amount, formula=formula)
        return _by(below, amount, wording)
    if gap.formula is None:
        return ""
    terms = polynomial(gap.formula.expr)
    signs = {coefficient < 0 for coefficient in terms.terms.values()} if terms else {False, True}
    if len(signs) == 2:
        return wording.fill("stated-minus-right", formula=write(gap.formula, wording.notation))
    (below,) = signs
    return _by(below, write(_negated(gap.formula) if below else gap.formula, wording.notation), wording)


def _at_the_digits(value: int | Fraction, gap: Gap, wording: Wording) -> str:
    """The amount in its unit: exact if it has few decimals, otherwise rounded to the last digit of the stated number."""
    amount = number(value, wording)
    if gap.last_digit is not None and (value * _FINEST / gap.last_digit).denominator != 1:
        last = gap.last_digit if value >= gap.last_digit else gap.last_digit / _FINER
        amount = wording.fill("about", digits=number(round(value / last) * last, wording))
    return f"{amount} {gap.unit}" if gap.unit else amount


def _by(below: bool, amount: str, wording: Wording) -> str:
    return wording.fill("short-by" if below else "too-much-by", amount=amount)


def rows(causes: tuple[WordedCause, ...], wording: Wording) -> list[tuple[str, str]]:
    """The amount of each cause, which is empty for a slip, and the cause in words."""
    return [(_amount(cause, wording), _and_formula(cause, wording)) for cause in causes]


def listed(causes: tuple[WordedCause, ...], wording: Wording) -> list[str]:
    """The causes below each other, with their signed amounts in a column, so that one sees them add up."""
    written = rows(causes, wording)
    column = max((len(amount) for amount, _ in written), default=0)
    return [(f"{amount:>{column}}  " if column else "") + what for amount, what in written]


def number(value: int | Fraction, wording: Wording) -> str:
    """The number as one writes it: ``−673,536``, ``2.5``, ``7/3``; for a number of very many digits only its order of magnitude."""
    notation = wording.notation
    if max(abs(value.numerator), value.denominator).bit_length() * log10(2) > _MOST_DIGITS:
        minus, exponent = (notation.minus if value < 0 else ""), round(log10(abs(value.numerator)) - log10(value.denominator))
        digits = f"10^{exponent}" if abs(exponent) > _MOST_DECIMALS else f"{abs(float(value)):,.4g}"
        return wording.fill("about", digits=minus + digits)
    sign, size = (notation.minus, -value) if value < 0 else ("", value)
    if size.denominator == 1 and (short := with_power_of_ten(size.numerator)):
        return sign + short
    try:
        if decimal_places(size.denominator) <= _MOST_DECIMALS:
            return sign + notation.number(size)
    except ValueError:  # Its decimal expansion does not end.
        pass
    return f"{sign}{size.numerator:,}/{size.denominator:,}"


def _amount(cause: WordedCause, wording: Wording) -> str:
    if cause.value is not None:
        return number(cause.value, wording)
    return write(cause.formula, wording.notation) if cause.formula is not None else ""


def _and_formula(cause: WordedCause, wording: Wording) -> str:
    if cause.value is None or cause.formula is None:
        return cause.what
    return wording.fill("at", what=cause.what, path=write(cause.formula, wording.notation))


def _negated(formula: Formula) -> Formula:
    """The formula with the opposite sign, added terms first; one that begins with a minus is negated: ``(N + 2)H`` for ``(−N − 2)H``."""
    match formula:
        case Negative(operand):
            return operand
        case Sum(terms):
            return summed(*sorted(map(_negated, terms), key=lambda term: isinstance(term, Negative)))
        case Product(factors):
            at = next((at for at, each in enumerate(factors) if isinstance(each, Sum) and isinstance(each.terms[0], Negative)), None)
            if at is not None:
                return Product((*factors[:at], _negated(factors[at]), *factors[at + 1 :]))
    return Negative(formula)

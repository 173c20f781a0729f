"""Finds the stated total of which a percentage beside a number is the share."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from symparam.core.formula import Number, Quotient, number
from symparam.core.frozen import frozen
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.numbers import Judgement, judge
from symparam.documents.checking.readings import Side
from symparam.documents.reading.expression import Expression
from symparam.errors import FormulaError


@frozen
class Share:
    """A number and the percentage beside it."""

    value: Fraction
    written: str
    percent: Expression


def share_of(share: Share, totals: Iterable[Fraction]) -> tuple[Fraction, Judgement] | None:
    """The first total of which the number is this share; None if there is none, which proves nothing."""
    for total in totals:
        if total <= share.value or share.value <= 0 or not _is_near(share, total):
            continue
        try:
            found = judge(Side(Quotient(number(share.value), Number(total)), {}), Side(share.percent.formula, share.percent.literals), "=")
        except FormulaError:
            continue  # Too large.
        if found.verdict is Verdict.HOLDS and found.code in ("exact", "rounded", "truncated"):
            return total, found
    return None


def _is_near(share: Share, total: Fraction) -> bool:
    """Whether the percentage is roughly right; only then is it checked exactly."""
    literal = share.percent.literal
    return literal is None or abs(100 * share.value - literal.value * total) <= 2 * literal.last_digit * total

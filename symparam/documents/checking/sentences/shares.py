"""Finds the total to which a percentage next to a number refers: ``56.7M params, 48.4 %`` on a page with a total.

Such a claim holds if the numbers agree; it is never called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise

from symparam.core.formula import Number, Quotient, number
from symparam.core.frozen import frozen
from symparam.documents.checking.entries.labelled_quantities import is_percent
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.words import words_of
from symparam.documents.words.scripts import joined
from symparam.errors import FormulaError

_BETWEEN = 40  # Characters between two numbers that words relate.
_LEAST_DIGITS = 2  # A percentage with one digit fits by chance.
_HOLDS = ("exact", "rounded", "truncated", "unit", "digits")
_END = sentence_end("\n|")
_BESIDE = re.compile(rf"[^\d(（)）|,，]{{0,24}}+[,，(（](?>(?:[\s~≈*]|{joined(words_of('about'), unspaced=True)})*)")
"""What stands between a number and its share: `` params, ``, `` per block (``."""


@frozen
class Share:
    """A number and the percentage beside it, and what the number counts."""

    value: Fraction
    written: str
    percent: Expression
    counted: str = ""


def share_of(share: Share, totals: Iterable[Fraction]) -> tuple[Fraction, Judgement] | None:
    """The first total of which the number is this share; None if there is none, which proves nothing."""
    for total in totals:
        if total <= share.value or share.value <= 0 or not _is_near(share, total):
            continue
        try:
            quotient = ClaimSide(Quotient(number(share.value), Number(total)), {})
            found = judge_numbers(quotient, ClaimSide(share.percent.formula, share.percent.literals), "=")
        except FormulaError:
            continue  # Too large.
        if found.verdict is Verdict.HOLDS and found.code in ("exact", "rounded", "truncated"):
            return total, found
    return None


def _is_near(share: Share, total: Fraction) -> bool:
    """Whether the percentage is roughly right; only then is it checked exactly."""
    literal = share.percent.literal
    return literal is None or abs(100 * share.value - literal.value * total) <= 2 * literal.last_digit * total


def shares_beside_numbers(amounts: Sequence[Expression], text: str) -> Iterator[Share]:
    """The numbers of a line that have a percentage after them, ``56.7M params, 48.4 %``, which may be their share of a total."""
    for one, percent in pairwise(amounts):
        value = usual_value(one.formula, one) if _is_share(percent) and not is_percent(one) else None
        if value is not None and percent.start - one.end <= _BETWEEN and _BESIDE.fullmatch(text, one.end, percent.start):
            yield Share(value, text[one.start : one.end], percent, counted_by(one))


def counted_by(number: Expression) -> str:
    """What the unit of a number counts."""
    return ClaimSide(number.formula, number.literals).counted


def _is_share(number: Expression) -> bool:
    """Whether it is a percentage with enough digits to agree with nothing by chance."""
    return is_percent(number) and (number.literal is None or number.literal.digits >= _LEAST_DIGITS)

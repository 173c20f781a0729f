"""Finds the whole to which a percentage next to a number refers: a stated total, or the number that words name.

``77.3M out of 124M (62 %)``, ``31 % of the 124M`` after the number that is meant, and ``56.7M params, 48.4 %`` on a page with a total.
Such a claim holds if the numbers agree; it is never called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

from symparam.core.formula import Number, Quotient, number
from symparam.core.frozen import frozen
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.labelled_quantities import is_percent
from symparam.documents.checking.list_parsing import usual_value
from symparam.documents.checking.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.errors import FormulaError

_BETWEEN = 40  # Characters between two numbers that words relate.
_LEAST_DIGITS = 2  # A percentage with one digit fits by chance.
_HOLDS = ("exact", "rounded", "truncated", "unit", "digits")
_END = re.compile(r"[.;!?](?=\s)|[。；！？\n|]")
_BESIDE = re.compile(r"[^\d(（)）|,，]{0,24}+[,，(（][\s~≈约*]*+")  # Between a number and its share: " params, ", " per block (".


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


@frozen
class ShareClaim:
    """A share that words state: ``percent`` is ``left``, a quotient of two numbers of the page."""

    left: str
    percent: Expression
    judgement: Judgement


def numbers_with_shares(amounts: Iterable[Expression]) -> list[Expression]:
    """The numbers in which chains end, each with the percentages in the brackets behind it."""
    return [each for end in amounts for each in (end, *(repeat.literal for repeat in end.repeats if is_percent(repeat.literal)))]


def share_claims(amounts: Sequence[Expression], above: Sequence[Expression], text: str, start: int) -> Iterator[ShareClaim]:
    """The shares that words state on a line that begins at ``start``, of its numbers in their order and the last results ``above``."""
    if not any(map(is_percent, amounts)):
        return
    for index, percent in enumerate(amounts):
        if not _is_share(percent):
            continue
        before = [each for each in amounts[:index] if not is_percent(each)][-2:]
        behind = [each for each in amounts[index + 1 : index + 2] if not is_percent(each)]
        found = None
        if len(before) == 2 and _are_one_of_the_other(before[0], before[1], text) and _follows(before[1], percent, text):
            found = _held(before[0], before[1], percent, text) or _held(before[1], before[0], percent, text)
        elif before and above and _follows(before[-1], percent, text) and _is_whole_of_above(before[-1], text, start):
            found = _held(above[-1], before[-1], percent, text)
        elif behind and (before or above) and _are_one_of_the_other(percent, behind[0], text):
            found = _held((before or above)[-1], behind[0], percent, text)
        if found is not None and applies("share-in-words", percent.start):
            yield found


def shares_beside_numbers(amounts: Sequence[Expression], text: str) -> Iterator[Share]:
    """The numbers of a line that have a percentage behind them, ``56.7M params, 48.4 %``, which may be their share of a total."""
    for one, percent in pairwise(amounts):
        value = usual_value(one.formula, one) if _is_share(percent) and not is_percent(one) else None
        if value is not None and percent.start - one.end <= _BETWEEN and _BESIDE.fullmatch(text, one.end, percent.start):
            yield Share(value, text[one.start : one.end], percent)


def _is_share(number: Expression) -> bool:
    """Whether it is a percentage with enough digits to agree with nothing by chance."""
    return is_percent(number) and (number.literal is None or number.literal.digits >= _LEAST_DIGITS)


def _are_one_of_the_other(one: Expression, other: Expression, text: str) -> bool:
    between = text[one.end : other.start]
    apart = len(between) > _BETWEEN or any(map(str.isdecimal, between)) or _END.search(between)
    return not apart and words("out_of").in_text(between)


def _is_whole_of_above(one: Expression, text: str, start: int) -> bool:
    """Whether words before the number say so: ``占总参数（124M）的 31 %``."""
    return words("share_of_above").in_text(_END.split(text[max(start, one.start - _BETWEEN) : one.start])[-1])


def _follows(one: Expression, percent: Expression, text: str) -> bool:
    return percent.start - one.end <= _BETWEEN and not _END.search(text, one.start, percent.start)


def _held(part: Expression, whole: Expression, percent: Expression, text: str) -> ShareClaim | None:
    one, other = side_of(part), side_of(whole)
    shown = (re.split("[(（]", text[each.start : each.end].strip("(（）)"), maxsplit=1)[0].rstrip() for each in (part, whole))
    try:
        found = judge_numbers(ClaimSide(Quotient(one.formula, other.formula), {**one.literals, **other.literals}), side_of(percent), "=")
    except FormulaError:
        return None  # Too large, or divided by zero.
    found = replace(found, rules=(*found.rules, "share-in-words"))
    return ShareClaim(" / ".join(shown), percent, found) if found.verdict is Verdict.HOLDS and found.code in _HOLDS else None

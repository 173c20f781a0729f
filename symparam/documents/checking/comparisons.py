"""Judges comparisons in words of two quantities of the page: a share, a factor, a difference in percent, a rate times a count. Such a claim
holds if the numbers that it is about are known and agree; it is never called wrong, as words leave too much open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import permutations

from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum
from symparam.core.frozen import frozen
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.labelled_quantities import LabelledQuantities, LabelledQuantity, digits_of, is_percent, last_clause
from symparam.documents.checking.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.words import words
from symparam.errors import FormulaError

_MOST_NEAR = 4  # Quantities on the line or directly above it that are compared.
_BEFORE, _BEHIND = 80, 60  # Characters around a number in which words describing it are looked for.
_LIKELY = 20  # If words claim a relation, at most one in this many pairs may satisfy it by chance, in the digits that are shown.
_SHARE = re.compile(r"[\s)*`]*(?P<of>[^\W\d_]{2,3})\s+(?P<whole>[^.,;:()\d|]{2,60})")
_SHARE_BEFORE = re.compile(r"(?P<part>[^，。；：,;:()（）|]{1,40})占(?:了|据|到|比)?(?P<whole>[^，。；：,;:()（）\d|]{0,40})$")
_ABOUT = " \t\n*`约~≈"  # Characters between a share and the words before it.
_FACTOR = re.compile(r"\s?-?([^\W\d_]+|×)(?![\w(×*])(?!\s*[\d(])")
_RATE = re.compile(r"[\s*`]*(?:/|per|pro|par|por|je|每个?)\s?(?P<each>[^\W\d_]{3,12})", re.IGNORECASE)
_COUNT = re.compile(r"[\s-]*(?P<each>[^\W\d_]{3,12})")


@frozen
class ComparisonClaim:
    """A claim in words: ``left`` is its calculation in the numbers of the page."""

    left: str
    right: Expression
    judgement: Judgement


def comparison_claims(
    lone: Sequence[LabelledQuantity], text: str, line: tuple[int, int], quantities: LabelledQuantities, near: Sequence[LabelledQuantity]
) -> Iterator[ComparisonClaim]:
    """The comparisons that the words of a line make about the single quantities in it. ``near`` are the quantities of the line and directly
    above it.
    """
    for quantity in lone:
        number = quantity.expression
        before = text[max(line[0], number.start - _BEFORE) : number.start]
        behind = text[number.end : min(line[1], number.end + _BEHIND)]
        if is_percent(number):
            found = _share(number, before, behind, quantities, text) or _difference(number, before + behind, near, text)
        elif number.literal is not None and number.literal.unit is not None:
            found = _rate(number, near, text)
        elif (factor := _FACTOR.match(behind)) and (factor[1] == "×" or words("times").is_one(factor[1])):
            found = _pair(number, near, text, lambda one, other: Quotient(one, other), "{} / {}")
        else:
            continue
        if found is not None:
            yield found


def _share(number: Expression, before: str, behind: str, quantities: LabelledQuantities, text: str) -> ComparisonClaim | None:
    """A share, ``The MLP is 87.7 % of the block``, if the page states the size of both."""
    match = _SHARE_BEFORE.search(before.rstrip(_ABOUT)) or _SHARE.match(behind)
    if match is None or ("of" in match.groupdict() and not words("share_of").is_one(match["of"])):
        return None
    part = match["part"] if "part" in match.groupdict() else last_clause(before)
    one, whole = quantities.by_label(part), quantities.by_label(match["whole"])
    if one is None or whole is None or one[0] is whole[0]:
        return None
    return _judged(number, one[0], whole[0], lambda first, second: Quotient(first, second), "{} / {}", text)


def _difference(number: Expression, around: str, near: Sequence[LabelledQuantity], text: str) -> ComparisonClaim | None:
    """A difference in percent: ``22 % less``, ``saves 44 %``."""
    if words("less").in_text(around):
        return _pair(number, near, text, lambda one, other: Sum((Number(1), Negative(Quotient(one, other)))), "1 − {} / {}")
    if words("more").in_text(around):
        return _pair(number, near, text, lambda one, other: Sum((Quotient(one, other), Negative(Number(1)))), "{} / {} − 1")
    return None


def _rate(number: Expression, near: Sequence[LabelledQuantity], text: str) -> ComparisonClaim | None:
    """A rate times a count: ``320 KB per token``, and ``at 8k tokens: 2.6 GB``."""
    before = [each for each in near if each.expression.end < number.start and _alike(each.expression, number)]
    rates = [(each, match) for each in before if (match := _RATE.match(text, each.expression.end))]
    for rate, each in rates[-_MOST_NEAR:]:
        behind = [count for count in near if count.expression.start != number.start and count.expression.end > rate.expression.end]
        counted = [(count, match) for count in behind if (match := _COUNT.match(text, count.expression.end))]
        counts = [count for count, match in counted if _singular(match["each"]) == _singular(each["each"])]
        for count in sorted(counts, key=lambda count: abs(count.expression.start - number.start))[:2]:
            found = _judged(number, rate, count, lambda one, other: Product((one, other)), "{} × {}", text)
            if found is not None:
                return found
    return None


def _singular(word: str) -> str:
    return word.lower().removesuffix("s")


Relating = Callable[[Formula, Formula], Formula]


def _pair(number: Expression, near: Sequence[LabelledQuantity], text: str, relating: Relating, written: str) -> ComparisonClaim | None:
    """The two nearby quantities that a factor or percentage relates, unless some pair would be likely to fit by chance."""
    others = [each for each in near if each.expression.start != number.start and each.is_named and each.value]
    here = [each for each in others if "\n" not in text[min(each.expression.end, number.end) : max(each.expression.start, number.start)]]
    others = (here if len(here) > 1 else others)[-_MOST_NEAR:]
    pairs = [(one, other) for one, other in permutations(others, 2) if _alike(one.expression, other.expression)]
    digits = digits_of(number)
    for one, other in pairs:
        found = _judged(number, one, other, relating, written, text)
        if found is not None and (10**digits >= _LIKELY * len(pairs) or (len(others) == 2 and found.judgement.code != "truncated")):
            return found
    return None


def _judged(
    number: Expression, one: LabelledQuantity, other: LabelledQuantity, relating: Relating, written: str, text: str
) -> ComparisonClaim | None:
    formula = relating(one.side.formula, other.side.formula)
    try:
        judgement = judge_numbers(ClaimSide(formula, {**one.side.literals, **other.side.literals}), side_of(number), "=")
    except FormulaError:
        return None  # Too large, or divided by zero.
    if judgement.verdict is not Verdict.HOLDS or judgement.code not in ("exact", "rounded", "truncated", "unit"):
        return None
    shown = (text[each.expression.start : each.expression.end] for each in (one, other))
    return ComparisonClaim(written.format(*shown), number, judgement)


def _alike(one: Expression, other: Expression) -> bool:
    """Whether both count the same kind of thing, as far as their units say."""
    units = [each.literal.unit.counted if each.literal is not None and each.literal.unit is not None else "" for each in (one, other)]
    return units[0] == units[1]

"""Tells numbers that are wrong by themselves from those that follow from another wrong number of the page by right arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number
from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.finding import Verdict
from symparam.errors import FormulaError


@frozen
class Slip:
    """A wrong number of the page with the right one."""

    stated: Fraction
    right: Fraction
    start: int

    @property
    def difference(self) -> Fraction:
        """By how much it is too large."""
        return self.stated - self.right


def slips_in(claims: Iterable[JudgedClaim]) -> dict[int, Slip]:
    """The wrong numbers of which the right value is known, by their place; a sum that is wrong says nothing of the number itself."""
    return {
        each.finding.right_start: Slip(each.stated, each.computed, each.finding.right_start)
        for each in claims
        if each.finding.verdict is Verdict.WRONG and each.stated is not None and each.computed is not None and not each.parts
    }


def without_consequences(
    found: Iterable[JudgedClaim], calculated: Iterable[JudgedClaim], slips: Mapping[int, Slip], line_of: Callable[[int], int]
) -> list[JudgedClaim]:
    """The findings, where a wrong part is undecided if the page calculates it, rightly, from a wrong number with the right value of which
    it would be right: the sum of rows above, twelve times a layer. A wrong total stays wrong, explained by such parts; ``line_of`` tells
    the line of an offset.
    """
    by_result: dict[int, list[JudgedClaim]] = {}
    for each in calculated:
        if each.finding.verdict is Verdict.HOLDS:
            by_result.setdefault(each.finding.right_start, []).append(each)
    return [
        _following(each, slip, line_of(slip.start)) if (slip := _origin(each, by_result.get(each.finding.right_start, []), slips)) else each
        for each in found
    ]


def _origin(wrong: JudgedClaim, ways: Iterable[JudgedClaim], slips: Mapping[int, Slip]) -> Slip | None:
    """The first wrong number from which the number follows, if all that is wrong with it does."""
    if wrong.finding.code != "wrong-component" or wrong.stated is None or wrong.computed is None:
        return None
    for way in ways:
        rows = [slips[part.start] for part in way.parts if part.start in slips]
        if rows and sum(each.difference for each in rows) == wrong.stated - wrong.computed:
            return rows[0]
        if way.left is None:
            continue
        before = {each.stated: each for each in slips.values() if each.start < wrong.finding.right_start}
        used = [before[number] for number in _numbers(way.left) if number in before]
        if used and _value(way.left, {each.stated: each.right for each in used}) == wrong.computed:
            return used[0]
    return None


def _following(claim: JudgedClaim, slip: Slip, line: int) -> JudgedClaim:
    reason = message("follows-from-wrong", line=line, stated=slip.stated, right=slip.right, said=claim.finding.reason)
    return JudgedClaim(replace(claim.finding, verdict=Verdict.UNDECIDED, code="open-component", reason=reason))


def _numbers(formula: Formula) -> Iterable[Fraction]:
    if isinstance(formula, Number):
        yield Fraction(formula.value)
    for part in formula.parts:
        yield from _numbers(part)


def _value(formula: Formula, right: Mapping[Fraction, Fraction]) -> Fraction | None:
    """The value of a calculation with the right numbers in place of the wrong ones."""
    try:
        return Fraction(evaluate(_with(formula, right), {}))
    except FormulaError:
        return None


def _with(formula: Formula, right: Mapping[Fraction, Fraction]) -> Formula:
    if isinstance(formula, Number):
        value = right.get(Fraction(formula.value))
        return formula if value is None or value.denominator != 1 else Number(value.numerator)
    return formula.with_parts(tuple(_with(part, right) for part in formula.parts)) if formula.parts else formula

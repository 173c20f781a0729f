"""Holds a page against the released model that it names in its headings or first lines, if the reader does not say what it is about.

It is held lightly: only a page with several numbers of the model is about it, and nothing that differs is called wrong. The numbers of
other pages are noticed and not judged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symparam.core.message import Message, message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.judged_claim import JudgedClaim
from symparam.documents.checking.line_checker import LineChecker

_LEAST_FIT = 3  # Different numbers that a page has in common with its model.
_LEAST_DIGITS = 5  # Digits of a number that two pages hardly share by chance.


def may_name_model(checker: LineChecker) -> bool:
    """Whether the page has enough exact numbers to show that it is about a model."""
    least = 10 ** (_LEAST_DIGITS - 1)
    return len({each.value for each in checker.quantities.stated if (each.expression.exact or 0) >= least}) >= _LEAST_FIT


def softened_findings(
    checker: LineChecker, judged: Iterable[JudgedClaim], name: str, place: int
) -> tuple[list[JudgedClaim], Message | None]:
    """The findings against a model that the page names, and the remark that says so; none if the page has too few of its numbers.

    What differs from the model is undecided, and formulas are left out.
    """
    numbers = {each.expression.start for each in checker.quantities.stated} | {each.entry.start for each in checker.totals}
    every = [each for each in judged if each.finding.start in numbers]
    fits = {each.finding.right for each in every if each.finding.verdict is Verdict.HOLDS}
    if len([right for right in fits if _digits(right) >= _LEAST_DIGITS]) < _LEAST_FIT:
        return [], None
    line = checker.document.source.place(place)[0]
    return [_lightly(each, name) for each in every], message("model-of-page", name=name, line=line)


def not_held(noticed: Iterable[JudgedClaim], name: str) -> list[JudgedClaim]:
    """The numbers of a page that has too few of those of the model it names to be about it."""
    reason = message("too-few-of-model", name=name)
    return [JudgedClaim(replace(each.finding, code="not-judged", reason=reason)) for each in noticed]


def _digits(written: str) -> int:
    return sum(map(str.isdecimal, written)) if written.replace(",", "").replace("_", "").isdecimal() else 0


def _lightly(judged: JudgedClaim, name: str) -> JudgedClaim:
    finding = judged.finding
    if finding.verdict is not Verdict.WRONG:
        return judged
    reason = message("if-about-it", said=finding.reason, name=name)
    return JudgedClaim(replace(finding, verdict=Verdict.UNDECIDED, code="unclear-subject", reason=reason))

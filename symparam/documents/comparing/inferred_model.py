"""Compares a page with the released model that it names in its headings or first lines, if the user does not say what it is about.

The comparison is cautious: a page is taken to be about the model only if it has several counts of the model in full, or names it at its
beginning and states several of its sizes or rounded counts, and nothing that differs is called wrong. On other pages numbers are noticed
but not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from symparam.core.message import Message, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.models.resolution import Resolved

_LEAST_FIT = 3  # Different numbers that a page has in common with its model.
_LEAST_DIGITS = 5  # A number with so many digits is hardly on two pages by chance.
_LEAST_TOGETHER = 8  # Digits of all numbers that fit the model, of a page that names it at its beginning: 110M, 23.8M, 85.1M.
_BEGINNING = 600  # Characters in which a page says what it is about.
_MOST_SAID = 3  # Names of models that a reason quotes.
_LEAST_SIZE = 100  # A smaller size, such as 12 layers or 8 heads, hardly shows which model it is.
_WHOLE = re.compile(r"(?<![\w.,])\d[\d,]{2,12}(?!\w|\.\d)")


def may_be_about(checker: LineChecker, place: int) -> bool:
    """Whether the page names the model at its beginning, or has exact numbers enough to be about a model that it names further below."""
    least = 10 ** (_LEAST_DIGITS - 1)
    exact = {each.value for each in checker.quantities.stated if (each.expression.exact or 0) >= least}
    return place <= _BEGINNING or len(exact) >= _LEAST_FIT


def softened_findings(
    checker: LineChecker, judged: Iterable[JudgedClaim], chosen: Resolved, name: str, place: int
) -> tuple[list[JudgedClaim], Message | None]:
    """The findings against a model that the page names, and the remark that says so; none if the page does not turn out to be about it.

    What differs from the model is undecided, and formulas are left out.
    """
    digits = {each.entry.start: _digits(each.entry.text) for each in checker.totals}
    digits |= {each.expression.start: digits_of(each.expression) for each in checker.quantities.stated}
    every = [each for each in judged if each.finding.start in digits]
    fits = {each.finding.right: digits[each.finding.start] for each in every if each.finding.verdict is Verdict.HOLDS}
    at_beginning = place <= _BEGINNING
    if not (
        len([count for count in fits.values() if count >= _LEAST_DIGITS]) >= _LEAST_FIT
        or (at_beginning and len(fits) >= _LEAST_FIT and sum(fits.values()) >= _LEAST_TOGETHER)
        or (at_beginning and _states_sizes(checker.text, chosen.model.values))
    ):
        return [], None
    line = checker.document.source.place(place)[0]
    return [_lightly(each, name) for each in every], message("model-of-page", name=name, line=line)


def _states_sizes(text: str, values: Mapping[str, object]) -> bool:
    """Whether three sizes of the model stand on the page, of at least 100 and not all powers of two."""
    sizes = {value for value in values.values() if isinstance(value, int) and value >= _LEAST_SIZE}
    stated = {int(digits) for match in _WHOLE.finditer(text) if (digits := match[0].replace(",", ""))} & sizes
    return len(stated) >= _LEAST_FIT and any(size & (size - 1) for size in stated)


def not_held(noticed: Iterable[JudgedClaim], name: str, *others: str) -> list[JudgedClaim]:
    """The undecided findings on the numbers of a page that has too few of the model's numbers to be about the model it names, or names
    ``others`` as well.
    """
    named = (name, *others[: _MOST_SAID - 1])
    reason = message("several-models", names=named, count=len(others) + 1) if others else message("too-few-of-model", name=name)
    return [JudgedClaim(replace(each.finding, code="not-judged", reason=reason)) for each in noticed]


def _digits(written: str) -> int:
    return sum(map(str.isdecimal, written)) if written.replace(",", "").replace("_", "").isdecimal() else 0


def _lightly(judged: JudgedClaim, name: str) -> JudgedClaim:
    finding = judged.finding
    if finding.verdict is not Verdict.WRONG:
        return judged
    reason = message("if-about-it", said=finding.reason, name=name)
    return JudgedClaim(replace(finding, verdict=Verdict.UNDECIDED, code="unclear-subject", reason=reason))

"""Compares a page with the released model that it names in its headings or first lines, if the user does not say what it is about.

The comparison is cautious: a page is taken to be about the model only if it states several sizes of the model, or several of its counts in
full, and nothing that differs is called wrong. On other pages numbers are noticed but not judged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from symparam.core.message import Message, message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.judged_claim import JudgedClaim
from symparam.documents.checking.line_checker import LineChecker

_LEAST_FIT = 3  # Different numbers that a page has in common with its model.
_LEAST_DIGITS = 5  # A number with so many digits is hardly on two pages by chance.
_BEGINNING = 600  # Characters in which a page says what it is about.
_LEAST_SIZE = 100  # A smaller size, such as 12 layers or 8 heads, hardly shows which model it is.
_WHOLE = re.compile(r"(?<![\w.,])\d[\d,]{2,12}(?!\w|\.\d)")


def states_sizes(text: str, values: Mapping[str, object], place: int) -> bool:
    """Whether a page names the model at its beginning and states three of its sizes, of at least 100 and not all powers of two."""
    if place > _BEGINNING:
        return False
    sizes = {value for value in values.values() if isinstance(value, int) and value >= _LEAST_SIZE}
    stated = {int(digits) for match in _WHOLE.finditer(text) if (digits := match[0].replace(",", ""))} & sizes
    return len(stated) >= _LEAST_FIT and any(size & (size - 1) for size in stated)


def has_exact_numbers(checker: LineChecker) -> bool:
    """Whether the page has enough exact numbers to show that it is about a model."""
    least = 10 ** (_LEAST_DIGITS - 1)
    return len({each.value for each in checker.quantities.stated if (each.expression.exact or 0) >= least}) >= _LEAST_FIT


def softened_findings(
    checker: LineChecker, judged: Iterable[JudgedClaim], name: str, place: int, is_about_it: bool
) -> tuple[list[JudgedClaim], Message | None]:
    """The findings against a model that the page names, and the remark that says so.

    There are none if it is not known that the page is about the model and too few of its numbers are the model's. What differs from the
    model is undecided, and formulas are left out.
    """
    numbers = {each.expression.start for each in checker.quantities.stated} | {each.entry.start for each in checker.totals}
    every = [each for each in judged if each.finding.start in numbers]
    fits = {each.finding.right for each in every if each.finding.verdict is Verdict.HOLDS}
    if not is_about_it and len([right for right in fits if _digits(right) >= _LEAST_DIGITS]) < _LEAST_FIT:
        return [], None
    line = checker.document.source.place(place)[0]
    return [_lightly(each, name) for each in every], message("model-of-page", name=name, line=line)


def not_held(noticed: Iterable[JudgedClaim], name: str) -> list[JudgedClaim]:
    """The undecided findings on the numbers of a page that has too few of the model's numbers to be about the model it names."""
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

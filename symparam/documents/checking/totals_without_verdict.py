"""Finds numbers of the model that have no verdict yet, so that none is skipped, and notices a model that does not fit the page."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from symparam.core.message import Message, message
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.judged_claim import JudgedClaim
from symparam.documents.checking.line_checker import LineChecker
from symparam.documents.checking.list_entry import ListEntry
from symparam.models.resolution import Resolved

_LEAST = 1_000  # A smaller number is hardly the total of a model.
_LEAST_ALL = 3  # Numbers that have to differ before the model is doubted.


def totals_without_verdict(checker: LineChecker, chosen: Resolved, judged: Iterable[JudgedClaim]) -> Iterator[JudgedClaim]:
    """A finding on each number or formula that the page calls a total and that is in none of the claims in ``judged``."""
    claims = sorted((each.finding.start, each.finding.end) for each in judged)
    starts = [start for start, _ in claims]
    ends = [*accumulate((end for _, end in claims), max)]
    name = chosen.model.architecture.class_name
    for quantity in (*checker.quantities.stated, *checker.quantities.formulas):
        expression = quantity.expression
        label = quantity.own_words
        unit = expression.literal.unit if expression.literal else None
        is_number = not expression.letters
        before = bisect_right(starts, expression.start)
        if (before and ends[before - 1] > expression.start) or not ListEntry.says_total(label) or (unit is not None and unit.counted):
            continue
        if (is_number and (quantity.value or 0) < _LEAST) or (not is_number and expression.is_name):
            continue
        text = checker.record.text_of(expression)
        left, reason = message("part-of", label=label, name=name), message("total-of-what")
        place = expression.start, expression.end, expression.start
        yield JudgedClaim(Finding(*place, text, left, text, "=", Verdict.UNDECIDED, "unclear-subject", reason))


def other_model_remark(chosen: Resolved, fits: Sequence[bool]) -> Message | None:
    """The remark that the page seems to be about another model: ``fits`` says of each exact number of it whether the model has it."""
    if len(fits) < _LEAST_ALL or any(fits):
        return None
    name = chosen.model.origin or chosen.model.architecture.class_name
    return message("fits-nothing", count=len(fits), name=name)

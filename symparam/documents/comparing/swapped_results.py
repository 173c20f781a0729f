"""Finds two parts of a page whose numbers are swapped: each has the number that the model has for the other."""

from __future__ import annotations

from collections.abc import Iterator

from symparam.core.message import message
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, digits_of
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.recognised_part import RecognisedPart, is_stated
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole, line_reference
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.roles.clauses import words_behind
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.part_candidates import PartCandidate


def swapped_with(part: RecognisedPart, page: JudgedPage) -> tuple[RecognisedPart, PartCandidate] | None:
    """The part of the same section whose number this one has, and the value that this one is meant as, if both are wrong in this way.

    Their own words name both, before their numbers, and each number has several digits.
    """
    text = page.checker.text
    if not _may_be_swapped(part, text):
        return None
    for other in page.beside(part):
        is_another = other.label.parts != part.label.parts and other.stated != part.stated
        if is_another and _may_be_swapped(other, text):
            found = next(_exchanged(part, other), None)
            if found is not None:
                return other, found
    return None


def gap_of_swap(checker: LineChecker, part: RecognisedPart, other: RecognisedPart, right: PartCandidate) -> Gap:
    """The gap of a number that is swapped with that of the other part."""
    line = checker.document.source.place(other.quantity.expression.start)[0]
    said = line_reference(line, " ".join(other.words.split()), int_if_whole(other.stated))
    return Gap(int_if_whole(part.stated - right.value) if part.is_exact else None, None, (Cause(message("swapped", line=said)),))


def _may_be_swapped(part: RecognisedPart, text: str) -> bool:
    expression = part.quantity.expression
    is_named = bool(part.label.parts) and not (part.label.rest or part.label.before or part.is_inherited)
    if part.fits or part.formula is not None or not is_named or digits_of(expression) < EVIDENT:
        return False
    return bool(part.quantity.column) or not read_label(words_behind(text, expression.end)).parts


def _exchanged(part: RecognisedPart, other: RecognisedPart) -> Iterator[PartCandidate]:
    """The values of the first part that the other number is, in as many copies as the first number is one of the other part."""
    theirs = {copies for each in other.candidates if each.way == "whole" and is_stated(part, each.value) for copies in _copies(each)}
    for each in part.candidates:
        if each.way == "whole" and not theirs.isdisjoint(_copies(each)) and is_stated(other, each.value):
            yield each


def _copies(candidate: PartCandidate) -> tuple[str, ...]:
    """In how many copies it is: in all or in one, or both for a part that occurs once."""
    return ("all", "one") if not candidate.scope else ("all",) if candidate.scope == "in-all" else ("one",)

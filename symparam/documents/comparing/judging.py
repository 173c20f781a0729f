"""Judges the parts of a model that a page counts, by the modules of each: ``attention: 2.36M``, a row of a table, ``4H² + 4H``.

A number or a formula holds if it is the model's value for that part, in one layer or in all, under any of the usual ways of counting. It is
wrong if every word of its label is understood, other quantities beside it hold, and no way of counting leads to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import takewhile
from time import monotonic
from typing import TypeVar

from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import MAX_SECONDS, LineChecker
from symparam.documents.checking.sentences.quantity_extraction import in_column
from symparam.documents.comparing.judged_page import MOST_BESIDE, JudgedPage
from symparam.documents.comparing.measurands import RunSetting
from symparam.documents.comparing.measure_gaps import gap_of, rounded_gap
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.neighbours import (
    SEVERAL,
    counts_norms,
    has_biases,
    is_bare,
    mark_odd_ones,
    mark_without_biases,
    mark_without_norms,
)
from symparam.documents.comparing.own_results import mark_unlike_results
from symparam.documents.comparing.own_setting import bytes_of_rows
from symparam.documents.comparing.part_findings import part_finding
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.comparing.recognising import recognised_part
from symparam.documents.comparing.swapped_results import gap_of_swap
from symparam.documents.comparing.verdicts import verdict_on
from symparam.documents.reading.expression import Expression
from symparam.documents.roles.model_names import places_of_names
from symparam.documents.roles.parameter_gaps import PartGap
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.roles.runs import runs_of_rows
from symparam.documents.words import words
from symparam.models.resolution import Resolved

_BEHIND = 60  # Characters behind a number that may say that it is not counted.
_BEFORE = 40  # Characters before a number that may contain an equals sign.


@dataclass
class JudgedParts:
    """The judged parts of a page: ``judged`` holds them in its order, and ``wrong`` the numbers of parameters that differ from the model's.

    ``fits`` says of each exact number whether the model has it, and ``fits_by_place`` says the same by offset. ``not_parameters`` are the
    offsets of the numbers that measure something else. ``meant`` is the likely meaning of each exact number, by its offset, and
    ``is_without_biases`` says that the page leaves biases out of its parts; ``counts_norms`` says that it counts some norm. ``counted`` are
    the blocks of the parts that it has right, and ``counts_shared`` says that a head is among them, by itself, that shares its tensor with
    another of them.
    """

    judged: list[JudgedClaim] = field(default_factory=list)
    wrong: list[PartGap] = field(default_factory=list)
    fits: list[bool] = field(default_factory=list)
    fits_by_place: dict[int, bool] = field(default_factory=dict)
    not_parameters: frozenset[int] = frozenset()
    meant: dict[int, PartCandidate] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    is_without_biases: bool = False
    counts_norms: bool = False
    counts_shared: bool = False


def judge_parts(
    checker: LineChecker,
    chosen: Resolved,
    taken: frozenset[int],
    setting: RunSetting,
    with_formulas: bool = True,
    only: Set[int] | None = None,
    without: Set[int] = frozenset(),
) -> JudgedParts:
    """The parts that the page counts, each with its verdict; ``taken`` are the places of numbers already found wrong by themselves.

    ``with_formulas`` says that formulas are judged, too. The numbers are those at the places in ``only``, if given, and ``without`` are
    places of numbers that are about other models.
    """
    model = NamedModel(chosen)
    measured = MeasuredModel(chosen, setting, checker.knowledge)
    names = dict(places_of_names(checker.text))
    starts = sorted(names)
    numbers = (each for each in checker.quantities.stated if each.expression.start not in without)
    numbers = (each for each in numbers if only is None or each.expression.start in only)
    stated = [each for each in numbers if not _is_a_name(checker.text, each.expression, starts, names)]
    stated = [*map(_below_head, stated), *(checker.quantities.formulas if with_formulas else ())]
    rows, runs = bytes_of_rows(stated), runs_of_rows(checker.text)
    last = monotonic() + MAX_SECONDS
    recognised = (recognised_part(each, checker.text, model, measured, rows, runs) for each in stated)
    known = [part for part in _until(last, recognised) if part is not None]
    other = [part for part in known if part.measurand.measure != "parameters"]
    found = JudgedParts(not_parameters=frozenset(part.quantity.expression.start for part in other))
    lists, beside = _lists(known)
    for each in lists:
        mark_odd_ones(checker, each)
    mark_without_biases(checker, known)
    mark_without_norms(checker, known)
    mark_unlike_results(checker.knowledge, known)
    page = JudgedPage(checker, model, measured, known, ModelConflicts(checker, chosen))
    sure = [part for part in known if part.is_certain and part.measurand.measure == "parameters"]
    others = [part for part in sure if not any("norm" in name for name in part.label.parts)]  # Many count the biases of norms alone.
    found.is_without_biases = sum(map(is_bare, sure)) >= SEVERAL and not any(map(has_biases, others))
    found.counts_norms = any(map(counts_norms, sure))
    found.counts_shared = _counts_shared(model, known)
    for part, group in _until(last, zip(known, beside, strict=True)):
        judgement = verdict_on(part, page, group)
        if part.is_exact and part.formula is None and not part.label.rest:
            found.fits.append(bool(part.fits))
            found.fits_by_place[part.quantity.expression.start] = bool(part.fits)
            found.meant[part.quantity.expression.start] = (part.fits or part.candidates)[0]
            if part.fits and part.measurand.measure == "parameters" and not _is_left_out(part, checker.text):
                found.counted.update(part.fits[0].leaf_paths)
        if judgement is None or (part.quantity.expression.start in taken and judgement is not Verdict.HOLDS):
            continue
        finding = part_finding(checker, part, judgement, model, measured)
        if judgement is not Verdict.WRONG or part.right is None:
            found.judged.append(JudgedClaim(finding))
            continue
        if part.swapped is not None:
            found.judged.append(JudgedClaim(finding, gap=partial(gap_of_swap, checker, part, part.swapped, part.right)))
            continue
        if not part.is_exact:
            listed = {path for each in page.beside(part) for fit in each.candidates[:1] for path in fit.paths}
            found.judged.append(JudgedClaim(finding, gap=partial(rounded_gap, part, part.right, measured, listed)))
            continue
        sides = part.quantity.value, Fraction(part.right.value)
        found.judged.append(JudgedClaim(finding, stated=sides[0], computed=sides[1], gap=partial(gap_of, part, part.right, measured)))
        if part.measurand.measure == "parameters" and part.formula is None:
            found.wrong.append(_gap_of(checker, part, part.right, measured))
    return found if monotonic() <= last or not stated else replace(found, judged=[*found.judged, _stopped(checker, stated[-1])])


def _is_left_out(part: RecognisedPart, page: str) -> bool:
    """Whether words before the number, or behind it on its line, say that it is not counted: ``LM head: 38.6M (tied, so not counted)``."""
    end = part.quantity.expression.end
    return words("not_counted").in_text(f"{part.words} {page[end : end + _BEHIND].partition(chr(10))[0]}")


Each = TypeVar("Each")


def _until(last: float, every: Iterable[Each]) -> Iterator[Each]:
    """These one by one, as long as there is time."""
    return takewhile(lambda _: monotonic() <= last, every)


def _stopped(checker: LineChecker, quantity: LabelledQuantity) -> JudgedClaim:
    """The finding, at the last number of the page, that not all of them were compared."""
    start, end, text = quantity.expression.start, quantity.expression.end, checker.record.text_of(quantity.expression)
    reason = message("comparing-too-slow", seconds=MAX_SECONDS)
    return JudgedClaim(Finding(start, end, start, text, "", text, "=", Verdict.NOT_READ, "too-long", reason))


def _counts_shared(model: NamedModel, known: Sequence[RecognisedPart]) -> bool:
    """Whether the page counts a head, and beside it the table that shares its tensor, so that their sum counts that twice."""
    counted = [part.fits[0] for part in known if part.is_convincing and part.measurand.measure == "parameters"]
    heads = {path for each in counted if each.part == "language-model-head" for path in each.leaf_paths}
    others = {path for each in counted if each.part not in ("language-model-head", "model") for path in each.leaf_paths}
    return any(head in heads and table in others for head, table in model.shared_blocks)


def _below_head(quantity: LabelledQuantity) -> LabelledQuantity:
    """The quantity with the unit that the head of its column names, ``GB``; one byte changes nothing."""
    found = in_column(quantity.expression, quantity.column) if quantity.column else None
    literal = found.amounts[0].expression.literal if found is not None and found.amounts else None
    if found is None or literal is None or literal.unit is None or literal.unit.senses == (Fraction(1),):
        return quantity
    return replace(quantity, expression=found.amounts[0].expression)


def _is_a_name(text: str, number: Expression, starts: Sequence[int], ends: Mapping[int, int]) -> bool:
    """Whether it is a part of the name of a model, as in ``Gemma 2B``, or stands for one: ``8B has 32 layers``."""
    at = bisect_right(starts, number.start)
    if at and ends[starts[at - 1]] > number.start:
        return True
    behind = text[number.end : number.end + _BEFORE].removeprefix(" ")
    return number.literal is not None and behind[:1].isalpha() and words("has").begins(behind)


def _lists(known: Sequence[RecognisedPart]) -> tuple[list[list[RecognisedPart]], Iterator[list[RecognisedPart]]]:
    """The lists and columns of the parts, each of one measure, and for each part those of its list beside it, itself included."""
    found: dict[tuple[int, str, str, bool], list[RecognisedPart]] = {}
    places: list[tuple[list[RecognisedPart], int]] = []
    for part in known:
        key = part.quantity.section, part.quantity.column, part.measurand.measure, part.formula is not None
        beside = found.setdefault(key, [])
        places.append((beside, len(beside)))
        beside.append(part)
    return [*found.values()], (each[max(0, at - MOST_BESIDE) : at + MOST_BESIDE + 1] for each, at in places)


def _gap_of(checker: LineChecker, part: RecognisedPart, right: PartCandidate, measured: MeasuredModel) -> PartGap:
    anywhere = (*part.candidates, *measured.candidates(part.measurand, "", replace(part.label, scope=""), in_letters=False))
    whole = max((each.value for each in anywhere if each.way == right.way and each.part == right.part), default=right.value)
    line = checker.document.source.place(part.quantity.expression.start)[0]
    return PartGap(" ".join(part.words.split()), line, gap_of(part, right, measured), Fraction(whole) / right.value, right)

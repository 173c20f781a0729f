"""Compares the author's total with the architecture's: finds it in the document, and explains the difference module by module."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace
from fractions import Fraction
from functools import partial

from symparam.analysis.measures.parameters import parameters
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Sum
from symparam.core.message import Message, Modules, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import is_round, last_clause
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker, StatedTotal
from symparam.documents.comparing import objections
from symparam.documents.comparing.carried_errors import Slip, slips_in, without_consequences
from symparam.documents.comparing.formula_of_total import judge_formula_of_total
from symparam.documents.comparing.judging import JudgedParts, judge_parts
from symparam.documents.comparing.measurands import RunSetting
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.named_model import HEADS, NamedModel
from symparam.documents.comparing.other_models import (
    by_positions,
    model_with_count,
    vocabulary_with_count,
    with_classifier,
)
from symparam.documents.comparing.other_subjects import NO_OTHERS, about_others, judge_others, other_subjects, without_others
from symparam.documents.comparing.parameter_counts import (
    ROUNDED,
    count_reason,
    extra_trained_parameters,
    is_count,
    judge_contradicted_exclusions,
    judge_parameter_counts,
    judge_with_exclusions,
    reason_with_extra,
    says_of_ties,
    without_biases,
    without_norms,
)
from symparam.documents.comparing.part_shares import judge_shares
from symparam.documents.comparing.without_verdict import other_model_remark, without_verdict
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.gaps.modules.explain import explain_total
from symparam.documents.gaps.modules.total_terms import TotalTerm
from symparam.documents.roles.clauses import introduction, words_behind
from symparam.documents.roles.exclusions import excluded_labels
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.parameter_gaps import explain_by_parts, part_gap
from symparam.documents.words import words
from symparam.errors import FormulaError
from symparam.models.resolution import Resolved

_FOLLOWS = "follows-in-words"
_MOST_TERMS = 100  # Terms of a total that are looked up in the document.
_MOST_ROWS = 20  # Rows above a total of which some may be parts of others.
_FARTHEST = 2  # A number that differs from the architecture's by more than this factor is not meant as its total.


def judge_total(
    checker: LineChecker, chosen: Resolved, setting: RunSetting, is_given: bool = True
) -> tuple[list[JudgedClaim], Message | None]:
    """The findings on parts and totals, and a remark if the page seems to be about another model."""
    wrong = frozenset(each.finding.right_start for each in checker.record.judged if _is_wrong(each))
    others = other_subjects(checker, chosen) if is_given else NO_OTHERS
    parts = judge_parts(checker, chosen, wrong, setting, with_formulas=is_given, without=others.named.keys())
    own = without_others([*parts.judged, *_totals(checker, chosen, parts, setting.stated.counts_parameters)], others)
    found = _nearest(_without_doubts([*own, *judge_others(checker, others, setting, wrong)]))
    slips = slips_in([*found, *checker.record.judged])
    found = without_consequences(found, checker.record.judged, slips, lambda start: checker.document.source.place(start)[0])
    totals = [each.finding.verdict is Verdict.HOLDS for each in found if each.finding.code.endswith("total")]
    right = {each.finding.right_start for each in found if each.finding.verdict is Verdict.HOLDS}
    record = checker.record
    wrong_ones = filter(_is_wrong, record.judged)
    excused = [each for each in wrong_ones if _is_excused(each, chosen, parts, slips, each.finding.right_start in right)]
    record.judged = [each for each in record.judged if each not in excused]
    wrong -= {each.finding.right_start for each in excused}
    # A number that is not the sum of its parts is not also said to hold.
    shown = [each for each in found if each.finding.verdict is not Verdict.HOLDS or each.finding.right_start not in wrong]
    taken = frozenset(each.finding.right_start for each in (*found, *record.judged))
    fits = [*parts.fits, *totals]
    shares = [*judge_shares(checker, chosen, taken, fits)]
    unjudged = without_verdict(
        checker, chosen, [*found, *record.judged, *shares], (*checker.quantities.stated, *checker.quantities.formulas), is_given
    )
    return [*shown, *shares, *about_others(unjudged, others)], other_model_remark(chosen, fits)


def _is_excused(judged: JudgedClaim, chosen: Resolved, parts: JudgedParts, slips: Mapping[int, Slip], is_right: bool) -> bool:
    """Whether a claim is wrong only because of what the model explains: a sum of rows that are no terms, lack one, or are off themselves;
    a slip of the pen in a number that ``is_right``, as a rounded one stands for the model's size: 16 bytes for each of 70B.
    """
    if judged.finding.code != "wrong-sum":
        return is_right and "slip-of-a-digit" in judged.finding.judged_by
    return _is_only_off(judged, slips) or _is_nested(judged, parts, slips, is_right) or (is_right and _is_incomplete(judged, chosen, parts))


def _without_doubts(found: list[JudgedClaim]) -> list[JudgedClaim]:
    """The findings without those that leave open what a number is that is known as another part, or as the total."""
    known = {each.finding.right_start for each in found if each.finding.verdict is not Verdict.UNDECIDED}
    return [each for each in found if each.finding.verdict is not Verdict.UNDECIDED or each.finding.right_start not in known]


def _nearest(found: list[JudgedClaim]) -> list[JudgedClaim]:
    """The findings, of several wrong ones on one number, as a part and as the total, the one whose right value is the nearest."""
    least: dict[int, Fraction] = {}
    for each in filter(_is_wrong, found):
        start = each.finding.right_start
        least[start] = min(_error(each), least.get(start, _error(each)))
    return [each for each in found if not _is_wrong(each) or _error(each) == least[each.finding.right_start]]


def _error(judged: JudgedClaim) -> Fraction:
    """How far off the number is; 0 where this is not known, as for formulas."""
    return abs(judged.stated - judged.computed) if judged.stated is not None and judged.computed is not None else Fraction(0)


def _totals(checker: LineChecker, chosen: Resolved, parts: JudgedParts, of_parameters: bool) -> Iterator[JudgedClaim]:
    """The findings on the totals: one on the number that the document arrives at, if any, those on numbers in sentences, and one on its
    formula. If the page is not ``of_parameters``, words have to say that a number counts them.
    """
    derivation = parameters(chosen.model.architecture, chosen.symbolic)
    values = chosen.model.values
    if derivation.letters <= values.keys():
        right = Fraction(evaluate(derivation.root.formula, values))
        number = [*_number(checker, chosen, right, parts)] if of_parameters else []
        yield from number
        found = (*parts.judged, *number)
        judged = frozenset(each.finding.right_start for each in (*found, *checker.record.judged))
        sums = (each.finding for each in checker.record.judged if each.finding.code == "sum" and _FOLLOWS in each.finding.judged_by)
        follows = frozenset(each.right_start for each in sums) - {each.finding.right_start for each in found}
        open_parts = {each.finding.right_start for each in parts.judged if each.finding.verdict is Verdict.UNDECIDED}
        open_parts -= {each.finding.right_start for each in number}
        twice = _shared_twice(checker, chosen, parts)
        for each in judge_parameter_counts(checker, chosen, judged - open_parts - follows, twice):
            each = _without_counted_head(checker, chosen, each, parts)
            start, is_right = each.finding.start, each.finding.verdict is Verdict.HOLDS
            claim = _unless(each, _objection(checker, chosen, each, parts))
            if (start not in open_parts or is_right or start in twice) and (
                start not in follows or _is_wrong(claim)
            ):  # A sum that adds up may lack a part.
                yield claim
    if of_parameters:
        held = {each.finding.start for each in parts.judged}
        yield from judge_formula_of_total(checker, chosen, derivation.formula, held)  # As `derive` writes it.


def _without_counted_head(checker: LineChecker, chosen: Resolved, judged: JudgedClaim, parts: JudgedParts) -> JudgedClaim:
    """The claim, which does not hold if the number is the model's only without its head, which the section counts above it; as a total, it
    is wrong.
    """
    start, end, model = judged.finding.start, judged.finding.end, NamedModel(chosen)
    quantity = checker.quantities.numbers.at(start)
    if quantity is None or not _counts_above(checker, model, start, quantity.value, parts) or excluded_labels(checker.text, start, end):
        return judged
    if not words("total").in_text(f"{last_clause(quantity.words)} {words_behind(checker.text, end)}"):
        return _unless(judged, message("of-part-above"))
    said = replace(judged.finding, verdict=Verdict.WRONG, code="wrong-total", reason=count_reason(model, "parameters"))
    return JudgedClaim(said, gap=partial(explain_total, chosen, int_if_whole(quantity.value or 0), []))


def _counts_above(checker: LineChecker, model: NamedModel, start: int, stated: Fraction | None, parts: JudgedParts) -> bool:
    """Whether the number is the model's without its head or its classifier, and the same section counts that above it."""
    lacking = {role for role, kind in HEADS.items() if stated == model.counts.get(kind)}
    first = max((each for each in checker.quantities.starts if each <= start), default=0) if lacking else 0
    counted = (at for at, fits in parts.fits_by_place.items() if fits and first <= at < start)
    return bool(lacking) and any(parts.meant[at].part in lacking for at in counted)


def _objection(checker: LineChecker, chosen: Resolved, judged: JudgedClaim, parts: JudgedParts) -> Message | None:
    """The reason to doubt that a differing number in a sentence is meant as the model's total."""
    if not _is_wrong(judged):
        return None
    start, end = judged.finding.start, judged.finding.end
    quantity = checker.quantities.numbers.at(start)
    if quantity is None or quantity.value is None:
        return objections.denied(checker.text, start) or objections.of_change(checker.text, start, end, quantity.title if quantity else "")
    return (
        _against(checker, chosen, (start, end), quantity.title, quantity.value, parts)
        or _of_no_norms(checker, chosen, (start, end), quantity.value, parts)
        or objections.of_sum_with_something_else(checker, start, quantity.value)
        or objections.with_something_else(checker, quantity.value - NamedModel(chosen).counts["parameters"], parts.fits_by_place)
    )


def _of_no_norms(checker: LineChecker, chosen: Resolved, place: tuple[int, int], stated: Fraction, parts: JudgedParts) -> Message | None:
    """Whether it is the total without the norms, on a page that counts none: they are a thousandth of a large model."""
    is_open = not (parts.counts_norms or excluded_labels(checker.text, *place))
    return message("of-no-norms") if is_open and stated in without_norms(NamedModel(chosen)) else None


def _against(
    checker: LineChecker, chosen: Resolved, place: tuple[int, int], title: str, stated: Fraction, parts: JudgedParts
) -> Message | None:
    """The reason to doubt that a number at this place counts this model: the page gives other sizes, lacks biases, changes the model, or
    states the number of another one.
    """
    model, conflicts = NamedModel(chosen), ModelConflicts(checker, chosen)
    right = model.counts["parameters"]
    bare, repeated = min(without_biases(model), default=right), model.counts.get("tied-twice", right) - right
    assigned = checker.knowledge.assigned
    longer = {0: Fraction(0), **by_positions(chosen, {*assigned.get("P", ()), *assigned.get("L", ())})}
    lacking = (conflicts.may_lack_biases(stated - each - more, bare, right) for each in sorted({0, repeated}) for more in longer.values())
    others = (message("of-other-positions", value=each) for each, more in longer.items() if each and stated - more in model.counts.values())
    if parts.is_without_biases and stated in without_biases(model, "pooler"):
        return message("of-no-pooler")
    return (
        conflicts.conflict_at(place[0], ("model",))
        or conflicts.without_a_part
        or next(filter(None, lacking), next(others, None))
        or model_with_count(chosen, stated, checker.text, parts.counted)
        or vocabulary_with_count(chosen, stated, parts.counted)
        or with_classifier(chosen, stated - right)
        or objections.denied(checker.text, place[0])
        or objections.of_change(checker.text, *place, title)
        or objections.added_behind(checker, place[0], stated, Fraction(right))
        or objections.of_own_model(checker, stated, right)
    )


def _unless(judged: JudgedClaim, doubt: Message | None) -> JudgedClaim:
    if doubt is None:
        return judged
    reason = message("speaks-against", why=doubt, said=judged.finding.reason)
    return JudgedClaim(replace(judged.finding, verdict=Verdict.UNDECIDED, code="unclear-subject", reason=reason))


def _is_wrong(judged: JudgedClaim) -> bool:
    return judged.finding.verdict is Verdict.WRONG


def _is_incomplete(judged: JudgedClaim, chosen: Resolved, parts: JudgedParts) -> bool:
    """Whether it is a sum with the model's own number that is wrong only because a part of that is not among its terms: a layer's norms."""
    if judged.computed is None:
        return False
    computed, part = int_if_whole(judged.computed), parts.meant.get(judged.finding.right_start)
    gap = explain_total(chosen, computed, []) if part is None else part_gap(chosen, part, computed)
    causes = gap.explained_by
    is_missing = all(each.reason.kind == "missing" for each in causes) and bool(causes)
    return is_missing and (part is None or (len(causes) == 1 and not _is_listed(causes[0].reason, judged, parts)))


def _is_listed(missing: Message, judged: JudgedClaim, parts: JudgedParts) -> bool:
    """Whether a row of the sum counts what is missing, but not all of it: one of two norms."""
    listed = {parts.meant[row.start].part for row in judged.parts if row.start in parts.meant}
    modules = dict(missing.about)["modules"]
    roles = {each.role for each in modules if isinstance(each, Modules)} if isinstance(modules, tuple) else set[str]()
    return not roles.isdisjoint(listed) or any("norm" in role and any("norm" in part for part in listed) for role in roles)


def _is_nested(judged: JudgedClaim, parts: JudgedParts, slips: Mapping[int, Slip], is_right: bool) -> bool:
    """Whether it is a sum that is wrong only because some rows above the total are parts of others: the others add up, or the total
    ``is_right``. Rows that are wrong themselves count with the model's number.
    """
    rows, total = judged.parts, judged.stated
    if total is None or not 2 < len(rows) <= _MOST_ROWS:
        return False
    blocks = {row.start: frozenset(parts.meant[row.start].leaf_paths if row.start in parts.meant else ()) for row in rows}
    right = {row.start: slips[row.start].right if row.start in slips else row.number for row in rows}

    def is_within(one: ListEntry, other: ListEntry) -> bool:
        return bool(blocks[one.start]) and blocks[one.start] <= blocks[other.start] and right[one.start] < right[other.start]

    outer = [right[row.start] for row in rows if not any(is_within(row, other) for other in rows)]
    return len(outer) < len(rows) and (is_right or sum(outer) == total)


def _is_only_off(judged: JudgedClaim, slips: Mapping[int, Slip]) -> bool:
    """Whether it is a sum that is wrong by just as much as its parts are off, so that it follows from these."""
    off = sum(slips[each.start].difference for each in judged.parts if each.start in slips)
    return off != 0 and judged.stated is not None and judged.stated + off == judged.computed


def _number(checker: LineChecker, chosen: Resolved, right: Fraction, parts: JudgedParts) -> Iterator[JudgedClaim]:
    held = {each.finding.right_start for each in parts.judged if each.finding.verdict is Verdict.HOLDS}
    wrong = {each.finding.right_start for each in parts.judged if _is_wrong(each)}
    total = _stated_total(checker, right, parts.not_parameters | held, wrong, _shared_twice(checker, chosen, parts))
    if total is None:
        return
    entry, name = total.entry, chosen.model.architecture.class_name
    place = entry.start, entry.end
    holds = entry.agrees_with(right)
    origin = chosen.model.origin
    reason = message("has-with-values-of", name=name, total=right, origin=origin) if origin else message("has", name=name, total=right)
    added = extra_trained_parameters(checker, right, entry.value)
    if added is not None:
        holds, reason = True, reason_with_extra(checker, reason, added)
    model = NamedModel(chosen)
    for kind in ("released", "without-classifier"):
        if not holds and entry.value == model.counts.get(kind) and not _counts_above(checker, model, entry.start, entry.value, parts):
            holds, reason = True, count_reason(model, kind)
    if not holds and parts.is_without_biases and entry.value in without_biases(model):
        holds, reason = True, message("counted-so", said=reason, kind=message("way-without-biases"))
    verdict, code = (Verdict.HOLDS, "total") if holds else (Verdict.WRONG, "wrong-total")
    if not holds and is_round(entry.value) and abs(entry.value / right - 1) <= ROUNDED:
        verdict, code, reason = Verdict.UNDECIDED, "unclear-rounding", message("may-be-rounded", said=reason)
    elif not holds and (doubt := _doubt(checker, chosen, total, parts)) is not None:
        verdict, code, reason = Verdict.UNDECIDED, "unclear-subject", message("speaks-against", why=doubt, said=reason)
    against = judge_with_exclusions if verdict is Verdict.WRONG else judge_contradicted_exclusions
    other = against(checker, model, *place, entry.value) if verdict is not Verdict.UNDECIDED else None
    if other is not None:
        verdict, code, reason = other.verdict, other.code, other.reason
    elif verdict is Verdict.WRONG and (doubt := _of_no_norms(checker, chosen, place, entry.value, parts)) is not None:
        verdict, code, reason = Verdict.UNDECIDED, "unclear-subject", message("speaks-against", why=doubt, said=reason)
    finding = Finding(*place, entry.start, entry.text, message("parameters-of", name=name), entry.text, "=", verdict, code, reason)
    of_parts = explain_by_parts(chosen, int_if_whole(entry.value), int_if_whole(right), parts.wrong)
    terms = _parts(checker, total) if of_parts is None else []
    of_modules = partial(explain_total, chosen, int_if_whole(entry.value), terms)
    yield JudgedClaim(finding, stated=entry.value, computed=right, gap=of_modules if of_parts is None else lambda: of_parts)


def _doubt(checker: LineChecker, chosen: Resolved, total: StatedTotal, parts: JudgedParts) -> Message | None:
    """The reason to doubt that a differing total is meant as the model's."""
    known = [parts.fits_by_place[part.start] for part in total.parts if part.start in parts.fits_by_place]
    if known and sum(known) * 2 < len(known):
        return message("of-other-parts", count=len(known), fits=sum(known))
    entry = total.entry
    return _against(checker, chosen, (entry.start, entry.end), total.title, entry.value, parts) or objections.with_something_else(
        checker, entry.value - NamedModel(chosen).counts["parameters"], {*parts.fits_by_place, *(part.start for part in total.parts)}
    )


def _shared_twice(checker: LineChecker, chosen: Resolved, parts: JudgedParts) -> frozenset[int]:
    """The places of the model's total with shared tensors counted twice, if the page lists them twice and says nothing about it."""
    count = NamedModel(chosen).counts.get("tied-twice") if parts.counts_shared and not says_of_ties(checker) else None
    return frozenset(each.expression.start for each in checker.quantities.stated if count is not None and is_count(each, count))


def _stated_total(checker: LineChecker, right: Fraction, otherwise: Set[int], wrong: Set[int], twice: Set[int]) -> StatedTotal | None:
    """The author's total: the architecture's number if it is on the page and not ``wrong`` as what its words say, otherwise the largest
    number that is called the total and is close to it; without those at the places in ``otherwise``, which are parts or measure something
    else, such as bytes. First of all one that counts a shared tensor ``twice`` and is called the total.
    """
    near = [each for each in checker.totals if each.entry.is_whole and right / _FARTHEST <= each.entry.value <= right * _FARTHEST]
    near = [each for each in near if each.entry.value == right or not _is_of_a_part(checker, each)]
    called = [each for each in near if each.entry.is_grand_total and each.entry.start not in otherwise and _may_count(each.entry.label)]
    added = {part.start for each in called if each.entry.value > right for part in each.parts}  # A tied head may be added to it.
    exact = [each for each in near if each.entry.value == right and not each.entry.bound and each.entry.start not in wrong | added]
    for found in ([each for each in called if each.entry.start in twice], exact, called):
        if found:
            return max(found, key=lambda each: (each.entry.value if found is not exact else 0, bool(each.parts), each.entry.line))
    return None


def _is_of_a_part(checker: LineChecker, total: StatedTotal) -> bool:
    """Whether the line that introduces its list names a part of the model: ``Decoder:``."""
    return not {*read_label(introduction(checker.text, total.entry.start)).parts} <= {"model", "non-embedding"}


def _may_count(label: str) -> bool:
    """Whether a total with the label may be one of parameters, rather than of operations, bytes or tokens."""
    said = read_label(label)
    return said.parameters or not (said.measures or said.other)


def _parts(checker: LineChecker, total: StatedTotal) -> list[TotalTerm]:
    """The terms of the author's total, each with the words beside its number where it was computed."""
    entry = total.entry
    if total.parts:
        return [TotalTerm(part.label, int(part.value), None, part.line) for part in total.parts if part.is_exact]
    if not isinstance(entry.calculation, Sum) or len(entry.calculation.terms) > _MOST_TERMS:
        return []
    found: list[TotalTerm] = []
    used: list[StatedTotal] = []
    for term in entry.calculation.terms:
        value = _value(term)
        if value is None or value.denominator != 1:
            return []
        before = [each for each in reversed(checker.totals) if each.entry.line < entry.line and each.entry.value == value]
        # Two terms of the same size are two entries.
        source = next((each for each in before if each not in used), next(iter(before), None)) or _multiple(checker, term, entry)
        used += [source] if source else []
        label = " ".join(filter(None, (source.title, source.entry.label))) if source else ""
        found.append(TotalTerm(label, int(value), None, source.entry.line if source else entry.line))
    return found


def _multiple(checker: LineChecker, term: Formula, entry: ListEntry) -> StatedTotal | None:
    """The entry for the number that the term multiplies: ``12 × 2359296``."""
    values = {_value(factor) for factor in term.parts}
    return next(
        (
            each
            for each in reversed(checker.totals)
            if each.entry.line < entry.line and each.entry.value > 1000 and each.entry.value in values
        ),
        None,
    )


def _value(formula: Formula) -> Fraction | None:
    try:
        return Fraction(evaluate(formula, {}))
    except FormulaError:
        return None

"""Checks a document: reads it, judges it line by line, compares it with the architecture, and explains what is wrong."""

from __future__ import annotations

import gc
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import itemgetter

from symparam.core.alphabets import STANDARD
from symparam.core.message import Message, message
from symparam.documents.checking.basis.context import Context, declared_in
from symparam.documents.checking.basis.declared_letters import declared_letters
from symparam.documents.checking.basis.directives import rules_switched_off, stated_measures, with_directives, without_remarks
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.alike_claims import with_alike
from symparam.documents.checking.claims.judged_claim import JudgedClaim, with_gap
from symparam.documents.checking.claims.quoted_mistakes import without_quoted
from symparam.documents.checking.claims.unit_consistency import with_consistent_units
from symparam.documents.checking.finding import CheckedDocument, Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.checking.lines.sections import judge_sections
from symparam.documents.comparing.inferred_model import may_be_about, not_held, softened_findings
from symparam.documents.comparing.measurands import run_setting
from symparam.documents.comparing.totals import judge_total
from symparam.documents.comparing.without_verdict import without_sizes_remark, without_verdict
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber
from symparam.documents.reading.notebooks import as_page
from symparam.documents.reading.parsed_document import parse_document
from symparam.documents.reading.plain_numbers import with_plain_numbers
from symparam.documents.reading.source import MAX_BYTES, Source, too_large
from symparam.documents.reading.tex_macros import without_macros
from symparam.documents.roles.model_names import first_models
from symparam.documents.roles.named_roles import with_named_roles
from symparam.documents.rules.rule import AppliedRules, Ruling, ruled
from symparam.models.resolution import Resolved, resolve

MAX_EXPLAINED = 500  # The most wrong claims of one document whose gaps are explained; a document with more has a different problem.
MAX_ELSEWHERE = 1_000  # Numbers before and after a wrong claim that may be the cause of its gap.


def check_document(source: Source, context: Context | None = None) -> CheckedDocument:
    """Every claim of the document with its verdict, in the order of the page.

    Raises `DocumentError` for front matter or a remark to the checker that cannot be used.
    """
    if len(source.text) > MAX_BYTES:
        raise too_large(source.name, len(source.text))
    # No object refers to one created after it, so there are no cycles: garbage collection would find nothing, in a third of the time.
    collecting = gc.isenabled()
    gc.disable()
    try:
        page = without_macros(as_page(source))
        plain = with_plain_numbers(page)
        return _as_written(_checked(plain, context or Context()), page, plain)
    finally:
        if collecting:
            gc.enable()


def _as_written(document: CheckedDocument, page: Source, plain: Source) -> CheckedDocument:
    """The findings at their places on the page as its author wrote it."""
    if plain.origin is None or plain.text == page.text:
        return replace(document, source=page)
    at = plain.origin.offsets

    def place(start: int, end: int) -> tuple[int, int]:
        return at[start] if start < len(at) else len(page.text), at[end - 1] + 1 if end else 0

    findings = list[Finding]()
    for each in document.findings:
        (start, end), (right_start, _) = place(each.start, each.end), place(each.right_start, each.end)
        findings.append(replace(each, start=start, end=end, right_start=right_start, text=page.text[start:end]))
    applied = AppliedRules(tuple((at[begin], code) for begin, code in document.applied.places if begin < len(at)))
    return replace(document, source=page, findings=tuple(findings), applied=applied)


def _checked(source: Source, context: Context) -> CheckedDocument:
    known, remarks = declared_in(source, context)
    with ruled(Ruling(known.without, rules_switched_off(source), {})) as ruling:
        return _ruled(source, known, remarks, ruling)


def _ruled(source: Source, known: Context, remarks: tuple[Message, ...], ruling: Ruling) -> CheckedDocument:
    knowledge = Knowledge(known.architecture.model.values if known.architecture else {})
    for relation in known.relations:
        knowledge.define(relation.letter, relation.formula)
    own = _own_letters(source, known)
    checker = LineChecker(parse_document(without_remarks(source), {**known.names, **own}), knowledge)
    checker.run()
    beside, remark = _beside_model(checker, known, source)
    judged = [*with_alike(with_consistent_units(checker.record.judged)), *judge_sections(checker), *beside]
    findings = list(_explained(source, without_quoted(checker.text, judged), checker.stated))
    marked = with_directives(source, findings, known.ignore)
    return CheckedDocument(
        source,
        tuple(sorted(marked, key=lambda finding: (finding.start, finding.end))),
        known.language,
        ruling.places(),
        (*remarks, *(each for each in (remark, _said(own)) if each is not None)),
    )


def _with_roles(chosen: Resolved) -> Resolved:
    """The model with roles for its blocks, which one that was traced or printed does not have."""
    return replace(chosen, model=replace(chosen.model, architecture=with_named_roles(chosen.model.architecture)))


def _beside_model(checker: LineChecker, known: Context, source: Source) -> tuple[list[JudgedClaim], Message | None]:
    """The findings on the model that the user names, or else on one that only the page itself names."""
    remarks = stated_measures(source)
    if known.architecture:
        setting = run_setting(checker, known.architecture.model.values.get("N"), known.stated, remarks)
        judged, remark = judge_total(checker, _with_roles(known.architecture), setting)
        return judged, remark or without_sizes_remark(judged, known.architecture)
    named = first_models(checker.text)
    if not named:
        return [], None
    (name, place), *others = sorted(named.items(), key=itemgetter(1))
    chosen = resolve(name, values_first=True)
    if not others and may_be_about(checker, place):
        setting = run_setting(checker, chosen.model.values.get("N"), known.stated, remarks)
        judged, _ = judge_total(checker, chosen, setting, is_given=False)
        beside, remark = softened_findings(checker, judged, chosen, name, place)
        if remark is not None:
            return beside, remark
    stated = checker.quantities.stated
    noticed = without_verdict(checker, chosen, checker.record.judged, stated, is_given=False)
    return not_held(noticed, name, *(other for other, _ in others)), None


def _said(own: Mapping[str, str]) -> Message | None:
    return message("letters-of-page", letters=tuple(f"{name} = {letter}" for name, letter in own.items())) if own else None


def _own_letters(source: Source, known: Context) -> Mapping[str, str]:
    """The letters that a page about a model declares in words, with meanings that differ from what the user says.

    A letter of the model with a subscript keeps its meaning: beside an H, H_e is the embedding size, which is H elsewhere.
    """
    if known.architecture is None or known.alphabet is not STANDARD:
        return {}
    kept = {*known.symbols, *(each for each in known.architecture.model.architecture.letters if "_" in each)}
    return {name: letter for name, letter in declared_letters(source.text).items() if name != letter and name not in kept}


def _explained(source: Source, judged: Iterable[JudgedClaim], stated: Sequence[StatedNumber]) -> Iterator[Finding]:
    """The findings; those on the first wrong claims are explained with the help of the numbers stated near them."""
    stated = sorted(stated, key=lambda each: each.line)
    lines = [each.line for each in stated]
    wrong = 0
    for each in judged:
        wrong += each.finding.verdict is Verdict.WRONG
        if each.finding.verdict is not Verdict.WRONG or wrong > MAX_EXPLAINED:
            yield each.finding
            continue
        line = source.place(each.finding.right_start)[0]
        at = bisect_left(lines, line)
        yield with_gap(each, line, stated[max(0, at - MAX_ELSEWHERE) : at + MAX_ELSEWHERE])

"""Judges the parts of a model that a page counts, by the modules of each: ``attention: 2.36M``, a row of a table, ``4H² + 4H``.

A number or a formula holds if it is the model's value for that part, in one layer or in all, under any of the usual ways of counting. It is
wrong if every word of its label is understood, other quantities beside it hold, and no way of counting leads to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial

from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.judged_claim import JudgedClaim
from symparam.documents.checking.labelled_quantities import EVIDENT, digits_of, last_clause
from symparam.documents.checking.line_checker import LineChecker
from symparam.documents.checking.model_conflicts import ModelConflicts
from symparam.documents.checking.parameter_counts import NamedModel
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.gaps.gap import Gap
from symparam.documents.reading.expression import Expression
from symparam.documents.roles import objections
from symparam.documents.roles.exclusions import excluded_labels
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.measurands import RunSetting, runs_of_rows
from symparam.documents.roles.measure_gaps import measure_gap, rounded_gap
from symparam.documents.roles.measured_model import UNITS, MeasuredModel
from symparam.documents.roles.model_names import places_of_names
from symparam.documents.roles.parameter_gaps import PartGap, multiple_gap, part_gap
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.documents.roles.part_findings import part_finding
from symparam.documents.roles.recognising import ROUNDED, RecognisedPart, bytes_of_rows, is_stated, recognised_part, rounds_to
from symparam.documents.roles.right_values import explained_value, is_near, nearest_value
from symparam.documents.words import thing_words, words
from symparam.models.resolution import Resolved

_LARGE = 1_000_000  # The least unrounded number that is not a mere size.
_BEFORE = 40  # Characters before a number that may contain an equals sign.
_SEVERAL = 2  # Numbers needed to show how their neighbours are counted.
_WAYS = frozenset({"without-biases", "matrices"})
_LETTER = re.compile(r"[A-VX-Za-vx-z](?:_[A-Za-z])?")
_SCOPES_OF = {"all": ("in-all",), "one": ("in-layer", "one")}
_STACKS = frozenset(("layers", "encoder", "decoder", "transformer"))
_OF_BYTES = ("weights", "gradients", "optimizer", "activations", "cache")


@dataclass
class JudgedParts:
    """The judged parts of a page: ``judged`` holds them in its order, and ``wrong`` the numbers of parameters that differ from the model's.

    ``fits`` says of each exact number whether the model has it, and ``fits_by_place`` says the same by offset. ``not_parameters`` are the
    offsets of the numbers that measure something else, and ``differences`` says by how much each wrong number differs from the model's.
    ``blocks`` are the blocks of the model that hold the tensors of a part, by the offset of its number, and ``is_without_biases`` says
    that the page leaves biases out of its parts. ``counted`` are the blocks of the parts that it has right.
    """

    judged: list[JudgedClaim] = field(default_factory=list)
    wrong: list[PartGap] = field(default_factory=list)
    fits: list[bool] = field(default_factory=list)
    fits_by_place: dict[int, bool] = field(default_factory=dict)
    not_parameters: frozenset[int] = frozenset()
    differences: dict[int, Fraction] = field(default_factory=dict)
    blocks: dict[int, frozenset[str]] = field(default_factory=dict)
    counted: set[str] = field(default_factory=set)
    is_without_biases: bool = False


def judge_parts(
    checker: LineChecker, chosen: Resolved, taken: frozenset[int], setting: RunSetting, with_formulas: bool = True
) -> JudgedParts:
    """The parts that the page counts, each with its verdict; ``taken`` are the places of numbers already found wrong by themselves.

    ``with_formulas`` says that formulas are judged, too.
    """
    model = NamedModel(chosen)
    measured = MeasuredModel(chosen, setting, checker.knowledge)
    names = dict(places_of_names(checker.text))
    starts = sorted(names)
    stated = [each for each in checker.quantities.stated if not _is_a_name(checker.text, each.expression, starts, names)]
    stated += checker.quantities.formulas if with_formulas else []
    rows, runs = bytes_of_rows(stated), runs_of_rows(checker.text)
    known = [part for quantity in stated if (part := recognised_part(quantity, checker.text, model, measured, rows, runs)) is not None]
    other = [part for part in known if part.measurand.measure != "parameters"]
    found = JudgedParts(not_parameters=frozenset(part.quantity.expression.start for part in other))
    groups: dict[tuple[int, str, str, bool], list[RecognisedPart]] = defaultdict(list)
    for part in known:
        groups[_group(part)].append(part)
    for group in groups.values():
        _together(checker, group)
    another = ModelConflicts(checker, chosen)
    sure = [part for part in known if part.is_certain and part.measurand.measure == "parameters"]
    found.is_without_biases = sum(_is_bare(part) for part in sure) >= _SEVERAL and not any(map(_has_biases, sure))
    for part in known:
        judgement = _judged(part, groups[_group(part)], known, measured, model, another)
        if part.is_exact and part.formula is None and not part.label.rest:
            found.fits.append(bool(part.fits))
            found.fits_by_place[part.quantity.expression.start] = bool(part.fits)
            found.blocks[part.quantity.expression.start] = frozenset((part.fits or part.candidates)[0].leaf_paths)
            if part.fits and part.measurand.measure == "parameters" and not words("not_counted").in_text(part.words):
                found.counted.update(part.fits[0].leaf_paths)
        if judgement is None or (part.quantity.expression.start in taken and judgement is not Verdict.HOLDS):
            continue
        finding = part_finding(checker, part, judgement, model, measured)
        if judgement is not Verdict.WRONG or part.right is None:
            found.judged.append(JudgedClaim(finding))
            continue
        if not part.is_exact:
            found.judged.append(JudgedClaim(finding, gap=partial(rounded_gap, part, part.right, measured)))
            continue
        found.judged.append(JudgedClaim(finding, gap=partial(_gap, part, part.right, measured)))
        found.differences[part.quantity.expression.start] = part.stated - part.right.value
        if part.measurand.measure == "parameters" and part.formula is None:
            found.wrong.append(_gap_of(checker, part, part.right, measured))
    return found


def _is_a_name(text: str, number: Expression, starts: Sequence[int], ends: Mapping[int, int]) -> bool:
    """Whether it is a part of the name of a model, as in ``Gemma 2B``, or stands for one: ``8B has 32 layers``."""
    at = bisect_right(starts, number.start)
    if at and ends[starts[at - 1]] > number.start:
        return True
    behind = text[number.end : number.end + _BEFORE].removeprefix(" ")
    return number.literal is not None and behind[:1].isalpha() and words("has").begins(behind)


def _group(part: RecognisedPart) -> tuple[int, str, str, bool]:
    return part.quantity.section, part.quantity.column, part.measurand.measure, part.formula is not None


def _together(checker: LineChecker, group: Sequence[RecognisedPart]) -> None:
    """Mark the one part that is inconsistent with its neighbours: a number is not right if it is the only one for a single layer, without
    biases, in another unit, or for another run.
    """
    sure = [part for part in group if part.is_certain]
    layered = [part for part in sure if not part.label.scope and part.copies in ({"all"}, {"one"}) and "layer" not in part.label.parts]
    for copies in ("all", "one"):
        others = [part for part in layered if part.copies != {copies}]
        same = [part for part in layered if part.copies == {copies}]
        is_alone = len(others) == 1 and not any(_is_beside(checker, others[0], each) and copies not in each.copies for each in sure)
        if is_alone and len(same) >= _SEVERAL and not _is_calculated(checker, others[0]):
            _set_right(others[0], [each for each in others[0].candidates if each.scope in _SCOPES_OF[copies]], "other-copies")
    whole, bare = [part for part in sure if _has_biases(part)], [part for part in sure if _is_bare(part)]
    if len(bare) == 1 and len(whole) >= _SEVERAL and not (_leaves_out(checker, bare[0]) or words("matrices").in_text(bare[0].words)):
        _set_right(bare[0], bare[0].candidates, "other-biases")
    variants = Counter(variant for part in sure for variant in {each.variant for each in part.fits})
    if not variants:
        return
    usual, count = max(variants.items(), key=lambda each: (each[1], each[0].unit == "FLOPs"))
    odd = [part for part in sure if usual not in {each.variant for each in part.fits}]
    own = [part for part in odd if part.quantity.column or not part.says_setting]
    if len(odd) == 1 and own and count >= _SEVERAL:
        _set_right(odd[0], [each for each in odd[0].candidates if each.variant == usual], "other-variant")
    named = [part for part in group if part.is_certain or (part.fits and part.label.parts and not part.label.rest)]
    for unit in UNITS:  # In any pass.
        off = [part for part in named if part.units == {unit}]
        others = [part for part in sure if part.units and unit not in part.units]
        if len(off) == 1 and len(others) >= _SEVERAL and off[0].right is None:
            meant = [each for each in off[0].candidates if each.variant.unit != unit and each.variant.per == off[0].fits[0].variant.per]
            _set_right(off[0], meant, "other-variant")


def _has_biases(part: RecognisedPart) -> bool:
    return "whole" in part.ways and not part.ways & _WAYS and _differs_without(part)


def _is_bare(part: RecognisedPart) -> bool:
    """Whether the number lacks biases although no words leave them out."""
    return bool(part.ways) and part.ways <= _WAYS and not part.label.tensors


def _is_beside(checker: LineChecker, one: RecognisedPart, other: RecognisedPart) -> bool:
    """Whether the two numbers are on one line."""
    begin, end = sorted(each.quantity.expression.start for each in (one, other))
    return begin < end and "\n" not in checker.text[begin:end]


def _leaves_out(checker: LineChecker, part: RecognisedPart) -> bool:
    """Whether the sentence of the number leaves something out, or states its bias after it: ``weight H × 3H, bias 3H``."""
    start, end = part.quantity.expression.start, part.quantity.expression.end
    after = checker.text[end : end + _BEFORE].partition("\n")[0].lstrip(" ,;+$").partition(" ")[0]
    return bool(excluded_labels(checker.text, start, end)) or words("bias").in_text(after)


def _is_calculated(checker: LineChecker, part: RecognisedPart) -> bool:
    """Whether a calculation precedes the number, which determines the number of copies."""
    before = checker.text[max(0, part.quantity.expression.start - _BEFORE) : part.quantity.expression.start]
    return before.rstrip(" \t\\{$*mathbf").endswith(("=", "≈"))


def _differs_without(part: RecognisedPart) -> bool:
    values = {candidate.value for candidate in part.candidates if candidate.way in _WAYS}
    return bool(values) and part.stated not in values


def _set_right(part: RecognisedPart, meant: Iterable[PartCandidate], why: str) -> None:
    copies = {each.scope for each in part.fits}
    found = [each for each in meant if each.way == "whole"]
    same = [each for each in found if each.scope in copies]
    chosen = next(iter(found if why == "other-copies" else same or found), None)
    if chosen is not None and chosen not in part.fits and chosen.value != part.stated:
        part.right, part.why = chosen, why


def _judged(
    part: RecognisedPart, group: Sequence[RecognisedPart], known: Sequence[RecognisedPart],
    measured: MeasuredModel, model: NamedModel, another: ModelConflicts,
) -> Verdict | None:
    """The verdict on the part; None if there is nothing to say about it. The right value of a wrong one is in ``part.right``."""
    sure = [each for each in group if each.is_convincing and each is not part]
    read = not part.label.rest
    is_said = part.measurand.is_explicit
    if part.measurand.measure in _OF_BYTES and part.formula is None and _has_other_unit(part):
        return None  # The 32k of a cache for 32k tokens.
    if part.fits and part.right is None and _counts_some_layers(part, measured):
        return Verdict.UNDECIDED
    if part.fits and part.right is None:
        # To exclude chance, every word of the label must be understood, or the page must say that the number counts parameters.
        if (read and (part.is_certain or sure)) or (is_said and (read or part.is_certain)) or (part.is_exact and part.stated >= _LARGE):
            return Verdict.HOLDS
        if read and part.label.parts and (digits_of(part.quantity.expression) >= EVIDENT or _is_among_others(part, known)):
            return Verdict.HOLDS
        return Verdict.UNDECIDED if read else None
    if part.formula is None and part.stated in measured.sizes | (set() if is_said else measured.own_sizes):
        return None  # V = 128256 states a size, not parameters.
    if _is_a_letter(part) and not any(_is_a_matrix(each) for each in known if each is not part):
        return None  # V is as often the vocabulary as the values.
    numbers = {0, 1, *(int(value) for value in measured.values.values()), *measured.setting.lengths, *measured.setting.batches}
    numbers.update(part.measurand.run.lengths, part.measurand.run.batches)
    if _is_sum_of_measures(part):
        return None  # It is compared with its own terms.
    if not part.fits and not (part.words or part.label.parts):  # It is unknown what it counts, so it is not taken for the whole model.
        return None
    if not {"layer", "layers", "expert", "experts"}.intersection(part.label.parts):
        numbers |= {2, 3, 4}  # The three matrices of the MLP.
    understood = read and set(part.label.numbers) <= numbers | {int(part.stated)} and len(part.label.parts) <= EVIDENT
    elsewhere = model.is_another_in(part.words) or model.is_another_in(part.quantity.column) or model.is_another_in(part.quantity.title)
    about = another.conflict_at(part.quantity.expression.start, part.label.parts or ("model",), part.formula is not None)
    about = about or objections.of_part(part, another.checker, measured)
    if part.formula is None and not part.quantity.column:
        elsewhere = elsewhere or _leaves_out(another.checker, part) or _may_be_of_other_copies(part, measured)
    if part.right is not None:
        part.doubt = about or objections.of_right(part, sure, measured)
        is_wrong = understood and not (elsewhere or part.label.before or part.doubt is not None)
        return Verdict.WRONG if is_wrong else Verdict.UNDECIDED
    off = [each for each in group if not each.fits and not each.label.rest]
    first, last = (end((each.quantity.expression.start for each in off), default=0) for end in (min, max))
    between = any(first < each.quantity.expression.start < last for each in sure)
    elsewhere = elsewhere or (len(off) > _SEVERAL and not between)  # A part of the page may be about another model.
    if not understood or elsewhere or about is not None or _has_other_letters(part, measured):
        part.doubt = about
        return Verdict.UNDECIDED if read else None
    alike = [each for each in known if (each.label.parts, each.measurand.measure) == (part.label.parts, part.measurand.measure)]
    alone = not sure and len(off) == 1 and [each for each in alike if not each.fits] == [part]
    named = model.is_named_in(part.quantity.title) or model.is_named_in(part.words)
    explained = explained_value(part, sure, measured) if alone or sure else None
    evident = alone and (named or _is_a_multiple(part) or _is_of_other_copies(part, measured))
    beside = len(sure) >= len(off) or explained is not None or evident
    is_shown = is_said or part.measurand.measure not in _OF_BYTES  # A heading by itself does not turn numbers into bytes.
    is_told = (part.label.scope and is_shown) or is_said or words("parameters").in_text(part.quantity.title)
    said = is_told or len(sure) >= _SEVERAL or explained
    if not (beside and said) or (part.label.before and explained is None):
        return Verdict.UNDECIDED if read else None
    part.right = explained or nearest_value(part, sure, measured)
    part.doubt = objections.of_right(part, sure, measured)
    ratio = part.stated / part.right.value if part.right is not None and part.right.value else Fraction(0)
    if not part.is_exact and any(rounds_to(part, each) for each in part.candidates):  # It agrees in too few digits to hold.
        part.right = None
        return Verdict.UNDECIDED
    is_round = part.quantity.value is not None and part.quantity.value % 1_000 == 0 and digits_of(part.quantity.expression) <= EVIDENT
    if part.formula is None and is_round and abs(ratio - 1) <= ROUNDED:  # 855,000,000 is rounded.
        part.right = None
        return Verdict.UNDECIDED
    is_close = not part.is_exact and (abs(ratio - 1) <= ROUNDED or (len(sure) < _SEVERAL and explained is None))
    is_far = part.right is not None and not is_near(part, part.right) and (part.formula is None or explained is None)
    if part.right is None or is_far or is_close or part.doubt is not None:
        part.right = None
        return Verdict.UNDECIDED
    return Verdict.WRONG


def _counts_some_layers(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether the number fits all layers, but its words count fewer of them: ``the 13 local layers``."""
    count = measured.values.get("N")
    if count is None or part.copies != {"all"} or not {"layer", "layers"}.intersection(part.label.parts):
        return False
    return count not in part.label.numbers and any(1 < each < count for each in part.label.numbers)


def _is_among_others(part: RecognisedPart, known: Sequence[RecognisedPart]) -> bool:
    """Whether its section has another part whose number is right and whose words are understood as well."""
    beside = (each for each in known if each is not part and each.quantity.section == part.quantity.section)
    return any(each.fits and each.label.parts and not each.label.rest and each.stated != part.stated for each in beside)


def _is_sum_of_measures(part: RecognisedPart) -> bool:
    """Whether it may be the bytes of weights, gradients, caches and more together, as its words do not name the weights."""
    if part.label.parts or part.measurand.measure != "weights" or not _says_total(part):
        return False
    lower = part.words.lower()
    return not any(word.rstrip("*") in lower for word in thing_words()["parameter"])


def _says_total(part: RecognisedPart) -> bool:
    return any(words("total").in_text(text) for text in (part.words, part.quantity.column))


def _is_a_letter(part: RecognisedPart) -> bool:
    """Whether its label is a single letter, as for keys, values or queries, or a letter with an index: ``I_v``."""
    return _LETTER.fullmatch(part.words.strip()) is not None


def _is_a_matrix(part: RecognisedPart) -> bool:
    """Whether its letter is that of queries, or of another attention matrix and its number is right."""
    letter = part.words.strip().lower()
    return letter == "q" or (bool(part.fits) and letter in ("k", "v", "o"))


def _has_other_letters(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether a formula has letters on which nothing in the model depends, such as the L of positions."""
    if part.formula is None:
        return False
    own = part.quantity.expression.letters
    if part.measurand.measure == "parameters" and (own & set("LBS") or ("d" in own and not own & set("hk"))):
        return True  # Heads are counted beside their size; a d without them is the author's hidden size.
    known = measured.architecture.letters | measured.chosen.model.derived.keys() | set("hkdILBS")
    return not {str(letter) for letter in part.formula.free_symbols} <= known


def _is_a_multiple(part: RecognisedPart) -> bool:
    """Whether the number is twice or half of the part's, which is hardly due to chance."""
    ratios = {part.stated / each.value for each in part.candidates if each.value and each.way != "tables"}
    return part.is_exact and bool(ratios & {Fraction(2), Fraction(1, 2)})


def _is_of_other_copies(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether the number is the part's in another number of layers than its words say."""
    counts_layers = measured.values.get("N") in part.label.numbers
    if not (part.label.scope or counts_layers) or not part.is_exact:
        return False
    parts = ("layer",) if _STACKS.issuperset(part.label.parts) else part.label.parts
    anywhere = measured.candidates(part.measurand, "", replace(part.label, parts=parts, scope="", numbers=()), part.formula is not None)
    return any(each.value == part.stated for each in anywhere)


def _may_be_of_other_copies(part: RecognisedPart, measured: MeasuredModel) -> bool:
    """Whether it is the part in another number of layers, which only a clause before its own says: ``32 layers, 8 experts of 176.2M``."""
    clause = last_clause(part.words)
    own = read_label(clause)
    if clause == part.words or own.scope or (_STACKS.union(("layer",)) & {*own.parts} and not own.numbers):
        return False
    label = replace(part.label, parts=own.parts or part.label.parts or ("layer",), scope="", numbers=own.numbers)
    anywhere = measured.candidates(part.measurand, "", label, part.formula is not None)
    return any(is_stated(part, each) for each in anywhere)


def _has_other_unit(part: RecognisedPart) -> bool:
    """Whether it has a unit or a scale, but not of bytes."""
    literal = part.quantity.expression.literal
    return literal is not None and literal.unit is not None and literal.unit.counted != "bytes"


def _gap(part: RecognisedPart, right: PartCandidate, measured: MeasuredModel) -> Gap:
    if part.measurand.measure != "parameters" or part.formula is not None:
        return measure_gap(measured, part, right)
    stated = int_if_whole(part.stated)
    found = multiple_gap(part_gap(measured.chosen, right, stated), part.candidates, stated)
    return found if found.explained_by else measure_gap(measured, part, right)


def _gap_of(checker: LineChecker, part: RecognisedPart, right: PartCandidate, measured: MeasuredModel) -> PartGap:
    anywhere = (*part.candidates, *measured.candidates(part.measurand, "", replace(part.label, scope=""), in_letters=False))
    whole = max((each.value for each in anywhere if each.way == right.way and each.part == right.part), default=right.value)
    line = checker.document.source.place(part.quantity.expression.start)[0]
    return PartGap(" ".join(part.words.split()), line, _gap(part, right, measured), Fraction(whole) / right.value, right)

"""Chooses the value that the model has for a part of a page that is wrong: the one from which a single slip leads to the number on the
page, or the nearest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from fractions import Fraction

import sympy

from symparam.core.message import Message
from symparam.documents.checking.entries.labelled_quantities import EVIDENT, digits_of
from symparam.documents.comparing.measure_gaps import measure_gap, rounded_gap
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.recognised_part import ROUNDED, RecognisedPart
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.roles.parameter_gaps import part_gap
from symparam.documents.roles.part_candidates import PartCandidate

FARTHEST = 64  # A number that differs from all candidates by more than this factor is about something else.
_ODD = 10  # 256 KiB, 320 KiB and 5 GiB, but not 1400 GB.
_TRIED = 8  # Candidates for a part whose gaps are explained.
_WHOLE = ("whole", "tables", "one-expert")
_BARE = ("matrices", "without-biases", "without-norms", "without-scores", "without-head")
"""Ways of counting with shorter formulas."""
_RULE = ("by-parameters",)
_WITH_NORM = "with-norm"
_COMPARED = 12  # Candidates whose formulas are compared with one of the page.
_SLIPS = ("missing", "counted-with-size", "off-one-of-three")
"""The kinds of causes of a wrong number of parameters that are slips rather than other ways of counting."""
_SLIPS_OF_THE_PEN = ("digit-replaced", "digits-swapped", "digit-lost", "digit-doubled")
_LONG = 100_000  # Of shorter numbers, many are a digit apart by chance.


def explained_value(
    part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel, beside: Sequence[RecognisedPart] = ()
) -> PartCandidate | None:
    """The right value of a part if a single cause explains the gap: a factor, a module that is missing, one size for another.

    Values that are counted like those of its ``sure`` neighbours come first, and among these those that are counted in a usual way, or in
    the way of a part ``beside`` it.
    """
    if part.stated <= 0 or (part.formula is not None and not part.is_exact):
        return None
    whole = [each for each in _counted(part, (), (*_RULE, _WITH_NORM)) if sure or not _is_of_unknown_batch(part, each)]
    if whole and not (part.measurand.formats or measured.setting.formats):
        whole = [each for each in whole if each.variant.bits == whole[0].variant.bits]
    is_any = part.formula is not None
    whole = [each for each in whole if each.value and (is_any or (part.is_exact and each.way != _WITH_NORM) or is_near(part, each))]
    usual, ways = {fit.variant for each in sure for fit in each.fits}, {fit.way for each in beside for fit in each.fits}
    whole.sort(
        key=lambda each: (
            bool(usual) and each.variant not in usual,
            _is_unusual(part, each, ways),
            max(part.stated / each.value, each.value / part.stated),
        )
    )
    return next((each for each in whole[:_TRIED] if _has_one_cause(part, each, measured)), None)


def shows_enough(part: RecognisedPart) -> bool:
    """Whether a rounded number alone on its page has so many digits that no factor leads to it by chance, or is one of binary units."""
    value = part.quantity.expression.literal.value if part.quantity.expression.literal is not None else 0
    is_binary = isinstance(value, int) and value > 0 and value // (value & -value) < _ODD
    return is_binary or digits_of(part.quantity.expression) >= EVIDENT


def _is_unusual(part: RecognisedPart, candidate: PartCandidate, ways: Set[str]) -> bool:
    """Whether it is counted in another way than the words say, or, if they do not say, than most people count; ``ways`` are usual, too."""
    variant, measurand = candidate.variant, part.measurand
    is_other_work = variant.work == "recomputed" if measurand.work else variant.work == "training"
    is_other_unit = bool(measurand.unit) and variant.unit != measurand.unit
    is_other_way = candidate.way in (_WITH_NORM, *_RULE) and candidate.way not in ways
    return is_other_way or is_other_unit or (is_other_work and measurand.work != "recomputed")


def _is_of_unknown_batch(part: RecognisedPart, candidate: PartCandidate) -> bool:
    """Whether it is for a batch that the number's own words do not name: any number is a multiple of it for some batch."""
    is_of_batch = part.measurand.measure == "cache" and candidate.variant.per == "per-batch"
    return is_of_batch and part.formula is None and not (part.measurand.run.batches or part.measurand.per == "per-batch")


def is_near(part: RecognisedPart, candidate: PartCandidate) -> bool:
    """Whether the number may be meant as the candidate's; formulas have placeholder numbers, which say nothing about it."""
    return candidate.value > 0 and Fraction(1, FARTHEST) <= part.stated / candidate.value <= FARTHEST


def _has_one_cause(part: RecognisedPart, right: PartCandidate, measured: MeasuredModel) -> bool:
    if not part.is_exact:
        return bool(rounded_gap(measured=measured, part=part, right=right).explained_by)
    if part.formula is not None or part.measurand.measure != "parameters":
        (*others, cause) = measure_gap(measured, part, right).explained_by or (None,)
        return not others and cause is not None and not (_is_one_term_of_runs(part) and _is_odd_share(cause.reason))
    causes = part_gap(measured.chosen, right, int_if_whole(part.stated)).explained_by
    slips = (*_SLIPS, *_SLIPS_OF_THE_PEN) if part.stated >= _LONG else _SLIPS
    return len(causes) == 1 and causes[0].reason.kind in slips


def _is_one_term_of_runs(part: RecognisedPart) -> bool:
    """Whether it is a formula of one term for what a run takes, which has many conventions."""
    is_of_run = part.measurand.measure in ("activations", "operations")
    return is_of_run and part.formula is not None and not isinstance(sympy.expand(part.formula), sympy.Add)


def _is_odd_share(reason: Message) -> bool:
    """Whether a term is counted 1.5 times or a third of it, as nobody does by a slip, rather than several times or half."""
    times = dict(reason.about).get("times") if reason.kind == "term-times" else None
    return isinstance(times, Fraction) and times != Fraction(1, 2)


def nearest_value(part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel) -> PartCandidate | None:
    """The right number: the whole part, in as many copies as its neighbours and counted like them, or otherwise the nearest candidate.

    Among formulas it is one that differs by a single term, if there is one.
    """
    if part.formula is not None:
        return _nearest_formula(part, sure, measured)
    whole = _counted(part, sure)
    about = [each for each in _counted(part, ()) if abs(part.stated / each.value - 1) <= ROUNDED]
    whole = about if not part.is_exact and about else whole  # In other copies than those beside it, but hardly by chance.
    whole = [each for each in whole if not any(_is_within(each, other) for other in whole)]
    return min(whole, key=lambda each: max(part.stated / each.value, each.value / part.stated), default=None) if part.stated > 0 else None


def _is_within(one: PartCandidate, other: PartCandidate) -> bool:
    """Whether the first is the same block with fewer of its kinds of layers."""
    alike = all(getattr(one, name) == getattr(other, name) for name in ("part", "scope", "way", "variant", "paths"))
    return alike and set(one.leaf_paths) < set(other.leaf_paths)


def _nearest_formula(part: RecognisedPart, sure: Sequence[RecognisedPart], measured: MeasuredModel) -> PartCandidate | None:
    assert part.formula is not None
    substitute = measured.substitution_for(part.formula)
    stated = substitute(part.formula)

    def terms(candidate: PartCandidate) -> tuple[bool, bool, int]:
        count = len(sympy.Add.make_args(sympy.expand(stated - substitute(candidate.size))))
        return count > 1, candidate.way not in _WHOLE, count

    near = [each for each in _counted(part, sure, _BARE) if is_near(part, each)]
    near.sort(key=lambda each: max(part.stated / each.value, each.value / part.stated))
    return min(near[:_COMPARED], key=terms, default=None)


def _counted(part: RecognisedPart, sure: Sequence[RecognisedPart], ways: tuple[str, ...] = ()) -> list[PartCandidate]:
    """The whole part, or also what is counted in other ``ways``, in as many copies as its neighbours and counted like them."""
    whole = [each for each in part.candidates if each.way in (*_WHOLE, *ways) and each.value]
    if not part.label.scope:
        whole = [each for each in whole if (each.part, each.scope) != ("model", "in-layer")]  # Nobody who says "model" means one layer.
    copies = {next(iter(each.copies)) for each in sure if len(each.copies) == 1 and each.copies != {""}}
    if part.label.numbers and not {"layer", "layers"}.isdisjoint(part.label.parts):
        copies = {"all"}  # ``Six layers of each``, whatever the numbers beside it count.
    if len(copies) == 1:
        same = [each for each in whole if each.scope == "" or (each.scope == "in-all") == (copies == {"all"})]
        whole = same or whole
    variants = Counter(variant for each in sure for variant in {fit.variant for fit in each.fits})
    if variants:
        usual = max(variants, key=lambda each: (variants[each], each.unit == "FLOPs"))
        whole = [each for each in whole if each.variant == usual] or whole
    elif part.measurand.unit:
        whole = [each for each in whole if each.variant.unit == part.measurand.unit] or whole
        whole = [each for each in whole if each.variant.bits == whole[0].variant.bits]
    return whole

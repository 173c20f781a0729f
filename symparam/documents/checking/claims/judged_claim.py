"""A judged claim before it becomes a finding: with the formulas and parts from which its gap can be explained."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Formula, number
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Finding
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.gaps.arithmetic.formula_gaps import explain_difference
from symparam.documents.gaps.arithmetic.number_gaps import explain_number, explain_sum
from symparam.documents.gaps.arithmetic.rounded_number import RoundedNumber
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber, int_if_whole, line_reference
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.gaps.modules.topics import topics_of_label
from symparam.errors import ArchitectureError, FormulaError


@frozen
class JudgedClaim:
    """A finding with the data to explain it: ``left`` and ``right`` are the sides as formulas, ``parts`` the terms of a sum; ``computed``
    is the right value, ``stated`` the author's, and ``rounded`` the latter as it is written. ``gap`` is set if the judge has explained it
    already, and ``unit`` is a unit of data with the only sense in which it holds. ``otherwise`` is the verdict with as many more points of
    evidence as are ``lacking``.
    """

    finding: Finding
    left: Formula | None = None
    right: Formula | None = None
    parts: tuple[ListEntry, ...] = ()
    stated: Fraction | None = None
    computed: Fraction | None = None
    gap: Callable[[], Gap] | None = None
    rounded: RoundedNumber | None = None
    unit: tuple[str, Fraction] | None = None
    otherwise: Judgement | None = None
    lacking: int = 0


def with_gap(judged: JudgedClaim, line: int, elsewhere: Sequence[StatedNumber]) -> Finding:
    """The finding on a wrong claim, with its gap."""
    finding = judged.finding
    try:
        return replace(finding, gap=_gap(judged, line, elsewhere))
    except (FormulaError, ArchitectureError):  # Too large to be explained, or in names that are not sizes; the verdict stays.
        return finding


def _gap(judged: JudgedClaim, line: int, elsewhere: Sequence[StatedNumber]) -> Gap | None:
    if judged.gap is not None:
        return judged.gap()
    if judged.finding.code == "wrong-formula" and judged.left is not None and judged.right is not None:
        return explain_difference(judged.left, judged.right)
    if judged.stated is None or judged.computed is None:
        return None
    stated = int_if_whole(judged.stated)
    if judged.parts:
        gap = explain_sum([StatedNumber(part.label, int_if_whole(part.value), part.line) for part in judged.parts], stated, elsewhere)
        return _tied(judged.parts, gap) or gap
    rounded = judged.rounded
    if rounded is not None:
        stated = int_if_whole(rounded.stated * rounded.scale)
    gap = explain_number(_in_numbers(judged, judged.computed), stated, judged.finding.right, elsewhere, line=line, rounded=rounded)
    return gap if rounded is None else _as_written(gap, rounded)


def _in_numbers(judged: JudgedClaim, computed: Fraction) -> Formula:
    """The calculation, with the values that its reason names in place of the letters; only its value, if there is none."""
    values = dict(judged.finding.reason.about).get("values", ())
    named = [dict(each.about) for each in values if isinstance(each, Message)] if isinstance(values, tuple) else []
    sizes = {str(each["letter"]): size for each in named if isinstance(size := each.get("value"), (int, Fraction))}
    left = judged.left.substitute(sizes) if judged.left is not None else None
    return left if left is not None and not left.letters else number(int_if_whole(computed))


def _as_written(gap: Gap, rounded: RoundedNumber) -> Gap:
    """The gap in the unit of the stated number, unless it is a whole number of what the unit counts: 82,144 parameters of 340.3M."""
    counts = gap.value is not None and gap.value.denominator == 1 and rounded.scale.denominator == 1
    return gap if counts and rounded.scale != 1 else gap.in_unit(rounded.unit, rounded.scale, rounded.last_digit)


def _tied(parts: tuple[ListEntry, ...], gap: Gap) -> Gap | None:
    """The gap of a total that leaves out the head because it shares the embedding's weight, if the parts allow this explanation."""
    missing = [part for part in parts if gap.value is not None and part.value == -gap.value]
    head = next((part for part in missing if "head" in topics_of_label(part.label)), None)
    table = next((part for part in missing if topics_of_label(part.label) & {"embedding", "token"}), None)
    if head is None or table is None or head is table:
        return None
    reason = message("left-out-unless-tied", part=line_reference(head.line, head.label, head.text), line=table.line, label=table.label)
    return replace(gap, explained_by=(Cause(reason, gap.value),), others=(gap.explained_by, *gap.others))

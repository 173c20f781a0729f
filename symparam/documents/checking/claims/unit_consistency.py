"""Doubts claims that hold only if a unit of data has another sense than elsewhere on the page: GB as 2³⁰ beside GB as 10⁹."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, sense_text
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.unit_senses import Unit
from symparam.documents.rules.rule import in_force


def with_consistent_units(judged: Iterable[JudgedClaim]) -> list[JudgedClaim]:
    """The claims; those in the rarer sense of a unit are undecided."""
    claims = list(judged)
    proven = Counter(each.unit for each in claims if each.unit is not None)
    usual: dict[str, Fraction] = {}
    for (unit, sense), _ in sorted(proven.items(), key=lambda each: (-each[1], each[0][1])):  # Of two as frequent ones the decimal one.
        usual.setdefault(unit, sense)
    return [_doubted(each, usual) for each in claims]


def proven_sense(left: Expression, right: Expression, sign: str) -> tuple[str, Fraction] | None:
    """The only unit of data of two equal sides, with its sense, if they are not equal in its other one."""
    units = {each.unit.written: each.unit for one in (left, right) for each in one.literals.values() if each.unit}
    found = [unit for unit in units.values() if unit.counted == "bytes" and len(unit.senses) > 1]
    if len(found) != 1:
        return None
    (unit,) = found
    holding = [
        sense
        for sense in unit.senses[:2]
        if judge_numbers(_in_sense(left, unit, sense), _in_sense(right, unit, sense), sign).verdict is Verdict.HOLDS
    ]
    return (unit.written, holding[0]) if len(holding) == 1 else None


def _in_sense(side: Expression, unit: Unit, sense: Fraction) -> ClaimSide:
    alone = replace(unit, senses=(sense,))
    literals = {letter: replace(each, unit=alone) if each.unit == unit else each for letter, each in side.literals.items()}
    return ClaimSide(side.formula, literals)


def _doubted(claim: JudgedClaim, usual: dict[str, Fraction]) -> JudgedClaim:
    finding = claim.finding
    if claim.unit is None or usual[claim.unit[0]] == claim.unit[1] or finding.verdict is not Verdict.HOLDS:
        return claim
    if not in_force("unit-of-page", finding.start):
        return claim
    unit, sense = claim.unit
    doubt = message("unit-of-page", unit=unit, sense=sense_text(usual[unit]), other=sense_text(sense))
    reason = message("but", said=finding.reason, doubt=doubt)
    return replace(claim, finding=replace(finding, verdict=Verdict.UNDECIDED, code="unclear", reason=reason))

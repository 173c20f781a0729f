"""Explains why a part that a page counts differs from the model: modules that are missing or in excess."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.gaps.modules.explain import explain_formula, explain_part, explain_total
from symparam.documents.roles.part_candidates import PartCandidate
from symparam.errors import SymparamError
from symparam.models.blocks import Block, Experts, Layers, Module, Repeat
from symparam.models.resolution import Resolved

_TWO_OF_THREE = Fraction(2, 3)
_MOST_MISSING = 3  # Kinds of modules that are missing beside parts that are off.


def formula_gap(chosen: Resolved, candidate: PartCandidate, stated: Formula) -> Gap:
    """The gap of a part that is stated as a formula, explained by the modules inside it."""
    try:
        return explain_formula(_of_one_layer(chosen, candidate), stated, blocks=frozenset(candidate.leaf_paths))
    except SymparamError:
        return Gap(None)  # Too large to be taken apart.


def part_gap(chosen: Resolved, candidate: PartCandidate, stated: int | Fraction) -> Gap:
    """The gap of one part, ``stated`` minus the model's value, explained by the modules inside it."""
    plain = Gap(_whole(Fraction(stated) - candidate.value))
    if _is_of_experts(chosen, candidate) and Fraction(stated) == candidate.value * _TWO_OF_THREE:
        return replace(plain, explained_by=(Cause(message("off-one-of-three"), plain.value),))
    if candidate.way not in ("whole", "with-norm"):
        return plain
    try:
        found = explain_part(_of_one_layer(chosen, candidate), stated, frozenset(candidate.leaf_paths))
    except SymparamError:
        return plain  # Too large to be taken apart.
    return found if found.value == plain.value else plain


def _is_of_experts(chosen: Resolved, candidate: PartCandidate) -> bool:
    """Whether it consists only of experts, whose three matrices are not separate tensors."""
    modules = {place.path: place.module for place in chosen.model.architecture.places()}
    return all(isinstance(modules.get(path), Experts) for path in candidate.leaf_paths)


def _of_one_layer(chosen: Resolved, candidate: PartCandidate) -> Resolved:
    """The model with one layer in each list of layers, unless all of them are meant."""
    architecture = chosen.model.architecture
    if candidate.scope == "in-all":
        return chosen
    return replace(chosen, model=replace(chosen.model, architecture=replace(architecture, root=_one_of_each(architecture.root))))


def _one_of_each(module: Module) -> Module:
    """The block with one layer in each list of layers."""
    match module:
        case Repeat():
            return replace(module, count=sympy.S.One, body=_one_of_each(module.body), indices=None, windowed=None)
        case Layers():
            return module.with_groups(group for each in module.groups if isinstance(group := _one_of_each(each), Repeat))
        case Block():
            parts = {name: _one_of_each(part) for name, part in module.parts}
            return Block(module.kind, role=module.role, rows=None, execution_order=None, takes=None, **parts)
    return module


def multiple_gap(gap: Gap, candidates: Sequence[PartCandidate], stated: int | Fraction) -> Gap:
    """The gap of a part if the page states a multiple of it and no module explains it."""
    for candidate in candidates:
        times = Fraction(stated) / candidate.value if candidate.value else Fraction(0)
        if not gap.explained_by and times in (2, 3, Fraction(1, 2), Fraction(1, 3)):
            kind = message(f"way-{candidate.way}")
            return replace(gap, explained_by=(Cause(message("part-times", times=times, value=candidate.value, kind=kind)),))
    return gap


@frozen
class PartGap:
    """A part of the page that differs from the model: its words, its line, and its gap in all copies."""

    label: str
    line: int
    gap: Gap
    times: int | Fraction
    candidate: PartCandidate

    @property
    def value(self) -> Fraction:
        """Its contribution to the gap of the total."""
        return Fraction(self.gap.value or 0) * self.times


def explain_by_parts(chosen: Resolved, stated: int | Fraction, right: int | Fraction, wrong: Sequence[PartGap]) -> Gap | None:
    """The gap of a total as the sum of the gaps of its parts, or of these and modules that are missing beside them; None if that is not
    the gap.
    """
    gap = Fraction(stated) - right
    found = next((some for some in _some(wrong) if _sum(some) == gap), None)
    beside: tuple[Cause, ...] = ()
    for some in _some(wrong) if found is None else ():
        left = explain_total(chosen, _whole(Fraction(stated) - _sum(some))).explained_by
        if 0 < len(left) <= _MOST_MISSING and all(each.reason.kind == "missing" for each in left):
            found, beside = some, left
            break
    if not found:
        return None
    return Gap(_whole(gap), None, (*(Cause(_why(each), _whole(each.value)) for each in found), *beside))


def _sum(parts: Sequence[PartGap]) -> Fraction:
    return sum((each.value for each in parts), Fraction(0))


def _why(part: PartGap) -> Message:
    causes = tuple(cause.reason for cause in part.gap.explained_by)
    if not causes:
        return message("part-off-alone", label=part.label, line=part.line)
    return message("part-off", label=part.label, line=part.line, why=causes)


def _some(wrong: Sequence[PartGap]) -> list[Sequence[PartGap]]:
    """The subsets to try: all parts, then all but one, then each alone."""
    but_one = [[*wrong[:at], *wrong[at + 1 :]] for at in range(len(wrong))] if len(wrong) > 2 else []
    return [wrong, *but_one, *([each] for each in wrong)] if wrong else []


def _whole(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value

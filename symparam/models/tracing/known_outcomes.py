"""At which instances each condition holds: a bit for each, from the columns of values that conditions have in common."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.candidates import Candidates, Instance
from symparam.models.tracing.columns import NONE, SettingColumns, bits
from symparam.models.tracing.combined_conditions import Mask, Outcomes, distinct

MOST_COLUMNS = 4
"""Groups of instances whose columns are kept, as they are large."""

Instances = tuple[Instance, ...]


class KnownOutcomes:
    """The outcomes of the candidates among conditions."""

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self._columns: dict[Instances, SettingColumns] = {}
        self._masks: dict[Instances, list[tuple[Mask, Expression]]] = {}
        self._all: dict[Instances, list[Outcomes]] = {}

    def forget(self, masks: bool = True) -> None:
        """Forget what was found, as there are other conditions on numbers now; the ``masks`` may stay."""
        self._all.clear()
        if masks:
            self._masks.clear()

    def columns(self, instances: Instances) -> SettingColumns:
        """The columns of these instances; only those of the last few are kept."""
        if instances not in self._columns:
            if len(self._columns) >= MOST_COLUMNS:
                del self._columns[next(iter(self._columns))]
            settings = [self.candidates.observations[build].settings for build, _ in instances]
            self._columns[instances] = SettingColumns(settings, [numbers for _, numbers in instances])
        return self._columns[instances]

    def masks(self, instances: Instances, on_numbers: Sequence[Expression]) -> list[tuple[Mask, Expression]]:
        """The conditions that vary over these instances, the likeliest first."""
        if instances not in self._masks:
            everything = (1 << len(instances)) - 1
            columns = self.columns(instances)
            masks = ((condition, columns.mask(condition)) for condition in on_numbers)
            numbered = (Outcomes(condition, mask, everything) for condition, mask in masks if mask is not None)
            found = chain(self._spread(self._on_builds[0], instances), numbered, self._spread(self._on_builds[1], instances))
            self._masks[instances] = list(distinct(found, everything))
        return self._masks[instances]

    def all(self, instances: Instances, on_numbers: Sequence[Expression]) -> list[Outcomes]:
        """All conditions, the likeliest first, also those that have a value at some of the instances alone."""
        if instances not in self._all:
            if len(self._all) >= MOST_COLUMNS:
                del self._all[next(iter(self._all))]
            columns = self.columns(instances)
            numbered = (_outcomes(condition, columns.of(condition)) for condition in on_numbers)
            found = chain(self._spread(self._on_builds[0], instances), numbered, self._spread(self._on_builds[1], instances))
            self._all[instances] = _different(found)
        return self._all[instances]

    @cached_property
    def _on_builds(self) -> tuple[list[Outcomes], list[Outcomes]]:
        """The outcomes of conditions on whole builds, and of comparisons, in each build."""
        candidates = self.candidates
        both = (candidates.conditions, candidates.comparisons)
        first, second = (_different(_outcomes(each, candidates.row(each)) for each in conditions) for conditions in both)
        return first, second

    @staticmethod
    def _spread(on_builds: Iterable[Outcomes], instances: Instances) -> Iterator[Outcomes]:
        """The outcomes at the instances of what holds for whole builds."""
        of_build: dict[int, Mask] = {}
        for at, (build, _) in enumerate(instances):
            of_build[build] = of_build.get(build, 0) | 1 << at
        there = sum(1 << build for build in of_build)
        spread: dict[Mask, Mask] = {}

        def at_instances(builds: Mask) -> Mask:
            if builds not in spread:
                spread[builds] = sum(mask for build, mask in of_build.items() if builds >> build & 1)
            return spread[builds]

        for condition, true, known in on_builds:
            yield Outcomes(condition, at_instances(true & there), at_instances(known & there))


def _outcomes(condition: Expression, values: Sequence[object]) -> Outcomes:
    known = bits([each is not NONE for each in values])
    return Outcomes(condition, bits([each is not NONE and each for each in values]), known)


def _different(found: Iterable[Outcomes]) -> list[Outcomes]:
    """The first condition with each of the outcomes, if it has any."""
    first: dict[tuple[Mask, Mask], Outcomes] = {}
    for each in found:
        if each.known:
            first.setdefault((each.true, each.known), each)
    return list(first.values())

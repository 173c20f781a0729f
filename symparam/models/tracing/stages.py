"""Rules for lists that loops within loops fill: in terms of the settings, the stage of each module and its number within the stage."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from symparam.models.traced.expressions import TURN, Expression, compiled, keys_of, mentions, replaced
from symparam.models.tracing.candidates import Instance
from symparam.models.tracing.failures import UnfitError
from symparam.models.tracing.nested_loops import Run

FEWEST_BUILDS = 6
"""The fewest builds that must show a run of stages."""
MOST_TRIED = 240
"""How many conditions on the number of a module are tried on that of its stage."""
FEW = 4

SizeOf = Callable[[tuple[Instance, ...], tuple[int, ...]], Expression]
"""A function that finds the rule for sizes. It raises `UnfitError`."""


@dataclass(frozen=True)
class Stages:
    """One run of stages of the list at a ``depth``: the stage of a module, its ``number`` in it, that it is the ``last`` one of it, how
    many stages there are, and what number comes after the run, as expressions that have a value outside of the run, too.
    """

    depth: int
    stage: Expression
    number: Expression
    last: Expression
    many: Expression
    end: Expression
    counts: Expression

    @property
    def cases(self) -> Iterator[Expression]:
        """Conditions that set modules apart: the first and the last stage, the first and the last of a stage, and those in it that are as
        many as a setting says.
        """
        yield from (("==", self.number, 0), self.last)
        yield from (("<", self.number, ("key", path)) for path in sorted(keys_of(self.counts)))
        yield from (("==", self.stage, 0), ("==", ("+", self.stage, 1), self.many))

    def conditions(self, found: Iterable[Expression]) -> Iterator[Expression]:
        """Conditions on stages, likely ones and those ``found`` on the number of a module, which may be meant from either end."""
        own = ("at", self.depth)
        yield from self.cases
        yield from ((sign, place, number) for place in (self.stage, self.number) for number in range(FEW) for sign in ("==", "<"))
        of_members = sorted((each for each in found if mentions(each, self.depth)), key=lambda each: each[0] != "in")
        for condition in of_members[:MOST_TRIED]:
            for place in (self.stage, ("-", ("-", self.many, 1), self.stage)):
                yield replaced(condition, lambda part, place=place: place if part == own else None)  # type: ignore[misc]


def stages_of(
    instances: Sequence[Instance], runs: Sequence[Mapping[int, Run]], depth: int, size: SizeOf, lengths: Callable[[Expression], None]
) -> Iterator[Stages]:
    """The rules for runs of stages, by the numbers of the instances. Raises `UnfitError` where there are none.

    ``lengths`` is told how many stages there are while the rule for their members is sought.
    """
    end: Expression = 0
    before = [0] * len(instances)
    for run in runs:
        there = [at for at in range(len(instances)) if at in run]
        if len({instances[at][0] for at in there}) < FEWEST_BUILDS:
            raise UnfitError("a list", ())
        chosen = tuple(instances[at] for at in there)
        gaps = {run[at].start - before[at] for at in there}
        start = added(end, gaps.pop()) if len(gaps) == 1 else size(chosen, tuple(run[at].start for at in there))
        many = size(chosen, tuple(len(run[at].counts) for at in there))
        members_of = [(instances[at], run[at].counts) for at in there]
        spread = [((build, (*numbers, turn)), count) for (build, numbers), counts in members_of for turn, count in enumerate(counts)]
        lengths(many)
        members = size(tuple(one for one, _ in spread), tuple(count for _, count in spread))
        found = _in_list(depth, start, many, members)
        yield found
        end = found.end
        before = [run[at].end if at in run else before[at] for at in range(len(instances))]


def _in_list(depth: int, start: Expression, many: Expression, members: Expression) -> Stages:
    place = ("at", depth)
    number = ("-", place, start) if start else place
    if not mentions(members, depth):
        within = ("%", number, members)
        return Stages(
            depth, ("//", number, members), within, ("==", ("+", within, 1), members), many, added(start, ("*", many, members)), members
        )
    counts = ("series", many, replaced(members, lambda part: TURN if part == place else None))
    if members[0] == "item" and members[2] == place and many == ("len", members[1]):
        counts = members[1]
    following = ("-", place, start - 1) if isinstance(start, int) and start > 1 else ("+", number, 1) if start != 1 else place
    last = ("==", ("within", counts, following), 0)
    return Stages(depth, ("stage", counts, number), ("within", counts, number), last, many, added(start, ("sum", counts)), counts)


def values_of(expression: Expression, instances: Sequence[Instance], settings: Sequence[Mapping[str, object]]) -> list[int]:
    """The values of a stage or a number at these instances."""
    computed = compiled(expression)
    return [computed(settings[build], numbers) for build, numbers in instances]


def added(one: Expression, other: Expression) -> Expression:
    """Their sum."""
    if isinstance(one, int) and isinstance(other, int):
        return one + other
    return one if other == 0 else other if one == 0 else ("+", one, other)

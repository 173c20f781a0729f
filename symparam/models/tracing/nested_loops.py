"""Lists that loops within loops fill: their stages, one for each turn of the outer loop, and how many modules each of them has.

In ``for mult in mults: for _ in range(blocks): layers.append(...)`` each item of ``mults`` is a stage. What several loops append one after
the other has several runs of stages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, count, pairwise, takewhile

from symparam.models.tracing.origins import Turns
from symparam.models.tracing.symbolic_values import Place, Turn

MOST_RUNS = 6
"""The most loops that fill one list."""


@dataclass(frozen=True)
class Run:
    """The stages that one loop makes of a list: the number of the first module, and how many modules each stage has."""

    start: int
    counts: tuple[int, ...]

    @property
    def end(self) -> int:
        """The number behind that of the last module."""
        return self.start + sum(self.counts)


def turns_of_members(path: str, kinds: Mapping[str, str], turns: Mapping[str, Turns]) -> list[Turns]:
    """The turns in which each module of a list was made, those without tensors too."""
    names = (f"{path}.{number}" if path else f"{number}" for number in count())
    return [_turns_within(name, turns) for name in takewhile(lambda name: name in kinds or name in turns, names)]


def _turns_within(name: str, turns: Mapping[str, Turns]) -> Turns:
    """The turns of a module; of a copy, which has none of its own, those that its tensors have in common."""
    if name in turns:
        return turns[name]
    inside = [each for other, each in turns.items() if other.startswith(f"{name}.")]
    common = zip(*inside, strict=False)
    return tuple(each[0] for each in takewhile(lambda each: len({*each}) == 1, common))


def runs_of(rows: Sequence[Sequence[Turns]]) -> list[dict[int, Run]]:
    """The runs of stages by the numbers of the rows, which are the same list in several builds, in the order of the list; none where each
    stage has one module, or where the modules of several loops are mixed.
    """
    turning = {place for row in rows for place in _turning(row)}
    found: dict[Place, dict[int, Run]] = {}
    for number, row in enumerate(rows):
        runs = _runs(row, turning)
        if runs is None:
            return []
        for place, run in runs:
            found.setdefault(place, {})[number] = run
    ordered = sorted(found.values(), key=lambda runs: max(each.start for each in runs.values()))
    in_order = all(one[number].end <= other[number].start for one, other in pairwise(ordered) for number in one.keys() & other.keys())
    nested = any(count != 1 for runs in ordered for each in runs.values() for count in each.counts)
    return ordered if nested and in_order and len(ordered) <= MOST_RUNS else []


def _turning(row: Sequence[Turns]) -> Iterator[Place]:
    """The places of loops that made several of the modules in different turns."""
    first: dict[int, int] = {}
    for place, loop, turn in (each for turns in row for each in turns):
        if first.setdefault(loop, turn) != turn:
            yield place


def _runs(row: Sequence[Turns], turning: set[Place]) -> list[tuple[Place, Run]] | None:
    """The runs of one list; None if modules of several loops are mixed."""
    made: dict[Place, list[tuple[int, Turn]]] = {}
    for number, turns in enumerate(row):
        outer = next((each for each in turns if each[0] in turning), None)
        if outer is not None:
            made.setdefault(outer[0], []).append((number, outer))
    found: list[tuple[Place, Run]] = []
    for place, members in made.items():
        run = _run(members)
        if run is None or (found and found[-1][1].end > run.start):
            return None
        found.append((place, run))
    return found


def _run(members: Sequence[tuple[int, Turn]]) -> Run | None:
    """The stages of one loop; if it runs again and again, each time is a stage, as it is within another loop. None if they are mixed."""
    loops = dict.fromkeys(loop for _, (_, loop, _) in members)
    ordinal = {loop: at for at, loop in enumerate(loops)}
    stages = [(number, ordinal[loop] if len(loops) > 1 else turn) for number, (_, loop, turn) in members]
    if stages[0][1] > stages[-1][1]:  # Each module is inserted before the others.
        stages = [(number, stages[0][1] - stage) for number, stage in stages]
    if any(one > other for (_, one), (_, other) in pairwise(stages)):
        return None
    starts: dict[int, int] = {}
    for number, stage in stages:
        starts.setdefault(stage, number)
    end = members[-1][0] + 1
    last = max(starts)
    following = list(accumulate((starts.get(stage, end) for stage in range(last, -1, -1)), min))[::-1]
    return Run(following[0], tuple(other - one for one, other in pairwise((*following, end))))

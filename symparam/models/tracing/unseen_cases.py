"""Settings that show in cases in which no build has shown them yet: parts that only some builds have, and rules that choose a size."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from symparam.models.traced.expressions import CannotEvaluateError, Expression, depths_in, evaluate, keys_of, parts
from symparam.models.traced.network import ModuleRule, counts_in, expressions_in
from symparam.models.tracing.invented_operations import invented
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.sampling import about_an_item

MOST_OTHER_OUTCOMES = 8
"""The most builds to add in which a part that not every build has meets another outcome of a comparison."""
MOST_OTHER_FLAGS = 8
VALUES_OF_A_CHOICE = 4
"""The number of values that what a rule does not choose should have had, if it is not to be chosen by chance."""

Places = Sequence[tuple[str, frozenset[int]]]
"""Places, with the numbers of the builds that show them."""


def unseen_outcomes(observations: Sequence[Observation], places: Places, free: Collection[str]) -> Iterator[dict[str, object]]:
    """Settings at which a comparison behind the sizes of a part comes out as it did only without the part.

    For example, whether a width is rounded up does not depend on whether a block has a gate.
    """
    outcomes: dict[Expression, list[object]] = {}
    for at, each in enumerate(observations):
        for condition, found in each.asked.items():
            if len(found) == 1:
                outcomes.setdefault(about_an_item(condition), [None] * len(observations))[at] = next(iter(found))
    varying = {condition: row for condition, row in outcomes.items() if {True, False} <= {*row}}
    given: set[str] = set()
    for place, builds in places:
        if len(builds) == len(observations) or not builds:
            continue
        first = observations[min(builds)]
        keys = _behind(place, first)
        for condition, row in varying.items():
            seen = {row[build] for build in builds} - {None}
            if len(seen) != 1 or not keys_of(condition) & keys or len(given) >= MOST_OTHER_OUTCOMES:
                continue
            other = next((at for at, outcome in enumerate(row) if outcome not in (None, *seen)), None)
            changed = {} if other is None else {path: observations[other].settings[path] for path in keys_of(condition) if path in free}
            moved = {**first.moved, **changed}
            if changed and repr(moved) not in given:
                given.add(repr(moved))
                yield moved


def unseen_flags(observations: Sequence[Observation], places: Places, free: Collection[str]) -> Iterator[dict[str, object]]:
    """Settings at which the flags are turned that were the same whenever a part was there, but for those that decide on the part.

    For example, whether a projection has a bias does not depend on how its block is called.
    """
    flags = [path for path in free if isinstance(observations[0].settings.get(path), bool)]
    alike = {builds for _, builds in places if 0 < len(builds) < len(observations)}
    given: set[str] = set()
    for builds in sorted(alike, key=sorted):
        first = observations[min(builds)]
        turned: dict[str, object] = {}
        for path in sorted(flags):
            value = first.settings.get(path)
            same = {at for at, each in enumerate(observations) if each.settings.get(path) is value}
            if builds < same != {*range(len(observations))}:
                turned[path] = not value
        moved = {**first.moved, **turned}
        if turned and repr(moved) not in given and len(given) < MOST_OTHER_FLAGS:
            given.add(repr(moved))
            yield moved


def unseen_choices(root: ModuleRule, observations: Sequence[Observation], free: Collection[str]) -> Iterator[dict[str, object]]:
    """Settings at which a rule chooses by a comparison that the class was never seen to make, with other values of what it does not choose.

    For example, 7 layers for few heads, where all builds with few heads have the factor from which 7 layers follow.
    """
    by_chance = invented(root, observations)
    choices = (part for each in expressions_in(root) for part in parts(each) if isinstance(part, tuple) and part[0] == "if")
    for choice in dict.fromkeys(choices):
        _, condition, one, other = choice
        if depths_in([choice]) or by_chance.isdisjoint(part for part in parts(condition) if isinstance(part, tuple)):
            continue
        builds: dict[bool, list[Observation]] = {True: [], False: []}
        for each in observations:
            with suppress(CannotEvaluateError):
                builds[bool(evaluate(condition, each.settings))].append(each)
        for outcome, left in ((True, other), (False, one)):
            paths = sorted(path for path in keys_of(left) - keys_of(condition) if path in free)
            if paths and builds[outcome]:
                yield from _with_other_values(left, paths, builds[outcome], builds[not outcome])


def _with_other_values(
    left: Expression, paths: Sequence[str], builds: Sequence[Observation], others: Sequence[Observation]
) -> Iterator[dict[str, object]]:
    """The first of the builds, with settings of the others that give what is left another value than it has in these builds."""

    def value(build: Observation) -> str | None:
        try:
            return repr(evaluate(left, build.settings))
        except CannotEvaluateError:
            return None

    known = {value(each) for each in builds}
    for each in others:
        if len(known) < VALUES_OF_A_CHOICE and value(each) not in known:
            known.add(value(each))
            yield {**builds[0].moved, **{path: each.settings.get(path) for path in paths}}


def smallest_counts(root: ModuleRule, observations: Sequence[Observation], free: Collection[str]) -> Iterator[dict[str, object]]:
    """Settings with the smallest numbers from which the length of a list is computed: a loop of no turns leaves what stands before it. A
    build in which all of them are 1 does not show one of them.
    """
    computed = [keys_of(each) & {*free} for each in counts_in(root) if isinstance(each, tuple) and each[0] not in ("key", "len", "item")]
    asked: set[str] = set()
    for paths in dict.fromkeys(map(frozenset, computed)):
        builds = [each for each in observations if all(type(each.settings.get(path)) is int for path in paths)]
        for path in sorted(paths - asked) if builds else ():
            if not any(each.settings[path] == 1 and all(each.settings[other] != 1 for other in paths - {path}) for each in builds):
                asked.add(path)
                yield {**observations[0].moved, **{other: observations[0].settings[other] for other in paths}, path: 1}


def _behind(place: str, build: Observation) -> set[str]:
    """The settings from which the class computed the sizes at a place."""
    here = re.compile("".join(r"\d+" if each.startswith("{") else re.escape(each) for each in re.split(r"(\{\w\})", place)))
    found = (each for name, origins in build.origins.items() if here.match(name) for each in origins)
    return {path for each in found for path in keys_of(each)}

"""Settings for parts that only some builds have, which show them in cases in which no build has shown them yet."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from symparam.models.traced.expressions import Expression, keys_of
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.sampling import about_an_item

MOST_OTHER_OUTCOMES = 8
"""The most builds to add in which a part that not every build has meets another outcome of a comparison."""
MOST_OTHER_FLAGS = 8

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


def _behind(place: str, build: Observation) -> set[str]:
    """The settings from which the class computed the sizes at a place."""
    here = re.compile("".join(r"\d+" if each.startswith("{") else re.escape(each) for each in re.split(r"(\{\w\})", place)))
    found = (each for name, origins in build.origins.items() if here.match(name) for each in origins)
    return {path for each in found for path in keys_of(each)}

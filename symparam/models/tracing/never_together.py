"""Settings that no build had together, although each occurs: they are tried, and where the class refuses them they are excluded.

An embedding that is only there if it is asked for, if there are channels for it, and if the number of its rows is given, is never seen
where builds that lack the third are refused. So what is refused is tried again with settings that are null by default.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations

from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, negated
from symparam.models.tracing.exploration import Exploration
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.sampling import about_an_item

_MOST = 24
"""The most pairs that are tried."""
_FILLED = 5
"""A value for what is null by default, if no build shows one that is whole."""

Pair = tuple[Expression, Expression]
"""Two conditions that do not hold at the defaults."""


def refused_pairs(builds: Exploration) -> list[Pair]:
    """The pairs that no build has and that the class refuses, alone and with all settings that may be null, and those of very many that are
    not tried; builds of the others are kept.
    """
    refused: list[Pair] = []
    for _ in range(_MOST):
        pair = next((each for each in _unseen(builds.observations) if each not in refused), None)
        if pair is None:
            break
        moved = _moved(pair, builds.observations)
        filled = {path: _whole(path, builds.observations) for path, value in builds.observations[0].settings.items() if value is None}
        found = builds.observe(moved) or builds.observe({**filled, **moved}) or builds.sample(around=moved)
        if found is None or not all(_holds(each, found) for each in pair):
            refused.append(pair)
    return [*refused, *(each for each in _unseen(builds.observations) if each not in refused)]


def apart(pairs: Iterable[Pair], seen: Sequence[Observation]) -> list[Expression]:
    """The conditions that exclude the pairs, but for those that some build has."""
    return [
        ("or", negated(one), negated(other)) for one, other in pairs if not any(_holds(one, each) and _holds(other, each) for each in seen)
    ]


def _unseen(seen: Sequence[Observation]) -> Iterator[Pair]:
    turned = list(_turned(seen))
    for (one, first), (other, second) in combinations(turned, 2):
        if keys_of(one).isdisjoint(keys_of(other)) and first.isdisjoint(second):
            yield one, other


def _turned(seen: Sequence[Observation]) -> Iterator[tuple[Expression, frozenset[int]]]:
    """What is not as by default in some builds, with the numbers of these builds: flags that are turned, settings that are given, and
    comparisons of a setting with a number.
    """
    for condition in _states(seen):
        builds = {at for at, each in enumerate(seen) if _holds(condition, each)}
        if 0 in builds:
            condition, builds = negated(condition), {*range(len(seen))} - builds
        if builds:
            yield condition, frozenset(builds)


def _states(seen: Sequence[Observation]) -> Iterator[Expression]:
    for path, value in seen[0].settings.items():
        if isinstance(value, bool):
            yield ("==", ("key", path), True)
        elif value is None:
            yield ("==", ("key", path), None)
    asked = dict.fromkeys(about_an_item(condition) for each in seen for condition in each.asked)
    yield from (each for each in asked if each[0] in ("<", "<=", ">", ">=") and _is_plain(each))


def _is_plain(condition: Expression) -> bool:
    """Whether it compares a setting with a number."""
    _, one, other = condition
    return isinstance(one, tuple) and one[0] == "key" and isinstance(other, int | float)


def _moved(pair: Pair, seen: Sequence[Observation]) -> Mapping[str, object]:
    """The settings of the first builds at which the two hold."""
    found: dict[str, object] = {}
    for condition in pair:
        build = next(each for each in seen if _holds(condition, each))
        found |= {path: build.settings[path] for path in keys_of(condition)}
        if ("!=", ("key", path := next(iter(keys_of(condition)))), None) == condition:
            found[path] = _whole(path, seen)
    return found


def _whole(path: str, seen: Sequence[Observation]) -> object:
    """A value of a setting that is null by default: a whole number, if a build has one."""
    values = [each.settings.get(path) for each in seen]
    return next((each for each in values if type(each) is int), next((each for each in values if each is not None), _FILLED))


def _holds(condition: Expression, build: Observation) -> bool:
    try:
        return bool(evaluate(condition, build.settings))
    except CannotEvaluateError:
        return False

"""Finds how defaults follow from other settings, where the search found no rule: from configs alone, of which thousands cost little.

A default is what the class takes where it does not follow at all, another setting, a quotient or a product of two. A rule must give the
default of all configs that were drawn; where two rules do, neither is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from atlas_bases import Pair
from atlas_draws import Config, drawn

from symparam.errors import ConfigError
from symparam.models.traced.config_keys import defaults_of
from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate
from symparam.models.traced.network import Network
from symparam.models.tracing.sampling import COUNT, TOKEN
from symparam.models.tracing.subjects import ConfigSubject

DRAWS, FEWEST = 160, 50
"""How many configs are drawn, and how many of them at least have to leave a setting open."""
SHARE = 0.3
"""How often a setting that is asked for is given, since others may follow from it."""
DISTINCT = 4
"""How many values of a setting must be seen before it follows by a rule."""

Drawn = tuple[Config, Mapping[str, object]]


def with_rules_of_defaults(pair: Pair, network: Network) -> Network:
    """The network with rules for the settings of which it was not known how they follow from others."""
    unknown = [path for path, key in network.keys.items() if key.follows == "?" and not key.overruled]
    if not unknown:
        return network
    configs = _configs(network, pair.subject(), unknown, Random(f"defaults {pair.name}"))
    found = list(islice(configs, DRAWS))
    rules = {path: _rule(path, [each for each in found if path not in each[0]], network) for path in unknown}
    return replace(network, keys={**network.keys, **{path: replace(network.keys[path], follows=rule) for path, rule in rules.items()}})


def _configs(network: Network, subject: ConfigSubject, unknown: Sequence[str], random: Random) -> Iterator[Drawn]:
    """Settings that the config takes, as given and as it has them; those that are asked for are given in some."""
    levels = {path.rpartition(".")[0] for path in unknown}
    whole = {
        path: key.default
        for path, key in network.keys.items()
        if path.rpartition(".")[0] in levels and type(key.default) is int and key.status in ("free", "idle")
    }
    other_names = {path: name for name, path in network.aliases.items()}  # A config may set these after it has computed what follows.
    sizes = {path: size for path, size in whole.items() if size > 0 and not TOKEN.search(path)}
    for _ in range(8 * DRAWS):
        share, given = random.random(), {path for path in unknown if random.random() < SHARE}
        changed = {path: _size(path, size, random) for path, size in sizes.items() if random.random() < share}
        moved = {**(drawn(network, random)[1] if random.random() < 0.4 else {}), **changed}
        moved = {path: value for path, value in moved.items() if path in given or path not in unknown}
        named = {other_names[path] if path in other_names and random.random() < SHARE else path: value for path, value in moved.items()}
        try:
            yield moved, subject.settings(subject.config(subject.document(named)))
        except Exception:  # A config may raise anything.
            continue


def _size(path: str, size: int, random: Random) -> int:
    return random.randint(1, 40) if COUNT.search(path) or size < 16 else 8 * random.randint(1, max(4, size // 4))


def _rule(path: str, found: Sequence[Drawn], network: Network) -> Expression:
    """The only rule that holds everywhere; None if the default never changes, "?" if there is none or more than one."""
    if len(found) < FEWEST:
        return "?"
    if all(_plain(path, moved, settings, network) for moved, settings in found):
        return None
    values = [settings.get(path) for _, settings in found]
    if not all(type(value) is int for value in values) or len({*values}) < DISTINCT:
        return "?"
    rules = [each for each in _candidates(path, found) if all(_gives(each, path, settings) for _, settings in found)]
    return rules[0] if len(rules) == 1 else "?"


def _plain(path: str, moved: Config, settings: Mapping[str, object], network: Network) -> bool:
    """Whether the config has the default."""
    try:
        return settings.get(path) == defaults_of(network, moved, "the config")[path]
    except ConfigError:
        return False


def _candidates(path: str, found: Sequence[Drawn]) -> Iterator[Expression]:
    """The rules that hold at the first of the configs."""
    first, outer = found[0][1], path.rpartition(".")[0]
    beside = {other: value for other, value in first.items() if other != path and other.rpartition(".")[0] == outer}
    sizes = [other for other, value in beside.items() if type(value) is int and value > 0]
    fractions = [other for other, value in beside.items() if type(value) is float]
    rules: list[Expression] = [("key", other) for other in sizes]
    rules += [("//", ("key", one), ("key", other)) for one in sizes for other in sizes if one != other]
    rules += [("int", ("*", ("key", one), ("key", other))) for one in sizes for other in fractions]
    yield from (rule for rule in rules if _gives(rule, path, first))


def _gives(rule: Expression, path: str, settings: Mapping[str, object]) -> bool:
    try:
        return bool(evaluate(rule, settings) == settings.get(path))
    except CannotEvaluateError:
        return False

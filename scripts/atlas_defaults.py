"""Finds how defaults follow from other settings, where the search found no rule: from configs alone, of which thousands cost little.

A default is what the class takes where it does not follow at all, another setting, a quotient or a product of two; or a list: of the layers
of a kind, of the kinds where the layers of one are listed, of all layers. A rule must give the default of all configs that were drawn;
where two rules do, neither is taken. A setting that rules need and that the search did not see follow is tried likewise: where it does, the
default alone would be wrong in silence; and a list that is held, which configs may state as it follows.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from random import Random

from atlas_bases import Pair
from atlas_draws import Config, drawn
from atlas_given import needed, with_replaced

from symparam.errors import ConfigError
from symparam.models.traced.config_keys import defaults_of, flat
from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate
from symparam.models.traced.network import Key, Network
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
    """The network with rules for the settings of which it was not known how, or that they follow from others."""
    subject, stated = pair.subject(), {path for path, _ in flat(pair.needed)}
    unknown = [path for path, key in network.keys.items() if key.follows == "?" and not key.overruled]
    if unknown:
        configs = _configs(network, subject, unknown, unknown, {}, Random(f"defaults {pair.name}"))
        network = _ruled(network, unknown, list(islice(configs, DRAWS)))
    network, as_given, changing = with_replaced(network, subject)
    if as_given:
        configs = _configs(network, subject, [*as_given], (), as_given, Random(f"given {pair.name}"))
        network = _ruled(network, sorted(changing), list(islice(configs, DRAWS)))
    matter = [*needed(network), *(path for path, key in network.keys.items() if key.status == "held" and isinstance(key.default, list))]
    needs = [path for path in dict.fromkeys(matter) if _has_a_default(network.keys.get(path)) and path not in stated]
    if not needs:
        return network
    found = list(islice(_configs(network, subject, needs, (), as_given, Random(f"needs {pair.name}")), DRAWS))
    overruled = {
        path for path in needs if any(moved.get(path) not in (None, settings.get(path, moved.get(path))) for moved, settings in found)
    }
    following = [path for path in needs if path in overruled or not _always_plain(path, _left_open(path, found), network)]
    network = replace(network, keys={**network.keys, **{path: replace(network.keys[path], overruled=True) for path in overruled}})
    return _ruled(network, following, found)


def _ruled(network: Network, paths: Sequence[str], found: Sequence[Drawn]) -> Network:
    """The network with rules for these settings."""
    rules = {path: _rule(path, _left_open(path, found, network.keys[path].overruled), network) for path in paths}
    return replace(network, keys={**network.keys, **{path: replace(network.keys[path], follows=rule) for path, rule in rules.items()}})


def _has_a_default(key: Key | None) -> bool:
    return key is not None and key.follows is None and key.status != "any"


def _left_open(path: str, found: Sequence[Drawn], all_of_them: bool = False) -> list[Drawn]:
    """The configs that do not give the setting."""
    return [each for each in found if all_of_them or path not in each[0]]


def _configs(
    network: Network, subject: ConfigSubject, near: Sequence[str], asked: Sequence[str], as_given: Config, random: Random
) -> Iterator[Drawn]:
    """Settings that the config takes, as given and as it has them, of configs that have some ``near`` ones; those that are asked for are
    given in some. What the config has something else for is ``as_given``, or its declared default.
    """
    levels = {path.rpartition(".")[0] for path in near}
    beside = {
        path: key for path, key in network.keys.items() if path.rpartition(".")[0] in levels and key.status in ("free", "idle", "held")
    }
    sizes = {path: key.default for path, key in beside.items() if type(key.default) is int and key.status != "held"}
    sizes = {path: size for path, size in sizes.items() if size > 0 and not TOKEN.search(path)}
    other_names = {path: name for name, path in network.aliases.items()}  # A config may set these after it has computed what follows.
    for _ in range(8 * DRAWS):
        share, given = random.random(), {path for path in asked if random.random() < SHARE}
        changed: Config = {path: _size(path, size, random) for path, size in sizes.items() if random.random() < share}
        changed |= _lists(beside, random)
        moved = {**(drawn(network, random)[1] if random.random() < 0.4 else {}), **changed}
        moved = {path: value for path, value in moved.items() if path in given or path not in asked}
        named = {other_names[path] if path in other_names and random.random() < SHARE else path: value for path, value in moved.items()}
        try:
            settings = subject.settings(subject.config(subject.document(named)))
            yield moved, {**settings, **{path: moved.get(path, declared) for path, declared in as_given.items()}}
        except Exception:  # A config may raise anything.
            continue


def _lists(keys: Mapping[str, Key], random: Random) -> Config:
    """Other kinds for the layers, and other layers in lists of some, as many as the setting says that has their number."""
    found: Config = {}
    for path, key in keys.items():
        if not isinstance(key.default, list) or not key.default or random.random() > SHARE:
            continue
        count = random.randint(2, 12)
        if all(isinstance(each, str) for each in key.default):
            found[path] = [random.choice(key.values or key.default) for _ in range(count)]
        elif all(type(each) is int for each in key.default):
            found[path] = sorted(random.sample(range(count), random.randint(1, count)))
        found |= {other: count for other, each in keys.items() if type(each.default) is int and each.default > 1 and COUNT.search(other)}
    return found


def _size(path: str, size: int, random: Random) -> int:
    return random.randint(1, 40) if COUNT.search(path) or size < 16 else 8 * random.randint(1, max(4, size // 4))


def _rule(path: str, found: Sequence[Drawn], network: Network) -> Expression:
    """The only rule that holds everywhere; None if the default never changes, "?" if there is none or more than one."""
    if len(found) < FEWEST:
        return "?"
    if _always_plain(path, found, network):
        return None
    values = [settings.get(path) for _, settings in found]
    whole = all(type(value) is int for value in values)
    if not (whole or all(isinstance(value, list) for value in values)) or len({str(value) for value in values}) < DISTINCT:
        return "?"
    candidates = _candidates if whole else _candidates_for_lists
    rules = [each for each in candidates(path, found) if all(_gives(each, path, settings) for _, settings in found)]
    return rules[0] if len(rules) == 1 else "?"


def _always_plain(path: str, found: Sequence[Drawn], network: Network) -> bool:
    return all(_plain(path, moved, settings, network) for moved, settings in found)


def _plain(path: str, moved: Config, settings: Mapping[str, object], network: Network) -> bool:
    """Whether the config has the default, or no such setting."""
    try:
        return path not in settings or settings[path] == defaults_of(network, moved, "the config")[path]
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


def _candidates_for_lists(path: str, found: Sequence[Drawn]) -> Iterator[Expression]:
    """The rules for a list that hold at the first of the configs whose list is neither empty nor of equal items."""
    first = next((settings for _, settings in found if _has_two_kinds(settings, path)), found[0][1])
    outer, seen = path.rpartition(".")[0], list(dict.fromkeys(map(str, _list_of(first, path))))
    beside = {other: value for other, value in first.items() if other != path and other.rpartition(".")[0] == outer}
    counts = [other for other, value in beside.items() if type(value) is int and value > 0]
    lists = {other: _list_of(first, other) for other in beside if any(_has_two_kinds(settings, other) for _, settings in found)}
    rules: list[Expression] = [
        ("positions", ("key", other), word) for other, value in lists.items() for word in dict.fromkeys(map(str, value))
    ]
    rules += [("list", ("key", count), ("at", 0)) for count in counts]
    rules += [
        ("list", ("key", count), ("if", ("in", ("at", 0), ("key", other)), one, another))
        for count in counts
        for other in lists
        for one, another in ([seen, seen[::-1]] if len(seen) == 2 else ())
    ]
    yield from (rule for rule in rules if _gives(rule, path, first))


def _has_two_kinds(settings: Mapping[str, object], path: str) -> bool:
    return len({*map(str, _list_of(settings, path))}) > 1


def _list_of(settings: Mapping[str, object], path: str) -> list[object]:
    value = settings.get(path)
    return value if isinstance(value, list) else []


def _gives(rule: Expression, path: str, settings: Mapping[str, object]) -> bool:
    try:
        return bool(evaluate(rule, settings) == settings.get(path))
    except CannotEvaluateError:
        return False

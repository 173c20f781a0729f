"""Finds what a config does with values beside having them, from configs alone: it passes them on to a nested config that is not mentioned,
or computes other settings from them and then has something else in their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import replace

from atlas_bases import Pair
from atlas_draws import Config

from symparam.models.traced.expressions import Expression, keys_of, replaced
from symparam.models.traced.network import Key, Network, expressions_in
from symparam.models.tracing.subjects import ConfigSubject
from symparam.models.tracing.widening import Suspects

SUSPECTS = Suspects()
"""The keys whose values made a difference to the classes that were traced before."""


def needed(network: Network) -> set[str]:
    """The keys that rules need, or conditions, or other keys that follow from them."""
    found = {path for each in expressions_in(network.root) for path in keys_of(each)}
    found |= {path for each in network.conditions for path in keys_of(each)}
    return found | {path for key in network.keys.values() for path in keys_of(key.follows)}


def halves(given: Mapping[str, object]) -> tuple[Config, Config]:
    """One half of the values and the other."""
    paths = list(given)
    one, other = paths[: len(paths) // 2], paths[len(paths) // 2 :]
    return {path: given[path] for path in one}, {path: given[path] for path in other}


def foreign(network: Network, outer: str, name: str) -> bool:
    """Whether the config of that path has no key of the name, nor a config or a dictionary. A config that is nested itself may pass on what
    it has for those nested in it, where none of these is mentioned.
    """
    path = f"{outer}.{name}".lstrip(".")
    known = (*network.keys, *network.aliases)
    passed_on = outer and any(key.startswith(f"{outer}.") and key.endswith(f".{name}") for key in known)
    return not passed_on and not any(key == path or key.startswith(f"{path}.") for key in known)


def with_passed_on(pair: Pair, network: Network) -> Network:
    """The network with keys held that have no effect by themselves, but that a config passes on as settings that have."""
    subject = pair.subject()
    matters = {path for path in needed(network) if path in network.keys and network.keys[path].follows is None}
    idle = {path: key for path, key in network.keys.items() if key.status in ("idle", "any") and path not in matters}
    if network.spread:  # Of a nested config that is not mentioned, these are the keys.
        idle = {path: key for path, key in idle.items() if f"{network.spread}.{path}" not in network.keys}
    found: dict[str, None] = {}
    for outer in sorted({path.rpartition(".")[0] for path in subject.types} & {"", *subject.types}):
        beside = {f"{outer}.model_type": subject.types[outer]} if outer else {}
        inside = {path: key for path, key in idle.items() if path.rpartition(".")[0] == outer}
        for at in range(2):
            given = {path: values[at] for path, key in inside.items() if (values := _other_numbers(key.default))}
            found |= dict.fromkeys(_passed_on(subject, beside, given, matters))
    return replace(network, keys={**network.keys, **{path: Key(network.keys[path].default) for path in found}})


def with_replaced(network: Network, subject: ConfigSubject) -> tuple[Network, Config, set[str]]:
    """The network with settings for what is given where the config then has something else in its place; with the values that the config
    declares for them, and with the other settings that change with what is given.
    """
    config = subject.prepare({})
    settings = subject.settings(config)
    in_rules = {path for each in expressions_in(network.root) for path in keys_of(each)}
    in_rules |= {path for key in network.keys.values() for path in keys_of(key.follows)}
    declared: Config = {}
    changing: set[str] = set()
    for path in sorted(network.keys.keys() & settings.keys() - in_rules):
        outer, _, name = path.rpartition(".")
        number = getattr(type(config_at(config, outer)), name, None)
        if type(number) is not int or type(settings[path]) is not int or number in (0, settings[path]):
            continue
        beside: Config = {f"{outer}.model_type": subject.types[outer]} if outer in subject.types else {}
        changed = (_changed(subject, beside, {path: 2 * number}) or set()) & needed(network)
        rule = network.keys[path].follows
        if changed and (rule not in (None, "?") or not any(path in keys_of(each) for each in network.conditions)):
            conditions = tuple(_in_place_of(path, rule, each) for each in network.conditions)
            network = replace(network, keys={**network.keys, path: Key(number, "idle", least=1)}, conditions=conditions)
            declared[path] = number
            changing |= changed
    return network, declared, changing


def _in_place_of(path: str, rule: Expression, condition: Expression) -> Expression:
    return replaced(condition, lambda part: rule if part == ("key", path) else None)


def config_at(config: object, path: str) -> object:
    """The config itself, or the nested one of this path."""
    for name in path.split(".") if path else ():
        config = getattr(config, name, None)
    return config


def _passed_on(subject: ConfigSubject, beside: Config, given: Config, matters: Set[str]) -> Iterator[str]:
    if not given:
        return
    changed = _changed(subject, beside, given)
    if changed is not None and not changed & matters:
        return
    if len(given) > 1:
        for part in halves(given):
            yield from _passed_on(subject, beside, part, matters)
    elif changed:
        yield from given


def _changed(subject: ConfigSubject, beside: Config, given: Config) -> set[str] | None:
    """The other settings that change; None if the config refuses what is given."""
    before, after = _settings(subject, beside), _settings(subject, {**beside, **given})
    if before is None or after is None:
        return None
    return {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)} - given.keys()


def _settings(subject: ConfigSubject, moved: Config) -> Mapping[str, object] | None:
    try:
        return subject.settings(subject.config(subject.document(moved)))
    except Exception:  # A config may raise anything.
        return None


def _other_numbers(default: object) -> tuple[object, ...]:
    """Two other values of its kind; null may stand for a number or a flag."""
    if isinstance(default, bool):
        return not default, not default
    if isinstance(default, int):
        return 2 * default + 2, default // 2 + 1
    return (4, True) if default is None else ()

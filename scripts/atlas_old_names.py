"""Finds what older configs state in place of what the class has now: other names of keys, and other words for the kinds of layers.

A config takes names that none of its keys has, ``kwargs.pop("block_ff_dim", ...)``, and words that it replaces. Such a name is one of four:
without effect; another name of one key; without effect where a certain key is given; or without effect as null or false. What holds of the
config's settings holds of the class, which is built from these alone.
"""

from __future__ import annotations

import copy
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from random import Random

from atlas_bases import Pair
from atlas_builds import BuildingOnce, builds_of
from atlas_draws import OLD, Config
from atlas_given import foreign, needed
from atlas_released import Trying, idle_names, names_of_no_key, nearly_default, taken
from atlas_variants import COMPUTED
from atlas_widening import contexts
from transformers import configuration_utils

from symparam.models.traced.config_keys import METADATA, PRIVATE, ROTARY, TOKEN, settings_of
from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, replaced
from symparam.models.traced.network import Key, Network
from symparam.models.tracing.subjects import ConfigSubject

TAKEN = re.compile(r"kwargs\.(?:pop|get)\(\s*['\"](\w+)['\"]")
NUMBERS = (3, 5, 16, 24)
HARMLESS = (None, False)
RESPELLED: Mapping[str, str] = configuration_utils._LEGACY_LAYER_TYPE_REMAP
OTHERS = (*NUMBERS, True, 0.5, "none", "MEM*-", ["none"], *HARMLESS)

Values = Mapping[str, object]


def with_old_names(pair: Pair, network: Network) -> Network:
    """The network with the names and words of older configs."""
    builds = builds_of(pair)
    subject, observer = builds.subject, BuildingOnce(builds)
    network = replace(network, aliases={name: path for name, path in network.aliases.items() if means(name, path, network, subject)})
    tried = [nearly_default(network, builds), *islice(contexts(network, observer, Random(f"old names {pair.name}")), 2)]
    trying = Trying(builds, [context for context in tried if taken(builds, context)])
    if not trying.contexts:
        return network
    modules = observer.modules | subject.modules
    known = OLD | names_of_no_key(modules) | {name for module in modules for name in TAKEN.findall(_source(module))}
    mentioned = {name for name in known - METADATA if not (ROTARY.search(name) or TOKEN.search(name) or name.startswith(PRIVATE))}
    network = replace(network, keys={**network.keys, **dict(_respelled(network, trying)), **dict(_overruled(network, trying))})
    found = idle_names(network, subject, mentioned & network.words, trying)
    if subject.types and {} not in trying.contexts:
        found.pop("", None)
    idle = {path: network.idle_names.get(path, frozenset()) | found.get(path, frozenset()) for path in {*network.idle_names, *found}}
    network = replace(network, idle_names=idle)
    network = replace(network, keys={**network.keys, **dict(_computed(network, subject, trying))})
    names = {outer: sorted(mentioned & network.words - idle.get(outer, frozenset())) for outer in ("", *subject.types)}
    left = [f"{outer}.{name}".lstrip(".") for outer, inside in names.items() for name in inside if foreign(network, outer, name)]
    aliases = dict(_aliases(left, trying))
    superseded = dict(_superseded([path for path in left if path not in aliases], network, trying))
    harmless = dict(_harmless([path for path in left if path not in aliases], trying))
    return replace(
        network, aliases={**network.aliases, **aliases}, superseded={**network.superseded, **superseded}, keys={**network.keys, **harmless}
    )


def means(name: str, path: str, network: Network, subject: ConfigSubject) -> bool:
    """Whether the class has with the other name of a key what it has with the key. It takes the other name last, and may have computed
    sizes of nested configs from the key before.
    """
    known = network.keys.get(path)
    numbers = (2 * known.default, known.default // 2, *NUMBERS) if known is not None and type(known.default) is int else ()
    return not any(_misread(network, subject, name, each) - _misread(network, subject, path, each) for each in numbers)


def _misread(network: Network, subject: ConfigSubject, name: str, value: int) -> set[str]:
    """The settings that matter of which the class has others than are read where a key is given by this name; none if it is refused."""
    document = subject.document({name: value})
    try:
        read, found = settings_of(network, document, "the config"), subject.settings(subject.config(copy.deepcopy(document)))
        return {path for path in needed(network) & read.keys() if read[path] != found.get(path) and not TOKEN.search(path)}
    except Exception:  # A config may raise anything.
        return set()


def _source(module: str) -> str:
    return inspect.getsource(sys.modules[module]) if "configuration" in module else ""


def _settings(trying: Trying, given: Values) -> Config | None:
    """All settings of the config; None if it refuses what is given."""
    try:
        return dict(trying.settings(given))
    except Exception:  # A config may raise anything.
        return None


def _changed(trying: Trying, context: Values, given: Values) -> Config | None:
    """What values beside a context change of the other settings."""
    before, after = _settings(trying, context), _settings(trying, {**context, **given})
    if before is None or after is None:
        return None
    others = {*before, *after} - given.keys()
    return {path: after.get(path) for path in others if (path in before, before.get(path)) != (path in after, after.get(path))}


def _respelled(network: Network, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Keys whose items the config replaces if they are words of earlier versions."""
    for path, key in network.keys.items():
        if isinstance(key.default, list) and key.default and all(isinstance(each, str) for each in key.default):
            known = {word for word in (*key.values, *key.default) if isinstance(word, str)}
            spelled = {word: now for word, now in RESPELLED.items() if word not in known and now in known}
            for context in _reached(path, trying):
                beside = (_settings(trying, context) or {}).get(path) or key.default
                seen = {word: _settings(trying, {**context, path: [word, *beside[1:]]}) for word in (*spelled, *known)}
                spelled = {word: now for word, now in spelled.items() if seen[word] is not None and seen[word] == seen[now]}
            if spelled and _reached(path, trying):
                yield path, replace(key, spelled=spelled)


def _overruled(network: Network, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Keys that no rule needs and that the config computes whatever is given: numbers, and flags."""
    for path in sorted({path for path, key in network.keys.items() if key.status != "any"} - needed(network)):
        key = network.keys[path]
        flag = isinstance(key.default, bool) and key.status == "held"
        if not (flag or key.overruled):
            continue
        values = (True, False) if flag else NUMBERS
        given = [
            (_settings(trying, context), _settings(trying, {**context, path: value}))
            for context in _reached(path, trying)
            for value in values
        ]
        if given and all(one is not None and one == other for one, other in given):
            yield path, replace(Key(key.default, "idle"), nullable=key.nullable) if flag else Key(key.default, "any")


def _computed(network: Network, subject: ConfigSubject, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Keys that no config of the class has, and that may state what the class computes in their place: `COMPUTED`."""
    for outer in ("", *subject.types):
        for name, rule in COMPUTED.items():
            path, inside = f"{outer}.{name}".lstrip("."), _inside(rule, outer)
            mentioned = name in network.words - network.idle_names.get(outer, frozenset())
            if mentioned and foreign(network, outer, name) and keys_of(inside) <= network.keys.keys():
                found = [_states(path, inside, context, trying) for context in _reached(path, trying)]
                if found and all(found):
                    yield path, Key(None, follows=inside)


def _inside(rule: Expression, outer: str) -> Expression:
    """The rule for the keys of a nested config."""
    return replaced(rule, lambda each: ("key", f"{outer}.{each[1]}".lstrip(".")) if each[0] == "key" else None)


def _states(path: str, rule: Expression, context: Values, trying: Trying) -> bool:
    """Whether the class is the same with the value that the rule gives."""
    try:
        value = evaluate(rule, _settings(trying, context) or {})
    except CannotEvaluateError:
        return False
    return _without_effect(trying, context, {path: value})


def _aliases(left: list[str], trying: Trying) -> Iterator[tuple[str, str]]:
    """Names that set one other key, whatever the number."""
    for path in left:
        reached = _reached(path, trying)
        found = [_changed(trying, context, {path: value}) for context in reached for value in NUMBERS]
        meant = {other for each in found if each is not None for other in each}
        values = [value for _ in reached for value in NUMBERS]
        if len(meant) == 1 and None not in found and sum(map(bool, found)) > len(reached):
            other = min(meant)
            beside = other.rpartition(".")[0] == path.rpartition(".")[0]
            if beside and all(each == {other: value} for each, value in zip(found, values, strict=True) if each):
                yield path, other


def _superseded(left: list[str], network: Network, trying: Trying) -> Iterator[tuple[str, str]]:
    """Names without effect where another key is given."""
    for path in left:
        reached = _reached(path, trying)
        found = [_changed(trying, context, {path: value}) for context in reached for value in OTHERS]
        meant = {other for each in found if each for other in each if other in network.keys}
        if not reached or len(meant) != 1:
            continue
        other = min(meant)
        given = [(context, {other: (_settings(trying, context) or {}).get(other)}) for context in reached]
        if all(values[other] is not None for _, values in given) and all(
            _without_effect(trying, {**context, **values}, {path: value}) for context, values in given for value in OTHERS
        ):
            yield path, other


def _harmless(left: list[str], trying: Trying) -> Iterator[tuple[str, Key]]:
    """Names without effect as null, and as false."""
    fine = {value: {*trying.reached(left)} for value in HARMLESS}
    for context in trying.contexts:
        plain = trying.seen(context, {})
        for value, paths in fine.items():
            here = [path for path in paths if trying.reaches(context, path)]
            given = {path: value for path in here if _changed(trying, context, {path: value}) == {}}
            paths -= {*here} - given.keys() | {*trying.changing(context, given, plain and plain[0], False)}
    yield from ((path, Key(None, values=(False,) if path in fine[False] else ())) for path in sorted(fine[None]))


def _reached(path: str, trying: Trying) -> list[Config]:
    """The settings at which the key can be tried."""
    return [context for context in trying.contexts if trying.reaches(context, path)]


def _without_effect(trying: Trying, context: Values, given: Values) -> bool:
    """Whether the values change no other setting, and no tensor."""
    changed = _changed(trying, context, given)
    before = trying.seen(context, {})
    return changed == {} and before is not None and trying.same(context, given, before[0])

"""From the keys of a config, or arguments, to a value for every setting of a traced architecture; unknown keys and values are rejected."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from symparam.errors import ConfigError, listed, nearest
from symparam.models.traced.expressions import CannotEvaluateError, evaluate, keys_of, literal, render
from symparam.models.traced.network import Key, Network, expressions_in
from symparam.models.traced.rows import COLUMN, columns_of, in_columns, with_rows

METADATA = frozenset(
    [
        "transformers_version",
        "architectures",
        "label2id",
        "dtype",
        "torch_dtype",
        "problem_type",
        "return_dict",
        "output_hidden_states",
        "output_attentions",
        "name_or_path",
        "auto_map",
        "quantization_config",
        "use_cache",
        "task_specific_params",
        "finetuning_task",
        "model_type",
    ]
)
"""Config keys without influence on a model's tensors."""
PRIVATE = (
    "_name_or_path",
    "_attn_implementation",
    "_experts_implementation",
    "_commit_hash",
    "_from_",
    "_auto_class",
    "_diffusers_version",
    "_output_attentions",
    "_post_init_done",
)
"""Prefixes of private keys without influence on the tensors; other private keys may have some."""
ROTARY = re.compile(r"(^|\.)rope_(parameters|scaling|theta|type)")
OF_ALL_CONFIGS = "chunk_size_feed_forward"
"""A key that every config has, which distinguishes a nested config from a plain dictionary."""
WITHOUT_SIZE = re.compile(r"(eps|epsilon|dropout|dropout_prob|dropout_rate|layerdrop)$")
"""Names of fractions that no tensor depends on however small they are, since they are for computing with what the tensors hold."""
TOKEN = re.compile(r"(^|[._])(token_id|token_ids|eos_token_id|bos_token_id|pad_token_id)$")


def flat(values: Mapping[str, object], before: str = "") -> Iterator[tuple[str, object]]:
    """Each value by its dotted path; a dictionary of labels is replaced by their number."""
    for name, value in values.items():
        path = before + str(name)
        if name == "id2label":
            labels = {*map(_numbered, value)} if isinstance(value, dict) else value
            yield f"{before}num_labels", len(labels) if isinstance(labels, (set, list)) else 2
        elif name == "model_type" and before:
            yield path, value
        elif name in METADATA or str(name).startswith(PRIVATE):
            continue
        elif isinstance(value, Mapping) and value:
            yield from flat(value, f"{path}.")
        else:
            yield path, value


def _numbered(label: object) -> object:
    """The number of a label, which is written as a string and may be written in several ways: ``"0"`` and ``"00"`` are one."""
    try:
        return int(str(label))
    except ValueError:
        return label


class KnownSettings(dict[str, object]):
    """Settings with their values. To ask for one of the ``unknown`` ones raises `ConfigError` with its sentence; what needs none of them
    is known all the same.
    """

    def __init__(self, values: Mapping[str, object]) -> None:
        super().__init__(values)
        self.unknown: dict[str, str] = {}

    def __missing__(self, path: str) -> object:
        raise ConfigError(self.unknown[path]) if path in self.unknown else KeyError(path)


def settings_of(network: Network, values: Mapping[str, object], origin: str) -> KnownSettings:
    """The value of every setting, given or default. Raises `ConfigError`, which names the key or condition for which the rules were not
    verified; for a setting that is not given and whose value is not known, only where something needs it.
    """
    given: dict[str, object] = {}
    columns = {path: key.default for path, key in network.keys.items() if COLUMN in path}
    for path, value in with_rows(_read(network, values, origin), columns):
        value = _now(network, path, list(value) if isinstance(value, tuple) else value)
        if path in given and given[path] != value:
            raise ConfigError(f"{origin} gives {path!r} twice, under two names and with different values; keep one of them")
        given[path] = value
    for missing in _left_out(network, given):
        outer, _, name = missing.rpartition(".")
        raise ConfigError(f"{origin}: {outer!r} is given without {name!r}, but {network.name} takes it as a whole; give all of its keys")
    unset = {path for path, value in given.items() if value is None and path in network.keys and network.keys[path].unset}
    chosen = {path: value for path, value in given.items() if path not in unset and _accepted(network, path, value, given, origin)}
    unread = [path for path in given if path not in network.keys and _unmentioned(network, path)]
    if unread and not any(network.keys[path].status == "free" for path in chosen):
        raise ConfigError(_unknown(network, unread[0], origin))  # A config with the key names of another library.
    for path, inside in _at_two_levels(network, chosen):
        raise ConfigError(f"{origin}: {path!r} and {inside!r} differ, but which one counts for {network.name} is not known; keep one")
    defaults = defaults_of(network, (*chosen, *_nested_in(values)), origin)
    settings = KnownSettings(defaults | chosen)
    for path, key in sorted(network.keys.items(), key=lambda item: item[1].follows != "?"):  # What others may follow from comes first.
        if key.follows is None or (path in chosen and not (_computed(key) or _may_be_unread(key, chosen[path]))):
            continue
        try:
            settings[path] = _followed(network, path, key, chosen, settings, defaults, origin)
        except ConfigError as error:
            if path in chosen:
                raise
            settings.unknown[path] = str(error)
            del settings[path]
        if path in chosen and not _same(chosen[path], settings[path]):
            value, computed = _shown(chosen[path]), _shown(settings[path])
            raise ConfigError(f"{origin}: {path!r} is {value}, but {network.name} computes {computed} from other keys; leave it out")
    for condition in network.conditions:
        try:
            kept = evaluate(condition, settings)
        except CannotEvaluateError:
            continue
        if not kept:
            raise ConfigError(
                f"{origin}: {network.name} was traced only where {render(condition)}, which does not hold here, "
                "so its tensors are not known"
            )
    return settings


def _read(network: Network, values: Mapping[str, object], origin: str) -> Iterator[tuple[str, object]]:
    """Each value by the path of its setting."""
    alone = network.spread and not isinstance(values.get(network.spread), Mapping)
    for path, value in flat(values):
        inside = f"{network.spread}.{path}" if alone else ""
        if inside in network.keys:
            yield inside, value
        if inside not in network.keys or path in network.keys:
            yield from _spread(network, _named(network, path), value, origin)


def _at_two_levels(network: Network, chosen: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Flags that are given differently for the whole config and for a nested one, where only the nested one was found to matter."""
    for path, value in chosen.items():
        if isinstance(value, bool) and network.keys[path].status == "idle":
            for inner in network.inner:
                inside = f"{inner}.{path}"
                if inside in chosen and chosen[inside] != value and network.keys[inside].status == "free":
                    yield path, inside


def _left_out(network: Network, given: Mapping[str, object]) -> Iterator[str]:
    """The keys that a given dictionary lacks although they matter: unlike a nested config, it replaces its default as a whole."""
    outers = {path.rpartition(".")[0] for path in given} - {"", *network.inner}
    if not network.model_type or not outers:
        return
    followed = {other for key in network.keys.values() for other in keys_of(key.follows)}
    for path, key in network.keys.items():
        outer = path.rpartition(".")[0]
        alone = outer in outers and f"{outer}.{OF_ALL_CONFIGS}" not in network.keys and not ROTARY.search(path)
        if alone and path not in given and (key.status in ("free", "held") or path in followed):
            yield path


def _spread(network: Network, path: str, value: object, origin: str) -> Iterator[tuple[str, object]]:
    """The setting with its path, or each item or column of a list. Raises `ConfigError` for a list of another length, or other rows."""
    inside: set[str] = set()
    if isinstance(value, (list, tuple)) and (columns := columns_of(path, network.keys)):
        try:
            yield from in_columns(path, value, columns).items()
        except ValueError as error:
            raise ConfigError(f"{origin}: {error}") from None
        return
    if path not in network.keys and isinstance(value, (list, tuple)) and not network.model_type:
        inside = {key.removeprefix(f"{path}.").partition(".")[0] for key in network.keys if key.startswith(f"{path}.")}
    if not inside or not isinstance(value, (list, tuple)) or not all(each.isdecimal() for each in inside):
        yield path, value
    elif len(value) != len(inside):
        raise ConfigError(f"{origin}: {path!r} has {len(value)} items, but {network.name} was traced with {len(inside)}")
    else:
        for at, each in enumerate(value):
            for name, item in flat({str(at): each}, f"{path}."):
                yield from _spread(network, name, item, origin)


def _now(network: Network, path: str, value: object) -> object:
    """The value in the words that the class has for it now."""
    spelled = network.keys[path].spelled if path in network.keys else {}
    return [spelled.get(each, each) if isinstance(each, str) else each for each in value] if spelled and isinstance(value, list) else value


def _named(network: Network, path: str) -> str:
    """The path with the class's own name for the key."""
    if path in network.keys:
        return path
    return network.aliases.get(path, path)


def _accepted(network: Network, path: str, value: object, given: Mapping[str, object], origin: str) -> bool:
    """Whether to use the value. Raises `ConfigError` for one that was not verified, and for a name that looks misspelt."""
    key = network.keys.get(path)
    if key is None:
        overruling = given.get(network.superseded.get(path, ""))
        if ROTARY.search(path) or TOKEN.search(path) or _inside_of_any(network, path) or overruling is not None:
            return False
        if _unmentioned(network, path) and (_private(path) or not _misspelt(network, path, given)):
            return False
        raise ConfigError(_unknown(network, path, origin))
    if key.status == "any":
        return True
    if _same(value, key.default) or any(_same(value, each) for each in key.values if not isinstance(key.default, list)):
        return True
    if key.status == "held" and key.follows not in (None, "?"):
        return True  # It is compared with what follows.
    if key.status == "held":
        allowed = " or ".join(dict.fromkeys(map(_shown, (key.default, *key.values))))
        raise ConfigError(f"{origin}: {path!r} is {_shown(value)}, but {network.name} was traced with {allowed} only")
    expected = _expected(replace(key, least=0.0) if _may_be_small(network, path, key) else key, value)
    if expected:
        raise ConfigError(f"{origin}: {path!r} is {_shown(value)}, but {network.name} was traced with {expected}")
    return True


def _may_be_small(network: Network, path: str, key: Key) -> bool:
    """Whether it is a fraction on which no tensor depends, however small it is; a condition on it is checked all the same."""
    fraction = isinstance(key.default, float) and WITHOUT_SIZE.search(path) is not None
    return fraction and (key.status == "idle" or not any(path in keys_of(each) for each in expressions_in(network.root)))


def _unmentioned(network: Network, path: str) -> bool:
    """Whether the name of the key, or of the nested config that has it, occurs nowhere in the sources of the class, or was found to have no
    effect.
    """
    outer = max((inner for inner in network.inner if path.startswith(f"{inner}.")), key=len, default="")
    name = path.removeprefix(f"{outer}.").partition(".")[0]
    return (
        bool(network.words)
        and (name not in network.words or name in network.idle_names.get(outer, ()))
        and not any(f"{key}.".startswith(f"{outer}.{name}.".lstrip(".")) for key in network.keys)
    )


def _misspelt(network: Network, path: str, given: Mapping[str, object]) -> bool:
    """Whether a key beside it has almost this name. A key that is given as well is not meant, unless the names differ in a single
    letter.
    """
    return any(key not in given or _one_letter_apart(path, key) for key in _close(network, path))


def _close(network: Network, path: str, alike: float = 0.85) -> list[str]:
    """The keys of the same config whose names are most like this one, or of all configs if that one has no keys."""
    outer, _, name = path.rpartition(".")
    beside = {key.rpartition(".")[2]: key for key in network.keys if key.rpartition(".")[0] == outer}
    if not beside:
        return list(nearest(path, network.keys, alike=alike))
    return [beside[each] for each in nearest(name, beside, alike=alike)]


def _one_letter_apart(one: str, other: str) -> bool:
    at = next((at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second), min(len(one), len(other)))
    return not {one[at:], one[at + 1 :]}.isdisjoint({other[at:], other[at + 1 :]})


def _private(path: str) -> bool:
    """Whether the key is one that a library writes for its own use, so that nobody misspelt it: ``_num_labels``."""
    return path.rpartition(".")[2].startswith("_")


def _unknown(network: Network, path: str, origin: str) -> str:
    close = _close(network, path, alike=0.75)
    meant = f"; is {close[0]!r} meant?" if close else f"; it has {listed(network.keys)}"
    return f"{origin}: {path!r} is not a key that {network.name} was traced with, so what it changes is not known{meant}"


def _expected(key: Key, value: object) -> str:
    """The values with which the key was verified, in words; an empty string if this value is one of them."""
    if value is None:
        return "" if key.nullable else "values other than null"
    if isinstance(key.default, bool) or isinstance(value, bool):
        return "" if isinstance(key.default, bool) and isinstance(value, bool) else f"values such as {_shown(key.default)}"
    if isinstance(key.default, list) or isinstance(value, list):
        if not (isinstance(key.default, list) and isinstance(value, list)):
            return f"values such as {_shown(key.default)}"
        if key.values:
            strange = [each for each in value if each not in key.values]
            return f"{', '.join(map(_shown, key.values))} in it" if strange else ""
        if key.default and all(isinstance(each, bool) for each in key.default):
            return "" if all(isinstance(each, bool) for each in value) else "true or false in it"
        fractions = isinstance(key.least, float)
        kinds = (int, float) if fractions else (int,)
        known = all(isinstance(each, kinds) and not isinstance(each, bool) and each >= (key.least or 0) for each in value)
        return "" if known else f"{'' if fractions else 'whole '}numbers of {key.least or 0} or more in it"
    if isinstance(value, str) and isinstance(key.default, (int, float)):
        return "numbers, without quotation marks"
    word = isinstance(key.default, str) and key.least is None  # Some words stand in place of a number, such as "auto".
    if isinstance(value, str) and word and key.status in ("free", "idle"):
        return ""
    if isinstance(value, str) or word:
        return " or ".join(map(_shown, (key.default, *key.values)))
    if isinstance(value, float) and not isinstance(key.default, float) and not isinstance(key.least, float):
        return "whole numbers"
    if isinstance(value, (int, float)):
        return "" if key.least is None or value >= key.least else f"{key.least} or more"
    return f"values such as {_shown(key.default)}"


def _inside_of_any(network: Network, path: str) -> bool:
    while "." in path:
        path = path.rpartition(".")[0]
        if path in network.keys:
            return network.keys[path].status == "any"
    return False


def _nested_in(values: Mapping[str, object], before: str = "") -> Iterator[str]:
    """The paths in nested configs, also of keys that matter to no class: the config is mentioned all the same."""
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from (f"{before}{name}.{inside}" for inside in value)
            yield from _nested_in(value, f"{before}{name}.")


def defaults_of(network: Network, chosen: Iterable[str], origin: str) -> dict[str, object]:
    """The defaults, with the changes for each nested config that is mentioned."""
    settings = {path: key.default for path, key in network.keys.items()}
    for inner, values in network.inner.items():
        if not any(path.startswith(f"{inner}.") for path in chosen):
            continue
        for path, value in values.items():
            if path == "?":
                raise ConfigError(f"{origin} mentions {inner!r}, whose defaults are not known; give the config without it")
            settings[path] = value
    return settings


def _known_together(network: Network, chosen: Mapping[str, object]) -> bool:
    """Whether the mentioned nested configs that change defaults lie within each other: these defaults are known only for one config at a
    time.
    """
    opened = [inner for inner, values in network.inner.items() if values and any(path.startswith(f"{inner}.") for path in chosen)]
    deepest = max(opened, key=len, default="")
    return all(f"{deepest}.".startswith(f"{inner}.") for inner in opened)


def _computed(key: Key) -> bool:
    """Whether the class computes the setting even if it is given at its default: by a known rule, by overruling what is given, or because
    null means not given.
    """
    return key.overruled or (key.status == "held" and (key.follows != "?" or key.default is None))


def _may_be_unread(key: Key, value: object) -> bool:
    """Whether it is false by default and given as such: then the class may compute it from others, as if it were not given."""
    return value is False and key.default is False and key.follows != "?"


def _followed(
    network: Network,
    path: str,
    key: Key,
    chosen: Mapping[str, object],
    settings: Mapping[str, object],
    defaults: Mapping[str, object],
    origin: str,
) -> object:
    """The value of a setting that is not given and follows from others. ``defaults`` are those of all settings for this config."""
    if key.follows == "?":
        unchanged = all(_same(value, defaults[other]) or network.keys[other].status == "any" for other, value in chosen.items())
        if unchanged and _known_together(network, chosen):
            return defaults[path]
        if key.overruled:
            raise ConfigError(f"{origin}: {network.name} computes {path!r} from other keys, and how is not known; leave these as they are")
        raise ConfigError(f"{origin}: {path!r} is not given, and how it follows from the other keys is not known; give it")
    try:
        return evaluate(key.follows, settings)
    except CannotEvaluateError:
        others = " and ".join(sorted(keys_of(key.follows)))
        raise ConfigError(
            f"{origin}: {path!r} is not given, and how it follows from {others} is only known for other values of these; give it"
        ) from None


def _same(one: object, other: object) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _shown(value: object) -> str:
    return literal(list(value) if isinstance(value, tuple) else value)

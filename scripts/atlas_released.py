"""Finds what released configs state beside what matters: keys of other classes, small fractions, outputs of backbones, lists for layers.

What the sources of a class do not mention has no effect. Names that they mention are given here all at once, with values of many kinds,
where the class and its nested configs have no such key; where the tensors change or the class refuses, with half of the names. A name that
the class reads while it builds counts as one with effect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

from atlas_bases import Pair
from atlas_builds import BuildingOnce, Builds, Built, builds_of
from atlas_draws import EVERYWHERE, OLD, Config, fewer, names_of_keys
from atlas_given import SUSPECTS, foreign, halves, needed
from atlas_trials import limited
from atlas_widening import contexts, words
from transformers import PreTrainedConfig

from symparam.models.traced.config_keys import METADATA, ROTARY, TOKEN, WITHOUT_SIZE
from symparam.models.traced.expressions import keys_of
from symparam.models.traced.network import Key, Network, expressions_in
from symparam.models.tracing.nested_values import merged, nested
from symparam.models.tracing.preparation import Preparation
from symparam.models.tracing.sampling import COUNT
from symparam.models.tracing.source_names import names_in_library, names_in_sources, names_read_of_configs
from symparam.models.tracing.subjects import ConfigSubject

SETTINGS = 1
"""At how many settings values are tried, beside the defaults."""
VALUES: tuple[object, ...] = (True, 3, 0.5, False, 37, None, 1, [1, 2], "none", {"edge": 3})
"""Values of many kinds; a name that has words in other configs is given one of them as well."""
TURNS = 4
"""How many of these a name is given at each of the settings."""
READ = ("gradient_checkpointing", "tie_word_embeddings")
"""Names that the library reads while it builds any class; flags, each tried both ways."""
SMALL = 1e-12
CHOOSING = ("out_features", "out_indices")
"""Keys that choose outputs of a backbone, which have no effect on the tensors of other classes."""
PER_LAYER = ("attention_window",)
"""Keys that are a number, or a list with one for each layer."""
WINDOW = "sliding_window"
"""A key of attention that some configs compute from another, which says whether there are windows."""

Values = Mapping[str, object]


def with_released(pair: Pair, network: Network) -> Network:
    """The network with the names and values of released configs that have no effect on the class."""
    builds = builds_of(pair)
    subject = builds.subject
    own = subject.settings(subject.prepare({}))
    foreign = {path: key for path, key in network.keys.items() if path not in own and path.rpartition(".")[2] in OLD}
    network = replace(network, keys={path: key for path, key in network.keys.items() if path not in foreign})
    observer = BuildingOnce(builds)
    many = SETTINGS + bool(subject.types)
    tried = [nearly_default(network, builds), *islice(contexts(network, observer, Random(f"released {pair.name}")), many)]
    trying = Trying(builds, [context for context in tried if taken(builds, context)])
    if not trying.contexts:
        return replace(network, keys={**network.keys, **foreign})
    network = replace(network, keys={**network.keys, **dict(_small(network, trying)), **dict(_alike(network, trying))})
    modules = observer.modules | subject.modules
    mentioned = names_in_sources(modules) | names_in_library()
    idle = idle_names(network, subject, names_of_keys() & mentioned | names_of_no_key(modules), trying)
    if subject.types and {} not in trying.contexts:  # A name may have an effect where no nested config is mentioned.
        idle.pop("", None)
    network = replace(network, keys={**network.keys, **dict(_unread(network, trying))})
    found = replace(network, words=mentioned, idle_names=idle, spread=_spread(network, subject))
    return replace(found, keys={**found.keys, **{path: key for path, key in foreign.items() if not _passed_over(found, path)}})


def names_of_no_key(modules: Iterable[str]) -> frozenset[str]:
    """The names that the modules read of a config and that no config has by itself, without those that all configs take."""
    read = names_read_of_configs(modules) - names_of_keys() - METADATA - EVERYWHERE
    known = {*dir(PreTrainedConfig)}
    return frozenset(name for name in read if name not in known and not ROTARY.search(name) and not TOKEN.search(name))


def _passed_over(network: Network, path: str) -> bool:
    outer, _, name = path.rpartition(".")
    return name not in network.words or name in network.idle_names.get(outer, ())


def nearly_default(network: Network, builds: Builds) -> Config:
    """The defaults with fewer layers, at which a build takes less; as they are where any key would mention a nested config."""
    small = {} if builds.subject.types else fewer(network.keys)
    return small if taken(builds, small) else {}


def taken(builds: Builds, context: Config) -> bool:
    """Whether the class takes these settings, and is not so large that each build takes long."""
    found = Trying(builds, []).seen(context, {})
    return found is not None and len(found.tensors) < 2_000


class Trying:
    """Builds with values added to settings."""

    def __init__(self, builds: Builds, settings: Sequence[Config]) -> None:
        self.builds, self.subject, self.contexts = builds, builds.subject, settings
        self._seen: dict[str, Built | None] = {}
        self.preparation = Preparation(self._prepared)

    def reaches(self, context: Values, path: str) -> bool:
        """Whether the settings mention the nested config that has the key, if one has: to mention it may change what it is."""
        inner = max((inner for inner in self.subject.types if path.startswith(f"{inner}.")), key=len, default="")
        return not inner or any(key.startswith(f"{inner}.") for key in context)

    def reached(self, paths: Iterable[str]) -> list[str]:
        """The paths that can be tried at some of the settings."""
        return [path for path in paths if any(self.reaches(context, path) for context in self.contexts)]

    def seen(self, context: Values, given: Values) -> Built | None:
        """The tensors, and the paths of what is read of the configs; None if the class refuses the settings."""
        key = repr((context, given))  # Not as they are: 1, 1.0 and true are equal.
        if key not in self._seen:
            self._seen[key] = self._built(context, given)
        return self._seen[key]

    def _built(self, context: Values, given: Values) -> Built | None:
        try:
            with limited():
                prepared = self.preparation.for_build(context, given)
        except Exception:  # A config may raise anything.
            return None
        return self.builds.of(prepared)

    def _prepared(self, context: Values, given: Values) -> Any:
        if not any(path.endswith("model_type") for path in given):
            return self.subject.prepare({**context, **given})
        document = self.subject.document(context)  # Which would state the types of nested configs as the class has them.
        return self.subject.config(merged(document, nested(given)))

    def same(self, context: Values, given: Values, plain: object) -> bool:
        """Whether the class takes the values, and has the same tensors with them."""
        found = self.seen(context, given)
        return found is not None and found[0] == plain

    def alone(self, context: Values, path: str, values: Iterable[object], settings: Values) -> list[object]:
        """The last of the values if the config takes one of them, and none that it takes changes another of its settings."""
        taken: list[object] = []
        for value in values:
            try:
                found = self.settings({**context, path: value})
            except Exception:  # A config may raise anything.
                continue
            if {**found, path: None} != {**settings, path: None}:
                return []
            taken = [value]
        return taken

    def takes(self, context: Values, given: Values) -> bool:
        """Whether the config takes the values; the next build with them uses what was prepared."""
        try:
            self.preparation.ahead(context, given)
        except Exception:  # A config may raise anything.
            return False
        return True

    def settings(self, context: Values) -> Mapping[str, object]:
        """All settings as the config has them."""
        return self.subject.settings(self.subject.prepare(context))

    def changing(self, context: Values, given: Values, plain: object, reading: bool) -> Iterator[str]:
        """The paths whose values the class refuses, or that change tensors, or that the class reads if that counts."""
        untaken = {
            path for part in SUSPECTS.apart("takes", given) for path in self._untaken(context, part)
        }  # Nothing is built to find these.
        yield from untaken
        for part in SUSPECTS.apart("seen", {path: value for path, value in given.items() if path not in untaken}):
            yield from self._changing(context, part, plain, reading)

    def _untaken(self, context: Values, given: Values) -> Iterator[str]:
        """The paths whose values the config refuses."""
        taken = not given or self.takes(context, given)
        if taken or len(given) == 1:
            SUSPECTS.tell("takes", given, not taken)
            yield from (path for path in given if not taken)
            return
        for part in halves(given):
            yield from self._untaken(context, part)

    def _changing(self, context: Values, given: Values, plain: object, reading: bool) -> Iterator[str]:
        if not given:
            return
        found = self.seen(context, given)
        same = found is not None and found[0] == plain
        if same or len(given) == 1:
            SUSPECTS.tell("seen", given, not same)
        if found is not None and same:
            yield from (path for path in found[1] & given.keys() if reading and path.rpartition(".")[2] not in READ)
        elif len(given) == 1:
            yield from given
        else:
            for part in halves(given):
                yield from self._changing(context, part, plain, reading)


def _small(network: Network, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Fractions without effect that were tried above a half of their default alone: whether they may be small, or 0."""
    deciding = needed(network)
    fractions = {path: key for path, key in network.keys.items() if isinstance(key.least, float) and path not in deciding}
    left = {path: 0.0 for path, key in fractions.items() if key.least and (key.status == "idle" or WITHOUT_SIZE.search(path))}
    for least in (0.0, SMALL):
        fine = _fine(dict.fromkeys(left, least), trying)
        yield from ((path, replace(network.keys[path], least=least)) for path in fine)
        left = {path: value for path, value in left.items() if path not in fine}


def _fine(given: Values, trying: Trying) -> set[str]:
    """The paths whose value changes no tensor at any of the settings."""
    left = {path: given[path] for path in trying.reached(given)}
    for context in trying.contexts:
        found = trying.seen(context, {})
        now = {path: value for path, value in left.items() if trying.reaches(context, path)}
        for path in list(trying.changing(context, now, found and found[0], False)):
            left.pop(path, None)
    return {*left}


def _alike(network: Network, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Keys that no rule needs and whose other values are lists, or depend on other settings: tried each by itself."""
    deciding = needed(network)
    in_rules = {path for each in expressions_in(network.root) for path in keys_of(each)}
    for path, key in network.keys.items():
        name = path.rpartition(".")[2]
        if path in (in_rules if name in PER_LAYER else deciding) or key.follows is not None or key.status == "any":
            continue
        if name == "model_type":
            fine = [value for value in ("", "bert", "unknown") if _fine({path: value}, trying)]
            if "" in fine:
                yield path, Key(key.default, "any") if len(fine) == 3 else replace(key, values=(*key.values, ""))
            continue
        tried = name.strip("_") in CHOOSING or _pairs(key.default) or name in (*PER_LAYER, WINDOW, "stage_names")
        settings = [context for context in trying.contexts if trying.reaches(context, path)]
        if tried and settings and all(_all_fine(path, key, context, trying) for context in settings):
            yield path, Key(key.default, "any")


def _unread(network: Network, trying: Trying) -> Iterator[tuple[str, Key]]:
    """Keys that no rule needs, that are null, a list or a word by default, and that the class does not read while it builds: those whose
    values of many kinds change neither another setting nor a tensor.
    """
    opened = {path.rpartition(".")[0] for path in network.keys}
    left = {
        path: key
        for path, key in network.keys.items()
        if (key.default is None or isinstance(key.default, (list, str))) and key.status != "any" and path not in opened
    }
    for path in needed(network) | {path for path in left if path.rpartition(".")[2] == "model_type"}:
        left.pop(path, None)
    for context in trying.contexts:
        found, settings = trying.seen(context, {}), trying.settings(context)
        if found is None:
            return
        here = {path: key for path, key in left.items() if trying.reaches(context, path)}
        unread = {path: key for path, key in here.items() if path not in found[1]}
        given = {path: value for path, key in unread.items() for value in trying.alone(context, path, _kinds(path, key.default), settings)}
        wrong = here.keys() - given.keys() | set(trying.changing(context, given, found[0], True))
        left = {path: key for path, key in left.items() if path not in wrong}
    yield from ((path, Key(left[path].default, "any")) for path in trying.reached(left))


def _kinds(path: str, default: object) -> list[object]:
    """Values of many kinds for a key with this default."""
    named = words().get(path.rpartition(".")[2], ())
    if isinstance(default, str):
        return ["", "bert", "none", *named]
    lists: list[object] = [[], [1, 2], [3, 3, 3, 3], ["none"], [[1, 2]], [[384, 768], [768, 384], [384, 384]]]
    if isinstance(default, list):
        return [*lists, default[:1], default[:-1], [*default, *default]]
    return [*lists, *VALUES, "bert", *named]


def _all_fine(path: str, key: Key, context: Config, trying: Trying) -> bool:
    """Whether the class takes all lists of one of the lengths that it may have, and none changes a tensor."""
    plain, settings = trying.seen(context, {}), trying.settings(context)
    outer = path.rpartition(".")[0]
    counts = sorted(
        {value for other, value in settings.items() if type(value) is int and COUNT.search(other) and other.rpartition(".")[0] == outer}
    )
    many = [variants for count in (counts or [0]) if (variants := list(_variants(path, key.default, count, settings)))]
    return plain is not None and any(all(trying.same(context, given, plain[0]) for given in variants) for variants in many)


def _variants(path: str, default: Any, count: int, settings: Values) -> Iterator[Config]:
    outer, _, name = path.rpartition(".")
    before = f"{outer}.".lstrip(".")
    if name.strip("_") in CHOOSING:
        stages = settings.get(f"{before}stage_names")
        if isinstance(stages, list) and len(stages) > 1:
            for some in ([len(stages) - 1], [1], list(range(1, len(stages))), [0, len(stages) - 1]):
                yield {f"{before}out_features": [stages[at] for at in some]}
                yield {f"{before}out_indices": some}
                yield {f"{before}out_features": [stages[at] for at in some], f"{before}out_indices": some}
    elif name == "stage_names":
        default = default or ["stem", "stage1"]
        yield from ({path: names} for names in ([*default, "another"], default[:2], ["stem"]))
    elif name == WINDOW:
        switches = [f"{before}use_{WINDOW}"] if f"{before}use_{WINDOW}" in settings else []
        yield from ({path: each, **dict.fromkeys(switches, switch)} for each in (None, 1, 37, 32768) for switch in (True, False))
    elif _pairs(default):
        kinds = default[0][0]
        yield from ({path: [[[kind], count]]} for kind in kinds)
        yield {path: [[kinds, count // len(kinds)], [kinds[: count % len(kinds)], 1]][: 1 + count % len(kinds)]}
    elif default and count:
        yield from ({path: items} for items in ([default] * count, [2 * default] * count, [2 * default, *[default] * (count - 1)]))


def _pairs(value: object) -> bool:
    """Whether it is a list of lists of words, each with a number: how often they repeat."""
    pairs = value if isinstance(value, list) else []
    return bool(pairs) and all(
        isinstance(each, list) and len(each) == 2 and isinstance(each[0], list) and type(each[1]) is int for each in pairs
    )


def _spread(network: Network, subject: ConfigSubject) -> str:
    """The nested config whose numbers may be given at the level of the whole config, if they all may; else an empty string."""
    for outer in network.inner:
        inside = {path: key.default for path, key in network.keys.items() if path.rpartition(".")[0] == outer and type(key.default) is int}
        inside = {path: size for path, size in inside.items() if size > 0 and path.rpartition(".")[2] not in {*network.keys, "num_labels"}}
        moved = {path.rpartition(".")[2]: size + 8 for path, size in inside.items() if not TOKEN.search(path)}
        try:
            found = subject.settings(subject.prepare(moved))
        except Exception:  # A config may raise anything.
            continue
        if moved and all(found.get(f"{outer}.{name}") == value for name, value in moved.items()):
            return outer
    return ""


def idle_names(network: Network, subject: ConfigSubject, names: Set[str], trying: Trying) -> dict[str, frozenset[str]]:
    """Which of the names have no effect, for the config itself (``""``) and for each nested one."""
    levels = ("", *subject.types)
    left = {*trying.reached(f"{outer}.{name}".lstrip(".") for outer in levels for name in names if foreign(network, outer, name))}
    for at, context in enumerate(trying.contexts):
        plain = trying.seen(context, {})
        for turn in range(TURNS):
            paths = sorted(path for path in left if trying.reaches(context, path))
            given = {path: _value(path, number, turn + TURNS * at) for number, path in enumerate(paths)}
            changing = [*trying.changing(context, given, plain and plain[0], True)]
            left -= {path for path in changing if not _fine_otherwise(path, given[path], context, plain and plain[0], trying)}
    return {outer: frozenset(inside) for outer in levels if (inside := _inside(outer, left))}


def _fine_otherwise(path: str, value: object, context: Values, plain: object, trying: Trying) -> bool:
    """Whether the class refuses the value, and two others that it takes have no effect."""
    if trying.seen(context, {path: value}) is not None:
        return False
    taken = [*islice((each for each in VALUES if trying.seen(context, {path: each}) is not None), 2)]
    return len(taken) == 2 and not any(True for each in taken for _ in trying.changing(context, {path: each}, plain, True))


def _inside(outer: str, paths: Iterable[str]) -> list[str]:
    return [name for before, _, name in (path.rpartition(".") for path in paths) if before == outer]


def _value(path: str, number: int, turn: int) -> object:
    name = path.rpartition(".")[2]
    options = (True, False) if name in READ else (*VALUES, *words().get(name, ())[:3])
    return options[(turn + (0 if name in READ else number)) % len(options)]

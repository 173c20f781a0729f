"""Tries more values for the keys of a traced class that no rule needs: words that other configs use, numbers, null, all activations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from random import Random

from atlas_bases import Pair
from atlas_builds import BuildingOnce, builds_of
from atlas_draws import EVERYWHERE, OLD, Config, drawn, fewer, lenders
from atlas_given import SUSPECTS, foreign
from transformers.activations import ACT2FN
from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.models.traced.network import Key, Network
from symparam.models.tracing.observation import Observer
from symparam.models.tracing.sampling import COUNT
from symparam.models.tracing.source_names import names_in_library, names_in_sources
from symparam.models.tracing.subjects import CannotBuildError
from symparam.models.tracing.suggested_values import suggested_values
from symparam.models.tracing.widening import widened

PLAIN = (
    "relu",
    "gelu",
    "silu",
    "swish",
    "gelu_new",
    "gelu_pytorch_tanh",
    "quick_gelu",
    "gelu_fast",
    "relu2",
    "relu6",
    "tanh",
    "sigmoid",
    "leaky_relu",
    "mish",
    "linear",
)
"""Activation functions without parameters that configs name."""
BRIEF = 3
"""At how many settings `briefly` tries values."""
MOST_LAYERS = 64
"""The most layers of a drawn setting, of which each build takes as long as the sum of them."""
CONTEXTS = 3
"""At how many drawn settings values are tried, beside the defaults and the defaults with all flags changed."""


def wider(pair: Pair, network: Network, held: list[str], seconds: float) -> Network:
    """The network with more values for keys without effect."""
    builds = builds_of(pair)
    subject, observer = builds.subject, BuildingOnce(builds)
    compared = suggested_values(subject.kind, {path.rpartition(".")[2]: key.default for path, key in network.keys.items()})
    named = {name: [each for each in values if isinstance(each, str)] for name, values in compared.items()}
    both = {name: list(dict.fromkeys((*named.get(name, ()), *words().get(name, ())))) for name in {*named, *words()}}
    tried_at = list(contexts(network, observer, Random(f"wider {pair.name}")))
    mentions = names_in_sources(observer.modules | subject.modules)
    old = sorted((mentions | names_in_library()) & OLD)
    others = [f"{outer}.{name}".lstrip(".") for outer in ("", *subject.types) for name in old if foreign(network, outer, name)]
    return replace(widened(network, observer, tried_at, held, both, others, seconds, suspects=SUSPECTS), words=mentions)


def briefly(pair: Pair, network: Network, held: list[str], seconds: float) -> Network:
    """The network with all activation functions for keys that name one, and null for flags and counts that all configs have: what takes a
    dozen builds of a class, and is most of what released configs state otherwise.
    """
    builds = builds_of(pair)
    subject, observer = builds.subject, BuildingOnce(builds)
    acting = {path: key for path, key in network.keys.items() if key.default in PLAIN and len(key.values) < len(PLAIN) // 2}
    options = {path.rpartition(".")[2]: PLAIN for path in acting}
    tried_at = islice(contexts(network, observer, Random(f"briefly {pair.name}")), BRIEF)

    def chosen(path: str, key: Key) -> bool:
        return path in acting or (path.rpartition(".")[2] in EVERYWHERE and not key.nullable)

    found = widened(network, observer, tried_at, held, options, (), seconds, chosen, SUSPECTS)
    return replace(found, words=names_in_sources(observer.modules | subject.modules)) if network.words else found


def contexts(network: Network, observer: Observer, random: Random) -> Iterator[Config]:
    """Settings that the class accepts, with all nested configs mentioned if it accepts that."""
    opened = {f"{path}.model_type": kind for path, kind in getattr(observer.subject, "types", {}).items()}
    keys = {path: key for path, key in network.keys.items() if key.status in ("free", "idle") or key.values}
    flags = [path for path, key in keys.items() if isinstance(key.default, bool)]
    small = fewer(keys)
    if not _accepted(observer, {**opened, **small}):
        opened = {} if _accepted(observer, small) else opened
        small = small if _accepted(observer, {**opened, **small}) else {}
    yield {**opened, **small}
    for share in (1.0, 0.6, 0.4, 0.25):
        flipped = {path: not keys[path].default for path in flags if random.random() < share}
        if _accepted(observer, {**opened, **small, **flipped}):
            yield {**opened, **small, **flipped}
            break
    made = 0
    for _ in range(4 * CONTEXTS):
        moved = {**opened, **small, **drawn(network, random)[1]}
        deep = any(COUNT.search(path) and type(value) is int and value > MOST_LAYERS for path, value in moved.items())
        if made < CONTEXTS and not deep and _accepted(observer, moved):
            made += 1
            yield moved


def _accepted(observer: Observer, moved: Config) -> bool:
    try:
        return len(observer.observe(moved, plainly=True).tensors) < 2_000
    except CannotBuildError:
        return False


@cache
def words() -> dict[str, tuple[str, ...]]:
    """The words for each key: defaults of the reference's configs, those that a config's annotations or its description name, and
    activation functions without parameters for keys that name one.
    """
    plain = [name for name in ACT2FN if not any(True for _ in ACT2FN[name].parameters())]
    found: dict[str, dict[str, None]] = {}
    for values in lenders():
        for name, value in values.items():
            if isinstance(value, str) and not value.startswith("<"):
                found.setdefault(name, {})[value] = None
    kinds = {each for kind in CONFIG_MAPPING.values() for each in (kind, *(getattr(kind, "sub_configs", None) or {}).values())}
    for kind in sorted((each for each in kinds if isinstance(each, type)), key=lambda each: each.__name__):
        for name, annotation in vars(kind).get("__annotations__", {}).items():
            for literal in re.findall(r"Literal\[([^\]]*)\]", str(annotation)):
                found.setdefault(name, {}).update(dict.fromkeys(re.findall(r"['\"]([^'\"]*)['\"]", literal)))
        for name, described in re.findall(r"^ {4}(\w+) \(`?str[^\n]*\):?((?:.*\n(?! {4}\w+ \())*.*)", kind.__doc__ or "", re.M):
            found.setdefault(name, {}).update(dict.fromkeys(re.findall(r"[\"']([\w.-]+)[\"']", described)))
    acting = {name for name, options in found.items() if options.keys() & set(plain) - {"linear"}}
    return {name: tuple({**options, **(dict.fromkeys(plain) if name in acting else {})}) for name, options in found.items()}

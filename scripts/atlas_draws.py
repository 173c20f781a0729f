"""Draws configs for a traced class in many ways, all of them independent of the search.

A few keys take extreme values, or all flags change, or a nested config; keys of equal value keep their equality or gain one; widths are
scaled together or made tiny; optional keys are emptied; the values of another class of the reference are borrowed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from random import Random
from typing import Any

from transformers.models.auto.configuration_auto import CONFIG_MAPPING

from symparam.models.traced.config_keys import METADATA, PRIVATE, ROTARY, flat
from symparam.models.traced.expressions import keys_of, parts
from symparam.models.traced.network import Key, Network, expressions_in
from symparam.models.tracing.sampling import COUNT, TOKEN

Config = dict[str, Any]
Keys = Mapping[str, Key]

OLD = frozenset(
    [
        "attention_bias",
        "backbone",
        "backbone_kwargs",
        "cross_attention_hidden_size",
        "ep_size",
        "full_attention_interval",
        "gradient_checkpointing",
        "head_dim",
        "hidden_dropout",
        "max_window_layers",
        "mlp_bias",
        "num_key_value_heads",
        "output_router_logits",
        "padding_idx",
        "partial_rotary_factor",
        "pretraining_tp",
        "rms_norm_eps",
        "scoring_func",
        "size",
        "sliding_window",
        "sliding_window_pattern",
        "tokenizer_class",
        "use_pretrained_backbone",
        "use_sliding_window",
        "use_timm_backbone",
        "verbose",
    ]
)
"""Keys that released configs have for classes of which they are none, and that common code mentions."""
EVERYWHERE = frozenset(["chunk_size_feed_forward", "is_encoder_decoder"])
"""Keys of all configs."""


def drawn(network: Network, random: Random) -> tuple[str, Config]:
    """Random values for some of the keys that can be changed, and the way in which they were drawn."""
    keys = {path: key for path, key in network.keys.items() if key.status != "held" or key.values or key.nullable}
    needed = {path: key for path, key in keys.items() if key.status not in ("idle", "any")} or keys
    way = random.choice([name for name, (_, weight) in WAYS.items() for _ in range(weight)])
    if way == "deciding":
        paths = _deciding(network)
        needed = {path: key for path, key in needed.items() if path in paths} or needed
    moved = WAYS[way][0](needed if way not in ("half", "inside") else keys, random)
    small = fewer(keys) if random.random() < (0.55 if way == "few" else 0.8) else {}
    return way, small | moved


def _few(keys: Keys, random: Random) -> Config:
    chosen = random.sample(list(keys), min(len(keys), random.choice((1, 1, 2, 2, 4))))
    flags = flags_of(keys)
    chosen += random.sample(flags, 1) if flags and random.random() < 0.4 else []
    extreme = random.random() < 0.6
    return {path: another(path, keys[path], random, extreme) for path in chosen}


def _switched(keys: Keys, random: Random) -> Config:
    share = random.choice((0.25, 0.6, 1.0))
    return {path: another(path, keys[path], random) for path in flags_of(keys) if random.random() < share}


def _many(keys: Keys, random: Random) -> Config:
    share = random.choice((0.2, 0.5, 0.8))
    return {path: another(path, key, random) for path, key in keys.items() if random.random() < share}


def _inside(keys: Keys, random: Random) -> Config:
    outer = random.choice(sorted({path.rpartition(".")[0] for path in keys}) or [""])
    return _many({path: key for path, key in keys.items() if path.rpartition(".")[0] == outer}, random)


def _scaled(keys: Keys, random: Random) -> Config:
    """All sizes times or divided by the same number, so that they still divide each other."""
    above, below = random.choice(((2, 1), (1, 2), (3, 1), (1, 4), (3, 2), (5, 4)))
    sizes = {path: size for path, size in _sizes(keys).items() if size >= 16}
    chosen = {path: size * above // below for path, size in sizes.items() if random.random() < 0.92}
    return chosen | _a_little(keys, random)


def _grouped(keys: Keys, random: Random) -> Config:
    """New sizes, equal where the defaults are equal."""
    new: dict[int, int] = {}
    found: Config = {}
    for path, size in _sizes(keys).items():
        if size not in new:
            new[size] = another_whole(path, size, random, False) if random.random() < 0.6 else size
        found[path] = new[size]
    return found | _a_little(keys, random)


def _equal(keys: Keys, random: Random) -> Config:
    """The value of one key for another."""
    sizes = _sizes(keys)
    found: Config = {}
    for _ in range(random.randint(1, 3) if len(sizes) > 1 else 0):
        one, other = random.sample(list(sizes), 2)
        found |= {one: found.get(other, sizes[other])}
        if random.random() < 0.5:
            found |= dict.fromkeys((one, other), another_whole(other, sizes[other], random, random.random() < 0.3))
    return found | _a_little(keys, random)


def _tiny(keys: Keys, random: Random) -> Config:
    """The sizes of a test's model."""
    width, heads = random.choice(((32, 4), (16, 2), (64, 4), (48, 4), (36, 6), (40, 4))), random.choice((1, 2, 4))
    found: Config = {}
    for path, size in _sizes(keys).items():
        if "head" in path.rpartition(".")[2] and size < 256 and "dim" not in path:
            found[path] = heads
        elif "vocab" in path:
            found[path] = random.choice((99, 100, 1024))
        elif size >= 64 and "position" not in path:
            found[path] = random.choice((width[0], width[0], 37, 2 * width[0])) if "inter" in path or "ff" in path else width[0]
    return found | _a_little(keys, random)


def _opposed(keys: Keys, random: Random) -> Config:
    """Extreme values for keys by which variants are chosen."""
    chosen = random.sample(list(keys), min(len(keys), random.choice((1, 2, 3, 5))))
    return {path: another(path, keys[path], random, random.random() < 0.5) for path in chosen}


def _deciding(network: Network) -> frozenset[str]:
    """The keys on which conditions, lengths of lists and rounded sizes depend."""
    found: set[str] = set()
    for each in expressions_in(network.root):
        computed = any(isinstance(part, tuple) and part[0] in ("//", "exact", "int", "round", "agreed", "%", "at") for part in parts(each))
        if isinstance(each, tuple) and (computed or each[0] in ("and", "or", "if", "not", *"<>", "<=", ">=", "==", "!=", "truth", "null")):
            found |= keys_of(each)
    return frozenset(found)


def _emptied(keys: Keys, random: Random) -> Config:
    """Optional keys without a value, numbers of parts 0 or 1."""
    found: Config = {path: None for path, key in keys.items() if key.nullable and random.random() < 0.6}
    sizes = [path for path, size in _sizes(keys).items() if size < 20]
    found |= {path: random.choice((0, 1)) for path in random.sample(sizes, min(len(sizes), random.randint(0, 2)))}
    return found | _a_little(keys, random)


def _borrowed(keys: Keys, random: Random) -> Config:
    """The values that another class of the reference has for keys of the same names."""
    found: Config = {}
    for outer in sorted({path.rpartition(".")[0] for path in keys}):
        own = {path.rpartition(".")[2]: path for path in keys if path.rpartition(".")[0] == outer}
        alike = [each for each in lenders() if len(each.keys() & own.keys()) > 4]
        if alike and random.random() < 0.8:
            lent = random.choice(alike)
            found |= {own[name]: lent[name] for name in own if name in lent and _of_a_kind(lent[name], keys[own[name]])}
    return found


@cache
def lenders() -> list[Config]:
    """The defaults of each config of the reference, those of nested configs by themselves."""
    found: list[Config] = []
    for config_class in CONFIG_MAPPING.values():
        try:
            values = dict(flat(config_class().to_dict()))
        except Exception:  # A class may raise anything, such as for a library that is not installed.
            continue
        for outer in sorted({path.rpartition(".")[0] for path in values}):
            found.append({path.rpartition(".")[2]: value for path, value in values.items() if path.rpartition(".")[0] == outer})
    return found


@cache
def names_of_keys() -> frozenset[str]:
    """The names of all keys of the reference's configs, and those that earlier versions wrote."""
    found = {name for values in lenders() for name in values} | OLD
    found = {name for name in found - METADATA - EVERYWHERE if not name.startswith((*PRIVATE, "_"))}
    return frozenset(name for name in found if not ROTARY.search(name) and not TOKEN.search(name))


def with_foreign(document: Config, network: Network, random: Random) -> Config:
    """The config with a few keys that other classes have, in it and in its nested configs."""
    names = sorted(names_of_keys())
    found = dict(document)
    for _ in range(random.randint(1, 6)):
        name, value = random.choice(names), random.choice((True, False, None, 0, 1, 2, 7, 64, 1000, 0.1, 2.5, [2, 3], "gelu", "none", ""))
        outer = random.choice(["", "", *(path for path in network.inner if "." not in path)])
        if outer and isinstance(found.get(outer), dict):
            found[outer] = {name: value, **found[outer]}
        elif not outer and name not in network.inner:
            found = {name: value, **found}
    return found


def _of_a_kind(value: object, key: Key) -> bool:
    if isinstance(value, (list, dict, str)) and value not in key.values:
        return False
    return type(value) is type(key.default) or key.default is None or (value is None and key.nullable)


def _listed(keys: Keys, random: Random) -> Config:
    """Lists with other items, of a length that a setting also has."""
    found: Config = {}
    for path, key in keys.items():
        if not isinstance(key.default, list) or not key.default or random.random() < 0.2:
            continue
        outer, length = path.rpartition(".")[0], len(key.default)
        counts = [other for other, each in keys.items() if each.default == length and type(each.default) is int and length > 1]
        counts = [other for other in counts if other.rpartition(".")[0] == outer]
        new = random.choice((1, 2, 3, 4, 5, 6, 7, 8)) if counts and random.random() < 0.7 else length
        found[path] = _items((key.default * new)[:new], key.values, random, new)
        found |= dict.fromkeys(counts, new)
    return found | _a_little(keys, random)


def _tied(keys: Keys, random: Random) -> Config:
    ties = {path: not key.default for path, key in keys.items() if path.endswith("tie_word_embeddings")}
    return {path: value for path, value in ties.items() if random.random() < 0.8} | _a_little(keys, random)


def _a_little(keys: Keys, random: Random) -> Config:
    """None to two more keys, often flags."""
    paths = flags_of(keys) if random.random() < 0.6 else list(keys)
    return {path: another(path, keys[path], random) for path in random.sample(paths, min(len(paths), random.choice((0, 0, 1, 2))))}


WAYS: Mapping[str, tuple[Callable[[Keys, Random], Config], int]] = {
    "few": (_few, 5),
    "flags": (_switched, 2),
    "half": (_many, 2),
    "inside": (_inside, 1),
    "most": (_many, 1),
    "deciding": (_opposed, 5),
    "scaled": (_scaled, 2),
    "grouped": (_grouped, 2),
    "equal": (_equal, 2),
    "tiny": (_tiny, 2),
    "emptied": (_emptied, 1),
    "borrowed": (_borrowed, 3),
    "listed": (_listed, 1),
    "tied": (_tied, 1),
}
"""The ways of drawing, each with its share."""


def flags_of(keys: Keys) -> list[str]:
    """The keys whose values are flags or words, or that may be null."""
    return [path for path, key in keys.items() if isinstance(key.default, (bool, str)) or key.nullable or key.default is None]


def _sizes(keys: Keys) -> dict[str, int]:
    numbers = {path: key.default for path, key in keys.items() if type(key.default) is int and not TOKEN.search(path)}
    return {path: number for path, number in numbers.items() if number > 0}


def fewer(keys: Keys) -> Config:
    """The config with two layers if it has more."""
    return {path: 2 for path, key in keys.items() if COUNT.search(path) and type(key.default) is int and 2 < key.default < 400}


def another(path: str, key: Key, random: Random, extreme: bool = False) -> object:
    """A random value of its kind."""
    default = key.default
    if isinstance(default, bool):
        return not default
    if key.nullable and default is not None and random.random() < 0.12:
        return None
    if default is None or isinstance(default, str):
        return random.choice((*key.values, *((1, 2, 3, 8, 16, 37, 64, 96, 128) if default is None else ())) or (default,))
    if isinstance(default, int):
        return another_whole(path, default, random, extreme)
    if isinstance(default, float):
        return random.choice((default / 2, default * 2, default * 1.5, 0.0, 0.25, 0.5, 1.0, 1.4, 2.0, 3.0, round(random.uniform(0, 4), 2)))
    if not isinstance(default, list):
        return default
    length = max(1, len(default) + (random.choice((-2, -1, 1, 2)) if random.random() < 0.3 else 0))
    return _items(default, key.values, random, length)


def another_whole(path: str, default: int, random: Random, extreme: bool) -> int:
    """A random integer: small or large, even or odd, a divisor or a multiple."""
    if default < 0:
        return random.choice((0, 1, 2))
    if COUNT.search(path) and default < 400:
        return random.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, default + 1, max(1, default - 1)))
    if extreme:
        around = (default + 1, max(0, default - 1), 2 * default, 3 * default, default // 2, default // 4, 5 * default + 3)
        return random.choice((0, 1, 2, 3, 4, 5, 7, 8, 16, 17, 64, 100, 256, *around))
    if default < 16:
        return random.choice((1, 2, 3, 4, 6, 8, 2 * default, default + 1, max(0, default - 1), random.randint(1, 2 * default + 3)))
    even = (2 * default, default // 2, 3 * default, default + default // 2, 32 * random.randint(1, 30), 8 * random.randint(1, default // 4))
    return random.choice((*even, default + random.randint(1, 9), random.randint(2, 2 * default)))


def _items(default: list[Any], names: tuple[object, ...], random: Random, length: int) -> list[Any]:
    """A random variant of a list with other items, equal items, or sorted."""
    if not default:
        return default
    if all(isinstance(each, str) for each in default):
        options = names or default
        return [random.choice(options)] * length if random.random() < 0.3 else [random.choice(options) for _ in range(length)]
    if all(isinstance(each, bool) for each in default):
        return [random.random() < 0.5 for _ in range(length)]
    if not all(isinstance(each, int) for each in default):
        return default
    if random.random() < 0.15:
        return [random.choice(default)] * length
    found = [
        random.choice((each, each, 2 * each, max(1, each // 2), each + 1, max(0, each - 1))) for each in (default * (length + 1))[:length]
    ]
    return sorted(found) if random.random() < 0.4 else found

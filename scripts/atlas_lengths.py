"""Tries lists of other lengths, and restricts a network to the lengths at which it is right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from atlas_bases import Pair
from atlas_draws import Config, fewer
from atlas_trials import is_wrong

from symparam.models.traced.network import Key, Network


def with_lengths(pair: Pair, network: Network) -> Network:
    """The network with the condition that lists have as many items as by default, where its tensors are wrong at other numbers."""
    subject, wrong = pair.subject(), dict[str, int]()
    keys = {path: key for path, key in network.keys.items() if key.status != "held" or key.values}
    small = fewer({path: key for path, key in keys.items() if type(key.default) is int})
    lists = [path for path, key in keys.items() if key.status == "free" and isinstance(key.default, list) and key.default]
    for path in lists:
        for moved in _other_lengths(path, keys):
            there = {other: len(keys[other].default) for other in lists if other in moved}  # type: ignore[arg-type]
            if not wrong.keys() >= there.keys() and any(is_wrong(subject, network, subject.document(each | moved)) for each in ({}, small)):
                wrong |= there
    fixed = tuple(("==", ("len", ("key", path)), length) for path, length in wrong.items())
    return replace(network, conditions=(*network.conditions, *(each for each in fixed if each not in network.conditions)))


def _other_lengths(path: str, keys: dict[str, Key]) -> Iterator[Config]:
    """Other lengths of a list, alone, and with what is as long or counts it, or is longer or shorter by one."""
    outer, default = path.rpartition(".")[0], keys[path].default
    assert isinstance(default, list)
    beside = {other: key.default for other, key in keys.items() if other.rpartition(".")[0] == outer and key.follows is None}
    for length in dict.fromkeys((1, 2, 3, max(1, len(default) - 1), len(default) + 1)):
        alike: Config = {}
        for other, value in beside.items():
            if isinstance(value, list) and value and abs(len(value) - len(default)) <= 1:
                alike[other] = _of_length(value, length + len(value) - len(default))
            elif type(value) is int and value == len(default) > 1:
                alike[other] = length
        yield {path: _of_length(default, length)}
        yield {other: value for other, value in alike.items() if isinstance(value, list) and len(value) == length}
        yield {other: value for other, value in alike.items() if isinstance(value, list)}
        yield alike


def _of_length(items: list[object], length: int) -> list[object]:
    return [*items, *items[-1:] * length][: max(1, length)]

"""Keys without effect: more values for keys that no rule needs, tried at settings of several kinds.

A key may be held at its default only because the search had no other value for it, or because the class computes a value of its own. If no
rule needs the key, the class is built with other values, of all such keys at once, and if the tensors change, of half of them, and so on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from symparam.models.traced.config_keys import ROTARY
from symparam.models.traced.expressions import keys_of
from symparam.models.traced.network import Key, Network, expressions_in
from symparam.models.tracing.observation import Observer
from symparam.models.tracing.subjects import CannotBuildError

NUMBERS = (1, 3, 8, 37, 997, 8192)
FRACTIONS = (0.5, 1.0, 0.01, 3.7)
SUSPECTED = 8
"""In how many tries without a difference a key stays a suspect."""
LARGE = 4
"""How many values of a key are tried at each of the settings but the first."""

Tensors = Sequence[object]
Seen = Callable[[Mapping[str, object]], object]


def widened(
    network: Network,
    observer: Observer,
    contexts: Iterable[Mapping[str, object]],
    held: Iterable[str] = (),
    words: Mapping[str, Sequence[str]] | None = None,
    foreign: Iterable[str] = (),
    seconds: float = 10.0,
    only: Callable[[str, Key], bool] | None = None,
    suspects: Suspects | None = None,
) -> Network:
    """The network, with the further values at which keys that no rule needs leave all tensors as they are.

    ``contexts`` are the settings at which values are tried, ``held`` the keys that resisted the rules, ``words`` the words that keys of
    these names may have, ``foreign`` names that are not keys of the class, ``seconds`` the time it may take, ``only`` the keys to try if
    not all, and ``suspects`` those that made a difference to other classes. A value that the class refuses anywhere, or that changes a
    tensor, is left out; if the time is over, the network stays as it is.
    """
    keys = _unneeded(network, set(held)) | {path: Key(None) for path in foreign if path not in network.keys}
    if only is not None:
        keys = {path: key for path, key in keys.items() if only(path, key)}
    tried = {path: values for path, key in keys.items() if (values := list(_values(path, key, words or {})))}
    stated = [path for path, key in network.keys.items() if key.default is not None and not key.nullable and key.status != "any"]
    stated = [] if only is not None else stated
    unset: dict[str, bool] = {}
    trying = _Trying(observer, time.process_time() + seconds, suspects or Suspects())
    refused: dict[str, list[object]] = {path: [] for path in tried}
    changing: dict[str, list[object]] = {path: [] for path in tried}
    for at, context in enumerate(contexts):
        if (plain := trying.tensors(context)) is None:
            continue
        fewer = {path: values if at == 0 else _some(values, at) for path, values in tried.items() if path not in context}
        for turn in range(max(map(len, fewer.values()), default=0)):
            chosen = {path: values[turn] for path, values in fewer.items() if turn < len(values) and not _any_number(changing[path])}
            untaken = dict(trying.differing(trying.taken, context, chosen, True))  # Nothing is built to find these.
            taken = {path: value for path, value in chosen.items() if path not in untaken}
            for path, found in (*untaken.items(), *trying.differing(trying.tensors, context, taken, plain)):
                (refused if found is None else changing)[path].append(chosen[path])
        tried = {
            path: [value for value in values if not _among(value, (*refused[path], *changing[path]))] for path, values in tried.items()
        }
        nulls = {path: None for path in stated if path not in context and unset.get(path, True) and not path.endswith("model_type")}
        kept = dict(trying.differing(trying.settings, context, nulls, trying.settings(context)))
        unset |= {path: path not in kept for path in nulls}
    if trying.late:
        return network
    wider = {path: _wider(keys[path], fine, refused[path], changing[path]) for path, fine in tried.items()}
    wider = {path: key for path, key in wider.items() if path in network.keys or key.status == "idle"}
    found = {**network.keys, **wider}
    alike = {path for path, same in unset.items() if same and not found[path].nullable}
    alike -= {*filled_beside(network, alike, trying.settings)}
    return replace(network, keys={**found, **{path: replace(found[path], unset=True) for path in alike}})


def filled_beside(network: Network, paths: Iterable[str], settings: Seen) -> Iterator[str]:
    """The keys for which null does not mean that they are not given, as some setting beside them shows where it is not at its default.

    For example, a number of key-value heads that is 32 if it is not given, and if it is null as many as there are heads, which are 32 too.
    """
    for path in paths:
        outer = path.rpartition(".")[0]
        beside = {other: key.default for other, key in network.keys.items() if other.rpartition(".")[0] == outer and other != path}
        sizes = {other: size for other, size in beside.items() if type(size) is int and size > 0}
        moved = ({other: changed} for other, size in sizes.items() for changed in (2 * size, size // 2))
        if any((plain := settings(each)) is not None and settings({**each, path: None}) != plain for each in moved):
            yield path


class Suspects:
    """The names whose values made a difference in one of the last tries, in one way or another. They are tried apart from the others, which
    then take a single build, rather than one for each half in which there is a suspect.
    """

    def __init__(self) -> None:
        self._left: dict[tuple[str, str], int] = {}

    def apart(self, way: str, values: Mapping[str, object]) -> tuple[dict[str, object], ...]:
        """The values of all other keys, those of suspects, and by itself each of a key that made a difference in its last try."""
        others: dict[str, object] = {}
        suspected: dict[str, object] = {}
        alone = []
        for path, value in values.items():
            left = self._left.get((way, _name(path)), 0)
            if left == SUSPECTED:
                alone.append({path: value})
            else:
                (suspected if left > 0 else others)[path] = value
        return others, suspected, *alone

    def tell(self, way: str, paths: Iterable[str], differ: bool) -> None:
        """Remember whether the values of these keys made a difference."""
        for path in paths:
            name = way, _name(path)
            self._left[name] = SUSPECTED if differ else self._left.get(name, 1) - 1


def _name(path: str) -> str:
    return path.rpartition(".")[2]


class _Trying:
    """Builds with values added to settings, until the time is over."""

    def __init__(self, observer: Observer, deadline: float, suspects: Suspects) -> None:
        self.observer, self.deadline, self.suspects = observer, deadline, suspects

    @property
    def late(self) -> bool:
        return time.process_time() > self.deadline

    def tensors(self, moved: Mapping[str, object]) -> Tensors | None:
        """The tensors at these settings; None if the class refuses them."""
        try:
            return None if self.late else self.observer.observe(moved, plainly=True).tensors
        except CannotBuildError:
            return None

    def taken(self, moved: Mapping[str, object]) -> object:
        """True if the config takes these settings, else None."""
        return None if self.settings(moved) is None else True

    def settings(self, moved: Mapping[str, object]) -> object:
        """All settings as the config has them; None if it refuses these."""
        try:
            return None if self.late else self.observer.settings_with(moved)
        except Exception:  # A config may raise anything.
            return None

    def differing(
        self, seen: Seen, context: Mapping[str, object], values: Mapping[str, object], plain: object
    ) -> Iterator[tuple[str, object]]:
        """The keys whose values change what was seen, each with what is seen instead: None if the class refuses the value."""
        for part in self.suspects.apart(seen.__name__, values):
            yield from self._differing(seen, context, part, plain)

    def _differing(
        self, seen: Seen, context: Mapping[str, object], values: Mapping[str, object], plain: object
    ) -> Iterator[tuple[str, object]]:
        same = not values or (found := seen({**context, **values})) == plain
        if same or len(values) == 1:
            self.suspects.tell(seen.__name__, values, not same)
            yield from ((path, found) for path in values if not same)
            return
        paths = list(values)
        for part in (paths[: len(paths) // 2], paths[len(paths) // 2 :]):
            yield from self._differing(seen, context, {path: values[path] for path in part}, plain)


def _some(values: Sequence[object], at: int) -> list[object]:
    """A few of the values, other ones at each of the settings."""
    start = at * LARGE % max(1, len(values))
    return [*values[start:], *values[:start]][:LARGE]


def _any_number(values: Iterable[object]) -> bool:
    return any(isinstance(each, (int, float)) and not isinstance(each, bool) for each in values)


def _unneeded(network: Network, held: set[str]) -> dict[str, Key]:
    """The keys that no rule and no condition needs, and that do not follow from others."""
    needed = {path for each in (*expressions_in(network.root), *network.conditions) for path in keys_of(each)}
    needed |= {path for key in network.keys.values() for path in keys_of(key.follows)}
    return {
        path: key
        for path, key in network.keys.items()
        if key.status in ("held", "idle") and path not in needed | held and key.follows is None and not key.overruled
        if not path.endswith("model_type") and not ROTARY.search(path)
    }


def _values(path: str, key: Key, words: Mapping[str, Sequence[str]]) -> Iterator[object]:
    """Other values to try."""
    default = key.default
    named = [each for each in words.get(_name(path), ()) if each != default]
    if isinstance(default, bool):
        yield from (not default, None)
    elif isinstance(default, int):
        yield from (each for each in dict.fromkeys((*NUMBERS, default // 2, 2 * default + 1, 0, None)) if each != default)
    elif isinstance(default, float):
        yield from (each for each in dict.fromkeys((*FRACTIONS, default / 2, 2 * default, 0.0, None)) if each != default)
    elif isinstance(default, str) and not default.startswith("<"):
        yield from named
    elif default is None:
        yield from (True, False, *NUMBERS, *FRACTIONS, 0, 0.0, *named)
    elif isinstance(default, list):
        yield from (each for each in (default[:-1], [*default, *default[-1:]], default[::-1], []) if each != default)


def _wider(key: Key, fine: Sequence[object], refused: Sequence[object], changing: Sequence[object]) -> Key:
    """What is known of the key after trying: numbers are free if all were fine but 0, or all fractions where whole numbers are refused;
    lists if all were fine, of the same words if they have any; other values where they are named.
    """
    failed = (*refused, *changing)
    if isinstance(key.default, list):
        if failed or not fine:
            return key
        words = all(isinstance(each, str) for each in key.default)  # No list with other words was tried.
        return Key(key.default, "idle", values=tuple(dict.fromkeys(key.default))) if words and key.default else Key(key.default, "any")
    nullable = key.nullable or key.default is None or _among(None, fine)
    if isinstance(key.default, bool):
        return Key(key.default, "idle", nullable=nullable) if _among(not key.default, fine) else key
    named = [*key.values, *(each for each in fine if isinstance(each, (bool, str)))]
    values = tuple(each for at, each in enumerate(named) if not _among(each, (*failed, *named[:at])))
    whole, fractions = ([each for each in fine if type(each) is kind and each] for kind in (int, float))
    bad = [each for each in failed if isinstance(each, (int, float)) and each and not isinstance(each, bool)]
    fractions_alone = key.default is None and not whole and all(type(each) is int and _among(each, refused) for each in bad)
    whole_alone = key.default is None and not fractions and all(type(each) is float and _among(each, refused) for each in bad)
    if (not whole and not fractions) or (bad and not fractions_alone and not whole_alone):
        return replace(key, values=(*values, None) if nullable and key.default is not None else values)
    zero = not _among(0.0 if fractions else 0, failed)
    least = (0.0 if zero else min(fractions)) if fractions else (0 if zero else 1)
    known = least if key.least is None else min(key.least, least)
    return Key(key.default, "idle", float(known) if fractions else known, nullable, values)


def _among(value: object, values: Iterable[object]) -> bool:
    return any(value == each and type(value) is type(each) for each in values)

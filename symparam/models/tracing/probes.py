"""Which keys can be changed: each by itself, other outcomes of comparisons, and lists with other items and lengths."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from symparam.models.traced.expressions import Expression, keys_of, parts
from symparam.models.traced.rows import COLUMN
from symparam.models.tracing.exploration import Exploration
from symparam.models.tracing.observation import Observation, same_ranks
from symparam.models.tracing.sampling import about_an_item, alternatives, outcome_flips

MOST_FLAGS = 6
"""The most flags with each of which a value is tried that is rejected without."""
FILLED = ([1], [0, 2])
"""Items to try in a list that is empty by default, such as numbers of layers."""
MOST_REFUSED, MOST_BESIDE = 3, 6
"""The most settings that are tried again with other words beside them, and the most such builds for each."""
MOST_FLIPPED = 60
"""The most comparisons for which settings with the other outcome are tried."""


class Probes:
    """Builds that tell of each key of a subject whether it can be changed."""

    def __init__(self, builds: Exploration) -> None:
        self.builds = builds

    def vary_each_key(self) -> None:
        """Each key changed by itself if it may matter, and the others in groups."""
        base = self.builds.shallow
        compound = {path for found in (*base.met, *base.asked) for path in keys_of(found) if found != ("key", path)}
        sides = {size for _, shape, _ in base.tensors for size in shape}
        loud: list[str] = []
        quiet: list[str] = []
        for path, value in base.settings.items():
            hints = self.builds.hints.get(path, ())
            if not (self._alternatives(path, value) or hints) or path.startswith("rope_") or ".rope_" in path:
                continue
            whole = isinstance(value, int) and not isinstance(value, bool)
            known = (hints and isinstance(value, list)) or None in hints or path in compound or path in self.builds.small
            (loud if known or (whole and value in sides and value > 1) else quiet).append(path)
        for path in loud:
            self._probe([path], base)
        self._probe([path for path in quiet if isinstance(base.settings[path], bool)], base)
        self._probe([path for path in quiet if type(base.settings[path]) in (int, float)], base)
        self._take_fractions(base)
        self._probe([path for path in quiet if isinstance(base.settings[path], str)], base)
        self._probe([path for path in quiet if base.settings[path] is None], base)
        self._lists(base)
        self._retry_refused(base)

    def _probe(self, paths: list[str], base: Observation) -> None:
        """Change the keys together; if that is rejected or changes tensors, try each half by itself."""
        if not paths:
            return
        settings = base.settings
        if len(paths) > 1:
            values = {path: self._alternatives(path, settings[path])[0] for path in paths}
            found = self.builds.observe({**self.builds.small, **values})
            if found is not None and found.tensors == base.tensors:
                for path, value in values.items():
                    if found.settings.get(path) == value:
                        self.builds.free[path] = settings[path]
                    else:
                        self.builds.held[path] = "the class computes it"
                return
            middle = len(paths) // 2
            self._probe(paths[:middle], base)
            self._probe(paths[middle:], base)
            return
        (path,) = paths
        tried = self._alternatives(path, settings[path])
        if self._takes(path, tried, settings) | self._takes_null(path):
            self.builds.free[path] = settings[path]
        else:
            self.builds.held[path] = "refused other values"

    def _take_fractions(self, base: Observation) -> None:
        """Try fractions for numbers that are 0 or 1 by default, such as a rate of dropout, and keep builds in which they change nothing."""
        numbers = [path for path in self.builds.free if type(base.settings[path]) is int and base.settings[path] in (0, 1)]
        for paths in [numbers] if len(numbers) < 2 else [numbers, *([path] for path in numbers)]:
            found = self.builds.observe({**self.builds.small, **dict.fromkeys(paths, 0.5)}) if paths else None
            if found is not None and found.tensors == base.tensors:
                return
            if found is not None:
                self.builds.observations.remove(found)

    def _retry_refused(self, base: Observation) -> None:
        """Try flags and words that the class refused with each other value of a word: some are only taken beside one."""
        words = [(path, word) for path, value in self.builds.free.items() if isinstance(value, str) for word in self.builds.seen(path)]
        beside = [{path: word} for path, word in words if word != base.settings[path]]
        refused = [path for path in self.builds.held if isinstance(base.settings.get(path), (bool, str))]
        for path in refused[:MOST_REFUSED]:
            tried = self._alternatives(path, base.settings[path])[:MOST_REFUSED]
            for value, other in [(value, other) for value in tried for other in beside if path not in other][:MOST_BESIDE]:
                found = self.builds.observe({**self.builds.small, **other, path: value})
                if found is not None and found.settings.get(path) == value:
                    self.builds.free[path] = base.settings[path]
                    self.builds.held.pop(path, None)
                    break

    def _takes_null(self, path: str) -> bool:
        """Whether a setting that the class compares with null may be null."""
        if None in self.builds.hints.get(path, ()) and self.builds.observe({**self.builds.small, path: None}) is not None:
            self.builds.nullable.add(path)
        return path in self.builds.nullable

    def _takes(self, path: str, tried: Sequence[Any], settings: Mapping[str, object]) -> bool:
        """Whether the class takes other values for a setting, some of them only with a flag."""
        accepted = False
        flags = [path for path, value in self.builds.free.items() if isinstance(value, bool)][:MOST_FLAGS]
        for value in tried[: 6 if path in self.builds.hints else 4 if settings[path] is not None else 2]:
            moved = {**self.builds.small, path: value}
            found = self.builds.observe_repaired(moved) if isinstance(value, int) else self.builds.observe(moved)
            if found is None and self.builds.lengths.get(path):
                cut = {other: (self.builds.base.settings[other] * (value + 1))[:value] for other in self.builds.lengths.get(path, ())}
                found = self.builds.observe({**moved, **cut})
            for flag in flags if found is None and isinstance(value, (bool, str)) else ():
                if (found := self.builds.observe({**self.builds.small, path: value, flag: not settings[flag]})) is not None:
                    break
            if found is not None and found.settings.get(path) == value:
                accepted = True
                if not isinstance(value, (str, bool)) and not (
                    isinstance(value, float) and settings[path] is None
                ):  # Small ones may count, too.
                    break
        return accepted

    def _alternatives(self, path: str, value: object) -> list[Any]:
        named = [each for each in self.builds.hints.get(path, ()) if each is not None]
        return named if any(isinstance(each, bool) for each in named) else [*named, *alternatives(path, value)]

    def flip_comparisons(self) -> None:
        """Add builds with settings for which comparisons that always came out the same come out the other way."""
        done: set[Expression] = set()
        for _ in range(2):  # Some comparisons are only made once another one has come out the other way.
            compared: dict[Expression, Observation] = {}
            for observation in self.builds.observations:
                for each in observation.asked:
                    compared.setdefault(about_an_item(each), observation)
            for condition in [each for each in compared if each not in done][: MOST_FLIPPED - len(done)]:
                done.add(condition)
                of_a_loop = any(isinstance(each, tuple) and each[0] == "loop" for each in parts(condition))
                if of_a_loop or condition in self.builds.constant_outcomes:
                    self._flip(condition, compared[condition], of_a_loop)

    def _flip(self, condition: Expression, first: Observation, of_a_loop: bool) -> None:
        """Builds with another outcome of a comparison, with what else was changed where it was made first, if it needs that."""
        around = {} if first.moved.keys() <= self.builds.small.keys() else first.moved
        for moved in outcome_flips(condition, {**self.builds.base.settings, **around}):
            # A config computes settings from others, but takes lists as they are, and what is compared with the number of a layer.
            computed = self.builds.observer.subject.sources is not None and not of_a_loop
            known = self.builds.listed if computed else {**self.builds.free, **self.builds.listed}
            if moved.keys() <= known.keys() and self.builds.observe({**self.builds.small, **around, **moved}) is not None:
                self.builds.sampler.zeros |= {path for path, value in moved.items() if value == 0}
                self.builds.sampler.alike |= {path for path, value in moved.items() if isinstance(value, list)}
                self.builds.sample(around={**around, **moved})

    def _lists(self, base: Observation) -> None:
        """Lists of numbers and of names: other items and, if possible, other lengths, for all lists of one length together."""
        lists = {
            path: value
            for path, value in base.settings.items()
            if isinstance(value, list) and value and all(isinstance(each, (int, float, str)) for each in value)
        }
        follow = {
            path
            for path in lists
            if any(len(each.settings.get(path) or ()) != len(lists[path]) and path not in each.moved for each in self.builds.observations)
        }
        for path, value in lists.items():
            kinds = sorted({each for item in self.builds.observations for each in (item.settings.get(path) or ()) if isinstance(each, str)})
            for _ in range(2):
                drawn = self.builds.sampler.items(value, kinds, False)
                if drawn != value and self.builds.observe_repaired({**self.builds.small, path: drawn}) is not None:
                    self.builds.listed[path] = kinds
        for path in sorted(_numbered(base) & self.builds.listed.keys()):
            if self.builds.observe({**self.builds.small, path: [0, *lists[path][1:]]}) is not None:
                self.builds.sampler.numbered.add(path)
        for path in [path for path, value in base.settings.items() if value == []] if self.builds.observer.subject.sources is None else ():
            for items in FILLED:
                if self.builds.observe({**self.builds.small, path: items}) is not None:
                    self.builds.filled[path] = items
        whole = {path: value for path, value in base.settings.items() if isinstance(value, int) and not isinstance(value, bool)}
        for group in self._groups_of_lists([path for path in self.builds.listed if path not in follow], lists):
            length = len(lists[group[0]])
            counted = {
                path: value
                for path, value in whole.items()
                if value == length and ("num_" in path or "stage" in path or path.startswith("n_"))
            }
            accepted: tuple[int, tuple[str, ...], tuple[str, ...]] | None = None
            for change in (1, -1, 2):
                if length + change < 1:
                    continue
                grown = {path: (lists[path] + [lists[path][-1]] * 2)[: length + change] for path in group}
                for counts in ({}, {path: value + change for path, value in counted.items()}):
                    found = self.builds.observe({**self.builds.small, **grown, **counts})
                    if found is not None and not same_ranks(found, base):
                        self.builds.observations.remove(found)  # As many sides as the list has items: another kind of module.
                    elif found is not None:
                        accepted = accepted or (length, tuple(group), tuple(counts))
                        break
            self.builds.grown += [accepted] if accepted else []
            if accepted and length > 2:  # What is done before the last one is not done at all, then.
                self.builds.observe({**self.builds.small, **{path: lists[path][:1] for path in group}, **dict.fromkeys(accepted[2], 1)})
            empty: dict[str, object] = {path: [] for path in group}
            if accepted and not accepted[2] and self.builds.observe({**self.builds.small, **empty}) is not None:
                self.builds.emptied |= {*group}

    def _has_a_length_of_its_own(self, unit: Sequence[str], longer: Observation) -> bool:
        """Whether a list gives the class more tensors, or is added up for the sizes of those that there are."""
        before = self.builds.shallow
        if not same_ranks(longer, before):
            return False
        names = [name for name, _, _ in longer.tensors] == [name for name, _, _ in before.tensors]
        added = all(("sum", ("key", path)) in longer.met for path in unit)
        return len(longer.tensors) > len(before.tensors) or (names and added and longer.tensors != before.tensors)

    def _groups_of_lists(self, paths: Sequence[str], lists: Mapping[str, list[object]]) -> Iterator[list[str]]:
        """Lists of one length that have to grow together, such as the columns of one list of rows. One that gives the class more tensors by
        itself has a length of its own.
        """
        for length in sorted({len(lists[path]) for path in paths}):
            units: dict[str, list[str]] = {}
            for path in paths:
                if len(lists[path]) == length:
                    units.setdefault(path.partition(COLUMN)[0], []).append(path)
            together = [*units.values()]
            for unit in together if len(together) > 1 else ():
                longer = {path: [*lists[path], lists[path][-1]] for path in unit}
                found = self.builds.observe({**self.builds.small, **longer})
                if found is not None and self._has_a_length_of_its_own(unit, found):
                    yield unit
                    together = [each for each in together if each is not unit]
                elif found is not None:
                    self.builds.observations.remove(found)
            if together:
                yield [path for unit in together for path in unit]


def _numbered(build: Observation) -> set[str]:
    """The lists whose items the class compares with the number of a turn, as those of the layers with attention."""
    compared = [tuple(map(_innermost, asked[1:])) for asked in build.asked if asked[0] == "==" and len(asked) == 3]
    return {one[1] for pair in compared for one, other in (pair, pair[::-1]) if (one[0], other[0]) == ("key", "loop")}


def _innermost(side: Expression) -> Expression:
    """The list of which a side of a comparison is an item, or the side itself."""
    place = side if isinstance(side, tuple) else ("number", side)
    return place[1] if place[0] == "item" and place[1][0] == "key" else place if place[0] != "key" else ("setting", place)

"""The builds of one subject: those that are kept, and further ones with many keys changed at once."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from typing import Any

from symparam.models.traced.expressions import Expression, Settings, parts
from symparam.models.traced.forward_pass import INPUTS, LENGTHS
from symparam.models.traced.simplification import simplified
from symparam.models.tracing.effort import Effort
from symparam.models.tracing.failures import OVERDUE, CannotTraceError
from symparam.models.tracing.observation import Observation, Observer
from symparam.models.tracing.sampling import COUNT, SettingsSampler, about_an_item, equalized, keeps_outcomes, repaired, settings_compared
from symparam.models.tracing.subjects import CannotBuildError

MOST_TENSORS = 2_000
SHARE_OF_NULL = 0.25
"""How often a setting is null that may be."""
SHARE_OF_EMPTY = 0.1
"""How often a list is empty that may be, and how often one has a single item."""
SHARE_OF_EQUAL = 0.3
"""How often settings, or items of lists, are made equal that the class compares."""
MANY_TENSORS = 150
"""The number of tensors from which on a class is built with shorter lists of layers."""


class Exploration:
    """The builds of one subject: the observations, the keys that can be changed, and further builds, as long as the ``effort`` is not over
    what is ``allowed`` now.
    """

    def __init__(self, observer: Observer, effort: Effort) -> None:
        self.observer = observer
        self.sampler = SettingsSampler(observer.subject.name)
        self.effort, self.allowed = effort, effort.allowed
        self.observations: list[Observation] = []
        self.required: dict[Expression, bool | None] = {}
        self.small: dict[str, object] = {}
        self.free: dict[str, object] = {}
        self.listed: dict[str, list[Any]] = {}
        self.lengths: dict[str, tuple[str, ...]] = {}
        self.held: dict[str, str] = {}
        self.hints: Mapping[str, Sequence[object]] = {}
        self.grown: list[tuple[int, tuple[str, ...], tuple[str, ...]]] = []
        self.nullable: set[str] = set()
        self.filled: dict[str, list[Any]] = {}
        self.emptied: set[str] = set()
        self.refused: tuple[Expression, bool] | None = None
        self.compared: dict[str, dict[Expression, None]] = {}

    def observe(self, moved: Mapping[str, object]) -> Observation | None:
        """A build that is kept, or None if the class rejects the settings."""
        found = self.tried(moved, documented=False)
        if found is not None:
            self.keep(found)
        return found

    def observe_repaired(self, moved: dict[str, object]) -> Observation | None:
        """A build that is kept, if need be with settings adjusted so that all divisions have no remainder that never had one, or with
        another one that is as the class insists.
        """
        found = self.observe(moved)
        if found is not None:
            return found
        settings = {**self.shallow.settings, **moved}
        alike = [each for each in equalized(self.refused, settings) if not each.keys() & moved.keys()]
        mended = [*({**moved, **each} for each in alike), *repaired(moved, settings, self.constant_outcomes)]
        return next((again for again in map(self.observe, mended) if again), None)

    def tried(self, moved: Mapping[str, object], documented: bool = True) -> Observation | None:
        """A build that is not kept, or None if the class rejects the settings."""
        if self.effort.is_over(self.allowed):
            raise CannotTraceError(OVERDUE)
        try:
            found = self.observer.observe(moved, documented=documented)
        except CannotBuildError as error:
            self.effort.builds(0)
            self.refused = error.asked
            return None
        self.effort.builds(len(found.tensors))
        return found

    def keep(self, found: Observation) -> None:
        self.observations.append(found)
        for asked, outcomes in found.asked.items():
            condition = simplified(about_an_item(asked))  # ``x // 2 * 2 == x`` as the divisibility that it is.
            if not isinstance(condition, tuple) or any(isinstance(each, tuple) and each[0] == "loop" for each in parts(condition)):
                continue  # What depends on no setting never comes out otherwise.
            for path, other in settings_compared(condition):
                self.compared.setdefault(path, {})[other] = None
            before = self.required.get(condition)
            if len(outcomes) > 1 or before not in (None, *outcomes):
                self.required[condition] = None  # Both outcomes were seen, so neither is required.
            elif condition not in self.required:
                (self.required[condition],) = outcomes

    @property
    def constant_outcomes(self) -> dict[Expression, bool]:
        """The comparisons whose outcome was always the same."""
        return {condition: outcome for condition, outcome in self.required.items() if outcome is not None}

    @property
    def has_flags_alone(self) -> bool:
        """Whether only flags can be changed, so that there may be fewer combinations than are to be tried."""
        lists_held = self.listed.keys() <= self.held.keys()
        return lists_held and all(isinstance(value, bool) for path, value in self.free.items() if path not in self.held)

    def start(self) -> Observation:
        """The build with defaults, then one with fewer layers, ``shallow``, on which all others are based."""
        plain = self._first()
        self.observer.subject.take_lists(partial(self._builds, plain))
        self.hints = self.observer.subject.hints
        base = self.observer.observe({}, documented=True)
        _insist_on_same(plain, base)
        self.keep(base)
        self.base = self.shallow = base
        counts = {
            path: value
            for path, value in base.settings.items()
            if COUNT.search(path) and isinstance(value, int) and not isinstance(value, bool) and 3 < value < 400
        }
        for path, value in counts.items():
            self.lengths[path] = tuple(
                other for other, items in base.settings.items() if isinstance(items, list) and len(items) == value and value > 3
            )
        together = dict.fromkeys(counts, 3)
        if counts and not self._smaller(together):
            for path in counts:
                self._smaller({path: 3})
        if len(base.tensors) > MANY_TENSORS:
            self._shorten_lists()
        return base

    def _first(self) -> Observation:
        """The first build; with tuples in place of lists where the class asks for them."""
        try:
            return self.observer.observe({}, plainly=True)
        except CannotBuildError:
            if not self.observer.subject.take_tuples():
                raise
        return self.observer.observe({}, plainly=True)

    def _builds(self, known: Observation, moved: Mapping[str, object]) -> bool:
        """Whether the class has the same tensors with these settings."""
        try:
            return self.observer.observe(moved, plainly=True).tensors == known.tensors
        except CannotBuildError:
            return False

    def _shorten_lists(self) -> None:
        """Shorten the stacks whose depths a list gives: lower numbers with which the class has far fewer tensors of the same kinds."""
        for path, value in self.base.settings.items():
            whole = isinstance(value, list) and value and all(type(each) is int for each in value)
            if not whole or not 3 < max(value) < 200:
                continue
            small, shallow = self.small, self.shallow
            shorter = self._smaller({path: [min(each, 2 + at % 2) for at, each in enumerate(value)]})
            as_many = len(self.shallow.tensors) > 0.9 * len(shallow.tensors)
            if shorter and (as_many or _kinds(self.shallow) != _kinds(shallow)):  # Resolutions with attention, for example, are no depths.
                self.small, self.shallow = small, shallow

    def hold(self, path: str, reason: str) -> list[str]:
        """Leave this key at its default in all further builds, with the number of layers that a list has an item for. Return what is held
        now and was not before.
        """
        counts = [count for count, lists in self.lengths.items() if path in lists and path in self.small]
        held = [each for each in dict.fromkeys((path, *counts)) if each not in self.held]
        for each in held:
            self.held[each] = reason
            for small in (each, *self.lengths.get(each, ())):
                self.small.pop(small, None)
        return held

    def _smaller(self, counts: Mapping[str, object]) -> bool:
        for cut in (False, True):
            moved = {**self.small, **counts}
            if cut:
                for path, value in counts.items():
                    moved |= {other: self.base.settings[other][:value] for other in self.lengths.get(path, ())}
            found = self.observe(moved)
            if found is not None:
                self.small, self.shallow = moved, found
                return True
        return False

    def sample(self, around: Mapping[str, object] | None = None) -> Observation | None:
        """A build with many keys changed at once, some of them as in ``around``. It is kept; None if none was accepted."""
        return self._sampled(self.observe, around, fresh=False, seen=())

    def sample_unseen(self, passed: Sequence[Observation]) -> Observation | None:
        """A build with many keys changed at once, at settings that occur neither among the builds nor among ``passed``; it is not kept."""
        return self._sampled(self.tried, None, fresh=True, seen=(*self.observations, *passed))

    def _sampled(
        self,
        build: Callable[[Mapping[str, object]], Observation | None],
        around: Mapping[str, object] | None,
        fresh: bool,
        seen: Sequence[Observation],
    ) -> Observation | None:
        for attempt in range(24):
            share = (0.7, 0.5, 0.35, 0.2, 0.1)[min(attempt // 4, 4)]
            self.sampler.most_layers = 40 if fresh and attempt >= 20 else 7  # With a single key, all small numbers may have been seen.
            moved = self._moved(share, fresh, around)
            try:
                settings = self.settings_with(moved)
            except CannotBuildError:
                continue
            constant_outcomes = self.constant_outcomes
            for again in repaired(moved, settings, constant_outcomes):
                moved = again
                try:
                    settings = self.settings_with(moved)
                except CannotBuildError:
                    break
            cautious = attempt % 4 < 2  # In half of the attempts, outcomes that were always the same are taken to be coincidences.
            if (cautious and not keeps_outcomes(settings, constant_outcomes)) or any(settings == each.settings for each in seen):
                continue
            found = build(moved)
            if found is None and (alike := [*equalized(self.refused, settings)]):
                found = build({**moved, **min(alike, key=lambda each: len(each.keys() & moved.keys()))})
                found = None if found is None or any(found.settings == each.settings for each in seen) else found
            if found is not None:
                return found
        return None

    def has_empty(self, build: Observation) -> bool:
        """Whether a list is empty in this build that may be, or a number of layers is 0."""
        return bool(self._empty_in(build))

    def _empty_in(self, build: Observation) -> set[str]:
        lists = {path for path in self.emptied if build.moved.get(path) == []}
        none = {path for path, value in build.moved.items() if type(value) is int and value == 0 and COUNT.search(path)}
        return lists | {path for path in none if self.base.settings.get(path)}

    def drop_empty(self, wrong: Sequence[Observation]) -> bool:
        """Have those lists no longer empty, and those numbers of layers no longer 0, that are so in some of these builds, and forget such
        builds; return whether there were any.
        """
        dropped = {path for each in wrong for path in self._empty_in(each)}
        self.observations = [each for each in self.observations if not self._empty_in(each) & dropped]
        self.emptied -= dropped
        self.sampler.zeros -= dropped
        return bool(dropped)

    def longer_lists(self) -> Iterator[dict[str, object]]:
        """For each group of lists that grow together, longer lists with items that none had before."""
        for length, group, counts in self.grown:
            items = {path: (self.base.settings[path] * 4)[: length + 3] for path in group}
            lists = {path: self.sampler.items(each, self.listed.get(path, []), True) for path, each in items.items()}
            yield {**lists, **dict.fromkeys(counts, length + 3)}

    def configs(self, many: int, lists: bool = False) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
        """Fresh settings, few or many of them changed, as the config completes them without any build; and the changed ones. Lists are
        among them in half of the cases, or in all.
        """
        for at in range(many):
            moved = self._moved((0.7, 0.3, 0.1)[at % 3], True, None)
            if at % 2 and not lists:  # Lists that are given do not follow from anything.
                moved = {path: value for path, value in moved.items() if not isinstance(value, list)}
            try:
                yield self.settings_with(moved), moved
            except CannotBuildError:
                continue

    def settings_with(self, moved: Mapping[str, object]) -> dict[str, object]:
        try:
            return self.observer.settings_with(moved)
        except Exception as error:
            raise CannotBuildError(str(error)) from None

    def _moved(self, share: float, fresh: bool, around: Settings | None) -> dict[str, object]:
        chosen = self.sampler.random
        whole = fresh and len(self.base.tensors) < MOST_TENSORS and chosen.random() < 0.35  # With the default depth.
        moved = {**({} if whole else self.small), **(around or {})}
        for path, value in self.free.items():
            if path in self.held or (around and path in around and chosen.random() < 0.7):
                continue
            if len(self.free) > 1 and chosen.random() > share:  # With a single free key, most draws would otherwise change nothing.
                continue
            if path in self.nullable and chosen.random() < SHARE_OF_NULL:
                moved[path] = None
            elif value is None or isinstance(value, str):
                options = [each for each in self.seen(path) if each != value]
                if options and chosen.random() < 0.6:
                    moved[path] = self.sampler.other_kind(self.base.settings, options)
            elif not isinstance(value, bool) or chosen.random() < 0.7:
                moved[path] = self.sampler.value(path, value, fresh)
        for path in self.filled.keys() - self.held.keys():
            if chosen.random() < share:
                moved[path] = self.sampler.numbers()
        grown: dict[str, int] = {}
        for length, group, counts in self.grown:
            if not self.held.keys().isdisjoint(group):
                continue
            if self.emptied.issuperset(group) and chosen.random() < SHARE_OF_EMPTY:
                grown |= dict.fromkeys(group, 0)
            elif chosen.random() < share:
                change = chosen.choice([each for each in (-1, 1, 2, 0) if length + each > 0])
                change = 1 - length if chosen.random() < SHARE_OF_EMPTY else change
                grown |= dict.fromkeys(group, length + change)
                moved |= dict.fromkeys(counts, length + change)
        for path, kinds in self.listed.items():
            if path in self.held or chosen.random() > max(share, 0.3):
                if path in grown:
                    known: Any = self.small[path] if path in self.small else self.base.settings[path]
                    moved[path] = [*known, *[known[-1]] * 2][: grown[path]]
                continue
            counted = [count for count, lists in self.lengths.items() if path in lists and count in moved]
            wanted: Any = moved[counted[0]] if counted else grown.get(path)
            items: Any = moved[path] if path in moved else self.small[path] if path in self.small else self.base.settings[path]
            if wanted or grown.get(path) == 0:
                items = (list(items) * (wanted + 1))[:wanted]
            moved[path] = self.sampler.items(items, kinds, fresh, path)
        for count, lists in self.lengths.items():
            for path in lists:
                if count in moved and path in self.small and path not in self.listed:
                    moved[path] = (self.base.settings[path] * (moved[count] + 1))[: moved[count]]
        moved = self._partly_equal(moved)
        moved = {path: value for path, value in moved.items() if path not in self.held or path in self.small}
        apart = lengths_apart({**self.base.settings, **moved})
        return {**moved, **{path: value for path, value in apart.items() if path not in self.held}}

    def _partly_equal(self, moved: dict[str, object]) -> dict[str, object]:
        """The changed settings, at times with some made equal to what the class compares them with: few are so by chance, as a resolution
        and one of those with attention.
        """
        chosen = self.sampler.random
        paths = [path for path in self.compared if path in self.free or path in self.listed]
        paths = [path for path in paths if path not in self.held and path not in INPUTS]
        for path in chosen.choices(paths, k=2) if paths and chosen.random() < SHARE_OF_EQUAL else ():
            settings = {**self.base.settings, **moved}
            moved = {**moved, path: self.sampler.one_of(path, settings[path], [*self.compared[path]], settings)}
        return moved

    def seen(self, path: str) -> list[object]:
        found = {repr(each.settings.get(path)): each.settings.get(path) for each in self.observations}
        return [found[name] for name in sorted(found)]


def _insist_on_same(one: Observation, other: Observation) -> None:
    """Raise `CannotTraceError` if two builds at the same settings have different tensors."""
    for (name, shape, _), (again, shape_again, _) in zip_longest(one.tensors, other.tensors, fillvalue=("no tensor", (), None)):
        if (name, shape) != (again, shape_again):
            shown = f"{name} {list(shape)}", f"{again} {list(shape_again)}"
            raise CannotTraceError(
                f"two builds at the same settings have different tensors, {shown[0]} and {shown[1]}, so these depend on something else, "
                "such as chance, the time or a counter"
            )


def _kinds(build: Observation) -> set[str]:
    """The names of the tensors, whatever the numbers in them."""
    return {re.sub(r"\d+", "#", name) for name, _, _ in build.tensors}


def lengths_apart(settings: Settings) -> dict[str, int]:
    """Other lengths of sequences for those that equal a width, such as that of a head: products whose sizes are equal by chance are
    recorded as one.
    """
    lengths = {path: value for path, value in settings.items() if path in LENGTHS and isinstance(value, int)}
    if not lengths:
        return {}
    numbers = [each for path, each in settings.items() if path not in INPUTS and type(each) is int and each > 0]
    widths = {*numbers, *(one // other for one, other in itertools.product(numbers, numbers) if one % other == 0)}
    apart = {path: next(each for each in itertools.count(value) if each not in widths) for path, value in lengths.items()}
    return {path: value for path, value in apart.items() if value != lengths[path]}

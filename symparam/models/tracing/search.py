"""The whole of tracing: builds with varied settings, rules that fit them, and fresh builds that test the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from symparam.models.traced.expressions import CannotEvaluateError, evaluate, keys_of
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.traced.network import ModuleRule, Network, counts_in
from symparam.models.tracing.effort import Effort
from symparam.models.tracing.exploration import Exploration
from symparam.models.tracing.failures import OVERDUE, CannotTraceError, OverdueError, UnfitError
from symparam.models.tracing.fitting import MOST_DIVISIONS, Fitting
from symparam.models.tracing.invented_operations import invented
from symparam.models.tracing.mismatches import first_mismatch, matches_build, pattern
from symparam.models.tracing.network_assembly import assembled_network
from symparam.models.tracing.never_together import Pair, refused_pairs
from symparam.models.tracing.observation import Observation, Observer
from symparam.models.tracing.probes import Probes
from symparam.models.tracing.rivals import undecided
from symparam.models.tracing.subjects import CannotBuildError
from symparam.models.tracing.unseen_cases import smallest_counts, unseen_choices, unseen_flags, unseen_outcomes

MOST_HELD = 16
MOST_TRIED = 12
"""The most keys that are tried before one is held."""
LEAST_TRIED = 4
SHARE_TO_TRY = 0.05
"""The share of the time that may be spent on trying more than the fewest of them."""
MOST_FOR_A_FIT = 20.0
SHARE_FOR_A_FIT = 1 / 5
"""The most seconds, and the largest share of the time that is left, for rules that fit all builds."""
ROUNDS = 4
MORE_BY_CHANCE = 4
"""How many times as many fresh settings test rules that may fit by chance: where a key had to be held, or the class was never seen to
compare or combine settings as the rules do.
"""
FRESH_CONFIGS = 150
"""The number of configs that test the rules for settings that follow from others; nothing is built for them."""
CONFIGS_TO_DECIDE, TURNS_TO_DECIDE = 200, 2
"""The number of settings among which some are sought at which rules differ that fit all builds, and how often."""
MOST_CASES = 6
BUILDS_OF_A_CASE = 14
"""The number of builds that show each way in which a list is laid out."""
MOST_WITHOUT = 16
"""The most numbers of layers and of features for which 0 is tried."""
STATED_CONFIGS = 24
"""The number of configs that give a setting that follows from others at its default, to see whether the class takes it."""


class Search:
    """Builds, rules and their test for one subject. ``seconds`` limits the time, as far as it can be divided; ``held`` are keys that are
    held from the start, since no rule was found for a class that is like this one. The rules are tested at ``fresh`` settings, and at as
    many as ``further`` others where the class takes them.
    """

    def __init__(
        self,
        subject: object,
        fresh: int = 6,
        seconds: float = 20.0,
        draws: int = 14,
        observer: Callable[[Any], Observer] = Observer,
        held: Iterable[str] = (),
        further: int = 0,
        patience: float = 1.0,
    ) -> None:
        self.effort = Effort(seconds, patience)
        self.builds, self.fresh, self.draws = Exploration(observer(subject), self.effort), fresh, draws
        self.most = fresh + further
        self.passed: list[Observation] = []
        self.held_for_fit = list(held)
        self.tested = 0
        self.asked: set[str] = set()
        self.refused: list[Pair] = []

    def fitted(self) -> ModuleRule:
        """Rules for all builds, with as few keys held as possible."""
        while True:
            observations = self._usable(self.held_for_fit)  # Keys that only the class sets follow from others.
            try:
                self.fitting = Fitting(observations, (), self.effort, self._allowed_for_a_fit())
                root = self.fitting.network()
                empty = [each for each in observations if self.builds.has_empty(each) and not matches_build(root, each)]
                if not self.builds.drop_empty(empty):
                    return root
            except OverdueError as error:
                if self.effort.is_over():
                    raise CannotTraceError(OVERDUE) from None
                if self.builds.drop_empty(observations):
                    continue
                self._hold(UnfitError(error.place, range(len(observations))), observations, overdue=True)
            except UnfitError as error:
                wrong = [observations[at] for at in error.builds]
                if not self.builds.drop_empty(wrong) and not self.builds.drop_empty(observations):
                    self._hold(error, observations)

    def _fitting_all(self, root: ModuleRule) -> ModuleRule:
        """These rules if they are right for the builds that were added after them, or other ones."""
        known = set(map(id, self.fitting.candidates.observations))
        added = (each for each in self._usable(self.held_for_fit) if id(each) not in known)
        return root if all(matches_build(root, each) for each in added) else self.fitted()

    def _allowed_for_a_fit(self) -> float:
        """The effort after which a search for rules that fit all builds ends: they may not exist, and a key has to be held."""
        return self.effort.spent + min(MOST_FOR_A_FIT, SHARE_FOR_A_FIT * (self.effort.allowed - self.effort.spent))

    def _usable(self, held: Iterable[str]) -> list[Observation]:
        default = self.builds.observations[0].settings
        return [each for each in self.builds.observations if all(each.settings.get(path) == default.get(path) for path in held)]

    def _hold(self, error: UnfitError, observations: Sequence[Observation], tried: int = MOST_TRIED, overdue: bool = False) -> None:
        """Hold a key that changes the place where no rule fits, or all such keys if half of the time is over, and replace the builds with
        other values. Where the search itself was ``overdue``, those are held that change which tensors there are.
        """
        if len(self.held_for_fit) >= MOST_HELD or self.effort.is_over():
            raise CannotTraceError(f"no rule was found for {error.place}")
        every = self._scores(error, observations)
        if not every:
            raise CannotTraceError(f"no rule was found for {error.place}")
        changing = self._changing(error.place)
        scores = {path: score for path, score in every.items() if path in changing} or every
        if overdue and (shaping := scores.keys() & self._changing(error.place, names_alone=True)):
            scores = {path: scores[path] for path in shaping}
        in_a_hurry = overdue or self.effort.is_over(self.effort.allowed / 2)
        for path in scores if in_a_hurry else (self._best(error, observations, scores, every, tried),):
            for each in self.builds.hold(path, f"no rule was found for {error.place}"):
                self.held_for_fit.append(each)
        for _ in range(self.draws):
            if len(self._usable(self.held_for_fit)) >= 2 * self.draws:
                break
            self.builds.sample()

    def _best(
        self, error: UnfitError, observations: Sequence[Observation], scores: Mapping[str, float], every: Mapping[str, float], tried: int
    ) -> str:
        """The key without which everything can be fitted; failing that, the one without which this place can, or the one with the highest
        score. Of the keys without a score, which change the place only together with others, some may be such a key.
        """
        ordered = sorted(scores, key=lambda path: -scores[path])
        together = sorted((path for path, score in every.items() if score > 0 and path not in scores), key=lambda path: -every[path])
        ranks: dict[str, float] = {}
        until = self.effort.spent + SHARE_TO_TRY * self.effort.allowed
        for path in ordered[:tried] if tried > 1 else ():
            if len(ranks) >= LEAST_TRIED and self.effort.is_over(until):
                break
            usable = self._usable([*self.held_for_fit, path])
            try:
                Fitting(usable, (), self.effort, self.effort.allowed).network()
                return path
            except OverdueError:
                break
            except UnfitError as other:
                ranks[path] = 10.0 * (other.place != error.place) + scores[path] + len(usable) / len(observations)
        for path in together[:LEAST_TRIED] if tried > 1 else ():
            with suppress(UnfitError, OverdueError):
                Fitting(self._usable([*self.held_for_fit, path]), (), self.effort, self.effort.allowed).network()
                return path
        return max(ranks, key=lambda path: ranks[path], default=ordered[0])

    def _scores(self, error: UnfitError, observations: Sequence[Observation]) -> dict[str, float]:
        """A score of how much each key that may be held has to do with the place, from the builds in which it was changed."""
        default = self.builds.observations[0].settings
        scores: dict[str, float] = {}
        varied = {*self.builds.free, *self.builds.listed, *self.builds.filled} - self.builds.held.keys()
        for at, each in enumerate(observations):
            for path, value in each.settings.items():
                if value != default.get(path) and path in varied:
                    scores[path] = scores.get(path, 0) + (
                        1 / max(1, len(error.builds)) if at in error.builds else -1 / max(1, len(observations) - len(error.builds))
                    )
        return scores

    def _changing(self, place: str, names_alone: bool = False) -> set[str]:
        """The keys that change the tensors at this place, or their names alone, when they are changed by themselves."""
        before = pattern(place.removeprefix("the length of "))
        shallow = self.builds.shallow

        def there(each: Observation) -> list[tuple[str, tuple[int, ...]]]:
            found = [(name, shape) for name, shape, _ in each.tensors if pattern(name).startswith(before)]
            return [(name, ()) for name, _ in found] if names_alone else found

        known = there(shallow)
        moved = (
            (each, tuple(path for path, value in each.moved.items() if path not in shallow.moved or value != shallow.moved[path]))
            for each in self.builds.observations
        )
        return {paths[0] for each, paths in moved if len(paths) == 1 and there(each) != known}

    def explore(self) -> None:
        """Make the builds from which rules are derived."""
        self.builds.start()
        for path in self.held_for_fit:
            self.builds.hold(path, "no rule was found for a class like this one")
        probes = Probes(self.builds)
        probes.vary_each_key()
        probes.flip_comparisons()
        for _ in range(self.draws):
            self.builds.sample()
        self.refused = refused_pairs(self.builds) if self.builds.observer.subject.sources is None else []  # A config has too many flags.

    def learn(self, moved: Mapping[str, object], wrong: ModuleRule | None = None) -> None:
        """Add a build with settings for which the rules were wrong, and another one around it. Where these are the ``wrong`` rules, which
        have been learning for long, a key is held that changes the place where they are wrong.
        """
        try:
            found = self.builds.observer.observe(moved, documented=True)
        except CannotBuildError:
            return
        self.builds.keep(found)
        if wrong is not None and (place := first_mismatch(wrong, found)):
            observations = self._usable(self.held_for_fit)
            self._hold(UnfitError(place, (at for at, each in enumerate(observations) if each is found)), observations, tried=1)
        self.builds.sample(around={path: value for path, value in moved.items() if self.builds.small.get(path) != value})

    def settled(self) -> ModuleRule:
        """Rules that are right at the required number of fresh settings. Raises `CannotTraceError`."""
        while True:
            for turn in range(ROUNDS * (2 if self.held_for_fit else 1)):  # More settings show rarer mistakes to learn from.
                root = self.fitted()
                if turn == 0 and self._support(root):
                    root = self._fitting_all(root)
                for _ in range(MOST_DIVISIONS):
                    if not self._cases(root):
                        break
                    root = self._fitting_all(root)
                wrong = self._wrong(root)
                if not wrong and self.tested < self.fresh and not self.builds.has_flags_alone:
                    raise CannotTraceError(f"only {self.tested} of {self.fresh} fresh settings are accepted by the class")
                if not wrong and (turn >= TURNS_TO_DECIDE or not self._decided(root)):
                    return root
                for each in wrong:
                    self.builds.keep(each)
                for each in wrong[:2]:
                    self.builds.sample(around={path: value for path, value in each.moved.items() if path not in self.builds.small})
            if all(map(self.builds.has_empty, wrong)) and self.builds.drop_empty(wrong):
                continue
            observations = self._usable(self.held_for_fit)
            builds = [at for at, each in enumerate(observations) if each in wrong]
            self._hold(UnfitError(first_mismatch(root, wrong[0]) or "a module", builds), observations, tried=1)

    def network(self, origin: str, versions: Mapping[str, str]) -> Network:
        """The rules with everything known of the settings. Raises `CannotTraceError` or `UnfitError`."""
        if not self.builds.observations:
            self.explore()
        root = self.settled()
        subject: Any = self.builds.observer.subject
        model_type = getattr(getattr(subject, "config_class", None), "model_type", "")
        usable = [*self._usable(self.held_for_fit), *self._with_nothing(root)]
        found = assembled_network(
            subject.name,
            origin,
            model_type,
            root,
            usable,
            self.passed,
            self.held_for_fit,
            subject.aliases,
            subject.inner,
            versions,
            self.refused,
        )
        unstable = {path: replace(found.keys[path], follows="?") for path in (*self._following(), *self._refuted(found))}
        found = replace(found, keys={**found.keys, **unstable})
        overruled = {path: replace(found.keys[path], overruled=True) for path in self._overruled(found)}
        unset = {path: replace(found.keys[path], unset=True) for path in subject.instead_of_null}
        return replace(found, keys={**found.keys, **overruled, **unset})

    def _with_nothing(self, root: ModuleRule) -> list[Observation]:
        """Builds with 0 layers, or another number of parts or features, for which the rules are right, alone and beside other changes."""
        found = []
        counts = {path for each in counts_in(root) for path in keys_of(each)}
        tried_last = {*self.builds.free} - counts - {*INPUTS} if self.builds.observer.subject.sources is None else set()
        free = [path for some in (counts, tried_last) for path in sorted(some & self.builds.free.keys() - self.builds.held.keys())]
        for path in free[:MOST_WITHOUT]:
            if type(self.builds.free[path]) is int and self.builds.free[path]:
                tried: list[dict[str, object]] = [{path: 0}, *({**passed.moved, path: 0} for passed in self.passed[:1])]
                builds = [each for one in tried if (each := self.builds.tried(one)) is not None]
                if builds and all(each.settings.get(path) == 0 and matches_build(root, each) for each in builds):
                    found += builds
        return found + self._with_first_members(root)

    def _with_first_members(self, root: ModuleRule) -> list[Observation]:
        """Builds with a list of numbers that starts at 0, for which the rules are right: such as that of the layers with attention."""
        lists = {path: self.builds.base.settings.get(path) for path in sorted(self.builds.listed.keys() - self.builds.held.keys())}
        tried = [{path: [0, *each[1:]]} for path, each in lists.items() if isinstance(each, list) and each and type(each[0]) is int]
        builds = [each for one in tried[:MOST_WITHOUT] if (each := self.builds.tried(one)) is not None]
        return [each for each in builds if matches_build(root, each)]

    def _following(self) -> list[str]:
        """The counts that were set in all builds, but follow from others if they are not set."""
        found = []
        for path in self.builds.small:
            others = {other: value + 2 for other, value in self.builds.small.items() if other != path and isinstance(value, int)}
            try:
                if self.builds.settings_with(others).get(path) != self.builds.base.settings.get(path):
                    found.append(path)
            except CannotBuildError:
                found.append(path)
        return found

    def _refuted(self, found: Network) -> list[str]:
        """The settings that at fresh settings, which are not built, follow from others in another way than by their rules."""
        rules = {path: key.follows for path, key in found.keys.items() if key.follows not in (None, "?")}
        refuted: list[str] = []
        for settings, moved in self.builds.configs(FRESH_CONFIGS) if rules else ():
            for path in rules.keys() - moved.keys() - set(refuted):
                try:
                    if evaluate(rules[path], settings) != settings.get(path):
                        refuted.append(path)
                except CannotEvaluateError:
                    continue
        return refuted

    def _overruled(self, found: Network) -> set[str]:
        """The settings that the class computes, by no known rule, even where they are given at their defaults; nothing is built."""
        unknown = {path: key.default for path, key in found.keys.items() if (key.status, key.follows) == ("held", "?")}
        stated = {path: value for path, value in unknown.items() if value is not None}
        overruled: set[str] = set()
        for _, moved in self.builds.configs(STATED_CONFIGS) if stated else ():
            for path in stated.keys() - moved.keys() - overruled:
                try:
                    if self.builds.settings_with({**moved, path: stated[path]}).get(path) != stated[path]:
                        overruled.add(path)
                except CannotBuildError:
                    continue
        return overruled

    def _support(self, root: ModuleRule) -> bool:
        """Add builds of cases that occur in few of them, and return whether there was such a case."""
        total = len(self.fitting.candidates.observations)
        rare: dict[frozenset[int], None] = {}
        for builds in self.fitting.support.values():
            if len(builds) < min(6, total):
                rare[builds] = None
        for builds in list(rare)[:6]:
            for build in list(builds)[:2]:
                observation = self.fitting.candidates.observations[build]
                moved = {path: value for path, value in observation.moved.items() if self.builds.small.get(path) != value}
                for _ in range(3):
                    self.builds.sample(around=moved)
        return self._other_outcomes(root) or bool(rare)

    def _cases(self, root: ModuleRule) -> bool:
        """Add builds of the ways in which lists are laid out that few of them show, with longer lists; return whether there were any."""
        few = [(shown, keys) for shown, (_, keys) in self.fitting.cases.items() if len(shown) < BUILDS_OF_A_CASE]
        for shown, keys in few[:MOST_CASES]:
            settings = self.fitting.candidates.observations[min(shown)].settings
            case = {path: settings[path] for path in keys}
            for _ in range(BUILDS_OF_A_CASE - len(shown)):
                self.builds.sample(around=case)
            for longer in self.builds.longer_lists():
                self.builds.observe({**self.builds.small, **longer, **case})
        return self._other_outcomes(root) or bool(few)

    def _decided(self, root: ModuleRule) -> bool:
        """Add builds at settings where the rules are not known, as several fit all builds; return whether there was one."""
        found = [self.builds.observe(moved) for moved in undecided(root, self.builds.configs(CONFIGS_TO_DECIDE, lists=True))]
        return any(found)

    def _other_outcomes(self, root: ModuleRule) -> bool:
        """Add builds of what was seen only with some of the outcomes and flags that there are, or of what the rules made of that; return
        whether there was one.
        """
        free = {path for path in self.builds.free if path not in self.builds.held}
        places = [*self.fitting.support.items(), *((place, builds) for builds, (place, _) in self.fitting.cases.items())]
        tried = [*unseen_outcomes(self.fitting.candidates.observations, places, free)]
        tried += unseen_flags(self.fitting.candidates.observations, places, free)
        tried += unseen_choices(root, self.fitting.candidates.observations, free)
        tried += smallest_counts(root, self.fitting.candidates.observations, free)
        tried += undecided(root, self.builds.configs(CONFIGS_TO_DECIDE, lists=True))
        tried = [moved for moved in tried if repr(moved) not in self.asked]
        self.asked |= {*map(repr, tried)}
        for moved in tried:
            self.builds.observe(moved)
        return bool(tried)

    def _wrong(self, root: ModuleRule) -> list[Observation]:
        """The fresh builds for which the rules are wrong."""
        wrong = []
        self.tested = 0
        self.passed = []
        runs = self.most > self.fresh  # They are tested at more settings anyway.
        by_chance = self.held_for_fit or (not runs and invented(root, self.builds.observations))
        most = self.most * (MORE_BY_CHANCE if by_chance else 1)
        for _ in range(most + 2):
            if self.tested == most or (found := self.builds.sample_unseen(self.passed)) is None:
                continue
            self.tested += 1
            self.passed.append(found)
            if not matches_build(root, found):
                wrong.append(found)
        return wrong

"""From what many builds showed to rules: which lists repeat, what stands at which number, and what each side of a shape is."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations, islice
from typing import Any

from symparam.models.traced.expressions import FAILURES, Computed, Expression, compiled, negated, parts, replaced
from symparam.models.traced.network import LAYERS, NUMBER, Entry, ModuleRule, TensorRule
from symparam.models.tracing.branches import Branch, branch_of, merged, number_in, pattern_of, signature_of, variant_of
from symparam.models.tracing.candidates import NONE, Candidates, Instance, extended
from symparam.models.tracing.observing import Observation

MOST_CONDITIONS = 6000
MOST_PAIRED = 160


class OverdueError(Exception):
    """There is no time left."""


class UnfitError(Exception):
    """No rule was found for what stands at a place; ``builds`` are those that the best one is wrong in."""

    def __init__(self, place: str, builds: Iterable[int]) -> None:
        super().__init__(place)
        self.place, self.builds = place, frozenset(builds)


Part = tuple[Instance, Any]


class Fitting:
    """The rules that fit all builds."""

    def __init__(self, observations: Sequence[Observation], ignored: Iterable[str] = (), deadline: float = math.inf) -> None:
        self.deadline = deadline
        self.candidates = Candidates(observations, ignored)
        self._sizes: dict[object, Expression] = {}
        self._conditions: dict[object, Expression] = {}
        self._masks: dict[tuple[Instance, ...], list[tuple[int, Expression]]] = {}
        self._on_numbers: dict[int, list[tuple[Expression, Computed]]] = {}
        self.support: dict[str, frozenset[int]] = {}

    def network(self) -> ModuleRule:
        """The rules. Raises `UnfitError` where there is none."""
        return self._module([((build, ()), branch_of(each)) for build, each in enumerate(self.candidates.observations)], "", 0)

    def _module(self, branches: list[tuple[Instance, Branch]], path: str, depth: int) -> ModuleRule:
        kinds = [branch.kind for _, branch in branches]
        instances = tuple(instance for instance, _ in branches)
        entries = []
        names = merged([list(branch.children) for _, branch in branches])
        lists = self._lists(branches, names)
        done: set[str] = set()
        for name in names:
            pattern = pattern_of(name)
            if pattern in lists and pattern not in done:
                done.add(pattern)
                try:
                    entries += self._listed(branches, pattern, path, depth)
                    continue
                except UnfitError:
                    if not lists[pattern]:
                        raise
                    del lists[pattern]  # As many in every build, and unlike each other: each is taken by itself.
            elif pattern in lists:
                continue
            entries += self._named(name, instances, [branch.children.get(name) for _, branch in branches], path, depth)
        return ModuleRule(max(set(kinds), key=kinds.count), tuple(entries))

    def _lists(self, branches: list[tuple[Instance, Branch]], names: list[str]) -> dict[str, bool]:
        """The patterns of numbered names that are lists, of a length that changes or of modules that are alike, and whether each could
        as well be a fixed sequence."""
        by_pattern: dict[str, list[str]] = {}
        for name in names:
            if (pattern := pattern_of(name)) != name:
                by_pattern.setdefault(pattern, []).append(name)
        found = {}
        for pattern, members in by_pattern.items():
            sets = {frozenset(name for name in members if name in branch.children) for _, branch in branches}
            if len(sets) > 1:
                if pattern in (NUMBER, LAYERS) or (self._numbered_in_turn(sets) and self._side_by_side(branches, pattern)):
                    found[pattern] = False
            elif pattern == LAYERS or (
                pattern == NUMBER
                and len(members) > 1
                and sorted(map(int, members)) == list(range(len(members)))
                and all(len({signature_of(branch.children[name]) for name in members}) == 1 for _, branch in branches)
            ):
                found[pattern] = True
        return found

    @staticmethod
    def _numbered_in_turn(sets: set[frozenset[str]]) -> bool:
        """Whether names with a number in them, such as ``norm1`` and ``norm2``, are numbered without a gap, and not always as many."""
        runs = [run for each in sets if (run := sorted(number_in(name) for name in each))]
        return len(runs) > 1 and all(run == list(range(runs[0][0], runs[0][0] + len(run))) for run in runs)

    @staticmethod
    def _side_by_side(branches: list[tuple[Instance, Branch]], pattern: str) -> bool:
        """Whether nothing stands between names of a pattern in any build."""
        for _, branch in branches:
            places = [place for place, name in enumerate(branch.children) if pattern_of(name) == pattern]
            if places and places[-1] - places[0] >= len(places):
                return False
        return True

    def _named(self, name: str, instances: tuple[Instance, ...], found: list[Any], path: str, depth: int) -> list[Entry]:
        """The entries of one name: of each kind that stands under it in some build."""
        entries = []
        place = f"{path}.{name}" if path else name
        for variant in dict.fromkeys(variant_of(each) for each in found if each is not None):
            bits = [each is not None and variant_of(each) == variant for each in found]
            condition = self._condition(instances, bits, place)
            there: list[Part] = [(instance, each) for instance, each, bit in zip(instances, found, bits, strict=True) if bit]
            self.support[place] = frozenset(instance[0] for instance, _ in there)
            entries.append(Entry(name, self._content(there, place, depth), condition))
        return entries

    def _content(self, there: list[Part], place: str, depth: int) -> TensorRule | ModuleRule:
        if isinstance(there[0][1], Branch):
            return self._module(there, place, depth)
        instances = tuple(instance for instance, _ in there)
        sides = zip(*(shape for _, (shape, _) in there), strict=True)
        return TensorRule(tuple(self._size(instances, tuple(side), place) for side in sides), there[0][1][1])

    def _listed(self, branches: list[tuple[Instance, Branch]], pattern: str, path: str, depth: int) -> list[Entry]:
        place = f"{path}.{pattern.replace(NUMBER, '{' + 'ijklmn'[depth % 6] + '}')}"
        instances = tuple(instance for instance, _ in branches)
        members = [
            {number_in(name): each for name, each in branch.children.items() if pattern_of(name) == pattern} for _, branch in branches
        ]
        held = [sorted(each) for each in members]
        lengths = tuple(numbers[-1] + 1 if numbers else 0 for numbers in held)
        try:
            count = self._size(instances, lengths, f"the length of {path}")
            longer = lengths
        except UnfitError:
            count, longer = self._at_least(instances, lengths, f"the length of {path}")
        spread: list[Instance] = []
        bits: list[bool] = []
        elements: list[Part] = []
        for (build, at), there_are, numbers, length in zip(instances, members, held, longer, strict=True):
            for number in range(length):
                spread.append((build, (*at, number)))
                bits.append(number in numbers)
                if number in numbers:
                    elements.append(((build, (*at, number)), there_are[number]))
        variants = list(dict.fromkeys(variant_of(each) for _, each in elements))
        entries = []
        for variant in variants:
            chosen = [(instance, each) for instance, each in elements if variant_of(each) == variant]
            there = {instance for instance, _ in chosen}
            each = self._condition(tuple(spread), [instance in there for instance in spread], place)
            entries.append(Entry(pattern, self._content(chosen, place, depth + 1), True, count, each))
        if len(variants) > 1:
            raise UnfitError(place, range(len(self.candidates.observations)))
        return entries

    def _at_least(self, instances: tuple[Instance, ...], lengths: tuple[int, ...], place: str) -> tuple[Expression, tuple[int, ...]]:
        """A candidate that is never less than the lengths, and least above them: some modules of the list have no tensors."""
        best: tuple[int, Expression, tuple[int, ...]] | None = None
        for expression in self.candidates.plain[:600]:
            row = tuple(self.candidates.value(expression, build) for build, _ in instances)
            if all(
                isinstance(value, int) and not isinstance(value, bool) and value >= length
                for value, length in zip(row, lengths, strict=True)
            ):
                excess = sum(row) - sum(lengths)
                if (best is None or excess < best[0]) and sum(row) < 20_000:
                    best = (excess, expression, row)
        if best is None:
            raise UnfitError(place, (build for build, _ in instances))
        return best[1], best[2]

    # What a size is.

    def _size(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str) -> Expression:
        key = (instances, values)
        if key not in self._sizes:
            self._sizes[key] = self._found_size(instances, values, place)
        return self._sizes[key]

    def _found_size(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str, depth_of_cases: int = 0) -> Expression:
        if time.process_time() > self.deadline:
            raise OverdueError
        found = self._single(instances, values)
        if found is not None:
            return found
        depth = len(instances[0][1])
        masks = self._value_masks(instances, values, depth)
        everything = (1 << len(instances)) - 1
        distinct = sorted(masks, key=lambda pair: -pair[0].bit_count())[:40]
        halves: list[tuple[int, Expression, Expression]] = []
        for mask, condition in self._condition_masks(instances):
            one = self._covering(mask, masks, instances, values)
            other = self._covering(everything ^ mask, masks, instances, values)
            if one is not None and other is not None:
                return ("if", condition, one, other)
            if one is not None:
                halves.append((mask, condition, one))
            elif other is not None:
                halves.append((everything ^ mask, negated(condition), other))
        for mask, condition, one in sorted(halves, key=lambda half: -half[0].bit_count())[: 6 if depth_of_cases < 2 else 0]:
            rest = [at for at in range(len(instances)) if not mask >> at & 1]
            try:
                inner = tuple(instances[at] for at in rest)
                other = self._found_size(inner, tuple(values[at] for at in rest), place, depth_of_cases + 1)
                return ("if", condition, one, other)
            except UnfitError:
                continue
        right = distinct[0][0] if distinct else 0
        raise UnfitError(place, (build for at, (build, _) in enumerate(instances) if not right >> at & 1))

    def _covering(
        self, mask: int, masks: list[tuple[int, Expression]], instances: tuple[Instance, ...], values: tuple[int, ...]
    ) -> Expression | None:
        """What has the right values where the mask has bits."""
        first = None
        for right, expression in masks:
            if right & mask == mask:
                first = expression
                break
        chosen = [at for at in range(len(instances)) if mask >> at & 1]
        if first is not None and not isinstance(first, tuple):
            better = self._single(tuple(instances[at] for at in chosen), tuple(values[at] for at in chosen))
            return better if better is not None else first
        return first

    def _single(self, instances: tuple[Instance, ...], values: tuple[int, ...]) -> Expression | None:
        """One expression with these values, without a condition."""
        by_build: dict[int, int] = {}
        constant = all(by_build.setdefault(build, value) == value for (build, _), value in zip(instances, values, strict=True))
        if constant:
            builds = tuple(by_build)
            row = tuple(by_build.values())
            if len(set(row)) == 1:
                return row[0]
            found = self.candidates.lookup(builds).get(row)
            return found if found is not None else extended(row, builds, self.candidates)
        for expression, computed in self._dependent(len(instances[0][1])):
            if self._equals(computed, instances, values):
                return expression
        return None

    def _dependent(self, depth: int) -> list[tuple[Expression, Computed]]:
        """Expressions that depend on the numbers of the lists around."""
        if depth not in self._on_numbers:
            self._on_numbers[depth] = [(each, compiled(each)) for each in dict.fromkeys(self._possible(depth))]
        return self._on_numbers[depth]

    def _possible(self, depth: int) -> Iterable[Expression]:
        placed = list(self.candidates.placed(self.candidates.looped, depth))
        yield from placed
        for shift in (("-", 1), ("+", 1)):  # What was carried over from the turn of the loop before.
            yield from (replaced(each, _shifting(*shift)) for each in placed[:400])
        for place in range(depth - 1, -1, -1):
            at = ("at", place)
            for path in self.candidates.whole[:60]:
                for count in self.candidates.counts:
                    for less in (0, 1, 2):
                        yield ("*", ("key", path), ("**", 2, ("-", ("-", count, at), less) if less else ("-", count, at)))
            for path in self.candidates.lists:
                for item in [("item", ("key", path), at)] + [("item", ("key", path), ("+", at, shift)) for shift in (1, -1)]:
                    yield item
                    yield from (("*", times, item) for times in (2, 3, 4))
            for path in self.candidates.whole[:60]:
                yield ("*", ("key", path), ("**", 2, at))
                yield ("*", ("key", path), ("**", 2, ("+", at, 1)))
                yield ("//", ("key", path), ("**", 2, at))
                yield ("//", ("key", path), ("**", 2, ("+", at, 1)))
                yield ("+", ("key", path), at)

    def _equals(self, computed: Computed, instances: tuple[Instance, ...], values: tuple[int, ...]) -> bool:
        observations = self.candidates.observations
        try:
            return all(_is(computed(observations[build].settings, at), value) for (build, at), value in zip(instances, values, strict=True))
        except FAILURES:
            return False

    def _value_masks(self, instances: tuple[Instance, ...], values: tuple[int, ...], depth: int) -> list[tuple[int, Expression]]:
        """Each expression with a bit for each instance where it has the right value."""
        found: dict[int, Expression] = {}
        for value in dict.fromkeys(values):
            found.setdefault(_bits(each == value for each in values), value)
        for expression in self.candidates.plain[:1500]:
            row = [self.candidates.value(expression, build) for build, _ in instances]
            mask = _bits(_is(each, value) for each, value in zip(row, values, strict=True))
            if mask and (mask not in found or not isinstance(found[mask], tuple)):
                found[mask] = expression
        if depth and len(instances) < 250:
            for expression, computed in self._dependent(depth)[:300]:
                mask = 0
                for at, ((build, numbers), value) in enumerate(zip(instances, values, strict=True)):
                    try:
                        mask |= _is(computed(self.candidates.observations[build].settings, numbers), value) << at
                    except FAILURES:
                        continue
                if mask:
                    found.setdefault(mask, expression)
        return list(found.items())

    # When something is there.

    def _condition(self, instances: tuple[Instance, ...], bits: list[bool], place: str) -> Expression:
        if all(bits):
            return True
        wanted = _bits(bits)
        key = (instances, wanted)
        if key not in self._conditions:
            self._conditions[key] = self._found_condition(instances, wanted, place)
        return self._conditions[key]

    def _found_condition(self, instances: tuple[Instance, ...], wanted: int, place: str) -> Expression:
        if time.process_time() > self.deadline:
            raise OverdueError
        everything = (1 << len(instances)) - 1
        masks = self._condition_masks(instances)
        for mask, condition in masks:
            if mask == wanted:
                return condition
            if mask == everything ^ wanted:
                return negated(condition)
        few = [(mask, condition) for mask, condition in masks if mask not in (0, everything)][:MOST_PAIRED]
        both = few + [(everything ^ mask, negated(condition)) for mask, condition in few]
        above = [(mask, condition) for mask, condition in both if mask & wanted == wanted]
        below = [(mask, condition) for mask, condition in both if mask | wanted == wanted]
        for (one, first), (other, second) in combinations(above, 2):
            if one & other == wanted:
                return ("and", first, second)
        for (one, first), (other, second) in combinations(below, 2):
            if one | other == wanted:
                return ("or", first, second)
        for (one, first), (other, second), (last, third) in combinations(above[:40], 3):
            if one & other & last == wanted:
                return ("and", first, second, third)
        for (one, first), (other, second), (last, third) in combinations(below[:40], 3):
            if one | other | last == wanted:
                return ("or", first, second, third)
        nearest = min((mask for mask, _ in both), key=lambda mask: (mask ^ wanted).bit_count(), default=0)
        raise UnfitError(place, (build for at, (build, _) in enumerate(instances) if (nearest ^ wanted) >> at & 1))

    def _condition_masks(self, instances: tuple[Instance, ...]) -> list[tuple[int, Expression]]:
        """The conditions that differ in these instances, the likeliest first, with a bit for each where they are true."""
        if instances not in self._masks:
            found: dict[int, Expression] = {}
            everything = (1 << len(instances)) - 1
            depth = len(instances[0][1])
            for condition in self.candidates.conditions():
                self._add(found, condition, instances, everything)
            if depth:
                for condition in islice(self.candidates.conditions_on_numbers(depth), MOST_CONDITIONS):
                    self._add(found, condition, instances, everything)
            for condition in self.candidates.comparisons():
                self._add(found, condition, instances, everything)
            self._masks[instances] = list(found.items())
        return self._masks[instances]

    def _add(self, found: dict[int, Expression], condition: Expression, instances: tuple[Instance, ...], everything: int) -> None:
        """Put in a condition that has a value in each of the instances, and not the same in all."""
        mask = 0
        dependent = any(isinstance(each, tuple) and each[0] == "at" for each in parts(condition))
        computed = compiled(condition)
        for place, (build, at) in enumerate(instances):
            if dependent:
                try:
                    value = computed(self.candidates.observations[build].settings, at)
                except FAILURES:
                    return
            elif (value := self.candidates.value(condition, build)) is NONE:
                return
            mask |= bool(value) << place
        if mask and mask != everything and mask not in found and everything ^ mask not in found:
            found[mask] = condition


def _is(found: object, value: int) -> bool:
    """Whether it is this whole number; 32.0 is the size of no tensor."""
    return found == value and not isinstance(found, float)


def _bits(values: Iterable[bool]) -> int:
    return sum(1 << at for at, value in enumerate(values) if value)


def _shifting(sign: str, by: int) -> Callable[[tuple[object, ...]], Expression | None]:
    """A change of the numbers of lists into those before or after."""
    return lambda each: (sign, each, by) if each[0] == "at" else None

"""From the observations of many builds to rules: which lists repeat, the content at each number, and each side of every shape."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from symparam.models.printed.class_knowledge import LAYER_OF_TORCH
from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, negated
from symparam.models.traced.network import LAYERS, NUMBER, ModuleRule, RuleEntry, TensorRule
from symparam.models.tracing.asked_conditions import asked_part, holds
from symparam.models.tracing.branches import (
    Branch,
    branch_of,
    grouped,
    in_order,
    is_list,
    merged,
    number_in,
    numbered_in_turn,
    pattern_of,
    side_by_side,
    signature_of,
    variant_of,
)
from symparam.models.tracing.candidates import Instance
from symparam.models.tracing.columns import NONE
from symparam.models.tracing.edges import edges
from symparam.models.tracing.effort import Effort
from symparam.models.tracing.failures import UnfitError
from symparam.models.tracing.list_lengths import few_at_most, likely_lengths
from symparam.models.tracing.nested_loops import runs_of, turns_of_members
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.rules import Rules
from symparam.models.tracing.segments import ends_of_stages
from symparam.models.tracing.stages import Stages, added, stages_of, values_of
from symparam.models.tracing.strides import differing_turns, kinds_of_members, numbered, turn_of

Part = tuple[Instance, Any]
FEWEST_OF_A_CASE = 3
"""The fewest builds that must show each of two ways in which a list is laid out."""
MOST_TRIED_CASES = 12
MOST_DIVISIONS = 2
"""The most conditions that may separate the ways in which one list is laid out."""


class Fitting:
    """The rules that fit all builds.

    ``support`` has the builds in which each place occurs, ``cases`` those that show a way in which a list is laid out, with its place and
    the settings that decide on it.
    """

    def __init__(
        self, observations: Sequence[Observation], ignored: Iterable[str] = (), effort: Effort | None = None, allowed: float = math.inf
    ) -> None:
        self.rules = Rules(observations, ignored, effort, allowed)
        self.candidates = self.rules.candidates
        self.support: dict[str, frozenset[int]] = {}
        self.cases: dict[frozenset[int], tuple[str, frozenset[str]]] = {}
        self._divided: dict[str, int] = {}

    def network(self) -> ModuleRule:
        """The rules. Raises `UnfitError` where none fits."""
        return self._module([((build, ()), branch_of(each)) for build, each in enumerate(self.candidates.observations)], "", 0)

    def _module(self, branches: list[tuple[Instance, Branch]], path: str, depth: int) -> ModuleRule:
        kinds = [branch.kind for _, branch in branches]
        instances = tuple(instance for instance, _ in branches)
        entries = []
        orders = [tuple(branch.children) for _, branch in branches]
        names = merged(orders)
        if not in_order(orders, names):
            return ModuleRule(_kind(kinds), tuple(self._by_order(branches, orders, path, depth)))
        lists = self._lists(branches, names)
        if self._divided.get(path):  # Equally many in all builds of a case, so that the list's length is not what could not be fitted.
            lists = {pattern: fixed for pattern, fixed in lists.items() if not fixed}
        done: set[str] = set()
        for name in names:
            pattern = pattern_of(name)
            if pattern in lists and pattern not in done:
                done.add(pattern)
                with self.rules.in_stages(self._stages(instances, path, depth) if pattern == NUMBER else ()):
                    try:
                        entries += self._listed(branches, pattern, path, depth)
                        continue
                    except UnfitError as error:
                        if (apart := self._with_edges(branches, pattern, path, depth)) is not None:
                            entries += apart
                            continue
                        if not lists[pattern]:
                            return ModuleRule(_kind(kinds), tuple(self._by_case(branches, path, depth, error)))
                        del lists[pattern]  # Equally many in every build and all different: each is treated by itself.
            elif pattern in lists:
                continue
            entries += self._named(name, instances, [branch.children.get(name) for _, branch in branches], path, depth)
        return ModuleRule(_kind(kinds), tuple(entries))

    def _by_order(
        self, branches: list[tuple[Instance, Branch]], orders: list[tuple[str, ...]], path: str, depth: int
    ) -> Iterator[RuleEntry]:
        """The entries of modules that order their common parts differently: separate entries for each class of module, or
        for each order.
        """
        kinds: list[object] = [branch.kind for _, branch in branches]
        sorts = kinds if len(set(kinds)) > 1 else grouped(orders)
        if len(set(sorts)) == 1:
            raise UnfitError(path, ())
        instances = tuple(instance for instance, _ in branches)
        for sort in dict.fromkeys(sorts):
            condition = self.rules.condition(instances, [each == sort for each in sorts], path)
            there = [branch for branch, each in zip(branches, sorts, strict=True) if each == sort]
            for entry in self._module(there, path, depth).entries:
                yield replace(entry, condition=condition if entry.condition is True else ("and", condition, entry.condition))

    def _by_case(self, branches: list[tuple[Instance, Branch]], path: str, depth: int, error: UnfitError) -> Iterator[RuleEntry]:
        """The entries of a list that is laid out in two ways, separate ones for each: with a norm after each of its layers, or without.

        Raises the error where no condition on whole builds tells two such ways apart, or where it is not about the list itself.
        """
        inside = error.place.removeprefix("the length of ").removeprefix(path)
        if self._divided.get(path, 0) == MOST_DIVISIONS or inside.count(".") > 3:
            raise error
        self._divided[path] = self._divided.get(path, 0) + 1
        try:
            for condition, (one, other) in self._cases(branches):
                try:
                    rules = self._module(one, path, depth), self._module(other, path, depth)
                except UnfitError:
                    continue
                for case, rule, there in zip((condition, negated(condition)), rules, (one, other), strict=True):
                    self.cases[frozenset(build for (build, _), _ in there)] = path, keys_of(condition)
                    for entry in rule.entries:
                        yield replace(entry, condition=case if entry.condition is True else ("and", case, entry.condition))
                return
            raise error
        finally:
            self._divided[path] -= 1

    def _cases(self, branches: list[tuple[Instance, Branch]]) -> Iterator[tuple[Expression, tuple[list[Any], list[Any]]]]:
        """Conditions on whole builds, the likeliest first, with the branches for which each is true and those for which it is not."""
        seen: set[tuple[bool, ...]] = set()
        for condition in self.candidates.conditions:
            outcomes = [self.candidates.value(condition, build) for (build, _), _ in branches]
            bits = tuple(map(bool, outcomes))
            if NONE in outcomes or bits in seen or tuple(not bit for bit in bits) in seen:
                continue
            seen.add(bits)
            pairs = list(zip(branches, bits, strict=True))
            if min(bits.count(True), bits.count(False)) >= FEWEST_OF_A_CASE:
                yield condition, ([each for each, bit in pairs if bit], [each for each, bit in pairs if not bit])
            if len(seen) > MOST_TRIED_CASES:
                return

    def _lists(self, branches: list[tuple[Instance, Branch]], names: list[str]) -> dict[str, bool]:
        """The patterns of numbered names that form lists, of varying length or of identical modules, and whether each could also be a fixed
        sequence.
        """
        by_pattern: dict[str, list[str]] = {}
        for name in names:
            if (pattern := pattern_of(name)) != name:
                by_pattern.setdefault(pattern, []).append(name)
        found = {}
        for pattern, members in by_pattern.items():
            sets = {frozenset(name for name in members if name in branch.children) for _, branch in branches}
            if len(sets) > 1:
                if pattern in (NUMBER, LAYERS) or (numbered_in_turn(sets) and all(side_by_side(branch, pattern) for _, branch in branches)):
                    found[pattern] = False
            elif pattern == LAYERS or (
                pattern == NUMBER
                and len(members) > 1
                and sorted(map(int, members)) == list(range(len(members)))
                and all(len({signature_of(branch.children[name]) for name in members}) == 1 for _, branch in branches)
            ):
                found[pattern] = True
        return found

    def _named(self, name: str, instances: tuple[Instance, ...], found: list[object], path: str, depth: int) -> list[RuleEntry]:
        """The entries of one name: one for each kind of content that occurs in some build. A list without members has no tensors, so that
        one may be empty where it is not found.
        """
        entries = []
        place = f"{path}.{name}" if path else name
        variants = dict.fromkeys(variant_of(each) for each in found if each is not None)
        lists = all(each is None or is_list(each) for each in found)
        for variant in variants:
            bits = [each is not None and variant_of(each) == variant for each in found]
            try:
                condition = self.rules.condition(instances, bits, place)
            except UnfitError:
                if len(variants) > 1 or not lists:
                    raise
                condition, bits, found = True, [True] * len(bits), [Branch() if each is None else each for each in found]
            if len(variants) == 1 and lists and (wider := self._with_empty(name, condition, instances, found, place, depth)):
                return [wider]
            there: list[Part] = [(instance, each) for instance, each, bit in zip(instances, found, bits, strict=True) if bit]
            self.support[place] = frozenset(instance[0] for instance, _ in there)
            entries.append(RuleEntry(name, self._content(there, place, depth), condition))
        return entries

    def _with_empty(
        self, name: str, condition: Expression, instances: tuple[Instance, ...], found: Sequence[object], place: str, depth: int
    ) -> RuleEntry | None:
        """The entry of a list that is empty, not missing, where only the rest of a condition does not hold, which the class was not seen to
        test; None where there is no rest, or no rule for the length then.
        """
        asked = None if depth else asked_part(condition, self.candidates.observations)
        if asked is None:
            return None
        bits = [holds(asked, self.candidates.observations[build].settings, at) for build, at in instances]
        there: list[Part] = [(instance, each or Branch()) for instance, each, bit in zip(instances, found, bits, strict=True) if bit]
        self.support[place] = frozenset(instance[0] for instance, _ in there)
        try:
            return RuleEntry(name, self._content(there, place, depth), asked)
        except UnfitError:
            return None

    def _content(self, there: list[Part], place: str, depth: int) -> TensorRule | ModuleRule:
        if isinstance(there[0][1], Branch):
            return self._module(there, place, depth)
        instances = tuple(instance for instance, _ in there)
        sides = list(zip(*(content[0] for _, content in there), strict=True))
        origins = [tuple(content[2][at] if content[2] else None for _, content in there) for at in range(len(sides))]
        shape = tuple(self.rules.size(instances, tuple(side), place, origin) for side, origin in zip(sides, origins, strict=True))
        return TensorRule(shape, there[0][1][1])

    def _listed(self, branches: list[tuple[Instance, Branch]], pattern: str, path: str, depth: int) -> list[RuleEntry]:
        instances = tuple(instance for instance, _ in branches)
        members = [
            {number_in(name): each for name, each in branch.children.items() if pattern_of(name) == pattern} for _, branch in branches
        ]
        held = [sorted(each) for each in members]
        ends: list[Expression] = []
        known = self._behind_stages(instances, tuple(max(each, default=-1) + 1 for each in held), path, depth) or (
            self._in_turns(instances, path, depth) if pattern == NUMBER else None
        )
        if not known:
            ends = self._ends(instances, members, f"the length of {path}")
        *others, last = [known] if known else likely_lengths(self.rules, instances, held, ends, f"the length of {path}")
        for each in others:
            with suppress(UnfitError):
                return self._members(each, ends, branches, members, pattern, path, depth)
        return self._members(last, ends, branches, members, pattern, path, depth)

    def _members(
        self,
        lengths: tuple[Expression, tuple[int, ...]],
        ends: list[Expression],
        branches: list[tuple[Instance, Branch]],
        members: Sequence[Mapping[int, Any]],
        pattern: str,
        path: str,
        depth: int,
    ) -> list[RuleEntry]:
        """The entries of a list of these lengths, one for each kind of its members."""
        place = f"{path}.{pattern.replace(NUMBER, '{' + 'ijklmn'[depth % 6] + '}')}"
        count, longer = lengths
        self.rules.add_length(count, depth)
        self.rules.add_ends(ends)
        spread: list[Instance] = []
        bits: list[bool] = []
        elements: list[Part] = []
        for ((build, at), _), there_are, length in zip(branches, members, longer, strict=True):
            for number in range(length):
                spread.append((build, (*at, number)))
                bits.append(number in there_are)
                if number in there_are:
                    elements.append(((build, (*at, number)), there_are[number]))
        variants = list(dict.fromkeys(variant_of(each) for _, each in elements))
        entries = []
        for variant in variants:
            chosen = [(instance, each) for instance, each in elements if variant_of(each) == variant]
            there = {instance for instance, _ in chosen}
            first = _first(map(sorted, members)) if len(variants) == 1 else 0
            each = (">=", ("at", depth), first) if first else self.rules.condition(tuple(spread), [one in there for one in spread], place)
            entries.append(RuleEntry(pattern, self._content(chosen, place, depth + 1), True, count, each))
        if len(variants) > 1:
            raise UnfitError(place, range(len(self.candidates.observations)))
        return entries

    def _with_edges(self, branches: list[tuple[Instance, Branch]], pattern: str, path: str, depth: int) -> list[RuleEntry] | None:
        """The entries of a list that has other modules before and after those that repeat, each of them by itself; None if it has none."""
        place = f"{path}.{pattern.replace(NUMBER, '{' + 'ijklmn'[depth % 6] + '}')}"
        instances = tuple(instance for instance, _ in branches)
        members = [
            {number_in(name): each for name, each in branch.children.items() if pattern_of(name) == pattern} for _, branch in branches
        ]
        lengths = tuple(max(each, default=-1) + 1 for each in members)
        rows = [[signature_of(each[at]) if at in each else None for at in range(many)] for each, many in zip(members, lengths, strict=True)]
        before, after = edges(rows)
        if pattern == LAYERS or before + after == 0:
            return None
        try:
            count = few_at_most(self.rules, self.rules.size(instances, lengths, f"the length of {path}"), instances, lengths)
            self.rules.add_length(count, depth)
            entries = []
            for number in range(before):
                entries += self._named(pattern.replace(NUMBER, f"{number}"), instances, [each.get(number) for each in members], path, depth)
            between = [
                ((build, (*at, number)), each.get(number))
                for (build, at), each, many in zip(instances, members, lengths, strict=True)
                for number in range(before, many - after)
            ]
            there = [(instance, each) for instance, each in between if each is not None]
            if not there:
                return None
            which = self.rules.condition(tuple(instance for instance, _ in between), [each is not None for _, each in between], place)
            inside = ("and", (">=", ("at", depth), before), ("<", ("at", depth), ("-", count, after)))
            each_of = inside if which is True else ("and", *inside[1:], which)
            entries.append(RuleEntry(pattern, self._content(there, place, depth + 1), True, count, each_of))
            for left in range(after, 0, -1):
                at_end = [(build, (*at, many - left)) for (build, at), many in zip(instances, lengths, strict=True)]
                found = [(one, each[one[1][-1]]) for one, each in zip(at_end, members, strict=True) if one[1][-1] in each]
                if found:
                    this = ("==", ("at", depth), ("-", count, left))
                    entries.append(RuleEntry(pattern, self._content(found, place, depth + 1), True, count, this))
        except UnfitError:
            return None
        return entries

    def _behind_stages(
        self, instances: tuple[Instance, ...], lengths: tuple[int, ...], path: str, depth: int
    ) -> tuple[Expression, tuple[int, ...]] | None:
        """The length of a list by what follows the last of its stages, as many modules in all builds, those without tensors too; None if it
        has none.
        """
        stages = self.rules.explaining.stages_at(depth)
        if stages is None:
            return None
        observations = self.candidates.observations
        longer = tuple(
            len(kinds_of_members(path, instance, observations)) or most for instance, most in zip(instances, lengths, strict=True)
        )
        ends = values_of(stages.end, instances, [each.settings for each in observations])
        behind = {length - end for length, end in zip(longer, ends, strict=True)}
        return (added(stages.end, behind.pop()), longer) if len(behind) == 1 else None

    def _in_turns(self, instances: tuple[Instance, ...], path: str, depth: int) -> tuple[Expression, tuple[int, ...]] | None:
        """The length of a list in which modules take turns, not equally many in all builds, by how many there are to a turn; None if it is
        none.
        """
        observations, place = self.candidates.observations, f"the length of {path}"
        kinds = {instance: kinds_of_members(path, instance, observations) for instance in instances}
        known = differing_turns({instance: turn_of(each) for instance, each in kinds.items()})
        if not known:
            return None
        try:
            turn = self.rules.choice(tuple(known), tuple(known.values()), place)
            each = [evaluate(turn, observations[build].settings, at) for build, at in instances]
            lengths = tuple(len(kinds[instance]) for instance in instances)
            many, left = zip(*(divmod(length, of) for length, of in zip(lengths, each, strict=True)), strict=True)
            count = ("*", turn, self.rules.size(instances, many, place))
            rest = self.rules.size(instances, left, place)
        except (UnfitError, CannotEvaluateError):
            return None
        self.rules.add_turn(turn, max(each), depth)
        return (count if rest == 0 else ("+", count, rest)), lengths

    def _stages(self, instances: tuple[Instance, ...], path: str, depth: int) -> tuple[Stages, ...]:
        """The stages of a list that loops within loops fill; none if there are no rules for them."""
        observations = self.candidates.observations
        here = [(observations[build], numbered(path, at)) for build, at in instances]
        runs = runs_of([turns_of_members(name, build.kinds, build.turns) for build, name in here])
        place = f"the stages of {path}"
        try:
            length = partial(self.rules.add_length, depth=depth)
            return tuple(stages_of(instances, runs, depth, lambda there, many: self.rules.size(there, many, place), length))
        except UnfitError:
            return ()

    def _ends(self, instances: tuple[Instance, ...], members: Sequence[Mapping[int, Any]], place: str) -> list[Expression]:
        """Where the stages of a list end, if it has stages."""
        try:
            length_of = partial(self.rules.size_without_cases, place=place)
            return ends_of_stages(instances, members, self.rules.explaining.form, length_of)
        except UnfitError:
            return []


def _kind(kinds: Sequence[str]) -> str:
    """The class of a module in most builds; none if it is a layer of torch beside others, as where layers and norms take turns."""
    mixed = len(set(kinds)) > 1 and any(map(LAYER_OF_TORCH.fullmatch, set(kinds)))
    return "" if mixed else max(set(kinds), key=list(kinds).count)


def _first(held: Iterable[Sequence[int]]) -> int:
    """The number of the first member, if members are numbered from there without gaps wherever there are some: 1 for layer1, layer2, ..."""
    starts = {numbers[0] if [*numbers] == list(range(numbers[0], numbers[-1] + 1)) else 0 for numbers in held if numbers}
    return starts.pop() if len(starts) == 1 else 0

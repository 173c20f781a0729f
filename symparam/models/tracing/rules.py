"""Rules for sizes and for the presence of parts: expressions and conditions that hold in all builds, the simplest first."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from itertools import chain, islice, zip_longest
from typing import TypeVar

from symparam.models.traced.expressions import FAILURES, Computed, Expression, compiled, negated, parts
from symparam.models.traced.forward_pass import tells_images_apart
from symparam.models.tracing.candidates import Candidates, Instance
from symparam.models.tracing.columns import NONE, bits, equal
from symparam.models.tracing.combinations import extended
from symparam.models.tracing.combined_conditions import MOST_CASES, Combining, Outcomes, nearest
from symparam.models.tracing.effort import Effort
from symparam.models.tracing.failures import OverdueError, UnfitError
from symparam.models.tracing.indexed_sizes import indexed_sizes
from symparam.models.tracing.known_outcomes import KnownOutcomes
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.origin_rules import OriginRules
from symparam.models.tracing.rivals import rivals_of
from symparam.models.tracing.segments import first_of_a_stage
from symparam.models.tracing.stages import Stages
from symparam.models.tracing.templates import is_informative

MOST_CONDITIONS, MOST_EXPRESSIONS = 6000, 1500
MOST_INSTANCES = 160
"""Instances used at once in a search for rules; the others serve as possible counterexamples."""
ROUNDS = 6
MOST_PARTS = 6
"""The most conditions that are tried for one of two modules that may be missing."""
OF_A_SIZE, OF_A_CONDITION, OF_A_COMBINATION, OF_AN_ORIGIN = 500, 300, 8_000, 100
"""How many candidates are evaluated at each instance, about, in a search for an expression, a condition, or one that combines others."""

Item = TypeVar("Item")


class Rules:
    """Searches for rules among the expressions met in the builds, until the effort is over what is allowed."""

    def __init__(
        self, observations: Sequence[Observation], ignored: Iterable[str] = (), effort: Effort | None = None, allowed: float = math.inf
    ) -> None:
        self.effort, self.allowed = effort or Effort(), allowed
        self.candidates = Candidates(observations, ignored)
        self.explaining = OriginRules(self.candidates)
        self._sizes: dict[object, Expression] = {}
        self._conditions: dict[object, Expression] = {}
        self.known = KnownOutcomes(self.candidates)
        self._on_conditions: dict[int, list[Expression]] = {}
        self._lengths: dict[Expression, None] = {}
        self._ends: dict[Expression, None] = {}
        self._stages: dict[tuple[Expression, ...], None] = {}
        self._turns: dict[Expression, int] = {}
        self._on_numbers: dict[int, list[tuple[Expression, Computed]]] = {}
        self._outcome_of: dict[Expression, Callable[[Instance], bool | None]] = {}

    def _holding(
        self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str, find: Callable[[list[int]], Expression]
    ) -> Expression:
        """The result of ``find`` for some of the instances, extended by counterexamples until it is right in all of them."""
        distinct = set(values)
        step = -(-len(instances) // MOST_INSTANCES)
        chosen = sorted({*range(0, len(instances), step), *(map(values.index, distinct) if len(distinct) < 24 else ())})
        wrong: list[int] = []
        for _ in range(ROUNDS if len(chosen) < len(instances) else 1):
            found = find(chosen)
            computed = compiled(found)
            wrong = [at for at, instance in enumerate(instances) if not self._has(computed, instance, values[at])]
            if not wrong:
                return found
            chosen = sorted({*chosen, *wrong[:: -(-len(wrong) // 24)]})
        raise UnfitError(place, (instances[at][0] for at in wrong))

    def _has(self, computed: Computed, instance: Instance, value: int) -> bool:
        try:
            found = computed(self.candidates.observations[instance[0]].settings, instance[1])
        except FAILURES:
            return False
        return bool(found) is value if isinstance(value, bool) else _is(found, value)

    def size(
        self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str, origins: tuple[Expression, ...] = ()
    ) -> Expression:
        """The rule for a size. ``origins`` are the expressions by which the class computed it, where they are known."""
        key = (instances, values, origins)
        if key not in self._sizes:
            self._go_on(place, len(instances) * OF_AN_ORIGIN)
            found = self._explained(instances, values, origins, place) if any(map(is_informative, origins)) else None
            self._sizes[key] = found or self._holding(
                instances, values, place, lambda some: self._found_size(_of(instances, some), _of(values, some), place)
            )
            if not found and tells_images_apart(self._sizes[key]):
                raise UnfitError(place, (build for build, _ in instances))
        return self._sizes[key]

    def size_without_cases(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str) -> Expression:
        """One expression for a size, where cases would fit almost any numbers."""

        def single(some: list[int]) -> Expression:
            found = self._single(_of(instances, some), _of(values, some))
            if found is None:
                raise UnfitError(place, (build for build, _ in instances))
            return found

        return self._holding(instances, values, place, single)

    def choice(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str) -> Expression:
        """One of a few numbers that are written in the code of the class, each under a condition."""
        *others, found = dict.fromkeys(values)
        rule: Expression = found
        for value in reversed(others):
            rule = ("if", self.condition(instances, [each == value for each in values], place), value, rule)
        return rule

    def _go_on(self, place: str, evaluations: int) -> None:
        """Add the effort of so many evaluations, unless it is over."""
        if self.effort.is_over(self.allowed):
            raise OverdueError(place)
        self.effort.evaluates(evaluations)

    def _explained(
        self, instances: tuple[Instance, ...], values: tuple[int, ...], origins: tuple[Expression, ...], place: str
    ) -> Expression:
        found: Expression = None
        with suppress(UnfitError):
            found = self.explaining.size(instances, values, origins, lambda there, bits: self.condition(there, bits, place))
        return self.explaining.common(instances, values, origins) if found is None else found

    def _found_size(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str, depth_of_cases: int = 0) -> Expression:
        self._go_on(place, (MOST_INSTANCES // 2 + len(instances)) * OF_A_SIZE)
        found = self._single(instances, values, of_three=not depth_of_cases)  # Within a case, three would fit by chance.
        if found is not None:
            return found
        masks = self._value_masks(instances, values, len(instances[0][1]))
        everything = (1 << len(instances)) - 1
        distinct = sorted(masks, key=lambda pair: -pair[0].bit_count())[:40]
        if not depth_of_cases and (both := self._of_two_parts(instances, values, place)) is not None:
            return both
        halves: list[tuple[bool, int, Expression, Expression]] = []
        guessed = {*self.candidates.comparisons, *self.candidates.turns(len(instances[0][1]))}  # The class was not seen to test these.
        for mask, condition in self.known.masks(instances, self._conditions_on_numbers(len(instances[0][1]))):
            one = self._covering(mask, masks)
            other = self._covering(everything ^ mask, masks)
            if one is not None and other is not None:
                refined = self._refined(mask, one, instances, values), self._refined(everything ^ mask, other, instances, values)
                return ("if", condition, *refined)
            if one is not None:
                halves.append((condition in guessed, mask, condition, one))
            elif other is not None:
                halves.append((condition in guessed, everything ^ mask, negated(condition), other))
        for _, mask, condition, one in sorted(halves, key=lambda half: (half[0], -half[1].bit_count()))[
            : (20, 6)[depth_of_cases] if depth_of_cases < MOST_CASES else 0
        ]:
            rest = [at for at in range(len(instances)) if not mask >> at & 1]
            try:
                other = self._found_size(_of(instances, rest), _of(values, rest), place, depth_of_cases + 1)
                return ("if", condition, self._refined(mask, one, instances, values), other)
            except UnfitError:
                continue
        right = distinct[0][0] if distinct else 0
        raise UnfitError(place, (build for at, (build, _) in enumerate(instances) if not right >> at & 1))

    def _of_two_parts(self, instances: tuple[Instance, ...], values: tuple[int, ...], place: str) -> Expression:
        """The length of a list with two modules each of which may be missing, so that neither leaves one length; None if it is none."""
        least = min(values)
        if {*values} != {least, least + 1, least + 2}:
            return None
        tried = 0
        for mask, condition in self.known.masks(instances, self._conditions_on_numbers(len(instances[0][1]))):
            without = [value - bool(mask >> at & 1) for at, value in enumerate(values)]
            if min(without) == least and max(without) == least + 1 and tried < MOST_PARTS:
                tried += 1
                with suppress(UnfitError):
                    other = self._found_condition(instances, bits([each > least for each in without]), place)
                    return ("+", ("if", condition, least + 1, least), ("if", other, 1, 0))
        return None

    @staticmethod
    def _covering(mask: int, masks: list[tuple[int, Expression]]) -> Expression | None:
        """An expression with the right values where the mask has bits."""
        return next((expression for right, expression in masks if right & mask == mask), None)

    def _refined(self, mask: int, found: Expression, instances: tuple[Instance, ...], values: tuple[int, ...]) -> Expression:
        """The simplest expression that is right where the mask has bits, combined with others that may be meant."""
        chosen = [at for at in range(len(instances)) if mask >> at & 1]
        if not isinstance(found, tuple):
            better = self._single(_of(instances, chosen), _of(values, chosen), of_three=False)
            return found if better is None else better
        by_build = {instances[at][0]: values[at] for at in chosen}
        if any(by_build[instances[at][0]] != values[at] for at in chosen):
            return found
        return self.candidates.doubted(found, tuple(by_build.values()), tuple(by_build))

    def _single(self, instances: tuple[Instance, ...], values: tuple[int, ...], of_three: bool = True) -> Expression | None:
        """One expression with these values, without a condition."""
        by_build: dict[int, int] = {}
        constant = all(by_build.setdefault(build, value) == value for (build, _), value in zip(instances, values, strict=True))
        if constant:
            builds = tuple(by_build)
            row = tuple(by_build.values())
            found = row[0] if len(set(row)) == 1 else self.candidates.lookup(builds).get(row)
            return self.candidates.doubted(found, row, builds) if found is not None else extended(row, builds, self.candidates, of_three)
        for expression, computed in self._dependent(len(instances[0][1])):
            if self.equals(computed, instances, values):
                return expression
        return None

    def _dependent(self, depth: int) -> list[tuple[Expression, Computed]]:
        """Expressions that depend on the numbers of the enclosing lists."""
        if depth not in self._on_numbers:
            self._on_numbers[depth] = [(each, compiled(each)) for each in dict.fromkeys(indexed_sizes(self.candidates, depth))]
        return self._on_numbers[depth]

    def equals(self, computed: Computed, instances: tuple[Instance, ...], values: tuple[int, ...]) -> bool:
        """Whether what is computed in each of the instances is this value."""
        observations = self.candidates.observations
        try:
            return all(_is(computed(observations[build].settings, at), value) for (build, at), value in zip(instances, values, strict=True))
        except FAILURES:
            return False

    def _value_masks(self, instances: tuple[Instance, ...], values: tuple[int, ...], depth: int) -> list[tuple[int, Expression]]:
        """Each expression with a bit mask of the instances where it has the right value."""
        found: dict[int, Expression] = {}
        for value in dict.fromkeys(values):
            found.setdefault(bits([each == value for each in values]), value)
        builds = [build for build, _ in instances]
        for expression, row in self._different:
            mask = bits(equal([row[build] for build in builds], values))
            if mask and (mask not in found or not isinstance(found[mask], tuple)):
                found[mask] = expression
        if depth and len(instances) < 250:
            columns = self.known.columns(instances)
            for expression, _ in self._dependent(depth)[:300]:
                if mask := bits(equal(columns.of(expression), values)):
                    found.setdefault(mask, expression)
        return list(found.items())

    @cached_property
    def _different(self) -> list[tuple[Expression, Sequence[object]]]:
        """The first expression with each row of values, of the simplest ones."""
        rows = ((each, self.candidates.row(each)) for each in self.candidates.plain[:MOST_EXPRESSIONS])
        found = {(*row, *map(type, row)): (each, row) for each, row in reversed([*rows])}  # 32.0 equals 32, and is no size.
        return list(reversed(found.values()))

    def condition(self, instances: tuple[Instance, ...], there: list[bool], place: str) -> Expression:
        if all(there):
            return True
        key = (instances, tuple(there))
        if key not in self._conditions:
            self._conditions[key] = self._holding(
                instances, tuple(there), place, lambda some: self._found_condition(_of(instances, some), bits(_of(there, some)), place)
            )
        return self._conditions[key]

    def _found_condition(self, instances: tuple[Instance, ...], wanted: int, place: str) -> Expression:
        self._go_on(place, len(instances) * OF_A_CONDITION)
        compared = {*self.candidates.comparisons}
        found = self._exactly(instances, wanted)
        if found is not None and compared.isdisjoint((found, negated(found))):
            return found
        likely = self._combined(instances, wanted, place, compared)
        if found is not None:  # Neither comparisons that the class did not make nor combinations are any better than the others.
            return found if likely is None else ("agreed", likely, found)
        found = self._combined(instances, wanted, place) if likely is None else likely
        if found is None:
            masks = self.known.masks(instances, self._conditions_on_numbers(len(instances[0][1])))
            missed = nearest(masks, wanted, (1 << len(instances)) - 1, self.candidates.periods(len(instances[0][1])))
            raise UnfitError(place, (build for at, (build, _) in enumerate(instances) if missed >> at & 1))
        turns = [(each, bool(wanted >> at & 1)) for at, each in enumerate(instances)]
        return self._doubted(found, turns, rivals_of(found, len(instances[0][1]), self.candidates))

    def _combined(self, instances: tuple[Instance, ...], wanted: int, place: str, without: Collection[Expression] = ()) -> Expression:
        """A combination of conditions, ``without`` some that fit by chance; None if there is none."""
        self._go_on(place, len(instances) * OF_A_COMBINATION)
        depth, candidates = len(instances[0][1]), self.candidates
        periods = candidates.periods(depth)  # Combined with others, these fit almost anything.

        def outcomes() -> list[Outcomes]:
            return [each for each in self.known.all(instances, self._conditions_on_numbers(depth)) if each.condition not in without]

        def doubted(condition: Expression, meant: Expression, cared: int) -> Expression:
            turns = [(each, bool(wanted >> at & 1)) for at, each in enumerate(instances) if cared >> at & 1]
            return self._doubted(meant, turns, candidates.literals(depth)) if condition in periods else meant

        masks = [each for each in self.known.masks(instances, self._conditions_on_numbers(depth)) if each[1] not in without]
        return Combining(outcomes, periods, doubted).found(masks, wanted, (1 << len(instances)) - 1)

    def _exactly(self, instances: tuple[Instance, ...], wanted: int) -> Expression:
        """The likeliest condition that, itself or negated, has these outcomes; None if there is none. Most candidates fail on one of the
        first two instances.
        """
        depth = len(instances[0][1])
        outcomes = [(instance, bool(wanted >> at & 1)) for at, instance in enumerate(instances)]
        one, other = ([each for each in outcomes if each[1] is outcome] for outcome in (True, False))
        turns = [each for both in zip_longest(one, other) for each in both if each is not None]
        candidates = self.candidates
        for condition in chain(candidates.conditions, self._conditions_on_numbers(depth), candidates.comparisons):
            outcome_of = self._outcomes(condition)
            outcome = outcome_of(turns[0][0])
            if outcome is None:
                continue
            same = outcome is turns[0][1]
            if all(outcome_of(instance) is (bit if same else not bit) for instance, bit in turns[1:]):
                found = condition if same else negated(condition)
                return self._doubted(found, turns, rivals_of(found, depth, candidates))
        return None

    def _doubted(self, found: Expression, turns: Sequence[tuple[Instance, bool]], rivals: Iterable[Expression]) -> Expression:
        """A condition, combined with a rival that has the same outcomes, if any."""
        for rival in rivals:
            outcome_of = self._outcomes(rival)
            if all(outcome_of(instance) is bit for instance, bit in turns):
                return ("agreed", found, rival)
        return found

    def _outcomes(self, condition: Expression) -> Callable[[Instance], bool | None]:
        """A function that evaluates the condition for an instance; it returns None if the condition has no value."""
        if condition not in self._outcome_of:
            observations, candidates = self.candidates.observations, self.candidates
            computed = compiled(condition)

            def dependent(instance: Instance) -> bool | None:
                try:
                    return bool(computed(observations[instance[0]].settings, instance[1]))
                except FAILURES:
                    return None

            def plain(instance: Instance) -> bool | None:
                value = candidates.value(condition, instance[0])
                return None if value is NONE else bool(value)

            on_numbers = any(isinstance(each, tuple) and each[0] == "at" for each in parts(condition))
            self._outcome_of[condition] = dependent if on_numbers else plain
        return self._outcome_of[condition]

    @contextmanager
    def in_stages(self, found: Sequence[Stages]) -> Iterator[None]:
        """While the context lasts, the modules of a list are those of these stages."""
        before = self.explaining.stages
        self._take_stages((*before, *found))
        try:
            yield
        finally:
            self._take_stages(before)

    def _take_stages(self, stages: tuple[Stages, ...]) -> None:
        if stages != self.explaining.stages:
            self.explaining.take_stages(stages)
            self._on_conditions.clear()
            self.known.forget()

    def add_length(self, count: Expression, depth: int) -> None:
        """Note the length of a list within so many others, whose last entry may be of another kind."""
        self.explaining.lengths = (*self.explaining.lengths[:depth], count)
        if isinstance(count, tuple) and count[0] != "key" and count not in self._lengths:
            self._lengths[count] = None
            self._on_conditions.clear()
            self.known.forget(masks=False)

    def add_turn(self, turn: Expression, most: int, depth: int) -> None:
        """Note how many modules take turns in the list within so many others."""
        at = ("at", depth)
        self._turns |= dict.fromkeys((("==", ("%", at, turn), rest) for rest in range(most)), depth)
        self.explaining.add_turn(turn)
        self._on_conditions.clear()
        self.known.forget()

    def add_ends(self, ends: Iterable[Expression]) -> None:
        """Note the numbers at which the stages of a list end."""
        ends = tuple(ends)
        self._ends |= dict.fromkeys(ends)
        self._stages |= {ends: None} if len(ends) > 1 else {}
        self._on_conditions.clear()
        self.known.forget()

    def _conditions_on_numbers(self, depth: int) -> Sequence[Expression]:
        if depth not in self._on_conditions:
            found = [*self.candidates.conditions_on_numbers(depth, self._lengths, self._ends)] if depth else []
            there = (each for each in reversed(self.explaining.stages) if each.depth < depth)
            chance = self.candidates.turns(depth) | self.candidates.periods(depth)
            likely = [each for each in found if each not in chance] if self.explaining.stages else []
            staged = (condition for each in there for condition in each.conditions(likely))
            turns = (each for each, place in self._turns.items() if place < depth)
            firsts = (first_of_a_stage(("at", place), ends) for ends in self._stages for place in range(depth - 1, -1, -1))
            self._on_conditions[depth] = list(islice(chain(staged, turns, firsts, found), MOST_CONDITIONS))
        return self._on_conditions[depth]


def _is(found: object, value: int) -> bool:
    """Whether the found value is this integer; 32.0 is not the size of a tensor."""
    return found == value and not isinstance(found, float)


def _of(values: Sequence[Item], chosen: list[int]) -> tuple[Item, ...]:
    return tuple(values[at] for at in chosen)

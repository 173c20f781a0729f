"""Rules for sizes from the expressions that the class itself computed them by, in every build and at every number of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from symparam.models.traced.expressions import FAILURES, Expression, Settings, compiled, keys_of
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.tracing.candidates import Candidates, Instance
from symparam.models.tracing.columns import NONE
from symparam.models.tracing.failures import UnfitError
from symparam.models.tracing.folds import folded
from symparam.models.tracing.stages import Stages, values_of
from symparam.models.tracing.templates import instantiated, is_informative, normal_form, power_of_two, template_of

MOST_FORMS = 6
"""The most forms of an expression at one place, such as one for the first module of a list and one for all others."""
MOST_ALIKE = 8
"""The most sets of numbers in one form, each under a condition of its own."""
MOST_COUNTS = 16
MOST_CASES = 2
"""The most nested distinctions between two cases of a number."""
LEAST_BUILDS = 4
"""The fewest builds that must show each case."""
MOST_STEPPED = 8
"""Groups of instances whose steps are kept, as they are large."""
LEAST_PERIODS = 3
"""The fewest periods that must have been seen before a list is taken to be periodic."""

Conditioned = Callable[[tuple[Instance, ...], list[bool]], Expression]
"""A function that finds the condition with these outcomes. It raises `UnfitError`."""


class OriginRules:
    """Finds what the expressions of one place have in common. ``lengths`` are those of the lists around it, from the outside in, ``turns``
    how many modules take turns in such lists.
    """

    def __init__(self, candidates: Candidates) -> None:
        self.candidates = candidates
        self.lengths: tuple[Expression, ...] = ()
        self.turns: dict[Expression, None] = {}
        self.stages: tuple[Stages, ...] = ()
        self._forms: dict[Expression, tuple[Expression, tuple[int, ...]]] = {}
        self._stepped: dict[tuple[Instance, ...], list[tuple[Expression, list[int]]]] = {}

    @property
    def _settings(self) -> Sequence[Settings]:
        return [each.settings for each in self.candidates.observations]

    def add_turn(self, turn: Expression) -> None:
        """Note how many modules take turns in a list."""
        self.turns[turn] = None
        self._stepped.clear()

    def take_stages(self, stages: tuple[Stages, ...]) -> None:
        """Note the stages of the enclosing lists."""
        self.stages = stages
        self._stepped.clear()

    def stages_at(self, depth: int) -> Stages | None:
        """The last stages of the list at this depth."""
        return next((each for each in reversed(self.stages) if each.depth == depth), None)

    def size(
        self, instances: Sequence[Instance], values: Sequence[int], origins: Sequence[Expression], condition: Conditioned
    ) -> Expression:
        """The rule for a size by the expressions that the class computed it by; None if they do not tell. Where one is not known, as that
        of a side of 1 that stays 1, the rule of the others has to give the right value.
        """
        if None in origins:
            wanted = list(zip(instances, values, strict=True))
            known = [at for at, origin in enumerate(origins) if origin is not None]
            there, sizes = zip(*(wanted[at] for at in known), strict=True)
            rule = self.size(there, sizes, [origins[at] for at in known], condition)
            return rule if self._right(rule, wanted) else None
        forms = {*map(self._form, origins)}
        of_run = any(not INPUTS.keys().isdisjoint(keys_of(each)) for each in origins)  # Sides of images were held at one size by folds.
        if len(forms) > 1 and not of_run:
            repeated = folded(origins)
            if len({*map(self._form, repeated)}) < len(forms):
                with suppress(UnfitError):
                    if (rule := self._of_forms(instances, values, repeated, condition)) is not None:
                        return rule
        return self._of_forms(instances, values, origins, condition)

    def _of_forms(
        self, instances: Sequence[Instance], values: Sequence[int], origins: Sequence[Expression], condition: Conditioned
    ) -> Expression:
        literals = {origin for origin in origins if not is_informative(origin)}
        if len(literals) > (1 if any(map(is_informative, origins)) else 0) or not all(isinstance(each, int) for each in literals):
            return None
        groups: dict[Expression, list[tuple[int, tuple[int, ...]]]] = {}
        for at, origin in enumerate(origins):
            form, holes = self.form(origin)
            groups.setdefault(form, []).append((at, holes))
            if len(groups) > MOST_FORMS:
                return None
        found: list[tuple[set[int], Expression]] = []
        for form, members in groups.items():
            if not self._add(found, form, members, instances, values):
                return None
        found.sort(key=lambda pair: len(pair[0]))
        left = list(range(len(instances)))
        cases: list[tuple[Expression, Expression]] = []
        for members_of, rule in found[:-1]:
            there = tuple(instances[at] for at in left)
            cases.append((condition(there, [at in members_of for at in left]), rule))
            left = [at for at in left if at not in members_of]
        result = found[-1][1]
        for case, rule in reversed(cases):
            result = ("if", case, rule, result)
        return result

    def common(self, instances: Sequence[Instance], values: Sequence[int], origins: Sequence[Expression]) -> Expression:
        """The expression by which the class computed a size in most builds, if it is right in all: where the others have the constant that
        bounds it, no condition tells which. None if there is no such expression.
        """
        groups: dict[Expression, list[tuple[int, tuple[int, ...]]]] = {}
        for at, origin in enumerate(origins):
            if is_informative(origin):
                form, holes = self.form(origin)
                groups.setdefault(form, []).append((at, holes))
        wanted = list(zip(instances, values, strict=True))
        for form, members in sorted(groups.items(), key=lambda pair: -len(pair[1]))[:MOST_FORMS]:
            rule = self._filled(form, [instances[at] for at, _ in members], [holes for _, holes in members])
            if rule is not None and self._right(rule, wanted):
                return rule
        return None

    def _add(
        self,
        found: list[tuple[set[int], Expression]],
        form: Expression,
        members: list[tuple[int, tuple[int, ...]]],
        instances: Sequence[Instance],
        values: Sequence[int],
    ) -> bool:
        """Add the rule for one form, or one for each set of numbers in it, and return whether there are any."""
        rule = self._filled(form, [instances[at] for at, _ in members], [holes for _, holes in members])
        if rule is not None:
            found.append(({at for at, _ in members}, rule))
            return self._right(rule, [(instances[at], values[at]) for at, _ in members])
        alike = dict.fromkeys(holes for _, holes in members)
        if len(alike) > MOST_ALIKE:
            return False
        for holes in alike:
            found.append(({at for at, each in members if each == holes}, instantiated(form, list(holes))))
        return True

    def form(self, origin: Expression) -> tuple[Expression, tuple[int, ...]]:
        """The form of an expression and the whole numbers in it."""
        if origin not in self._forms:
            holes: list[int] = []
            form = template_of(normal_form(origin, self.candidates.is_whole), holes)
            self._forms[origin] = form, tuple(holes)
        return self._forms[origin]

    def _form(self, origin: Expression) -> Expression:
        return self.form(origin)[0]

    def _filled(self, form: Expression, instances: list[Instance], holes: list[tuple[int, ...]]) -> Expression:
        numbers: list[Expression] = []
        for column in zip(*holes, strict=True):
            number = self._number_by_cases(instances, column)
            if number is None:
                return None
            numbers.append(number)
        return instantiated(form, numbers)

    def _right(self, rule: Expression, wanted: Sequence[tuple[Instance, int]]) -> bool:
        computed, observations = compiled(rule), self.candidates.observations
        try:
            return all(computed(observations[build].settings, at) == value for (build, at), value in wanted)
        except FAILURES:
            return False

    def _number_by_cases(self, instances: Sequence[Instance], values: Sequence[int]) -> Expression:
        """A whole number, or two in two cases: at the first or last number of a list and at the others, with a flag and without it. One
        distinction goes before two, which may fit by chance.
        """
        numbers = (self._number_in_cases(instances, values, most) for most in range(MOST_CASES + 1))
        return next((found for found in numbers if found is not None), None)

    def _number_in_cases(self, instances: Sequence[Instance], values: Sequence[int], most: int) -> Expression:
        found = self.number(instances, values)
        if found is not None or not most:
            return found
        for condition, bits in self._cases(instances):
            both: list[Expression] = []
            for case in (True, False):
                there = [at for at, bit in enumerate(bits) if bit is case]
                if len({instances[at][0] for at in there}) < LEAST_BUILDS:
                    break
                number = self._number_in_cases([instances[at] for at in there], [values[at] for at in there], most - 1)
                if number is None:
                    break
                both.append(number)
            if len(both) == 2:
                return ("if", condition, *both)
        return None

    def _cases(self, instances: Sequence[Instance]) -> Iterator[tuple[Expression, list[bool]]]:
        for place in range(len(instances[0][1]) - 1, -1, -1):
            yield ("==", ("at", place), 0), [numbers[place] == 0 for _, numbers in instances]
        for place, length in reversed([*enumerate(self.lengths[: len(instances[0][1])])]):
            last = ("==", ("+", ("at", place), 1), length)
            computed = compiled(last)
            with suppress(*FAILURES):
                yield last, [bool(computed(self.candidates.observations[build].settings, numbers)) for build, numbers in instances]
        for stages in self.stages if instances[0][1] else ():
            for case in stages.cases:
                with suppress(*FAILURES):  # A list of numbers is not one to be compared with.
                    yield case, [bool(each) for each in values_of(case, instances, self._settings)]
        for path in self.candidates.flags:
            values = [self.candidates.observations[build].settings.get(path) for build, _ in instances]
            if all(isinstance(each, bool) for each in values):
                yield ("key", path), [bool(each) for each in values]
        for path, word in self.candidates.words():
            yield ("==", ("key", path), word), [self.candidates.observations[build].settings.get(path) == word for build, _ in instances]

    def number(self, instances: Sequence[Instance], values: Sequence[int]) -> Expression:
        """A whole number that depends on the numbers of the enclosing lists: an offset, an index from either end of a list, values in
        turns, or a power of two. None if it is none of these.
        """
        if len(set(values)) == 1:
            return values[0]
        found = self._of_build(instances, values)
        if found is not None:
            return found
        again = _again(instances, values)
        for step, steps in self._steps(instances):
            for sign in (1, -1):
                if any(values[at] - values[other] != sign * (steps[at] - steps[other]) for at, other in again):
                    continue  # The rest of a build has to be the same at all of its numbers.
                rest = self._of_build(instances, [value - sign * each for value, each in zip(values, steps, strict=True)])
                if rest is not None:
                    return step if (sign, rest) == (1, 0) else (_shifted(step, rest) if sign == 1 else ("-", rest, step))
            if all(steps) and (rest := self._ratio(instances, values, steps)) is not None:
                return ("*", rest, step)
        exponents = [power_of_two(value) for value in values]
        if any(exponents) and all(each is not None for each in exponents):
            exponent = self.number(instances, [each or 0 for each in exponents])
            return None if exponent is None else ("**", 2, exponent)
        return None

    def _ratio(self, instances: Sequence[Instance], values: Sequence[int], steps: Sequence[int]) -> Expression:
        if any(value % each for value, each in zip(values, steps, strict=True)):
            return None
        return self._of_build(instances, [value // each for value, each in zip(values, steps, strict=True)])

    def _of_build(self, instances: Sequence[Instance], values: Sequence[int]) -> Expression:
        """A literal or an expression over settings with these values; None if there is none, or if they differ within a build."""
        by_build: dict[int, int] = {}
        for (build, _), value in zip(instances, values, strict=True):
            if by_build.setdefault(build, value) != value:
                return None
        row = tuple(by_build.values())
        if len(set(row)) == 1:
            return row[0]
        known = self.candidates.lookup(tuple(by_build))
        for more in (0, 1, -1, 2, -2):
            found = known.get(tuple(value - more for value in row))
            if found is not None:
                return _shifted(found, more) if more else found
        return None

    def _steps(self, instances: Sequence[Instance]) -> Sequence[tuple[Expression, list[int]]]:
        """The numbers of the lists, whole, divided by a literal or a setting, or their remainders, with their values; those of the last few
        instances are kept, as many sizes are sought at the same ones.
        """
        key = tuple(instances)
        if key not in self._stepped:
            if len(self._stepped) >= MOST_STEPPED:
                del self._stepped[next(iter(self._stepped))]
            self._stepped[key] = list(self._computed_steps(instances))
        return self._stepped[key]

    def _computed_steps(self, instances: Sequence[Instance]) -> Iterator[tuple[Expression, list[int]]]:
        depth = len(instances[0][1])
        for place in range(depth - 1, -1, -1):
            at = ("at", place)
            there = [numbers[place] for _, numbers in instances]
            yield at, there
            for stages in self.stages:
                if stages.depth == place:
                    yield from ((each, values_of(each, instances, self._settings)) for each in (stages.stage, stages.number))
            for divisor, divisors in self._divisors(instances):
                for more in (0, 1, 2, -1):
                    shifted = [each + more for each in there]
                    inner = _shifted(at, more) if more else at
                    quotients = [each // by for each, by in zip(shifted, divisors, strict=True)]
                    if len(set(quotients)) >= LEAST_PERIODS:  # Fewer would fit by chance.
                        yield ("//", inner, divisor), quotients
                        yield ("%", inner, divisor), [each % by for each, by in zip(shifted, divisors, strict=True)]

    def _divisors(self, instances: Sequence[Instance]) -> Iterator[tuple[Expression, list[int]]]:
        for literal in (2, 3, 4, 5, 6):
            yield literal, [literal] * len(instances)
        for count in (*self.turns, *self.candidates.counts[:MOST_COUNTS]):
            row = self.candidates.row(count)
            values: list[Any] = [row[build] for build, _ in instances]
            for more in (0, 1):
                if all(isinstance(each, int) and each is not NONE and each + more > 0 for each in values):
                    yield (_shifted(count, more) if more else count), [each + more for each in values]


def _again(instances: Sequence[Instance], values: Sequence[int]) -> list[tuple[int, int]]:
    """The first instance of each build with each other one, those first that have another value."""
    first: dict[int, int] = {}
    pairs = [(first.setdefault(build, at), at) for at, (build, _) in enumerate(instances)]
    return sorted((pair for pair in pairs if pair[0] != pair[1]), key=lambda pair: values[pair[0]] == values[pair[1]])


def _shifted(found: Expression, by: Expression) -> Expression:
    if isinstance(by, int) and by < 0:
        return ("-", found, -by)
    return ("+", found, by)

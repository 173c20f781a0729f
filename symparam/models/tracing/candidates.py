"""Expressions and conditions that may explain the observations, the simplest first, with their values in each build."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain, combinations
from typing import Any

from symparam.models.traced.expressions import Expression, keys_of, negated, parts, replaced, size_of
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.traced.rows import COLUMN
from symparam.models.tracing.columns import NONE, SettingColumns
from symparam.models.tracing.config_reads import unread
from symparam.models.tracing.loop_variables import has_loops, last_item, loops_over_items, placing, shifting, with_literals, within
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.repetitions import repetitions
from symparam.models.tracing.sampling import TOKEN
from symparam.models.tracing.suggested_values import ANY_OTHER_WORD

Instance = tuple[int, tuple[int, ...]]
"""A build by its number, with the numbers within the enclosing lists."""

MOST_PLAIN, MOST_LOOPED = 4000, 1500
MOST_RIVALS = 6
MOST_ITEMS = 12
FARTHEST_FROM_END = 4
"""How far from the end of a list a module may be told by this: behind the layers of a Sequential come a norm, a pooling and a head."""


class Candidates:
    """All expressions met in these builds, separated by whether they depend on a loop variable, with their values."""

    def __init__(self, observations: Sequence[Observation], ignored: Iterable[str] = ()) -> None:
        self.observations = observations
        self.ignored = frozenset(ignored)
        self._columns = SettingColumns([each.settings for each in observations], [()] * len(observations))
        self._values: dict[Expression, Sequence[object]] = {}
        self._periods: dict[int, frozenset[Expression]] = {}
        self._is_whole: dict[str, bool] = {}
        self._lookups: dict[tuple[int, ...], dict[tuple[object, ...], Expression]] = {}
        plain: dict[Expression, None] = {}
        looped: dict[Expression, None] = {}
        settings = [each.settings for each in observations]
        self.keys = sorted({path for each in settings for path in each} - self.ignored - _unread(observations, bool(self.ignored)))
        self.whole = [path for path in self.keys if self._of(path, int)]
        self.flags = [path for path in self.keys if any(isinstance(each.get(path), bool) for each in settings)]
        self.nulls = [path for path in self.keys if self._differ(each.get(path, NONE) is None for each in settings)]
        self.texts = [path for path in self.keys if any(isinstance(each.get(path), str) for each in settings)]
        self.lists = [path for path in self.keys if any(isinstance(each.get(path), list) and each[path] for each in settings)]
        for path in self.whole:
            plain[("key", path)] = None
        for path in self.lists:
            shortest = min((len(each[path]) for each in settings if isinstance(each.get(path), list)), default=0)
            plain[("len", ("key", path))] = None
            if self._numbers(path):
                plain |= {("item", ("key", path), at): None for at in range(min(shortest, MOST_ITEMS))}
                plain[("item", ("key", path), -1)] = None
                plain[("sum", ("key", path))] = None
        asked: dict[Expression, None] = {}
        for found in dict.fromkeys(found for each in observations for found in each.met):
            if not self._is_always_so(("truth", found)):
                self._sort(found, plain, looped)
        for found in dict.fromkeys(found for each in observations for found in each.asked):
            if not self._is_always_so(found):
                self._sort(found, asked, asked)
        plain |= dict.fromkeys(each for each in repetitions(asked) if not has_loops(each))
        self.used = {path for found in (*plain, *asked) if found[0] != "key" for path in keys_of(found)}
        small = [path for path in self.whole if self._small(path) and path not in INPUTS]
        self.counts: list[Expression] = [("key", path) for path in small][:6] + [("len", ("key", path)) for path in self.lists][:4]
        for path in self.whole[:60]:
            plain |= {("*", ("key", path), ("**", 2, count)): None for count in self.counts}
            plain |= {("*", ("key", path), ("**", 2, ("-", count, 1))): None for count in self.counts}
        self.plain = sorted(plain, key=_order)[:MOST_PLAIN]
        self.looped = sorted(looped, key=_order)[:MOST_LOOPED]
        self.asked = sorted((each for each in asked if not has_loops(each)), key=_order)
        self.sought = list(dict.fromkeys(pair for each in asked for pair in _sought_in(each)))
        self.powers = list(dict.fromkeys(listed for each in asked for listed in _powers_in(each)))
        of_items = loops_over_items(asked)
        first = self._asked_at_first() | {each for each, numbers in of_items.items() if numbers == {0}}
        again = {each for each, numbers in of_items.items() if len(numbers) > 1}
        self.asked_at_first = sorted(first, key=_order)
        self.asked_in_loops = sorted(
            (each for each in {**asked, **dict.fromkeys(again)} if has_loops(each) and each not in first), key=_order
        )

    def _is_always_so(self, asked: Expression) -> bool:
        """Whether it asks for the remainder of a division by 1, as a convolution of one group does."""
        remainders = (each for each in asked[1:] if isinstance(each, tuple) and each[0] == "%" and each[2] == 1)
        return any(all(map(self.is_whole, keys_of(each))) for each in remainders)

    def is_whole(self, path: str) -> bool:
        """Whether a setting, or each item of one that is a list, is an integer in every build."""
        if path not in self._is_whole:
            self._is_whole[path] = self._has_integers(path)
        return self._is_whole[path]

    def _has_integers(self, path: str) -> bool:
        values = [each.settings.get(path) for each in self.observations]
        items = [one for each in values for one in (each if isinstance(each, list) else [each])]
        return all(isinstance(each, int) and not isinstance(each, bool) for each in items if each is not None)

    @staticmethod
    def _differ(values: Iterable[object]) -> bool:
        return len(set(values)) > 1

    def _of(self, path: str, kind: type) -> bool:
        return any(isinstance(each.settings.get(path), kind) and not isinstance(each.settings[path], bool) for each in self.observations)

    def _small(self, path: str) -> bool:
        """Whether the setting may be a number of doublings."""
        values = {each.settings.get(path) for each in self.observations if not isinstance(each.settings.get(path), (list, dict))}
        return len(values) > 1 and all(isinstance(each, int) and not isinstance(each, bool) and 0 <= each <= 12 for each in values)

    def _numbers(self, path: str) -> bool:
        values = [each.settings.get(path) for each in self.observations]
        return all(all(isinstance(one, int) and not isinstance(one, bool) for one in each) for each in values if isinstance(each, list))

    def _sort(self, found: Expression, plain: dict[Expression, None], looped: dict[Expression, None]) -> None:
        if keys_of(found) & self.ignored:
            return
        loops = sorted({each[1] for each in parts(found) if isinstance(each, tuple) and each[0] == "loop"})
        if not loops:
            if keys_of(found):
                plain[found] = None
            return
        literal = replaced(found, lambda each: each[2] if each[0] == "loop" else None)
        if keys_of(literal):
            plain[literal] = None
        if (last := replaced(found, last_item)) != found and not has_loops(last):
            plain[last] = None  # The value that a loop variable has after a loop over a list.
        for outer in range(max(0, len(loops) - 2), len(loops)):  # Modules of an outer loop may be no list, so that it has a literal number.
            inner = replaced(found, with_literals(loops[:outer])) if outer else found
            looped[replaced(inner, within(inner, loops[outer:]))] = None

    def _asked_at_first(self) -> set[Expression]:
        """The comparisons that the class makes in the first iteration of a loop and in no other."""
        asked: dict[Expression, set[int]] = {}
        for found in dict.fromkeys(found for each in self.observations for found in each.asked):
            loops = {each for each in parts(found) if isinstance(each, tuple) and each[0] == "loop"}
            if len(loops) == 1 and not keys_of(found) & self.ignored:
                ((_, _, number),) = loops
                asked.setdefault(replaced(found, lambda each: ("loop", 0, 0) if each[0] == "loop" else None), set()).add(number)
        return {each for each, numbers in asked.items() if numbers == {0}}

    def value(self, expression: Expression, build: int) -> Any:
        """The value of a loop-free expression in a build, or ``NONE``."""
        return self.row(expression)[build]

    def lookup(self, builds: tuple[int, ...]) -> dict[tuple[Any, ...], Expression]:
        """The simplest expression for each row of values in these builds."""
        if builds not in self._lookups:
            found: dict[tuple[object, ...], Expression] = {}
            for expression in self.plain:
                values = self.row(expression)
                row = tuple([values[build] for build in builds])
                if not any(each is NONE or isinstance(each, (list, str, float)) for each in row):
                    found.setdefault(row, expression)
            self._lookups[builds] = found
        return self._lookups[builds]

    def doubted(self, found: Expression, row: tuple[object, ...], builds: tuple[int, ...]) -> Expression:
        """The expression, combined with the settings that have the same values in these builds but other values elsewhere."""
        own = self.row(found)
        rivals: dict[tuple[Any, ...], Expression] = {}
        for path in self.whole:
            settings = (self.observations[build].settings.get(path) for build in builds)
            if TOKEN.search(path) is None and all(one == value for one, value in zip(settings, row, strict=True)):
                other = self.row(("key", path))
                if any(one is not NONE and two is not NONE and one != two for one, two in zip(own, other, strict=True)):
                    rivals.setdefault(tuple(other), ("key", path))
        return ("agreed", found, *list(rivals.values())[:MOST_RIVALS]) if rivals else found

    def row(self, expression: Expression) -> Sequence[object]:
        """The values of a loop-free expression in all builds, ``NONE`` where it has none."""
        if not isinstance(expression, tuple):
            return (expression,) * len(self.observations)
        values = self._values.get(expression)
        if values is None:
            values = [tuple(each) if isinstance(each, list) else each for each in self._columns.of(expression)]
            self._values[expression] = values
        return values

    def without(self, path: str, row: Sequence[object], builds: Sequence[int]) -> Expression:
        """The simplest expression with these values in these builds that does not depend on the setting, nor on another column of the same
        rows; None if there is none.
        """
        own = path.partition(COLUMN)[0]
        return next(
            (
                each
                for each in self.plain
                if all(self.value(each, build) == value for build, value in zip(builds, row, strict=True))
                and not any(other.partition(COLUMN)[0] == own for other in keys_of(each))
            ),
            None,
        )

    def placed(self, expressions: Iterable[Expression], depth: int) -> Iterable[Expression]:
        """Expressions with loops, with each loop identified with one of the enclosing lists."""
        for expression in expressions:
            two = any(isinstance(each, tuple) and each[0] == "loop" and each[1] == 1 for each in parts(expression))
            for first in range(depth - 1, -1, -1):
                for second in range(depth - 1, -1, -1) if two else (0,):
                    yield replaced(expression, placing(first, second))

    @cached_property
    def conditions(self) -> tuple[Expression, ...]:
        """Conditions on a whole build."""
        return (
            *(("key", path) for path in self.flags),
            *(("null", ("key", path)) for path in self.nulls),
            *(("==", ("key", path), word) for path, word in self.words()),
            *self._items(),
            *self.asked,
            *(("truth", ("key", path)) for path in self.lists),
            *(("truth", ("key", path)) for path in self.whole),
        )

    def _items(self) -> Iterable[Expression]:
        """That one of a list of flags is set, or that one of a list of words is a certain one."""
        for path in self.lists:
            lists = [each.settings[path] for each in self.observations if isinstance(each.settings.get(path), list)]
            for at in range(min((len(each) for each in lists), default=0)):
                kinds = {each[at] for each in lists if isinstance(each[at], (bool, str))}
                place = ("item", ("key", path), at)
                if len(kinds) > 1 and at < MOST_ITEMS:
                    yield from (place,) if kinds == {True, False} else (("==", place, word) for word in sorted(map(str, kinds)))

    def words(self) -> Iterable[tuple[str, str]]:
        """The settings that are words, with each word that they may be."""
        for path in self.texts:
            values = {repr(each.settings.get(path)): each.settings.get(path) for each in self.observations}
            words = sorted(each for each in values.values() if isinstance(each, str) and each != ANY_OTHER_WORD)
            yield from ((path, word) for word in words if len(values) > 1)

    @cached_property
    def comparisons(self) -> tuple[Expression, ...]:
        """Comparisons of settings with small numbers, and with each other if they occur in computations."""
        changing = [
            path
            for path in self.whole
            if TOKEN.search(path) is None
            and (path in self.used or self.ignored)
            and len({each.settings.get(path) for each in self.observations if not isinstance(each.settings.get(path), list)}) > 1
        ]
        return (
            *((">", ("key", path), number) for path in self.whole for number in (1, 2)),
            *((">", ("len", ("key", path)), number) for path in self.lists for number in (1, 2)),
            *((sign, ("key", one), ("key", other)) for one, other in combinations(changing[:60], 2) for sign in ("==", "<", ">")),
        )

    def conditions_on_numbers(
        self, depth: int, lengths: Iterable[Expression] = (), ends: Iterable[Expression] = ()
    ) -> Iterable[Expression]:
        """Conditions on the number of a module in a list; ``lengths`` are those of lists, ``ends`` of stages, in terms of settings."""
        # Settings that follow from others are computed before the class compares anything.
        asked = [] if self.ignored else list(self.placed(self.asked_in_loops, depth))
        carried = (replaced(each, shifting("-", 1)) for each in asked[:400])  # With values carried over from the previous iteration.
        numbered = (  # Modules whose names count from 1, with lists inside that count from 0.
            replaced(each, shifting("-", 1, place)) for place in range(depth - 1) for each in asked[:400] if _at_both(each, place)
        )
        tested = [(each, _earlier(each)) for each in chain(asked, carried, numbered)]
        yield from (each for each, index in tested if index is None)
        yield from (each for place in range(depth - 1, -1, -1) for each in _few(("at", place)) if tested)
        for each in self.placed(self.asked_at_first, depth) if asked else ():
            at = next(part for part in parts(each) if isinstance(part, tuple) and part[0] == "at")
            yield from _either_way((">", at, 0), each)
        for each, index in tested:
            yield from () if index is None else _either_way(("<", *index[1:]), each)
        for place in range(depth - 1, -1, -1):
            at = ("at", place)
            yield from self._members(at, lengths)
            yield from (("==", ("+", at, from_end), length) for from_end in range(1, FARTHEST_FROM_END + 1) for length in lengths)
            yield from ((sign, at, end) for end in ends for sign in ("<", "=="))
            for path in self.lists:
                values = [each.settings[path] for each in self.observations if isinstance(each.settings.get(path), list)]
                if all(not isinstance(one, list) for each in values for one in each):
                    kinds = sorted({one for each in values for one in each if isinstance(one, (str, int))}, key=repr)[:12]
                    yield from (("==", ("item", ("key", path), at), value) for value in kinds)
                    before_it = ("item", ("key", path), ("-", at, 1))  # Of a module whose name counts from 1.
                    yield from (("and", (">", at, 0), ("==", before_it, value)) for value in kinds if isinstance(value, (bool, str)))
                    if not any(isinstance(one, bool) for one in kinds):  # Flags are no numbers of modules, though true is 1.
                        yield ("in", at, ("key", path))
                        yield ("in", ("-", at, 1), ("key", path))  # After a first one of its own.
                        yield ("in", ("+", at, 1), ("key", path))  # In a loop from 1.
                    if any(isinstance(one, str) for one in kinds):  # Kinds of modules, which may be shared by all of a kind.
                        before = ("before", ("key", path), at)
                        yield ("==", before, 0)
                        yield from (("<", before, ("key", count)) for count in self.whole)
                        for inner in range(place + 1, depth):
                            yield from (("==", ("%", ("at", inner), ("key", count)), before) for count in self.whole)
            yield from _few(at)  # Before i % key == 0, which is the same in short lists.
            for path in self.whole:
                key = ("key", path)
                yield ("<", at, key)
                yield from (("==", ("%", at, key), rest) for rest in (0, 1))
                yield ("==", ("%", ("+", at, 1), key), 0)
                yield ("==", ("%", at, key), ("-", key, 1))
                yield ("==", at, ("-", key, 1))
                yield ("==", ("+", at, 1), ("//", key, 2))
                yield ("<", at, ("-", key, 1))
                yield ("<", at, ("//", key, 2))
                yield (">", at, key)
            yield from _turns(at)

    def _members(self, at: Expression, lengths: Iterable[Expression]) -> Iterable[Expression]:
        """That a list holds a size which the class compared with its items: one that is halved from stage to stage, or doubled again; or a
        power of two.
        """
        for listed in self.powers:
            yield ("in", ("**", 2, at), listed)
            yield from (("in", ("**", 2, ("-", ("-", length, 1), at)), listed) for length in lengths)
        for listed, size in self.sought:
            yield ("in", ("//", size, ("**", 2, at)), listed)
            for length in lengths:
                yield ("in", ("*", ("//", size, ("**", 2, ("-", length, 1))), ("**", 2, at)), listed)

    def periods(self, depth: int) -> frozenset[Expression]:
        """Conditions by a remainder modulo a setting that the class was not observed to test."""
        if depth not in self._periods:
            asked = set(self.placed(self.asked_in_loops, depth))
            remainders = (each for each in self.conditions_on_numbers(depth) if each[0] == "==" and isinstance(each[1], tuple))
            self._periods[depth] = frozenset(each for each in remainders if each[1][0] == "%" and keys_of(each) and each not in asked)
        return self._periods[depth]

    def turns(self, depth: int) -> set[Expression]:
        """Conditions by a remainder modulo a number that the class was not observed to test; in short lists, they hold by chance."""
        return {each for place in range(depth) for each in _turns(("at", place))} - {*self.placed(self.asked_in_loops, depth)}

    @staticmethod
    def literals(depth: int) -> Iterable[Expression]:
        """Conditions by literals only."""
        for place in range(depth - 1, -1, -1):
            yield from _few(("at", place))
            yield from _turns(("at", place))


def _unread(observations: Sequence[Observation], following: bool) -> frozenset[str]:
    """The settings that no build read, so that no tensor depends on them, or that no config read while it computed others."""
    read = [each.sources if following else each.reads for each in observations]
    known = [each for each in read if each is not None]
    if len(known) < len(read):
        return frozenset()
    return unread({path for each in observations for path in each.settings}, frozenset().union(*known))


def _sought_in(condition: Expression) -> Iterable[tuple[Expression, Expression]]:
    """A list, and the setting whose half or double is compared with one of its items."""
    for item, size in (condition[1:], condition[:0:-1]) if condition[0] == "==" else ():
        keys = keys_of(size)
        if isinstance(size, tuple) and size[0] in ("//", "*") and len(keys) == 1 and isinstance(item, tuple) and item[0] == "item":
            yield from ((item[1], ("key", path)) for path in keys if item[1][0] == "key")


def _powers_in(condition: Expression) -> Iterable[Expression]:
    """A list whose items are compared with a power of two."""
    for item, number in (condition[1:], condition[:0:-1]) if condition[0] == "==" else ():
        if type(number) is int and number > 1 and number & (number - 1) == 0 and isinstance(item, tuple) and item[0] == "item":
            yield item[1]


def _few(at: Expression) -> Iterable[Expression]:
    return ((sign, at, number) for number in range(4) for sign in ("==", "<"))


def _turns(at: Expression) -> Iterable[Expression]:
    return (("==", ("%", at, times), rest) for times in range(2, 9) for rest in range(times))


def _at_both(expression: Expression, place: int) -> bool:
    """Whether the expression depends on the number within the list at this depth, and on that within another one."""
    places = {each[1] for each in parts(expression) if isinstance(each, tuple) and each[0] == "at"}
    return place in places and len(places) > 1


def _either_way(outside: Expression, condition: Expression) -> tuple[Expression, Expression]:
    """Two conditions that agree with this one where it was tested; elsewhere one is true and the other false."""
    return ("or", outside, condition), ("and", negated(outside), condition)


def _earlier(condition: Expression) -> tuple[Any, ...] | None:
    """The index of an earlier item in a condition, such as ``i - 1``: for the first numbers, Python would take an item from the end."""
    items = (each[2] for each in parts(condition) if isinstance(each, tuple) and each[0] == "item" and isinstance(each[2], tuple))
    return next((each for each in items if each[0] == "-" and each[1][:1] == ("at",) and isinstance(each[2], int)), None)


_COMMON = re.compile(r"hidden_size$|d_model$|num_hidden_layers$|vocab_size$")


def _order(expression: Expression) -> tuple[int, int, int, str]:
    numbers = sum(abs(each) if isinstance(each, int) and not isinstance(each, bool) else 0 for each in parts(expression))
    common = not any(_COMMON.search(path) for path in keys_of(expression))
    return size_of(expression), common, min(numbers, 10**6), repr(expression)

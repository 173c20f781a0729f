"""The assumptions of a formula in letters: the comparisons that came out one way, and the settings that are not letters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from symparam.core.frozen import frozen
from symparam.models.traced.expressions import (
    CannotEvaluateError,
    Expression,
    Settings,
    evaluate,
    keys_of,
    negated,
    parts,
    render,
    replaced,
)
from symparam.models.traced.rows import COLUMN
from symparam.models.traced.simplification import reduced, whole_settings

_WHOLE = ("%", "int", "round", "floor", "ceil")
"""The operation of a condition that requires a whole number."""


@frozen
class Decisions:
    """The conditions by which variants were chosen, with their outcomes. A condition on the number of a list's entry is represented by the
    settings in it, and one that requires whole numbers, or compares an item of a setting with a number, by the condition for each entry.

    ``pinned`` are settings whose values matter although they have letters, since they determine which members of a list are identical.
    ``lengths`` are lists of which only the length matters if each of their items has a letter.
    """

    conditions: dict[Expression, bool] = field(default_factory=dict)
    settings: set[str] = field(default_factory=set)
    pinned: set[str] = field(default_factory=set)
    lengths: set[str] = field(default_factory=set)

    def decide(self, condition: Expression, settings: Settings, at: tuple[int, ...]) -> bool:
        """Whether the condition is true. Raises `CannotEvaluateError`."""
        outcome = bool(evaluate(condition, settings, at))
        if any(isinstance(each, tuple) and each[0] == "at" for each in parts(condition)):
            if condition[0] in ("and", "or"):
                for each in condition[1:]:
                    if self.decide(each, settings, at) is (condition[0] == "or"):
                        break  # The others do not matter.
                return outcome
            if (of_item := _of_item(condition, at)) is not None:
                self.conditions[of_item] = outcome
                return outcome
            if condition[0] not in ("==", "!=") or not isinstance(condition[1], tuple) or condition[1][0] not in _WHOLE:
                apart = keys_of(without_lengths(condition))
                self.settings.update(apart)
                self.lengths.update(keys_of(condition) - apart)
                return outcome
            condition = replaced(condition, lambda part: at[part[1]] if part[0] == "at" else None)
        self.conditions[condition] = outcome
        return outcome


def _of_item(condition: Expression, at: tuple[int, ...]) -> Expression | None:
    """The condition for this entry if it compares an item of a setting with a number: ``dims[i - 1] <= 0`` as ``dims[0] <= 0``."""
    item, *others = condition[1:]
    if len(others) != 1 or type(others[0]) is not int or not isinstance(item, tuple) or item[0] != "item":
        return None
    of, number = item[1:]
    return None if of[0] != "key" or keys_of(number) else (condition[0], ("item", of, evaluate(number, {}, at)), others[0])


def without_lengths(expression: Expression) -> Expression:
    """The expression with 0 for the lengths of lists, as it needs none of their items for these."""
    return replaced(expression, lambda part: 0 if part[0] == "len" and isinstance(part[1], tuple) and part[1][0] == "key" else None)


def conditions_of(decisions: Decisions, fixed: set[str], letters: Mapping[str, str], settings: Settings) -> tuple[Expression, ...]:
    """The conditions under which a formula holds: comparisons of letters first, then the values of settings that are not letters.

    ``letters`` are those of the settings that have one, ``fixed`` the settings that are always numbers.
    """
    lettered = {path for path, value in settings.items() if isinstance(value, list) and _has_letters(path, value, letters)}
    found = list(_conditions(decisions, fixed, letters, settings, lettered))
    return reduced(found, whole_settings(settings), frozenset(letters))


def _conditions(
    decisions: Decisions, fixed: set[str], letters: Mapping[str, str], settings: Settings, lettered: set[str]
) -> Iterator[Expression]:
    known = letters.keys() | lettered
    values = dict.fromkeys(sorted(fixed))
    for condition, outcome in decisions.conditions.items():
        keys = keys_of(condition)
        if keys & lettered and _is_of_sizes(condition if outcome else negated(condition)):
            continue
        if keys & known:
            yield condition if outcome else negated(condition)
        else:
            values |= dict.fromkeys(sorted(keys))
    lists = decisions.lengths | decisions.pinned & lettered
    values |= dict.fromkeys(sorted(decisions.settings - letters.keys() | decisions.pinned - lettered | lists - lettered))
    yield from (("==", ("key", path), settings[path]) for path in values if path in settings)
    yield from (("==", ("len", ("key", path)), len(settings[path])) for path in sorted(lists & lettered - values.keys()))


def _is_of_sizes(condition: Expression) -> bool:
    """Whether it says of an item that has a letter, and so is at least 1, what is true of all such numbers: ``dims[0] > 0``."""
    name, item, *others = condition
    least = {">": 0, ">=": 1, "!=": 0}.get(name)
    return least is not None and isinstance(item, tuple) and item[0] == "item" and type(others[0]) is int and others[0] <= least


def _has_letters(path: str, items: Sequence[object], letters: Mapping[str, str]) -> bool:
    return bool(items) and all(item_of(path, at) in letters for at in range(len(items)))


def item_of(path: str, at: int) -> str:
    """The name by which an item of a list, or one in a row, has its letter."""
    outer, mark, inside = path.partition(COLUMN)
    return f"{outer}_{at}" + ("_" + inside.replace(".", "_") if mark else "")


def in_letters(condition: Expression, letters: Mapping[str, str]) -> str:
    """The condition as a line: ``H % h == 0``."""
    return render(_named(condition, letters, {}))


def of_letters(conditions: Iterable[Expression], letters: Mapping[str, str], settings: Settings) -> tuple[Expression, ...]:
    """The conditions that depend on letters, with the values of all other settings."""
    found = (_named(each, letters, settings) for each in conditions)
    return tuple(each for each in found if keys_of(each) & {*letters.values()})


def hold_at(conditions: Iterable[Expression], values: Mapping[str, int]) -> bool:
    """Whether conditions hold where the letters have these values; one on a letter without a value does not count."""
    try:
        return all(evaluate(each, values) for each in conditions if keys_of(each) <= values.keys())
    except CannotEvaluateError:
        return False


def _named(condition: Expression, letters: Mapping[str, str], settings: Settings) -> Expression:
    def named(part: tuple[Expression, ...]) -> Expression | None:
        if part[0] == "item" and part[1][0] == "key" and isinstance(part[2], int) and item_of(part[1][1], part[2]) in letters:
            return ("key", letters[item_of(part[1][1], part[2])])
        if part[0] != "key":
            return None
        return ("key", letters[part[1]]) if part[1] in letters else settings.get(part[1])

    return replaced(condition, named)

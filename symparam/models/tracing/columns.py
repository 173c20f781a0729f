"""The values of expressions in many instances at once; what several expressions have in common is computed once."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symparam.models.traced.expressions import FAILURES, LOGICAL, OPERATIONS, Expression, compiled

NONE = object()
"""Stands for the value of an expression that has none."""
CHOOSING = ("if", "and", "or")
"""What need not compute all that it is made of, and may if that has values everywhere."""


class SettingColumns:
    """For each expression its values in these instances, given by the settings of the build and the numbers within the enclosing lists."""

    def __init__(self, settings: Sequence[Mapping[str, Any]], numbers: Sequence[Sequence[int]]) -> None:
        self._settings, self._numbers = settings, numbers
        self._whole: dict[Expression, Sequence[Any] | None] = {}
        self._known: dict[Expression, Sequence[Any]] = {}

    def of(self, expression: Expression) -> Sequence[Any]:
        """The values, and ``NONE`` where there is none."""
        values = self.whole(expression)
        if values is None and expression not in self._known:
            self._known[expression] = self._each(expression)
        return self._known[expression] if values is None else values

    def mask(self, expression: Expression) -> int | None:
        """A bit for each instance where the condition holds; None if it has no value in one of them."""
        values = self.whole(expression)
        return None if values is None else bits(values)

    def whole(self, expression: Expression) -> Sequence[Any] | None:
        """The values, if the expression has one in every instance."""
        if not isinstance(expression, tuple):
            return (expression,) * len(self._settings)
        if expression not in self._whole:
            self._whole[expression] = self._computed(expression)
        return self._whole[expression]

    def _computed(self, expression: Expression) -> Sequence[Any] | None:
        name, *operands = expression
        try:
            if name == "key":
                return [each[operands[0]] for each in self._settings]
            if name in CHOOSING and (chosen := self._chosen(name, operands)) is not None:
                return chosen
            if name in LOGICAL or name in ("at", "loop"):
                return list(map(compiled(expression), self._settings, self._numbers))
            columns: list[Sequence[Any]] = []
            for each in operands:
                values = self.whole(each)
                if values is None:
                    return None
                columns.append(values)
            return list(map(OPERATIONS[name], *columns))
        except FAILURES:
            return None

    def _chosen(self, name: str, operands: Sequence[Expression]) -> Sequence[Any] | None:
        """The values of two cases, or of several conditions, if all have one everywhere."""
        columns = [column for each in operands if (column := self.whole(each)) is not None]
        if len(columns) < len(operands):
            return None
        if name == "if":
            return [first if true else second for true, first, second in zip(*columns, strict=True)]
        return list(map(all if name == "and" else any, zip(*columns, strict=True)))

    def _each(self, expression: Expression) -> Sequence[Any]:
        name, *operands = expression
        if name in ("key", "at", "loop", "list", "series", "fold", "turn", "carried"):
            return self._one_by_one(expression)
        rows = zip(*map(self.of, operands), strict=True)
        if name in CHOOSING:
            choose = _CHOICES[name]
            return [choose(row) for row in rows]
        operation = OPERATIONS[name]
        found: list[Any] = []
        for row in rows:
            try:
                found.append(NONE if NONE in row else operation(*row))
            except FAILURES:
                found.append(NONE)
        return found

    def _one_by_one(self, expression: Expression) -> Sequence[Any]:
        computed = compiled(expression)
        found: list[Any] = []
        for settings, numbers in zip(self._settings, self._numbers, strict=True):
            try:
                found.append(computed(settings, numbers))
            except FAILURES:
                found.append(NONE)
        return found


def _chosen_in(row: Sequence[Any]) -> Any:
    true, first, second = row
    return NONE if true is NONE else first if true else second


def _all_in(row: Sequence[Any]) -> Any:
    return next((each if each is NONE else False for each in row if each is NONE or not each), True)


def _any_in(row: Sequence[Any]) -> Any:
    return next((each if each is NONE else True for each in row if each is NONE or each), False)


_CHOICES: Mapping[str, Callable[[Sequence[Any]], Any]] = {"if": _chosen_in, "and": _all_in, "or": _any_in}
"""What these choose of the values of their operands, of which none is asked for that comes after one that decides."""


def bits(values: Sequence[object]) -> int:
    """A bit for each value that is true, the first one lowest."""
    return int("".join(["1" if value else "0" for value in reversed(values)]) or "0", 2)


def equal(values: Sequence[object], wanted: Sequence[object]) -> Sequence[object]:
    """Whether each value is the wanted integer; 32.0 is not the size of a tensor."""
    if float in set(map(type, values)):
        return [one == other and not isinstance(one, float) for one, other in zip(values, wanted, strict=True)]
    return list(map(operator.eq, values, wanted))

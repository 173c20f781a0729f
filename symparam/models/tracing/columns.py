"""The values of expressions in many instances at once; what several expressions have in common is computed once."""

from __future__ import annotations

import operator
from collections.abc import Mapping, Sequence
from typing import Any

from symparam.models.traced.expressions import FAILURES, LOGICAL, OPERATIONS, Computed, Expression, compiled

NONE = object()
"""Stands where an expression has no value."""


class Columns:
    """For each expression its values in these instances, given by the settings of the build and the numbers within the enclosing lists."""

    def __init__(self, settings: Sequence[Mapping[str, Any]], numbers: Sequence[Sequence[int]]) -> None:
        self._settings, self._numbers = settings, numbers
        self._known: dict[Expression, tuple[Sequence[Any], bool]] = {}

    def of(self, expression: Expression) -> Sequence[Any]:
        """The values, and ``NONE`` where there is none."""
        return self._column(expression)[0]

    def mask(self, expression: Expression) -> int | None:
        """A bit for each instance where the condition holds; None if it has no value in one of them."""
        values, whole = self._column(expression)
        return bits(values) if whole else None

    def _column(self, expression: Expression) -> tuple[Sequence[Any], bool]:
        """The values, and whether each instance has one."""
        if not isinstance(expression, tuple):
            return (expression,) * len(self._settings), True
        if expression not in self._known:
            values = self._computed(expression)
            self._known[expression] = values, not any(each is NONE for each in values)
        return self._known[expression]

    def _computed(self, expression: Expression) -> Sequence[Any]:
        name, *operands = expression
        if name == "key":
            return [each.get(operands[0], NONE) for each in self._settings]
        if name in LOGICAL or name in ("at", "loop"):
            return self._each(compiled(expression))
        columns = [self._column(each) for each in operands]
        operation = OPERATIONS[name]
        if all(whole for _, whole in columns):
            try:
                return list(map(operation, *(values for values, _ in columns)))
            except FAILURES:
                pass
        found: list[Any] = []
        for values in zip(*(values for values, _ in columns), strict=True):
            try:
                found.append(NONE if any(each is NONE for each in values) else operation(*values))
            except FAILURES:
                found.append(NONE)
        return found

    def _each(self, computed: Computed) -> Sequence[Any]:
        found: list[Any] = []
        for settings, numbers in zip(self._settings, self._numbers, strict=True):
            try:
                found.append(computed(settings, numbers))
            except FAILURES:
                found.append(NONE)
        return found


def bits(values: Sequence[object]) -> int:
    """A bit for each value that is true, the first one lowest."""
    return int("".join(["1" if value else "0" for value in reversed(values)]) or "0", 2)


def equal(values: Sequence[object], wanted: Sequence[object]) -> Sequence[object]:
    """Whether each value is the wanted integer; 32.0 is not the size of a tensor."""
    if float in set(map(type, values)):
        return [one == other and not isinstance(one, float) for one, other in zip(values, wanted, strict=True)]
    return list(map(operator.eq, values, wanted))

"""Loops that run while a comparison holds, recognised by the comparisons that they make: ``while size > 4: size //= 2``."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise

from symparam.models.traced.expressions import Expression

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<=", "==": "==", "!=": "!="}
FEWEST_STEPS = 2
"""How often a number must have been multiplied, so that a loop did it."""
_STEPS = ("//", "/", "*", "+", "-")


def repetitions(asked: Collection[Expression]) -> Iterator[Expression]:
    """How often each such loop runs, as an expression."""
    known = set(map(_turned, asked))
    yield from _from_numbers(known)
    yield from dict.fromkeys(times for each in known if (times := _repetition(each, known)) is not None and _is_longest(times, known))


def is_of(condition: Expression, times: Expression) -> bool:
    """Whether the comparison is one that this loop makes."""
    _, start, operation, by, comparison, bound = times
    if isinstance(start, int):
        name, value, number = (*_turned(condition), None)[:3]
        while isinstance(number, int) and number > start and number % by == 0:
            number //= by
        return (_MIRRORED.get(name), value, number) == (comparison, bound, start)
    name, *operands = _turned(condition)
    value = operands[0] if (name, *operands[1:]) == (comparison, bound) else None
    while value != start:
        if not isinstance(value, tuple) or (value[0], *value[2:]) != (operation, by):
            return False
        value = value[1]
    return True


def _from_numbers(known: Collection[Expression]) -> Iterator[Expression]:
    """The loops that multiply a number until it reaches a setting: ``while side < image: side *= 2``."""
    numbers: dict[tuple[str, Expression], set[int]] = {}
    for name, value, bound in (each for each in known if len(each) == 3 and each[0] in _MIRRORED):
        if isinstance(bound, int) and not isinstance(bound, bool) and bound > 0 and isinstance(value, tuple):
            numbers.setdefault((name, value), set()).add(bound)
    for (name, value), found in numbers.items():
        first, *more = sorted(found)
        by = more[0] // first if more else 1
        if len(more) >= FEWEST_STEPS and by > 1 and all(other == one * by for one, other in pairwise((first, *more))):
            yield ("times", first, "*", by, _MIRRORED[name], value)


def _repetition(condition: Expression, known: Collection[Expression]) -> Expression:
    """The loop that asks this, if it asked the same before it changed the value."""
    if len(condition) != 3 or condition[0] not in _MIRRORED or not isinstance(condition[1], tuple):
        return None
    name, value, bound = condition
    operation, before, by = value if len(value) == 3 else (None, None, None)
    if operation not in _STEPS or isinstance(by, tuple) or (name, before, bound) not in known:
        return None
    return ("times", before, operation, by, name, bound)


def _is_longest(times: Expression, known: Collection[Expression]) -> bool:
    _, start, operation, by, name, bound = times
    before = start[1] if isinstance(start, tuple) and len(start) == 3 and (start[0], start[2]) == (operation, by) else None
    return before is None or (name, before, bound) not in known


def _turned(condition: Expression) -> Expression:
    """The comparison with the value that changes on the left, as in ``2 * size`` or ``size``, and not a number."""
    if len(condition) == 3 and condition[0] in _MIRRORED and not isinstance(condition[1], tuple):
        condition = (_MIRRORED[condition[0]], condition[2], condition[1])
    name, *operands = condition
    return (name, *map(_number_last, operands))


def _number_last(value: Expression) -> Expression:
    """``size * 2`` for ``2 * size``, throughout."""
    if not isinstance(value, tuple) or len(value) != 3 or value[0] in ("key", "loop", "item"):
        return value
    name, one, other = value[0], _number_last(value[1]), _number_last(value[2])
    return (name, other, one) if name in ("*", "+") and isinstance(one, int) and isinstance(other, tuple) else (name, one, other)

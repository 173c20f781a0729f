"""The variables of loops in expressions, and what stands for them in rules: numbers within lists, literals, the values after a loop."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from symparam.models.traced.expressions import Expression, parts, replaced


def within(found: Expression, loops: Sequence[object]) -> Callable[[tuple[Any, ...]], Expression | None]:
    """A function that replaces the iterations of loops by those of any iteration, and the one before where two that follow each other are
    combined.
    """
    numbers: dict[object, set[int]] = {}
    for each in parts(found):
        if isinstance(each, tuple) and each[0] == "loop":
            numbers.setdefault(each[1], set()).add(each[2])
    carried = {loop: max(each) for loop, each in numbers.items() if len(each) == 2 and max(each) == min(each) + 1}

    def placed(part: tuple[Any, ...]) -> Expression | None:
        if part[0] != "loop":
            return None
        place = ("loop", loops.index(part[1]), 0)
        return ("-", place, 1) if carried.get(part[1], part[2]) != part[2] else place

    return placed


def with_literals(loops: Sequence[object]) -> Callable[[tuple[Any, ...]], Expression | None]:
    """A function that replaces the variables of these loops by their values."""
    return lambda part: part[2] if part[0] == "loop" and part[1] in loops else None


def placing(*places: int) -> Callable[[tuple[Any, ...]], Expression | None]:
    """A function that replaces loop variables by the numbers of the lists at these depths."""
    return lambda each: ("at", places[each[1]]) if each[0] == "loop" else None


def shifting(sign: str, by: int, place: int | None = None) -> Callable[[tuple[object, ...]], Expression | None]:
    """A function that replaces the numbers within lists, or within the one at this depth, by the following or preceding ones."""
    return lambda each: (sign, each, by) if each[0] == "at" and place in (None, each[1]) else None


def last_item(part: tuple[Any, ...]) -> Expression | None:
    """The last item of a list, for a loop that takes one item after the other."""
    taken = part[0] == "item" and isinstance(part[2], tuple) and part[2][0] == "loop"
    return ("item", part[1], -1) if taken else None


def has_loops(expression: Expression) -> bool:
    """Whether it depends on the variable of a loop."""
    return any(isinstance(each, tuple) and each[0] == "loop" for each in parts(expression))


def loops_over_items(asked: Iterable[Expression]) -> dict[Expression, set[int]]:
    """Comparisons of items at literal numbers, as of a list that was extended, in terms of the number of a loop; with the numbers for which
    they were made: ``dims[i - 1] != dims[i]`` where ``dims[0]`` was compared with ``dims[1]``.
    """
    found: dict[Expression, set[int]] = {}
    for each in asked:
        numbers = {part[2] for part in parts(each) if isinstance(part, tuple) and part[0] == "item" and type(part[2]) is int}
        if numbers and min(numbers) >= 0 and not has_loops(each):
            found.setdefault(replaced(each, _from_the_last(max(numbers))), set()).add(max(numbers))
    return found


def _from_the_last(number: int) -> Callable[[tuple[Any, ...]], Expression | None]:
    def placed(part: tuple[Any, ...]) -> Expression | None:
        if part[0] != "item" or type(part[2]) is not int:
            return None
        place: Expression = ("loop", 0, 0)
        return ("item", part[1], place if part[2] == number else ("-", place, number - part[2]))

    return placed

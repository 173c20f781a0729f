"""Sizes that a loop computes from the one before, such as the sides of an image behind several convolutions, whatever the number of turns.

``((x - 3) // 2 + 1 - 3) // 2 + 1`` becomes ``("fold", x, 2, (carried - 3) // 2 + 1)``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symparam.models.traced.expressions import CARRIED, TURN, Expression, parts, replaced

MOST_IN_A_TURN = 8
"""The most operations of one turn."""
WHOLE = ("key", "item", "len", "sum")
"""The operations that are not looked into."""


def folded(expressions: Sequence[Expression]) -> list[Expression]:
    """The expressions with loops of two turns or more as folds, and those of a single turn, or of none, as the others have them."""
    plain = [replaced(each, lambda part: part[2] if part[0] == "loop" else None) for each in expressions]
    known: dict[Expression, Expression] = {}
    for each in plain:
        if each not in known:
            known[each] = _with_folds(each)
    bodies = dict.fromkeys(part[3] for each in known.values() for part in parts(each) if isinstance(part, tuple) and part[0] == "fold")
    if not bodies:
        return plain
    starts = {part[1]: part[3] for each in known.values() for part in parts(each) if isinstance(part, tuple) and part[0] == "fold"}
    starts = {start: body for start, body in starts.items() if isinstance(start, tuple) and start[0] not in WHOLE}
    for each, found in known.items():
        if found == each:
            known[each] = _of_one_turn(each, bodies)
        if known[each] == each:  # Of no turn, then.
            known[each] = replaced(each, lambda part: ("fold", part, 0, starts[part]) if part in starts else None)
    return [known[each] for each in plain]


def _with_folds(expression: Expression) -> Expression:
    if not isinstance(expression, tuple) or expression[0] in WHOLE:
        return expression
    found = _fold_at(expression)
    return found if found is not None else (expression[0], *map(_with_folds, expression[1:]))


def _fold_at(expression: Expression) -> Expression:
    """The expression as a fold of two turns or more, with as much of it as possible; None if it is none."""
    nodes, places = _spine(expression)
    best: tuple[int, int] | None = None
    for turn in range(1, min(MOST_IN_A_TURN, len(places) // 2) + 1):
        alike = 0
        while alike + turn < len(places) and _alike(nodes, places, alike, turn):
            alike += 1
        many = alike // turn + 1
        if many > 1 and (best is None or many * turn > best[0] * best[1]):
            best = many, turn
    if best is None:
        return None
    many, turn = best
    return ("fold", _with_folds(nodes[many * turn]), many, _body(nodes, places, 0, turn, many - 1))


def _spine(expression: Expression) -> tuple[list[Expression], list[int]]:
    """The expression and what is nested in it, each time in the deepest operand, with the places of these operands."""
    nodes, places = [expression], []
    depths: dict[int, int] = {}
    while isinstance(nodes[-1], tuple) and nodes[-1][0] not in WHOLE:
        operands = nodes[-1][1:]
        place = max(range(len(operands)), key=lambda at: _depth(operands[at], depths))
        places.append(place)
        nodes.append(operands[place])
    return nodes, places


def _depth(expression: Expression, known: dict[int, int]) -> int:
    if not isinstance(expression, tuple) or expression[0] in WHOLE:
        return int(isinstance(expression, tuple))
    if id(expression) not in known:
        known[id(expression)] = 1 + max(_depth(each, known) for each in expression[1:])
    return known[id(expression)]


def _alike(nodes: Sequence[Expression], places: Sequence[int], at: int, turn: int) -> bool:
    """Whether an operation is as the one a turn before, but for indexes that are one larger, each as in the turns already compared."""
    one, other = nodes[at], nodes[at + turn]
    if places[at] != places[at + turn] or one[0] != other[0] or len(one) != len(other):
        return False
    differences = _differences(nodes, places, at, turn)
    return differences is not None and (at < turn or differences == _differences(nodes, places, at - turn, turn))


def _differences(nodes: Sequence[Expression], places: Sequence[int], at: int, turn: int) -> list[int] | None:
    found: list[int] = []
    for place, (one, other) in enumerate(zip(nodes[at][1:], nodes[at + turn][1:], strict=True)):
        if place != places[at] and not _compare(one, other, found):
            return None
    return found


def _compare(one: Expression, other: Expression, found: list[int]) -> bool:
    """Whether two expressions are equal but for numbers that are one larger, whose differences are added."""
    if type(one) is int and type(other) is int:
        found.append(one - other)
        return one - other in (0, 1)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(_compare(first, second, found) for first, second in zip(one, other, strict=True))
    return type(one) is type(other) and bool(one == other)


def _body(nodes: Sequence[Expression], places: Sequence[int], at: int, turn: int, number: int) -> Expression:
    """What a turn computes, from the last one, which has this number."""
    if at == turn:
        return CARRIED
    inside = [
        _body(nodes, places, at + 1, turn, number) if place == places[at] else _in_any_turn(one, other, number)
        for place, (one, other) in enumerate(zip(nodes[at][1:], nodes[at + turn][1:], strict=True))
    ]
    return (nodes[at][0], *inside)


def _in_any_turn(one: Any, other: Any, number: int) -> Expression:
    if isinstance(one, tuple):
        return tuple(_in_any_turn(first, second, number) for first, second in zip(one, other, strict=True))
    if type(one) is not int or one == other:
        return one
    rest = one - number
    return TURN if not rest else ("+", TURN, rest) if rest > 0 else ("-", TURN, -rest)


def _of_one_turn(expression: Expression, bodies: Iterable[Expression]) -> Expression:
    """The expression with what is one of these bodies at its first turn as a fold of one turn."""
    for body in bodies:

        def fold(part: tuple[Any, ...], body: Expression = body) -> Expression | None:
            start: list[Expression] = []
            return ("fold", start[0], 1, body) if _is_first_turn(body, part, start) and start else None

        if (changed := replaced(expression, fold)) != expression:
            return changed
    return expression


def _is_first_turn(body: Expression, part: Expression, start: list[Expression]) -> bool:
    """Whether this part is what the body computes in turn 0 from what is added to ``start``."""
    if body == CARRIED:
        start.append(part)
        return True
    if body == TURN:
        return type(part) is int and part == 0
    if isinstance(body, tuple) and body[:2] in (("+", TURN), ("-", TURN)):
        return type(part) is int and part == (body[2] if body[0] == "+" else -body[2])
    if isinstance(body, tuple) and isinstance(part, tuple):
        return len(body) == len(part) and all(_is_first_turn(one, other, start) for one, other in zip(body, part, strict=True))
    return type(body) is type(part) and bool(body == part)

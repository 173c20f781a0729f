"""The members of a list in rules: which of them satisfy a condition on their number, and what decides which of them are identical."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm

import sympy

from symparam.models.traced.expressions import (
    CannotEvaluateError,
    Expression,
    Settings,
    evaluate,
    mentions,
    negated,
    parts,
    replaced,
)
from symparam.models.traced.network import ModuleRule, RuleEntry, TensorRule, expressions_in, numbers

_ARITHMETIC = ("+", "-", "*", "/", "//", "exact", "**", "int", "float", "round", "floor", "ceil")


def outcomes_of(comparison: Expression, entry: RuleEntry, settings: Settings, at: tuple[int, ...]) -> Iterator[Expression]:
    """The comparison, or its negation, for each member of a list."""
    for number in numbers(entry, settings, at):
        there = replaced(comparison, lambda each, here=(*at, number): here[each[1]] if each[0] == "at" else None)  # type: ignore[misc]
        yield there if evaluate(there, settings) else negated(there)


def turn_of(entry: RuleEntry, depth: int) -> int:
    """After how many numbers of a list the same follows again; 0 if that is not known for all lengths of it."""
    assert isinstance(entry.content, TensorRule)
    number = ("at", depth)

    def left_over(part: tuple[Expression, ...]) -> Expression | None:
        return 0 if part[:2] == ("%", number) and type(part[2]) is int else None

    inside = (entry.each, *entry.content.shape)
    if entry.each is not True or any(mentions(replaced(each, left_over), depth) for each in inside):
        return 0
    modulos = {each[2] for found in inside for each in parts(found) if isinstance(each, tuple) and each[:2] == ("%", number)}
    return lcm(*(modulo for modulo in modulos if isinstance(modulo, int) and modulo > 0))


def counting(condition: Expression, depth: int, count: Expression) -> tuple[Expression, Expression] | None:
    """How many numbers below ``count`` satisfy such a condition, and where that holds: K for ``i < K`` where K <= N."""
    if not isinstance(condition, tuple) or len(condition) != 3 or mentions(condition[2], depth):
        return None
    name, one, other = condition
    if name in ("<", ">=") and one == ("at", depth):
        return (other if name == "<" else ("-", count, other)), ("<=", other, count)
    if name == "==" and one == ("at", depth) and isinstance(other, int):
        return 1, ("<", other, count) if other else True  # A list with a letter for its length has a first entry.
    if name == "==" and isinstance(one, tuple) and one[0] == "%" and not mentions(one[2], depth):
        inside = one[1]
        if inside == ("at", depth) or (isinstance(inside, tuple) and inside[0] in ("+", "-") and inside[1] == ("at", depth)):
            return ("exact", count, one[2]), ("==", ("%", count, one[2]), 0)
    return None


def is_true(condition: Expression, settings: Settings, at: tuple[int, ...]) -> bool:
    """Whether the condition can be evaluated for this member, and holds."""
    try:
        return bool(evaluate(condition, settings, at))
    except CannotEvaluateError:
        return False


def deciding(expression: Expression, depth: int) -> Iterator[Expression]:
    """The comparisons, and whatever else, that decide together with the number of the list which variant of something is meant; sizes in
    letters do not.
    """
    if not isinstance(expression, tuple) or not mentions(expression, depth):
        return
    name, *operands = expression
    if name in ("if", "and", "or", "not") or name in _ARITHMETIC:
        for each in operands:
            yield from deciding(each, depth)
    else:
        yield expression


def expressions_of(content: TensorRule | ModuleRule) -> Iterator[Expression]:
    """All expressions in what a member is."""
    return iter(content.shape) if isinstance(content, TensorRule) else expressions_in(content)


def conditions_in(entry: RuleEntry) -> Iterator[object]:
    """The conditions of a list and of what is in it."""
    yield from (entry.condition, entry.each)
    if isinstance(entry.content, ModuleRule):
        for inner in entry.content.entries:
            yield from conditions_in(inner)


def open_ended(members: list[int], size: sympy.Expr, label: str) -> str:
    """The label of a group: ``>=3`` for all members from 3 on if their number is a formula in letters, else ``label``."""
    follow = members == list(range(members[0], members[-1] + 1))
    return f">={members[0]}" if follow and members[0] and not size.is_Integer else label


def spans(members: list[int]) -> str:
    """``0``, ``3-5`` or ``0,2,4``, shortened if there are many."""
    spans: list[list[int]] = []
    for number in members:
        if spans and spans[-1][1] == number - 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in spans]
    return ",".join(shown if len(shown) <= 6 else [*shown[:3], "...", shown[-1]])

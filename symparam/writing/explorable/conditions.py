"""The conditions under which a formula holds, for a script to decide: those of a traced class, which was run at some settings only."""

from __future__ import annotations

from typing import Any

from symparam.models.traced.expressions import Expression, keys_of, render

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ARITHMETIC = ("+", "-", "*", "//", "%", "max", "min")


def condition(expression: Expression) -> dict[str, Any]:
    """The condition as nested lists, its text, and its letters.

    Where the script could not decide it exactly, it has no lists, and holds only where none of its letters changes.
    """
    letters = sorted(keys_of(expression))
    return {"tree": _decided(expression), "text": render(expression), "letters": letters}


def _decided(expression: Expression) -> Any:
    match expression:
        case ("and" | "or" as operation, *operands):
            inside = [_decided(each) for each in operands]
            return None if None in inside else [operation, *inside]
        case ("not", operand):
            inner = _decided(operand)
            return None if inner is None else ["not", inner]
        case (operation, first, second) if operation in _COMPARISONS:
            sides = _number(first), _number(second)
            return None if None in sides else [operation, *sides]
    return None


def _number(expression: Expression) -> Any:
    match expression:
        case bool():
            return None
        case int():
            return f"#{expression}"
        case ("key", str(letter)):
            return letter
        case (operation, first, second) if operation in _ARITHMETIC:
            sides = _number(first), _number(second)
            return None if None in sides else [operation, *sides]
    return None

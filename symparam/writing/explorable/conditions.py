"""The conditions under which a formula holds, for a script to decide: those of a traced class, which was run at some settings only."""

from __future__ import annotations

from symparam.core.json_types import JsonObject
from symparam.models.traced.expressions import Expression, keys_of, render
from symparam.writing.formula_tree import Tree

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_ARITHMETIC = ("+", "-", "*", "//", "%", "max", "min")


def condition(expression: Expression) -> JsonObject:
    """The condition as nested lists, its text, and its letters.

    Where the script could not decide it exactly, it has no lists, and holds only where none of its letters changes.
    """
    letters = sorted(keys_of(expression))
    return {"tree": _decided(expression), "text": render(expression), "letters": letters}


def _decided(expression: Expression) -> Tree | None:
    match expression:
        case ("and" | "or" as operation, *operands):
            return _joined(operation, [_decided(each) for each in operands])
        case ("not", operand):
            return _joined("not", [_decided(operand)])
        case (operation, first, second) if operation in _COMPARISONS:
            return _joined(operation, [_number(first), _number(second)])
    return None


def _joined(operation: str, operands: list[Tree | None]) -> Tree | None:
    decided = [operand for operand in operands if operand is not None]
    return [operation, *decided] if len(decided) == len(operands) else None


def _number(expression: Expression) -> Tree | None:
    match expression:
        case bool():
            return None
        case int():
            return f"#{expression}"
        case ("key", str(letter)):
            return letter
        case (operation, first, second) if operation in _ARITHMETIC:
            return _joined(operation, [_number(first), _number(second)])
    return None

"""Converts a formula to nested lists, which a script evaluates without ``eval``: ``["+", ["*", "V", "H"], 12]``."""

from __future__ import annotations

from typing import TypeAlias

from symparam.core.floor import Floor
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Root, Sum, Symbol
from symparam.errors import FormulaError

_SIGNS: dict[type[Formula], str] = {Sum: "+", Product: "*", Quotient: "/", Power: "^", Negative: "-", Floor: "floor"}


Tree: TypeAlias = "str | list[Tree]"
"""An operand as text, or an operator followed by its operands."""


def tree(formula: Formula) -> Tree:
    """A letter as its name, an integer as digits after ``#``, and anything else as an operator with its operands.

    Raises `FormulaError` for a formula without an exact value, such as a square root.
    """
    match formula:
        case Symbol(letter):
            return letter
        case Number(value):
            whole = f"#{value.numerator}"
            return whole if value.denominator == 1 else ["/", whole, f"#{value.denominator}"]
        case Root():
            raise FormulaError("a square root cannot be followed exactly")
    sign = _SIGNS.get(type(formula))
    parts = [tree(part) for part in formula.parts]
    return [sign, *parts] if sign else parts[0]

"""Calculations in numbers to which the page gives no result, as the number that they come to: ``2 × 124M MACs per token``."""

from __future__ import annotations

from fractions import Fraction
from types import MappingProxyType

from symparam.core.formula import Symbol
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.unit_senses import UNITS, Unit

_RESULT = f"{PLACEHOLDER}result"


def calculated(expression: Expression, behind: str) -> Expression | None:
    """The number that a calculation comes to, as rounded as its factors are, in the unit ``behind`` it or in that of a factor.

    None if the expression is a single number, has letters, or counts none of what a model takes: bytes, FLOPs, MACs.
    """
    if expression.is_number or expression.letters:
        return None
    value = usual_value(expression.formula, expression)
    literals = expression.literals.values()
    counted = [each.unit.counted for each in literals if each.unit is not None and each.unit.counted]
    word = next(iter(behind.split()), "").strip("*_`$")
    unit = UNITS.get(word)
    counted += [unit.counted] if unit is not None and unit.counted else []
    if value is None or value <= 0 or len(counted) != 1 or counted[0] not in ("bytes", "FLOPs", "MACs"):
        return None
    written = Unit(counted[0], (Fraction(1),), counted[0])
    rounded = [Fraction(each.last_digit) / Fraction(each.value) for each in literals if each.value and not _is_exact(each)]
    digits = min((each.digits for each in literals if not _is_exact(each)), default=len(str(int(value))))
    literal = Literal(value, value * max(rounded, default=1 / value), written, digits)
    return expression._replace(formula=Symbol(_RESULT), literals=MappingProxyType({_RESULT: literal}))


def _is_exact(literal: Literal) -> bool:
    """Whether it is a count of bytes, such as the 2 of ``2 bytes``, or a unit behind a product: ``10²¹ FLOPs``."""
    return literal.last_digit in (0, 1) and (literal.unit is None or literal.unit.senses == (Fraction(1),))

"""Recognises ranges, ``8-12 GB`` and ``3-5 × 2``, which look like differences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from symparam.core.formula import Formula, Negative, Number, Sum, Symbol
from symparam.core.parsing.lexer import Token
from symparam.documents.reading.expression import Literal


def is_range(formula: Formula, literals: Mapping[str, Literal]) -> bool:
    """Whether it is a range, ``8-12 GB``: a number, then a larger one after a minus sign."""
    if not isinstance(formula, Sum) or len(formula.parts) != 2 or not isinstance(formula.parts[1], Negative):
        return False
    ends = [part.value if isinstance(part, Number) else _shown(part, literals) for part in (formula.parts[0], formula.parts[1].operand)]
    return ends[0] is not None and ends[1] is not None and ends[0] < ends[1]


def begins_with_range(tokens: Sequence[Token]) -> bool:
    """Whether it begins with a range, ``3-5 × 2``: a number, a minus sign without spaces, and a larger number."""
    if [token.kind for token in tokens] != ["number", "-", "number"]:
        return False
    low, sign, high = tokens
    return low.end == sign.start and sign.end == high.start and Fraction(low.value) < Fraction(high.value)


def _shown(part: Formula, literals: Mapping[str, Literal]) -> int | Fraction | None:
    return literals[part.letter].value if isinstance(part, Symbol) and part.letter in literals else None

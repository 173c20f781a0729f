"""The judgement on two sides of which it is only asked whether they agree."""

from __future__ import annotations

from symparam.documents.checking.sides.number_agreement import Judgement, agreement
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.errors import FormulaError


def holding(left: ClaimSide, right: ClaimSide, sign: str) -> Judgement | None:
    """The judgement on two sides, if they agree; a side that is too large, or divides by zero, agrees with none."""
    try:
        return agreement(left, right, sign)
    except FormulaError:
        return None

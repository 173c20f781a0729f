"""Rounding down: ``⌊(H + 1)/2⌋``."""

from __future__ import annotations

from typing import ClassVar

import sympy

from symparam.core.formula import Formula, write
from symparam.core.frozen import cached_property, frozen
from symparam.core.notation import Notation


@frozen
class Floor(Formula):
    """The largest integer that does not exceed the operand."""

    operand: Formula

    enclosed: ClassVar[bool] = True

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.operand,)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        return Floor(*parts)

    @cached_property
    def expr(self) -> sympy.Expr:
        return sympy.floor(self.operand.expr)

    def render(self, notation: Notation) -> str:
        return notation.rounded_down(write(self.operand, notation))

"""A formula with definitions after it: ``N(A + F + 2H) + VH, with A = 4H², F = 3HI``."""

from __future__ import annotations

import sympy

from symparam.core.formula import Formula, write
from symparam.core.frozen import cached_property, frozen
from symparam.core.notation import Notation


@frozen
class WithDefinitions(Formula):
    """A formula in which names abbreviate others. Its letters and its meaning are those of the formula with the definitions substituted."""

    formula: Formula
    definitions: tuple[tuple[str, Formula], ...]

    @cached_property
    def whole(self) -> Formula:
        """The formula with the definitions substituted."""
        return self.formula.substitute(dict(self.definitions))

    @property
    def parts(self) -> tuple[Formula, ...]:
        return (self.whole,)

    def with_parts(self, parts: tuple[Formula, ...]) -> Formula:
        (whole,) = parts  # Once numbers are substituted, no name is left to define.
        return whole

    @cached_property
    def expr(self) -> sympy.Expr:
        return self.whole.expr

    def render(self, notation: Notation) -> str:
        """The formula followed by each definition."""
        with_, comma = (",\\quad\\text{with}\\quad ", ",\\quad ") if notation.typeset else (", with ", ", ")
        return write(self.formula, notation) + with_ + comma.join(f"{name} = {write(each, notation)}" for name, each in self.definitions)

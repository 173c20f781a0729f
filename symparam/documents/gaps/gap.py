"""A gap and its causes: by how much the stated side is too large (or, if negative, too small), and why."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.message import Message


@frozen
class Cause:
    """One part of a gap: what is missing (negative) or surplus, as a number, a formula, or both if there are values.

    ``reason`` says what it is, such as ``missing`` with the missing modules, or ``left-out`` with the line that was left out.
    """

    reason: Message
    value: int | Fraction | None = None
    formula: Formula | None = None


@frozen
class Gap:
    """The stated value minus the right one: negative if the stated side is too small.

    ``explained_by`` is the simplest explanation; the values of its causes add up to the gap, unless it is a slip without values, such as a
    swapped result. It is empty if nothing fits. ``others`` are further explanations, simplest first. ``unit`` is the unit of the value and
    of those of the causes, if they have one, and ``last_digit`` one unit of the last digit of the stated number.
    """

    value: int | Fraction | None
    formula: Formula | None = None
    explained_by: tuple[Cause, ...] = ()
    others: tuple[tuple[Cause, ...], ...] = ()
    unit: str = ""
    last_digit: Fraction | None = None

    def in_unit(self, unit: str, scale: Fraction, last_digit: Fraction) -> Gap:
        """The gap in a unit that stands for ``scale``."""

        def scaled(causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
            return tuple(each if each.value is None else replace(each, value=_over(each.value, scale)) for each in causes)

        value = None if self.value is None else _over(self.value, scale)
        return Gap(value, self.formula, scaled(self.explained_by), tuple(map(scaled, self.others)), unit, last_digit)


def _over(value: int | Fraction, scale: Fraction) -> int | Fraction:
    found = Fraction(value) / scale
    return found.numerator if found.denominator == 1 else found

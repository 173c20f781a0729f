"""A gap and its causes: by how much the stated side is too large (or, if negative, too small), and why."""

from __future__ import annotations

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
    swapped result. It is empty if nothing fits. ``others`` are further explanations, simplest first.
    """

    value: int | Fraction | None
    formula: Formula | None = None
    explained_by: tuple[Cause, ...] = ()
    others: tuple[tuple[Cause, ...], ...] = ()

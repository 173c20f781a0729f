"""A gap and its causes: what the stated side has too much, or below zero too little, and why."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from symparam.core.formula import Formula
from symparam.documents.message import Message


@dataclass(frozen=True)
class Cause:
    """One part of a gap: what is missing (below zero) or surplus, as a number, a formula, or both where there are values.

    ``reason`` says what it is, such as ``missing`` with the modules that are, or ``left-out`` with the line that is.
    """

    reason: Message
    value: int | Fraction | None = None
    formula: Formula | None = None


@dataclass(frozen=True)
class Gap:
    """What is stated minus what is right: below zero the stated side is short.

    ``explained_by`` is the simplest explanation; the values of its causes add up to the gap, unless it is a slip, such as a swapped
    result, which has no values. It is empty if nothing fits. ``others`` are further explanations, simplest first.
    """

    value: int | Fraction | None
    formula: Formula | None = None
    explained_by: tuple[Cause, ...] = ()
    others: tuple[tuple[Cause, ...], ...] = ()

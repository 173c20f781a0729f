"""Conditions that every gap has to fulfil, however it is explained."""

from __future__ import annotations

import re
from fractions import Fraction

import sympy

from symparam.documents.gaps.gap import Cause, Gap
from symparam.writing.wording import ENGLISH


def worded(cause: Cause) -> str:
    """What a cause is, in words."""
    return ENGLISH.say(cause.reason)


def check_sums(gap: Gap) -> None:
    """The causes of every explanation add up, in numbers and in letters, and none of them is nothing."""
    for causes in filter(None, (gap.explained_by, *gap.others)):
        values = [cause.value for cause in causes]
        if gap.value is not None:
            assert sum(Fraction(value or 0) for value in values) == gap.value
            assert 0 not in values
        for cause, value in zip(causes, values, strict=True):
            assert not value or worded(cause).startswith(MINUS if value < 0 else PLUS) or EITHER.match(worded(cause)), cause
        assert len({worded(cause) for cause in causes}) == len(causes)


MINUS = ("missing: ", "counted once")
PLUS = ("surplus: ", "counted twice: ")
EITHER = re.compile(r"counted (with .* in place of |[\d,]+ times instead of )|(one digit|two neighbouring digits|a digit)\b")


def signed(cause: Cause) -> sympy.Expr:
    """The formula of a cause with the sign that its words give it."""
    assert cause.formula is not None
    return -cause.formula.expr if worded(cause).startswith(MINUS) else cause.formula.expr

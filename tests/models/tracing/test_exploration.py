"""What builds tell of the comparisons that a class makes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.tracing.effort import Effort
from symparam.models.tracing.exploration import Exploration
from symparam.models.tracing.observation import Observation

DIM, HEADS = ("key", "dim"), ("key", "heads")
DIVIDES = ("==", ("%", DIM, HEADS), 0)
MULTIPLIED_BACK = ("==", ("*", ("//", DIM, HEADS), HEADS), DIM)
"""Another way to test that there is no remainder."""


class Subject:
    name = "Net"


class Observer:
    subject = Subject()


@pytest.mark.parametrize(
    ("asked", "constant"),
    [
        ([{DIVIDES: {True}}, {DIVIDES: {True}}], {DIVIDES: True}),
        ([{DIVIDES: {True}}, {DIVIDES: {False}}], {}),
        ([{DIVIDES: {True, False}}], {}),
        ([{MULTIPLIED_BACK: {True}}], {DIVIDES: True}),
        # What compares numbers depends on no setting, and is no comparison of settings that could come out otherwise.
        ([{("!=", ("*", 2, 3), 1): {True}, DIVIDES: {True}}], {DIVIDES: True}),
        ([{("<", ("loop", 0, 3), DIM): {True}}], {}),
    ],
)
def test_comparisons_that_always_came_out_the_same(asked, constant):
    builds = Exploration(Observer(), Effort(1))
    for each in asked:
        builds.keep(Observation({}, {}, (), {}, asked=each))
    assert builds.constant_outcomes == constant

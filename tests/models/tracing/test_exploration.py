"""What builds tell of the comparisons that a class makes."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.tracing.effort import Effort
from symparam.models.tracing.exploration import Exploration, lengths_apart
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


@pytest.mark.parametrize(
    ("settings", "apart"),
    [
        ({"@L": 64, "@L_e": 40, "d_kv": 64, "heads": 8}, {"@L": 65}),
        ({"@L": 96, "hidden": 768, "heads": 8}, {"@L": 97}),  # The width of a head.
        ({"@L": 64, "d_kv": 64, "buckets": 65}, {"@L": 66}),
        ({"@L": 41, "d_kv": 64}, {}),
        ({"@H_i": 64, "d_kv": 64}, {}),  # An image is no sequence.
        ({"d_kv": 64}, {}),
    ],
)
def test_a_length_equals_no_width(settings, apart):
    assert lengths_apart(settings) == apart

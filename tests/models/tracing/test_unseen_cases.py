"""Settings that show a part in cases in which no build has shown it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.tracing.observation import Observation
from symparam.models.tracing.unseen_cases import unseen_flags


def build(**settings):
    return Observation(settings, settings, (), {})


@pytest.mark.parametrize(
    ("there", "free", "expected"),
    [
        ({2}, {"bias", "named"}, [{"named": True, "bias": False}]),  # Called by its name only with a bias.
        ({0, 2}, {"bias", "named"}, []),  # The part is there where there is a bias, so that the bias decides on it.
        ({0, 1, 2}, {"bias", "named"}, []),
        ({2}, {"named"}, []),
    ],
)
def test_a_flag_that_was_the_same_wherever_a_part_was_is_turned(there, free, expected):
    builds = [build(bias=True, named=False), build(bias=False, named=False), build(bias=True, named=True)]
    assert [*unseen_flags(builds, [("a part", frozenset(there))], free)] == expected

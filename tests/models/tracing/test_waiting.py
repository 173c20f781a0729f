"""Constructors that never end, and catch whatever is raised to stop them."""

from __future__ import annotations

from symparam.models.tracing import waiting
from symparam.models.tracing.waiting import Builds, building


def test_a_build_that_takes_far_longer_than_any_before_is_named_with_its_settings(monkeypatch):
    now = iter((0.0, 2.0, 100.0, 110.0, 121.0))
    monkeypatch.setattr(waiting, "BUILDS", Builds())
    monkeypatch.setattr(waiting.time, "process_time", lambda: next(now))
    with building({}):
        pass
    with building({"depth": 7}):
        assert waiting.BUILDS.endless() is None
        assert waiting.BUILDS.endless() == (
            "its constructor has not come to an end after 21 seconds of processor time with depth = 7, as in a loop that never ends"
        )
        now = iter((122.0,))
    assert waiting.BUILDS.endless() is None


def test_the_first_build_has_more_time():
    builds = Builds()
    builds.since = waiting.time.process_time() - waiting.FIRST / 2
    assert builds.endless() is None
    builds.since -= waiting.FIRST
    assert builds.endless().endswith("seconds of processor time, as in a loop that never ends")

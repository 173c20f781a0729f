"""What is prepared ahead serves the next build, once, and only where the settings are the same."""

from __future__ import annotations

from symparam.models.tracing.preparation import Preparation


def test_what_was_looked_at_serves_one_build_with_the_same_settings():
    made = []

    def prepare(*settings):
        made.append(settings)
        return [*settings]

    preparation = Preparation(prepare)
    looked_at = preparation.ahead({"dim": 1})
    assert preparation.ahead({"dim": 1}) is looked_at
    assert preparation.for_build({"dim": 1}) is looked_at
    assert preparation.for_build({"dim": 1}) is not looked_at  # The build before may have changed it.
    preparation.ahead({"dim": 1})
    assert preparation.for_build({"dim": True}) == [{"dim": True}]  # Equal to 1, and another setting.
    assert made == [({"dim": 1},), ({"dim": 1},), ({"dim": 1},), ({"dim": True},)]

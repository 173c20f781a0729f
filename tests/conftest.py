"""Settings of hypothesis for all tests: a slow machine must not fail a property that holds."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("symparam", deadline=None)
settings.load_profile("symparam")

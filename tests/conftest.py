"""For all tests: a slow machine must not fail a property that holds, and nothing may compute without end."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

settings.register_profile("symparam", deadline=None)
settings.load_profile("symparam")


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """End a test that computes for half a minute: the input that it gives was to be refused, or done with, at once."""
    if not hasattr(signal, "ITIMER_VIRTUAL"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeoutError("half a minute of computing")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, 30)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)

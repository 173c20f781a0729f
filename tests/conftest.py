"""Settings for all tests: a slow machine must not fail a property that holds, and no test may run forever."""

from __future__ import annotations

import os
import signal
from collections import defaultdict
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import settings

# Processes that a test starts are to find symparam compiled, as wherever it is installed; to compile it takes longer than most of them.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# The same examples each time, so that a failure is that of the change; chance has its place in `tests/fuzz`.
settings.register_profile("symparam", deadline=None, derandomize=True, max_examples=5)
settings.register_profile("thorough", deadline=None, derandomize=True, max_examples=40)  # For `.ci/run`.
settings.load_profile("symparam")


@pytest.hookimpl(tryfirst=True)  # Before slow tests are left out.
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all but so many cases of a test as slow as its mark ``few`` says, drawn by its name: each process of pytest draws the same."""
    tests: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few") and not item.get_closest_marker("slow"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for name, cases in tests.items():
        (most,) = cases[0].get_closest_marker("few").args  # type: ignore[union-attr]
        for each in Random(name).sample(cases, max(0, len(cases) - most)):
            each.add_marker("slow")


@pytest.fixture(autouse=True)
def _bounded() -> Iterator[None]:
    """End a test that computes for half a minute, longer where a property tries more examples: its input was to be refused at once."""
    if not hasattr(signal, "ITIMER_VIRTUAL"):
        yield
        return

    def stop(number: int, frame: object) -> None:
        raise TimeoutError(f"{seconds} seconds of computing")

    seconds = 30 if settings().max_examples < 10 else 90
    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    yield
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    signal.signal(signal.SIGVTALRM, before)

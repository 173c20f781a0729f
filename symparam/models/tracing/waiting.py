"""Code that never ends: it waits, as for an input or in a sleep, so that no limit of processor time is ever reached, or it loops and
catches whatever is raised to stop it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from threading import Thread

PATIENCE = 20
"""For how many seconds code may do nothing."""
IDLE = 0.1
"""The most processor time, in seconds, that counts as nothing; a process on a busy machine gets more."""
LONG_PATIENCE = 90
NEARLY_IDLE = 0.02
"""For how many seconds code may do nearly nothing, and the share of them that counts as that."""
FIRST, LATER, TIMES = 40.0, 15.0, 10.0
"""How many seconds of processor time the first build may take, and a later one, if that is more than so many times the longest one."""


class Builds:
    """The build that is being made: since when, in processor time, and with which settings; and how long the longest one took."""

    def __init__(self) -> None:
        self.since: float | None = None
        self.moved: Mapping[str, object] = {}
        self.longest = 0.0

    def endless(self) -> str | None:
        """What is to be said of a build that takes too long; None if it does not."""
        since = self.since
        used = 0.0 if since is None else time.process_time() - since
        if used <= (max(LATER, TIMES * self.longest) if self.longest else FIRST):
            return None
        settings = ", ".join(f"{path} = {value!r}" for path, value in self.moved.items())
        with_these = f" with {settings:.200}" if settings else ""
        return (
            f"its constructor has not come to an end after {used:.0f} seconds of processor time{with_these}, as in a loop that never ends"
        )


BUILDS = Builds()


@contextmanager
def building(moved: Mapping[str, object]) -> Iterator[None]:
    """While the context lasts, a build is made with these settings."""
    BUILDS.since, BUILDS.moved = time.process_time(), dict(moved)
    try:
        yield
        BUILDS.longest = max(BUILDS.longest, time.process_time() - BUILDS.since)
    finally:
        BUILDS.since = None


def watch_for_waiting(tell: Callable[[str], None]) -> None:
    """Call the function, in a thread of its own, with what this process does once it has done nothing for a while, or builds for ever."""
    Thread(target=_watch, args=(tell,), daemon=True).start()


def _watch(tell: Callable[[str], None]) -> None:
    used = [time.process_time()]  # At each turn, for while a machine is suspended nothing turns.
    while True:
        time.sleep(1)
        used.append(time.process_time())
        if (endless := BUILDS.endless()) is not None:
            return tell(endless)
        if len(used) > PATIENCE and used[-1] - used[-1 - PATIENCE] <= IDLE:
            return tell(f"its code does nothing for {PATIENCE} seconds, as in a sleep")
        if len(used) > LONG_PATIENCE and used[-1] - used[-1 - LONG_PATIENCE] <= NEARLY_IDLE * LONG_PATIENCE:
            return tell(f"its code does nearly nothing for {LONG_PATIENCE} seconds, as in a loop that sleeps")
        del used[: -LONG_PATIENCE - 1]

"""Code that waits for ever, as for an input or in a sleep: it uses no processor time, so that no limit of it is ever reached."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Thread

PATIENCE = 20
"""For how many seconds code may do nothing."""
IDLE = 0.1
"""The most processor time, in seconds, that counts as nothing; a process on a busy machine gets more."""


def watch_for_waiting(tell: Callable[[], None]) -> None:
    """Call the function, in a thread of its own, once this process has done nothing for a while."""
    Thread(target=_watch, args=(tell,), daemon=True).start()


def _watch(tell: Callable[[], None]) -> None:
    used, waited = time.process_time(), 0
    while waited < PATIENCE:
        time.sleep(1)
        waited += 1  # Seconds are counted by turns, for while a machine is suspended nothing turns.
        if time.process_time() - used > IDLE:
            used, waited = time.process_time(), 0
    tell()

"""The environment variables that traced code reads: what is built then depends on more than the settings."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

KEPT = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "LD_LIBRARY_PATH", "SYSTEMROOT", "HF_HOME", "PYTHONPATH")
"""The environment variables that the traced code sees; tokens and passwords are not among them."""
_READERS = ("os", "_collections_abc", "collections.abc", __name__)


@contextmanager
def tracked_environment(ignored: Callable[[str], bool]) -> Iterator[set[str]]:
    """Gives the names of the variables that code reads while the context lasts, apart from code in files that are ``ignored``."""
    kind: Any = type(os.environ)
    plain = kind.__getitem__, kind.__contains__
    found: set[str] = set()

    def noted(name: object) -> None:
        frame = sys._getframe(2)
        while frame.f_back is not None and frame.f_globals.get("__name__") in _READERS:
            frame = frame.f_back
        if isinstance(name, str) and not ignored(frame.f_code.co_filename):
            found.add(name)

    def item(environment: Any, name: object) -> object:
        noted(name)
        return plain[0](environment, name)

    def contains(environment: Any, name: object) -> object:
        noted(name)
        return plain[1](environment, name)

    kind.__getitem__, kind.__contains__ = item, contains
    try:
        yield found
    finally:
        kind.__getitem__, kind.__contains__ = plain

"""How much work something is, in a measure that is the same on every machine."""

from __future__ import annotations

import sys
from collections.abc import Callable


def calls(run: Callable[[], object]) -> int:
    """The functions of Python and of C that are called while this runs.

    What one call does is not seen: a pattern that backtracks makes one. The guard in conftest.py ends it.
    """
    made = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(before)
    return made

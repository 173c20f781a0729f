"""Where a sentence ends, and where it goes on in the next line."""

from __future__ import annotations

import re
from functools import cache

_ABBREVIATED = r"(?<!\bMio)(?<!\bMrd)"
"""Abbreviations of scales that keep their point: ``85,1 Mio. in den Schichten``."""

_WRAPPED = 50  # Characters of a line that was broken because of its length.


def is_broken(line: str) -> bool:
    """Whether a line of prose is so long that its sentence goes on in the next one."""
    return (
        len(line) >= _WRAPPED
        and "   " not in line
        and not line.startswith(("#", "|", "    "))
        and line.rstrip()[-1:] not in ".:;!?。：；！？|"
    )


@cache
def sentence_end(also: str = "") -> re.Pattern[str]:
    """The end of a sentence, or one of the characters in ``also``, such as that of a line or of a cell."""
    signs = f"。；！？{re.escape(also)}"
    return re.compile(rf"{_ABBREVIATED}[.;!?](?=\s)|[{signs}]")

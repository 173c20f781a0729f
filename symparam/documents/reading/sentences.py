"""Where a sentence ends."""

from __future__ import annotations

import re
from functools import cache

_ABBREVIATED = r"(?<!\bMio)(?<!\bMrd)"
"""Abbreviations of scales that keep their point: ``85,1 Mio. in den Schichten``."""


@cache
def sentence_end(also: str = "") -> re.Pattern[str]:
    """The end of a sentence, or one of the characters in ``also``, such as that of a line or of a cell."""
    signs = f"。；！？{re.escape(also)}"
    return re.compile(rf"{_ABBREVIATED}[.;!?](?=\s)|[{signs}]")

"""The names of number formats: ``fp16``, ``bfloat16``, ``int8``, ``f32``."""

from __future__ import annotations

import re
from fractions import Fraction

_FORMAT = re.compile(r"(?i:(?:fp|bf|tf|nf|mxfp|nvfp|u?int|b?float)(4|8|16|32|64)|[fiu](8|16|32|64))s?")


def bytes_of_format(name: str) -> Fraction | None:
    """The bytes of one number in the format of that name; None for any other word."""
    found = _FORMAT.fullmatch(name)
    return Fraction(int(found[1] or found[2]), 8) if found else None

"""What a logger, a launcher of several processes, a mail or an editor writes before each line of a print."""

from __future__ import annotations

import re

from symparam.models.printed.source_text import NamedText

_PART = re.compile(r"([^(\n]{1,200})\([^\s().:{}]{1,200}\): ")
"""The beginning of a line with a module inside another, up to its name."""
_NUMBER = re.compile(r"\d{1,20}")
_BLANKS = re.compile(r"[ \t]+")


def without_prefixes(text: NamedText) -> NamedText:
    """The text with blanks for what stands before the modules in every line of a print, the same but for numbers, as in ``[rank0]:`` and
    ``12 |``; the text itself where there is no such beginning.
    """
    lines = text.all.split("\n")
    before = [found[1].strip() for line in lines if (found := _PART.match(line))]
    beginnings = {_BLANKS.sub(" ", _NUMBER.sub("0", each)) for each in before}
    beginning = min(beginnings, default="")
    if len(before) < 2 or len(beginnings) > 1 or not beginning or "00" in beginning:
        return text
    signs = {"0": r"\d{1,20}", " ": r"[ \t]{1,20}"}
    written = re.compile(r"[ \t]{0,20}" + "".join(signs.get(sign) or re.escape(sign) for sign in beginning))
    prefixes = [found.end() if (found := written.match(line)) else 0 for line in lines]
    return NamedText(text.name, "\n".join(" " * end + line[end:] for end, line in zip(prefixes, lines, strict=True)))

"""Blanks for what a logger writes before each line: the time, the level, and the names that all lines share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from symparam.models.printed.listings.lines import MAX_LINE

_STAMP = re.compile(
    r"(?P<told>\d{4}[-/.]\d\d[-/.]\d\d(?![\d.])|\d\d[/-]\d\d(?= \d\d:)|T?\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?(?![\w:])"
    r"|(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|CRITICAL|FATAL|TRACE)(?=[\s:|\])])|[IWEF]\d{4}(?= \d\d:))"
    r"|[\w./-]{1,80}\.py:\d{1,6}(?=[\s\])])|[\w.]{1,80}:[\w<>]{1,60}:\d{1,6}(?= - )|\d{1,9}(?= [\w./-]{1,80}\.py:\d)|[\s\[\]()|:>,-]{1,60}"
)
"""The time, the date or the level of a record (``told``), the place in the source that wrote it, or the signs between these."""
_NO_WORD = re.compile(r"[\d({]|\[\d")
"""The beginning of what is no name of a logger."""
_ENDS = " \t:|])>"
"""Signs that end a word of a logger."""


def without_log(lines: list[str]) -> list[str]:
    """The lines without what a logger writes before each of them, if at least two have it; the columns of the rest do not change."""
    ends = {at: end for at, line in enumerate(lines) if (end := _stamped(line))}
    while len(ends) > 1 and (shared := _shared([lines[at][end:] for at, end in ends.items()])):
        ends = {at: _stamped(lines[at], end + shared) for at, end in ends.items()}
    return [" " * ends[at] + line[ends[at] :] if at in ends and len(ends) > 1 else line for at, line in enumerate(lines)]


def _stamped(line: str, begun: int = 0) -> int:
    """Where the time and the level end with which the line begins; 0 if it has neither. After ``begun``, it need have neither."""
    place, told = begun, begun > 0
    for found in _stamps(line, begun):
        place, told = found.end(), told or found["told"] is not None
    return place - len(_opening(line, begun, place)) if told else 0


def _stamps(line: str, place: int) -> Iterator[re.Match[str]]:
    while len(line) <= MAX_LINE and (found := _STAMP.match(line, place)):
        yield found
        place = found.end()


def _opening(line: str, begun: int, place: int) -> str:
    """The signs before the rest that may belong to it, such as an opening bracket."""
    bare = line[begun:place].rstrip("([")
    return line[begun + len(bare) : place]


def common_beginning(texts: Sequence[str]) -> str:
    """The longest text with which all of them begin."""
    first, last = min(texts), max(texts)
    return first[: next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), min(len(first), len(last)))]


def _shared(rests: list[str]) -> int:
    """How long the words are with which all of the rests begin, up to a sign that ends one."""
    prefix = common_beginning(rests)
    found = _NO_WORD.search(prefix)
    prefix = prefix[: found.start()] if found else prefix
    return max(map(prefix.rfind, _ENDS)) + 1

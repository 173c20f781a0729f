"""A text with a name, and positions in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from symparam.core.frozen import frozen


@frozen
class NamedText:
    """A text and the name of its file."""

    name: str
    all: str

    @cached_property
    def _starts(self) -> list[int]:
        starts, place = [0], self.all.find("\n")
        while place >= 0:
            starts.append(place + 1)
            place = self.all.find("\n", place + 1)
        return starts

    def line(self, place: int) -> int:
        """The line number, from 1."""
        return bisect_right(self._starts, place)

    def place(self, place: int) -> str:
        """The position in words: ``model.txt, line 3, column 5``."""
        line, column = self.position(place)
        return f"{self.name}, line {line}, column {column}"

    def position(self, place: int) -> tuple[int, int]:
        """Line and column, from 1."""
        line = self.line(place)
        return line, place - self._starts[line - 1] + 1


_TO_TERMINAL = re.compile(r"\x1b(?:\[[\d;?]{0,40}[A-Za-z]|\]8;[^\x07\x1b]{0,2000}(?:\x07|\x1b\\))")
"""What tells a terminal the colour of what follows, or where a link leads."""

_INVISIBLE = re.compile("[\u200b-\u200d\u2060\ufeff]")
"""Signs without width, as at the beginning of a file that was pasted into another."""


def plain_text(text: str) -> str:
    """The text without colours and invisible signs, and with a newline at the end of each line, as on Unix, also where it has those of
    Windows or of an old Mac.
    """
    text = _INVISIBLE.sub("", _TO_TERMINAL.sub("", text) if "\x1b" in text else text).replace("\r\n", "\n")
    return text if "\n" in text else text.replace("\r", "\n")

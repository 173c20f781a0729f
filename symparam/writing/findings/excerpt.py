"""Shows the author's line with the place marked, safely for a terminal: control characters are escaped, and columns line up."""

from __future__ import annotations

import re
import unicodedata

_TAB = 4  # Columns of a tab. The terminal's own tab stops would not match the author's, as a line number precedes the line.
_CELLS = re.compile(r"(?: ?</?t[dhr]\b[^<>]*>)+ ?")
_SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻"
_PLAIN = {
    "×": "*", "·": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "—": "-", "≈": "~", "≤": "<=", "≥": ">=", "≠": "!=", "→": "->",
    "…": "...", "“": '"', "”": '"', "‘": "'", "’": "'",
}  # fmt: skip


def quoted(text: str, most: int) -> str:
    """The words of an author on one line, shortened if they are long, with bars in place of the tags between the cells of a table."""
    line = _CELLS.sub(" | ", " ".join(text.split())).strip()
    return line if len(line) <= most else line[: most - 1] + "…"


def shown(text: str, encoding: str = "utf-8") -> str:
    """The text as a terminal of that encoding can show it.

    Control characters, with which a document could rewrite the report, and characters that are invisible or change the direction of the
    text become escapes such as ``\\x1b``. Characters that the encoding lacks become their ASCII equivalent (``*`` for ``×``), or ``?``.
    """
    return "".join(_cells(text, encoding))


def excerpt(line: str, start: int, end: int, width: int, encoding: str = "utf-8") -> tuple[str, str]:
    """The line, cut to a number of columns around the text between two offsets, and the carets for the line below."""
    from wcwidth import wcswidth

    # A line may be as long as the document; more characters than columns are not needed on either side.
    offset = max(0, start - width)
    cells = _cells(line[offset : start + width], encoding)
    start, end = start - offset, max(start + 1, end) - offset
    dots = shown("…", encoding)
    widths = [wcswidth(cell) for cell in cells]
    first, last = 0, len(cells)
    if offset or len(line) > offset + last or sum(widths) > width:
        first, last = _window(widths, start, min(end, len(cells)), width - 2 * len(dots))
    before = (dots if offset or first else "") + "".join(cells[first:start])
    after = dots if last < len(cells) or offset + last < len(line) else ""
    marked = wcswidth("".join(cells[start : min(end, last)]))
    return before + "".join(cells[start:last]) + after, " " * wcswidth(before) + "^" * max(1, marked)


def _window(widths: list[int], start: int, end: int, room: int) -> tuple[int, int]:
    """The range of cells to keep: the marked ones as far as there is room, then equally many to the left and to the right."""
    first = last = start
    while last < end and widths[last] <= room:
        room -= widths[last]
        last += 1
    while True:
        left = first > 0 and widths[first - 1] <= room
        right = last < len(widths) and widths[last] <= room
        if not left and not right:
            return first, last
        if left and (not right or start - first <= last - end):
            first -= 1
            room -= widths[first]
        else:
            room -= widths[last]
            last += 1


def _cells(text: str, encoding: str) -> list[str]:
    """Each character as it is shown."""
    if text.isprintable() and encodable(text, encoding):
        return [*text]
    return [_cell(character, text[index - 1 : index], encoding) for index, character in enumerate(text)]


def _cell(character: str, before: str, encoding: str) -> str:
    if character == "\t":
        return " " * _TAB
    if not character.isprintable() and unicodedata.category(character) != "Zs":
        return character.encode("ascii", "backslashreplace").decode() if ord(character) > 127 else f"\\x{ord(character):02x}"
    if encodable(character, encoding):
        return character
    if character in _SUPERSCRIPTS:
        # One sign for the whole exponent, so that 10¹² is 10^12.
        return ("" if before and before in _SUPERSCRIPTS else "^") + unicodedata.normalize("NFKC", character).replace("−", "-")
    like = _PLAIN.get(character) or unicodedata.normalize("NFKC", character)
    return like if like.isprintable() and encodable(like, encoding) else "?"


def encodable(text: str, encoding: str) -> bool:
    """Whether an encoding has all characters of the text."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True

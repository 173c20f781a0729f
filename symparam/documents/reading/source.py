"""The text of a document with its name: decodes bytes, and gives places as line and column."""

from __future__ import annotations

import codecs
from array import array
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import field
from pathlib import Path

from symparam.core.frozen import cached_property, frozen
from symparam.errors import DocumentError, shorten

MAX_BYTES = 4_000_000  # Larger than any written derivation; a larger file is data.

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # Begins like the mark of UTF-16, so it is tested first.
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@frozen
class Origin:
    """The file that a page was taken from, and where in it each character of the page is written."""

    file: Source
    offsets: array[int]


@frozen
class Source:
    """A document as text. ``name`` identifies it in messages: the path as the user gave it, or ``<stdin>``. A page that is not its file as
    it is written, as that of a notebook, has an ``origin``.
    """

    name: str
    text: str
    origin: Origin | None = field(default=None, compare=False)

    @cached_property
    def _starts(self) -> list[int]:
        """Where each line starts: after every newline, and nowhere else, as editors count."""
        starts, at = [0], self.text.find("\n")
        while at >= 0:
            starts.append(at + 1)
            at = self.text.find("\n", at + 1)
        return starts

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; the column counts characters."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def place_in_file(self, offset: int) -> tuple[int, int]:
        """Line and column in the file of an offset of the page."""
        if self.origin is None or not self.origin.offsets:
            return self.place(offset)
        return self.origin.file.place(self.origin.offsets[min(offset, len(self.origin.offsets) - 1)])

    def offset(self, number: int) -> int:
        """The offset of the start of a line, counted from 1; after the last line the end of the text."""
        return self._starts[number - 1] if number <= len(self._starts) else len(self.text)

    def line(self, number: int) -> str:
        """The text of a line, from 1, without its end."""
        start = self._starts[number - 1]
        end = self._starts[number] - 1 if number < len(self._starts) else len(self.text)
        return self.text[start:end].removesuffix("\r")


def rewritten(source: Source, changes: Iterable[tuple[int, int, str]]) -> Source:
    """The page with each stretch from a start to an end replaced, in their order; each character has its place in the file. The last one of
    a replacement is in the place of the last one that it replaces.
    """
    pieces, places, at = list[str](), array("L"), 0
    for start, end, written in changes:
        pieces += source.text[at:start], written
        places.extend(range(at, start))
        places.extend(end - 1 if index == len(written) - 1 else min(start + index, end - 1) for index in range(len(written)))
        at = end
    if not pieces:
        return source
    pieces.append(source.text[at:])
    places.extend(range(at, len(source.text)))
    if source.origin:
        places = array("L", (source.origin.offsets[place] for place in places))
    return Source(source.name, "".join(pieces), Origin(source.origin.file if source.origin else source, places))


def too_large(name: str, size: int) -> DocumentError:
    """The error for a document of more than `MAX_BYTES`."""
    return DocumentError(f"{name}: the file has {size:,} bytes; at most {MAX_BYTES:,} are read, so give the part with the formulas")


def decode(content: bytes, name: str) -> Source:
    """The bytes of a document as text: UTF-8, or UTF-16 and UTF-32 with a byte order mark.

    Raises `DocumentError` for a document that is too large, is not text, or has another encoding, with the offending line.
    """
    if len(content) > MAX_BYTES:
        raise too_large(name, len(content))
    mark, encoding = next(((mark, encoding) for mark, encoding in _MARKS if content.startswith(mark)), (b"", "utf-8"))
    body = content[len(mark) :]
    if encoding == "utf-8" and b"\0" in body:
        raise DocumentError(f"{name}: the file is binary (it holds a zero byte); a text, Markdown or LaTeX document is expected")
    try:
        text = body.decode(encoding)
    except UnicodeDecodeError as error:
        line = body.count(b"\n", 0, error.start) + 1
        column = error.start - (body.rfind(b"\n", 0, error.start) + 1) + 1
        raise DocumentError(
            f"{name}:{line}:{column}: the file is not {encoding.upper()} (byte 0x{body[error.start]:02x}); save it as UTF-8"
        ) from None
    return Source(name, text)


def read_source(path: str) -> Source:
    """The document in a file. Raises `DocumentError` if the file does not exist or cannot be read."""
    return decode(read_bytes(path), path)


def read_bytes(path: str) -> bytes:
    """The bytes of a file, at most `MAX_BYTES`. Raises `DocumentError` if it does not exist, cannot be read, or is larger."""
    try:
        with Path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
            size = len(content) if len(content) <= MAX_BYTES else max(Path(path).stat().st_size, len(content))
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise DocumentError(f"{shorten(path)!r} cannot be read: {reason}; give a text, Markdown or LaTeX document") from None
    if size > MAX_BYTES:
        raise too_large(path, size)
    return content

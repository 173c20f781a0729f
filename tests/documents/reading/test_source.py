"""The bytes of a document as text, and places in it."""

from __future__ import annotations

import codecs
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.reading.source import MAX_BYTES, Source, decode, read_source
from symparam.errors import DocumentError

TEXT = "参数量 = 5 × 6\r\nsum: 30\n"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (TEXT.encode(), TEXT),
        (codecs.BOM_UTF8 + TEXT.encode(), TEXT),
        (codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"), TEXT),
        (codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"), TEXT),
        (codecs.BOM_UTF32_LE + TEXT.encode("utf-32-le"), TEXT),
        (codecs.BOM_UTF32_BE + TEXT.encode("utf-32-be"), TEXT),
    ],
)
def test_text_in_unicode(content: bytes, text: str) -> None:
    assert decode(content, "a.md") == Source("a.md", text)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"5 = 5\0", "a.md: the file is binary (it holds a zero byte); a text, Markdown or LaTeX document is expected"),
        (b"5 = 5\nsum \xff = 6", "a.md:2:5: the file is not UTF-8 (byte 0xff); save it as UTF-8"),
        ("参数".encode("gbk"), "a.md:1:1: the file is not UTF-8 (byte 0xb2); save it as UTF-8"),
        (codecs.BOM_UTF16_LE + b"\x00\xd8", "a.md:1:1: the file is not UTF-16-LE (byte 0x00); save it as UTF-8"),
        (
            b"1" * (MAX_BYTES + 1),
            "a.md: the file has 4,000,001 bytes; at most 4,000,000 are read, so give the part with the formulas",
        ),
    ],
)
def test_what_is_no_text(content: bytes, message: str) -> None:
    with pytest.raises(DocumentError) as error:
        decode(content, "a.md")
    assert str(error.value) == message


def test_as_much_as_is_read_is_read() -> None:
    assert len(decode(b"1" * MAX_BYTES, "a").text) == MAX_BYTES


def test_places_and_lines() -> None:
    source = Source("a", "ab\n\ncd\r\nx\u2028y\x0cz")
    assert [source.place(offset) for offset in (0, 2, 3, 4, 6, 8, 10, 12)] == [
        (1, 1), (1, 3), (2, 1), (3, 1), (3, 3), (4, 1), (4, 3), (4, 5),
    ]  # fmt: skip
    assert [source.line(number) for number in (1, 2, 3, 4)] == ["ab", "", "cd", "x\u2028y\x0cz"]


@given(st.text(alphabet="ab\n\r参", max_size=40), st.data())
def test_a_place_leads_back_to_its_character(text: str, data: st.DataObject) -> None:
    source = Source("a", text)
    offset = data.draw(st.integers(0, len(text)))
    line, column = source.place(offset)
    assert sum(len(each) + 1 for each in text.split("\n")[: line - 1]) + column - 1 == offset
    assert source.line(line) == text.split("\n")[line - 1].removesuffix("\r")


def test_a_file_is_read_and_called_as_it_was_given(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_bytes(TEXT.encode())
    assert read_source(str(path)) == Source(str(path), TEXT)


def test_files_that_are_not_there_or_too_large(tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match=r"'.*b\.md' cannot be read: No such file or directory; give a text"):
        read_source(str(tmp_path / "b.md"))
    with pytest.raises(DocumentError, match="cannot be read: Is a directory; give a text"):
        read_source(str(tmp_path))
    with pytest.raises(DocumentError, match="cannot be read: embedded null byte; give a text"):
        read_source("a\0b")
    large = tmp_path / "large.md"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 7)
    with pytest.raises(DocumentError, match=r"the file has 4,000,007 bytes; at most 4,000,000 are read"):
        read_source(str(large))

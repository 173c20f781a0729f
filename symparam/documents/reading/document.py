"""A document as the checker wants it: lines with their labels and chains, table rows with those of each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from symparam.core.parsing.reader import COMMON_NAMES
from symparam.documents.reading.chains import Chain, chains, vocabulary_of
from symparam.documents.reading.copies import put_right, with_points, without_copies
from symparam.documents.reading.layout import PageLine, page_lines
from symparam.documents.reading.source import Source
from symparam.documents.reading.vocabulary import Vocabulary

# Names without an underscore, such as layers, are words of the language as often as they are sizes.
PAGE_NAMES: dict[str, str] = {name: letter for name, letter in COMMON_NAMES.items() if "_" in name} | {
    "num_layer": "N",
    "inter_size": "I",
    "ffn_size": "I",
    "ffn_hidden_size": "I",
    "seq_len": "L",
    "seq_length": "L",
    "d_head": "d",
    "num_kv_heads": "k",
    "n_kv_heads": "k",
}


@dataclass(frozen=True)
class ReadCell:
    """A cell of a table row: its text without markup, whether it is bold, and the chains in it."""

    start: int
    end: int
    text: str
    bold: bool
    chains: tuple[Chain, ...]


class ReadLine(NamedTuple):
    """A line of the document with what was read in it."""

    line: PageLine
    chains: tuple[Chain, ...] = ()
    cells: tuple[ReadCell, ...] = ()


@dataclass(frozen=True)
class ReadDocument:
    """A document read: its lines in the order of the page, and what names stand for in it. ``source`` is as its author wrote it, ``text``
    what is read: without what copying added, each character at the same place."""

    source: Source
    vocabulary: Vocabulary
    text: str

    @cached_property
    def lines(self) -> tuple[ReadLine, ...]:
        """All lines. They take some hundred times the memory of the text; who needs one after the other takes those of `reading`."""
        return tuple(self.reading())

    def reading(self) -> Iterator[ReadLine]:
        """The lines, each read when it is asked for."""
        text, vocabulary = self.text, self.vocabulary
        for line in page_lines(text):
            if line.kind == "row":
                cells = tuple(_cell(text, cell.start, cell.end, chains(text, cell.start, cell.tokens, vocabulary)) for cell in line.cells)
                yield ReadLine(line, (), cells)
            elif line.tokens:
                yield ReadLine(line, tuple(chains(text, line.start, line.tokens, vocabulary)))
            else:
                yield ReadLine(line)


def read_document(source: Source, names: Mapping[str, str] | None = None) -> ReadDocument:
    """The document with everything in it that may be a claim. ``names`` declares the author's names, each with its standard letter."""
    text = with_points(without_copies(put_right(source.text)))
    return ReadDocument(source, vocabulary_of(text, PAGE_NAMES | dict(names or {})), text)


_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|[*_`$]+")


def _cell(text: str, start: int, end: int, found: list[Chain]) -> ReadCell:
    written = text[start:end].strip()
    bold = written.startswith("**") or "<b>" in written or "<strong>" in written or "\\textbf" in written or "\\mathbf" in written
    return ReadCell(start, end, plain(written), bold, tuple(found))


def plain(written: str) -> str:
    """Words without the marks around them."""
    return " ".join(_MARKUP.sub(" ", written).split())

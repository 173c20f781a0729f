"""Reads a document for the checker: lines with their labels and chains, table rows with those of each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from symparam.core.frozen import cached_property, frozen
from symparam.core.parsing.reader import COMMON_NAMES
from symparam.documents.reading.chains import EqualityChain, read_chains
from symparam.documents.reading.copied_formulas import (
    with_decimal_points,
    with_device_times,
    with_figure_spaces,
    without_copies,
    without_copying_artefacts,
    without_math_roles,
)
from symparam.documents.reading.line_splitting import PageLine, page_lines
from symparam.documents.reading.source import Source
from symparam.documents.reading.vocabulary import Vocabulary, vocabulary_of

# A name without an underscore, such as layers, is as often an ordinary word as a size.
PAGE_NAMES: dict[str, str] = {name: letter for name, letter in COMMON_NAMES.items() if "_" in name} | {
    "num_layer": "N",
    "inter_size": "I",
    "ffn_size": "I",
    "ffn_hidden_size": "I",
    "ffw_size": "I",
    "seq_len": "L",
    "seq_length": "L",
    "d_head": "d",
    "key_size": "d",
    "dim_head": "d",
    "num_kv_heads": "k",
    "n_kv_heads": "k",
    "kv_heads": "k",
    "n_kv": "k",
    "num_q_heads": "h",
    "n_q_heads": "h",
    "n_ctx": "L",
    "ctx_len": "L",
    "context_len": "L",
    "context_length": "L",
    "max_seq_len": "L",
    "n_vocab": "V",
    "n_pos": "P",
    "d_c": "r_k",
    "d_rope": "d_r",
}


class ParsedCell(NamedTuple):
    """A cell of a table row: its text without markup, whether it is bold, and the chains in it."""

    start: int
    end: int
    text: str
    bold: bool
    chains: tuple[EqualityChain, ...]


class ParsedLine(NamedTuple):
    """A line of the document with the chains read in it."""

    line: PageLine
    chains: tuple[EqualityChain, ...] = ()
    cells: tuple[ParsedCell, ...] = ()


@frozen
class ParsedDocument:
    """A document that was read: its lines in the order of the page, and the meanings of names. ``source`` is the author's text, ``text``
    the same without what copying added, with each character at the same offset.
    """

    source: Source
    vocabulary: Vocabulary
    text: str

    @cached_property
    def lines(self) -> tuple[ParsedLine, ...]:
        """All lines. They take a hundred times the memory of the text; to go through them one by one, use `reading`."""
        return tuple(self.reading())

    def reading(self) -> Iterator[ParsedLine]:
        """The lines, read lazily."""
        text, vocabulary = self.text, self.vocabulary
        for line in page_lines(text):
            if line.kind == "row":
                chains = (read_chains(text, cell.start, cell.tokens, vocabulary) for cell in line.cells)
                cells = tuple(_cell(text, cell.start, cell.end, found) for cell, found in zip(line.cells, chains, strict=True))
                yield ParsedLine(line, (), cells)
            elif line.tokens:
                yield ParsedLine(line, tuple(read_chains(text, line.start, line.tokens, vocabulary)))
            else:
                yield ParsedLine(line)


def parse_document(source: Source, names: Mapping[str, str] | None = None) -> ParsedDocument:
    """Read a document with everything in it that may be a claim. ``names`` declares the author's names, each with its standard letter."""
    text = without_math_roles(without_copies(without_copying_artefacts(source.text)))
    text = with_device_times(with_figure_spaces(with_decimal_points(text)))
    return ParsedDocument(source, vocabulary_of(text, PAGE_NAMES | dict(names or {})), text)


_MARKS = frozenset("<*`$_")  # The first characters of:
_MARKUP = re.compile(r"</?[A-Za-z][^<>]*>|[*`$]+|(?<![^\W_])_+|_+(?![^\W_])")  # An underscore within a name is a part of it.


def _cell(text: str, start: int, end: int, found: list[EqualityChain]) -> ParsedCell:
    written = text[start:end].strip()
    bold = written.startswith("**") or "<b>" in written or "<strong>" in written or "\\textbf" in written or "\\mathbf" in written
    return ParsedCell(start, end, without_markup(written), bold, tuple(found))


def without_markup(written: str) -> str:
    """The text without markup around words."""
    marked = not _MARKS.isdisjoint(written)
    return " ".join((_MARKUP.sub(" ", written) if marked else written).split())

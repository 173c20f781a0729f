"""The project's own pages, and what is marked in them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from symparam.documents.reading.source import Source
from symparam.pages.languages import MARKDOWN
from symparam.pages.marks import marks

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


@cache
def text(page: str) -> str:
    """The page ``families/llama.md`` of the documentation, or nothing where there is none."""
    path = DOCS / page
    return path.read_text(encoding="utf-8") if path.is_file() else ""


@cache
def asked(page: str) -> frozenset[str]:
    """The commands of its marked places."""
    return frozenset(mark.words for mark in marks(Source(page, text(page)), MARKDOWN))


def says(page: str, words: str) -> bool:
    """Whether the words are in the page, wherever its lines end."""
    return " ".join(words.split()) in " ".join(text(page).split())

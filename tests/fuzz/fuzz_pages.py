"""Any bytes as a page with marked places: filled twice it is the same, and nothing outside of the places changes. See README.md."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["symparam"]):
    from symparam.documents.reading.source import Source, decode
    from symparam.errors import SymparamError
    from symparam.pages.docs import fill_text
    from symparam.pages.filling import State
    from symparam.pages.languages import language_of
    from symparam.pages.marks import marks

SUFFIXES = (".md", ".rst", ".tex", ".html", ".ipynb")
FOLDER = tempfile.mkdtemp()


def one(data: bytes) -> None:
    if not data:
        return
    path = str(Path(FOLDER, "page" + SUFFIXES[data[0] % len(SUFFIXES)]))
    try:
        source = decode(data[1:], path)
        page = fill_text(source, path)
    except SymparamError:
        return
    again = fill_text(Source(path, page.after), path)
    assert again.after == page.after
    assert not again.of(State.FILLED)
    if not path.endswith(".ipynb"):
        language = language_of(path)
        before = [(mark.words, mark.margin) for mark in marks(source, language)]
        assert before == [(mark.words, mark.margin) for mark in marks(Source(path, page.after), language)]


atheris.Setup(sys.argv, one)
atheris.Fuzz()

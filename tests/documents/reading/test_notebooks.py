"""Notebooks are read as the page that they show, with places in their file."""

from __future__ import annotations

import json

import pytest

from symparam.documents.check import check_document
from symparam.documents.reading.notebooks import as_page
from symparam.documents.reading.source import Source

MARKDOWN = {
    "cell_type": "markdown",
    "metadata": {"source": "9"},
    "source": ["Größe 🚀\n", "\n", "12 × 768 = 9,217\n", "$3 \\times 5 = 15$"],
}
CODE = {
    "outputs": [
        {"output_type": "stream", "text": "1 × 4096 = \x1b[1m4,097\x1b[0m\n"},
        {"data": {"text/html": ["2"], "text/plain": ["3"]}},
    ],
    "source": "x = 1",
    "cell_type": "code",
}
PAGE = "Größe 🚀\n\n12 × 768 = 9,217\n$3 \\times 5 = 15$\n\n\n~~~~\nx = 1\n~~~~\n\n~~~~\n1 × 4096 = 4,097\n\n~~~~\n\n~~~~\n3\n~~~~\n\n"


def notebook(**how: object) -> str:
    """A notebook in JSON, written in one of the ways in which programs write it."""
    return json.dumps({"cells": [MARKDOWN, CODE], "nbformat": 4}, **how)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", [notebook(), notebook(indent=1, ensure_ascii=False), notebook(indent=1, sort_keys=True)])
def test_notebook_is_read_as_it_is_shown(text: str) -> None:
    page = as_page(Source("a.ipynb", text))
    assert page.text.replace("\n\n\n", "\n\n") == PAGE.replace("\n\n\n", "\n\n")
    found = [
        page.place_in_file(each.right_start) for each in check_document(Source("a.ipynb", text)).findings if each.verdict.value == "wrong"
    ]
    lines = text.split("\n")
    assert [lines[line - 1][column - 1 :][:5] for line, column in found] == ["9,217", "4,097"]


@pytest.mark.parametrize(
    "text", ["{", '{"cells": 1, "nbformat": 4}', '{"cells": [1], "nbformat": 4}', '"cells" "nbformat"', "[" * 9 + '"cells" "nbformat"']
)
def test_other_text_stays_as_it_is(text: str) -> None:
    source = Source("a.ipynb", text)
    assert as_page(source) is source
    assert source.place_in_file(0) == (1, 1)

"""Abbreviations of a page are written out, and its places remain those of the file."""

from __future__ import annotations

import json

import pytest

from symparam import check_text
from symparam.documents.reading.notebooks import as_page
from symparam.documents.reading.source import Source
from symparam.documents.reading.tex_macros import without_macros

DM = "\\newcommand{\\dm}{d_{\\text{model}}}\n"

WRITTEN_OUT = [
    (DM + "$4\\dm^2$", "$4d_{\\text{model}}^2$"),
    ("\\newcommand*\\dm{d_m}\n$V\\dm T$, \\dm{} and \\dmx", "$Vd_m T$, d_m and \\dmx"),
    ("\\def\\hid{h}\\providecommand{\\ff}{4\\hid}\n$\\ff$", "$4h$"),
    ("\\newcommand{\\gpt}{GPT-2\\xspace}\\newcommand{\\nl}{\\ensuremath{L}}\n\\gpt{} has $\\nl$", "GPT-2 has ${L}$"),
    # Left as it is: with arguments, with two meanings, with itself, over several lines.
    ("\\newcommand{\\sq}[1]{#1^2}\n$\\sq{d}$", "$\\sq{d}$"),
    ("\\def\\a{b}{\\def\\a{c}\n$\\a$}", "$\\a$}"),
    ("\\def\\a{\\b}\\def\\b{\\a}\n$\\a\\b$", "$\\a\\b$"),
    ("\\newcommand{\\a}{b\nc}\n\\a", "c}\n\\a"),
]


@pytest.mark.parametrize(("text", "last"), WRITTEN_OUT)
def test_written_out(text: str, last: str) -> None:
    found = without_macros(Source("a.tex", text))
    assert found.text.partition("\n")[2] == last
    assert found.text.partition("\n")[0] == text.partition("\n")[0]


def test_places_are_those_of_the_file() -> None:
    found = without_macros(Source("a.tex", DM + "x $\\dm = 8$"))
    at = found.text.index("$d_") + 1
    assert [found.place_in_file(each) for each in (at, at + len("d_{\\text{model}}") - 1, at + len("d_{\\text{model}} "))] == [
        (2, 4),  # The backslash of the command, its last letter, and the equals sign.
        (2, 6),
        (2, 8),
    ]


def test_places_in_a_notebook() -> None:
    text = json.dumps({"nbformat": 4, "cells": [{"cell_type": "markdown", "source": ["\\def\\m{d_m}\n", "$\\m + 1$"]}]})
    found = without_macros(as_page(Source("a.ipynb", text)))
    assert found.place_in_file(found.text.index("+ 1")) == (1, text.index("+ 1") + 1)


def test_a_page_that_would_grow_without_bound_is_read_as_it_is() -> None:
    source = Source("a.tex", "\\def\\a{" + "x" * 150 + "}\n" + "\\a" * 1000)
    assert without_macros(source) is source


def test_a_formula_of_abbreviations_is_checked() -> None:
    page = f"{DM}$\\dm = 10$. A layer has $12\\dm^2 + 13\\dm = 1340$ parameters."
    (wrong,) = check_text(page, name="a.tex").wrong
    assert wrong.message == "with H = 10 the left side is 1,330"

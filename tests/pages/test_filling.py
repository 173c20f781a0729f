"""Places filled: exact texts in every language of pages, what is current, out of date, edited by hand or at fault."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.reading.source import Source
from symparam.errors import DocumentError
from symparam.pages.docs import fill_text
from symparam.pages.filling import FilledPage, State


def filled(text: str, path: str = "page.md", overwrite: bool = False, dialect: str | None = None) -> FilledPage:
    return fill_text(Source(path, text), path, overwrite, dialect)


def states(page: FilledPage) -> list[str]:
    return [place.state.value for place in page.places]


OPEN, CLOSE = "<!-- symparam: {} -->", "<!-- /symparam -->"


def inside(text: str) -> str:
    """What is between the marks of the only place."""
    return text.partition("symparam: ")[2].partition("-->")[2].partition("<!-- /symparam")[0]


@pytest.mark.parametrize(
    ("words", "content"),
    [
        ("count gpt2", "124,439,808"),
        ("count gpt2 --format number", "124,439,808"),
        ("count gpt2 --unit M", "124.4M"),
        ("count gpt2 --unit B --digits 3", "0.124B"),
        ("count gpt2 --unit M --digits 0", "124M"),
        ("count gpt2 --unit K", "124,439.8K"),
        ("count llama-3-8b --measure kv-cache --where S=8192 --where B=1 --unit GiB --digits 2", "1.00 GiB"),
        ("count llama-3-8b --measure kv-cache --where S=8192 --where B=1 --unit GB", "1.1 GB"),
        ("derive gpt2 --where I=4H", "$(13N + P + V + 2)H + 12NH^{2}$"),
        ("derive gpt2 --where I=4H --format latex", "$(13N + P + V + 2)H + 12NH^{2}$"),
        ("derive gpt2 --where I=4H --format text", "`(13N + P + V + 2)H + 12NH²`"),
        ("derive gpt2 --where I=4H --dialect github", "$`(13N + P + V + 2)H + 12NH^{2}`$"),
        ("derive llama --measure kv-cache", "$4dkNSB$"),
        ("count llama-3-8b --measure kv-cache --where S=8192 --where B=1", "1,073,741,824"),
    ],
)
def test_a_place_within_a_line(words: str, content: str) -> None:
    page = filled(f"A **{OPEN.format(words)}{CLOSE}** b.\n")
    assert states(page) == ["filled"]
    assert inside(page.after) == content
    assert page.after.startswith(f"A **{OPEN.format(words)}")
    assert page.after.endswith("-->** b.\n")


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "page.md",
            "# A\n\n<!-- symparam: derive gpt2 --where I=4H -->\n<!-- /symparam -->\n\nb",
            "# A\n\n<!-- symparam: derive gpt2 --where I=4H -->\n\n"
            "$$\n(13N + P + V + 2)H + 12NH^{2}\n$$\n\n<!-- /symparam 8a0bb9c8 -->\n\nb",
        ),
        (
            "page.md",
            "- a\n\n  <!-- symparam: derive gpt2 --where I=4H -f text -->\n  <!-- /symparam -->\n",
            "- a\n\n  <!-- symparam: derive gpt2 --where I=4H -f text -->\n\n"
            "  ```text\n  (13N + P + V + 2)H + 12NH²\n  ```\n\n  <!-- /symparam 00000000 -->\n",
        ),
        (
            "page.md",
            "> <!-- symparam: derive gpt2 --where I=4H --dialect github -->\n> <!-- /symparam -->\n",
            "> <!-- symparam: derive gpt2 --where I=4H --dialect github -->\n>\n> ```math\n> (13N + P + V + 2)H + 12NH^{2}\n> ```\n>\n"
            "> <!-- /symparam 00000000 -->\n",
        ),
        (
            "page.md",
            "<!-- symparam: derive bloom --dialect myst --label bloom -->\n<!-- /symparam -->\n",
            "<!-- symparam: derive bloom --dialect myst --label bloom -->\n\n```{math}\n:label: bloom\n(13N + V + 4)H + 12NH^{2}\n```\n\n"
            "<!-- /symparam 00000000 -->\n",
        ),
        (
            "page.tex",
            "\\begin{equation}\n  % symparam: derive bloom\n  % /symparam\n\\end{equation}\n",
            "\\begin{equation}\n  % symparam: derive bloom\n  (13N + V + 4)H + 12NH^{2}\n  % /symparam 00000000\n\\end{equation}\n",
        ),
        (
            "page.tex",
            "It has\n% symparam: count gpt2 -f number\n% /symparam\nof them.\n",
            "It has\n% symparam: count gpt2 -f number\n124,439,808\n% /symparam 00000000\nof them.\n",
        ),
        (
            "page.tex",
            "% symparam: derive bloom -f text\n% /symparam\n",
            "% symparam: derive bloom -f text\n\\begin{verbatim}\n(13N + V + 4)H + 12NH²\n\\end{verbatim}\n% /symparam 00000000\n",
        ),
        (
            "page.rst",
            ".. symparam: derive bloom --label bloom\n.. /symparam\n",
            ".. symparam: derive bloom --label bloom\n\n"
            ".. math::\n   :label: bloom\n\n   (13N + V + 4)H + 12NH^{2}\n\n.. /symparam 00000000\n",
        ),
        (
            "page.rst",
            ".. symparam: count gpt2 --format number --substitution gpt2\n.. /symparam\n",
            ".. symparam: count gpt2 --format number --substitution gpt2\n\n.. |gpt2| replace:: 124,439,808\n\n.. /symparam 00000000\n",
        ),
        (
            "page.html",
            "<p><!-- symparam: count gpt2 --><!-- /symparam --></p>",
            "<p><!-- symparam: count gpt2 -->124,439,808<!-- /symparam 00000000 --></p>",
        ),
        (
            "page.md",
            "a\r\n\r\n<!-- symparam: count gpt2 -f number -->\r\n<!-- /symparam -->\r\n",
            "a\r\n\r\n<!-- symparam: count gpt2 -f number -->\r\n\r\n124,439,808\r\n\r\n<!-- /symparam 00000000 -->\r\n",
        ),
    ],
)
def test_a_place_on_lines_of_its_own(path: str, before: str, after: str) -> None:
    page = filled(before, path)
    assert states(page) == ["filled"]
    assert without_digests(page.after) == without_digests(after)
    again = filled(page.after, path)
    assert (states(again), again.after) == (["current"], page.after)


@pytest.mark.parametrize(
    ("path", "before", "rests_on"),
    [
        ("page.md", "<!-- symparam: derive OlmoeModel --><!-- /symparam -->\n", "$ (where `H % h == 0`, `attention_bias == false`)<!--"),
        (
            "page.md",
            "<!-- symparam: derive OlmoeModel -->\n<!-- /symparam -->\n",
            "\n\nIt holds where `H % h == 0`, `attention_bias == false`.\n",
        ),
        ("page.rst", ".. symparam: derive OlmoeModel\n.. /symparam\n", "\n\nIt holds where ``H % h == 0``, ``attention_bias == false``.\n"),
        ("page.tex", "% symparam: derive OlmoeModel\n% /symparam\n", "\n% It holds where H % h == 0, attention_bias == false.\n"),
        (
            "page.html",
            "<!-- symparam: derive OlmoeModel --><!-- /symparam -->",
            "</math> (where <code>H % h == 0</code>, <code>attention_bias",
        ),
    ],
)
def test_a_formula_of_a_traced_class_says_what_it_rests_on(path: str, before: str, rests_on: str) -> None:
    page = filled(before, path)
    assert rests_on in page.after
    assert states(filled(page.after, path)) == ["current"]


def without_digests(text: str) -> str:
    return re.sub(r"/symparam [0-9a-f]{8}", "/symparam DIGEST", text)


def test_headings_go_below_the_one_that_they_stand_under() -> None:
    place = f"{OPEN.format('count gpt2')}\n{CLOSE}\n"
    page = filled(f"# A\n\n{place}\n## B\n\n```sh\n# no heading\n```\n\n{place}\nC\n-\n\n{place}")
    assert [line for line in page.after.splitlines() if "GPT2LMHeadModel" in line] == [
        "## gpt2 (GPT2LMHeadModel): the number of parameters",
        "### gpt2 (GPT2LMHeadModel): the number of parameters",
        "### gpt2 (GPT2LMHeadModel): the number of parameters",
    ]
    assert states(filled(page.after)) == ["current"] * 3


def test_a_place_keeps_the_dialect_that_it_is_filled_in() -> None:
    page = "<!-- symparam: derive bloom -->\n<!-- /symparam -->\n\nA <!-- symparam: derive gpt1 --><!-- /symparam -->.\n"
    for dialect in ("tex", "github", "myst", "mkdocs"):
        once = filled(page, dialect=dialect).after
        assert states(filled(once, dialect=None)) == ["current", "current"]
        other = filled(once.replace("derive bloom", "derive gpt2"), dialect=None).after
        assert other == filled(page.replace("derive bloom", "derive gpt2"), dialect=dialect).after
    assert states(filled(once, dialect="tex")) == ["filled", "filled"]


def test_in_latex_and_with_a_unit_a_count_is_a_number() -> None:
    assert "\n124,439,808\n" in filled("% symparam: count gpt2\n% /symparam\n", "page.tex").after
    assert "\n124.4M\n" in filled("<!-- symparam: count gpt2 --unit M -->\n<!-- /symparam -->\n").after
    rst = ".. symparam: count gpt2 --substitution gpt2\n.. /symparam\n"
    assert ".. |gpt2| replace:: 124,439,808\n" in filled(rst, "page.rst").after
    assert "longtable" in filled("% symparam: count gpt2 --format latex\n% /symparam\n", "page.tex").after


def test_what_was_filled_is_filled_again_and_what_was_edited_is_kept() -> None:
    own = filled("<!-- symparam: count gpt2 --><!-- /symparam -->").after
    assert states(filled(own)) == ["current"]
    out_of_date = own.replace("count gpt2", "count gpt2-medium")
    assert filled(out_of_date).after == filled("<!-- symparam: count gpt2-medium --><!-- /symparam -->").after
    edited = own.replace("124,439,808", "some 124 million")
    kept = filled(edited)
    assert (states(kept), kept.after) == (["edited"], edited)
    assert "symparam docs --overwrite" in kept.places[0].message
    assert filled(edited, overwrite=True).after == own
    # Without a digest only what is empty, and what symparam would write, is known to be nobody's own words.
    assert states(filled("<!-- symparam: count gpt2 -->124,439,808<!-- /symparam -->")) == ["filled"]
    assert states(filled("<!-- symparam: count gpt2 -->124.4M<!-- /symparam -->")) == ["not-filled"]
    # An editor that takes blanks off the ends of lines, or indents a place, has not edited it.
    block = filled("<!-- symparam: derive bloom -->\n<!-- /symparam -->\n").after
    moved = "".join(f"  {line}\n" if line else "\n" for line in block.splitlines())
    assert states(filled(moved.replace("derive bloom", "derive gpt2"))) == ["filled"]


@pytest.mark.parametrize(
    ("path", "words", "message"),
    [
        ("page.md", "derive llamma", "symparam derive llamma: there is no"),
        ("page.md", "dervie llama", "there is no command for pages named 'dervie'; did you mean 'derive'?"),
        ("page.md", "", "there is no command for pages named ''"),
        ("page.md", "derive llama --measur x", "No such option: --measur (Possible options: --measure"),
        ("page.md", "derive llama -o x.md", "No such option: -o"),
        ("page.md", "derive 'llama", "is not a command (no closing quotation)"),
        ("page.md", "explain gpt2", "explain gives more than fits in a line; put both marks on lines of their own"),
        ("page.md", "derive gpt2 -f json", "--format json cannot be shown in this place of a page in Markdown"),
        ("page.md", "derive gpt2 -f number", "--format number applies only to count, which has a total"),
        ("page.md", "count gpt2 --label a", "--label applies only to the formula of derive"),
        ("page.md", "derive gpt2 --label a", "--label applies only to a displayed formula"),
        ("page.md", "derive gpt2 --substitution a", "--substitution applies only to a number; ask for one with count"),
        ("page.md", "count gpt2 --substitution a", "--substitution is only for reStructuredText, but this page is Markdown"),
        ("page.md", "count gpt2 --unit MiB", "--unit MiB does not fit a number of parameters; K, M, G, B, T, P do"),
        ("page.md", "count gpt2 --unit m", "there is no unit named 'm'; did you mean 'M'"),
        ("page.md", "count gpt2 --digits 2", "--digits applies only to a number in a unit"),
        ("page.md", "count gpt2 --unit M --digits 9", "--digits 9 are not between 0 and 6"),
        ("page.md", "derive gpt2 --unit M", "--unit applies only to a number"),
        ("page.html", "derive gpt2 --dialect github", "--dialect github applies only to Markdown, but this page is HTML"),
        ("page.md", "count -", "a page cannot ask for standard input"),
        ("page.md", "count /etc/passwd", "lies outside of the project"),
        ("page.md", "count gpt2 --config ../../../x.json", "lies outside of the project"),
        ("page.md", "count bert", "has no number for H, I, N"),
        ("docs/page.md", "count config.json", "there is no file 'docs/config.json'; files are named from the folder of the page"),
        ("page.md", f"count {'long' * 100}", "there is no architecture, preset or file named 'longlong"),
    ],
)
def test_a_command_at_fault(path: str, words: str, message: str) -> None:
    before = f"A\n\nB {OPEN.format(words)}old{CLOSE}.\n"
    page = filled(before, path)
    assert (states(page), page.after) == (["failed"], before)
    assert (page.places[0].line, page.places[0].column) == (3, 3)
    assert message in page.places[0].message


def test_a_file_is_named_from_the_folder_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "own.json").write_text(
        '{"model_type": "gpt2", "n_embd": 8, "n_layer": 2, "n_head": 2, "vocab_size": 11, "n_positions": 5}'
    )
    path = str(tmp_path / "docs" / "page.md")
    page = filled(f"{OPEN.format('count own.json')}{CLOSE} {OPEN.format('derive gpt2 --config own.json')}{CLOSE}", path)
    assert states(page) == ["filled", "filled"]
    block = filled(f"{OPEN.format('count own.json')}\n{CLOSE}\n", path)
    assert "\n# own.json (GPT2LMHeadModel)" in block.after
    assert str(tmp_path) not in block.after


NOTEBOOK = """{
 "cells": [
  {
   "cell_type": "markdown",
   "metadata": {},
   "source": [
    "# Größe \\u2248\\n",
    "It has <!-- symparam: count gpt2 --><!-- /symparam --> parameters."
   ]
  },
  {"cell_type": "code", "source": ["# <!-- symparam: count gpt2 -->\\n"], "outputs": [], "metadata": {}},
  {"cell_type": "markdown", "metadata": {}, "source": "<!-- symparam: derive bloom -->\\n<!-- /symparam -->"}
 ],
 "metadata": {"x": 1.50},
 "nbformat": 4, "nbformat_minor": 5
}
"""


def test_a_notebook_changes_in_its_places_and_nowhere_else() -> None:
    text = NOTEBOOK.replace("\\u2248", "≈")
    page = filled(text, "a.ipynb")
    assert [(place.cell, place.line, place.state) for place in page.places] == [(1, 2, State.FILLED), (3, 1, State.FILLED)]
    expected = text.replace("gpt2 --><!-- /symparam -->", "gpt2 -->124,439,808<!-- /symparam DIGEST -->").replace(
        "bloom -->\\n<!-- /symparam -->", "bloom -->\\n\\n$$\\n(13N + V + 4)H + 12NH^{2}\\n$$\\n\\n<!-- /symparam DIGEST -->"
    )
    assert without_digests(page.after) == expected
    assert states(filled(page.after, "a.ipynb")) == ["current", "current"]
    escaped = filled(text.replace("≈", "\\u2248").replace("ö", "\\u00f6").replace("ß", "\\u00df"), "a.ipynb")
    assert states(escaped) == ["filled", "filled"]
    assert "\\u00f6" in escaped.after


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cells": 1}', '{"cells": [1]}', "[" * 100_000])
def test_what_is_no_notebook(text: str) -> None:
    with pytest.raises(DocumentError, match=r"a\.ipynb: this is not a notebook"):
        filled(text, "a.ipynb")


WORDS = st.sampled_from(["derive bloom", "count gpt2", "count nothing", "derive gpt2 -f text", "x"])
PIECES = st.one_of(
    st.builds("<!-- symparam: {} -->{}<!-- /symparam -->".format, WORDS, st.sampled_from(["", "\n", "own words", "\n> a\n"])),
    st.sampled_from(["\n", "text ", "> ", "  ", "# A\n", "```\n", "- ", "|", "\r\n"]),
)


@given(st.lists(PIECES, max_size=6).map("".join))
def test_filling_again_changes_nothing_more_and_loses_no_word(text: str) -> None:
    try:
        once = filled(text)
    except DocumentError:
        return
    twice = filled(once.after)
    assert twice.after == once.after
    assert State.FILLED not in {place.state for place in twice.places}
    assert ("own words" in text) == ("own words" in once.after)


def test_cells_that_look_alike_are_told_apart() -> None:
    mark = '"<!-- symparam: count gpt2 --><!-- /symparam -->"'
    kinds = ("raw", "markdown", "code", "markdown")
    text = '{"cells": [' + ", ".join(f'{{"cell_type": "{kind}", "source": [{mark}]}}' for kind in kinds) + "]}"
    after = filled(text, "a.ipynb").after
    assert [cell.count("124,439,808") for cell in after.split("cell_type")[1:]] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("page.md", "".join("`" * length + " " for length in range(2000))),
        ("page.md", "x" * 1_000_000 + "\n" + "# a\n" * 100_000),
        ("page.md", "> " * 500_000),
        ("page.tex", "\\begin{verbatim}" * 100_000),
        ("page.rst", "a::\n\n" * 100_000),
    ],
    ids=range(5),
)
def test_large_pages_are_read_in_bounded_time(path: str, text: str) -> None:
    assert filled(text, path).after == text


@pytest.mark.parametrize(
    "mark", ["<!-- symparam: ", "<!-- symparam", "<!-- symparam: derive a -->", "<!-- /symparam -->", "<!-- symparam\n"]
)
def test_very_many_marks_that_are_never_closed_end_in_a_sentence(mark: str) -> None:
    with pytest.raises(DocumentError, match=r"page\.md:[12]:"):
        filled(mark * 100_000)

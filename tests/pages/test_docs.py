"""``symparam docs`` as people use it: real files."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import symparam
from symparam.documents.reading.source import Source
from symparam.errors import SymparamError
from tests.command import text

PAGE = """# GPT-2

It has **<!-- symparam: count gpt2 -->{number}<!-- /symparam{digest} -->** parameters.

<!-- symparam: derive gpt2 --where I=4H -->
<!-- /symparam -->
"""
EMPTY = PAGE.format(number="", digest="")
FILLED = """# GPT-2

It has **<!-- symparam: count gpt2 -->124,439,808<!-- /symparam f2477c87 -->** parameters.

<!-- symparam: derive gpt2 --where I=4H -->

$$
(13N + P + V + 2)H + 12NH^{2}
$$

<!-- /symparam b9c896a9 -->
"""


def docs(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return text("docs", *arguments, cwd=cwd)


def test_a_page_is_filled_checked_goes_out_of_date_and_is_mended(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(EMPTY)
    checked = docs("--check", "page.md", cwd=tmp_path)
    assert (checked.returncode, page.read_text()) == (1, EMPTY)
    done = docs("page.md", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1 page, 2 marked places: 2 filled\n", "")
    assert page.read_text() == FILLED
    again = docs("--check", ".", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, "1 page, 2 marked places: 2 up to date\n")
    # The model of the page changes, so what is in its place is out of date.
    page.write_text(FILLED.replace("--where I=4H", "--where I=4H --where tie_word_embeddings=false"))
    stale = docs("--check", "page.md", cwd=tmp_path)
    assert stale.returncode == 1
    assert stale.stdout == (
        "--- page.md\n+++ page.md (filled)\n@@ -5,7 +5,7 @@\n"
        " <!-- symparam: derive gpt2 --where I=4H --where tie_word_embeddings=false -->\n \n $$\n"
        "-(13N + P + V + 2)H + 12NH^{2}\n+(13N + P + 2V + 2)H + 12NH^{2}\n $$\n \n"
        "-<!-- /symparam b9c896a9 -->\n+<!-- /symparam 4f14873e -->\n"
        "\n1 page, 2 marked places: 1 up to date, 1 out of date\n"
    )
    assert docs("page.md", cwd=tmp_path).returncode == 0
    assert docs("--check", "page.md", cwd=tmp_path).returncode == 0


def test_a_place_that_was_never_filled_is_not_said_to_have_been(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE.format(number="1", digest=""))
    done = docs("page.md", cwd=tmp_path)
    assert done.returncode == 1
    assert "page.md:3:10: this place holds text that symparam has not filled in, so it is left as it is; empty it" in done.stdout
    assert "since it was filled" not in done.stdout
    assert done.stdout.endswith("1 page, 2 marked places: 1 filled, 1 not filled, as there is other text\n")


def test_an_edit_by_hand_is_reported_and_kept(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    edited = FILLED.replace("124,439,808", "124,439,809").replace("--where I=4H", "--where I=2H")
    page.write_text(edited)
    done = docs("page.md", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout == (
        "page.md:3:10: this place was edited by hand since it was filled, so it is left as it is; move the edit out of it, or fill it "
        "again with symparam docs --overwrite\n    - 124,439,809\n    + 124,439,808\n\n"
        "1 page, 2 marked places: 1 filled, 1 edited by hand\n"
    )
    assert "124,439,809" in page.read_text()
    assert "(13N" not in page.read_text()
    assert docs("page.md", "--check", cwd=tmp_path).returncode == 1
    assert docs("page.md", "--overwrite", cwd=tmp_path).returncode == 0
    assert "124,439,808" in page.read_text()


def test_a_page_with_a_place_at_fault_is_not_written_and_says_so(tmp_path: Path) -> None:
    text = "<!-- symparam: derive bloom --><!-- /symparam -->\n<!-- symparam: derive nope --><!-- /symparam -->\n"
    (tmp_path / "a.md").write_text(text)
    done = docs("a.md", cwd=tmp_path)
    assert done.stdout == "1 page, 2 marked places: 1 at fault, 1 not written, on pages with others at fault\n"
    assert (tmp_path / "a.md").read_text() == text


def test_a_folder_of_pages_in_every_language(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(EMPTY)
    (tmp_path / "b.rst").write_text(".. symparam: derive bloom\n\n.. /symparam\n")
    (tmp_path / "c.tex").write_text("% symparam: derive bloom\n% /symparam\n")
    (tmp_path / "d.html").write_text("<p><!-- symparam: derive bloom --><!-- /symparam --></p>\n")
    (tmp_path / "e.txt").write_text("<!-- symparam: derive bloom --><!-- /symparam -->\n")
    done = docs(".", "--format", "json", cwd=tmp_path)
    found = json.loads(done.stdout)
    assert [(place["page"], place["line"], place["state"]) for place in found["places"]] == [
        ("a.md", 3, "filled"),
        ("a.md", 5, "filled"),
        ("b.rst", 1, "filled"),
        ("c.tex", 1, "filled"),
        ("d.html", 1, "filled"),
    ]
    assert (found["changed"], found["errors"]) == (["a.md", "b.rst", "c.tex", "d.html"], [])
    assert (tmp_path / "c.tex").read_text().splitlines()[1] == "(13N + V + 4)H + 12NH^{2}"
    assert '<math xmlns="http://www.w3.org/1998/Math/MathML"' in (tmp_path / "d.html").read_text()
    assert docs(".", "--check", cwd=tmp_path).returncode == 0
    (tmp_path / "c.tex").write_text("% symparam: derive gpt1\n% /symparam\n")
    states = [place["state"] for place in json.loads(docs(".", "--check", "-f", "json", cwd=tmp_path).stdout)["places"]]
    assert states == ["current", "current", "current", "out-of-date", "current"]


def test_a_page_names_files_of_its_project_wherever_symparam_is_started(tmp_path: Path) -> None:
    (tmp_path / "project" / "docs").mkdir(parents=True)
    (tmp_path / "project" / "pyproject.toml").write_text("")
    for folder in (tmp_path, tmp_path / "project"):
        (folder / "own.json").write_text('{"model_type": "gpt2", "n_embd": 8, "n_layer": 2, "n_head": 2}')
    page = tmp_path / "project" / "docs" / "page.md"
    page.write_text("<!-- symparam: count ../own.json --><!-- /symparam -->")
    assert docs("page.md", cwd=page.parent).returncode == 0
    page.write_text("<!-- symparam: count ../../own.json --><!-- /symparam -->")
    done = docs("page.md", cwd=page.parent)
    assert (done.returncode, "lies outside of the project" in done.stderr) == (2, True)


def test_annotations_land_on_the_line_of_the_page(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text(FILLED.replace("--where I=4H", "--where I=2H").replace("9,808", "9,80x"))
    done = docs("--check", "--format", "github", "page.md", cwd=tmp_path)
    assert [line[: line.index(",title")] for line in done.stdout.splitlines()] == [
        "::error file=page.md,line=5",
        "::error file=page.md,line=3",
    ]


BAD = [
    ("page.md", b"<!-- symparam: derive llama -->\n", "page.md:1:1: this marked place is not closed"),
    ("page.md", b"a\n<!-- symparam: derive llamma --><!-- /symparam -->\n", "page.md:2:1: symparam derive llamma: there is no"),
    ("page.md", b"a\n<!-- symparam: dervie llama --><!-- /symparam -->\n", "did you mean 'derive'?"),
    ("page.md", b"a\n\xff<!-- symparam: derive llama --><!-- /symparam -->\n", "page.md:2:1: the file is not UTF-8"),
    ("page.md", "<!-- symparam: count gpt2 --><!-- /symparam -->".encode("utf-16"), "page.md:1:1: the page is not UTF-8 but UTF-16"),
    ("page.md", b"a\0b", "page.md: the file is binary"),
    ("page.txt", b"<!-- symparam: derive llama --><!-- /symparam -->\n", "page.txt: pages end in .md,"),
    ("a.ipynb", b"{}", "a.ipynb: this is not a notebook"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD)
def test_bad_pages_end_in_one_sentence_and_stay_as_they_are(name: str, content: bytes, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content)
    (tmp_path / "good.md").write_text(EMPTY)
    done = docs(name, "good.md", cwd=tmp_path)
    assert done.returncode == 2
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("symparam: ")
    assert message in sentence
    assert (tmp_path / name).read_bytes() == content
    assert (tmp_path / "good.md").read_text() == FILLED
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "good.md"])


def test_a_page_that_cannot_be_written_is_left_whole(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(EMPTY)
    page.chmod(0o444)
    done = docs("page.md", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == "symparam: 'page.md' cannot be written: it is read-only; make it writable; the page is as it was\n"
    assert done.stdout == ""
    assert page.read_text() == EMPTY
    assert docs("--check", "page.md", cwd=tmp_path).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing.md"], "there is no file or folder 'missing.md'"),
        (["-"], "standard input has no places"),
        (["."], "there is no document in the folder '.'; files ending in .md, .markdown, .ipynb, .rst, .tex, .html are looked for"),
        (["page.md", "--dialect", "gitlab"], "'gitlab' is not one of"),
        ([], "Missing argument"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, tmp_path: Path) -> None:
    done = docs(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""


def test_in_python(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_bytes(b"\xef\xbb\xbf" + EMPTY.encode())
    found = symparam.docs(page, check=True)
    assert [place.state.value for place in found.pages[0].places] == ["filled", "filled"]
    assert found.diff.startswith(f"--- {page}\n")
    assert page.read_bytes() == b"\xef\xbb\xbf" + EMPTY.encode()
    assert repr(symparam.docs([page])) == "<DocsResult 1 page, 2 marked places: 2 filled>"
    assert page.read_bytes() == b"\xef\xbb\xbf" + FILLED.encode()
    assert str(symparam.docs(tmp_path)) == "1 page, 2 marked places: 2 up to date\n"
    with pytest.raises(SymparamError, match="there is no dialect named 'gitlab'"):
        symparam.docs(page, dialect="gitlab")


MARKS = {
    "page.md": ("<!-- symparam: {} -->", "<!-- /symparam -->"),
    "page.html": ("<!-- symparam: {} -->", "<!-- /symparam -->"),
    "page.tex": ("% symparam: {}", "% /symparam"),
    "page.rst": (".. symparam: {}", ".. /symparam"),
}


@pytest.mark.few(6)
@pytest.mark.parametrize("command", ["derive gpt2", "count gpt2 --language zh"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("name", MARKS)
def test_a_page_keeps_its_ends_of_lines(name: str, end: str, command: str, tmp_path: Path) -> None:
    opening, closing = MARKS[name][0].format(command), MARKS[name][1]
    page = tmp_path / name
    page.write_text(f"above{end}{end}{opening}{end}{closing}{end}{end}below{end}", newline="")
    in_diff = "\n" if end == "\r" else end
    assert f"\n-{closing}{in_diff}+" in symparam.docs(page, check=True).diff
    assert str(symparam.docs(page)) == "1 page, 1 marked place: 1 filled\n"
    filled = page.read_bytes()
    rest = filled.replace(end.encode(), b"")
    assert (b"\r" in rest, b"\n" in rest) == (False, False)
    assert filled.startswith(f"above{end}{end}{opening}{end}".encode())
    assert filled.endswith(f"{end}{end}below{end}".encode())
    assert not symparam.docs(page, check=True).changed
    symparam.docs(page)
    assert page.read_bytes() == filled


@pytest.mark.few(4)
@pytest.mark.parametrize("inside", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("end", ["\r\n", "\n", "\r"])
def test_a_notebook_keeps_the_ends_of_lines_of_the_file_and_of_its_cells(end: str, inside: str, tmp_path: Path) -> None:
    cell = inside.join(("above", "", "<!-- symparam: derive gpt2 -->", "<!-- /symparam -->", ""))
    text = json.dumps({"cells": [{"cell_type": "markdown", "source": cell.splitlines(keepends=True)}], "nbformat": 4}, indent=1)
    page = tmp_path / "page.ipynb"
    page.write_text(text.replace("\n", end), newline="")
    assert str(symparam.docs(page)) == "1 page, 1 marked place: 1 filled\n"
    filled = page.read_bytes()
    rest = filled.replace(end.encode(), b"")
    assert (b"\r" in rest, b"\n" in rest) == (False, False)
    content = "".join(json.loads(filled)["cells"][0]["source"])
    assert content.count(inside) == 9
    assert "\r" not in content.replace(inside, "")
    symparam.docs(page)
    assert page.read_bytes() == filled


def test_an_edit_that_is_made_while_the_page_is_filled_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from symparam.pages import docs

    page, fill, edits = tmp_path / "page.md", docs.fill_text, []

    def edited(source: Source, *arguments: object) -> object:
        if not edits:
            edits.append(page.write_text(page.read_text() + "A line of the author's.\n"))
        return fill(source, *arguments)

    monkeypatch.setattr(docs, "fill_text", edited)
    page.write_text(EMPTY)
    symparam.docs(page)
    assert page.read_text() == FILLED + "A line of the author's.\n"


def test_a_cell_is_filled_where_it_stands_and_no_equal_source_before_it(tmp_path: Path) -> None:
    cell = ["<!-- symparam: count gpt2 --><!-- /symparam -->"]
    metadata = {"widget": {"source": cell}, "source": cell}
    notebook = {"metadata": metadata, "cells": [{"cell_type": "markdown", "metadata": metadata, "source": cell}], "nbformat": 4}
    page = tmp_path / "page.ipynb"
    page.write_text(json.dumps(notebook, indent=1))
    symparam.docs(page)
    found = json.loads(page.read_text())
    assert found.pop("cells")[0]["source"] == ["<!-- symparam: count gpt2 -->124,439,808<!-- /symparam f2477c87 -->"]
    assert found == {"metadata": metadata, "nbformat": 4}


def test_a_notebook_of_many_escaped_cells_takes_a_moment(tmp_path: Path) -> None:
    cells = [{"cell_type": "markdown", "metadata": {}, "source": [f"“{number}” symparam\n", "×"]} for number in range(16_000)]
    page = tmp_path / "page.ipynb"
    page.write_text(json.dumps({"cells": cells, "nbformat": 4}))
    assert not symparam.docs(page, check=True).changed  # Where each cell was looked for with a pattern of its own, it were minutes.

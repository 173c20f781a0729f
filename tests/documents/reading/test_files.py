"""From what a user names to documents: files, folders, standard input, and a sentence for what leads nowhere."""

from __future__ import annotations

import io
import os
import re
import sys
from pathlib import Path

import pytest

from symparam.documents.reading.files import Gathered, gather, read_file
from symparam.documents.reading.source import MAX_BYTES
from symparam.errors import DocumentError


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(*names: str) -> None:
    for name in names:
        path = Path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("1 + 1 = 2\n", encoding="utf-8")


def test_a_file_is_taken_whatever_it_is_called_and_in_the_order_given() -> None:
    write("b.md", "a.log", ".hidden")
    assert gather(["b.md", Path("a.log"), ".hidden", "-"]) == Gathered(("b.md", "a.log", ".hidden", "-"))


def test_a_folder_gives_the_documents_in_it_and_below_it_sorted() -> None:
    write(
        "docs/z.md",
        "docs/B.MD",
        "docs/a/x.tex",
        "docs/a/y.markdown",
        "docs/c/d/e.rst",
        "docs/n.html",
        "docs/o.ipynb",
        "docs/t.txt",
        "docs/m.py",
        "docs/md",
    )
    found = ("docs/B.MD", "docs/n.html", "docs/o.ipynb", "docs/t.txt", "docs/z.md", "docs/a/x.tex", "docs/a/y.markdown", "docs/c/d/e.rst")
    assert gather(["docs"]) == gather(["docs/"]) == Gathered(found)


def test_what_is_hidden_or_installed_is_left_out_unless_it_is_named() -> None:
    write("a.md", ".git/b.md", ".draft.md", "node_modules/c.md", ".venv/d.md", "env/lib/LICENSE.txt", "env/pyvenv.cfg", "__pycache__/x.txt")
    assert gather(["."]) == Gathered(("a.md",))
    assert gather([".git", "node_modules"]) == Gathered((".git/b.md", "node_modules/c.md"))


def test_a_document_is_checked_once_by_whatever_names() -> None:
    write("docs/a.md", "docs/b.md")
    Path("link.md").symlink_to("docs/a.md")
    names = ["docs/b.md", "docs/../docs/b.md", str(Path("docs/b.md").resolve()), "link.md", "docs", "docs/a.md", "-", "-"]
    assert gather(names) == Gathered(("docs/b.md", "link.md", "-"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes here")
def test_loops_of_links_and_pipes_do_not_hang() -> None:
    write("docs/a.md", "docs/below/b.md")
    Path("docs/below/up").symlink_to("..")
    Path("docs/self").symlink_to("self")
    os.mkfifo("docs/pipe.md")
    assert gather(["docs"]) == Gathered(("docs/a.md", "docs/below/b.md"))


def test_a_link_that_leads_nowhere_is_told_of_when_it_is_read() -> None:
    write("docs/a.md")
    Path("docs/gone.md").symlink_to("nowhere.md")
    assert gather(["docs"]).paths == ("docs/a.md", "docs/gone.md")
    with pytest.raises(DocumentError, match=r"'docs/gone.md' cannot be read: No such file"):
        read_file("docs/gone.md")


SENTENCES = [
    ("notse.md", "there is no file or folder 'notse.md'; did you mean 'notes.md'?"),
    ("docs/indx.md", "there is no file or folder 'docs/indx.md'; did you mean 'docs/index.md'?"),
    ("dcos", "there is no file or folder 'dcos'; did you mean 'docs'?"),
    ("gpt2-xl", "there is no file or folder 'gpt2-xl'; it is the name of a model: symparam check PAGE --config gpt2-xl"),
    ("nothing.md", "there is no file or folder 'nothing.md'; give the path of a document"),
    ("xyzzy", "there is no file or folder 'xyzzy'; give the path of a document"),
    ("no/such.md", "there is no file or folder 'no/such.md', nor the folder 'no'; give the path of a document"),
    ("", "the name of a document is empty; give a file, a folder, or - for standard input"),
    ("a\0b", "there is no file or folder 'a\\x00b'; give the path of a document"),
    ("# Notes\n1 + 1 = 3", "there is no file named '# Notes' and so on; a text itself is given to check_text"),
    ("empty", "there is no document in the folder 'empty'; files ending in .md, .markdown, .txt, .rst, .tex, .html, .ipynb are looked"),
    ("code", "there is no document in the folder 'code'; files ending in"),
]


@pytest.mark.parametrize(("name", "sentence"), SENTENCES, ids=[repr(name) for name, _ in SENTENCES])
def test_a_name_that_leads_nowhere_is_one_sentence_and_loses_no_other(name: str, sentence: str) -> None:
    write("notes.md", "docs/index.md", "code/main.py")
    Path("empty").mkdir()
    found = gather([name, "notes.md"])
    assert found.paths == ("notes.md",)
    assert [error.startswith(sentence) for error in found.errors] == [True], found.errors
    assert "\n" not in found.errors[0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_folder_that_cannot_be_read_loses_no_other() -> None:
    write("docs/a.md", "docs/closed/b.md")
    Path("docs/closed").chmod(0)
    found = gather(["docs"])
    Path("docs/closed").chmod(0o700)
    assert found.paths == ("docs/a.md",)
    assert found.errors == ("the folder 'docs/closed' cannot be read: Permission denied; leave it out or make it readable",)


class Stdin:
    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Stdin("词 = 1".encode("utf-8-sig")))
    assert (read_file("-").name, gather(["-"]).paths) == ("<stdin>", ("-",))
    monkeypatch.setattr(sys, "stdin", Stdin("词 = 1".encode()))
    assert read_file("-").text == "词 = 1"


@pytest.mark.parametrize(
    ("stdin", "message"),
    [
        (None, "standard input is closed; give the path of a document"),
        (Stdin(b" " * (MAX_BYTES + 1)), "<stdin>: there are more than 4,000,000 bytes; give the part with the formulas"),
        (Stdin(b"\xff"), "<stdin>:1:1: the file is not UTF-8 (byte 0xff); save it as UTF-8"),
    ],
)
def test_standard_input_that_is_no_document(stdin: Stdin | None, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", stdin)
    with pytest.raises(DocumentError, match=re.escape(message)):
        read_file("-")

"""Dialects of Markdown: exact marks, and pages through the programs that people read them with: every formula arrives as it was written."""

from __future__ import annotations

import html
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from xml.etree import ElementTree

import pytest

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError, SymparamError, UnknownNameError
from symparam.results.result import Result
from symparam.writing.dialects import DIALECTS
from symparam.writing.document import Chain, Code, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.markdown import document, formula
from tests.writing.documents import SHOWN, displays, inline, nasty_explained

VH, LETTERS = read_formula("VH"), ALPHABETS["symparam"]


@pytest.mark.parametrize(
    ("dialect", "within", "display"),
    [
        ("tex", "$VH$", "$$\nVH\n$$"),
        ("github", "$`VH`$", "```math\nVH\n```"),
        ("myst", "{math}`VH`", "```{math}\nVH\n```"),
        ("mkdocs", "\\(VH\\)", "\\[\nVH\n\\]"),
    ],
)
def test_the_marks_of_a_formula(dialect: str, within: str, display: str) -> None:
    assert formula(VH, LETTERS, dialect) == within
    assert formula(VH, LETTERS, dialect, display=True) == display
    page = Document((Paragraph(("It is ", VH, ".")), Chain((VH,))), "en", LETTERS)
    assert document(page, dialect) == f"It is {within}.\n\n{display}\n"


def test_a_label_is_for_the_dialect_that_has_one() -> None:
    assert formula(VH, LETTERS, "myst", display=True, label="bert") == "```{math}\n:label: bert\nVH\n```"
    with pytest.raises(FormulaError) as error:
        formula(VH, LETTERS, "github", display=True, label="bert")
    assert str(error.value) == "a formula has no label in the dialect github of Markdown; leave --label out, or use the dialect myst"


def test_a_dialect_that_there_is_not() -> None:
    for write in (lambda: formula(VH, LETTERS, "mist"), lambda: document(Document((), "en", LETTERS), "mist")):
        with pytest.raises(UnknownNameError) as error:
            write()
        assert str(error.value).startswith("there is no dialect named 'mist'; did you mean 'myst'?")


@pytest.mark.parametrize(
    ("dialect", "words", "markdown"),
    [
        ("tex", "% (a)=", "% (a)="),
        ("github", "$5 | a_b", "<span>$</span>5 \\| a\\_b"),
        ("myst", "% a", "\\% a"),
        ("myst", "(a)=", "\\(a)="),
        ("myst", "+++", "\\+++"),
        ("mkdocs", "<&~$|> a_b", "&#60;&#38;&#126;&#36;&#124;&#62; a\\_b"),
        ("mkdocs", "!!! note", "\\!!! note"),
        ("mkdocs", "??? note", "&#63;?? note"),
        ("mkdocs", ": a", "&#58; a"),
    ],
)
def test_words_that_a_dialect_would_take_for_more(dialect: str, words: str, markdown: str) -> None:
    assert document(Document((Paragraph((words,)),), "en", LETTERS), dialect) == markdown + "\n"


@pytest.mark.parametrize("name", ["`", "a`b", "$"])
def test_no_letter_has_a_sign_that_would_end_a_formula(name: str) -> None:
    for letter in (lambda: symparam.symbol(name), lambda: symparam.derive("bert", alphabet=f"H={name}")):
        with pytest.raises(SymparamError):
            letter()


@dataclass(frozen=True)
class Arrived:
    """What a program made of a page: its formulas within lines and on lines of their own, title, names, paragraphs and cells."""

    inline: list[str]
    displays: list[str]
    title: str
    code: set[str]
    words: list[str]


def markdown_it(text: str, dialect: str) -> Arrived:
    """Formulas between dollar signs by a plugin; those of GitHub as code between two of them, which its own reader begins with."""
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark").enable("table")
    if dialect == "tex":
        from mdit_py_plugins.dollarmath import dollarmath_plugin

        parser = parser.use(dollarmath_plugin)
    tokens = parser.parse(text)
    lines = [token.children or [] for token in tokens if token.type == "inline"]
    found: list[str] = []
    code: set[str] = set()
    for line in lines:
        for before, token, behind in zip([None, *line], line, [*line[1:], None], strict=False):
            between = before and behind and before.content.endswith("$") and behind.content.startswith("$")
            if token.type == "math_inline" or (token.type == "code_inline" and between):
                found.append(token.content)
            elif token.type == "code_inline":
                code.add(token.content)
    blocks = [token.content.strip() for token in tokens if token.type == "math_block" or (token.type, token.info) == ("fence", "math")]
    words = ["".join("" if token.type == "html_inline" else token.content for token in line) for line in lines]
    return Arrived(found, blocks, words[0], code, words)


def sphinx(text: str, folder: Path) -> Arrived:
    """MyST in Sphinx, without its extensions, warnings being errors."""
    (folder / "conf.py").write_text('extensions = ["myst_parser"]\nsmartquotes = False\n', encoding="utf-8")
    (folder / "index.md").write_text(text, encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-m", "sphinx", "-q", "-W", "-b", "xml", str(folder), str(folder / "out")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    page = ElementTree.parse(folder / "out" / "index.xml").getroot()

    def texts(tag: str) -> list[str]:
        return ["".join(each.itertext()).strip() for each in page.iter(tag)]

    return Arrived(texts("math"), texts("math_block"), texts("title")[0], set(texts("literal")), texts("paragraph"))


def mkdocs(text: str, folder: Path) -> Arrived:
    """MkDocs with arithmatex for MathJax and KaTeX alike."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(text, encoding="utf-8")
    settings = "site_name: A\ntheme: {name: null, custom_dir: theme}\nmarkdown_extensions:\n  - pymdownx.arithmatex: {generic: true}\n"
    (folder / "mkdocs.yml").write_text(settings, encoding="utf-8")
    (folder / "theme").mkdir()
    (folder / "theme" / "main.html").write_text("{{ page.content }}", encoding="utf-8")
    command = [sys.executable, "-W", "ignore", "-m", "mkdocs", "build", "-q", "-s", "-f", str(folder / "mkdocs.yml")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr + done.stdout
    page = (folder / "site" / "index.html").read_text(encoding="utf-8")

    def texts(pattern: str) -> list[str]:
        return [html.unescape(re.sub(r"<[^>]*>", "", found)) for found in re.findall(pattern, page, re.DOTALL)]

    within = [each.removeprefix("\\(").removesuffix("\\)") for each in texts(r'<span class="arithmatex">(.*?)</span>')]
    blocks = [each.removeprefix("\\[").removesuffix("\\]").strip() for each in texts(r'<div class="arithmatex">(.*?)</div>')]
    code = set(texts(r"(?<!<pre>)<code>(.*?)</code>"))
    return Arrived(within, blocks, texts(r"<h1[^>]*>(.*?)</h1>")[0], code, texts(r"<(?:p|td)(?: [^>]*)?>(.*?)</(?:p|td)>"))


READERS: dict[str, Callable[[str, Path], Arrived]] = {
    "tex": lambda text, _: markdown_it(text, "tex"),
    "github": lambda text, _: markdown_it(text, "github"),
    "myst": sphinx,
    "mkdocs": mkdocs,
}


@cache
def shown(name: str) -> Result:
    match name:
        case "explain":
            return symparam.explain("bert", config="bert-base-uncased", language="zh")
        case "count":
            return symparam.count("gpt2", alphabet="kaplan")
    return nasty_explained()


@pytest.mark.few(2)
@pytest.mark.parametrize("name", [*(pytest.param(name, marks=pytest.mark.slow) for name in ("explain", "count")), "nasty"])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_formula_arrives_as_it_was_written(dialect: str, name: str, tmp_path: Path) -> None:
    page = shown(name)
    plain = page.write("markdown", dialect="tex")
    assert inline(plain)
    assert displays(plain)
    arrived = READERS[dialect](page.write("markdown", dialect=dialect), tmp_path)
    assert (arrived.inline, arrived.displays) == (inline(plain), displays(plain))
    if name == "nasty":
        assert arrived.title == f"{SHOWN}: the number of parameters"
        assert {"emb|`*_x.weight", "n$%&<b>.{i}.q#~^.bias", "[head]"} <= arrived.code
        assert "1. size <of> my_own & $5 | 100%" in arrived.words


@pytest.mark.few(1)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_begins_a_line_stays_a_word(dialect: str, tmp_path: Path) -> None:
    """A paragraph and a cell of signs are words on the page: nothing is lost, hidden or made into something else."""
    signs = [
        "- a",
        "+ a",
        "12. a",
        "=== a",
        "% a",
        "(a)=",
        "!!! note",
        ": a",
        "> a",
        "# a",
        "::: a",
        "---",
        "~~~",
        "[a]: b",
        "|a|b|",
        "<!-- a",
        "\\(a\\)",
    ]
    rows: tuple[tuple[Line, ...], ...] = tuple(((each,),) for each in signs)
    nodes: list[Node] = [Heading(1, "T"), *(Paragraph((each,)) for each in signs), Table(("x",), rows), Paragraph((VH, Code("a|b")))]
    arrived = READERS[dialect](document(Document(tuple(nodes), "en", LETTERS), dialect), tmp_path)
    assert (arrived.inline, arrived.displays, arrived.title, arrived.code) == (["VH"], [], "T", {"a|b"})
    assert {sign: arrived.words.count(sign) for sign in signs} == dict.fromkeys(signs, 2)

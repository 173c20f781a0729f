"""Markdown: exact text, tables whose cells stay cells, words that stay words, and mathematics that KaTeX and MathJax accept."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.results.result import Result
from symparam.writing.dialects import DIALECTS
from symparam.writing.document import Chain, Code, Document, Entry, Heading, Node, Paragraph, Shape, Table
from symparam.writing.markdown import document
from tests.writing.documents import (
    DOCUMENTS,
    SHOWN,
    Reader,
    chains,
    displays,
    everything,
    inline,
    inline_formulas,
    meanings,
    nasty_counted,
    nasty_explained,
)

VH = read_formula("VH")


@pytest.mark.parametrize(
    ("words", "markdown"),
    [
        ("num_layers", "num\\_layers"),
        ("**a** `b` [c](d)", "\\*\\*a\\*\\* \\`b\\` \\[c\\](d)"),
        ("<b>&amp;|~#", "\\<b\\>\\&amp;\\|\\~\\#"),
        ("$5 {x} \\", "\\$5 \\{x\\} \\\\"),
        ("a\nb\x1b", "ab"),
        ("参数量（1）", "参数量（1）"),
    ],
)
def test_words_come_out_as_they_are(words: str, markdown: str) -> None:
    assert DIALECTS["tex"].words(words) == markdown


@pytest.mark.parametrize(
    ("node", "markdown"),
    [
        (Heading(1, "A # B"), "# A \\# B"),
        (Heading(2, "Sum"), "## Sum"),
        (Paragraph(("Of ", VH, " in ", Code("a.b_c"), ".")), "Of $VH$ in `a.b_c`."),
        (Paragraph((Shape((read_formula("30522"), VH)),)), "$30{,}522 \\times VH$"),
        (Paragraph((Code("a``b`"), Code("|"))), "``` a``b` ```" + "`|`"),
        # What would begin a list, a rule or a block of code.
        (Paragraph(("- a",)), "\\- a"),
        (Paragraph(("+ a",)), "\\+ a"),
        (Paragraph(("12. a",)), "12\\. a"),
        (Paragraph(("1) a",)), "1\\) a"),
        (Paragraph(("    a - b",)), "a - b"),
        (Paragraph(("1.5 a",)), "1.5 a"),
        (Paragraph(("===",)), "\\==="),
        (Chain((VH,)), "$$\nVH\n$$"),
        (Chain((VH, read_formula("42"))), "$$\nVH = 42\n$$"),
        (Chain((VH, read_formula("7 * 6"), read_formula("42"))), "$$\n\\begin{aligned}\nVH &= 7 \\times 6 \\cr\n&= 42\n\\end{aligned}\n$$"),
        (Entry("A_", Code("x"), ("Why ", VH), Chain((VH,)), 1), "**A\\_** `x`\n\nWhy $VH$\n\n$$\nVH\n$$"),
        (Entry("Head", None, ("Tied.",), None, 0), "**Head**\n\nTied."),
        (
            Table(("Module", "n|m"), ((("Layers",), (VH,)), (("    One|layer",), (Code("a|b"),))), frozenset({1})),
            "| Module | n\\|m |\n| --- | ---: |\n| Layers | $VH$ |\n| &emsp;&emsp;One\\|layer | `a\\|b` |",
        ),
    ],
)
def test_each_kind_of_node(node: Node, markdown: str) -> None:
    assert document(Document((node,), "en", ALPHABETS["symparam"])) == markdown + "\n"


def test_no_line_of_a_display_can_be_taken_for_markdown() -> None:
    for _, page in pages():
        for display in displays(page.write("markdown")):
            for line in display.splitlines():
                assert re.match(r"[A-Za-z0-9(\\&]", line), line
                # Markdown would take a backslash before a sign, and one of two.
                assert not re.search(r"\\[^A-Za-z_]", line), line


def test_every_row_of_a_table_has_the_cells_of_its_header() -> None:
    tables = 0
    for name, page in everything():
        rows = [line for line in page.write("markdown").splitlines() if line.startswith("|")]
        counts = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
        wanted = [len(node.header) for node in page.document.without_links if isinstance(node, Table) for _ in range(2 + len(node.rows))]
        assert counts == wanted, name
        tables += bool(counts)
    assert tables > 50


@pytest.mark.few(3)
@pytest.mark.parametrize("letters", ALPHABETS)
def test_the_formulas_read_back(letters: str) -> None:
    reader = Reader(ALPHABETS[letters])
    for alphabet, page in pages():
        if alphabet != letters:
            continue
        text = page.write("markdown")
        sides = [re.sub(r"\\(begin|end)\{aligned\}|&|\\quad|\\cr", " ", display) for display in displays(text)]
        assert [reader.chain(side) for side in sides] == [meanings(chain) for chain in chains(page.document)]
        assert [reader.meaning(formula) for formula in inline(text)] == inline_formulas(page.document)


def pages() -> list[tuple[str, Result]]:
    found: list[tuple[str, Result]] = [(letters, symparam.explain(model, alphabet=letters)) for model, letters in DOCUMENTS]
    return [*found, ("symparam", nasty_explained()), ("symparam", nasty_counted())]


def test_a_parser_of_markdown_finds_the_words_and_nothing_else() -> None:
    parser = pytest.importorskip("markdown_it", reason="markdown-it-py is not installed").MarkdownIt("commonmark").enable("table")
    tokens = parser.parse(nasty_explained().write("markdown"))
    assert {token.type.removesuffix("_open") for token in tokens if token.nesting >= 0} == {
        "fence",
        "heading",
        "inline",
        "paragraph",
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
    children = [child for token in tokens for child in token.children or ()]
    assert {child.type for child in children} <= {"text", "text_special", "code_inline", "strong_open", "strong_close", "softbreak"}
    assert "".join(child.content for child in tokens[1].children or ()) == f"{SHOWN}: the number of parameters"
    code = {child.content for child in children if child.type == "code_inline"}
    assert code == {"{i}", *(prefix + tail for prefix, tail in NAMED)}
    cells = ["".join(child.content for child in token.children or ()) for token in tokens if token.type == "inline"]
    assert "1. size <of> my_own & $5 | 100%" in cells


NAMED = [
    ("emb|`*_x", ""),
    ("emb|`*_x", ".weight"),
    ("n$%&<b>", ""),
    ("n$%&<b>", ".{i}"),
    ("n$%&<b>", ".{i}.q#~^"),
    ("n$%&<b>", ".{i}.q#~^.weight"),
    ("n$%&<b>", ".{i}.q#~^.bias"),
    ("n$%&<b>", ".{i}.--''"),
    ("n$%&<b>", ".{i}.--''.weight"),
    ("n$%&<b>", ".{i}.--''.bias"),
    ("[head]", ""),
    ("[head]", ".weight"),
    ("[head]", ".bias"),
]


def test_katex_and_mathjax_accept_every_formula() -> None:
    script = Path(__file__).with_name("maths.js")
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    found = subprocess.run(["node", "-e", "require.resolve('katex'); require.resolve('mathjax-full')"], capture_output=True, check=False)
    if found.returncode:
        pytest.skip("node does not find katex and mathjax-full@3; npm install them and set NODE_PATH")
    formulas = set()
    for _, page in pages():
        text = page.write("markdown")
        formulas |= {(display, True) for display in displays(text)} | {(formula, False) for formula in inline(text)}
    lines = "\n".join(json.dumps({"tex": tex, "display": display}) for tex, display in sorted(formulas))
    done = subprocess.run(["node", str(script)], input=lines.encode(), capture_output=True, timeout=120, check=True)
    assert done.stdout.decode() == ""
    assert len(formulas) > 250

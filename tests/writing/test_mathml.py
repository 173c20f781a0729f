"""MathML: exact elements, nothing outside MathML Core, and measured as a real browser lays it out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.parsing.reader import read_formula
from symparam.results.result import Result
from symparam.writing.document import Chain, Code, Document, Heading, Line, Paragraph, Table
from symparam.writing.mathml import document, mathml
from tests.writing.browser import View, about, seen
from tests.writing.documents import COMBINATIONS, DOCUMENTS, PARTS, SHOWN, chains, everything, nasty_counted, nasty_explained
from tests.writing.mathml_core import CORE_ELEMENTS, GLOBAL_ATTRIBUTES, OWN_ATTRIBUTES

NAMESPACE = "{http://www.w3.org/1998/Math/MathML}"


@pytest.mark.parametrize(
    ("formula", "alphabet", "inside"),
    [
        ("12NH^2", "symparam", "<mn>12</mn><mi>N</mi><msup><mi>H</mi><mrow><mn>2</mn></mrow></msup>"),
        ("30522 * 768", "symparam", "<mn>30,522</mn><mo>×</mo><mn>768</mn>"),
        ("1234567.5H", "symparam", "<mn>1,234,567.5</mn><mi>H</mi>"),
        ("H/h", "symparam", "<mfrac><mrow><mi>H</mi></mrow><mrow><mi>h</mi></mrow></mfrac>"),
        ("-N + 2", "symparam", "<mo>−</mo><mi>N</mi><mo>+</mo><mn>2</mn>"),
        ("H", "kaplan", "<msub><mi>d</mi><mrow><mi>model</mi></mrow></msub>"),
        ("H^2", "kaplan", "<msubsup><mi>d</mi><mrow><mi>model</mi></mrow><mrow><mn>2</mn></mrow></msubsup>"),
        ("PH", "hugging-face", "<mi>max_position_embeddings</mi><mo>×</mo><mi>hidden_size</mi>"),
    ],
)
def test_one_formula(formula: str, alphabet: str, inside: str) -> None:
    written = mathml(read_formula(formula), ALPHABETS[alphabet])
    assert written == f'<math xmlns="http://www.w3.org/1998/Math/MathML" display="block"><mrow><mrow>{inside}</mrow></mrow></math>\n'


def test_every_document_is_one_element_of_mathml_core_alone() -> None:
    seen: set[str] = set()
    for name, text in written():
        root = ElementTree.fromstring(text)
        # A document that is wider than the page is scrolled, by keyboard too.
        scrolled = {"display": "block", "style": "overflow-x: auto; max-width: 100%; white-space: nowrap", "tabindex": "0"}
        assert (root.tag, root.attrib) == (f"{NAMESPACE}math", scrolled), name
        assert text.count("<math") == 1, name
        for element in root.iter():
            tag = element.tag.removeprefix(NAMESPACE)
            assert tag in CORE_ELEMENTS, (name, tag)
            assert set(element.keys()) - GLOBAL_ATTRIBUTES <= OWN_ATTRIBUTES.get(tag, set()), (name, tag)
            if tag == "mn":
                assert re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?", element.text or ""), (name, element.text)
            assert "nasty" in name or "\\" not in (element.text or ""), (name, element.text)
            seen.add(tag)
    assert seen >= {"mtable", "mtr", "mtd", "mtext", "mi", "mn", "mo", "msup", "msub", "msubsup", "mspace"}


def written() -> Iterator[tuple[str, str]]:
    for model, letters in DOCUMENTS:
        if letters in ("symparam", "kaplan", "hugging-face"):
            yield f"explain-{model}-{letters}", symparam.explain(model, alphabet=letters, language="zh").write("mathml")
    yield "count-gpt2", symparam.count("gpt2").write("mathml")
    yield "tensors-gpt2", symparam.tensors("gpt2").write("mathml")
    yield "letters", symparam.letters("kaplan").write("mathml")
    yield "list", symparam.list().write("mathml")
    yield "explain-nasty", nasty_explained().write("mathml")
    yield "count-nasty", nasty_counted("zh").write("mathml")


def test_reserved_signs_stay_as_they_are() -> None:
    texts = [element.text or "" for element in ElementTree.fromstring(nasty_explained().write("mathml")).iter(f"{NAMESPACE}mtext")]
    assert texts[0] == f"{SHOWN}: the number of parameters".replace(" ", "\xa0")
    assert "n$%&<b>.{i}.--''.bias" in texts
    assert "1.\xa0size\xa0<of>\xa0my_own\xa0&\xa0$5\xa0|\xa0100%" in texts


@pytest.mark.parametrize(
    ("line", "lines"),
    [
        (("Of ", read_formula("H"), "."), ["Of\xa0H."]),
        # A line ends behind a space or beside a Chinese letter, never before the full stop or behind the bracket.
        (("word " * 22,), ["word\xa0" * 16, "word\xa0" * 6]),
        (("词" * 45, Code("x"), "。"), ["词" * 45, "x。"]),
        (("词" * 47 + "。",), ["词" * 46, "词。"]),
        (("词" * 45 + "（词）",), ["词" * 45, "（词）"]),
        (("word " * 16, Code("models/bert/modeling_bert.py"), "."), ["word\xa0" * 16, "models/bert/modeling_bert.py."]),
    ],
)
def test_words_are_broken_where_a_line_may_end(line: Line, lines: list[str]) -> None:
    root = ElementTree.fromstring(document(Document((Paragraph(line),), "en", ALPHABETS["symparam"])))
    assert ["".join(cell.itertext()) for cell in root.iter(f"{NAMESPACE}mtd")] == lines


def test_a_line_that_goes_on_with_a_plus_keeps_the_room_around_it() -> None:
    long = read_formula(" + ".join(["30522H"] * 20))
    root = ElementTree.fromstring(document(Document((Chain((long,)),), "en", ALPHABETS["symparam"])))
    signs = [sign for sign in root.iter(f"{NAMESPACE}mo") if sign.get("form")]
    assert [(sign.text, sign.get("form")) for sign in signs] == [("+", "infix")] * len(signs)
    assert len(signs) == 1


# A real browser.

# What Chromium makes of a page: all lengths in CSS pixels.
SCRIPT = """
const page = frame.document;
const box = e => { const b = e.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom].map(x => Math.round(x * 4) / 4); };
const own = (e, tag) => [...e.children].filter(c => c.localName === tag);
const tables = [...page.querySelectorAll('mtable')].map(t => own(t, 'mtr').map(r => own(r, 'mtd').map(d => ({
  box: box(d), content: box(d.firstElementChild), right: d.style.textAlign.endsWith('right'),
  text: d.textContent,
}))));
const chains = [...page.querySelectorAll('mtable')].map(t => own(t, 'mtr').flatMap(r => own(r, 'mtd').flatMap(d =>
  [...d.querySelectorAll('mo')].filter(o => o.textContent === '=' && o.closest('mtable') === t).map(o => box(o)[0]))));
const math = page.querySelector('math'), width = page.documentElement.scrollWidth;
const end = box(math)[0] + math.scrollWidth;
return {tables, chains: chains.filter(c => c.length > 1), width, end};
"""
"""The boxes of all cells, the left edges of all equals signs, the width of the page, and where what can be scrolled to ends."""


WIDE_FONT = "math { letter-spacing: 0.2em }"
"""Makes every line longer than the fonts of any machine do."""


LOOKED_AT = {
    "explain-bert-en": lambda: symparam.explain("bert", config="bert-base-uncased"),
    "explain-bert-hugging-face-zh": lambda: symparam.explain("bert", config="bert-base-uncased", alphabet="hugging-face", language="zh"),
    "explain-BertForMaskedLM-kaplan-en": lambda: symparam.explain("BertForMaskedLM", alphabet="kaplan"),
    "count-gpt2-hugging-face-en": lambda: symparam.count("gpt2", alphabet="hugging-face"),
    "explain-nasty-en": nasty_explained,
}


@pytest.mark.slow
def test_a_browser_lays_documents_out_and_scrolls_what_is_wider(tmp_path: Path) -> None:
    shown = [(name, make()) for name, make in LOOKED_AT.items()]
    laid_out([(name, page, css) for name, page in shown for css in ("", WIDE_FONT)], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_a_browser_lays_every_document_out(part: int, tmp_path: Path) -> None:
    laid_out([(name, shown, "") for name, shown in everything(COMBINATIONS)[part::PARTS]], tmp_path)


def laid_out(documents: list[tuple[str, Result, str]], folder: Path) -> None:
    """Of documents with their names, and a style for each."""
    pages = [f"<!doctype html><meta charset=utf-8><style>{css}</style><body>{shown.write('mathml')}" for _, shown, css in documents]
    for (name, shown, css), found in zip(documents, seen([View(page, SCRIPT) for page in pages], folder), strict=True):
        with about(f"{name} {css}"):
            in_order(shown, found)


def in_order(shown: Result, page: dict[str, Any]) -> None:
    """Cells have a size, rows and columns do not overlap, numbers end at one edge, equals signs stand in one column, nothing is cut off."""
    cells = numeric = 0
    for table in page["tables"]:
        above = -1e9
        for row in table:
            assert min(cell["box"][1] for cell in row) >= above - 0.5
            above = max(cell["box"][3] for cell in row)
            edge = -1e9
            for cell in row:
                left, top, right, bottom = cell["box"]
                assert right > left, cell
                assert bottom > top, cell
                if cell["text"]:
                    assert cell["content"][0] >= max(edge, left) - 0.5, cell
                    assert cell["content"][2] <= right + 0.5, cell
                    edge = right
                    cells += 1
            assert edge <= page["end"] + 0.5
        for column in zip(*table, strict=True):
            ends = {cell["content"][2] for cell in column if cell["right"]}
            assert not ends or max(ends) - min(ends) <= 1, ends
            numeric += bool(ends)
            starts = {cell["content"][0] for cell in column if not cell["right"] and cell["text"]}
            assert not starts or max(starts) - min(starts) <= 1, starts
    assert page["width"] == 1280
    assert cells > 20
    assert numeric == sum(len(node.numeric) for node in shown.document.without_links if isinstance(node, Table))
    for signs in page["chains"]:
        assert max(signs) - min(signs) <= 0.5
    # Every chain of three and more has two equals signs and more, and all of those were measured.
    assert len(page["chains"]) >= sum(len(chain) > 2 for chain in chains(shown.document))


def test_a_heading_and_a_table() -> None:
    rows = ((("a",), (read_formula("1024"),)),)
    nodes = (Heading(2, "A B"), Table(("x", "y"), rows, frozenset({1})))
    root = ElementTree.fromstring(document(Document(nodes, "en", ALPHABETS["symparam"])))
    tables = list(root.iter(f"{NAMESPACE}mtable"))
    assert [["".join(cell.itertext()) for cell in row] for row in tables[1]] == [["x", "y"], ["a", "1,024"]]
    assert "text-align: right" in tables[1][1][1].get("style", "")
    assert next(iter(root.iter(f"{NAMESPACE}mtext"))).text == "A\xa0B"

"""A document read: cells of tables, what is bold, names that are declared, and no text that it fails on."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.reading.parsed_document import ParsedLine, parse_document, without_markup
from symparam.documents.reading.source import Source
from tests.documents.reading.shown import chains, document, shown

DOCUMENTS = sorted(Path(__file__).parents[3].glob("derivations/*.md"))


def cells(text: str) -> list[list[tuple[str, bool, list[str]]]]:
    rows = [line for line in document(text).lines if line.line.kind == "row"]
    return [[(cell.text, cell.bold, [shown(chain, text) for chain in cell.chains]) for cell in row.cells] for row in rows]


def test_a_table_of_markdown() -> None:
    assert cells("| layer | size |\n|---|--:|\n| `wq` | 5 × 6 = 30 |\n| **sum** | **30** |\n") == [
        [("layer", False, []), ("size", False, [])],
        [("wq", False, []), ("5 × 6 = 30", False, ["5 × 6 = 30"])],
        [("sum", True, []), ("30", True, ["** | 30"])],
    ]


def test_a_table_in_a_quotation_is_the_same_table() -> None:
    text = "| wq | 5 × 6 |\n|---|--:|\n| | **30** |\n| wk | 1 024 |\n"
    quoted = "".join(f"> {line}\n" for line in text.splitlines())
    assert cells(quoted) == cells(text)
    assert [line.line.kind for line in document(quoted).lines] == ["row", "delimiter", "row", "row"]
    assert cells(text)[2] == [("wk", False, []), ("1 024", False, ["1 024 «1,024»"])]


def test_a_table_of_html_over_several_lines() -> None:
    text = "<table>\n<tr>\n<td>wq</td>\n<td>5 &times; 6</td>\n</tr>\n<tr><td><b>sum</b></td><td>30</td></tr>\n</table>"
    assert [[cell for cell in row if cell[0]] for row in cells(text)] == [
        [("wq", False, []), ("5 &times; 6", False, ["5 &times; 6 «5 × 6»"])],
        [("sum", True, []), ("30", False, ["30"])],
    ]


def test_names_are_those_of_configs_and_those_declared() -> None:
    assert chains("hidden_size × num_layer = 5") == ["hidden_size × num_layer «HN» = 5"]
    lines = parse_document(Source("a", "D × E = 5"), {"D": "H", "E": "V"}).lines
    assert str(lines[0].chains[0].sides[0].formula) == "HV"


def test_words_of_the_language_are_no_sizes() -> None:
    assert chains("12 layers of words, heads = 4") == ["12", "layers of words, | heads «?:heads» = 4"]


@pytest.mark.parametrize(
    ("written", "words"), [("**Sum**", "Sum"), ("<b>a</b>  `b`", "a b"), ("$H$ _x_", "H x"), ("a_b", "a_b"), ("参数 **量**", "参数 量")]
)
def test_words_without_the_marks_around_them(written: str, words: str) -> None:
    assert without_markup(written) == words


def check(text: str) -> tuple[ParsedLine, ...]:
    """The lines of the document, whose chains and cells stand within them."""
    lines = document(text).lines
    for line in lines:
        for cell in line.cells:
            assert line.line.start <= cell.start <= cell.end <= line.line.end
        for chain in (*line.chains, *(chain for cell in line.cells for chain in cell.chains)):
            assert line.line.start <= chain.start < chain.end <= line.line.end
            shown(chain, text)
    return lines


@given(st.text(max_size=200))
def test_any_text_is_read(text: str) -> None:
    assert len(check(text)) <= text.count("\n") + text.count("\\") + 1


@pytest.mark.few(2)
@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_spoilt_documents_are_read(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert any(line.chains or line.cells for line in check(text))
    dice = random.Random(path.name)
    pieces = ["=", "\n", "|", "*", "(", "²", "\\", "{", "0", ",", "```", "\ud800", "<tr>"]
    for _ in range(20):
        at, length = dice.randrange(len(text)), dice.randrange(1, 60)
        check(text[:at] + dice.choice(pieces) + text[at + length :])


@pytest.mark.few(5)
@pytest.mark.parametrize(
    "piece", ["(", "5+", "5^", "-", "a_", "5 (", "= ", "\\frac{", "| 5 ", "5 words ", "1,", "**", "\n+ 5", "(5)", "[5", "Σ 5 "]
)
def test_long_documents_of_anything_end(piece: str) -> None:
    assert check(piece * 3_000)

"""The lines of a page: what is joined, what is a marker, and what is left out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.reading.line_splitting import MAX_JOINED, MAX_LINE, PageLine, page_lines


def lines(text: str) -> list[tuple[str, str]]:
    return [(line.kind, line.raw) for line in page_lines(text) if line.kind != "blank"]


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("Sum: 5 × 6\n= 30", "Sum: 5 × 6\n= 30"),
        ("Sum: 5 × 6\n  ≈ 30", "Sum: 5 × 6\n  ≈ 30"),
        ("5 × 6 =\n30", "5 × 6 =\n30"),
        ("5 × 6 +\n7 = 37", "5 × 6 +\n7 = 37"),
        ("5 × 6\n+ 7 = 37", "5 × 6\n+ 7 = 37"),
        ("5 ×\n6 ×\n7 = 210", "5 ×\n6 ×\n7 = 210"),
        ("(5 × 6\n7) = 37", "(5 × 6\n7) = 37"),
        ("2\n×\n3\n= 6", "2\n×\n3\n= 6"),
        ("> 5 × 6\n> = 30", "5 × 6\n> = 30"),
        ("// 5 × 6\n// = 30", "5 × 6\n// = 30"),
        ("a &= 5 \\times 6 \\\\\n&= 30 \\\\", "a &= 5 \\times 6 \\\\\n&= 30 \\\\"),
        ("- a: 5 × 6\n  = 30", "a: 5 × 6\n  = 30"),
    ],
)
def test_what_goes_over_several_lines_is_one(text: str, joined: str) -> None:
    (found,) = [line for line in page_lines(text) if line.tokens]
    assert (found.raw, text[found.start : found.end]) == (joined, joined)
    assert "newline" not in {token.kind for token in found.tokens}


@pytest.mark.parametrize(
    "text",
    [
        "5 × 6 = 30\n7 = 7",
        "5 × 6\n\n= 30",
        "5 × 6 = 30\n+ 7 = 37",  # It has its result; what follows is an item of a list.
        "x = 1\n* 2 = 2",
        "a: 5 × 6\n- b: 7",
        "# 5 × 6\n= 30",
        "note -\n5 = 5\n",
        "5 × 6 → ?\n7 = 7",
    ],
)
def test_what_is_said_anew_is_another_line(text: str) -> None:
    assert len([line for line in page_lines(text) if line.kind != "blank"]) == 2


def test_a_formula_goes_over_so_many_lines_and_no_more() -> None:
    found = [line for line in page_lines("1 +\n" * (2 * MAX_JOINED)) if line.tokens]
    assert len(found) == 2
    assert found[0].raw.count("\n") == MAX_JOINED


def test_a_row_of_html_that_is_not_closed_ends_too() -> None:
    found = [line for line in page_lines("<tr>\n" + "<td>5</td>\n" * (2 * MAX_JOINED)) if line.kind == "row"]
    assert found[0].raw.count("\n") == MAX_JOINED


@pytest.mark.parametrize(
    ("text", "kind", "raw"),
    [
        ("- a: 5", "item", "a: 5"),
        ("* a: 5", "item", "a: 5"),
        ("+ a: 5", "item", "a: 5"),
        ("• a: 5", "item", "a: 5"),
        ("1. a: 5", "item", "a: 5"),
        ("12) a: 5", "item", "a: 5"),
        ("3、a: 5", "item", "a: 5"),
        ("(4) a: 5", "item", "a: 5"),
        ("（4） a: 5", "item", "a: 5"),
        ("⑤ a: 5", "item", "a: 5"),
        ("- **a**: 5", "item", "**a**: 5"),
        ("-5 + 7 = 2", "text", "-5 + 7 = 2"),
        ("1.5 × 2 = 3", "text", "1.5 × 2 = 3"),
        ("**a**: 5", "text", "**a**: 5"),
        ("(5 + 6) × 2", "text", "(5 + 6) × 2"),
        ("# Size 5", "heading", "Size 5"),
        ("### Size 5", "heading", "Size 5"),
        ("#5", "text", "#5"),
        ("// a: 5", "text", "a: 5"),
        ("% a: 5", "text", "a: 5"),
        (";; a: 5", "text", "a: 5"),
        ("> a: 5", "text", "a: 5"),
        ("> > - a: 5", "item", "a: 5"),
        ("│ a: 5", "text", "a: 5"),
        ("---", "rule", "---"),
        ("=====", "rule", "====="),
        ("───", "rule", "───"),
        ("|---|:-:|", "delimiter", "|---|:-:|"),
        ("|:--|-:|", "delimiter", "|:--|-:|"),
        ("├─────┤", "rule", "├─────┤"),
        ("words alone", "text", "words alone"),
        ("| a | 5 |", "row", "| a | 5 |"),
        ("a | 5 | 6", "row", "a | 5 | 6"),
        ("|x| = 5", "text", "|x| = 5"),
    ],
)
def test_kinds_and_markers(text: str, kind: str, raw: str) -> None:
    assert lines(text) == [(kind, raw)]


def test_rows_have_cells() -> None:
    text = "| wq | 5 × 6 | |\n|---|--:|---|\n| **sum** | | 30 |\n"
    rows = [[text[cell.start : cell.end].strip() for cell in line.cells] for line in page_lines(text)]
    assert rows == [["wq", "5 × 6", ""], [], ["**sum**", "", "30"]]


def test_a_row_of_html_goes_over_lines_until_it_is_closed() -> None:
    text = "<table>\n<tr>\n<td>wq</td>\n<td>5 × 6</td>\n</tr>\n<tr><td>wk</td><td>7</td></tr>\n</table>"
    rows = [line for line in page_lines(text) if line.kind == "row"]
    numbers = [[token.value for token in cell.tokens if token.kind in ("name", "number", "*")] for row in rows for cell in row.cells]
    assert [each for each in numbers if each] == [["wq"], [5, "", 6], ["wk"], [7]]
    assert len(rows) == 2


def test_html_without_line_breaks_is_split_at_its_blocks() -> None:
    text = "<h2>Parts</h2><table><tr><td>wq</td><td>5</td></tr><tr><td>wk</td><td>7</td></tr></table><p>In all 12.</p>"
    found = [(line.kind, text[line.start : line.end]) for line in page_lines(text)]
    assert [raw for kind, raw in found if kind == "row"] == ["<tr><td>wq</td><td>5</td></tr>", "<tr><td>wk</td><td>7</td></tr>"]
    assert ("text", "<p>In all 12.</p>") in found


def test_rows_of_an_aligned_formula_are_lines_and_those_that_go_on_are_joined() -> None:
    text = "\\begin{aligned} a &= 5 \\times 6 \\\\ &= 30 \\\\ b &= 7 \\end{aligned}"
    assert [raw.strip("\\ ") for _, raw in lines(text)] == ["begin{aligned} a &= 5 \\times 6 \\\\ &= 30", "b &= 7 \\end{aligned}"]


def test_a_fence_holds_code_and_keeps_its_blank_lines_in_one_block() -> None:
    text = "a: 1\n```python\nb = 2\n# c = 3\n\nd = 4\n```\ne: 5\n"
    found = {line.raw: (line.kind, line.fenced, line.block) for line in page_lines(text) if line.tokens}
    assert found == {
        "a: 1": ("text", False, 0),
        "b = 2": ("text", True, 1),
        "c = 3": ("text", True, 1),
        "d = 4": ("text", True, 1),
        "e: 5": ("text", False, 2),
    }


def test_blank_lines_and_headings_begin_a_block() -> None:
    blocks = {line.raw: line.block for line in page_lines("a 1\n\nb 2\n# c 3\nd 4\n> \ne 5\n") if line.raw}
    assert blocks == {"a 1": 0, "b 2": 1, "c 3": 2, "d 4": 2, "e 5": 3}


def test_indents_count_columns() -> None:
    assert [line.indent for line in page_lines("a 1\n  b 2\n\tc 3\n    - d 4\n>   e 5\n")] == [0, 2, 4, 4, 3]


def test_a_line_of_data_is_not_read() -> None:
    text = "1 + " * (MAX_LINE // 4 + 1) + "1\n5 = 5"
    first, second = page_lines(text)
    assert (first.too_long, first.tokens, len(first.raw), second.too_long, second.raw) == (True, (), 200, False, "5 = 5")


def test_windows_line_ends() -> None:
    assert lines("5 = 5\r\n\r\n6 × 1\r\n= 6\r\n") == [("text", "5 = 5"), ("text", "6 × 1\r\n= 6")]


def check(text: str) -> list[PageLine]:
    """The lines, which stand in order and hold their tokens and cells."""
    found = list(page_lines(text))
    at = 0
    for line in found:
        assert at <= line.start <= line.end <= len(text)
        at = line.end
        assert all(line.start <= token.start <= token.end <= line.end for token in line.tokens)
        assert all(line.start <= cell.start <= cell.end <= line.end for cell in line.cells)
    blocks = [line.block for line in found]
    assert blocks == sorted(blocks)
    return found


PIECES = [
    "\n",
    "\n\n",
    "| ",
    " |",
    "```\n",
    "- ",
    "# ",
    "> ",
    "1. ",
    "= ",
    "5",
    " × ",
    "(",
    ")",
    "a",
    "\\\\",
    "<tr>",
    "<td>",
    "</tr>",
    "**",
]


@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join) | st.text(max_size=60))
def test_lines_stand_in_order_and_hold_what_is_in_them(text: str) -> None:
    assert all(line.kind in ("text", "item", "heading", "row", "delimiter", "rule", "blank") for line in check(text))

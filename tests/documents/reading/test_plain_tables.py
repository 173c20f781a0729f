"""Tables without bars: columns below a line of dashes, and list-tables; headings of TeX, of reStructuredText, and underlined ones."""

from __future__ import annotations

import pytest

from symparam.documents.reading.line_splitting import page_lines

COLUMNS = """\
Module             Parameters
-----------------  ----------
Token embeddings   38,597,376
  Final LayerNorm       1,536
Total              38,598,912
"""
SIMPLE = """\
======  =======
Part    Numbers
======  =======
a b         100
c            20
======  =======
"""
LISTED = """\
.. list-table::
   :header-rows: 1
   :widths: 20 10

   * - Part
     - Formula
       of it
   * - Head
     - :math:`VH`
   * - Norm
     -
After it
"""


def rows(text: str) -> list[list[str]]:
    """The cells of each row, and an empty list for a delimiter."""
    lines = [line for line in page_lines(text) if line.kind in ("row", "delimiter")]
    return [[" ".join(text[cell.start : cell.end].split()) for cell in line.cells] for line in lines]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            COLUMNS,
            [
                ["Module", "Parameters"],
                [],
                ["Token embeddings", "38,597,376"],
                ["Final LayerNorm", "1,536"],
                ["Total", "38,598,912"],
            ],
        ),
        (SIMPLE, [[], ["Part", "Numbers"], [], ["a b", "100"], ["c", "20"], []]),
        (LISTED, [["Part", "Formula of it"], [], ["Head", ":math:`VH`"], ["Norm", ""]]),
        # A wide letter takes two columns of the screen, and in many programs one.
        ("模块    参数量\n------  ------\n词嵌入     123\n", [["模块", "参数量"], [], ["词嵌入", "123"]]),
        ("模块      参数量\n------  ------\n词嵌入        123\n", [["模块", "参数量"], [], ["词嵌入", "123"]]),
        # What goes on in a second line is not read, and an empty cell keeps its column.
        ("a    b    c\n---  ---  ---\nx    1+   5\n     2\n", [["a", "b", "c"], [], ["x", "", "5"]]),
        ("a    b    c\n---  ---  ---\nx         5\n", [["a", "b", "c"], [], ["x", "", "5"]]),
        # Text across two columns ends the table, and a single line of dashes begins none.
        ("a    b\n---  ---\nx    1\nThis is text 5\ny    2\n", [["a", "b"], [], ["x", "1"]]),
        ("Total: 5\n--------\nx   1\n", []),
    ],
)
def test_rows_of_tables_without_bars(text: str, expected: list[list[str]]) -> None:
    assert rows(text) == expected


@pytest.mark.parametrize(
    ("text", "headings"),
    [
        ("\\section*{Memory of 3 copies}\\label{sec:m}\n", [(2, "Memory of 3 copies")]),
        ("\\subsection{The $4H^2$ of \\emph{attention}}\n", [(3, "The $4H^2$ of \\emph{attention}")]),
        (".. rubric:: Bytes\n", [(6, "Bytes")]),
        ("Bytes\n=====\n\ntext\n", [(1, "Bytes")]),
        ("Bytes 2\n-------\n", [(2, "Bytes 2")]),
        ("### Bytes\n", [(3, "Bytes")]),
        ("a line of text\nBytes 2\n-------\n", []),
        ("Layer   Output\n--------------\n", []),
        ("\\section{A} and text 5\n", []),
    ],
)
def test_headings(text: str, headings: list[tuple[int, str]]) -> None:
    assert [(line.level, line.raw) for line in page_lines(text) if line.kind == "heading"] == headings

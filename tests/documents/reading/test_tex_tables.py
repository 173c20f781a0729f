"""Tables of TeX: their rows, cells and rules, and what is none of them."""

from __future__ import annotations

import pytest

from symparam.documents.reading.line_splitting import page_lines
from tests.documents.checking.shown import claims

TABLE = "Take $d = 64$.\n\\begin{tabular}{lrr}\n%s\n\\end{tabular}\n"


@pytest.mark.parametrize(
    ("rows", "kinds"),
    [
        ("a & b \\\\ \\hline\nc & 7 \\\\", ["row a|b", "delimiter", "row c|7"]),
        ("\\toprule a & b \\\\[2pt] \\midrule\nc &\n 7 \\\\ \\bottomrule", ["delimiter", "row a|b", "delimiter", "row c|7", "delimiter"]),
        ("a & 7", ["row a|7"]),
        ("a & 7 \\\\ b & 8 \\\\\nR\\&D & 9 \\\\", ["row a|7", "row b|8", "row R\\&D|9"]),
    ],
)
def test_a_table_has_rows_of_cells(rows: str, kinds: list[str]) -> None:
    text = TABLE % rows
    found = [line for line in page_lines(text) if line.kind in ("row", "delimiter")]
    cells = ["|".join(text[cell.start : cell.end].strip() for cell in line.cells) for line in found]
    assert [f"{line.kind} {each}".strip() for line, each in zip(found, cells, strict=True)] == kinds


def test_a_table_ends() -> None:
    for text in (TABLE % "a & 7 \\\\", "\\begin{tabular}{lr}\na & 7 \\\\\n\n"):
        assert [line.kind for line in page_lines(text + "5 & 6 = 7")][-1] == "text"


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        # A formula beside its number, 3 × 64² = 12,288 and 64² = 4,096, and a total: 16,384.
        (
            "part & formula & weights \\\\ \\hline\n$W_Q, W_K, W_V$ & $3d^2$ & 12{,}288 \\\\\n$W_O$ & $d^2$ & 4{,}096 \\\\ \\hline\n"
            "total & & 16{,}384 \\\\",
            ["3d^2 = 12{,}288: exact", "d^2 = 4{,}096: exact", "12{,}288 + 4{,}096 = 16{,}384: sum"],
        ),
        # A power of ten is a number, and no calculation of the others in its row.
        ("at & all & lost \\\\ \\hline\n$10^{-4}$ & 100.00 & 0.00 \\\\\n$10^{-3}$ & 99.99 & 0.01 \\\\\n$10^{-2}$ & 99.96 & 0.04 \\\\", []),
        # The heads say what is calculated: 3 × 64 = 192.
        ("layer & calculation & result \\\\\n\\midrule\na & $3 \\times 64$ & 129 \\\\", ["3 \\times 64 = 129: wrong-number"]),
    ],
)
def test_a_formula_is_held_against_the_number_in_its_row(rows: str, expected: list[str]) -> None:
    assert claims(TABLE % rows) == expected


def test_a_number_of_the_page_may_have_braces() -> None:
    rows = "layers & weights \\\\ \\hline\n" + "\n".join(f"{count} & {count * 7_087_872:,} \\\\" for count in (11, 13, 17, 19))
    found = claims("A layer has $7{,}087{,}872$ weights.\n\n" + TABLE % rows)
    assert found == [f"{count} × 7,087,872 = {count * 7_087_872:,}: exact" for count in (11, 13, 17, 19)]

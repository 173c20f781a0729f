"""Numbers are the same however they are set, and findings are at their places on the page as it is written."""

from __future__ import annotations

import pytest

from symparam.documents.reading.plain_numbers import with_plain_numbers
from symparam.documents.reading.source import Source
from tests.documents.checking.shown import checked, claims


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("a $16\\times$ larger one", "a 16× larger one"),
        ("$\\approx 96.5\\%$ of $4.51 \\text{ TFLOPs}$", "≈ 96.5% of 4.51 TFLOPs"),
        ("$\\approx \\mathbf{33.2\\times}$ as many", "≈ 33.2× as many"),
        ("$7{,}087{,}872$ weights", "7,087,872 weights"),
        ("**70**% and <strong>70</strong>%, `70`%, **2** bytes", "70% and 70%, 70%, 2 bytes"),
        ("<em>12</em> layers", "12 layers"),
        ("in all 7,087,872[^1].", "in all 7,087,872."),
        ("[cite_start]It has 12 layers [cite: 801].", "It has 12 layers."),
        ("a = 1\r\nb = 2\r\n", "a = 1\nb = 2\n"),
        # Bold totals, formulas, definitions of footnotes, money and powers stay.
        ("| **7,087,872** |", "| **7,087,872** |"),
        ("<b>Total</b>", "**Total**"),
        ("$12H^2$ and $H$", "$12H^2$ and $H$"),
        ("7[^1]: a note", "7[^1]: a note"),
        ("$5 million for $70 each, $1$2", "$5 million for $70 each, $1$2"),
        ("2**10**x", "2**10**x"),
    ],
)
def test_what_is_set_in_plain_text(written: str, plain: str) -> None:
    assert with_plain_numbers(Source("page.md", written)).text == plain


def test_a_page_without_markup_is_not_copied() -> None:
    page = Source("page.md", "12 × 3 = 36")
    assert with_plain_numbers(page) is page


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("number", ["28,311,562", "$28{,}311{,}562$", "**28,311,562**", "`28,311,562`", "<strong>28,311,562</strong>"])
def test_a_finding_is_where_the_author_wrote_it(number: str, end: str) -> None:
    page = end.join(
        ["# Layers", "", f"There are 12 layers: 12 × 2,359,296 = {number} weights.", "", "| a | b |", "|---|---|", "| 2 × 3 | 7 |"]
    )
    (wrong,) = checked(page).wrong
    assert page[wrong.right_start : wrong.end] in (number, number.strip("$*`"))
    assert wrong.text.startswith("12 × 2,359,296 =")


def test_lines_of_another_system_say_the_same() -> None:
    page = "| part | size |\n|---|---|\n| a | 2,362,368 |\n| b | 4,722,432 |\n| **Total** | **7,084,810** |\n\n- a: 1,000\n- total: 1,000\n"
    assert claims(page.replace("\n", "\r\n")) == claims(page)

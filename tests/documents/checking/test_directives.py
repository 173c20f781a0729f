"""Remarks to the checker: what they apply to in Markdown, LaTeX and text, and the errors for unusable ones."""

from __future__ import annotations

import re

import pytest

from symparam.errors import DocumentError
from tests.documents.checking.shown import checked, claims

W = "2 × 3 = 7"  # Wrong, and told as:
TOLD, IGNORED = f"{W}: wrong-number", f"{W}: wrong-number (ignored)"
SUM = "- a: 10,000\n- b: 20,000\n{}\n- total: 31,000\n"
TABLE = f"| a | b |\n|---|---|\n| {W} | |\n| {W} | |\n"
ROWS = r"2 \times 3 &= 6 \\" + "\n" + r"2 \times 4 &= 9"
ALIGNED = "\\begin{align*}\n" + ROWS + "\n\\end{align*}\n"
HOLDS, OFF = r"2 \times 3 = 6: exact", r"2 \times 4 = 9: wrong-number (ignored)"

REMARKS = [
    # On the line itself.
    (f"{W} <!-- symparam: ignore -->\n{W}", [IGNORED, TOLD]),
    (f"{W} % symparam: ignore\n{W}", [IGNORED, TOLD]),  # And no percentage.
    (f"{W} // symparam: ignore\n{W}", [IGNORED, TOLD]),  # And no division.
    (f"{W} # symparam: ignore\n{W}", [IGNORED, TOLD]),
    (f"{W} ; symparam: ignore\n{W}", [IGNORED, TOLD]),
    (f"{W} {{# symparam: ignore #}}\n{W}", [IGNORED, TOLD]),
    ("2 × 3 = 6 % symparam: ignore", ["2 × 3 = 6: exact (ignored)"]),
    # Alone, above the line that it is about.
    (f"<!-- symparam: ignore -->\n{W}\n{W}", [IGNORED, TOLD]),
    (f"<!-- symparam: ignore -->\n\n\n{W}\n{W}", [IGNORED, TOLD]),
    (f"% symparam: ignore\n{W}\n{W}", [IGNORED, TOLD]),
    (f"    # symparam: ignore\n    {W}", [IGNORED]),
    (f"[//]: # (symparam: ignore wrong-number)\n{W}", [IGNORED]),
    (f'[//]: # "symparam: ignore wrong-number"\n{W}', [IGNORED]),
    (f"<!-- symparam: ignore -->\n<!-- symparam: ignore -->\n{W}", [IGNORED.removesuffix(" (ignored)") + " (ignored)"]),
    (f"{W}\n<!-- symparam: ignore -->", [TOLD]),
    (f"{W}\n<!-- symparam: ignore -->\n", [TOLD]),
    ("<!-- symparam: ignore -->", []),
    # What else a comment says is no part of the page.
    (f"<!-- {W}\n{W} -->\n{W} <!-- {W} -->", [TOLD]),
    (f"<!-- {W}", [TOLD]),
    # Above what goes over several lines.
    (f"<!-- symparam: ignore -->\n{TABLE}\n{W}", [IGNORED, IGNORED, TOLD]),
    (f"<!-- symparam: ignore -->\n```\n{W}\n\n{W}\n```\n{W}", [IGNORED, IGNORED, TOLD]),
    (f"<!-- symparam: ignore -->\n~~~text\n{W}\n~~~\n{W}", [IGNORED, TOLD]),
    ("<!-- symparam: ignore -->\n<table>\n<tr><td>2 × 3 = 7</td></tr>\n</table>\n2 × 3 = 7", [IGNORED, TOLD]),
    ("% symparam: ignore\n\\[\n2 × 3 = 7\n\\]\n2 × 3 = 7", [IGNORED, TOLD]),
    (f"% symparam: ignore\n$$\n{W}\n$$\n{W}", [IGNORED, TOLD]),
    (f"% symparam: ignore\n$$ {W} $$\n{W}", [IGNORED, TOLD]),
    (f"% symparam: expect wrong-number\n{ALIGNED}{W}", [HOLDS, OFF, TOLD]),
    # A block that never ends ends at the next remark.
    (f"% symparam: ignore\n\\[\n{W}\n% symparam: ignore no-value\n{W}\n", [IGNORED, TOLD]),
    # With codes.
    (f"<!-- symparam: ignore wrong-number -->\n{W}", [IGNORED]),
    (f"<!-- symparam: ignore wrong-sum, wrong-number -->\n{W}", [IGNORED]),
    (f"<!-- symparam: ignore wrong-sum -->\n{W}", [TOLD]),
    (f"<!-- symparam: expect wrong-number -->\n{W}", [IGNORED]),
    ("<!-- symparam: expect exact -->\n2 × 3 = 6", ["2 × 3 = 6: exact (ignored)"]),
    ("<!-- symparam: expect no-value -->\n4H² = 7", ["4H² = 7: no-value (ignored)"]),
    # It parts no list.
    (SUM.format("<!-- symparam: expect wrong-sum -->"), ["10,000 + 20,000 = 31,000: wrong-sum (ignored)"]),
    (SUM.format("% symparam: expect wrong-sum"), ["10,000 + 20,000 = 31,000: wrong-sum (ignored)"]),
    (SUM.format("# symparam: expect wrong-sum"), ["10,000 + 20,000 = 31,000: wrong-sum (ignored)"]),
    # Said in a sentence, it is none.
    (f"write symparam: ignore behind it\n{W}", [TOLD]),
    (f"symparam: {W}", [TOLD]),
    (f"{W} <!-- SYMPARAM: ignore -->", [TOLD]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), REMARKS, ids=[text.replace("\n", " ⏎ ")[:70] for text, _ in REMARKS])
def test_remarks(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


EXPECTED = [
    ("<!-- symparam: expect wrong-number -->\n2 × 3 = 6", "wrong-number"),
    (f"<!-- symparam: expect wrong-number, wrong-sum -->\n{W}", "wrong-sum"),
    (f"<!-- symparam: expect wrong-number -->\n2 × 3 = 6\n{W}", "wrong-number"),
    ("<!-- symparam: expect wrong-number, wrong-value -->", "wrong-number, wrong-value"),
]


@pytest.mark.parametrize(("text", "missing"), EXPECTED, ids=[text.replace("\n", " ⏎ ") for text, _ in EXPECTED])
def test_what_is_expected_and_missing_is_wrong(text: str, missing: str) -> None:
    (finding,) = [each for each in checked(text).wrong if each.code == "expected"]
    assert finding.message == f"the comment expects {missing} here, but there is no such finding"
    assert finding.text.startswith("<!-- symparam: expect wrong-number")
    assert finding.remedy == "remove the comment, or see what has changed in the line"


REFUSED = [
    ("\n<!-- symparam: expect -->", "<text>:2:1: the code that is expected is missing, as in 'symparam: expect wrong-sum'"),
    (
        "2 × 3 = 6 <!-- symparam: hide -->",
        "<text>:1:11: 'hide' is addressed to symparam; 'ignore' or 'expect' and codes, 'without' and rules, or 'measure' or 'convention' and a name, "
        "are expected",
    ),
    ("% symparam: ignore wrong-nmber", "<text>:1:1: there is no code named 'wrong-nmber'; did you mean 'wrong-number' or 'wrong-sum'?"),
    ("% symparam: ignore wrong-sum as it is old", "<text>:1:1: there is no code named 'as'; there are exact, "),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[text.strip() for text, _ in REFUSED])
def test_remarks_that_cannot_be_used(text: str, message: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(message)):
        checked(text)


def test_many_remarks_take_no_time() -> None:
    text = f"<!-- symparam: ignore -->\n\\[\n{W}\n" * 500
    assert claims(text) == [IGNORED] * 500

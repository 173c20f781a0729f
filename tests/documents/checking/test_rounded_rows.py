"""Sums whose numbers a program rounded, or lost in a number of limited precision."""

from __future__ import annotations

import pytest

from symparam import check_text
from symparam.documents.checking.finding import Verdict

ROWS = "| memory [{}] | total  free  used  spare |\n| Host | {} = 1208 + 105 + 162 |\n"


@pytest.mark.parametrize(
    ("unit", "total", "verdict"),
    [("MiB", 1476, Verdict.UNDECIDED), ("MiB", 1486, Verdict.WRONG), ("of it", 1476, Verdict.WRONG), ("MiB", 1475, Verdict.HOLDS)],
)
def test_the_rows_below_a_head_with_a_unit_are_rounded(unit: str, total: int, verdict: Verdict) -> None:
    found = check_text(f"```\n{ROWS.format(unit, total)}```\n").findings
    assert [each.verdict for each in found] == [verdict]


@pytest.mark.parametrize(
    ("sum_", "verdict"), [("16777216 + 1 = 16777216", Verdict.UNDECIDED), ("23440896 + 768 = 23440896", Verdict.WRONG)]
)
def test_a_number_of_32_bits_loses_a_small_term(sum_: str, verdict: Verdict) -> None:
    assert [each.verdict for each in check_text(sum_).findings] == [verdict]


def test_two_results_that_follow_each_other_are_swapped() -> None:
    text = "- 12 × 768 × 768 × 2 + 768 = 2362368\n- 768 × 3072 + 3072 = 2360064\n- 3072 × 768 + 768 = 2362368\n"
    second, third = (each.gap for each in check_text(text).findings[-2:])
    assert [gap and gap.explained_by[0].what for gap in (second, third)] == [
        "swapped with the result of line 3 (2,362,368)",
        "swapped with the result of line 2 (2,360,064)",
    ]


def test_braces_of_tex_are_not_shown() -> None:
    found = check_text("$d = 8$\n\n${2 \\cdot 3 \\cdot d}^2 = 384$\n\n$(2 \\cdot 3 \\cdot d)^2 = 2304$\n").findings
    assert [each.verdict for each in found] == [Verdict.HOLDS, Verdict.HOLDS]


@pytest.mark.parametrize(
    ("line", "cause"),
    [
        ("2 × 80 × 2048 × 8192 × 2 = 5.2 GB", "1,024s in turn"),
        ("11008 × 4096 = 90.2M", "2 times too large"),
        ("2 × 80 × 2048 × 8192 × 2 = 53.7 GB", "10 times too large"),
    ],
)
def test_the_cause_of_a_rounded_number(line: str, cause: str) -> None:
    (found,) = check_text(line).findings
    assert found.gap is not None
    assert cause in found.gap.explained_by[0].what

"""Chains of relations in a line of any language: where they begin and end, what is soft, and what is clipped."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from symparam.documents.reading.chains import COPIED, GOES_ON
from tests.documents.reading.shown import chains, document


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("6 layers × 32 = 192", ["6 layers × 32 «6 × 32» = 192"]),
        ("6 layers × 32 heads of 4 = 1", ["6 layers × 32 «6 × 32»", "heads of | 4 = 1"]),
        ("5 (for both halves) * 6 = 30", ["5 (for both halves) * 6 «5 × 6» = 30"]),
        ("5 × 6（带偏置）= 30", ["5 × 6 = 30"]),
        ("5*6(30) + 2 = 32", ["5*6(30) + 2 «5 × 6 × 30 + 2» = 32"]),
        ("5 × 6 (each) = 60", ["5 × 6 ? the words after it may multiply it = 60"]),
        ("5 × 6 each = 60", ["5 × 6 ? the words after it may multiply it = 60"]),
        ("W × B (5 × 6 = 30)", ["W × B «WB»", "( | 5 × 6 = 30"]),
        ("41,200 (~41K)", ["41,200"]),
        ("41,200 约等于 4.1 万", ["41,200", "约等于 | 4.1 万 «<41/10 万>»"]),
        ("41,200, or 41K", ["41,200", ", or | 41K «<41 K>»"]),
        ("41,200, about 41K", ["41,200", ", about | 41K «<41 K>»"]),
        ("5 × 6 is 30", ["5 × 6", "is | 30"]),
        ("5 × 6 得到 30", ["5 × 6", "得到 | 30"]),
        ("5 × 6 ≈ roughly 30", ["5 × 6 ≈ 30"]),
        ("5 × 6 =≈ 30", ["5 × 6 ≈ 30"]),
        ("5 × 6 = = 30", ["5 × 6 = 30"]),
        ("5 × 6 = bias", ["5 × 6"]),
        ("5 × 6 ≥ 30", ["5 × 6", "≥ | 30"]),
        ("60%–70% = 1", ["60% «<60 %>»", "– | 70% «<70 %>» = 1 < what precedes '–' may belong to it"]),
        ("14M~300M = 1", ["14M «<14 M>»", "~ | 300M «<300 M>» = 1 < what precedes '~' may belong to it"]),
        ("100–5*2 = 90", ["100", "– | 5*2 «5 × 2» = 90 < what precedes '–' may belong to it"]),
        ("5*6=30*2=60", ["5*6 «5 × 6» = 30*2 «30 × 2» = 60"]),
        ("kernel=3 × 2 = 6", ["kernel «?:kernel» = 3 × 2 = 6"]),
        ("5 × 6 = 30; 2 × 2 = 4", ["5 × 6 = 30", "; | 2 × 2 = 4"]),
        ("5 × 6 = 30, 2 × 2 = 4", ["5 × 6 = 30", ", | 2 × 2 = 4"]),
        ("5 × 6 = 30 → 2 × 2 = 4", ["5 × 6 = 30", "→ | 2 × 2 = 4"]),
        (
            "1 + 2 + … + 5*2 = 30",
            ["1 + 2 ? what follows '+' is not read", "+ … + | 5*2 «5 × 2» = 30 < what precedes '+' is not read"],
        ),
        (
            "\\sum_{i=1}^{3} 5 \\times 2 = 30",
            [
                "\\sum | _ < there is a sum sign before it",
                "{ | i = 1 < there is a sum sign before it",
                "}^{3} | 5 \\times 2 «5 × 2» = 30 < there is a sum sign before it",
            ],
        ),
        ("7 plus 5*2 = 17", ["7", "plus | 5*2 «5 × 2» = 17 < the words before it may belong to it"]),
        ("two blocks of 5*2 = 20", ["two blocks of | 5*2 «5 × 2» = 20 < the words before it may belong to it"]),
        ("+ 5*2 = 30", ["+ | 5*2 «5 × 2» = 30 < it begins with a plus sign"]),
        ("- 5*2 = 10", ["- | 5*2 «5 × 2» = 10"]),
        ("3! + 5*2 = 16", ["3", "! + | 5*2 «5 × 2» = 16 < what precedes '+' is not read"]),
        ("9 % 5 * 2 = 8", ["9 % | 5 * 2 «5 × 2» = 8 < what precedes it is not read"]),
        ("9 5*2 = 10", ["9 | 5*2 «5 × 2» = 10 < what precedes it is not read"]),
        ("50% × 8 = 4", ["50% × 8 «<50 %> × 8» = 4"]),
        ("multi-head: 5 × 6 = 30", ["multi-head: | 5 × 6 = 30"]),
        ("GPT-2: 5 × 6 = 30", ["GPT-2: | 5 × 6 = 30"]),
        ("总参数量 = 5 × 6 = 30", ["总参数量 = | 5 × 6 = 30"]),
        ("参数量：5×6＝30，偏置 6", ["参数量： | 5×6 «5 × 6» = 30", "，偏置 | 6"]),
        ("共 5 层 × 6 = 30", ["共 | 5 层 × 6 «5 × 6» = 30"]),
        ("総数は 5 × 6 = 30 です", ["総数は | 5 × 6 = 30"]),
        ("파라미터 수: 5 × 6 = 30개", ["파라미터 수: | 5 × 6 = 30"]),
        ("Всего параметров: 5 × 6 = 30", ["Всего параметров: | 5 × 6 = 30"]),
        ("Total de parâmetros: 5 × 6 = 30", ["Total de parâmetros: | 5 × 6 = 30"]),
        ("neuronas: - 5 + 6 = 1", ["neuronas: - | 5 + 6 = 1 < it may begin with a minus sign"]),
        ("x = - 5 + 6 = 1", ["x = - 5 + 6 «−5 + 6» = 1"]),
        ("x = -\\left(5 - 6\\right) = 1", ["x = -\\left(5 - 6\\right) «−(5 − 6)» = 1"]),
        ("7 млрд × 2 байта = 14 ГБ", ["7 млрд × 2 байта «<7 млрд> × <2 байта>» = 14 ГБ «<14 ГБ>»"]),
    ],
)
def test_chains(text: str, found: list[str]) -> None:
    assert chains(text) == found


def test_what_goes_over_lines_is_one_chain() -> None:
    assert chains("Sum: 5 × 6\n  = 30\n  ≈ 3 × 10") == ["Sum: | 5 × 6 = 30 ≈ 3 × 10"]
    assert chains("a &= 5 \\times 6 \\\\\n&= 30 \\\\") == ["a = 5 \\times 6 «5 × 6» = 30"]
    assert chains("(5 × 6 +\n7) = 37") == ["(5 × 6 +\n7) «5 × 6 + 7» = 37"]


@pytest.mark.parametrize("line", ["5×62=3,844 \\times 62 = 3,8445×62=3,844", "a: 2×3=6 \\times 3 = 6"])
def test_a_copied_page_has_its_formulas_several_times(line: str) -> None:
    (found,) = document(line).lines
    assert {chain.clipped for chain in found.chains} == {COPIED}


@pytest.mark.parametrize("line", ["+ 5*2 = 10", "a, + 5*2 = 10", "5 = 5; + 5*2 = 10"])
def test_a_line_that_begins_with_plus_goes_on(line: str) -> None:
    assert [chain.clipped for chain in document(line).lines[0].chains][-1] == GOES_ON


WORDS = [
    "5",
    "12,345",
    "0.5",
    "H",
    "bias",
    "参数",
    " = ",
    " ≈ ",
    " × ",
    " + ",
    "-",
    "(",
    ")",
    "$",
    "**",
    ", ",
    "; ",
    "²",
    "^",
    "/",
    "M",
    " GB",
    "~",
    "约",
    "–",
]


@given(st.lists(st.sampled_from(WORDS), max_size=20).map("".join) | st.text(alphabet="12+-*/=()[]{}^~≈,.: HM参约$\\_|", max_size=40))
@example("1M{")
@example("5 GB(")
def test_chains_stand_in_their_line_in_order(text: str) -> None:
    for line in document(text).lines:
        for found in (line.chains, *(cell.chains for cell in line.cells)):
            at = line.line.start
            for chain in found:
                assert at <= chain.start < chain.end <= line.line.end
                assert len(chain.sides) == len(chain.relations) + 1
                for left, relation, right in zip(chain.sides, chain.relations, chain.sides[1:], strict=False):
                    assert left.start < left.end <= relation.start < relation.end <= right.start
                assert chain.unread is None or chain.end <= chain.unread.start < chain.unread.end <= line.line.end
                assert not text[chain.start : chain.end].startswith((" ", "="))
                at = chain.end

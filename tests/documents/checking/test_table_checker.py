"""Tables: formulas beside their numbers, shapes and biases, columns that add up, and letters with several meanings."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import checked, claims, gap, said


def table(head: str, *rows: str) -> str:
    """A Markdown table with these rows."""
    return "\n".join([f"| {head} |", "|" + "---|" * (head.count("|") + 1), *(f"| {row} |" for row in rows)]) + "\n"


def html(*rows: str) -> str:
    """The same in HTML."""
    cells = ("".join(f"<td>{cell.strip()}</td>" for cell in row.split("|")) for row in rows)
    return "<table>\n" + "".join(f"<tr>{row}</tr>\n" for row in cells) + "</table>\n"


ATTENTION, FFN = "attention | 4 × 768² | 2,359,296", "ffn | 8 × 768² | 4,718,592"
ROWS = ["4 × 768² = 2,359,296: exact", "8 × 768² = 4,718,592: exact"]
SHAPES = "name | shape[0] | shape[1] | bias | total"
PARTS = ("attention | 2,359,296", "ffn | 4,718,592")
ADDED = "2,359,296 + 4,718,592"

TABLES = [
    # A formula and its number, in either order of the columns.
    (table("part | formula | params", ATTENTION, FFN), ROWS),
    (table("part | params | formula", "attention | 2,359,296 | 4 × 768²", "ffn | 4,718,592 | 8 × 768²"), ROWS),
    (table("part | formula | params", ATTENTION, "ffn | 8 × 768² | 4,718,529"), [ROWS[0], "8 × 768² = 4,718,529: wrong-number"]),
    (table("part | params | formula", "attention | 2,359,269 | 4 × 768²"), ["4 × 768² = 2,359,269: wrong-number"]),
    (table("模块 | 计算公式 | 参数量", "注意力 | 4 × 768² | 2,359,297"), ["4 × 768² = 2,359,297: wrong-number"]),
    (table("part | formula | params", "attention | 4 × 768² | ≈ 2.4M", "ffn | 8 × 768² | 4.7M"), ["4 × 768² = 2.4M: rounded", "8 × 768² = 4.7M: rounded"]),
    # Where the head does not say that the columns are that, what holds is found, and nothing is missed.
    (table("part | x | y", ATTENTION), ROWS[:1]),
    (table("part | x | y", "attention | 4 × 768² | 2,359,269"), []),
    # It is missed only where twice as many rows hold; where as many fail, the columns may be something else.
    (table("part | x | y", ATTENTION, FFN, "head | 30522 × 768 | 23,449,856"), [*ROWS, "30522 × 768 = 23,449,856: wrong-number"]),
    (table("part | x | y", ATTENTION, "head | 30522 × 768 | 23,449,856"), ROWS[:1]),
    (table("part | x | y", ATTENTION, FFN, "head | 30522 × 768 | 23,449,856", "pooler | 768² | 589,842"), ROWS),
    # A claim inside a cell is one everywhere.
    (table("part | x | y", "attention | 4 × 768² = 2,359,269 | "), ["4 × 768² = 2,359,269: wrong-number"]),
    (table("part | x", "V × H = 30522 × 768 | 23,440,896"), ["V × H = 30522 × 768: exact", "30522 × 768 = 23,440,896: exact"]),
    # Shapes, with and without a bias.
    (table("name | shape[0] | shape[1] | total", "query | 768 | 768 | 589,824", "key | 768 | 768 | 589,842"),
     ["768 × 768 = 589,824: exact", "768 × 768 = 589,842: wrong-number"]),
    (table(SHAPES, "query | 768 | 768 | 768 | 590,592", "key | 768 | 768 | 768 | 590,529"),
     ["768 × 768 + 768 = 590,592: exact", "768 × 768 + 768 = 590,529: wrong-number"]),
    (table(SHAPES, "query | W | H | W | W × H + W"), ["W × H + W = W × H + W: proven"]),
    (table(SHAPES, "query | W | H | W | W × H + H"), ["W × H + W = W × H + H: wrong-formula"]),
    # Columns and their totals.
    (table("part | params", *PARTS, "total | 7,077,888"), [f"{ADDED} = 7,077,888: sum"]),
    # Each column has its own total, of the numbers of its kind.
    (table("part | small | large", "attention | 2,359,296 | 4,194,304", "ffn | 4,718,592 | 8,388,608", "total | 7,077,888 | 12,582,912"),
     [f"{ADDED} = 7,077,888: sum", "4,194,304 + 8,388,608 = 12,582,912: sum"]),
    (table("part | small | large", "attention | 2,359,296 | 4,194,304", "ffn | 4,718,592 | 8,388,608", "total | 7,077,888 | 12,582,921"),
     [f"{ADDED} = 7,077,888: sum", "4,194,304 + 8,388,608 = 12,582,921: wrong-sum"]),
    (table("item | full", "trained | 6,738,415,616", "gradients | 13.5 GB", "moments | 53.9 GB", "weights | 13.5 GB", "total | 80.9 GB"),
     ["13.5 GB + 53.9 GB + 13.5 GB = 80.9 GB: sum"]),
    (table("part | params", *PARTS, "total | 7,077,898"), [f"{ADDED} = 7,077,898: wrong-sum"]),
    (table("part | params", *PARTS, "**合计** | **7,077,898**"), [f"{ADDED} = 7,077,898: wrong-sum"]),
    (table("part | formula | params", ATTENTION, FFN, "**total** | | **7,077,888**"), [*ROWS, f"{ADDED} = 7,077,888: sum"]),
    (table("part | params", *PARTS, " | **7,077,898**"), [f"{ADDED} = 7,077,898: wrong-sum"]),
    (table("part | params", *PARTS, "both | 7,077,888"), [f"{ADDED} = 7,077,888: sum"]),
    (table("part | params", *PARTS, "both | 7,077,898"), []),
    (table("part | params", "a | 10,000", "b | 20,000", "subtotal | 30,000", "c | 5,000", "d | 6,000", "subtotal | 11,000", "total | 41,000"),
     ["10,000 + 20,000 = 30,000: sum", "5,000 + 6,000 = 11,000: sum", "30,000 + 11,000 = 41,000: sum"]),
    (table("part | params", "a | 10,000", "b | 20,000", "subtotal | 30,000", "c | 5,000", "d | 6,000", "subtotal | 11,100", "total | 41,100"),
     ["10,000 + 20,000 = 30,000: sum", "5,000 + 6,000 = 11,100: wrong-sum", "30,000 + 11,100 = 41,100: sum"]),
    (table("part | shape", "a | 10,000", "b | 20,000", "total | 31,000"), []),
    # Rows that are left out.
    (table("layer | params", "1 | 7,087,872", "2 | 7,087,872", "... | ...", "12 | 7,087,872", "total | 85,054,464"), []),
    (table("layer | params", "1 | 7,087,872", "2 | 7,087,872", "⋮ | ⋮", "total | 14,175,745"), []),
    # Percentages of the total.
    (table("part | params | share", "attention | 2,359,296 | 33.3%", "ffn | 4,718,592 | 66.6%", "total | 7,077,888 | 100%"),
     ["2,359,296 / 7,077,888 = 33.3%: rounded", "4,718,592 / 7,077,888 = 66.6%: truncated", f"{ADDED} = 7,077,888: sum"]),
    (table("part | params | share", "attention | 2,359,296 | 35%", "ffn | 4,718,592 | 65%", "total | 7,077,888 |"), [f"{ADDED} = 7,077,888: sum"]),
    # Formulas that add up.
    (table("part | params", "attention | 4 × H²", "ffn | 8 × H²", "total | 12 × H²"), ["4 × H² + 8 × H² = 12 × H²: sum"]),
    (table("part | params", "attention | 4 × H²", "ffn | 8 × H²", "total | 13 × H²"), []),
    # HTML.
    (html(ATTENTION, FFN, "total | | 7,077,888"), [*ROWS, f"{ADDED} = 7,077,888: sum"]),
    (html(*PARTS, "<b>total</b> | <b>7,077,898</b>"), [f"{ADDED} = 7,077,898: wrong-sum"]),
    # A cell with nothing in it but a zero is no part of a ratio.
    (table("run | steps | seen | lost | loss", "a | 12 * 40 | 50 | 0.0 | 3.2", "b | 13 * 40 | 53 | 0.0 | 3.7", "c | 14 * 40 | 560 | 0.0 | 3.9"), ["14 * 40 = 560: exact"]),
    # Rows without bars at their ends.
    ("part | formula | params\n--- | --- | ---\nattention | 4 × 768² | 2,359,296\nffn | x | 4,718,592\ntotal | - | 7,077,898\n", [ROWS[0], f"{ADDED} = 7,077,898: wrong-sum"]),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), TABLES, ids=[text.replace("\n", " ⏎ ")[-60:] for text, _ in TABLES])
def test_tables(text: str, expected: list[str]) -> None:
    assert claims(text) == expected


def test_a_value_in_a_cell_is_given_from_then_on() -> None:
    assert claims(table("letter | value", "H = 768 | width") + "\n4 × H² = 2,359,297\n") == ["4 × H² = 2,359,297: wrong-value"]


def test_messages() -> None:
    assert said(table("part | params", *PARTS, "total | 7,077,898")) == ("wrong-sum", "the 2 parts above add up to 7,077,888")
    assert said(table("part | params", "attention | 4 × H²", "ffn | 8 × H²", "total | 12 × H²")) == ("sum", "the 2 rows above add up to it")


def test_gaps() -> None:
    key = table("part | params", "query | 590,592", "key | 590,592", "value | 590,592", "output | 590,593", "total | 1,771,777")
    assert gap(key) == [-590_592, "line 3 (query: 590,592), line 4 (key: 590,592) or line 5 (value: 590,592) is left out"]
    assert gap(table("part | params", *PARTS, "total | 7,077,898")) == [10, "a slip of the pen in the result: one digit, 9 for 8"]


MEANINGS = [
    (("word embedding | L", "position embedding | L", "token type embedding | L"), "the vocabulary, the positions and the token types", 3),
    (("token embedding | X", "position embedding | X"), "the vocabulary and the positions", 2),
    (("position embedding | P", "segment embedding | P"), "the positions and the token types", 2),
]


@pytest.mark.parametrize(("rows", "meanings", "count"), MEANINGS, ids=[meanings for _, meanings, _ in MEANINGS])
def test_one_letter_for_several_sizes(rows: tuple[str, ...], meanings: str, count: int) -> None:
    letter = rows[0][-1]
    (finding,) = checked(table("name | shape[0] | shape[1]", *(f"{row} | H" for row in rows))).findings
    assert (finding.code, finding.left) == ("several-meanings", letter)
    assert finding.message == f"{letter} has {count} meanings here: {meanings}"
    assert finding.remedy == "give each size a letter of its own"


def test_letters_with_one_meaning_each() -> None:
    assert claims(table("name | shape[0] | shape[1]", "word embedding | V | H", "position embedding | P | H", "norm | P | H")) == []


def test_a_zero_beside_a_formula_is_a_difference() -> None:
    """How much a published formula differs by is no value of it."""
    text = "| paper | formula | difference |\n|---|---|---|\n| A | $2SLNH$ | $0$ |\n| B | $4Nd + 4N^2$ | $0$ |\n"
    assert not list(checked(text).findings)


def test_options_of_a_command_are_no_terms() -> None:
    text = "```console\n$ symparam count config.json --measure flops -w L=1024 -w B=8\n```\n"
    assert not [each for each in checked(text).findings if each.verdict == "undecided"]


STAGES = "| stage | each card | {} |\n|---|---|---|\n| 0 | 16P | {} |\n| 1 | 4P + 12P/n | 38.5 GB |\n| 2 | 2P + 14P/n | 26.25 GB |\n| 3 | 16P/n | 14 GB |\n"


@pytest.mark.parametrize(
    ("head", "first", "count"),
    [
        # With P = 7 and n = 8: 16 · 7 = 112, 4 · 7 + 12 · 7 / 8 = 38.5, 14 + 98 / 8 = 26.25, 112 / 8 = 14.
        ("7B on 8 cards", "112 GB", 4),
        ("8 cards, 7B", "112 GB", 4),
        # One row that does not hold, another number of cards, and no numbers.
        ("7B on 8 cards", "113 GB", 0),
        ("7B on 4 cards", "112 GB", 0),
        ("memory of a card", "112 GB", 0),
    ],
)
def test_letters_have_the_values_of_the_head(head: str, first: str, count: int) -> None:
    found = claims(STAGES.format(head, first))
    assert len(found) == count
    assert all(each.endswith((": exact", ": unit")) for each in found)


FORMULAS = "| part | formula | weights |\n|---|---|---|\n| mlp | 8d² + 5d | 4,722,432 |\n| norms | 4d | 3,072 |\n"


@pytest.mark.parametrize(
    ("below", "codes"),
    [
        # 8 · 768² + 5 · 768 = 4,722,432 and 4 · 768 = 3,072.
        ("\nwith d = 768", ["exact", "exact"]),
        ("\nEach has biases. With d = 768 it is small.", ["exact", "exact"]),
        # Another value, another section, and none.
        ("\nwith d = 769", ["no-value", "no-value"]),
        ("\n# Other\n\nwith d = 768", ["no-value", "no-value"]),
        ("", ["no-value", "no-value"]),
    ],
)
def test_values_may_stand_below_a_table(below: str, codes: list[str]) -> None:
    assert [each.rpartition(": ")[2] for each in claims(FORMULAS + below)] == codes

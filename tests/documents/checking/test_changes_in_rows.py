"""Columns of changes, of which each row compares two other columns in its own way."""

from __future__ import annotations

import pytest

from tests.documents.checking.shown import claims


def table(*rows: str, head: str = "| what | before | after | change |") -> str:
    return "\n".join([head, "|---" * head.count("|", 1) + "|", *rows, ""])


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # A share, a factor and an increase in one column.
        (
            ("| wait | 3,480 ms | 1,210 ms | 65.2% |", "| rate | 853 tok/s | 2,152 tok/s | 2.52x |", "| hits | 412 | 577 | +40% |"),
            ["1 − 1,210 ms / 3,480 ms = 65.2%: rounded", "2,152 / 853 = 2.52x: rounded", "577 / 412 − 1 = +40%: rounded"],
        ),
        # Remarks around the numbers, and a sign of multiplication before the factor.
        (
            ("| memory | HBM3 80 GB | 141 GB HBM3e | ⬆️ 76% |", "| nodes | 886K nodes | 2.01M nodes | ×2.27 |"),
            ["141 GB / 80 GB − 1 = 76%: rounded", "2.01M / 886K = 2.27: rounded"],
        ),
        # The head says that the only two others are compared.
        (("| memory | 80 GB HBM3 | 192 GB HBM3e | 2.4× |",), ["192 GB / 80 GB = 2.4×: exact"]),
        (("| memory | 80 GB HBM3 | 192 GB HBM3e | 2× |",), []),
        # Amounts that count different things, and bounds and ranges.
        (("| memory | 80 GB | 192 GPUs | 2.4× |",), []),
        (("| calls | 30+ | 2-3 | 10x |", "| wait | 100 ms+ | 10-20 ms | 5x |"), []),
        (("| wait | 61.4 s | 23.7 s | 35-62% |",), []),
    ],
)
def test_each_row_says_in_its_own_way_how_two_numbers_compare(rows: tuple[str, ...], found: list[str]) -> None:
    assert claims(table(*rows)) == found


HELD = (
    "| a | 3,480 ms | 1,210 ms | 65.2% |",
    "| b | 853 | 2,152 | 2.52x |",
    "| c | 412 | 577 | 40.0% |",
    "| d | 97.3 GB | 31.9 GB | 67.2% |",
)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("| e | 52.7 s | 13.9 s | 37.6% |", []),  # 1 − 13.9 / 52.7 = 73.6 %
        ("| e | 52.7 s | 13.9 s | 76.3% |", ["1 − 13.9 s / 52.7 s = 76.3%: wrong-rounding"]),
        ("| e | ~53 s | 13.9 s | 76.3% |", []),
        ("| e | 52.7 s | <13.9 s | 76.3% |", []),
        ("| e | 52.7 s | 13.9 GB | 76.3% |", []),
    ],
)
def test_one_row_among_many_that_hold_is_wrong_if_it_is_off_by_a_little(row: str, found: list[str]) -> None:
    assert [each for each in claims(table(*HELD, row)) if "wrong" in each] == found
    assert not [each for each in claims(table(*HELD[:2], row)) if "wrong" in each]


GROUPS = (
    "| task | model | wait (s) | faster |", "| a | plain | 271.3 | 1.00× |", "| | short | 93.0 | 2.92× |", "| | shorter | 61.6 | {} |",
    "| b | plain | 342.3 | 1.00× |", "| | short | 97.0 | 3.53× |",
)  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "found"),
    [
        # Each is compared with the last row that is once as much.
        (
            [each.format("4.40×") for each in GROUPS[1:]],
            ["271.3 / 93.0 = 2.92×: rounded", "271.3 / 61.6 = 4.40×: rounded", "342.3 / 97.0 = 3.53×: rounded"],
        ),
        # One that is off is not wrong: it may be compared with something else.
        ([each.format("4.14×") for each in GROUPS[1:]], ["271.3 / 93.0 = 2.92×: rounded", "342.3 / 97.0 = 3.53×: rounded"]),
        # The first row has no change.
        (
            ("| a | p | 0.967 | — |", "| b | p | 0.806 | -16.6% |", "| c | p | 3.22 | 3.33× |", "| d | p | 0.439 | -54.6% |"),
            ["0.806 / 0.967 − 1 = -16.6%: rounded", "3.22 / 0.967 = 3.33×: rounded", "0.439 / 0.967 − 1 = -54.6%: rounded"],
        ),
    ],
)
def test_a_row_may_be_compared_with_one_above(rows: list[str], found: list[str]) -> None:
    assert claims(table(*rows, head=GROUPS[0])) == found

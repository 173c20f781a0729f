"""Columns of a table that are computed from others, and columns that only look so."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.tables.column_relations import RoughNumber, of_several
from tests.documents.checking.shown import checked, claims
from tests.work import calls


def table(head: str, *rows: tuple[object, ...]) -> str:
    lines = [head.split(), ["---"] * len(head.split()), *([str(cell) for cell in row] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


WIDTHS = [
    ("a", "1,638,400", "787,968", "2,426,368"),
    ("b", "3,276,800", "3,148,800", "6,425,600"),
    ("c", "6,553,600", "12,589,056", "19,142,656"),
]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (table("name table blocks all", *WIDTHS), ["1,638,400 + 787,968 = 2,426,368: exact", "3,276,800 + 3,148,800 = 6,425,600: exact",
                                                   "6,553,600 + 12,589,056 = 19,142,656: exact"]),
        (table("name old new change", ("a", 200.0, 190.0, "-5.0%"), ("b", 310.0, 403.0, "30.0%"), ("c", 427.0, 512.4, "20.0%"), ("d", 640.0, 608.0, "-5.0%")),
         ["190.0 / 200.0 − 1 = -5.0%: exact", "403.0 / 310.0 − 1 = 30.0%: exact", "512.4 / 427.0 − 1 = 20.0%: exact", "608.0 / 640.0 − 1 = -5.0%: exact"]),
        (table("name part whole share", ("a", 418.7, 432, "96.9%"), ("b", 271.2, 312, "86.9%"), ("c", 828.6, 989, "83.8%")),
         ["418.7 / 432 = 96.9%: rounded", "271.2 / 312 = 86.9%: rounded", "828.6 / 989 = 83.8%: rounded"]),
        # As the sizes in their heads are.
        ("| model | 4K tokens | 16K tokens |\n|---|---|---|\n| a | 0.5 GB | 2 GB |\n| b | 0.8 GB | 3.2 GB |\n| c | 2 GB | 8 GB |\n",
         ["0.5 GB × 4 = 2 GB: exact", "0.8 GB × 4 = 3.2 GB: exact", "2 GB × 4 = 8 GB: exact"]),
        ("| model | per token | 4K context |\n|---|---|---|\n| a | 128 KB | 512 MB |\n| b | 160 KB | 640 MB |\n",
         ["128 KB × 4,000 = 512 MB: exact", "160 KB × 4,000 = 640 MB: exact"]),
        ("| model | 4K tokens | 16K tokens |\n|---|---|---|\n| a | 0.5 GB | 2 GB |\n| b | 0.8 GB | 3.8 GB |\n| c | 2 GB | 9 GB |\n", []),
        # As the units in their heads are; the third and last slip by two swapped digits, 800,000 / 86,400 = 9.26.
        (table("time_(s) days", ("612,345", 7.09), ("712,345", 8.24), ("523,456", 6.06), ("800,000", 9.62)),
         ["612,345 / 86,400 = 7.09: rounded", "712,345 / 86,400 = 8.24: rounded", "523,456 / 86,400 = 6.06: rounded",
          "800,000 / 86,400 = 9.62: wrong-rounding"]),
        (table("bytes KiB", ("524,288", 512), ("819,200", 800), ("327,680", 320)),
         ["524,288 / 1,024 = 512: exact", "819,200 / 1,024 = 800: exact", "327,680 / 1,024 = 320: exact"]),
        # A window of 2K tokens ends what grows with their number.
        ("| model | per token | total for 4K tokens |\n|---|---|---|\n| a | 131,072 | 536,870,912 |\n| b | 163,840 | 671,088,640 |\n"
         "| c | 196,608 | 805,306,368 |\n| d | 81,920 | 167,772,160 |\n",
         ["131,072 × 4,096 = 536,870,912: exact", "163,840 × 4,096 = 671,088,640: exact", "196,608 × 4,096 = 805,306,368: exact",
          "81,920 × 4,096 = 167,772,160: unclear"]),
        ("| model | 4K tokens | 16K words |\n|---|---|---|\n| a | 0.5 GB | 2 GB |\n| b | 0.8 GB | 3.2 GB |\n| c | 2 GB | 8 GB |\n", []),
        # Compared with a row in the middle, whose factor is one; and one number more than another column.
        ("| model | cache | ratio |\n|---|---|---|\n| a | 2.48 GB | 0.775x |\n| b | 3.2 GB | 1.00x (base) |\n| c | 5.63 GB | 1.76x |\n| d | 8.89 GB | **2.78x** |\n",
         ["2.48 GB / 3.2 GB = 0.775x: exact", "5.63 GB / 3.2 GB = 1.76x: rounded", "8.89 GB / 3.2 GB = 2.78x: rounded"]),
        ("| tokens | cache | all |\n|---|---|---|\n| few | 3.7 GB | 17.9 GB |\n| some | 11.6 GB | 25.8 GB |\n| more | 23.9 GB | 38.1 GB |\n| many | 41.3 GB | 55.5 GB |\n",
         ["3.7 GB + 14.2 GB = 17.9 GB: exact", "11.6 GB + 14.2 GB = 25.8 GB: exact", "23.9 GB + 14.2 GB = 38.1 GB: exact",
          "41.3 GB + 14.2 GB = 55.5 GB: exact"]),
        ("| run | before | after |\n|---|---|---|\n| a | 16.3 | 16.3 |\n| b | 25.8 | 25.9 |\n| c | 37.5 | 37.6 |\n| d | 66.5 | 66.7 |\n", []),
        # Proportional to others: by a simple factor, by a number stated before, by the last row, and by the sum of the column.
        (table("model params tokens work", ("a", 0.35, 7.1, "1.491e19"), ("b", 0.76, 15.3, "6.9768e19"), ("c", 1.3, 26.7, "2.0826e20")),
         ["0.35 × 7.1 × 6 × 10¹⁸ = 1.491e19: exact", "0.76 × 15.3 × 6 × 10¹⁸ = 6.9768e19: exact",
          "1.3 × 26.7 × 6 × 10¹⁸ = 2.0826e20: exact"]),
        ("It has 13,015,864,320 weights.\n\n| bytes each | GB |\n|---|---|\n| 3 | 39.05 |\n| 5 | 65.08 |\n| 7 | 91.11 |\n",
         ["3 × 13,015,864,320 = 39.05: rounded", "5 × 13,015,864,320 = 65.08: rounded", "7 × 13,015,864,320 = 91.11: rounded"]),
        (table("stage weights share", ("a", "9,568", "0.68%"), ("b", "55,424", "3.95%"), ("c", "452,921", "32.26%"), ("d", "885,917", "63.11%")),
         ["9,568 / 1,403,830 = 0.68%: rounded", "55,424 / 1,403,830 = 3.95%: rounded", "452,921 / 1,403,830 = 32.26%: rounded",
          "885,917 / 1,403,830 = 63.11%: rounded"]),
        (table("copies bubble_%", ("8", 87.5), ("17", 41.2), ("29", 24.1), ("67", 10.4)),
         ["700 / 8 = 87.5: exact", "700 / 17 = 41.2: rounded", "700 / 29 = 24.1: rounded", "700 / 67 = 10.4: rounded"]),
        # Factors are quotients; numbers without a sign would need more digits to be. Percentages say by how much a row differs from the
        # first one, or from the one that is 0 % off.
        (table("part full small less", ("a", "48M", "9M", "5.3x"), ("b", "96M", "24M", "4x"), ("c", "6.8B", "4.0B", "1.7x")),
         ["48M / 9M = 5.3x: rounded", "96M / 24M = 4x: exact", "6.8B / 4.0B = 1.7x: exact"]),
        (table("part full small rank", ("a", "48M", "9M", 5.3), ("b", "96M", "24M", 4), ("c", "6.8B", "4.0B", 1.7)), []),
        # Unless the head says that it compares others.
        (table("part full small reduction", ("a", "48M", "9M", 5.3), ("b", "96M", "24M", 4), ("c", "6.8B", "4.0B", 1.7)),
         ["48M / 9M = 5.3: rounded", "96M / 24M = 4: exact", "6.8B / 4.0B = 1.7: exact"]),
        (table("size ideal real lost", (2, "100%", "95%", "5%"), (4, "100%", "90%", "10%"), (8, "100%", "85%", "15%")),
         ["100% − 95% = 5%: exact", "100% − 90% = 10%: exact", "100% − 85% = 15%: exact"]),
        (table("format bits with_scale overhead", ("a", 8, "8.250", "3.0%"), ("b", 6, "6.250", "4.0%"), ("c", 4, "4.250", "5.9%")),
         ["8 + 0.25 = 8.250: exact", "1 − 8 / 8.250 = 3.0%: rounded", "6 + 0.25 = 6.250: exact", "1 − 6 / 6.250 = 4.0%: exact",
          "4 + 0.25 = 4.250: exact", "1 − 4 / 4.250 = 5.9%: rounded"]),
        # The zeros at the end of a number count as digits if its operands have as many: none of these need be a round share.
        (table("cut size reduction", ("a", "849.61", "10.0%"), ("b", "708.00", "25.0%"), ("c", "472.00", "50.0%")), []),
        ("The file has 944.01 MB.\n\n" + table("cut size_(MB) reduction", ("a", "849.61", "10.0%"), ("b", "708.00", "25.0%"), ("c", "472.00", "50.0%")),
         ["1 − 849.61 / 944.01 MB = 10.0%: rounded", "1 − 708.00 / 944.01 MB = 25.0%: rounded", "1 − 472.00 / 944.01 MB = 50.0%: rounded"]),
        # Less the first row, or that which is zero.
        (table("run loss Δ Δ_of_b", ("a", "12.346", "-", "−3.852"), ("b", "16.198", "3.852", "0.000"), ("c", "13.462", "1.116", "−2.736")),
         ["12.346 − 16.198 = −3.852: exact", "16.198 − 12.346 = 3.852: exact", "13.462 − 12.346 = 1.116: exact", "13.462 − 16.198 = −2.736: exact"]),
        (table("run loss Δ", ("a", "12.346", "-"), ("b", "16.198", "3.952"), ("c", "13.462", "1.006")), []),
        # What is left of a whole is close to it by nature.
        (table("beta kept drift", ("0.02", "100%", "10.08"), ("0.1", "97%", "2.88")), []),
        (table("run old new busy", ("a", "7.062", "7.060", "100.0%"), ("b", "6.667", "6.661", "99.9%"), ("c", "3.044", "3.040", "99.9%")), []),
        # As the formats say that their heads, or the labels of the rows, name.
        (table("model FP16 INT4", ("a", "13.2 GB", "3.3 GB"), ("b", "26.4 GB", "6.6 GB"), ("c", "140.8 GB", "35.2 GB")),
         ["13.2 GB / 4 = 3.3 GB: exact", "26.4 GB / 4 = 6.6 GB: exact", "140.8 GB / 4 = 35.2 GB: exact"]),
        (table("model small large", ("a", "13.2 GB", "6.4 GB"), ("b", "26.4 GB", "6.6 GB"), ("c", "140.8 GB", "35.2 GB")), []),
        (table("format memory loss", ("fp32", "943.93", "2.31"), ("fp16", "471.96", "2.33"), ("4-bit", "117.99", "2.58")),
         ["943.93 × fp16 / 32 = 471.96: rounded", "943.93 × 4-bit / 32 = 117.99: rounded"]),
        (table("format memory loss", ("fp32", "943.93", "2.31"), ("fp16", "531.96", "2.33"), ("4-bit", "237.99", "2.58")), []),
        ("| kind | size/day | 90 days |\n|---|---|---|\n| a | 50 KB | 4.5 MB |\n| b | 1 KB | 90 KB |\n| c | 4 KB | 360 KB |\n",
         ["50 KB × 90 = 4.5 MB: exact", "1 KB × 90 = 90 KB: exact", "4 KB × 90 = 360 KB: exact"]),
        # A row in which only one column has its number is none that agrees.
        (table("model cpu gpu", ("a", "8GB+", "4GB"), ("b", "32GB", "16GB"), ("c", "48GB", "24GB"), ("d", "64GB", "48GB"), ("e", "16GB", "?"), ("f", "16GB", "?")), []),
        (table("run ours theirs diff", ("a", "24.36", "24.36", "0.00"), ("b", "113.16", "113.15", "+0.01"), ("c", "24.57", "25.08", "-0.51"), ("d", "58.97", "58.90", "+0.07")),
         ["24.36 − 24.36 = 0.00: exact", "113.16 − 113.15 = +0.01: exact", "24.57 − 25.08 = -0.51: exact", "58.97 − 58.90 = +0.07: exact"]),
        # Divided by a number in the line before the table.
        ("On a device with 287.3 GB/s:\n\n" + table("kind peak ratio", ("a", "31.7", "110.3"), ("b", "64.9", "225.9"), ("c", "131.8", "458.8"), ("d", "1077", "3749")),
         ["31.7 / 287.3 GB/s = 110.3: rounded", "64.9 / 287.3 GB/s = 225.9: rounded", "131.8 / 287.3 GB/s = 458.8: rounded",
          "1077 / 287.3 GB/s = 3749: rounded"]),
        ("On a device with 387.3 GB/s:\n\n" + table("kind peak ratio", ("a", "31.7", "110.3"), ("b", "64.9", "225.9"), ("c", "131.8", "458.8"), ("d", "1077", "3749")), []),
        # Bits and bytes, as the heads say.
        (table("format bits bytes", ("a", 8, "1.000"), ("b", 4, "0.500"), ("c", 2, "0.250")), ["8 / 8 = 1.000: exact", "4 / 8 = 0.500: exact", "2 / 8 = 0.250: exact"]),
        (table("format depth width", ("a", 8, "1.000"), ("b", 4, "0.500"), ("c", 2, "0.250")), []),
        (table("part full small less", ("a", "48M", "9M", "6.3x"), ("b", "96M", "24M", "5x"), ("c", "6.8B", "4.0B", "2.7x")), []),
        (table("method kept perplexity off", ("a", "0%", 6.24, "-"), ("b", "50%", 6.54, "+4.8%"), ("c", "50%", 6.31, "+1.1%"), ("d", "70%", 6.72, "+7.7%")),
         ["6.54 / 6.24 − 1 = +4.8%: rounded", "6.31 / 6.24 − 1 = +1.1%: rounded", "6.72 / 6.24 − 1 = +7.7%: rounded"]),
        (table("format KiB µs saved", ("a", 5120, 83.1, "0%"), ("b", 2560, 52.3, "50%"), ("c", 1480, 47.4, "71%"), ("d", 1024, 37.9, "80%")),
         ["1 − 2560 / 5120 = 50%: exact", "1 − 1480 / 5120 = 71%: rounded", "1 − 1024 / 5120 = 80%: exact"]),
        (table("format KiB µs saved", ("a", 5120, 83.1, "0%"), ("b", 2560, 52.3, "40%"), ("c", 1480, 47.4, "61%"), ("d", 1024, 37.9, "90%")), []),
        # A row that does not agree makes it a chance; and a quotient by one is the same number twice.
        (table("GPUs rate efficiency busy", (1, 892, "100%", "85%"), (2, 1715, "98%", "87%"), (4, 3377, "96%", "89%"), (8, 6427, "91%", "87%")), []),
        (table("policy near far", ("a", "1.000", "1.000"), ("b", "0.333", "0.333"), ("c", "0.000", "0.000"), ("d", "1.000", "1.000")), []),
        # Numbers that hardly change are little evidence, whatever number of zeros they are written with.
        (table("rate run heads", ("0.1000", "a", "4.0000"), ("0.1000", "b", "4.0000"), ("0.1000", "c", "4.0000"), ("0.1500", "d", "4.0000")), []),
        # Products of a shape, which some rows lack a part of, and a bias.
        (table("layer kernel in out bias weights", ("a", "3×3", 3, 32, 32, 896), ("b", "3×3", 32, 64, 64, "18,496"), ("c", "-", 2048, 256, 256, "524,544")),
         ["3×3 × 3 × 32 + 32 = 896: exact", "3×3 × 32 × 64 + 64 = 18,496: exact", "2048 × 256 + 256 = 524,544: exact"]),
        (table("layer in out weights", ("a", 3, 64, "1,728"), ("b", 64, 64, "36,864"), ("c", 64, 128, "73,728"), ("d", 128, 128, "147,456")),
         ["3 × 64 × 9 = 1,728: exact", "64 × 64 × 9 = 36,864: exact", "64 × 128 × 9 = 73,728: exact", "128 × 128 × 9 = 147,456: exact"]),
        # Sizes that are doubled again and again are proportional by nature.
        (table("name heads width", ("a", 8, 512), ("b", 16, 1024), ("c", 32, 2048), ("d", 64, 4096)), []),
        # Too few digits, or too few rows, to be more than an accident.
        (table("name a b c", ("x", 1, 2, 3), ("y", 2, 3, 5), ("z", 3, 4, 7)), []),
        (table("name a b c", ("x", 120, 30, 150), ("y", 20, 300, 321)), []),
        # Rows that disagree too often are about something else.
        (table("name table blocks all", *WIDTHS, ("d", "1,000", "2,000", "9,000"), ("e", "1,000", "3,000", "9,500")), []),
    ],
)  # fmt: skip
def test_columns(text: str, found: list[str]) -> None:
    assert claims(text) == found


def test_points_are_not_compared_with_percentages() -> None:
    rows = [("a", "76.6", "77.1", "+0.5"), ("b", "60.2", "61.9", "+1.7"), ("c", "51.7", "55.5", "+3.8"), ("d", "38.4%", "72.1%", "+33.7")]
    text = table("task before after gain", *rows)
    assert [finding.verdict for finding in checked(text).findings] == [Verdict.HOLDS] * 3


def test_a_row_that_is_off_is_wrong() -> None:
    text = table("name table blocks total", *WIDTHS, ("d", "13,107,200", "50,343,936", "63,451,163"))
    (wrong,) = checked(text).wrong
    assert (wrong.left, wrong.right, wrong.code) == ("13,107,200 + 50,343,936", "63,451,163", "wrong-number")


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([(3, 31, "837"), (31, 65, "18,135"), (65, 127, "74,295"), (127, 255, "292,465")], ["292,465"]),  # 9 × 127 × 255 = 291,465
        ([(3, 31, "837"), (31, 65, "18,135"), (65, 127, "74,295"), (127, 255, "219,465")], ["219,465"]),  # Two digits are swapped.
        ([(3, 31, "837"), (31, 65, "18,135"), (65, 127, "74,295"), (127, 255, "312,345")], []),  # Something else is counted.
        ([(3.05, 32, "878"), (3.15, 64, "1,814"), (3.25, 128, "3,744"), (3.35, 256, "7,728")], []),  # The factor is rounded.
        ([(3, "0.1187", "39.81"), (7, "0.2531", "43.56"), (13, "0.4377", "46.78"), (1, "0.048", "32.61")], []),  # 0.048 is.
    ],
)
def test_a_row_that_is_off_by_a_slip_of_the_pen(rows: list[tuple[object, ...]], wrong: list[str]) -> None:
    text = table("name in out weights", *((f"n{at}", *row) for at, row in enumerate(rows)))
    assert [each.right for each in checked(text).wrong] == wrong


def test_a_column_that_is_empty_in_the_other_rows_may_be_added_too() -> None:
    """The total of the last row counts a third column, in which only the rows have a number that fill no other."""
    more = [("d", "-", "-", "4,096", "4,096"), ("total", "11,468,800", "16,525,824", "4,096", "27,998,720")]
    rows = [(name, one, other, "-", total) for name, one, other, total in WIDTHS]
    assert not checked(table("name table blocks rest total", *rows, *more)).wrong


@given(
    st.lists(st.tuples(st.integers(10**4, 10**8), st.integers(10**4, 10**8)), min_size=3, max_size=8, unique=True), st.sampled_from("+-*")
)
def test_nothing_is_wrong_in_columns_that_come_from_each_other(pairs: list[tuple[int, int]], sign: str) -> None:
    result = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__}[sign]
    found = checked(table("one other both", *((first, second, result(first, second)) for first, second in pairs)))
    assert not found.wrong
    assert all(each.verdict is Verdict.HOLDS for each in found.findings)


@given(st.lists(st.tuples(*[st.integers(1, 10**6)] * 4), min_size=2, max_size=12))
def test_random_numbers_have_no_wrong_rows(rows: list[tuple[int, ...]]) -> None:
    assert not checked(table("a b c d", *rows)).wrong


@pytest.mark.slow
def test_tables_take_work_in_proportion_to_their_rows() -> None:
    rows = [tuple(1_000_003 * (row + column) % 999_983 for column in range(8)) for row in range(160)]
    taken = [calls(lambda size=size: checked(table("a b c d e f g h", *rows[:size]))) for size in (40, 80, 160)]
    assert all(later < 2.5 * before for before, later in pairwise(taken))


def test_a_row_with_few_digits_agrees_where_the_others_do() -> None:
    rows = [
        (50, 31.1, "186.5 GB/s"),
        (100, 28.9, "173.3 GB/s"),
        (200, 28.7, "172.2 GB/s"),
        (300, 28.8, "172.5 GB/s"),
        (500, 28.6, "171.7 GB/s"),
    ]
    held = [each for each in claims(table("tokens rate bandwidth", *rows)) if "172.5" in each]
    assert held == ["28.8 × 6 × 10⁹ = 172.5 GB/s: rounded"]  # Of 28.75 to 28.85 times six, as of the others.


def test_a_column_is_compared_with_the_row_that_is_once_as_much() -> None:
    rows = [("plain", "15 GB", "7.5 ms", "1.0x"), ("grouped", "13.5 GB", "6.75 ms", "1.11x"), ("four bits", "7.0 GB", "3.5 ms", "2.14x")]
    found = [each for each in claims(table("way read step speedup", *rows)) if each.split(":")[0].endswith("x")]
    assert found == ["15 GB / 13.5 GB = 1.11x: rounded", "15 GB / 7.0 GB = 2.14x: rounded"]


def test_a_row_that_its_rounded_numbers_leave_open_is_not_wrong() -> None:
    rows = [("46.98", "47.60", "+1.32%"), ("16.44", "16.13", "-1.89%"), ("33.78", "36.28", "+7.40%"), ("21.11", "21.20", "+0.43%")]
    found = [f"{other} / {one} − 1 = {change}: rounded" for one, other, change in rows]
    text = "| one | two | change |\n|---|---|---|\n" + "".join(f"| {' | '.join(row)} |\n" for row in rows)
    assert claims(text + "| 0.367 | 0.372 | +1.31% |\n") == found  # 0.3715 / 0.3675 = 1.011 and 0.3725 / 0.3665 = 1.016
    assert claims(text + "| 36.70 | 37.20 | +1.31% |\n") == [*found, "37.20 / 36.70 − 1 = +1.31%: wrong-rounding"]


def test_a_total_of_few_digits_is_the_sum_of_its_row() -> None:
    """A number in a name is no column; the total of the last row is wrong, as three others leave no doubt about what it is."""
    rows = [("DDP", "15GB", "15GB", "90GB", "120GB"), ("Z1(N=10)", "15GB", "15GB", "9GB", "39GB"), ("Z2", "15GB", "1.5GB", "9GB", "25.5GB")]
    text = table("stage params grads optim total", *rows, ("Z3", "1.5GB", "1.5GB", "9GB", "14GB"))
    assert [each.verdict for each in checked(text).findings] == [Verdict.HOLDS] * 3 + [Verdict.WRONG]


def test_a_row_of_zeros_says_nothing_of_a_product() -> None:
    zero, seven = RoughNumber(0.0, 0.0, False, 0.0), RoughNumber(7.0, 0.0, False, 0.0)
    product, total = (next(each for each in of_several(2, (0, 1), ()) if each.template == template) for template in ("{} × {}", "{} + {}"))
    assert product.is_of_zero({0: zero, 1: seven, 2: zero}, 2)
    assert not product.is_of_zero({0: seven, 1: seven, 2: seven}, 2)
    assert not product.is_of_zero({0: zero, 2: zero}, 2)  # A factor is missing.
    assert not total.is_of_zero({0: zero, 1: seven, 2: zero}, 2)


def test_parameters_follow_from_layers_and_width() -> None:
    """12 × layers × width², the width times the number in the head, and the sum of both but not of the sizes before them."""
    rows = [("a", 8, 512, "25.2M", "25.7M", "50.9M"), ("b", 10, 640, "49.2M", "32.2M", "81.3M"), ("c", 36, 1280, "708M", "64.3M", "772M")]
    found = checked(table("model layers width blocks tokens total", *rows).replace("tokens", "embeddings (V = 50,257)")).findings
    assert [each.right for each in found if each.verdict is Verdict.HOLDS] == [each for row in rows for each in row[3:]]
    assert [each.text for each in found if each.right == "772M"] == ["708M | 64.3M | 772M"]


ADJUSTED = [("a", 2.69, "−0.25", 2.44), ("b", 2.27, "−0.31", 1.96), ("c", 2.01, "−0.24", 1.77), ("d", 2.14, "−0.13", 2.01)]
GAINS = [
    ("a", 0.897, 0.893, 0.875, "+0.022"),
    ("b", 0.691, 0.688, 0.566, "+0.125"),
    ("c", 0.967, 0.961, 0.954, "+0.013"),
    ("d", 0.923, 0.921, 0.914, "+0.009"),
]
SMALLER = [
    ("a", "1.76G", "1.28G", "-27%"),
    ("b", "26.6G", "19.1G", "-28%"),
    ("c", "34.4G", "21.6G", "-37%"),
    ("d", "69.8G", "40.2G", "-42%"),
]
FASTER = [("a", 39.12, 13.31, "2.94x"), ("b", 48.03, 12.74, "3.77x"), ("c", 57.71, 20.04, "2.88x"), ("d", 61.88, 18.31, "3.38x")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 1.61 − 0.28 = 1.33, 45.8 / 72.0 = 63.6 %.
        (table("name raw penalty adjusted", *ADJUSTED, ("e", 1.61, "−0.28", 1.53)), "wrong"),
        (table("name full small Δ", *SMALLER, ("e", "72.0G", "45.8G", "-39%")), "wrong"),
        # Nothing is subtracted, the better of two is compared (0.814 − 0.911), or the other way round (13.31 / 39.12 = 0.34).
        (table("name raw penalty adjusted", *ADJUSTED, ("e", 1.61, "−0.28", 1.61)), "undecided"),
        (table("name one two best gain", *GAINS, ("e", 0.800, 0.814, 0.911, "-0.097")), "undecided"),
        (table("name old new speedup", *FASTER, ("e", 13.31, 39.12, "2.94x")), "undecided"),
        # Two exceptions, and one of a product, which may have a further factor.
        (table("name raw penalty adjusted", *ADJUSTED, ("e", 1.61, "−0.28", 1.53), ("f", 1.71, "−0.28", 1.63)), None),
        (
            table("name layers width all", ("a", 12, 768, 9216), ("b", 24, 1024, 24576), ("c", 36, 1280, 46080), ("d", 48, 1600, 72960)),
            "undecided",
        ),
    ],
    ids=["difference", "change", "repeated", "elsewhere", "inverse", "two", "product"],
)
def test_the_only_exception_of_a_column(text: str, expected: str | None) -> None:
    found = [each.verdict.value for each in checked(text).findings if each.verdict is not Verdict.HOLDS]
    assert found == ([expected] if expected else [])


RATES = [(8, 18.3, "1,268"), (16, 22.6, "2,053"), (32, 31.2, "2,974"), (64, 48.4, "3,835"), (96, 65.6, "4,244")]


@pytest.mark.parametrize(("rate", "code"), [("199", "rounded"), ("209", "wrong-number")])  # 2,900 / 14.55 = 199.3.
def test_a_column_that_no_head_explains_is_as_precise_as_its_cells(rate: str, code: str) -> None:
    found = checked("The memory delivers 2.9 TB/s.\n\n" + table("batch read rate", (1, 14.5, rate), *RATES)).findings
    assert [each.code for each in found if each.right == rate] == [code]


FORMATS = [("Small 9B", "36 GB", "18 GB", "9 GB"), ("Medium 17B", "68 GB", "34 GB", "17 GB"), ("Large 53B", "212 GB", "106 GB", "53 GB")]
SHARES = [("inner", "1,918,402", "53.45%"), ("outer", "1,203,117", "33.52%"), ("rest", "467,481", "13.03%")]
BILLS = [("one", "14", "$1.35", "$18.90"), ("two", "6", "$2.45", "$14.70"), ("three", "35", "$0.65", "$22.75")]


@pytest.mark.parametrize(
    ("head", "rows", "right", "slip"),
    [
        ("model FP32 FP16 INT8", FORMATS, "106 GB", "53 GB"),
        ("model FP32 FP16 INT8", FORMATS, "18 GB", "36 GB"),
        ("model FP32 FP16 INT8", FORMATS, "68 GB", "34 GB"),
        ("part count share", SHARES, "33.52%", "53.32%"),
        ("run hours rate cost", BILLS, "$18.90", "$13.90"),
    ],
)
def test_one_row_of_three_is_wrong_if_heads_or_kinds_say_what_the_column_is(
    head: str, rows: list[tuple[str, ...]], right: str, slip: str
) -> None:
    text = table(head, *rows)
    assert {each.verdict for each in checked(text).findings} == {Verdict.HOLDS}
    wrong = checked(text.replace(f"| {right} |", f"| {slip} |", 1)).wrong
    assert [each.right.removeprefix("$") for each in wrong] == [slip.removeprefix("$")]


def test_memory_that_is_a_little_more_than_its_format_says_is_not_wrong() -> None:
    assert not checked(table("model FP32 FP16 INT8", *FORMATS).replace("| 53 GB |", "| 58 GB |")).wrong


def test_a_cross_behind_memory_says_that_it_does_not_fit() -> None:
    text = (
        table("model FP32 FP16 INT8", *FORMATS)
        .replace("212 GB", "212 GB ❌")
        .replace("| 106 GB", "| 53 GB ❌")
        .replace("68 GB", "68 GB ❌")
        .replace("36 GB", "36 GB ❌")
    )
    assert [each.right for each in checked(text).wrong] == ["53 GB"]


def test_a_row_whose_label_says_so_is_computed_from_others() -> None:
    text = table("size one two three", ("width", 832, 1088, 1344), ("depth", 12, 24, 36), ("inner (3 x width)", 2496, 3264, 4032))
    assert [each.right for each in checked(text).findings if each.verdict is Verdict.HOLDS][:3] == ["2496", "3264", "4032"]

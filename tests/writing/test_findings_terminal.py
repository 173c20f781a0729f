"""The report that people read: exact text, marks below what they mark in every script, and nothing from a document that is obeyed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from symparam.core.alphabets import ALPHABETS
from symparam.core.notation import ASCII, UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.documents.checking.finding import Verdict
from symparam.documents.gaps.gap import Gap
from symparam.writing.findings.excerpt import excerpt, quoted, shown
from symparam.writing.findings.gaps import difference, listed, number
from symparam.writing.findings.terminal import Look, report, summary
from symparam.writing.findings.worded import WordedGap
from symparam.writing.phrases import phrases
from symparam.writing.wording import ENGLISH, Wording
from tests.writing.findings import DOCUMENT, cause, document, finding, wrong

REPORT = """\
notes.md:3:20: wrong [wrong-number] 30,522 × 768 is 23,440,896
  |
3 | 词嵌入 30,522 × 768 = 22,767,360 个参数
  |                       ^^^^^^^^^^
  = short by 673,536, which is 877H:
      −672,768  876 rows (−876H)
          −768  the row of [PAD]
  = help: write 23,440,896

notes.md:5:13: wrong [wrong-number] 12 × 768 is 9,216
  |
5 |     12 × 768 = 9,217
  |                ^^^^^
  = too much by 1

notes.md: note: H is read as the hidden size
notes.md:4:19: note [about] 12 × H² = 85M: it is 84,934,656

Not decided or not read (--verbose shows where):
  1  [no-value] a letter has no value here, so a formula and a number cannot be compared
  1  [unreadable] something in the expression cannot be read

1 file: 1 claim holds, 2 are wrong, 1 is undecided, 1 is not read, 1 is ignored
"""


def test_the_report() -> None:
    assert report((DOCUMENT,)) == REPORT


def test_the_report_where_the_terminal_knows_only_ascii() -> None:
    text = report((DOCUMENT,), Look(encoding="ascii"))
    assert text.isascii()
    assert "3 | ??? 30,522 * 768 = 22,767,360 ???\n  |                    ^^^^^^^^^^\n" in text
    assert "      -672,768  876 rows (-876H)\n" in text
    assert "note [about] 12 * H^2 = 85M: it is 84,934,656" in text


def test_verbose_tells_of_every_claim_and_of_further_explanations() -> None:
    text = report((DOCUMENT,), Look(verbose=True))
    assert "  = or:\n      two digits are swapped\n  = help: write 23,440,896\n" in text
    assert (
        "notes.md:4:19: note [about] 12 × H² = 85M: it is 84,934,656\n"
        "notes.md:6:8: undecided [no-value] 3d = 2,304: d has no value here\n"
        "notes.md:6:34: not read [unreadable] 5x = 7: 'x' is no declared letter\n"
    ) in text
    assert "Not decided" not in text


def test_colors_change_nothing_but_colors() -> None:
    import re

    text = report((DOCUMENT,), Look(color=True))
    assert "\x1b[31m\x1b[1mwrong\x1b[0m" in text
    assert re.sub(r"\x1b\[\d+m", "", text) == REPORT
    assert "\x1b" not in REPORT


def test_several_files_have_a_line_each() -> None:
    empty = document("nothing", name="empty.md")
    text = report((DOCUMENT, empty), unreadable=("'x' cannot be read",))
    assert text.endswith(
        "notes.md: 1 holds, 2 are wrong, 1 is undecided, 1 is not read\n"
        "empty.md: no claims found\n"
        "2 files: 1 claim holds, 2 are wrong, 1 is undecided, 1 is not read, 1 is ignored; 1 file could not be read\n"
    )
    assert report((empty,)) == "1 file: no claims found\n"


def test_the_summary_counts_in_english() -> None:
    text = "1 + 1 = 2"
    holds = finding(text, text, Verdict.HOLDS, "exact", "")
    assert summary((document(text, *[holds] * 1_234), document(text))) == "2 files: 1,234 claims hold, 0 are wrong"


def test_remarks_are_few_unless_all_are_asked_for() -> None:
    text = "1 GB = 1024 MB"
    unit = finding(text, text, Verdict.HOLDS, "unit", "GB is 2^30 bytes")
    short = report((document(text, *[unit] * 13),))
    assert short.count("note [unit]") == 10
    assert "\nnotes.md: and 3 more (--verbose)\n" in short
    assert report((document(text, *[unit] * 13),), Look(verbose=True)).count("note [unit]") == 13


def test_what_holds_and_calls_for_no_remark_is_only_counted() -> None:
    text = "1 + 1 = 2"
    holds = document(text, finding(text, text, Verdict.HOLDS, "exact", "both sides are 2"))
    assert report((holds,)) == "1 file: 1 claim holds, 0 are wrong\n"
    assert "notes.md:1:1: holds [exact] 1 + 1 = 2: both sides are 2\n" in report((holds,), Look(verbose=True))


def test_a_stated_side_on_a_later_line_is_marked_there() -> None:
    text = "The sum 1 + 1\n  = 3\nis wrong"
    assert "notes.md:2:5: wrong [wrong-number] it is not\n  |\n2 |   = 3\n  |     ^\n" in report((wrong(text, "1 + 1\n  = 3"),))
    over_lines = "2 = 1 +\n  1 + 1"
    assert "1 | 2 = 1 +\n  |     ^^^\n" in report((wrong(over_lines, over_lines),))


@pytest.mark.parametrize("character", ["\x1b", "\x9b", "\x07", "\x00", "\r", "\u202e", "\u2066", "\u200b", "\u2028", "\x7f"])
def test_control_characters_never_reach_the_terminal(character: str) -> None:
    text = f"a{character}[2J 1 + 1 = 3 b"
    checked = wrong(text, "1 + 1 = 3", f"not{character}so", name=f"no{character}tes.md", remedy=character)
    for look in (Look(), Look(verbose=True), Look(encoding="ascii")):
        assert character not in report((checked,), look)
    escape = character.encode("unicode_escape").decode().replace("\\r", "\\x0d")
    assert f"1 | a{escape}[2J 1 + 1 = 3 b\n  | {' ' * (13 + len(escape))}^\n" in report((checked,))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("H² × 10¹² − 10⁻³", "H^2 * 10^12 - 10^-3"), ("１２＝１２", "12=12"), ("词 ≈ …", "? ~ ..."), ("a\tb", "a    b"), ("é²", "?^2")],
)
def test_what_the_encoding_lacks_has_a_likeness_or_a_question_mark(text: str, plain: str) -> None:
    assert shown(text, "ascii") == plain


def test_what_the_encoding_has_stays() -> None:
    assert shown("é × 词²", "latin-1") == "é × ?²"
    assert shown("词 ×", "gbk") == "词 ×"
    assert shown("a\xa0b\u3000c\udcff", "utf-8") == "a\xa0b\u3000c\\udcff"


@pytest.mark.parametrize(
    ("line", "claim", "width", "expected"),
    [
        ("short = 7", "7", 20, ("short = 7", "        ^")),
        ("x" * 30 + " = 77 " + "y" * 30, "77", 20, ("…xxxxx = 77 yyyyyyy…", "         ^^")),
        ("77 " + "y" * 30, "77", 20, ("77 yyyyyyyyyyyyyyy…", "^^")),
        ("词" * 30 + "77", "77", 20, ("…词词词词词词词词77", " " * 17 + "^^")),
        ("7" * 50, "7" * 50, 20, ("7" * 18 + "…", "^" * 18)),
        ("x" * 10_000 + "7" + "y" * 10_000, "7", 20, ("…xxxxxxxxx7yyyyyyyy…", "          ^")),
    ],
)
def test_long_lines_are_cut_around_the_mark(line: str, claim: str, width: int, expected: tuple[str, str]) -> None:
    start = line.index(claim)
    assert excerpt(line, start, start + len(claim), width) == expected


CHARACTERS = st.text(st.sampled_from("ab 词é\t×\x1b½　\u202e"), max_size=60)


@given(CHARACTERS, CHARACTERS, st.integers(20, 80), st.sampled_from(["utf-8", "ascii", "gbk"]))
def test_the_mark_stands_below_the_number_and_all_fits(before: str, behind: str, width: int, encoding: str) -> None:
    line, mark = excerpt(before + "8,765" + behind, len(before), len(before) + 5, width, encoding)
    columns = wcswidth(line[: line.index("8,765")])
    assert (mark, wcswidth(line) <= width) == (" " * columns + "^^^^^", True)
    line.encode(encoding)


def test_the_width_of_the_terminal_is_kept() -> None:
    text = "words " * 100 + "1 + 1 = 3" + " words" * 100
    lines = report((wrong(text, "1 + 1 = 3"),), Look(width=40)).splitlines()
    assert [len(line) for line in lines[1:4] if len(line) > 40] == []
    assert "1 + 1 = 3" in lines[2]


@pytest.mark.parametrize(
    ("gap", "words"),
    [
        (Gap(-5), "short by 5"),
        (Gap(Fraction(5, 2)), "too much by 2.5"),
        (Gap(Fraction(-70_000, 3)), "short by 70,000/3"),
        (Gap(0), ""),
        (Gap(None), ""),
        (Gap(10**5000), "too much by about 10^5000"),
        (Gap(None, read_formula("-2N*H")), "short by 2NH"),
        (Gap(None, read_formula("-2N*H - H")), "short by 2NH + H"),
        (Gap(None, read_formula("2N*H + H")), "too much by 2NH + H"),
        (Gap(None, read_formula("2N*H - H")), "the stated formula minus the right one is 2NH − H"),
        (Gap(7, read_formula("2N*H - H")), "too much by 7, which is 2NH − H"),
        (Gap(-7, read_formula("2N*H - H")), "short by 7, which is H − 2NH"),
        (Gap(0, read_formula("24H - N*H")), "the stated formula minus the right one is 24H − NH"),
        # A minus in a bracket is one of the formula, whose sign is told only where all its terms have the same.
        (Gap(None, read_formula("(-2k*N/h - N - V + 2)H")), "the stated formula minus the right one is (−2kN/h − N − V + 2)H"),
        (Gap(-7, read_formula("(-2k*N/h - N - V + 2)H")), "short by 7, which is (2kN/h + N + V − 2)H"),
        (Gap(None, read_formula("(-N - 2)H")), "short by (N + 2)H"),
        (Gap(None, read_formula("(N + 2)H/h")), "too much by (N + 2)H/h"),
        (Gap(None, read_formula("H/(N - 2)")), "the stated formula minus the right one is H/(N − 2)"),
    ],
)
def test_a_gap_in_words(gap: Gap, words: str) -> None:
    assert difference(gap, ENGLISH) == words
    assert difference(gap, replace(ENGLISH, notation=ASCII)) == words.replace("−", "-")


def test_a_gap_in_the_letters_of_the_author() -> None:
    gap = WordedGap(None, read_formula("-2N*H"), (cause("the norm", None, read_formula("-2N*H")),))
    notation = Wording(phrases("en"), UNICODE.using(ALPHABETS["megatron"]))
    assert difference(gap, notation) == "short by 2lh"
    assert listed(gap.explained_by, notation) == ["−2lh  the norm"]


def test_numbers_of_any_length_are_written() -> None:
    assert number(-(9**20_000), ENGLISH) == "about −10^19085"
    assert number(Fraction(1, 3**200), ENGLISH) == "about 10^-95"
    assert number(Fraction(-(10**80), 10**76 + 1), replace(ENGLISH, notation=ASCII)) == "about -1e+04"
    assert number(Fraction(-(25 * 10**80), 10**79 + 1), replace(ENGLISH, notation=ASCII)) == "about -250"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7.44</td><td>18.3</td>\n  <td>74.4", "7.44 | 18.3 | 74.4"), ("14</td></tr><tr><td>26", "14 | 26"), ("|x| < y > 3", "|x| < y > 3"),
        ("2 × 3\n  = 6", "2 × 3 = 6"), ("1 + 1 + 1 + 1 + 1 + 1 + 1 = 7", "1 + 1 + 1 + 1 + 1 +…"),
    ],
)  # fmt: skip
def test_a_claim_on_one_line(text: str, expected: str) -> None:
    assert quoted(text, 20) == expected

"""`symparam check` and documents that nobody wrote for it: too long, too deep, too large, no text at all. There is a verdict or a sentence.

Each input is so long, where slow tests run, that what takes the square of its length is ended by the guard in conftest.py, after half a
minute of computing. By default it is a thirtieth as long, which shows the rest: verdicts, sentences, depth.
Inputs that the fuzz targets in tests/fuzz found are here too.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

import symparam
from symparam.core.notation import UNICODE
from symparam.documents.checking.finding import Verdict
from symparam.documents.reading.source import decode
from symparam.errors import SymparamError
from symparam.writing.document import Table
from symparam.writing.text import table
from tests.cli.test_cli import run

HOLDS, WRONG = Verdict.HOLDS, Verdict.WRONG
UNDECIDED, NOT_READ = Verdict.UNDECIDED, Verdict.NOT_READ


def verdicts(text: str) -> Counter[Verdict]:
    return symparam.check_text(text).documents[0].counts


LENGTHS = pytest.mark.parametrize("n", [pytest.param(32, id="short"), pytest.param(1_000, id="long", marks=pytest.mark.slow)])
"""A thousand, or a thirtieth of it."""

# One line.


@cache
def lines(n: int) -> dict[str, str]:
    return {
        "nested brackets": "(" * (10 * n) + "1" + ")" * (10 * n) + " = 1",
        "nested brackets of each kind": "([{" * (10 * n) + "1 = 2",
        "brackets that nothing closes": "(" * (99 * n),
        "sums in brackets that nothing closes": "(1+" * (30 * n) + "1 = 2",
        "notes in notes": "2 (a " * (10 * n) + ")" * (10 * n) + " = 5",
        "claims in claims": "(1 = " * (10 * n) + "1" + ")" * (10 * n),
        "functions in functions": "f(x, " * (10 * n) + ")" * (10 * n) + " = 5",
        "fractions in fractions": r"\frac{1}{" * (5 * n) + "1" + "}" * (5 * n) + " = 5",
        "a tower": "9**9**9**9 = 1",
        "a tall tower": "^".join("2" * 20 * n) + " = 1",
        "powers of powers": "((((9^999)^999)^999)^999)^999 = 1",
        "powers of letters": "(H+L+V+P)^99 = (H+L+V+P)^99 + 1",
        "a product of powers": "*".join(["9^999"] * 10 * n) + " = 1",
        "a sum of fractions": "+".join(f"1/{each}^400" for each in range(2, 6 * n)) + " = 1",
        "a product of huge numbers": "1e999*" * (15 * n) + "1 = 2",
        "a product of tiny numbers": "1e-999*" * (14 * n) + "1 = 2",
        "a number of many digits": "9" * (99 * n) + " = 2",
        "a number of many groups": "1" + ",234" * (24 * n) + ",5 = 2",
        "a number of many groups with points": "1" + ".234" * (24 * n) + ".56 = 2",
        "digits with commas": "9," * (49 * n) + " = 2",
        "a long sum": "+".join("1" * 49 * n) + " = 1",
        "a long sum of letters": "+".join("H" * 49 * n) + " = 1",
        "a long product side by side": "H " * (49 * n) + "= 1",
        "signs": "1" + "*-" * (40 * n) + "1 = 1",
        "minus signs": "-" * (99 * n) + "1 = 1",
        "equals signs": "=" * (99 * n) + "1",
        "a long chain": " = ".join("1" * 24 * n),
        "a long chain of letters": " = ".join("H" * 24 * n),
        "repeated values": "12*2359296(28311552) + " * (4 * n) + "1 = 5",
        "one value repeated": "2*3" + " (6M)" * (19 * n) + " = 5",
        "words": "word " * (19 * n) + "= 2",
        "words and numbers": "2 word word word " * (5 * n) + "= 2",
        "names": "n_a " * (24 * n) + "= 2",
        "claims": "a: 5 + 1 = 7, " * (7 * n),
        "units": "+".join(f"{each}.5{'KMGT'[each % 4]}B" for each in range(10 * n)) + " = 2 PB",
        "cells": "| 1 " * (20 * n) + "|",
        "cells with formulas": "| 1*2 | 3 " * (9 * n) + "|",
        "cells that are not closed": "<td " * (24 * n) + " 1 = 2",
        "comments that are not closed": "<!--" * (24 * n) + " 1 = 2",
        "tags that are not closed": "1 = 2 </a " * (9 * n),
        "words in TeX that are not closed": r"\text{" * (16 * n) + " 1 = 2",
        "subscripts that are not closed": "x_{" * (30 * n) + " 1 = 2",
        "subscripts of words that are not closed": r"\text{a}_{" * (9 * n) + " 1 = 2",
        "a fence in a line": "`" * (99 * n) + "1 = 2",
        "stars": "*" * (99 * n) + " 1 = 2",
        "points": "." * (99 * n) + "x1",
        "a rule that is none": "---|" * (24 * n) + "x 1 = 2",
        "an arrow": "-" * (99 * n) + "> 2 = 3",
        "quotation marks": "> " * (49 * n) + " 1 = 2",
        "list markers": "1. " * (33 * n) + " 1 = 2",
        "spaces": "1" + " " * (99 * n) + "= 2",
        "backslashes": "\\" * (99 * n) + " 1 = 2",
        "line breaks of TeX": r"1 = 2 \\ " * (11 * n),
        "environments that are not closed": r"\begin{" * (14 * n) + " 1 = 2",
        "superscripts": "2²" * (49 * n) + " = 2",
        "per cent": "5 (50%) " * (12 * n),
        "zero bytes": "1+1=3\0" * (16 * n),
        "control characters": "".join(map(chr, range(1, 10))) * (10 * n) + " 1+1=3",
        "half of a pair": "\ud800" * (40 * n) + " 1+1=3",
        "directions of writing": "\u202e1+1=3\u202d " * (10 * n),
        "no width": "\u200b" * (99 * n) + "1+1=3",
        "line ends of Unicode": "1+1=3\u2028" * (16 * n),
        "line ends of an old Macintosh": "1+1=3\r" * (16 * n),
        "remarks": "<!-- symparam: ignore -->" * (4 * n),
    }


@pytest.mark.few(24)
@LENGTHS
@pytest.mark.parametrize("name", lines(1))
def test_one_line(name: str, n: int) -> None:
    text = lines(n)[name]
    assert len(text) <= 120_000
    found = symparam.check_text(text)
    assert all(finding.message for finding in found.findings)
    str(found)


def test_what_is_too_large_or_too_deep_is_said_to_be() -> None:
    for name in ("a tower", "a product of powers", "a product of huge numbers", "powers of powers", "a sum of fractions"):
        assert verdicts(lines(125)[name]).keys() == {UNDECIDED}, name
    assert verdicts(lines(125)["nested brackets"])[WRONG] == 0
    assert verdicts("1 + 1 = 3\n" + "1" * 200_000 + " = 1\n1 + 1 = 2\n") == {WRONG: 1, NOT_READ: 1, HOLDS: 1}


# Many lines.


@cache
def documents(n: int) -> dict[str, tuple[str, dict[Verdict, int]]]:
    return {
        "words": ("x\n" * (1_000 * n), {}),
        "claims that hold": ("1+1=2\n" * (20 * n), {HOLDS: 20 * n}),
        "claims that are wrong": ("1+1=3\n" * (20 * n), {WRONG: 20 * n}),
        "large numbers that are wrong": (
            "".join(f"{each} × 768 = {each * 768 + 7}\n" for each in range(1_000, 1_000 + 10 * n)),
            {WRONG: 10 * n},
        ),
        "definitions of one name": ("".join(f"H = {each}\n" for each in range(10 * n)) + "4H + 2 = 5\n" * 100, {}),
        "values behind their formulas": ("".join(f"a_{each} * 2 = 6, a_{each} = 3\n" for each in range(13 * n)), {HOLDS: 13 * n}),
        "formulas that go on": ("1 +\n" * (100 * n), {}),
        "equals signs": ("= 1\n" * (50 * n), {}),
        "signs alone": ("1\n" + "+\n" * (100 * n) + "= 3\n", {}),
        "fences": ("```\n" * (100 * n + 1) + "1 = 2\n", {UNDECIDED: 1}),
        "rows that are not closed": ("<tr><td>1\n" * (10 * n), {}),
        "remarks": ("1 + 1 = 3 <!-- symparam: ignore -->\n" * (10 * n), {}),
        "a circle": ("a_x = b_x + 1\nb_x = c_x + a_x\nc_x = a_x * b_x\n" * (2 * n) + "a_x + 0 = 5\na_x + H = H*H\n", {UNDECIDED: 2}),
    }


@pytest.mark.few(4)
@LENGTHS
@pytest.mark.parametrize("name", documents(1))
def test_many_lines(name: str, n: int) -> None:
    text, expected = documents(n)[name]
    found = symparam.check_text(text)
    if expected:
        assert found.documents[0].counts == expected
    str(found)


@pytest.mark.slow
def test_no_more_claims_are_read_than_anybody_reads() -> None:
    found = symparam.check_text("1+1=2\n" * 100_000).findings
    assert len(found) < 51_000
    assert found[-1].verdict is NOT_READ
    assert found[-1].message == "a document has at most 50,000 claims and 100,000 numbers; the rest is not read"


@LENGTHS
def test_a_table_of_many_rows(n: int) -> None:
    rows = "".join(f"| layer {each} | {each} |\n" for each in range(100 * n))
    found = symparam.check_text(f"| part | params |\n|---|---|\n{rows}| total | 5 |\n")
    assert found.documents[0].counts[WRONG] == 0


@pytest.mark.slow
@LENGTHS
def test_a_long_list_and_its_total(n: int) -> None:
    numbers = range(1_000, 1_000 + 20 * n)
    entries = "".join(f"- a: {each}\n" for each in numbers)
    for off in (0, 5):
        assert verdicts(f"{entries}- total: {sum(numbers) + off}\n")[WRONG] == 0
    parts = "".join(f"  - a: {each}\n" for each in numbers)
    assert verdicts(f"- total: {sum(numbers)}\n{parts}")[HOLDS] == 1


@LENGTHS
def test_totals_of_totals(n: int) -> None:
    verdicts("".join(f"- total a: {each}\n" for each in range(1_000, 1_000 + 5 * n)))
    verdicts("- a: 0\n" * (10 * n) + "- total: 0\n")
    verdicts("- a: 5\n- b: -5\n" * (5 * n))


@LENGTHS
def test_one_name_that_thousands_of_others_define(n: int) -> None:
    defined = "".join(f"a_{each} = {each}H\n" for each in range(10 * n))
    assert verdicts(defined + "T_x = " + " + ".join(f"a_{each}" for each in range(10 * n)) + "\nH = 5\nT_x + 1 = 500\n")[HOLDS] == 0


def test_names_in_names() -> None:
    """Each name twice the one before it, and twelve names in terms of each other: put in, they would fill any memory."""
    chain = "a_0 = H + 1\n" + "".join(f"a_{each + 1} = a_{each} * a_{each} + 1\n" for each in range(2_000))
    assert verdicts(f"{chain}H = 5\na_2000 = 500\na_2000 + 1 = 5H\n")[WRONG] == 0
    each_other = "".join(f"a_{one} = {' + '.join(f'a_{other}' for other in range(40) if other != one)}\n" for one in range(40))
    assert verdicts(f"{each_other}a_1 + 1 = 5\na_1 + a_2 = a_3 * a_4\n")[WRONG] == 0
    circle = "---\nsymparam:\n  config: bert-base-uncased\n---\nH = N + 1\nN = H + 2\n"
    assert verdicts(f"{circle}H + N = 5\n")[HOLDS] == 0


@LENGTHS
def test_sections_and_summaries(n: int) -> None:
    sections = "".join(f"## part {each}\n\nTotal: {each}H + 5\n\n" for each in range(2, 3 * n))
    assert verdicts(sections + "All = 5H + 5\n" * n)[WRONG] == 0


@LENGTHS
def test_shares(n: int) -> None:
    verdicts("".join(f"- a: {each} ({each % 100}.5%)\n" for each in range(1, 10 * n)) + "total: 50000\n")


# Bytes.

REFUSED = [
    (b"a\0b", "binary.md: the file is binary (it holds a zero byte); a text, Markdown or LaTeX document is expected"),
    ("Größe 1 + 1 = 2".encode("latin-1"), "binary.md:1:3: the file is not UTF-8 (byte 0xf6); save it as UTF-8"),
    (b"\xff\xfe1", "binary.md:1:1: the file is not UTF-16-LE (byte 0x31); save it as UTF-8"),
    (b"\xef\xbb\xbf\xff", "binary.md:1:1: the file is not UTF-8 (byte 0xff); save it as UTF-8"),
    (bytes(range(1, 256)) * 1_000, "binary.md:2:118: the file is not UTF-8 (byte 0x80); save it as UTF-8"),
]


@pytest.mark.parametrize(("content", "message"), REFUSED)
def test_what_is_no_text_is_refused_in_one_sentence(content: bytes, message: str) -> None:
    with pytest.raises(SymparamError) as caught:
        decode(content, "binary.md")
    assert str(caught.value) == message


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_encodings(encoding: str, end: str) -> None:
    source = decode(f"参数{end}{end}2 × 3 = 7{end}2 × 3 = 6{end}".encode(encoding), "page.md")
    found = symparam.check_text(source.text).findings
    assert [(finding.verdict, source.place(finding.start)) for finding in found] == [(WRONG, (3, 1)), (HOLDS, (4, 1))]


def test_a_line_of_fifty_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "line.md"
    with path.open("wb") as file:
        for _ in range(50):
            file.write(b"1+" * 500_000)
    done = run("check", str(path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert re.fullmatch(rb"symparam: .*line\.md: the file has 50,000,000 bytes; at most 4,000,000 are read, .*\n", done.stderr)


@pytest.mark.slow
def test_a_line_of_three_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "line.md"
    path.write_text("1 + 1 = 3\n" + "1+" * 1_500_000 + "1 = 2\n1 + 1 = 2\n", encoding="utf-8")
    done = run("check", str(path))
    assert (done.returncode, done.stderr) == (1, b"")
    assert done.stdout.endswith(b"1 file: 1 claim holds, 1 is wrong, 1 is not read\n"), done.stdout[-200:]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no named pipes")
def test_a_pipe_in_a_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.md")
    (tmp_path / "page.md").write_text("1 + 1 = 2\n", encoding="utf-8")
    command = [sys.executable, "-m", "symparam", "check", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, check=False, timeout=60, stdin=subprocess.DEVNULL)
    assert (done.returncode, done.stderr) == (0, b"")


# What a document says to the checker.

BOMB = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(f"a{each}: &a{each} [{f'*a{each - 1}, ' * 9}]\n" for each in range(1, 12))
MERGED = "a0: &a0 {x: y}\n" + "".join(f"a{each}: &a{each} {{<<: [{f'*a{each - 1}, ' * 9}]}}\n" for each in range(1, 12))
FRONT_MATTER = [
    (f"{BOMB}symparam:\n  symbols: *a11", "the front matter refers to itself with '*'"),
    (f"{BOMB}symparam: *a11", "the front matter refers to itself with '*'"),
    (f"{MERGED}symparam: *a11", "the front matter refers to itself with '*'"),
    ("symparam: &x [*x]", "the front matter refers to itself with '*'"),
    ("symparam:\n  where: " + "[" * 4_000 + "]" * 4_000, "the front matter has more than 200 brackets"),
    ("symparam:\n  where: " + "{a: " * 2_000, "the front matter has more than 200 brackets"),
    ("symparam:\n  where: " + "- " * 4_000, "the front matter is not YAML"),
    ("symparam: !!python/object/apply:os.system [id]", "the front matter is not YAML"),
    ("symparam: !!bool x", "the front matter is not YAML"),
    ('symparam: !!int ""', "the front matter is not YAML"),
    ("symparam: " + "9" * 9_000, "the front matter is not YAML"),
    ("symparam: 0x" + "f" * 9_000, "symparam in the front matter is a huge number; keys such as architecture are expected below it"),
    ("symparam:\n  symbols: {C: 0x" + "f" * 9_000 + "}", "symbols is a huge number, but a name is expected"),
    ("symparam:\n  where: 1" + ":1" * 3_000, "where is a huge number, but a name is expected"),
    ("symparam:\n  where: 2001-01-01", "where is datetime.date(2001, 1, 1), but a name is expected"),
    ("symparam:\n  config: [a]", "config is ['a'], but a name is expected"),
    ("symparam:\n  2: a", "there is no key of symparam named '2'"),
]


@pytest.mark.parametrize(("stated", "message"), FRONT_MATTER, ids=[f"{stated[:12]}…{stated[-20:]}" for stated, _ in FRONT_MATTER])
def test_front_matter_that_is_a_trap_is_refused_in_one_sentence(stated: str, message: str) -> None:
    with pytest.raises(SymparamError, match=re.escape(message)):
        symparam.check_text(f"---\n{stated}\n---\n1 + 1 = 3\n")


def test_a_document_names_no_files_but_a_config_of_its_project(tmp_path: Path) -> None:
    """What else it names is not read, neither as an architecture nor as a config, whatever the user may read."""
    config = tmp_path / "config.json"
    config.write_text('{"model_type": "bert"}', encoding="utf-8")
    document = tmp_path / "project" / "page.md"
    document.parent.mkdir()
    for key in ("architecture", "config"):
        for name in (config, "../config.json", "/dev/stdin", "-"):
            document.write_text(f"---\nsymparam:\n  {key}: '{name}'\n---\n1 + 1 = 3\n", encoding="utf-8")
            for check, what in ((symparam.check_text, document.read_text(encoding="utf-8")), (symparam.check, document)):
                with pytest.raises(SymparamError, match=r"a document must not name|is expected, or a config|lies outside of the project"):
                    check(what)


def test_front_matter_that_is_not_symparams_is_left_alone() -> None:
    for front in ("title: a: b", BOMB, "[" * 5_000):
        assert verdicts(f"---\n{front}\n---\n1 + 1 = 3\n") == {WRONG: 1}
    assert verdicts("---\n" * 50_000 + "1 + 1 = 3\n")[WRONG] == 1


# What the fuzz targets found.

FOUND = ["1K(", "1" + "*-" * 900 + "1", "1*-" + "-" * 2_000 + "2 = 1"]


@pytest.mark.parametrize("text", FOUND, ids=[text[:20] for text in FOUND])
def test_found_by_fuzzing(text: str) -> None:
    str(symparam.check_text(text))


def test_factors_of_long_numbers_are_not_searched_for() -> None:
    assert symparam.derive("gpt2", where=["H=N/(10^150+1)+N/(10^151+3)"], form="factored").formula.letters == {"N", "I", "P", "V"}


def test_a_tensor_that_a_header_names_twice_is_found_at_once(tmp_path: Path) -> None:
    entry = '"t%d":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}'
    header = "{" + ",".join(entry % min(number, 29_998) for number in range(30_000)) + "}"
    file = tmp_path / "model.safetensors"
    file.write_bytes(len(header).to_bytes(8, "little") + header.encode())
    with pytest.raises(SymparamError, match="names t29998 twice"):
        symparam.count(file)


def test_a_table_is_not_as_wide_as_its_rows_are_many() -> None:
    long = " + ".join(map(str, range(2_000)))
    text = table(Table(("a", "b"), tuple(((long,), (str(number),)) for number in range(3))), UNICODE)
    assert max(map(len, text.splitlines())) < 600
    assert "".join(text.split()).count("1998+1999") == 3

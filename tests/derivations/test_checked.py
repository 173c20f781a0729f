"""The documents as their readers check them: ``symparam check derivations`` in a process of its own."""

from __future__ import annotations

import json
import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from symparam.core.formula import Symbol
from tests.command import text as run

from .ledger import Ledger, links
from .page import FOLDER, pieces
from .test_derivations import LEDGERS, text_of

DOCUMENTS = [name for name in LEDGERS if name != "README.md"]
EXPECTED = {
    ("derivations/bert-general-formula.md", 76, "wrong-sum"),
    ("derivations/bloom-1b4-zh.md", 88, "wrong-number"),
}
TOTALS = {
    "bert-base-in-parts.md": "109{,}482{,}240",
    "bert-general-formula.md": "109,482,240",
    "bert-base-chinese.md": "102{,}267{,}648",
    "bloom-1b4-zh.md": "1{,}303{,}111{,}680",
    "gpt1.md": "116,534,784",
}
SLIPS = [
    ("bert-base-in-parts.md", "= 23{,}835{,}648$$", "= 23{,}836{,}648$$"),
    ("bert-base-in-parts.md", "12 \\times (768 \\times 3{,}072", "12 \\times (768 \\times 3{,}027"),
    ("bert-base-in-parts.md", "= 4NH + 2H$", "= 4NH + 3H$"),
    ("bert-base-in-parts.md", "| $IN$ | 36,864 |", "| $IN$ | 36,846 |"),
    ("bert-base-in-parts.md", "**673,536**", "**673,636**"),
    ("bert-base-in-parts.md", "\\approx 104.41$", "\\approx 104.14$"),
    ("bert-general-formula.md", "= 69{,}120{,}000$$", "= 69{,}210{,}000$$"),
    ("bert-general-formula.md", "= 12H^{2} + 13H$$", "= 12H^{2} + 12H$$"),
    ("bert-general-formula.md", "= 108{,}873{,}216$$", "= 108{,}873{,}215$$"),
    ("bert-general-formula.md", "**109,482,240**", "**109,428,240**"),
    ("bert-base-chinese.md", "= 16{,}226{,}304$ | $VH", "= 16{,}226{,}301$ | $VH"),
    ("bert-base-chinese.md", "$TH = 1{,}536$", "$TH = 1{,}546$"),
    ("bert-base-chinese.md", "(4N + 1)H^{2} = 102", "(4N + 7)H^{2} = 102"),
    ("bert-base-chinese.md", "\\approx 390.12$$", "\\approx 390.13$$"),
    ("bloom-1b4-zh.md", "= 12{,}589{,}056$$", "= 12{,}589{,}065$$"),
    ("bloom-1b4-zh.md", "| $VH$ | 94,504,960 |", "| $VH$ | 94,504,950 |"),
    ("bloom-1b4-zh.md", "= 1{,}397{,}616{,}640$$\n\nand the", "= 1{,}397{,}616{,}740$$\n\nand the"),
    ("gpt1.md", "768 \\times 64 \\times 4 \\times 12 =", "768 \\times 46 \\times 4 \\times 12 ="),
    ("gpt1.md", "= 2IH + I + H$$", "= 2IH + I + 2H$$"),
    ("gpt1.md", "N(12H^{2} + 13H) =", "N(12H^{2} + 11H) ="),
    ("gpt1.md", "**116,534,784**", "**116,543,784**"),
]


def checked(path: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit code, and every claim with its file."""
    done = run("check", os.path.relpath(path, FOLDER.parent), "--format", "json", cwd=FOLDER.parent)
    assert done.stderr == ""
    files = json.loads(done.stdout)["files"]
    return done.returncode, [{"file": Path(each["file"]).as_posix(), **claim} for each in files for claim in each["claims"]]


@cache
def whole() -> tuple[int, list[dict[str, Any]]]:
    return checked(FOLDER)


def claims_of(name: str) -> list[dict[str, Any]]:
    return [claim for claim in whole()[1] if claim["file"] == f"derivations/{name}"]


def test_nothing_is_wrong_but_the_lines_that_are_expected_to_be() -> None:
    code, claims = whole()
    wrong = [claim for claim in claims if claim["verdict"] == "wrong"]
    assert code == 0
    assert {(claim["file"], claim["line"], claim["code"]) for claim in wrong} == EXPECTED
    assert len(wrong) == len(EXPECTED)
    assert [claim for claim in claims if claim["ignored"] and claim not in wrong] == []


def test_what_is_wrong_is_explained() -> None:
    gaps = {claim["file"]: claim["gap"] for claim in whole()[1] if claim["verdict"] == "wrong"}
    assert gaps["derivations/bert-general-formula.md"]["formula"] == "−2NH"
    assert gaps["derivations/bloom-1b4-zh.md"]["value"] == -94_504_960
    assert all(len(gap["explained_by"]) == 1 for gap in gaps.values())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_every_line_is_read_and_judged(name: str) -> None:
    """Each formula with a relation is a claim for each link, but where a letter or a name is said to be something."""
    ledger, judged = LEDGERS[name](), claims_of(name)
    for number, line in enumerate(text_of(name).splitlines(), 1):
        formulas = [piece.text for piece in pieces(line) if piece.kind == "formula"]
        here = [claim for claim in judged if claim["line"] <= number <= claim["end_line"]]
        assert len([claim for claim in here if claim["relation"]]) >= sum(map(len, (stated(ledger, text) for text in formulas))), line
        if formulas:
            open_ones = [claim for claim in here if claim["verdict"] in ("undecided", "not-read")]
            # The line itself is judged; several lines leave open of what a number is the total: "these are 18,432 parameters".
            assert [claim for claim in open_ones if claim["code"] not in ("unclear-subject", "open-component", "not-judged")] == [], line


def stated(ledger: Ledger, text: str) -> list[str]:
    """The links of a formula that state something."""
    return [f"{left} {sign} {right}" for left, sign, right, _ in links(ledger.read(text)) if not isinstance(left, Symbol)]


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_total_is_held_against_the_reference(name: str) -> None:
    """The total, and every other mention of it in a sentence; beside it, its formula may be held against the model's."""
    totals = {claim["text"] for claim in claims_of(name) if claim["code"] == "total" and not re.search("[A-Z]", claim["text"])}
    assert TOTALS[name] in totals
    assert len({re.sub(r"\D", "", text) for text in totals}) == 1


@pytest.mark.few(1)
@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_slip_of_a_digit_is_noticed(name: str, tmp_path: Path) -> None:
    """One process for all copies of a document, each with one slip; every one is noticed on its own line."""
    text, lines = text_of(name), {}
    for number, (right, slipped) in enumerate((right, slipped) for document, right, slipped in SLIPS if document == name):
        assert text.count(right) == 1
        (tmp_path / f"{number}.md").write_text(text.replace(right, slipped), encoding="utf-8")
        lines[f"{number}.md"] = text[: text.index(right)].count("\n") + 1
    code, claims = checked(tmp_path)
    noticed = {(Path(claim["file"]).name, claim["line"]) for claim in claims if claim["verdict"] == "wrong" and not claim["ignored"]}
    assert code == 1
    assert len(lines) >= 3
    assert lines.items() <= noticed


def test_one_slip_is_enough_for_the_exit_code(tmp_path: Path) -> None:
    name, right, slipped = SLIPS[0]
    (tmp_path / name).write_text(text_of(name), encoding="utf-8")
    assert checked(tmp_path / name)[0] == 0
    (tmp_path / name).write_text(text_of(name).replace(right, slipped), encoding="utf-8")
    assert checked(tmp_path / name)[0] == 1

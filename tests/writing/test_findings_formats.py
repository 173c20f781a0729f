"""Findings for programs and services: the keys of the JSON, the escapes of workflow commands, the shape of SARIF."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from symparam.core.alphabets import ALPHABETS
from symparam.core.notation import UNICODE
from symparam.core.parsing.reader import read_formula
from symparam.documents.checking.finding import Verdict
from symparam.errors import UnknownNameError
from symparam.results.check import FORMATS, CheckResult
from symparam.writing.findings import github, sarif
from symparam.writing.findings import json as json_report
from symparam.writing.findings.worded import WordedGap
from symparam.writing.json import dumps
from symparam.writing.phrases import phrases
from symparam.writing.wording import Wording
from tests.writing.findings import DOCUMENT, TEXT, cause, document, finding, wrong


def test_json_has_the_promised_keys_in_their_order() -> None:
    found = json.loads(CheckResult((DOCUMENT,), ("'x' cannot be read",)).write("json"))
    assert list(found) == ["files", "summary"]
    assert list(found["files"][0]) == ["file", "claims", "notes", "remarks"]
    assert found["files"][0]["claims"][0] == {
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 30,
        "text": "30,522 × 768 = 22,767,360",
        "left": "30,522 × 768",
        "right": "22,767,360",
        "relation": "=",
        "verdict": "wrong",
        "code": "wrong-number",
        "message": "30,522 × 768 is 23,440,896",
        "gap": {
            "value": -673_536,
            "unit": "",
            "formula": "−877H",
            "explained_by": [
                {"what": "876 rows", "formula": "−876H", "value": -672_768, "reason": {"kind": "missing"}},
                {"what": "the row of [PAD]", "formula": None, "value": -768, "reason": {"kind": "missing"}},
            ],
            "others": [[{"what": "two digits are swapped", "formula": None, "value": None, "reason": {"kind": "missing"}}]],
        },
        "remedy": "write 23,440,896",
        "ignored": False,
        "reason": {"kind": "different-formulas"},
        "rules": [],
    }
    keys = list(found["files"][0]["claims"][0])
    assert all(list(claim) == keys for claim in found["files"][0]["claims"])
    assert [(claim["verdict"], claim["gap"] is None, claim["ignored"]) for claim in found["files"][0]["claims"]] == [
        ("wrong", False, False),
        ("holds", True, False),
        ("wrong", False, False),
        ("undecided", True, False),
        ("not-read", True, False),
        ("wrong", True, True),
    ]
    assert found["files"][0]["notes"] == ["H is read as the hidden size"]
    assert list(found["summary"].items()) == [
        ("files", 1),
        ("claims", 6),
        ("holds", 1),
        ("wrong", 2),
        ("undecided", 1),
        ("not-read", 1),
        ("ignored", 1),
        ("unreadable", ["'x' cannot be read"]),
    ]


def test_json_writes_numbers_exactly_and_formulas_as_they_are_read_back() -> None:
    formula = read_formula("-2N*H^2")
    causes = (cause("a", Fraction(7, 3)), cause("b", Fraction(6, 3), formula), cause("c", 9**20_000))
    checked = wrong("1 + 1 = 3", "1 + 1 = 3", gap=WordedGap(Fraction(-1, 2), formula, causes))
    gap = json.loads(CheckResult((checked,)).write("json"))["files"][0]["claims"][0]["gap"]
    assert (gap["value"], gap["formula"]) == ("-1/2", "−2NH²")
    assert read_formula(gap["formula"]) == formula
    assert [cause["value"] for cause in gap["explained_by"]] == ["7/3", 2, "about 10^19085"]
    assert (
        CheckResult((checked,), wording=Wording(phrases("en"), UNICODE.using(ALPHABETS["megatron"]))).json["files"][0]["claims"][0]["gap"][
            "formula"
        ]
        == "−2lh²"
    )


def test_json_over_several_lines_and_of_nothing() -> None:
    claim = json_report.report((wrong("a\n1 + 1\n= 3\n", "1 + 1\n= 3\n"),))["files"][0]["claims"][0]
    assert [claim[key] for key in ("line", "column", "end_line", "end_column")] == [2, 1, 3, 4 + 1]
    assert json_report.report(()) == {
        "files": [],
        "summary": {"files": 0, "claims": 0, "holds": 0, "wrong": 0, "undecided": 0, "not-read": 0, "ignored": 0, "unreadable": []},
    }


@pytest.mark.parametrize("character", ["\x1b", "\x9b", "\x7f", "\u202e", "\ufeff", "\u2028"])
def test_no_format_has_control_characters(character: str) -> None:
    text = f"{character}1 + 1 = 3"
    checked = CheckResult((wrong(text, text, f"no{character}t", name=f"a{character}.md", remedy=character),), (f"x{character}",))
    for each in FORMATS:
        assert character not in checked.write(each)
    assert json.loads(checked.write("json"))["files"][0]["claims"][0]["text"] == text


def test_names_that_are_no_text_are_written_all_the_same() -> None:
    checked = CheckResult((wrong("1 + 1 = 3", "1 + 1 = 3", name="a\udcff.md"),), ("'a\udcff.md' cannot be read",))
    for each in FORMATS:
        checked.write(each).encode()
    assert sarif.uri("a\udcff.md") == "a%FF.md"


def test_github_annotations() -> None:
    assert github.report((DOCUMENT,)) == (
        "::error file=notes.md,line=3,endLine=3,col=20,endColumn=30,title=symparam wrong-number::30,522 × 768 is 23,440,896"
        "%0Ashort by 673,536, which is 877H%0A−672,768  876 rows (−876H)%0A    −768  the row of [PAD]%0Awrite 23,440,896\n"
        "::error file=notes.md,line=5,endLine=5,col=13,endColumn=18,title=symparam wrong-number::12 × 768 is 9,216%0Atoo much by 1\n"
        "1 file: 1 claim holds, 2 are wrong, 1 is undecided, 1 is not read, 1 is ignored\n"
    )


def test_github_escapes() -> None:
    text = "100% = 1"
    name = "a,b:c%d\n::error::x.md"
    lines = github.report((wrong(text, text, "100%\r\nno: not, so\n::error::x", name=name),)).splitlines()
    assert lines[0] == (
        "::error file=a%2Cb%3Ac%25d\\x0a%3A%3Aerror%3A%3Ax.md,line=1,endLine=1,col=8,endColumn=9,title=symparam wrong-number"
        "::100%25%0Ano: not, so%0A::error::x"
    )
    assert len(lines) == 2


def test_github_warns_of_letters_with_several_meanings_and_of_nothing_else_that_is_open() -> None:
    text = "h = 12 and\nh is\n768"
    several = finding(text, text, Verdict.UNDECIDED, "several-meanings", "h is both")
    lines = github.report((document(text, several, finding(text, "h = 12", Verdict.UNDECIDED, "no-value", "")),)).splitlines()
    assert lines[:-1] == ["::warning file=notes.md,line=1,endLine=3,title=symparam several-meanings::h is both"]


def test_github_where_the_log_knows_only_ascii() -> None:
    assert github.report((DOCUMENT,), encoding="ascii").isascii()


def run_of(*documents: Any, unreadable: tuple[str, ...] = ()) -> dict[str, Any]:
    found = json.loads(dumps(sarif.report(documents, unreadable=unreadable)))
    assert (found["version"], len(found["runs"])) == ("2.1.0", 1)
    run: dict[str, Any] = found["runs"][0]
    return run


def test_sarif() -> None:
    run = run_of(DOCUMENT)
    assert run["tool"]["driver"]["rules"] == [
        {
            "id": "wrong-number",
            "shortDescription": {"text": "the two sides are different numbers"},
            "defaultConfiguration": {"level": "error"},
        }
    ]
    assert run["columnKind"] == "unicodeCodePoints"
    assert run["invocations"] == [{"executionSuccessful": True, "toolExecutionNotifications": []}]
    first, second, ignored = run["results"]
    assert first["message"]["text"].startswith("30,522 × 768 is 23,440,896\nshort by 673,536")
    assert second == {
        "ruleId": "wrong-number",
        "ruleIndex": 0,
        "level": "error",
        "message": {"text": "12 × 768 is 9,216\ntoo much by 1"},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": "notes.md"},
                    "region": {"startLine": 5, "startColumn": 13, "endLine": 5, "endColumn": 18},
                }
            }
        ],
        "suppressions": [],
    }
    assert TEXT.splitlines()[4][12:17] == "9,217"
    assert ignored["suppressions"] == [{"kind": "inSource"}]


def test_sarif_rules_are_those_of_the_results_and_a_file_that_could_not_be_read_is_told_of() -> None:
    several = finding("h = 12", "h = 12", Verdict.UNDECIDED, "several-meanings", "h is {i}")
    total = finding("1 = 2", "1 = 2", Verdict.WRONG, "wrong-total", "no")
    run = run_of(document("h = 12", several), document("1 = 2", total), unreadable=("'x' cannot be read",))
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert rules == ["wrong-total", "several-meanings"]
    assert [(rules[result["ruleIndex"]], result["level"]) for result in run["results"]] == [
        ("several-meanings", "warning"),
        ("wrong-total", "error"),
    ]
    assert run["results"][0]["message"]["text"] == "h is {{i}}"
    assert run["invocations"] == [
        {
            "executionSuccessful": False,
            "toolExecutionNotifications": [{"level": "error", "message": {"text": "'x' cannot be read"}}],
        }
    ]


def test_files_go_by_their_place_in_the_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    inside = str(tmp_path / "my docs" / "词#1.md")
    assert sarif.uri(inside) == sarif.uri("my docs/词#1.md") == "my%20docs/%E8%AF%8D%231.md"
    assert sarif.uri("a:b.md") == "a%3Ab.md"
    assert sarif.uri("/elsewhere/x y.md") == "file:///elsewhere/x%20y.md"
    assert sarif.uri("<stdin>") == "%3Cstdin%3E"
    assert github.report((wrong("1 = 2", "1 = 2", name=inside),)).startswith("::error file=my docs/词#1.md,")


def test_what_is_checked_shows_itself() -> None:
    checked = CheckResult((DOCUMENT,))
    assert str(checked) == checked.write("text")
    assert repr(checked) == "<CheckResult 1 file: 1 claim holds, 2 are wrong, 1 is undecided, 1 is not read, 1 is ignored>"
    assert (len(checked.findings), [finding.right for finding in checked.wrong]) == (6, ["22,767,360", "9,217"])
    with pytest.raises(UnknownNameError, match="there is no format named 'pdf'; there are text, html, json, github, sarif"):
        checked.write("pdf")

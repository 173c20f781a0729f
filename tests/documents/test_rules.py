"""Every rule by its own pages: what it does there, what is said without it, and what it does not take in."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

import symparam
from symparam.core.notation import UNICODE
from symparam.documents.check import check_document
from symparam.documents.checking.basis.context import Context
from symparam.documents.checking.finding import CheckedDocument
from symparam.documents.reading.source import Source
from symparam.documents.rules.registry import GROUPS, RULES
from symparam.documents.rules.rule import Rule
from symparam.errors import SymparamError

PACKAGE = Path(symparam.__file__).parent
each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
# What gives a letter its value stands elsewhere, and a unit is looked up without its place.
NOT_NAMED = {
    "value-in-json", "letter-in-bracket", "values-together", "table-of-letters", "table-of-keys", "total-below-list", "scale-in-word",
    "spelled-prefix", "node-of-diagram", "so-many-a-second", "order-of-magnitude", "words-in-brackets", "whole-quotient",
    "rounded-to-whole",
}  # fmt: skip


def checked(page: str, without: frozenset[str] = frozenset()) -> CheckedDocument:
    return check_document(Source("page.md", page), Context(without=without))


def verdict(document: CheckedDocument) -> str:
    return document.findings[-1].verdict.value if document.findings else "nothing"


@each_rule
def test_the_example_has_its_verdict_because_of_the_rule(rule: Rule) -> None:
    document = checked(rule.example)
    assert (verdict(document), verdict(checked(rule.example, frozenset({rule.code})))) == (rule.verdict, rule.otherwise)
    assert rule.verdict != rule.otherwise
    if document.findings and rule.code not in NOT_NAMED:
        assert rule.code in {code for finding in document.findings for code in document.rules(finding)}


@each_rule
def test_the_counterexample_is_left_alone(rule: Rule) -> None:
    assert verdict(checked(rule.counterexample)) == rule.counterverdict


def test_each_rule_has_a_name_and_a_sentence_of_its_own() -> None:
    assert len(RULES) == sum(map(len, GROUPS.values())) == len({rule.sentence for rule in RULES.values()})
    assert all(re.fullmatch(r"[a-z]+(-[a-z0-9]+)*", code) for code in RULES)
    assert all(rule.sentence.endswith(".") for rule in RULES.values())


def test_the_code_asks_for_no_rule_that_is_not_there() -> None:
    asked = {
        code
        for file in (PACKAGE / "documents").rglob("*.py")
        for code in re.findall(r'(?:applies|in_force|applies_here|decide|made_by)\(\s*"([a-z0-9-]+)"', file.read_text(encoding="utf-8"))
    }
    assert asked - RULES.keys() == set()


def test_translated_sentences_are_of_rules() -> None:
    chinese = tomllib.loads((files("symparam.writing.phrases") / "zh" / "rules.toml").read_text(encoding="utf-8"))
    assert chinese.keys() <= RULES.keys()


PAGE = "12 × 7682 = 7,077,888\n\n{}\n5 × 7682 = 2,949,120\n"


@pytest.mark.parametrize(
    ("page", "verdicts"),
    [
        (PAGE.format(""), ["holds", "holds"]),
        ("---\nsymparam:\n  without: lost-square\n---\n" + PAGE.format(""), ["wrong", "wrong"]),
        (PAGE.format("<!-- symparam: without lost-square -->"), ["holds", "wrong"]),
        (PAGE.format("").replace("888\n", "888 <!-- symparam: without lost-square -->\n"), ["wrong", "holds"]),
    ],
)
def test_rules_are_switched_off_for_a_page_and_for_a_stretch_of_it(page: str, verdicts: list[str]) -> None:
    assert [finding.verdict.value for finding in checked(page).findings] == verdicts


@pytest.mark.parametrize(
    "page", ["---\nsymparam:\n  without: lost-sqare\n---\n2 × 3 = 6\n", "<!-- symparam: without lost-sqare -->\n2 × 3 = 6\n"]
)
def test_a_page_that_names_no_rule_is_told_the_nearest(page: str) -> None:
    with pytest.raises(SymparamError, match="did you mean 'lost-square'"):
        checked(page)


def test_a_remark_without_a_rule_is_refused() -> None:
    with pytest.raises(SymparamError, match="the rule to switch off is missing, as in 'symparam: without noun'"):
        checked("<!-- symparam: without -->\n2 × 3 = 6\n")


def test_json_and_the_verbose_report_name_the_rules() -> None:
    found = symparam.check_text("12 layers × 64 heads = 769")
    assert found.json["files"][0]["claims"][0]["rules"] == ["noun"]
    assert "= rules: noun" in found.write(verbose=True)
    assert "rules:" not in found.write()
    assert symparam.check_text("12 × 7682 = 7,077,888", without=["lost-square"]).wrong


def test_rules_are_listed_with_the_word_in_their_names() -> None:
    found = symparam.rules("thousands")
    assert [rule["code"] for rule in found.json["rules"]][:2] == ["thousands-comma", "thousands-point"]
    assert "`2 × 1,024 = 2048`" in found.write("markdown", UNICODE)
    with pytest.raises(SymparamError, match="rule"):
        symparam.rules("thousandz")

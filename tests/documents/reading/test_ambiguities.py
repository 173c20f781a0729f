"""Rules with a choice: the example holds because of it, the counterexample because it chose the other way, and wrong stays wrong."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from symparam.documents.checking.finding import Verdict
from symparam.documents.reading.ambiguities import ReadingChoices, other_readings
from symparam.documents.rules.registry import RULES as ALL_RULES
from symparam.documents.rules.rule import Rule
from tests.documents.checking.shown import checked

RULES = {
    code: ALL_RULES[code]
    for code in ("bracket-multiplies", "letter-scales", "letters-multiply", "x-is-a-letter", "hexadecimal", "wide-comma")
}
each_rule = pytest.mark.parametrize("rule", RULES.values(), ids=RULES)


@each_rule
def test_the_example_holds_as_it_is_usually_read(rule: Rule) -> None:
    last = checked(rule.example).findings[-1]
    assert (last.verdict, rule.code in last.message) == (Verdict.HOLDS, False)


@each_rule
def test_the_counterexample_is_saved_by_the_other_reading(rule: Rule) -> None:
    last = checked(rule.counterexample).findings[-1]
    assert last.verdict is not Verdict.WRONG
    assert rule.code in last.message


@each_rule
def test_another_result_is_wrong(rule: Rule) -> None:
    result = re.compile(r"\d(?=\D*$)")
    last = checked(result.sub(lambda digit: str((int(digit[0]) + 3) % 10), rule.example)).findings[-1]
    assert last.verdict in (Verdict.WRONG, Verdict.UNDECIDED)
    assert last.verdict is Verdict.WRONG or "," in rule.example or "，" in rule.example


def test_the_readings_are_those_of_one_rule_together_and_then_each_choice() -> None:
    choices = ReadingChoices()
    for at in (3, 9, 40):
        assert choices.decide("hexadecimal", at, True)
    assert list(other_readings(choices.made, 0, 20)) == [
        frozenset({("hexadecimal", 3), ("hexadecimal", 9)}),
        frozenset({("hexadecimal", 3)}),
        frozenset({("hexadecimal", 9)}),
    ]
    assert not ReadingChoices(frozenset({("hexadecimal", 9)})).decide("hexadecimal", 9, True)


def test_the_guide_names_every_rule() -> None:
    guide = (Path(__file__).parents[3] / "docs" / "guide" / "checking.md").read_text(encoding="utf-8")
    assert [code for code in RULES if f"| `{code}` |" not in guide] == []

"""The documents as a whole: nothing in them that is not proved, nothing of their authors' left out, no digit that can slip."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from tests.command import out

from . import test_bert_base_chinese, test_bert_base_in_parts, test_bert_general_formula, test_bloom_1b4_zh, test_gpt1
from .completeness import left_out, problems
from .ledger import Ledger
from .page import FOLDER, paragraphs, pieces, wrong_sums


@cache
def overview() -> Ledger:
    """What all five documents have produced, for the list of them."""
    ledgers = [ledger() for name, ledger in LEDGERS.items() if name != "README.md"]
    found = Ledger(numbers=set().union(*(ledger.numbers for ledger in ledgers)))
    found.known_names = set(LEDGERS).union(*(ledger.known_names for ledger in ledgers), COMMANDS)
    return found


LEDGERS = {
    "bert-base-in-parts.md": test_bert_base_in_parts.ledger,
    "bert-general-formula.md": test_bert_general_formula.ledger,
    "bert-base-chinese.md": test_bert_base_chinese.ledger,
    "bloom-1b4-zh.md": test_bloom_1b4_zh.ledger,
    "gpt1.md": test_gpt1.ledger,
    "README.md": overview,
}
TOTALS = {
    "bert-base-in-parts.md": "109,482,240",
    "bert-general-formula.md": "(13N + P + T + V + 3)H + (12N + 1)H²",
    "bert-base-chinese.md": "102,267,648",
    "bloom-1b4-zh.md": "1,303,111,680",
    "gpt1.md": "116,534,784",
}
COMMANDS = {"symparam check derivations", "python -m pytest tests/derivations"}
DIGITS = "0123456789"


def text_of(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def test_every_document_of_the_folder_is_tested() -> None:
    assert {path.name for path in FOLDER.iterdir()} == set(LEDGERS)


@pytest.mark.parametrize("name", LEDGERS)
def test_a_document_says_only_what_symparam_has_produced(name: str) -> None:
    assert problems(text_of(name), LEDGERS[name]()) == []


@pytest.mark.parametrize("name", LEDGERS)
def test_a_document_shows_every_line_of_its_author(name: str) -> None:
    assert left_out(text_of(name), LEDGERS[name]()) == []


@pytest.mark.parametrize("name", [pytest.param(each, marks=() if each == "gpt1.md" else pytest.mark.slow) for each in LEDGERS])
def test_no_digit_of_a_document_can_be_changed_unnoticed(name: str) -> None:
    changes = list(changed_digits(text_of(name)))
    assert len(changes) == 9 * sum(character in DIGITS for character in text_of(name)) > 0
    assert [changed for changed in changes if not problems(changed, LEDGERS[name]())] == []


def changed_digits(text: str) -> Iterator[str]:
    """For each digit of the text, the paragraph around it with each other digit in its place."""
    for paragraph in paragraphs(text):
        for place, character in enumerate(paragraph):
            for digit in DIGITS.replace(character, "") if character in DIGITS else "":
                yield paragraph[:place] + digit + paragraph[place + 1 :]


@pytest.mark.parametrize(
    ("right", "changed"),
    [
        ("23,835,648", "23,835,649"),
        ("= 28{,}311{,}552", "= 28{,}311{,}553"),
        ("4H^{2}", "4H^{3}"),
        ("| 36,864 |", "| 9,216 |"),
        ("`pooler.dense`", "`pooler.activation`"),
        ("\\approx 103.8", "\\approx 103.7"),
        ("| $IN$ |", "| $NH$ |"),
    ],
)
def test_the_check_notices(right: str, changed: str) -> None:
    name = "bert-base-in-parts.md"
    text = text_of(name) + "\n23,835,648\n"
    assert right in text
    assert problems(text, LEDGERS[name]()) == []
    assert problems(text.replace(right, changed), LEDGERS[name]()) != []


def test_the_check_notices_a_line_of_the_author_that_is_left_out() -> None:
    kept = [line for line in text_of("bloom-1b4-zh.md").splitlines() if "= 302{,}137{,}344" not in line]
    assert left_out("\n".join(kept), LEDGERS["bloom-1b4-zh.md"]()) == ["24 * 12589056 = 302137344"]


def test_a_table_may_go_down_and_must_add_up() -> None:
    rows = [["step", "parameters"], ["one", "1,500"], ["two", "−500"]]
    assert list(wrong_sums([*rows, ["all", "**1,000**"]])) == []
    assert list(wrong_sums([*rows, ["all", "**2,000**"]])) == ["the column 'parameters' does not add up to **2,000**"]


@pytest.mark.parametrize("name", TOTALS)
def test_the_command_at_the_end_gives_the_total(name: str) -> None:
    commands = [piece.text for piece in pieces(text_of(name)) if piece.kind == "fence"]
    arguments = commands[0].removeprefix("symparam ").split()
    assert TOTALS[name] in out(*arguments)


def test_every_link_between_documents_leads_somewhere() -> None:
    targets = {target for name in LEDGERS for target in re.findall(r"\]\(([^)]+)\)", text_of(name))}
    assert targets == set(TOTALS)
    assert all((FOLDER / target).is_file() for target in targets)

"""Writes a training budget as a document and as JSON."""

from __future__ import annotations

from fractions import Fraction

from symparam.analysis.budgets import Budget, Found
from symparam.core.alphabets import STANDARD
from symparam.core.formula import Formula, Symbol, number
from symparam.core.json_types import JsonObject
from symparam.writing.amounts import DAY, brief
from symparam.writing.document import Chain, Document, Heading, Line, Node, Paragraph, Table
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import phrases

LONGEST = 8  # Characters of a number that is shown in full.


def budget(found: Budget, language: str = "en") -> Document:
    """The given quantities, and each letter that follows with its formula and number; days and device hours if there is a time."""
    words = phrases(language)
    nodes: list[Node] = [Heading(1, words.say("budget-of", name=found.name) if found.name else words.sentences["budget"])]
    counted = {each: words.sentences[f"budget-{each}-{found.of}"] for each in ("item", "items")}
    if found.per_token is not None:
        nodes += [Paragraph((words.say("budget-per-token", name=found.name, **counted),)), Chain((Symbol("c"), found.per_token))]
    header = tuple(words.sentences[key] for key in ("letter", "meaning", "formula", "value"))
    rows: list[tuple[Line, ...]] = [
        ((Symbol(letter),), (words.say(f"budget-{letter}", **counted),), (words.sentences["budget-given"],), (_shown(value),))
        for letter, value in found.given.items()
    ]
    rows += [_row(each, words.say(f"budget-{each.letter}", **counted)) for each in found.found]
    nodes.append(Table(header, tuple(rows), frozenset({3})))
    seconds = found.value("t")
    if seconds is not None:
        nodes.append(Paragraph(words.line("budget-days", days=_shown(Fraction(seconds) / DAY))))
    return Document(tuple(nodes), language, STANDARD)


def _row(each: Found, meaning: str) -> tuple[Line, ...]:
    value: Line = (_shown(each.value),) if each.exact else ("≈ ", number(each.value))
    return ((Symbol(each.letter),), (meaning,), (each.formula,), value)


def _shown(value: int | Fraction) -> str | Formula:
    return brief(value, LONGEST)


def as_json(found: Budget) -> JsonObject:
    """The same for programs."""
    return {
        "model": found.name or None,
        "given": {letter: rational(value) for letter, value in found.given.items()},
        "data": found.of,
        "operations per token": None if found.per_token is None else pasted(found.per_token, STANDARD),
        "found": {
            each.letter: {"formula": pasted(each.formula, STANDARD), "value": rational(each.value), "exact": each.exact}
            for each in found.found
        },
    }

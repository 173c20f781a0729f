"""What a document has said so far: values, definitions, and what follows from them."""

from __future__ import annotations

from fractions import Fraction

import pytest

from symparam import read_formula
from symparam.core.formula import Formula, Product, Symbol
from symparam.documents.checking.basis.knowledge import Knowledge


def formula(text: str) -> Formula:
    return read_formula(text)


def knowing(*said: str, **beside: int) -> Knowledge:
    """What is known after each statement: ``H = 768`` gives a value, ``I = 4H`` defines."""
    knowledge = Knowledge(beside)
    for each in said:
        name, _, right = each.partition(" = ")
        if right.isdigit():
            knowledge.assign(name, int(right))
        else:
            knowledge.define(name, formula(right))
    return knowledge


VALUES = [
    (knowing("H = 768"), "H", 768),
    (knowing("H = 768", "H = 1024"), "H", 1024),  # The last one counts.
    (knowing("H = 768", "I = 4H"), "I", 3072),
    (knowing("I = 4H", "H = 768"), "I", 3072),  # In whatever order they stand.
    (knowing("H = 768", "d = H/5"), "d", Fraction(768, 5)),
    (knowing("H = 768", "I = 4H", "I = 7"), "I", 7),  # What is said goes before what follows.
    (knowing("I = 4H", H=768), "I", 3072),
    (knowing("H = 1024", H=768), "H", 1024),  # The document goes before the config beside it.
    (knowing("I = 4H", I=3072), "I", 3072),
    (knowing("I = 4H"), "I", None),
    (knowing(), "H", None),
    (knowing("H = I/4", "I = 4H"), "H", None),  # In a circle.
    (knowing("H = 768", "d = H/(N - N)", "N = 2"), "d", None),  # Divides by zero.
]


@pytest.mark.parametrize(("knowledge", "letter", "value"), VALUES, ids=[f"{letter} = {value}" for _, letter, value in VALUES])
def test_values(knowledge: Knowledge, letter: str, value: int | Fraction | None) -> None:
    assert knowledge.value(letter) == value


def test_values_of_several_letters() -> None:
    knowledge = knowing("H = 768", "I = 4H")
    assert knowledge.values("HI") == {"H": 768, "I": 3072}
    assert knowledge.values("HN") is None
    assert knowledge.values("") == {}


SETTLED = [
    (knowing("H = 768"), "H", True),
    (knowing("H = 768", "H = 768"), "H", True),
    (knowing("H = 768", "H = 1024"), "H", False),
    (knowing("H = 768", "H = 1024", "I = 4H"), "I", False),
    (knowing("H = 768", "H = 1024", "I = 4H", "I = 7"), "I", True),
    (knowing("N = 12", "N = 24", "H = 768"), "H", True),
]


@pytest.mark.parametrize(("knowledge", "letters", "settled"), SETTLED)
def test_one_value_in_the_whole_document(knowledge: Knowledge, letters: str, settled: bool) -> None:
    assert knowledge.is_settled(letters) is settled


def test_definitions() -> None:
    knowledge = knowing("I = 4H", "H = d*h")
    assert knowledge.meaning(formula("2*I*H"), True) == formula("8*(d*h)^2").expr
    assert knowledge.meaning(formula("2*I*H"), False) == formula("2*I*H").expr
    assert knowledge.expanded(formula("I")).letters == {"d", "h"}


def test_a_name_is_not_defined_by_itself_or_by_words() -> None:
    knowledge = knowing("H = H + 1")
    knowledge.define("I", Symbol("¤the width"))
    knowledge.define("N", Symbol("§12"))
    assert knowledge.defined == {}


def test_names_that_no_symbol_can_have_keep_apart() -> None:
    knowledge = Knowledge()
    one, other = Symbol("¤the norm"), Symbol("¤the bias")
    assert knowledge.meaning(Product((one, other)), False) != knowledge.meaning(Product((one, one)), False)
    assert knowledge.meaning(one, False) == knowledge.meaning(one, True)

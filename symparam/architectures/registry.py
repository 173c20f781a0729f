"""Families by name: ``bert``, ``BertForMaskedLM`` and a config's ``model_type`` all lead to a family and a class of it."""

from __future__ import annotations

from dataclasses import dataclass

from symparam.architectures.bert import BERT
from symparam.architectures.bloom import BLOOM
from symparam.architectures.family import Family
from symparam.architectures.gpt1 import GPT1
from symparam.architectures.gpt2 import GPT2

FAMILIES: tuple[Family, ...] = (BERT, GPT1, GPT2, BLOOM)


@dataclass(frozen=True)
class Choice:
    """A family, and one of its classes."""

    family: Family
    class_name: str


def find(name: str) -> Choice | None:
    """The family and class of that name, upper and lower case taken as alike; None where there is none."""
    folded = name.casefold()
    for family in FAMILIES:
        if folded in (family.name, family.model_type):
            return Choice(family, next(iter(family.classes)))
        for class_name in family.classes:
            if folded == class_name.casefold():
                return Choice(family, class_name)
    return None


def names() -> tuple[str, ...]:
    """Every name that `find` knows: the families first, then their classes."""
    return (*(family.name for family in FAMILIES), *(class_name for family in FAMILIES for class_name in family.classes))

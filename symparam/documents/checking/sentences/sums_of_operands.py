"""The sums and differences of operands that a number may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from symparam.documents.checking.sentences.calculated_way import Way, difference, sum_of
from symparam.documents.checking.sentences.operands import Operand
from symparam.documents.words import words

MOST_PARTS = 6
"""Parts of a sum."""
_MOST_CHOSEN = 9  # Operands among which the parts of a long number are looked for.
_MOST_WHOLES = 3  # Operands that others may be taken from.


def totals(alike: Sequence[Operand]) -> Iterator[Way]:
    """The sums of the last operands."""
    for count in range(2, min(len(alike), MOST_PARTS) + 1):
        yield sum_of(alike[:count][::-1])


def sums_of_some(stated: Operand, alike: Sequence[Operand]) -> Iterator[Way]:
    """The number as the sum of some operands. It has so many digits that this is no chance although there are many ways to choose them."""
    whole = int(stated.value)
    sums: list[tuple[int, tuple[int, ...]]] = [(0, ())]
    chosen = [each for each in alike if not each.side.literals and each.value < whole][:_MOST_CHOSEN]
    for at, size in enumerate(int(each.value) for each in chosen):
        sums += [(value + size, (at, *parts)) for value, parts in sums if value + size <= whole]
    for value, parts in sums:
        if value == whole and len(parts) > 1:
            yield replace(sum_of(sorted((chosen[at] for at in parts), key=lambda each: each.start)), tries=len(sums))


def without_some(stated: Operand, alike: Sequence[Operand], around: str) -> Iterator[Way]:
    """The number as an operand without one or two others, to its last digit."""
    is_said, sizes = words("leaves_out").in_text(around) or words("rest").in_text(around), {each.value: each for each in alike}
    for whole in [each for each in alike if each.value > stated.value][:_MOST_WHOLES]:
        gap = whole.value - stated.value
        pairs = [(sizes[gap],)] if gap in sizes else [(each, sizes[gap - each.value]) for each in alike if gap - each.value in sizes]
        others = [parts for parts in pairs if whole not in parts and len(set(parts)) == len(parts)][:1]
        yield from (replace(difference(whole, parts), tries=len(alike) ** 2, announced=is_said) for parts in others)


def rests(alike: Sequence[Operand], here: Sequence[Operand]) -> Iterator[Way]:
    """The differences between an operand and one or more others, those in the sentence first."""
    inside = [each for each in here if each in alike]
    whole = max(inside, key=lambda each: each.value, default=None)
    parts = [each for each in inside if each is not whole]
    if whole is not None and parts and sum(each.value for each in parts) < whole.value:
        yield difference(whole, parts[::-1])
    wholes = [whole] if whole is not None and parts else alike[:3]
    for one in wholes:
        smaller = [each for each in alike[:4] if each.value < one.value]
        yield from (difference(one, (each,)) for each in smaller if [each] != parts)
        yield from (difference(one, pair) for pair in combinations(smaller, 2) if sum(each.value for each in pair) < one.value)

"""Finds what remains of the first entry of a list after the others: ``GPU: 80 GB``, ``weights: 60 GB``, ``left: 20 GB``.

Words call the entry a rest, or minus signs before the others say that they are taken away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice, takewhile

from symparam.core.formula import Negative, Sum
from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.errors import FormulaError

_MOST = 12  # Entries that are taken away.
_RECENT = 12  # The last quantities of the page, among which the one before the list is.
_NEAR = 160  # Characters from it to the first entry.
_LEAST_SIZE = 10  # A smaller number counts heads or cards, unless it has a unit.


@frozen
class Rest:
    """What an entry is the rest of, as written, and the verdict."""

    written: str
    judgement: Judgement


def rest_of(entry: ListEntry, above: Sequence[ListEntry], stated: Sequence[LabelledQuantity], text: str) -> Rest | None:
    """What remains of the first of the entries directly above, or of the amount in the line before them, if the entry is that; never wrong,
    as others may be left out. ``stated`` are the quantities of the page so far, whose text is ``text``.
    """
    is_called = words("rest").in_text(entry.label)
    of_a_kind = takewhile(lambda each: each.measured == entry.measured and each.calculation is None, reversed(above))
    alike = list(islice(of_a_kind, _MOST))[::-1]
    if not (is_called or (alike and alike[-1].value < 0)) or entry.value <= 0 or not (entry.measured or entry.value >= _LEAST_SIZE):
        return None
    heads = [_as_entry(each, above[0], text) for each in _before(above, stated)] if is_called and alike == [*above] else []
    for first in range(-len(heads), len(alike) - 1):
        whole, taken = alike[first] if first >= 0 else heads[first], alike[max(first + 1, 0) :]
        if whole.measured != entry.measured or whole.value <= 0 or not (is_called or all(each.value < 0 for each in taken)):
            continue
        left = whole.value - sum(abs(each.value) for each in taken)
        found = _judged(whole, taken, entry) if 0 < left < 2 * entry.value else None
        if found is not None and applies("rest-of-list", entry.start):
            written = " − ".join((whole.text, *(each.text.lstrip("−-– ") for each in taken)))
            return Rest(written, found)
    return None


def _before(above: Sequence[ListEntry], stated: Sequence[LabelledQuantity]) -> list[LabelledQuantity]:
    """The last quantity in the line before a list: ``Memory (a card of 48 GB):``."""
    earlier = [each for each in stated[-_RECENT:] if each.expression.start < above[0].start] if above else []
    return [each for each in earlier[-1:] if above[0].start - each.expression.start < _NEAR and each.value]


def _as_entry(quantity: LabelledQuantity, first: ListEntry, text: str) -> ListEntry:
    number = quantity.expression
    written = text[number.start : number.end]
    return replace(first, side=quantity.side, value=quantity.value or Fraction(0), start=number.start, end=number.end, text=written)


def _judged(whole: ListEntry, taken: Sequence[ListEntry], entry: ListEntry) -> Judgement | None:
    formulas = [each.side.formula if each.value < 0 else Negative(each.side.formula) for each in taken]
    literals = {letter: literal for each in (whole, *taken) for letter, literal in each.side.literals.items()}
    try:
        found = judge_numbers(ClaimSide(Sum((whole.side.formula, *formulas)), literals), entry.side, "=")
    except FormulaError:
        return None  # Too large.
    if found.verdict is not Verdict.HOLDS or not (found.code == "exact" or _is_shown(found, entry)):
        return None
    return Judgement(found.verdict, found.code, message("rest-of-list", count=len(taken)), found.left, found.right, ("rest-of-list",))


def _is_shown(found: Judgement, entry: ListEntry) -> bool:
    """Whether the two differ by less than the last digit of the entry."""
    literal = entry.side.literal
    if literal is None or not found.left or not found.right:
        return False
    return abs(found.left - found.right) * literal.value < literal.last_digit * found.right

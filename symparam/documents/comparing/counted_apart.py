"""Finds what a page counts by itself behind a part that lacks just this: ``attention = 3 * d**2``, ``attproj = d**2``."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, islice

from symparam.core.message import Message, message
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.comparing.stated_formulas import stated_formula
from symparam.documents.roles.labels import read_label
from symparam.documents.roles.part_candidates import PartCandidate

_FARTHEST = 600  # Characters behind a part in which the rest of it may be counted.
_MOST = 6  # Lines behind it.
_LEAST = 1_000  # Smaller numbers are the rest by chance.


def of_rest_behind(part: RecognisedPart, page: JudgedPage) -> Message | None:
    """Whether lines behind the part whose words name no part of the model count just what it lacks."""
    if part.right is None or not part.is_exact:
        return None
    right = _right(part, part.right, page)
    if right - part.stated < _LEAST:
        return None
    behind = [*islice(_behind(part, page), _MOST)]
    sums = {
        sum((value for _, value in chosen), Fraction(0)): chosen[0][0]
        for count in range(1, len(behind) + 1)
        for chosen in combinations(behind, count)
    }
    first = sums.get(right - part.stated)
    return message("rest-behind", line=page.checker.document.source.place(first.expression.start)[0]) if first is not None else None


def _right(part: RecognisedPart, right: PartCandidate, page: JudgedPage) -> Fraction:
    """The right value, for a formula with the placeholder numbers of its letters."""
    if part.formula is None:
        return Fraction(right.value)
    return page.measured.value_of(page.measured.substitution_for(part.formula)(right.size)) or Fraction(0)


def _behind(part: RecognisedPart, page: JudgedPage) -> Iterator[tuple[LabelledQuantity, Fraction]]:
    """The numbers or formulas behind a part, each with its value, of which the words name no part of the model."""
    quantities, start = page.checker.quantities, part.quantity.expression.start
    named = {each.quantity.expression.start for each in page.known if each.label.parts and not each.label.rest}
    stated = quantities.numbers.between(start + 1, start + _FARTHEST) if part.formula is None else quantities.formulas
    for each in stated:
        at = each.expression.start
        if not start < at < start + _FARTHEST or at in named or each.column != part.quantity.column:
            continue
        value = each.value if part.formula is None else _value_of(each, part, page)
        if value is not None and value >= _LEAST:
            yield each, value


def _value_of(formula: LabelledQuantity, part: RecognisedPart, page: JudgedPage) -> Fraction | None:
    found = stated_formula(formula, formula.words, read_label(formula.words), part.measurand, page.measured)
    return found.stated if found is not None else None

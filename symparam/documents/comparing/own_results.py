"""Marks formulas whose values are not the numbers beside them, where the page gives most formulas of the list or column theirs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from symparam.core.evaluation import evaluate
from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.comparing.neighbours import SCOPES_OF, SEVERAL
from symparam.documents.comparing.recognised_part import RecognisedPart, is_stated
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole
from symparam.documents.reading.expression import in_numbers
from symparam.documents.roles.part_candidates import Amount
from symparam.errors import FormulaError

OTHER_THAN_FORMULA = "other-than-formula"


@frozen
class _Row:
    """A formula of a part, its value, and the number that the page gives as its value."""

    formula: RecognisedPart
    value: Amount
    number: RecognisedPart

    @property
    def agrees(self) -> bool:
        """Whether the number is the value."""
        return is_stated(self.number, self.value)


def mark_unlike_results(knowledge: Knowledge, known: Sequence[RecognisedPart]) -> None:
    """Mark the number, or the formula, in each of the few rows whose formula has another value than its number, if the formula is the
    model's: the formula where its number is counted in as many copies as the others, or for as many norms as its words say, and it is not.
    """
    numbers = {part.quantity.expression.start: part for part in known if part.formula is None}
    groups: dict[tuple[int, str], list[_Row]] = defaultdict(list)
    for part in known:
        result = part.quantity.result if part.formula is not None else None
        number = numbers.get(result.start) if result is not None else None
        if number is not None and (value := _value_of(part, number, knowledge)) is not None:
            groups[number.quantity.section, number.quantity.column].append(_Row(part, value, number))
    for rows in groups.values():
        unlike, alike = [row for row in rows if not row.agrees], [row for row in rows if row.agrees]
        if max(SEVERAL, 2 * len(unlike)) <= len(alike):
            for row in unlike:
                _mark(row, alike)


def _mark(row: _Row, alike: Sequence[_Row]) -> None:
    if not row.formula.fits:
        return  # It is wrong by itself.
    usual = Counter(copies for each in alike if len(copies := each.number.copies) == 1).most_common(1)
    is_usual = bool(usual) and row.number.copies == usual[0][0] and row.number.right is None
    if is_usual and (row.formula.copies != row.number.copies or (row.number.label.plural and row.number.stated > row.value)):
        scopes = {scope for copies in usual[0][0] for scope in SCOPES_OF.get(copies, ())}
        variants = {each.variant for each in row.formula.fits}
        own = [each for each in row.formula.candidates if each.variant in variants and each.scope in scopes]
        own = [each for each in own if each.value == row.number.stated] or own
        part, meant, why = row.formula, own, "other-than-result"
    else:
        part, meant, why = row.number, [each for each in row.number.candidates if each.value == row.value], OTHER_THAN_FORMULA
    right = next((each for each in meant if each.way == "whole"), next(iter(meant), None))
    if right is not None:
        part.right, part.why = right, why


def _value_of(part: RecognisedPart, number: RecognisedPart, knowledge: Knowledge) -> Amount | None:
    """The value of a formula, with the values of the page and of the model for its letters, and those of the run of its number."""
    letters = part.quantity.expression.letters
    run = {letter: value for letter, value in _run_of(number).items() if knowledge.value(letter) is None}
    values = knowledge.values(letters - run.keys())
    try:
        return int_if_whole(evaluate(in_numbers(part.quantity.expression), values | run)) if values is not None else None
    except FormulaError:
        return None


def _run_of(number: RecognisedPart) -> dict[str, int]:
    """The length of the sequence, and one for the batch, if the number is right for that run alone."""
    variants = {each.variant for each in number.fits}
    lengths, every = {each.length for each in variants}, {each.per for each in variants}
    if every != {"per-sequence"} or len(lengths) != 1 or lengths == {0}:
        return {}
    return dict.fromkeys(("L", "S"), lengths.pop()) | {"B": 1}

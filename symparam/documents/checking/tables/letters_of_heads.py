"""Judges columns of formulas whose letters have their values only in the head of the column of results: ``16Φ`` below ``Memory`` and ``112
GB`` below ``7B on 8 cards``.

Which number is which letter's is not stated: the one assignment with which all rows hold is meant, as rows do not hold together by chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, takewhile

from symparam.core.formula import Number, Symbol
from symparam.core.formula import number as written
from symparam.core.message import message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.entries.labelled_quantities import digits_of
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.cells import RowClaim, is_single, result_of
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.rules.rule import applies
from symparam.errors import FormulaError

_MOST_COLUMNS, _MOST_NUMBERS, _MOST_LETTERS, _FEWEST_ROWS = 8, 4, 3, 2
_LEAST_DIGITS = 6  # Of all results together: fewer agree with something by chance.
_HOLDS = ("exact", "rounded", "unit")

Row = Sequence[ParsedCell]


def letters_of_heads(rows: Sequence[Row], head: Row, knowledge: Knowledge, claimed: Set[int]) -> Iterator[RowClaim]:
    """The rows of formulas that hold with the numbers in the head of their results."""
    for place, cell in enumerate(head[:_MOST_COLUMNS]):
        numbers = list(_numbers_in(cell))
        if not 0 < len(numbers) <= _MOST_NUMBERS:
            continue
        for column in range(min(len(head), _MOST_COLUMNS)):
            pairs = [pair for row in rows if column != place and (pair := _pair(row, column, place, claimed)) is not None]
            letters = sorted({letter for left, _ in pairs for letter in left.letters if knowledge.value(letter) is None})
            shown = {right.formula: digits_of(right) for _, right in pairs}
            if len(pairs) >= _FEWEST_ROWS and 0 < len(letters) <= _MOST_LETTERS and sum(shown.values()) >= _LEAST_DIGITS:
                yield from _holding(pairs, letters, numbers, knowledge)


def _numbers_in(cell: ParsedCell) -> Iterator[Fraction]:
    """The numbers of a cell, with their scales in the usual sense."""
    for side in (side for chain in cell.chains for side in chain.sides):
        left = [side.formula]
        while left:
            formula = left.pop()
            if isinstance(formula, Number):
                yield Fraction(formula.value)
            elif isinstance(formula, Symbol) and formula.letter in side.literals:
                yield Fraction(side.literals[formula.letter].usual)
            left += formula.parts


def _pair(row: Row, column: int, place: int, claimed: Set[int]) -> tuple[Expression, Expression] | None:
    """The formula and the number of a row in these columns."""
    if max(column, place) >= len(row) or not is_single(row[column]):
        return None
    left, right = row[column].chains[0].sides[0], result_of(row[place])
    is_open = right is not None and right.is_number and right.start not in claimed and bool(left.letters) and not left.unknown
    return (left, right) if is_open and right is not None else None


def _holding(
    pairs: Sequence[tuple[Expression, Expression]], letters: Sequence[str], numbers: Sequence[Fraction], knowledge: Knowledge
) -> Iterator[RowClaim]:
    for chosen in permutations(numbers, len(letters)):
        values = dict(zip(letters, chosen, strict=True))
        every = (_judged(left, right, values, knowledge) for left, right in pairs)
        held = [each for each in takewhile(lambda each: each is not None, every) if each is not None]
        if len(held) < len(pairs) or not applies("letters-of-heads", pairs[0][1].start):
            continue
        stated = tuple(message("value", letter=letter, value=value) for letter, value in values.items())
        for (left, right), each in zip(pairs, held, strict=True):
            reason = message("holds-with-values", said=each.reason, values=stated)
            yield RowClaim(left, right, replace(each, reason=reason)).made_by("letters-of-heads")
        return


def _judged(left: Expression, right: Expression, values: Mapping[str, Fraction], knowledge: Knowledge) -> Judgement | None:
    known = {letter: value for letter in left.letters if (value := values.get(letter, knowledge.value(letter))) is not None}
    side = ClaimSide(left.formula.substitute({letter: written(value) for letter, value in known.items()}), left.literals)
    try:
        found = judge_numbers(side, side_of(right), "=")
    except FormulaError:
        return None  # Too large, or divided by zero.
    return found if found.verdict is Verdict.HOLDS and found.code in _HOLDS else None

"""Means in tables: a column or a row whose head says that it is the mean of the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from symparam.core.formula import Number, Quotient, Sum
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.relative_changes import ChangeClaim
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.digits import shown_digits
from symparam.documents.checking.tables.table_checker import CheckedTable
from symparam.documents.reading.expression import Expression
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.errors import FormulaError

_FEWEST, _MOST = 2, 40  # Numbers of which a mean is taken.
_HELD = 3  # Means that hold, beside which another one is wrong; and how many times as many as those that do not.
_DIGITS = 5  # Digits of all means of a column that hold; fewer agree by chance.
_HOLDS = ("exact", "rounded", "truncated", "unit")

Numbers = Sequence[Mapping[int, Expression]]


def mean_claims(table: CheckedTable) -> Iterator[ChangeClaim]:
    """The claims of the columns and rows of a table that are the mean of the others."""
    rows, text, labels = table.numbers, table.text, [row.cells[0].text for row in table.body]
    columns = [column for column, each in enumerate(table.head) if column and words("mean").in_text(each)]
    for column in columns:
        own = [row for row, label in zip(rows, labels, strict=True) if column in row and not _is_summary(label)]
        yield from _likeliest([[(row, column, parts) for row in own] for parts in _runs(column, columns, rows)], text)
    for at, label in enumerate(labels):
        if words("mean").in_text(label) and rows[at]:
            first = max((each + 1 for each in range(at) if _is_summary(labels[each])), default=0)
            above = {place: rows[place] for place in range(first, at)}
            found = [({**_in_column(above, column), at: own}, at, tuple(above)) for column, own in rows[at].items()]
            yield from _likeliest([found], text)


def _is_summary(label: str) -> bool:
    return words("mean").in_text(label) or words("total").in_text(label)


def _in_column(above: Mapping[int, Mapping[int, Expression]], column: int) -> dict[int, Expression]:
    return {place: row[column] for place, row in above.items() if column in row}


def _runs(column: int, means: Sequence[int], rows: Numbers) -> Iterator[tuple[int, ...]]:
    """The columns of which one may be the mean: some before it, from any on, or all behind it."""
    last = max((each for row in rows for each in row), default=0)
    before = [each for each in range(1, column) if each not in means]
    yield from (tuple(before[start:]) for start in range(len(before) - 1))
    behind = [each for each in range(column + 1, last + 1) if each not in means]
    if len(behind) >= _FEWEST:
        yield tuple(behind)


def _likeliest(choices: Sequence[Sequence[tuple[Mapping[int, Expression], int, tuple[int, ...]]]], text: str) -> Iterator[ChangeClaim]:
    """The claims of the choice of parts of which the most hold, if these are no chance; others are wrong if nearly all hold."""
    tried = [[_claim(numbers, at, parts, text) for numbers, at, parts in choice] for choice in choices]
    claims = max(tried, key=lambda each: sum(claim is not None and claim.holds for claim in each), default=[])
    held = [claim for claim in claims if claim is not None and claim.holds]
    if sum(shown_digits(each.right) - 1 for each in held) < _DIGITS:
        return
    failed = [claim for claim in claims if claim is not None and claim.judgement.verdict is Verdict.WRONG]
    for claim in (*held, *(failed if len(held) >= _HELD * max(len(failed), 1) else ())):
        if applies("mean", claim.right.start):
            yield replace(claim, judgement=replace(claim.judgement, rules=(*claim.judgement.rules, "mean")))


def _claim(numbers: Mapping[int, Expression], at: int, parts: Sequence[int], text: str) -> ChangeClaim | None:
    """One mean; it is of all parts, or holds of those that are there."""
    found = [numbers[each] for each in parts if each in numbers]
    if not _FEWEST <= len(found) <= _MOST:
        return None
    sides = [side_of(each) for each in found]
    formula = Quotient(Sum(tuple(each.formula for each in sides)), Number(len(sides)))
    literals = {letter: literal for each in sides for letter, literal in each.literals.items()}
    try:
        judgement = judge_numbers(ClaimSide(formula, literals), side_of(numbers[at]), "=")
    except FormulaError:
        return None  # Too large.
    is_whole = len(found) == len(parts)
    if not is_whole and judgement.verdict is not Verdict.HOLDS:
        return None
    left = f"({' + '.join(text[each.start : each.end] for each in found)}) / {len(found)}"
    return ChangeClaim(left, numbers[at], judgement)

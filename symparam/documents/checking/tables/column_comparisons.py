"""Finds columns of a table that compare another column with one of its rows: how many times, or by what share, each is more or less.

That may be the first or the last row, or the one row that is once as much or 0 % off: ``| 1.5× |``, ``| −22 % |``, ``| 75 % saved |``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Quotient
from symparam.documents.checking.entries.labelled_quantities import is_percent
from symparam.documents.checking.tables.column_relations import (
    NO_NUMBER,
    ColumnRelation,
    Numbers,
    RoughNumber,
    roughly,
)
from symparam.documents.reading.expression import Expression


def comparisons(
    column: int, others: Sequence[int], rows: Sequence[Numbers], rough: Sequence[Mapping[int, RoughNumber]]
) -> Iterator[ColumnRelation]:
    """What a column is if it compares another with one of its rows; also by how much that is more or less, if it is one of percentages."""
    in_shares = 2 * sum(is_percent(row[column]) for row in rows if column in row) > len(rows)
    stated = [own.get(column, NO_NUMBER).value for own in rough]
    for other in others:
        for row in {id(row): row for row in (rows[0], rows[-1]) if other in row}.values():
            yield from _ratios(other, row[other])
        if in_shares and other in rows[0]:
            yield from _changes(other, rows[0][other])
        # The others are compared with the row that is once as much, or 0 % more, if it is not one by rounding.
        for size, relations in ((1, _ratios), (0, _changes))[: 2 if in_shares else 1]:
            compared = {
                own[other].value: row[other] for row, own, value in zip(rows, rough, stated, strict=True) if value == size and other in row
            }
            if len(compared) == 1:
                yield from (replace(each, has_exceptions=True) for own in compared.values() for each in relations(other, own))


def _ratios(column: int, own: Expression) -> Iterator[ColumnRelation]:
    """How many times as large the numbers of a column are as one of them, or that is as one of them."""
    value = roughly(own).value
    if value == 1:
        return  # What is divided by one is the same number in two columns.
    make = partial(ColumnRelation, (column,), own=own, compares=True)
    yield make("{} / {own}", lambda parts: Quotient(parts[0], own.formula), lambda parts: parts[0] / value)
    yield make("{own} / {}", lambda parts: Quotient(own.formula, parts[0]), lambda parts: value / parts[0])


def _changes(column: int, own: Expression) -> Iterator[ColumnRelation]:
    """By what share the numbers of a column are larger or smaller than one of them."""
    value = roughly(own).value
    make = partial(ColumnRelation, (column,), own=own, compares=True)
    yield make("{} / {own} − 1", lambda parts: relative_increase(parts[0], own.formula), lambda parts: parts[0] / value - 1)
    yield make("1 − {} / {own}", lambda parts: relative_decrease(parts[0], own.formula), lambda parts: 1 - parts[0] / value)

"""Finds columns of a table that compare another column with one of its rows: how many times, or by what share, each is more or less.

That may be the first or the last row, or the one row that is once as much or 0 % off: ``| 1.5× |``, ``| −22 % |``, ``| 75 % saved |``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum, Symbol
from symparam.documents.checking.sides.unit_readings import side_of
from symparam.documents.checking.tables.column_relations import (
    FORMATS,
    NO_NUMBER,
    ColumnRelation,
    Constant,
    Numbers,
    RoughNumber,
    is_share,
    literal_of,
    roughly,
)
from symparam.documents.checking.tables.column_sizes import units_in_head
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal

_FEWEST_PARTS = 3  # Of a sum of which shares are stated.


def comparisons(
    column: int,
    others: Sequence[int],
    rows: Sequence[Numbers],
    rough: Sequence[Mapping[int, RoughNumber]],
    constants: Sequence[Constant],
    heads: Sequence[str],
    is_factor: bool,
) -> Iterator[ColumnRelation]:
    """What a column is if it compares another with one of its rows, or with a number stated before the table; also by how much that is more
    or less, if it is one of percentages.
    """
    in_shares = in_percent(column, rows)
    stated = [own.get(column, NO_NUMBER).value for own in rough]
    for other in others:
        for row in {id(row): row for row in (rows[0], rows[-1]) if other in row}.values():
            yield from _ratios(other, row[other])
            yield from _differences(other, row[other]) if not is_factor and _is_of_one_kind(row, column, other) else ()
        if in_shares and other in rows[0]:
            yield from _changes(other, rows[0][other])
        # The others are compared with the row that is once as much, or 0 % more, if it is not one by rounding.
        for size, relations in ((1, _ratios), (0, _differences), (0, _changes))[: 3 if in_shares else 2]:
            compared = {
                own[other].value: row[other] for row, own, value in zip(rows, rough, stated, strict=True) if value == size and other in row
            }
            if len(compared) == 1:
                yield from (replace(each, has_exceptions=True) for own in compared.values() for each in relations(other, own))
        if in_shares and in_percent(other, rows):
            yield _REST(columns=(other,))
        elif in_shares:
            yield from _shares_of_sum(other, rows)
        for nearer, own in enumerate(_stated_alike(constants, other, rows, heads) if in_shares else (), 1):
            yield from (replace(each, cost=nearer) for each in _changes(other, own))
    if FORMATS in rows[0] and column in rows[0]:
        yield _by_format(rows[0][column], rows[0][FORMATS])


def _is_of_one_kind(row: Numbers, column: int, other: int) -> bool:
    """Whether the numbers of two columns count the same in a row, if it has both."""
    return column not in row or side_of(row[column]).counted == side_of(row[other]).counted


def _by_format(own: Expression, first: Expression) -> ColumnRelation:
    """The number of the first row, times the bits of the format in a row's label and by those in its own: ``FP32``, ``INT8``."""
    value, bits = roughly(own).value, roughly(first).value
    return ColumnRelation(
        (FORMATS,),
        f"{{own}} × {{}} / {int(bits)}",
        lambda parts: Quotient(Product((own.formula, parts[0])), first.formula),
        lambda parts: value * parts[0] / bits,
        own=own,
        has_exceptions=True,
    )


def in_percent(column: int, rows: Sequence[Numbers]) -> bool:
    """Whether most numbers of a column are percentages."""
    shares = [is_share(row[column]) for row in rows if column in row]
    return 2 * sum(shares) > len(shares)


def _stated_alike(constants: Sequence[Constant], column: int, rows: Sequence[Numbers], heads: Sequence[str]) -> Iterator[Expression]:
    """The numbers stated before the table that are in the unit of a column, without it if only the head names it: ``Size (MB)``."""
    units = {literal.unit.written if (literal := row[column].literal) and literal.unit else "" for row in rows if column in row}
    named = units_in_head(heads[column]) if column < len(heads) and units == {""} else []
    for number in (each.number for each in constants if each.number is not None):
        literal = number.literal
        unit = literal.unit.written if literal is not None and literal.unit is not None else ""
        if literal is not None and [unit] == [each.written for each in named]:
            yield number._replace(literals={letter: replace(each, unit=None) for letter, each in number.literals.items()})
        elif {unit} == units and not named:
            yield number


def _rest(parts: Sequence[Formula]) -> Formula:
    return Sum((Number(1), Negative(parts[0])))


_REST = partial(ColumnRelation, template="100% − {}", formula=_rest, approximate=lambda parts: 1 - parts[0], compares=True)


def _shares_of_sum(column: int, rows: Sequence[Numbers]) -> Iterator[ColumnRelation]:
    """What share of their sum each number of a column is, if all are in one unit."""
    literals = [literal_of(row[column]) or row[column].exact for row in rows if column in row]
    units = {each.unit if isinstance(each, Literal) else None for each in literals}
    values = [each.value if isinstance(each, Literal) else each for each in literals]
    total = sum((Fraction(each) for each in values if each is not None), Fraction(0))
    if len(units) == 1 and len(values) >= _FEWEST_PARTS and None not in values and total > 0:
        unit, letter = units.pop(), f"{PLACEHOLDER}sum"
        size = total * (unit.senses[0] if unit else 1)
        yield ColumnRelation(
            (column,), f"{{}} / {float(total):,.12g}{f' {unit.written}' if unit else ''}",
            lambda parts: Quotient(parts[0], Symbol(letter)), lambda parts: parts[0] / float(size),
            outside={letter: Literal(total, Fraction(0), unit, len(str(total)))}, compares=True,
        )  # fmt: skip


def _ratios(column: int, own: Expression) -> Iterator[ColumnRelation]:
    """How many times as large the numbers of a column are as one of them, or that is as one of them."""
    value = roughly(own).value
    if value == 1:
        return  # What is divided by one is the same number in two columns.
    make = partial(ColumnRelation, (column,), own=own, compares=True)
    yield make("{} / {own}", lambda parts: Quotient(parts[0], own.formula), lambda parts: parts[0] / value)
    yield make("{own} / {}", lambda parts: Quotient(own.formula, parts[0]), lambda parts: value / parts[0])


def _differences(column: int, own: Expression) -> Iterator[ColumnRelation]:
    """By how much the numbers of a column are larger or smaller than one of them."""
    value = roughly(own).value
    if not value:
        return  # Less nothing they are the same numbers.
    make = partial(ColumnRelation, (column,), own=own, adds=True, compares=True)
    yield make("{} − {own}", lambda parts: Sum((parts[0], Negative(own.formula))), lambda parts: parts[0] - value)
    yield make("{own} − {}", lambda parts: Sum((own.formula, Negative(parts[0]))), lambda parts: value - parts[0])


def _changes(column: int, own: Expression) -> Iterator[ColumnRelation]:
    """By what share the numbers of a column are larger or smaller than one of them."""
    value = roughly(own).value
    make = partial(ColumnRelation, (column,), own=own, compares=True)
    yield make("{} / {own} − 1", lambda parts: relative_increase(parts[0], own.formula), lambda parts: parts[0] / value - 1)
    yield make("1 − {} / {own}", lambda parts: relative_decrease(parts[0], own.formula), lambda parts: 1 - parts[0] / value)

"""Finds columns of a table that are computed from others: sums, differences, quotients and changes of two, products of several with or
without a further term, and what is proportional to one or two of them: by a simple factor, by the sizes in their heads, by a number that
the page states before the table, or by the first or the last row, or the sum, of a column.

Tables do not state such relations. One is accepted if too many rows agree in too many digits for chance, given the number of relations that
were tried; if the heads of the columns say how they are related, fewer digits are enough. A row that does not agree is wrong only if the
head of the column calls it a total, if a slip of the pen is what separates it from what several rows agree on, or if it is the only one of
a column that adds up or compares others and nothing else in its row explains it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from itertools import chain, permutations
from types import MappingProxyType

from symparam.core.formula import Number, Quotient, Symbol
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import MARKED, SET_APART, UNNAMED
from symparam.documents.checking.sides.intervals import agree_if_rounded
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.column_comparisons import comparisons, in_percent
from symparam.documents.checking.tables.column_offsets import offsets
from symparam.documents.checking.tables.column_relations import (
    FORMATS,
    ColumnRelation,
    Constant,
    Numbers,
    RoughNumber,
    by_heads,
    of_several,
    proportional,
    roughly,
)
from symparam.documents.checking.tables.computed_column import (
    FEWEST_AGREEING,
    ROUNDED,
    ComputedColumn,
    RelatedRow,
    gives,
    likely,
    measured_by,
)
from symparam.documents.checking.tables.digits import plain_digits, shown_digits
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.reading.unit_senses import UNITS
from symparam.documents.words import says_comparison
from symparam.errors import FormulaError

_MOST_COLUMNS = 8  # Columns with numbers that are compared.
_MOST_ROWS = 200
_FEWEST_ROWS = 2
_SHOWN = 3  # Digits of a number that are no rounding, whatever zeros it ends in.
_WORD = re.compile(r"[^\W\d_]+|%")
_OF_UNITS = "units-in-heads"  # What grows with a length or a number may stop growing.


def computed_columns(
    rows: Sequence[Numbers], heads: Sequence[str] = (), constants: Sequence[Constant] = (), factors: Set[int] = frozenset(),
    compared: Mapping[int, tuple[int, ...]] = MappingProxyType({}), paid: Set[int] = frozenset(),
) -> Iterator[ComputedColumn]:  # fmt: skip
    """The columns that are computed from others, the last ones first, as totals come after their parts; ``heads`` are their headings,
    ``constants`` are numbers that the page states before the table, and ``factors`` the columns of factors, ``| 2.3× |``, ``paid``
    those of money. Those ``compared`` are known to compare others.
    """
    rows = rows[:_MOST_ROWS]
    filled = Counter(column for row in rows for column in row if column != FORMATS)
    columns = sorted(column for column, count in filled.items() if 2 * count >= len(rows))  # Others are numbers in names.
    if len(columns) < 2 or len(filled) > _MOST_COLUMNS or len(rows) < _FEWEST_ROWS:
        return
    explained: dict[int, tuple[int, ...]] = {}
    measures = frozenset(column for column in columns if _is_measure(column, heads, rows))
    rough = [{column: roughly(number) for column, number in row.items()} for row in rows]
    for kind, column in ((kind, column) for kind in range(3) for column in reversed(columns)):
        if kind == 2:  # A product with a stated factor says more than that it is one, and one with a fitted factor less.
            explained = {**{each: pair for each, pair in compared.items() if not any(each in by for by in explained.values())}, **explained}
        if column in explained:
            continue
        in_shares = in_percent(column, rows)
        others = [each for each in columns if each != column and column not in explained.get(each, ())]
        if kind < 2:
            alike = [each for each in others if each < column and _are_alike(rows, each, column)]
        relations = (
            by_heads(column, others, heads, alike) if not kind else of_several(column, others, alike, in_shares) if kind == 1 else None
        )
        if relations is None:
            further = (find(column, others, rows, rough, constants) for find in (proportional, offsets))
            relations = chain(comparisons(column, others, rows, rough, constants, heads, column in factors), *further)
        # The simplest ones first: of one column, by a simple factor.
        tried = sorted(relations, key=lambda each: (len(each.columns), each.cost)) if kind == 2 else list(relations)
        is_told = column in factors or (column < len(heads) and says_comparison(heads[column]))
        compares = is_told or in_shares
        measured = measures if kind == 2 and column in measures else None
        bills = {id(each) for each in tried if kind == 1 and _is_bill(each, column, paid)}
        announced = [each for each in tried if not kind or id(each) in bills or _is_announced(each, compares, measured)]
        fewest = 1 if kind == 1 else sum(each.is_announced for each in announced) or len(announced) or len(tried)
        shown = likely([(plain_digits(row[column])[0], shown_digits(row[column])) for row in rows if column in row], fewest)
        limits = {id(each): SET_APART if is_told and each.is_announced else MARKED for each in announced}
        if not tried or shown >= max(limits.values(), default=UNNAMED):
            continue  # Numbers with so few digits would agree with something by chance.
        accepted: list[ComputedColumn] = []
        for relating in tried:
            enough = limits.get(id(relating), UNNAMED)
            if shown >= enough or _is_far(relating, column, rough):
                continue
            is_said = relating.rule == _OF_UNITS or id(relating) in bills or (is_told and relating.compares and relating.own is None)
            found = _related(rows, column, relating, is_said)
            if found is not None and len(found.agreeing_rows) < len(found.rows):
                enough = min(enough, MARKED)
            if found is not None and found.chance(_tried(found, tried, announced, kind == 1)) < enough:
                accepted.append(found)
                if not relating.rule or len(found.agreeing_rows) == len(found.rows):
                    break
        if accepted:  # Of those that heads name, the one that most rows agree with: a mistake is in the column that agrees with none.
            best = max(accepted, key=lambda each: len(each.agreeing_rows))
            explained[column] = best.relation.columns
            yield best


def _is_announced(relating: ColumnRelation, compares: bool, measures: Set[int] | None) -> bool:
    """Whether a row, the numbers or the head of a column say that it is such a relation: that it ``compares`` others, or one with a fixed
    number, or that it measures what no column of ``measures`` does.
    """
    is_ratio = relating.compares or (len(relating.columns) == 1 and not relating.adds)
    return relating.is_announced or (compares and is_ratio) or (measures is not None and measures.isdisjoint(relating.columns))


def _is_bill(relating: ColumnRelation, column: int, paid: Set[int]) -> bool:
    """Whether it gives money as the product of two columns, one of which is a price."""
    is_product = len(relating.columns) == 2 and not (relating.adds or relating.compares)
    return is_product and column in paid and sum(each in paid for each in relating.columns) == 1


def _tried(found: ComputedColumn, tried: Sequence[ColumnRelation], announced: Sequence[ColumnRelation], are_ranked: bool) -> int:
    """How many relations are as likely as the one found: those that are announced if it is one, and only those that compare with a row that
    says so if all of them are compared with it. If they ``are_ranked``, the first ones are the most likely.
    """
    if found.relation.is_announced and len(found.agreeing_rows) == len(found.rows):
        return sum(each.is_announced for each in tried)
    alike = announced if any(each is found.relation for each in announced) else tried
    rank = next(at for at, each in enumerate(alike, 1) if each is found.relation)
    return min(rank * (rank + 1), len(alike)) if are_ranked else len(alike)


def is_ratio_of_others(stated: Expression, numbers: Sequence[tuple[int, Expression]]) -> bool:
    """Whether a number of a row is the ratio of two others of it, so that it is no result of the calculation in a further cell."""
    others = [side_of(each) for _, each in numbers if each is not stated and each.exact != 0]
    return any(gives(Quotient, pair, stated) for pair in permutations(others, 2))


def _are_alike(rows: Sequence[Numbers], one: int, other: int) -> bool:
    """Whether the numbers of two columns count the same thing in most rows, in a unit or without one."""
    both = [(row, row[one].literal is None, row[other].literal is None) for row in rows if one in row and other in row]
    alike = sum(first == second and _is_of_one_kind(row, (one, other)) for row, first, second in both)
    return bool(both) and 2 * alike > len(both)


def _is_far(relating: ColumnRelation, column: int, rows: Sequence[Mapping[int, RoughNumber]]) -> bool:
    """Whether too many rows are far off for the relation, which mostly shows in the first ones."""
    far, telling = 0, len(rows)
    for row in rows:
        if relating.is_of_zero(row, column):
            telling -= 1
        far += relating.is_far(row, column)
        if far * FEWEST_AGREEING > telling - far:
            return True
    return False


def _is_measure(column: int, heads: Sequence[str], rows: Sequence[Numbers]) -> bool:
    """Whether the head or the numbers of a column have a unit, so that the column measures what others count."""
    named = column < len(heads) and any(word == "%" or UNITS[word].counted for word in _WORD.findall(heads[column]) if word in UNITS)
    literals = [row[column].literal for row in rows if column in row]
    return named or all(each is not None and each.unit is not None for each in literals)


def _related(rows: Sequence[Numbers], column: int, relating: ColumnRelation, is_told: bool) -> ComputedColumn | None:
    """The relation, of which heads may have ``told``, checked in each row; None as soon as too many rows disagree."""
    found: list[RelatedRow] = []
    missed, telling = 0, len(rows)
    for row in rows:
        is_compared = column in row and row[column].is_number and row[column] is not relating.own
        left = relating.left(row) if is_compared else None
        if left is None or (relating.adds and not _is_of_one_kind(row, (column, *relating.columns))):
            continue
        if not relating.adds and not all(roughly(row[each]).value for each in (column, *relating.columns_in(row)[:-1])):
            telling -= 1
            continue  # Every multiple of zero is zero.
        judgement = _judged(left, side_of(row[column]))
        missed += judgement is None or judgement.verdict is not Verdict.HOLDS
        if missed * FEWEST_AGREEING > max(telling - missed, 0):
            return None
        if judgement is not None:
            found.append(RelatedRow(row, replace(judgement, rules=(*judgement.rules, relating.rule)) if relating.rule else judgement))
    agrees = missed * FEWEST_AGREEING <= sum(row.judgement.verdict is Verdict.HOLDS for row in found)
    return ComputedColumn(column, relating, tuple(found), is_told) if len(found) >= _FEWEST_ROWS and agrees else None


def _is_of_one_kind(row: Numbers, columns: Sequence[int]) -> bool:
    """Whether the numbers count the same thing, so that they can be added: all units are of one kind, or none has a dimension. A difference
    of percentages is not one of bare numbers: ``| 39.4% | 73.2% | +33.8 |``.
    """
    return len({measured_by(row[column]) for column in columns if row[column].exact != 0}) == 1


def _judged(left: ClaimSide, right: ClaimSide) -> Judgement | None:
    try:
        found = judge_numbers(left, right, "=")
        if found.verdict is Verdict.WRONG and (agree_if_rounded(left, right, "=") or agree_if_rounded(*_in_decimals(left, right), "=")):
            return replace(found, verdict=Verdict.UNDECIDED, code=ROUNDED)  # 0.372 / 0.367 - 1 = 1.31 %
        return found
    except FormulaError:
        return None  # Too large, or divided by zero.


def _in_decimals(left: ClaimSide, right: ClaimSide) -> tuple[ClaimSide, ClaimSide]:
    """Both sides with the number on the right in decimals, as precise as its digits: 202 of 3350 / 16.5, and three digits of 4,260."""
    value = right.formula.value if isinstance(right.formula, Number) else None
    if not isinstance(value, int) or value <= 0:
        return left, right
    shown = str(value)
    zeros = max(min(len(shown) - len(shown.rstrip("0")), len(shown) - _SHOWN), 0)
    scale = 10 ** len(shown)
    literal = Literal(Fraction(value, scale), Fraction(10**zeros, scale), None, len(shown) - zeros)
    return replace(left, formula=Quotient(left.formula, Number(scale))), ClaimSide(Symbol("w"), {"w": literal})

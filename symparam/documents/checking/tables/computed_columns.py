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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from fractions import Fraction
from itertools import chain, permutations
from types import MappingProxyType

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Number, Quotient, Sum, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import message
from symparam.documents.checking.claims.intended_equality import not_meant
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import MARKED, SET_APART, UNNAMED
from symparam.documents.checking.sides.holding import holding
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
    is_share,
    of_several,
    proportional,
    roughly,
)
from symparam.documents.checking.tables.digits import odd_digits, plain_digits, shown_digits
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.reading.unit_senses import UNITS
from symparam.documents.words import says_comparison
from symparam.errors import FormulaError

_MOST_COLUMNS = 8  # Columns with numbers that are compared.
_MOST_ROWS = 200
_FEWEST_ROWS = 2
_MOST_UNSHOWN = 1 / 40  # The share by which a row may be off because of digits that are not shown.
_ROUNDED = "unclear-rounding"
_HOLDS = ("exact", "rounded", "truncated", "unit")
FEWEST_AGREEING = 2  # Agreeing rows required for each row that does not agree.
_FEWEST_FOR_WRONG = 3  # The same if that row is to be wrong.
_SHOWN = 3  # Digits of a number that are no rounding, whatever zeros it ends in.
_CERTAIN = Fraction(1, 10**6)  # The largest chance with which a row that is off by a slip of the pen is wrong.
_NEAR = 10  # A number is near another if they differ by less than this part of it.
_ABOUT = 1 / 20  # The share by which a number may be off that is called one of about so much.
_ALL_DIGITS = 100  # More than a number shows.
_WORD = re.compile(r"[^\W\d_]+|%")


@frozen
class RelatedRow:
    """A row with the verdict on a relation in it."""

    numbers: Numbers
    judgement: Judgement

    def is_exact(self, related: ComputedColumn) -> bool:
        """Whether all numbers are integers without units, so that rounding cannot explain a difference."""
        return all(self.numbers[column].exact is not None for column in (related.column, *related.relation.columns_in(self.numbers)))

    def rounded(self, column: int) -> RelatedRow:
        """The row, if it agrees as far as the digits of its operands tell."""
        literal, value = self.numbers[column].literal, self.judgement.left or Fraction(0)
        shown = value / literal.unit.senses[0] if literal is not None and literal.unit is not None else value
        reason = message("within-digits-not-shown", value=shown)
        return replace(self, judgement=replace(self.judgement, verdict=Verdict.HOLDS, code="rounded", reason=reason))

    @property
    def is_close(self) -> bool:
        """Whether it fails by no more than what "about" may mean."""
        return self.judgement.verdict is not Verdict.HOLDS and _gap(self) <= _ABOUT

    def undecided(self) -> RelatedRow:
        """The row, if it may be an exception from what the others say."""
        return replace(self, judgement=not_meant(self.judgement))


@frozen
class ComputedColumn:
    """A column with its relation, the rows that agree, and the rows that do not."""

    column: int
    relation: ColumnRelation
    rows: tuple[RelatedRow, ...]

    @cached_property
    def agreeing_rows(self) -> tuple[RelatedRow, ...]:
        """The rows in which it holds."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.HOLDS and row.judgement.code in _HOLDS)

    @property
    def rounded_rows(self) -> tuple[RelatedRow, ...]:
        """The rows in which it holds if operands with few digits are rounded, where the others show that it does: 28.8 × 6 = 172.5."""
        unclear = [row for row in self.rows if row.judgement.code == _ROUNDED and _gap(row) <= _MOST_UNSHOWN]
        return tuple(row.rounded(self.column) for row in unclear) if unclear and self.is_certain else ()

    @cached_property
    def wrong_rows(self) -> tuple[RelatedRow, ...]:
        """The rows that are proven to be wrong; not those with a number in a column that is empty in every row that agrees."""
        return self.wrong_rows_beside(_FEWEST_FOR_WRONG)

    def wrong_rows_beside(self, fewest: int) -> tuple[RelatedRow, ...]:
        """The same, with another number of rows that agree for each one that does not."""
        if len(self.agreeing_rows) < fewest * (len(self.rows) - len(self.agreeing_rows)):
            return ()
        filled = {column for row in self.agreeing_rows for column in row.numbers}
        measured = {
            _measured(row.numbers[self.column]) for row in self.agreeing_rows
        }  # Among changes of 20 % a factor of 1.2 is no change.
        wrong = (row for row in self.rows if row.judgement.verdict is Verdict.WRONG and row.numbers.keys() <= filled)
        return tuple(row for row in wrong if _measured(row.numbers[self.column]) in measured)

    @property
    def is_certain(self) -> bool:
        """Whether the rows that agree could not do so by chance."""
        return self.chance(1) < _CERTAIN

    @cached_property
    def exceptions(self) -> tuple[RelatedRow, ...]:
        """The wrong rows whose number is off from what the columns before it give by more than rounding explains, and by more than it
        leaves open in several of the rows that agree.
        """
        if max(self.relation.columns) > self.column or self.relation.has_exceptions or not self.is_certain:
            return ()
        offs = sorted(map(self._off, self.agreeing_rows))[_FEWEST_FOR_WRONG - 1 : _FEWEST_FOR_WRONG]
        return tuple(row for row in self.wrong_rows if any(2 * max(off, self._off(row)) <= _gap(row) for off in offs))

    @property
    def mistakes(self) -> tuple[RelatedRow, ...]:
        """The exceptions that are mistakes: those a slip of the pen away, else the only one of a column that adds up or compares others, if
        nothing else in its row gives its number.
        """
        slips = tuple(row for row in self.exceptions if row.judgement.is_slip)
        is_plain = self.relation.own is None and (self.relation.adds or self.relation.compares)
        if slips or not is_plain or len(self.wrong_rows) > 1:
            return slips
        return tuple(row for row in self.exceptions if not _is_of_others(row.numbers, self.column))

    def _off(self, row: RelatedRow) -> float:
        """The share by which the numbers of a row are rounded."""
        if row.is_exact(self):
            return 0.0
        columns = (self.column, *self.relation.columns_in(row.numbers))
        rough = [
            roughly(each) for each in (*(row.numbers[column] for column in columns), *((self.relation.own,) if self.relation.own else ()))
        ]
        return sum(each.off for each in rough if each.last_digit or each.has_unit)

    def chance(self, tries: int) -> Fraction:
        """The probability that any of the tried relations agrees by chance in this many rows, in the digits that each number shows."""
        numbers = [row.numbers[self.column] for row in self.agreeing_rows]
        if not self.relation.is_fitted:
            return _likely(map(self._telling_digits, self.agreeing_rows), tries * self.relation.cost)
        # A fitted factor explains what all numbers have in common: of 2.58, 2.45 and 2.47 two digits are left.
        shown = [odd_digits(each) for each in numbers]
        apart = (min(self._digits_apart, self._telling_digits(row)[1]) for row in self.agreeing_rows)
        return _likely([(each, min(digits, most)) for (each, digits), most in zip(shown, apart, strict=True)], tries * self.relation.cost)

    def _telling_digits(self, row: RelatedRow) -> tuple[str, int]:
        """The number of a row, with in how many digits it could differ: with the zeros at its end if its operands have as many digits, as
        849.61 MB of 944.01 MB need not be 10.0 % less; but near an operand that it grows with, or as a share near the whole, only those in
        which it differs from that.
        """
        stated, columns = row.numbers[self.column], self.relation.columns_in(row.numbers)
        written, digits = plain_digits(stated)
        digits = max(digits, min(shown_digits(stated), sum(plain_digits(row.numbers[each])[1] for each in columns)))
        if self.relation.adds or self.relation.is_announced:
            return written, digits
        rough, parts = roughly(stated), [roughly(row.numbers[each]).value for each in columns]
        is_part = self.relation.compares and is_share(stated)
        apart = abs(rough.value - 1) if is_part else self.relation.nearest(parts, rough.value)
        step = 2 * rough.off * abs(rough.value)
        is_near = step and apart * _NEAR < abs(rough.value)
        return written, min(digits, len(str(int(apart / step)))) if is_near else digits

    @cached_property
    def _digits_apart(self) -> int:
        """In how many digits the numbers of the column differ."""
        rough = [roughly(row.numbers[self.column]) for row in self.rows]
        values = [each.value for each in rough]
        step = max((2 * each.off * abs(each.value) for each in rough), default=0.0)
        return len(str(int((max(values) - min(values)) / step))) if step else _ALL_DIGITS


def computed_columns(
    rows: Sequence[Numbers], heads: Sequence[str] = (), constants: Sequence[Constant] = (), factors: Set[int] = frozenset(),
    compared: Mapping[int, tuple[int, ...]] = MappingProxyType({}),
) -> Iterator[ComputedColumn]:  # fmt: skip
    """The columns that are computed from others, the last ones first, as totals come after their parts; ``heads`` are their headings,
    ``constants`` are numbers that the page states before the table, and ``factors`` the columns of factors, ``| 2.3× |``. Those
    ``compared`` are known to compare others.
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
        announced = [each for each in tried if not kind or _is_announced(each, compares, measured)]
        fewest = 1 if kind == 1 else sum(each.is_announced for each in announced) or len(announced) or len(tried)
        shown = _likely([(plain_digits(row[column])[0], shown_digits(row[column])) for row in rows if column in row], fewest)
        limits = {id(each): SET_APART if is_told and each.is_announced else MARKED for each in announced}
        if not tried or shown >= max(limits.values(), default=UNNAMED):
            continue  # Numbers with so few digits would agree with something by chance.
        for relating in tried:
            enough = limits.get(id(relating), UNNAMED)
            if shown >= enough or _is_far(relating, column, rough):
                continue
            found = _related(rows, column, relating)
            if found is not None and len(found.agreeing_rows) < len(found.rows):
                enough = min(enough, MARKED)
            if found is not None and found.chance(_tried(found, tried, announced, kind == 1)) < enough:
                explained[column] = relating.columns
                yield found
                break


def _is_announced(relating: ColumnRelation, compares: bool, measures: Set[int] | None) -> bool:
    """Whether a row, the numbers or the head of a column say that it is such a relation: that it ``compares`` others, or one with a fixed
    number, or that it measures what no column of ``measures`` does.
    """
    is_ratio = relating.compares or (len(relating.columns) == 1 and not relating.adds)
    return relating.is_announced or (compares and is_ratio) or (measures is not None and measures.isdisjoint(relating.columns))


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
    return any(_gives(Quotient, pair, stated) for pair in permutations(others, 2))


def _is_of_others(row: Numbers, column: int) -> bool:
    """Whether a number of a row is another one of it, or the sum, the difference, the ratio or the change of two."""
    stated = row[column]
    others = [side_of(each) for place, each in row.items() if place != column and each.exact != 0]
    if any(holding(each, side_of(stated), "=") for each in others):
        return True
    return any(
        _gives(form, pair, stated)
        for pair in permutations(others, 2)
        for form in (_total, _rest, Quotient, relative_increase, relative_decrease)
    )


def _gives(form: Callable[[Formula, Formula], Formula], pair: tuple[ClaimSide, ClaimSide], stated: Expression) -> bool:
    one, two = pair
    return holding(ClaimSide(form(one.formula, two.formula), {**one.literals, **two.literals}), side_of(stated), "=") is not None


def _total(one: Formula, two: Formula) -> Formula:
    return Sum((one, two))


def _rest(one: Formula, two: Formula) -> Formula:
    return Sum((one, Negative(two)))


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


def _likely(agreeing: Iterable[tuple[str, int]], tries: int) -> Fraction:
    """The probability that as many relations agree with these numbers by chance, each of which is counted once, with its digits."""
    return Fraction(tries, 10 ** sum(dict(agreeing).values()))


def _related(rows: Sequence[Numbers], column: int, relating: ColumnRelation) -> ComputedColumn | None:
    """The relation checked in each row; None as soon as too many rows disagree."""
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
    return ComputedColumn(column, relating, tuple(found)) if len(found) >= _FEWEST_ROWS and agrees else None


def _is_of_one_kind(row: Numbers, columns: Sequence[int]) -> bool:
    """Whether the numbers count the same thing, so that they can be added: all units are of one kind, or none has a dimension. A difference
    of percentages is not one of bare numbers: ``| 39.4% | 73.2% | +33.8 |``.
    """
    return len({_measured(row[column]) for column in columns if row[column].exact != 0}) == 1


def _judged(left: ClaimSide, right: ClaimSide) -> Judgement | None:
    try:
        found = judge_numbers(left, right, "=")
        if found.verdict is Verdict.WRONG and (agree_if_rounded(left, right, "=") or agree_if_rounded(*_in_decimals(left, right), "=")):
            return replace(found, verdict=Verdict.UNDECIDED, code=_ROUNDED)  # 0.372 / 0.367 - 1 = 1.31 %
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


def _gap(row: RelatedRow) -> float:
    """The share by which a row is off."""
    left, right = row.judgement.left, row.judgement.right
    return float(abs(left / right - 1)) if left and right else 0.0


def _measured(number: Expression) -> str:
    """What the unit of a number counts, or whether it is a percentage."""
    unit = next((each.unit for each in number.literals.values()), None)  # A negative number has one as well.
    return "" if unit is None else unit.counted or unit.written * (unit.written == "%")

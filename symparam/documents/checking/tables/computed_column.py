"""Columns of a table with what they are computed from: the rows that agree, and those of the others that are mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from fractions import Fraction
from itertools import permutations

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Quotient, Sum
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import message
from symparam.documents.checking.claims.intended_equality import not_meant
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.column_relations import ColumnRelation, Numbers, is_share, roughly
from symparam.documents.checking.tables.digits import odd_digits, plain_digits, shown_digits
from symparam.documents.reading.expression import Expression

FEWEST_AGREEING = 2  # Agreeing rows required for each row that does not agree.
ROUNDED = "unclear-rounding"
_MOST_UNSHOWN = 1 / 40  # The share by which a row may be off because of digits that are not shown.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_FEWEST_FOR_WRONG = 3  # The same if that row is to be wrong.
_CERTAIN = Fraction(1, 10**6)  # The largest chance with which a row that is off by a slip of the pen is wrong.
_NEAR = 10  # A number is near another if they differ by less than this part of it.
_OVERHEAD = 0.15  # By as much of what its format says memory that was measured may be more.
_ABOUT = 1 / 20  # The share by which a number may be off that is called one of about so much.
_ALL_DIGITS = 100  # More than a number shows.


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
        return self.judgement.verdict is not Verdict.HOLDS and gap_of(self) <= _ABOUT

    def undecided(self) -> RelatedRow:
        """The row, if it may be an exception from what the others say."""
        return replace(self, judgement=not_meant(self.judgement))


@frozen
class ComputedColumn:
    """A column with its relation, the rows that agree, and the rows that do not; ``is_told`` says that heads tell of the relation."""

    column: int
    relation: ColumnRelation
    rows: tuple[RelatedRow, ...]
    is_told: bool = False

    @cached_property
    def agreeing_rows(self) -> tuple[RelatedRow, ...]:
        """The rows in which it holds."""
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.HOLDS and row.judgement.code in _HOLDS)

    @property
    def rounded_rows(self) -> tuple[RelatedRow, ...]:
        """The rows in which it holds if operands with few digits are rounded, where the others show that it does: 28.8 × 6 = 172.5."""
        unclear = [row for row in self.rows if row.judgement.code == ROUNDED and gap_of(row) <= _MOST_UNSHOWN]
        return tuple(row.rounded(self.column) for row in unclear) if unclear and self.is_certain else ()

    @cached_property
    def wrong_rows(self) -> tuple[RelatedRow, ...]:
        """The rows that are proven to be wrong; not those with a number in a column that is empty in every row that agrees."""
        return self.wrong_rows_beside(self._fewest_for_wrong)

    @cached_property
    def _fewest_for_wrong(self) -> int:
        """How many rows have to agree for each wrong one: fewer beside the only one that does not, of what is no mere regularity."""
        is_only = len(self.rows) - len(self.agreeing_rows) == 1
        return FEWEST_AGREEING if is_only and self._is_law else _FEWEST_FOR_WRONG

    @cached_property
    def _is_law(self) -> bool:
        """Whether the relation is no regularity of some rows but what the column is: the heads say so, it adds up or compares others, or
        it is the share that they are of one number.
        """
        of_one = self.relation.own is None and (self.relation.adds or self.relation.compares or self._is_of_shares)
        return self.is_told or of_one

    @property
    def _is_of_shares(self) -> bool:
        """Whether it gives percentages, of amounts that are none."""
        rows = self.agreeing_rows
        columns = self.relation.columns
        return (
            len(columns) == 1 and bool(rows) and all(is_share(row.numbers[self.column]) > is_share(row.numbers[columns[0]]) for row in rows)
        )

    def wrong_rows_beside(self, fewest: int) -> tuple[RelatedRow, ...]:
        """The same, with another number of rows that agree for each one that does not."""
        if len(self.agreeing_rows) < fewest * (len(self.rows) - len(self.agreeing_rows)):
            return ()
        filled = {column for row in self.agreeing_rows for column in row.numbers}
        measured = {
            measured_by(row.numbers[self.column]) for row in self.agreeing_rows
        }  # Among changes of 20 % a factor of 1.2 is no change.
        wrong = (row for row in self.rows if row.judgement.verdict is Verdict.WRONG and row.numbers.keys() <= filled)
        return tuple(row for row in wrong if measured_by(row.numbers[self.column]) in measured)

    @property
    def is_certain(self) -> bool:
        """Whether the rows that agree could not do so by chance."""
        return self.chance(1) < _CERTAIN

    @cached_property
    def exceptions(self) -> tuple[RelatedRow, ...]:
        """The wrong rows whose number is off from what the columns before it give by more than rounding explains, and by more than it
        leaves open in several of the rows that agree.
        """
        is_behind = max(self.relation.columns) > self.column and not self.relation.rule
        if is_behind or self.relation.has_exceptions or not (self.is_told or self.is_certain):
            return ()
        offs = sorted(map(self._off, self.agreeing_rows))[self._fewest_for_wrong - 1 : self._fewest_for_wrong]
        return tuple(row for row in self.wrong_rows if any(2 * max(off, self._off(row)) <= gap_of(row) for off in offs))

    @property
    def mistakes(self) -> tuple[RelatedRow, ...]:
        """The exceptions that are mistakes: those a slip of the pen away, else the only one of a column of which more is known than that it
        is so in most rows, if it is far off what the heads say or nothing else in its row gives its number.
        """
        slips = tuple(row for row in self.exceptions if row.judgement.is_slip)
        if slips or not self._is_law or len(self.wrong_rows) > 1:
            return slips
        if self.is_told and self.relation.rule:
            return tuple(row for row in self.exceptions if gap_of(row) >= _OVERHEAD)
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
            return likely(map(self._telling_digits, self.agreeing_rows), tries * self.relation.cost)
        # A fitted factor explains what all numbers have in common: of 2.58, 2.45 and 2.47 two digits are left.
        shown = [odd_digits(each) for each in numbers]
        apart = (min(self._digits_apart, self._telling_digits(row)[1]) for row in self.agreeing_rows)
        return likely([(each, min(digits, most)) for (each, digits), most in zip(shown, apart, strict=True)], tries * self.relation.cost)

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


def _is_of_others(row: Numbers, column: int) -> bool:
    """Whether a number of a row is another one of it, or the sum, the difference, the ratio or the change of two."""
    stated = row[column]
    others = [side_of(each) for place, each in row.items() if place != column and each.exact != 0]
    if any(holding(each, side_of(stated), "=") for each in others):
        return True
    return any(
        gives(form, pair, stated)
        for pair in permutations(others, 2)
        for form in (_total, _rest, Quotient, relative_increase, relative_decrease)
    )


def gives(form: Callable[[Formula, Formula], Formula], pair: tuple[ClaimSide, ClaimSide], stated: Expression) -> bool:
    """Whether two numbers combined in a form are a third one."""
    one, two = pair
    return holding(ClaimSide(form(one.formula, two.formula), {**one.literals, **two.literals}), side_of(stated), "=") is not None


def _total(one: Formula, two: Formula) -> Formula:
    return Sum((one, two))


def _rest(one: Formula, two: Formula) -> Formula:
    return Sum((one, Negative(two)))


def likely(agreeing: Iterable[tuple[str, int]], tries: int) -> Fraction:
    """The probability that as many relations agree with these numbers by chance, each of which is counted once, with its digits."""
    return Fraction(tries, 10 ** sum(dict(agreeing).values()))


def gap_of(row: RelatedRow) -> float:
    """The share by which a row is off."""
    left, right = row.judgement.left, row.judgement.right
    return float(abs(left / right - 1)) if left and right else 0.0


def measured_by(number: Expression) -> str:
    """What the unit of a number counts, or whether it is a percentage."""
    unit = next((each.unit for each in number.literals.values()), None)  # A negative number has one as well.
    return "" if unit is None else unit.counted or unit.written * (unit.written == "%")

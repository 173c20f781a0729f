"""Finds columns of a table that are computed from others: the sum, difference, product, quotient or change of two, the sum of all, a
multiple of one, also by the sizes in their heads, or its ratio to the first row.

Tables do not state such relations. One is accepted if too many rows agree in too many digits for chance, given the number of relations that
were tried; if the heads of the columns say how they are related, fewer digits are enough. A row that does not agree is wrong only if the
head of the column calls it a total.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from itertools import permutations

from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum
from symparam.core.frozen import frozen
from symparam.documents.checking.chance import MARKED, UNNAMED
from symparam.documents.checking.column_sizes import ratios_of_heads
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.list_parsing import usual_value
from symparam.documents.checking.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.rules.rule import in_force
from symparam.errors import FormulaError

_MOST_COLUMNS = 8  # Columns with numbers that are compared.
_MOST_ROWS = 200
_FEWEST_ROWS = 2
_FAR, _OFF = 0.12, 0.03  # Rounding puts no row further off than this; the senses of a unit may be further apart.
_LARGEST = 10**200  # A bound within which floats can be multiplied.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_FEWEST_FOR_WRONG = 3  # Agreeing rows required for each row that does not agree.

_FACTORS = (*map(Fraction, (2, 3, 4, 6, 8, 12, 16, 18, 20)), Fraction(1, 2), Fraction(1, 4), Fraction(1, 8))

Numbers = Mapping[int, Expression]
"""The numbers of one row, by their columns."""


@frozen
class RoughNumber:
    """A number of a row as a float, with one unit of its last digit."""

    value: float
    last_digit: float
    has_unit: bool


@frozen
class ColumnRelation:
    """A relation between columns. ``template`` is the formula with a placeholder for each operand, and ``approximate`` computes its value
    in floats. ``base`` is a number of the first row that the formula contains, and ``rule`` names the rule that tries the relation, if any.
    """

    columns: tuple[int, ...]
    template: str
    formula: Callable[[Sequence[Formula]], Formula]
    approximate: Callable[[Sequence[float]], float]
    base: Expression | None = None
    adds: bool = False
    rule: str = ""

    def is_far(self, row: Mapping[int, RoughNumber], column: int) -> bool:
        """Whether the row is further off than rounding explains."""
        if column not in row or any(each not in row for each in self.columns):
            return False
        stated, *parts = (row[each] for each in (column, *self.columns))
        slack = _FAR * abs(stated.value)
        if not stated.has_unit and not any(each.has_unit for each in parts):
            slack = min(slack, _OFF * abs(stated.value) + stated.last_digit)
        try:
            return abs(self.approximate([each.value for each in parts]) - stated.value) > slack
        except (ZeroDivisionError, OverflowError):
            return True

    def left(self, row: Numbers) -> ClaimSide | None:
        """The formula with the numbers of a row, or None if the row lacks one."""
        if any(column not in row for column in self.columns):
            return None
        sides = [row[column] for column in self.columns]
        if self.base is not None and sides[0] is self.base:
            return None  # The others are compared with the first row.
        every = sides if self.base is None else [*sides, self.base]
        literals = {letter: literal for each in every for letter, literal in each.literals.items()}
        return ClaimSide(self.formula([each.formula for each in sides]), literals)


@frozen
class RelatedRow:
    """A row with the verdict on a relation in it."""

    numbers: Numbers
    judgement: Judgement

    def is_exact(self, related: ComputedColumn) -> bool:
        """Whether all numbers are integers without units, so that rounding cannot explain a difference."""
        return all(self.numbers[column].exact is not None for column in (related.column, *related.relation.columns))


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

    @cached_property
    def wrong_rows(self) -> tuple[RelatedRow, ...]:
        """The rows that are proven to be wrong; not those with a number in a column that is empty in every row that agrees."""
        filled = {column for row in self.agreeing_rows for column in row.numbers}
        return tuple(row for row in self.rows if row.judgement.verdict is Verdict.WRONG and row.numbers.keys() <= filled)

    def chance(self, tries: int) -> Fraction:
        """The probability that any of the tried relations agrees by chance in this many rows, in the digits that each number shows."""
        return _likely([row.numbers[self.column] for row in self.agreeing_rows], tries)


def computed_columns(rows: Sequence[Numbers], heads: Sequence[str] = ()) -> Iterator[ComputedColumn]:
    """The columns that are computed from others, the last ones first, as totals come after their parts; ``heads`` are their headings."""
    rows = rows[:_MOST_ROWS]
    columns = sorted({column for row in rows for column in row})
    if not 1 < len(columns) <= _MOST_COLUMNS or len(rows) < _FEWEST_ROWS:
        return
    explained: dict[int, tuple[int, ...]] = {}
    rough = [{column: _roughly(number) for column, number in row.items()} for row in rows]
    for kind, column in ((kind, column) for kind in (_by_heads, _of_two, _multiples) for column in reversed(columns)):
        if column in explained:
            continue
        others = [each for each in columns if each != column and column not in explained.get(each, ())]
        tried = list(kind(column, others, rows[0], heads))
        enough = MARKED if kind is _by_heads else UNNAMED
        if not tried or _likely([row[column] for row in rows if column in row], len(tried)) >= enough:
            continue  # Numbers with so few digits would agree with something by chance.
        for relating in tried:
            far = sum(relating.is_far(row, column) for row in rough)
            if far * _FEWEST_FOR_WRONG > len(rows) - far:
                continue
            found = _related(rows, column, relating)
            if found is not None and found.chance(len(tried)) < enough:
                explained[column] = relating.columns
                yield found
                break


def _likely(agreeing: Iterable[Expression], tries: int) -> Fraction:
    return Fraction(tries, 10 ** sum({str(each.formula): _digits(each) for each in agreeing}.values()))


def _by_heads(column: int, others: Sequence[int], first: Numbers, heads: Sequence[str]) -> Iterator[ColumnRelation]:
    """Multiples of a column by the ratio of the sizes in both heads: ``| 4K tokens | 16K tokens |``, ``| per token | 4K tokens |``."""
    for other in others if in_force("sizes-in-heads") else ():
        if max(other, column) < len(heads):
            for ratio in ratios_of_heads(heads[other], heads[column]):
                yield ColumnRelation((other,), f"{{}} × {ratio}", _times(ratio), _scaled(float(ratio)), rule="sizes-in-heads")


def _of_two(column: int, others: Sequence[int], first: Numbers, heads: Sequence[str]) -> Iterator[ColumnRelation]:
    before = tuple(each for each in others if each < column)
    if len(before) > 2:
        yield ColumnRelation(before, " + ".join(["{}"] * len(before)), lambda parts: Sum(tuple(parts)), sum, adds=True)
    for pair in permutations(others, 2):
        if pair[0] < pair[1]:
            yield ColumnRelation(pair, "{} + {}", lambda parts: Sum(tuple(parts)), sum, adds=True)
            yield ColumnRelation(pair, "{} × {}", lambda parts: Product(tuple(parts)), lambda parts: parts[0] * parts[1])
        yield ColumnRelation(
            pair, "{} − {}", lambda parts: Sum((parts[0], Negative(parts[1]))), lambda parts: parts[0] - parts[1], adds=True
        )
        yield ColumnRelation(pair, "{} / {}", lambda parts: Quotient(parts[0], parts[1]), lambda parts: parts[0] / parts[1])
        yield ColumnRelation(
            pair,
            "{} / {} − 1",
            lambda parts: Sum((Quotient(parts[0], parts[1]), Negative(Number(1)))),
            lambda parts: parts[0] / parts[1] - 1,
        )


def _multiples(column: int, others: Sequence[int], first: Numbers, heads: Sequence[str]) -> Iterator[ColumnRelation]:
    """Multiples of a column, such as bytes of parameters, and its ratios to the first row."""
    for other in others:
        for factor in _FACTORS:
            yield ColumnRelation((other,), f"{{}} × {factor}", _times(factor), _scaled(float(factor)))
        if other in first:
            yield from _ratios(other, first[other])


def _times(factor: Fraction) -> Callable[[Sequence[Formula]], Formula]:
    return lambda parts: Product((parts[0], Number(factor)))


def _scaled(factor: float) -> Callable[[Sequence[float]], float]:
    return lambda parts: parts[0] * factor


def _ratios(column: int, base: Expression) -> Iterator[ColumnRelation]:
    value = _roughly(base).value
    yield ColumnRelation((column,), "{} / {base}", lambda parts: Quotient(parts[0], base.formula), lambda parts: parts[0] / value, base)
    yield ColumnRelation((column,), "{base} / {}", lambda parts: Quotient(base.formula, parts[0]), lambda parts: value / parts[0], base)


def _roughly(number: Expression) -> RoughNumber:
    value = usual_value(number.formula, number)
    if value is None or abs(value) >= _LARGEST:
        return RoughNumber(0.0, 0.0, False)
    literal = number.literal
    last = literal.last_digit * (literal.unit.senses[0] if literal.unit else 1) if literal and literal.last_digit < 1 else 0
    return RoughNumber(float(value), float(last), bool(literal and literal.unit))


def _related(rows: Sequence[Numbers], column: int, relating: ColumnRelation) -> ComputedColumn | None:
    """The relation checked in each row; None as soon as too many rows disagree."""
    found: list[RelatedRow] = []
    missed = 0
    for row in rows:
        left = relating.left(row) if column in row else None
        if left is None or (relating.adds and not _is_of_one_kind(row, (column, *relating.columns))):
            continue
        if len(relating.columns) == 1 and not _roughly(row[column]).value:
            continue  # Every multiple of zero is zero.
        judgement = _judged(left, side_of(row[column]))
        missed += judgement is None or judgement.verdict is not Verdict.HOLDS
        if missed * _FEWEST_FOR_WRONG > max(len(rows) - missed, 0):
            return None
        if judgement is not None:
            found.append(RelatedRow(row, replace(judgement, rules=(*judgement.rules, relating.rule)) if relating.rule else judgement))
    return ComputedColumn(column, relating, tuple(found)) if len(found) >= _FEWEST_ROWS else None


def _is_of_one_kind(row: Numbers, columns: Sequence[int]) -> bool:
    """Whether the numbers count the same thing, so that they can be added: all have units of one kind, or none has a unit with a dimension.
    """
    literals = [side_of(row[column]).literal for column in columns if row[column].exact != 0]
    return len({each.unit.counted if each is not None and each.unit is not None else "" for each in literals}) == 1


def _judged(left: ClaimSide, right: ClaimSide) -> Judgement | None:
    try:
        return judge_numbers(left, right, "=")
    except FormulaError:
        return None  # Too large, or divided by zero.


def _digits(number: Expression) -> int:
    shown = number.literal.digits if number.literal is not None else len(str(number.exact).strip("-0"))
    return max(shown, 1)

"""The relations between columns of a table that are tried: what each would be computed from, how, and how many others are as simple."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from functools import partial, reduce
from itertools import combinations, permutations
from math import floor, log10, prod
from operator import mul
from typing import NamedTuple

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Product, Quotient, Sum
from symparam.core.formula import number as written_number
from symparam.core.frozen import cached_property, frozen
from symparam.core.notation import UNICODE
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.column_sizes import ratios_of_formats, ratios_of_heads, ratios_of_units
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.rules.rule import in_force
from symparam.documents.words import words

_FAR, _OFF = 0.12, 0.03  # Rounding puts no row further off than this; the senses of a unit may be further apart.
_LARGEST = 10**200  # A bound within which floats can be multiplied.
_GROWN = 1.01
_FITTED = 12  # Rows from which a factor is read.
_HALF = 0.51  # Of the last digit, by which a rounded number may be off.
_MOST_COMPLEX = 100_000  # The largest product of numerator and denominator of a factor.
_SCALES = tuple(Fraction(base) ** power for base in (1000, 1024) for power in (-3, -2, -1, 1, 2, 3))
_SIZES = tuple((each, float(each)) for each in (Fraction(1), *_SCALES))
_FEW = 20  # Factors as simple as these are expected: bytes of a parameter, operations of a token.
_TENS = tuple(Fraction(10) ** power for power in range(-24, 25))
_MOST_ZEROS = 9  # A number that ends in as many is written with a power of ten.
_WIDEST = 5  # Columns among which products of three are looked for.

Numbers = Mapping[int, Expression]
"""The numbers of one row, by their columns, with the bits of a format in its label as that of `FORMATS`."""

FORMATS = -1


class RoughNumber(NamedTuple):
    """A number of a row as a float, with one unit of its last digit if that is behind the point. ``off`` is the share by which it may be
    rounded.
    """

    value: float
    last_digit: float
    has_unit: bool
    off: float


NO_NUMBER = RoughNumber(0.0, 0.0, False, 0.0)


@frozen
class Constant:
    """A number outside the row that a relation may contain, as the page writes it, if it does."""

    value: Fraction
    written: str = ""
    number: Expression | None = None

    @cached_property
    def ways(self) -> tuple[tuple[Fraction, float, tuple[str, ...]], ...]:
        """The factors that it may be: itself, and if the page states it what is divided by it. Each has its size as a float and how it is
        written: what is multiplied by, which may be nothing, and then what is divided by.
        """
        if not self.written:
            return ((self.value, float(self.value), _written(self.value)),)
        literal = self.number.literal if self.number is not None else None
        bare = Fraction(literal.value) if literal is not None else self.value  # A power of a thousand is tried anyway.
        return (bare, float(bare), (self.written,)), (1 / bare, float(1 / bare), ("", self.written))


@frozen
class ColumnRelation:
    """A relation between columns. ``template`` is the formula with a placeholder for each operand, and ``approximate`` computes its value
    in floats. ``own`` is a number of the table that the formula contains, whose row is no evidence, or one stated before it; ``rule`` names
    the rule that tries the relation, if any; ``cost`` is the number of relations as simple as this one, and ``is_fitted`` says that they
    are many. A row may lack ``optional`` columns, but not the last. ``outside`` are the numbers of the formula that are in no row. If it
    ``has_exceptions``, a row that it does not fit is not wrong. It ``compares`` if it is how many times, by what share, or by how much one
    number is another.
    """

    columns: tuple[int, ...]
    template: str
    formula: Callable[[Sequence[Formula]], Formula]
    approximate: Callable[[Sequence[float]], float]
    own: Expression | None = None
    adds: bool = False
    rule: str = ""
    cost: int = 1
    is_fitted: bool = False
    optional: int = 0
    outside: Mapping[str, Literal] = field(default_factory=dict)
    has_exceptions: bool = False
    compares: bool = False

    @property
    def is_announced(self) -> bool:
        """Whether a row that is once as much says that the column compares the others with it."""
        return self.own is not None and self.has_exceptions

    def columns_in(self, row: Container[int]) -> tuple[int, ...]:
        """The columns that the row has; none if too few."""
        found = tuple([each for each in self.columns if each in row])
        return found if len(found) + self.optional >= len(self.columns) and found[-1:] == self.columns[-1:] else ()

    def nearest(self, parts: Sequence[float], value: float) -> float:
        """By how much a value differs from the nearest operand with which the result grows."""
        found = self.approximate(parts)
        grown = ([*parts[:at], parts[at] * _GROWN, *parts[at + 1 :]] for at in range(len(parts)))
        return min(
            (abs(value - part) for part, more in zip(parts, grown, strict=True) if self.approximate(more) > found), default=abs(value)
        )

    def written(self, operands: Sequence[str], own: str) -> str:
        """The formula with the operands as the author wrote them."""
        return self.template.removeprefix("{} × " * (len(self.columns) - len(operands))).format(*operands, own=own)

    def is_of_zero(self, row: Mapping[int, RoughNumber], column: int) -> bool:
        """Whether the row says nothing for or against the relation: every multiple of zero is zero."""
        columns = self.columns_in(row) if column in row and not self.adds else ()
        return bool(columns) and not all(row[each].value for each in (column, *columns[:-1]))

    def is_far(self, row: Mapping[int, RoughNumber], column: int) -> bool:
        """Whether the row is further off than rounding explains."""
        columns = self.columns_in(row) if column in row else ()
        if not columns:
            return False
        stated, *parts = (row[each] for each in (column, *columns))
        slack = _FAR * abs(stated.value)
        if not stated.has_unit and not any(each.has_unit for each in parts):
            slack = min(slack, _OFF * abs(stated.value) + stated.last_digit)
        try:
            return abs(self.approximate([each.value for each in parts]) - stated.value) > slack
        except (ZeroDivisionError, OverflowError):
            return True

    def left(self, row: Numbers) -> ClaimSide | None:
        """The formula with the numbers of a row, or None if the row lacks one."""
        sides = [row[column] for column in self.columns_in(row)]
        if not sides:
            return None
        if self.own is not None and any(each is self.own for each in sides):
            return None  # The others are compared with this row.
        every = sides if self.own is None else [*sides, self.own]
        literals = {letter: literal for each in every for letter, literal in each.literals.items()}
        return ClaimSide(self.formula([each.formula for each in sides]), {**literals, **self.outside})


def literal_of(number: Expression) -> Literal | None:
    """The literal of a number, also of a negative one."""
    return side_of(number).literal


def is_share(number: Expression) -> bool:
    """Whether it is a percentage, also a negative one."""
    literal = literal_of(number)
    return literal is not None and literal.unit is not None and literal.unit.written == "%"


def roughly(number: Expression) -> RoughNumber:
    """A number as a float."""
    value = usual_value(number.formula, number)
    if value is None or abs(value) >= _LARGEST:
        return NO_NUMBER
    literal = literal_of(number)
    scale = literal.unit.senses[0] if literal and literal.unit else 1
    last = literal.last_digit * scale if literal else Fraction(1)
    shown = float(last) if literal and literal.last_digit < 1 else 0.0
    return RoughNumber(float(value), shown, bool(literal and literal.unit), _HALF * float(last / abs(value)) if value else 0.0)


def by_heads(column: int, others: Sequence[int], heads: Sequence[str], alike: Sequence[int] = ()) -> Iterator[ColumnRelation]:
    """Multiples of a column by the ratio of the sizes in both heads: ``| 4K tokens | 16K tokens |``, ``| per token | 4K tokens |``, or by
    that of their units, ``| seconds | days |``, or formats, ``| FP16 | INT4 |``; below the head of a total the sum of the columns
    before it that are ``alike``.
    """
    if column < len(heads) and len(alike) > 1 and words("total").in_text(heads[column]):
        yield _sum(tuple(alike))
    for other in others if in_force("sizes-in-heads") else ():
        if max(other, column) < len(heads):
            for ratio in ratios_of_heads(heads[other], heads[column]):
                yield _multiple((other,), (), ratio, _written(ratio), rule="sizes-in-heads")
    for other in others if in_force("units-in-heads") else ():
        if max(other, column) < len(heads):
            for ratio in (*ratios_of_units(heads[other], heads[column]), *ratios_of_formats(heads[other], heads[column])):
                yield _multiple((other,), (), ratio, _written(ratio), rule="units-in-heads")


def of_several(column: int, others: Sequence[int], alike: Sequence[int], in_shares: bool = False) -> Iterator[ColumnRelation]:
    """Sums, differences, products, quotients and changes of columns, of the nearest ones first; those before it that are ``alike`` may all
    be added. One ``in_shares`` may also say by what share one is less than another.
    """
    before = tuple(each for each in others if each < column)
    if len(alike) > 2:
        yield _sum(tuple(alike))
    for one, other in sorted(permutations(others, 2), key=lambda pair: sum(abs(column - each) for each in pair)):
        if one < other:
            yield _sum((one, other))
            yield _product((one, other))
        yield ColumnRelation((one, other), "{} − {}", _difference, lambda parts: parts[0] - parts[1], adds=True, compares=True)
        yield ColumnRelation((one, other), "{} / {}", _quotient, lambda parts: parts[0] / parts[1], compares=True)
        yield ColumnRelation((one, other), "{} / {} − 1", _change, lambda parts: parts[0] / parts[1] - 1, compares=True)
        if in_shares:
            yield ColumnRelation((one, other), "1 − {} / {}", _decrease, lambda parts: 1 - parts[0] / parts[1], compares=True)
    near = before[-_WIDEST:]
    yield from map(_product, combinations(near, 3))
    for factors in (*combinations(near, 2), *combinations(near, 3)):
        for term in (each for each in near if each not in factors or each == factors[-1]):
            yield _product_with(factors, term)


def _sum(columns: tuple[int, ...]) -> ColumnRelation:
    return ColumnRelation(columns, " + ".join(["{}"] * len(columns)), lambda parts: Sum(tuple(parts)), sum, adds=True)


def _product(columns: tuple[int, ...]) -> ColumnRelation:
    return ColumnRelation(columns, " × ".join(["{}"] * len(columns)), lambda parts: Product(tuple(parts)), lambda parts: reduce(mul, parts))


def _product_with(factors: tuple[int, ...], term: int) -> ColumnRelation:
    """A product with a further term, as weights have a bias; the last factor may be that term."""
    return ColumnRelation(
        (*factors, term),
        " × ".join(["{}"] * len(factors)) + " + {}",
        lambda parts: Sum((Product(tuple(parts[:-1])), parts[-1])),
        lambda parts: reduce(mul, parts[:-1]) + parts[-1],
        optional=len(factors) - 2,
    )


def _difference(parts: Sequence[Formula]) -> Formula:
    return Sum((parts[0], Negative(parts[1])))


def _quotient(parts: Sequence[Formula]) -> Formula:
    return Quotient(parts[0], parts[1])


def _change(parts: Sequence[Formula]) -> Formula:
    return relative_increase(parts[0], parts[1])


def _decrease(parts: Sequence[Formula]) -> Formula:
    return relative_decrease(parts[0], parts[1])


def proportional(
    column: int, others: Sequence[int], rows: Sequence[Numbers], rough: Sequence[Mapping[int, RoughNumber]], constants: Sequence[Constant]
) -> Iterator[ColumnRelation]:
    """What is proportional to a column, to its inverse, or to the product or the quotient of two, by a simple factor, a number that the
    page states, or the sum of a column.
    """
    shapes: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((each,), ()) for each in others] + [((), (each,)) for each in others]
    shapes += [(pair, ()) for pair in combinations(others, 2)]
    shapes += [((one,), (other,)) for one, other in permutations(others, 2)]
    near = tuple(each for each in others if each < column)[-_WIDEST:]
    shapes += [((), pair) for pair in combinations(near, 2)] + [(three, ()) for three in combinations(near, 3)]
    shapes += [((one, other, other), ()) for one, other in permutations(near, 2)]  # Layers times width squared.
    for above, below in shapes:
        bounds = _common_factor(column, above, below, rough[:_FITTED])
        if bounds is None:
            continue
        tens = Fraction(10) ** floor(log10(bounds[0]))
        simple = _simplest(*(Fraction(each) / tens for each in bounds)) * tens
        cost = min(_complexity(simple * scale) for scale in _TENS)
        if (simple != 1 or not above) and cost <= _MOST_COMPLEX:
            yield _multiple(above, below, simple, _written(simple), cost=cost)
        total = _total(above[0], rows) if len(above) == 1 and not below else Fraction(0)
        sums = (Constant(1 / total),) if total > 0 else ()
        for nearer, constant in enumerate((*sums, *constants), 1):
            for factor, size, terms in constant.ways:
                scale = next((each for each, scaled in _SIZES if bounds[0] <= size * scaled <= bounds[1]), None)
                if scale is not None:
                    yield _multiple(above, below, factor * scale, terms, cost=nearer * len(_SCALES))


def _complexity(factor: Fraction) -> int:
    """How many factors are as simple: there are many fractions."""
    product = factor.numerator * factor.denominator
    return product if 1 in factor.as_integer_ratio() else product**2


def _is_power_of_two(factor: Fraction) -> bool:
    return all(each & (each - 1) == 0 for each in factor.as_integer_ratio())


def _total(column: int, rows: Sequence[Numbers]) -> Fraction:
    values = [usual_value(row[column].formula, row[column]) for row in rows if column in row]
    return sum((each for each in values if each is not None), Fraction(0)) if len(values) > 1 else Fraction(0)


def _multiple(
    above: tuple[int, ...], below: tuple[int, ...], factor: Fraction, written: tuple[str, ...], *, rule: str = "", cost: int = 0
) -> ColumnRelation:
    written = tuple(each.replace("{", "{{").replace("}", "}}") for each in written)  # In a template: 38{,}597{,}376
    product = " × ".join((*("{}" for _ in above), *filter(None, written[:1]))) or "1"
    template = " / ".join((product, *written[1:], *("{}" for _ in below)))
    return ColumnRelation(
        (*above, *below),
        template,
        partial(_scaled, len(above), factor),
        partial(_scaled_roughly, len(above), float(factor)),
        rule=rule,
        cost=max(cost, 1),
        is_fitted=cost > _FEW or (cost > 0 and len(above + below) > 1 and _is_power_of_two(factor)),
    )


def _written(factor: Fraction) -> tuple[str, ...]:
    """A factor as what is multiplied by, which may be nothing, and then what is divided by: ``3`` and ``8``, ``6 × 10¹⁸``."""
    above, below = map(_in_powers, factor.as_integer_ratio())
    if below == "1":
        return (above,)
    return "" if above == "1" else above, UNICODE.brackets(below) if UNICODE.times in below else below


def _in_powers(number: int) -> str:
    digits = str(number).rstrip("0")
    zeros = len(str(number)) - len(digits)
    if zeros < _MOST_ZEROS:
        return UNICODE.number(number)
    power = UNICODE.power("10", str(zeros))
    return power if digits == "1" else f"{UNICODE.number(int(digits))}{UNICODE.times}{power}"


def _scaled(above: int, factor: Fraction, parts: Sequence[Formula]) -> Formula:
    product = Product((*parts[:above], written_number(factor)))
    return Quotient(product, parts[above]) if above < len(parts) else product


def _scaled_roughly(above: int, factor: float, parts: Sequence[float]) -> float:
    return factor * prod(parts[:above]) / prod(parts[above:])


def _common_factor(
    column: int, above: tuple[int, ...], below: tuple[int, ...], rough: Sequence[Mapping[int, RoughNumber]]
) -> tuple[float, float] | None:
    """The bounds of the factor that most rows have in common, as far as rounding lets it be known."""
    ends: list[tuple[float, int]] = []
    rows = 0
    for row in rough:
        stated, parts = row.get(column, NO_NUMBER), [row.get(each, NO_NUMBER) for each in (*above, *below)]
        if not stated.value or not all(each.value for each in parts):
            continue
        rows += 1
        try:
            ratio = stated.value / _scaled_roughly(len(above), 1.0, [each.value for each in parts])
        except (ZeroDivisionError, OverflowError):
            continue
        off = stated.off + sum(each.off for each in parts if each.last_digit)
        ends += sorted([(ratio * (1 - off), -1), (ratio * (1 + off), 1)])
    best = deepest_overlap(ends, rows)
    return best if best is not None and best[0] > 0 else None


def deepest_overlap(ends: list[tuple[float, int]], rows: int) -> tuple[float, float] | None:
    """Where most of the intervals overlap, which begin and end where ``ends`` say with -1 and 1, if these are two thirds of the rows."""
    depth, deepest, best = 0, 1, None
    for at, (end, kind) in enumerate(ordered := sorted(ends)):
        depth -= kind
        if depth > deepest:
            deepest, best = depth, (end, ordered[at + 1][0])
    return best if 3 * deepest >= 2 * rows else None


def _simplest(below: Fraction, above: Fraction) -> Fraction:
    """The simplest fraction between two positive bounds."""
    whole = -(-below.numerator // below.denominator)
    return Fraction(whole) if whole <= above else whole - 1 + 1 / _simplest(1 / (above - whole + 1), 1 / (below - whole + 1))

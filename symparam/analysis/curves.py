"""Solving a measure for two letters at once: all pairs of integers for which it lies between two totals.

The search relies on proofs of monotonicity from the signs of derivatives: the measure has to grow with both letters, and a condition such
as ``64 ≤ H/N ≤ 160`` has to grow or fall with each. So each row of the table is an interval, whose ends are found by bisection on integers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from math import lcm

import sympy

from symparam.analysis.derivation import Derivation
from symparam.analysis.solving import TOTAL, Number, coefficients_of, named, step_of, write_coefficients
from symparam.core.algebra.inverse import Inverse, inverse
from symparam.core.algebra.polynomial import equal
from symparam.core.algebra.signs import is_positive
from symparam.core.dimensions import MAX_SIZE, symbol
from symparam.core.evaluation import evaluate, int_if_whole
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE
from symparam.errors import FormulaError
from symparam.models.size_constraints import bounds, never_negative

MAX_ROWS = 20_000  # Values of the second letter that are searched.
MAX_PAIRS = 100_000  # Pairs that are listed.


@frozen
class Between:
    """A condition: the formula lies between the two bounds, inclusive."""

    formula: Formula
    least: Fraction
    most: Fraction


@frozen
class CurvePoint:
    """One value of the second unknown with all matching values of the first, and the measure at the smallest and the largest of these."""

    other: int
    values: tuple[int, ...]
    totals: tuple[Number, Number]


@frozen
class Curve:
    """All pairs of ``unknowns`` for which the measure lies between ``least`` and ``most``, under conditions.

    ``inverse`` gives the first unknown in terms of the second and of the total, where the measure is linear or quadratic in it. ``rows``
    has one row for each value of the second unknown, and is empty where letters are ``missing``. The first unknown is a multiple of
    ``step``.
    """

    derivation: Derivation
    unknowns: tuple[str, str]
    least: Number
    most: Number
    conditions: tuple[Between, ...]
    inverse: Inverse | None
    step: int = 1
    values: Mapping[str, int] = field(default_factory=dict, hash=False)
    rows: tuple[CurvePoint, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def pairs(self) -> Iterator[tuple[int, int]]:
        """Each pair, in the order of the unknowns."""
        return ((value, row.other) for row in self.rows for value in row.values)


def curve(
    derivation: Derivation,
    unknowns: tuple[str, str],
    least: Number,
    most: Number,
    values: Mapping[str, int],
    *,
    conditions: Iterable[Between] = (),
    multiple_of: int = 1,
    divisible: Iterable[tuple[str, str]] = (),
) -> Curve:
    """Solve ``least ≤ derivation ≤ most`` for two letters, with numbers for the others in ``values``.

    Arguments as for `symparam.analysis.solving.solve_for`; ``multiple_of`` applies to the first unknown. Also raises `FormulaError` where
    the measure or a condition is not proven monotonic, and where there are too many pairs to list.
    """
    first, second = unknowns
    if first == second:
        raise FormulaError(f"{named(first)} is asked for twice; two letters are expected")
    coefficients_of(derivation, second)
    notation, stated = UNICODE.using(derivation.alphabet), tuple(conditions)
    inverted = inverse(write_coefficients(coefficients_of(derivation, first), notation), TOTAL, notation)
    needed = derivation.letters.union(*(each.formula.letters for each in stated))
    missing = tuple(sorted(needed - {first, second} - values.keys()))
    step = lcm(multiple_of, step_of(derivation.relations, first))
    found = Curve(derivation, unknowns, least, most, stated, inverted, step, values, missing=missing)
    if missing:
        return found
    plane = _Plane(first, second, values)
    total = plane.side(derivation.closed_form("by-symbol"), f"the {derivation.measure.name}")
    if (total.with_first, total.with_second) != (1, 1):
        raise FormulaError(f"the {derivation.measure.name} do not grow with both {first} and {second}; solve for one of them")
    sides = [(plane.side(each.formula, str(each.formula)), each) for each in stated]
    return replace(found, rows=tuple(_rows(found, total, sides, tuple(divisible))))


@frozen
class _Side:
    """A function of both unknowns, and whether it grows with each (1), falls (−1) or is constant (0)."""

    at: Callable[[int, int], Number]
    with_first: int
    with_second: int


@frozen
class _Plane:
    first: str
    second: str
    values: Mapping[str, int]

    def side(self, formula: Formula, shown: str) -> _Side:
        known = {letter: value for letter, value in self.values.items() if letter not in (self.first, self.second)}
        meaning = formula.expr.xreplace({symbol(letter): value for letter, value in known.items()})
        directions = []
        for letter in (self.first, self.second):
            slope = sympy.diff(meaning, symbol(letter))
            direction = 0 if equal(slope, sympy.S.Zero) else 1 if is_positive(slope) else -1 if is_positive(-slope) else None
            if direction is None:
                raise FormulaError(
                    f"nothing proves that {shown} grows or falls with {letter}, so there is no curve; give {letter} a number"
                )
            directions.append(direction)
        numbers = formula.substitute(known)
        return _Side(lambda one, other: evaluate(numbers, {self.first: one, self.second: other}), *directions)


@frozen
class _Interval:
    """The range of the first unknown. ``settled`` is a lower bound that never decreases as the second unknown grows."""

    low: int = 1
    high: int = MAX_SIZE
    settled: int = 1


NOWHERE = _Interval(high=0)


def _rows(found: Curve, total: _Side, sides: list[tuple[_Side, Between]], divisible: tuple[tuple[str, str], ...]) -> Iterator[CurvePoint]:
    first, second = found.unknowns

    def is_possible(other: int) -> bool:
        """Whether the measure is at most ``most`` for the smallest first value in this row; if not, it is too large in all further rows."""
        interval = _allowed(sides, other)
        return interval is not None and interval.settled < MAX_SIZE and total.at(interval.settled, other) <= found.most

    differences = never_negative(found.derivation.architecture)
    end = _first(lambda other: not is_possible(other))
    if end > MAX_ROWS:
        example = f"--between {first}/{second}=64..160"
        raise FormulaError(f"more than {MAX_ROWS:,} values of {second} are possible; narrow them with --between, as in {example}")
    pairs = 0
    for other in range(1, end):
        interval = _allowed(sides, other)
        assert interval is not None
        least, most = bounds(differences, first, {**found.values, second: other})
        within = replace(interval, low=max(interval.low, least), high=min(interval.high, most))
        values = _whole(found, total, within, other, divisible)
        pairs += len(values)
        if pairs > MAX_PAIRS:
            raise FormulaError(f"more than {MAX_PAIRS:,} pairs fit; ask for fewer with --multiple-of, --between or a narrower --total")
        if values:
            smallest, largest = (int_if_whole(total.at(value, other)) for value in (values[0], values[-1]))
            yield CurvePoint(other, tuple(values), (smallest, largest))


def _allowed(sides: list[tuple[_Side, Between]], other: int) -> _Interval | None:
    """The range that the conditions allow for one value of the second unknown; None where they rule out all larger values, too."""
    found = _Interval()
    for side, condition in sides:
        if side.with_first:
            one = _between(side, condition, other)
            found = _Interval(max(found.low, one.low), min(found.high, one.high), max(found.settled, one.settled))
            continue
        value = side.at(1, other)
        if (value > condition.most and side.with_second > 0) or (value < condition.least and side.with_second < 0):
            return None
        if not condition.least <= value <= condition.most:
            found = NOWHERE
    return found


def _between(side: _Side, condition: Between, other: int) -> _Interval:
    if side.with_first > 0:
        begins = _first(lambda value: side.at(value, other) >= condition.least)
        ends = _first(lambda value: side.at(value, other) > condition.most) - 1
    else:
        begins = _first(lambda value: side.at(value, other) <= condition.most)
        ends = _first(lambda value: side.at(value, other) < condition.least) - 1
    return _Interval(begins, ends, begins if side.with_second != side.with_first else 1)


def _whole(found: Curve, total: _Side, interval: _Interval, other: int, divisible: tuple[tuple[str, str], ...]) -> list[int]:
    """The values of the first unknown in one row that lie in both intervals and satisfy the divisibility conditions."""
    first, second = found.unknowns
    known = {**found.values, second: other}
    if any(known[whole] % known[part] for whole, part in divisible if second in (whole, part) and {whole, part} <= known.keys() - {first}):
        return []
    low = max(interval.low, _first(lambda value: total.at(value, other) >= found.least))
    high = min(interval.high, _first(lambda value: total.at(value, other) > found.most) - 1)
    step = lcm(found.step, *(known[part] for whole, part in divisible if whole == first and part in known))
    multiples = range(low + -low % step, high + 1, step)
    if len(multiples) > MAX_PAIRS:
        raise FormulaError(f"more than {MAX_PAIRS:,} pairs fit; ask for fewer with --multiple-of, --between or a narrower --total")
    wholes = [known[whole] for whole, part in divisible if part == first and whole in known]
    return [value for value in multiples if all(whole % value == 0 for whole in wholes)]


def _first(holds: Callable[[int], bool]) -> int:
    """The smallest size at which a monotonic condition becomes true, by bisection; a number beyond all sizes if it never does."""
    last = 1
    while not holds(last):
        if last > MAX_SIZE:
            return last
        last *= 2
    before = last // 2
    while last - before > 1:
        middle = (before + last) // 2
        if holds(middle):
            last = middle
        else:
            before = middle
    return last

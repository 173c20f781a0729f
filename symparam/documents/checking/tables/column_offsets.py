"""Finds columns of a table that are another column plus or minus one number, as a total is that of the cache plus that of the weights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import log10

from symparam.core.formula import Formula, Negative, Sum, Symbol
from symparam.documents.checking.tables.column_relations import NO_NUMBER, ColumnRelation, Constant, Numbers, RoughNumber, deepest_overlap
from symparam.documents.reading.expression import PLACEHOLDER, Literal
from symparam.documents.reading.unit_senses import Unit

_FEWEST = 3  # Rows with different numbers; two have always one difference.
_ENOUGH = 3.0  # Digits that the varying numbers show together beyond those that the offset may have.
_LEAST = 5  # An offset is so many times as large as what rounding leaves open.
_MOST_DECIMALS = 3
_MOST_COMPLEX = 10_000  # The largest offset that the page does not state, without its zeros.

_Row = tuple[RoughNumber, RoughNumber, Unit | None]


def offsets(
    column: int, others: Sequence[int], rows: Sequence[Numbers], rough: Sequence[Mapping[int, RoughNumber]], constants: Sequence[Constant]
) -> Iterator[ColumnRelation]:
    """What a column is if it differs from another by one number in most rows, which the page states or which is simple."""
    for other in others:
        found = [_row(row, values, column, other) for row, values in zip(rows, rough, strict=True)]
        pairs = [each for each in found if each is not None]
        if len({part.value for _, part, _ in pairs}) < _FEWEST or len({unit for *_, unit in pairs}) > 1:
            continue
        differences = [(one.value - two.value, _slack(one, two) + _slack(two, one)) for one, two, _ in pairs]
        bounds = deepest_overlap([end for size, off in differences for end in ((size - off, -1), (size + off, 1))], len(pairs))
        if bounds is None or min(map(abs, bounds)) < _LEAST * max(off for _, off in differences):
            continue
        unit = pairs[0][2]
        offset, cost = _offset(bounds, unit.senses[0] if unit else Fraction(1), constants)
        # Only the digits in which the numbers differ from each other say something.
        alike = [
            stated.value
            for (stated, *_), (size, off) in zip(pairs, differences, strict=True)
            if size - off <= bounds[1] and bounds[0] <= size + off
        ]
        apart = max(alike) - min(alike)
        steps = {
            part.value: min(abs(stated.value), abs(part.value), apart) / (2 * stated.off * abs(stated.value)) for stated, part, _ in pairs
        }
        shown = [log10(max(each, 1)) for each in steps.values()]
        if cost and sum(shown) - max(shown, default=0) >= _ENOUGH + log10(cost):
            yield _relation(other, offset, unit)


def _row(row: Numbers, values: Mapping[int, RoughNumber], column: int, other: int) -> _Row | None:
    """The numbers of both columns with their unit, if they have the same one."""
    if column not in row or other not in row:
        return None
    units = {each.unit if (each := row[place].literal) is not None else None for place in (column, other)}
    stated, part = values.get(column, NO_NUMBER), values.get(other, NO_NUMBER)
    return (stated, part, units.pop()) if len(units) == 1 and stated.off and part.off else None


def _slack(one: RoughNumber, beside: RoughNumber) -> float:
    """By how much a number may be off: a whole one that is counted, beside one with decimals, by nothing."""
    return 0.0 if beside.last_digit and not (one.last_digit or one.has_unit) else one.off * abs(one.value)


def _offset(bounds: tuple[float, float], scale: Fraction, constants: Sequence[Constant]) -> tuple[Fraction, int]:
    """The offset in its unit, which a number of the page or else the one with the fewest digits is, and how many were tried; none for one
    with too many.
    """
    sign = 1 if bounds[0] > 0 else -1
    low, high = sorted(abs(each) for each in bounds)
    for constant in constants:
        if low <= constant.value <= high:
            return sign * constant.value / scale, 2 * len(constants)
    for decimals in range(_MOST_DECIMALS + 1):
        tens = 10**decimals
        shortest = round(Fraction((low + high) / 2) / scale * tens)
        if Fraction(low) * tens <= shortest * scale <= Fraction(high) * tens:
            cost = int(str(shortest).rstrip("0") or 0)
            return Fraction(sign * shortest, tens), cost if cost <= _MOST_COMPLEX else 0
    return Fraction(0), 0


def _relation(other: int, offset: Fraction, unit: Unit | None) -> ColumnRelation:
    size = abs(offset)
    letter = f"{PLACEHOLDER}offset"
    literal = Literal(size, Fraction(0), unit, len(str(size)))
    written = f"{'−' if offset < 0 else '+'} {float(size):g}{f' {unit.written}' if unit else ''}"
    added = float(offset * (unit.senses[0] if unit else 1))
    return ColumnRelation(
        (other,), f"{{}} {written}", partial(_added, letter, offset < 0), lambda parts: parts[0] + added,
        adds=True, outside={letter: literal}, has_exceptions=True,
    )  # fmt: skip


def _added(letter: str, is_less: bool, parts: Sequence[Formula]) -> Formula:
    return Sum((parts[0], Negative(Symbol(letter)) if is_less else Symbol(letter)))

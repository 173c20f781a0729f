"""Measures over a range of values of one or two letters: a table of exact numbers.

Each measure is brought once into its normal form in the swept letters; each point then takes a few integer multiplications. A measure that
rounds has no normal form, and is evaluated point by point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import NamedTuple

import sympy

from symparam.analysis.derivation import Derivation
from symparam.analysis.solving import named, require_letters
from symparam.core.algebra.closed_form import expanded
from symparam.core.algebra.polynomial import Polynomial, normal_form, polynomial
from symparam.core.dimensions import MAX_SIZE, symbol
from symparam.core.evaluation import evaluate
from symparam.core.frozen import frozen
from symparam.errors import FormulaError, listed, shorten
from symparam.models.size_constraints import check_possible, never_negative, value_at

MAX_POINTS = 1_000_000
MAX_SWEPT = 2

Number = int | Fraction


@frozen
class Axis:
    """A letter and the values that it takes."""

    letter: str
    values: tuple[int, ...]


class SweepPoint(NamedTuple):
    """One point: the values of the swept letters, and the value of each measure."""

    point: tuple[int, ...]
    numbers: tuple[Number, ...]


@frozen
class Sweep:
    """The value of each derivation at each point, the last axis varying fastest; ``fixed`` are the values of all other letters."""

    derivations: tuple[Derivation, ...]
    axes: tuple[Axis, ...]
    fixed: Mapping[str, int] = field(hash=False)

    @cached_property
    def rows(self) -> tuple[SweepPoint, ...]:
        """The points with their values."""
        columns = [_column(derivation, self.axes, self.fixed) for derivation in self.derivations]
        points = product(*(axis.values for axis in self.axes))
        return tuple(SweepPoint(point, tuple(numbers)) for point, *numbers in zip(points, *columns, strict=True))

    @property
    def points(self) -> Iterator[dict[str, int]]:
        """The values of the swept letters at each point."""
        letters, values = [axis.letter for axis in self.axes], product(*(axis.values for axis in self.axes))
        return (dict(zip(letters, point, strict=True)) for point in values)


def sweep(
    derivations: Iterable[Derivation], axes: Iterable[Axis], values: Mapping[str, int], divisible: Iterable[tuple[str, str]] = ()
) -> Sweep:
    """The measures at all points of the axes, with numbers for the other letters in ``values``.

    ``divisible`` lists pairs of letters of which the first has to be divisible by the second. Raises `FormulaError` for a letter without a
    number, for one that occurs in no measure, for a point at which a size is not an integer, and for more than a million points.
    """
    measures, swept = tuple(derivations), tuple(axes)
    letters = [axis.letter for axis in swept]
    if not 1 <= len(letters) <= MAX_SWEPT or len(set(letters)) < len(letters):
        shown = listed(letters) or "none"
        raise FormulaError(f"one or two letters can be swept, not {shown}; give --over once or twice, each with a letter")
    if prod(len(axis.values) for axis in swept) > MAX_POINTS:
        raise FormulaError(f"these are more than {MAX_POINTS:,} points; take fewer values, or a larger step")
    for each in measures:
        require_letters(each)
    occurring = frozenset().union(*(each.letters for each in measures))
    for letter in letters:
        if letter not in occurring:
            raise FormulaError(f"{named(letter)} does not occur in what is measured; sweep over one of {listed(sorted(occurring))}")
    fixed = {letter: value for letter, value in values.items() if letter in occurring and letter not in letters}
    if missing := sorted(occurring - fixed.keys() - set(letters)):
        remedy = f"name a preset or a config, or state it with --where {missing[0]}=NUMBER"
        raise FormulaError(f"there is no number for {listed(missing)}; {remedy}")
    for each in measures:
        if not each.complete:
            raise FormulaError(f"the {each.measure.name} of {each.architecture.name} are incomplete, so a table would show too little")
    _require_models(measures, swept, {letter: value for letter, value in values.items() if letter not in letters}, divisible)
    return Sweep(measures, swept, fixed)


def _require_models(
    measures: tuple[Derivation, ...], axes: tuple[Axis, ...], fixed: Mapping[str, int], divisible: Iterable[tuple[str, str]]
) -> None:
    """Raise a `FormulaError` for the first point at which a size would not be an integer."""
    choices = {**{letter: (value,) for letter, value in fixed.items()}, **{axis.letter: axis.values for axis in axes}}
    swept = {axis.letter for axis in axes}
    for whole, part in divisible:
        if {whole, part} & swept and {whole, part} <= choices.keys():
            for one, other in product(choices[whole], choices[part]):
                if one % other:
                    raise FormulaError(
                        f"{whole} = {one:,} is not divisible by {part} = {other:,}, so there is no such model; "
                        "sweep over other values, or state another with --where or --set"
                    )
    for letter, meaning in measures[0].relations.resolved.items():
        if not {str(each) for each in meaning.free_symbols} & swept or (terms := polynomial(meaning)) is None:
            continue
        for point in product(*(axis.values for axis in axes)):
            at = {**fixed, **dict(zip((axis.letter for axis in axes), point, strict=True))}
            if terms.letters <= at.keys() and (value := value_at(terms, at)).denominator != 1:
                shown = " and ".join(f"{axis.letter} = {number:,}" for axis, number in zip(axes, point, strict=True))
                raise FormulaError(f"{shown} gives {letter} = {value}, which is not a whole number; sweep over other values")
    for difference in never_negative(measures[0].architecture):
        within = [axis for axis in axes if axis.letter in difference.letters]
        for point in product(*(axis.values for axis in within)) if within else ():
            check_possible([difference], {**fixed, **dict(zip((axis.letter for axis in within), point, strict=True))})


def _column(derivation: Derivation, axes: tuple[Axis, ...], fixed: Mapping[str, int]) -> list[Number]:
    """The values of one measure at all points, as integer multiples of 1/n for a common denominator n, so that only integers
    are computed.
    """
    with_numbers = derivation.expr.xreplace({symbol(letter): value for letter, value in fixed.items()})
    if with_numbers.has(sympy.floor, sympy.ceiling):  # Not a polynomial: chunks of w tokens have a step at each multiple of w.
        formula = expanded(with_numbers)
        return [evaluate(formula, _at(axes, point)) for point in product(*(axis.values for axis in axes))]
    above, below = normal_form(with_numbers)
    if any(power < 0 for monomial in above.terms for _, power in monomial) or below.letters:
        exact = [
            value_at(above, _at(axes, point)) / value_at(below, _at(axes, point)) for point in product(*(axis.values for axis in axes))
        ]
        return [value.numerator if value.denominator == 1 else value for value in exact]
    scale = value_at(below, {})
    divisor = lcm(*((value / scale).denominator for value in above.terms.values()))
    if len(axes) == 1:
        whole = _coefficients(above, axes[0].letter, divisor / scale)
        return [_over(_horner(whole, value), divisor) for value in axes[0].values]
    inner = {power: _coefficients(part, axes[0].letter, divisor / scale) for power, part in above.by_powers(axes[1].letter).items()}
    found: list[Number] = []
    for outer in axes[0].values:
        row = [_horner(inner.get(power, []), outer) for power in range(max(inner, default=0) + 1)]
        found += [_over(_horner(row, value), divisor) for value in axes[1].values]
    return found


def _at(axes: tuple[Axis, ...], point: tuple[int, ...]) -> dict[str, int]:
    return {axis.letter: value for axis, value in zip(axes, point, strict=True)}


def _coefficients(terms: Polynomial, letter: str, times: Fraction) -> list[int]:
    """The coefficients of the powers of the only letter, constant first, times a number that makes them integers."""
    powers = {power: part.terms[()] for power, part in terms.by_powers(letter).items()}
    return [int(powers.get(power, Fraction(0)) * times) for power in range(max(powers, default=0) + 1)]


def _horner(coefficients: list[int], value: int) -> int:
    total = 0
    for coefficient in reversed(coefficients):
        total = total * value + coefficient
    return total


def _over(value: int, divisor: int) -> Number:
    whole, rest = divmod(value, divisor)
    return Fraction(value, divisor) if rest else whole


def axis_values(text: str) -> tuple[int, ...]:
    """The values in a user's notation: ``16,32,64``, ``1024..8192:1024`` in steps, ``1024..131072:x2`` with a factor.

    Raises `FormulaError` for anything else.
    """
    values: list[int] = []
    for part in text.split(","):
        span, _, step = part.partition(":")
        first, dots, last = span.partition("..")
        if not dots and not step:
            values.append(_size(first, part))
            continue
        low, high = _size(first, part), _size(last, part)
        times = step.strip().startswith("x")
        by = _size(step.strip().removeprefix("x"), part) if step else 1
        if low > high:
            raise FormulaError(f"{shorten(part)!r} begins with the larger number; write the smaller one first")
        if times and by < 2:
            raise FormulaError(f"{shorten(part)!r} does not grow; a factor of at least 2 is expected, as in 1024..131072:x2")
        if not times and (high - low) // by >= MAX_POINTS:
            raise FormulaError(f"these are more than {MAX_POINTS:,} points; take fewer values, or a larger step")
        while low <= high:
            values.append(low)
            low = low * by if times else low + by
    if len(set(values)) < len(values):
        raise FormulaError(f"{text!r} has a value twice; give each once")
    return tuple(values)


def _size(text: str, part: str) -> int:
    digits = text.strip()
    if not (digits.isascii() and digits.isdigit() and len(digits) < 20 and 0 < int(digits) <= MAX_SIZE):
        raise FormulaError(f"{shorten(part)!r} are not values; positive whole numbers are expected, as in 16,32,64 or 1024..8192:1024")
    return int(digits)

"""Sums, differences, products and quotients of what was met, for sizes that the class does not compute by themselves."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.candidates import Candidates

BESIDE_A_PRODUCT = (-1, 1)
"""What a list may have more than a product of two numbers: the last layer of the last block has no residual convolution."""


def extended(values: tuple[Any, ...], builds: tuple[int, ...], candidates: Candidates, of_three: bool = True) -> Expression | None:
    """A sum, difference, product or quotient of two candidates, of one and a number, or ``of_three``, that has these values."""
    lookup = candidates.lookup(builds)
    rows = list(lookup.items())
    changing = [
        (row, found)
        for row, found in rows
        if len(set(row)) > 1 and all(isinstance(each, int) and not isinstance(each, bool) for each in row)
    ]
    for row, found in changing:
        if row[0] and all(value * row[0] == values[0] * each for value, each in zip(values, row, strict=True)):
            ratio = Fraction(values[0], row[0])
            if ratio.denominator == 1:
                return ("*", ratio.numerator, found)
            return ("//", found, ratio.denominator) if ratio.numerator == 1 else ("//", ("*", ratio.numerator, found), ratio.denominator)
    for row, found in changing:
        difference = values[0] - row[0]
        if all(value - each == difference for value, each in zip(values, row, strict=True)):
            return ("+", found, difference)
    for row, found in changing:
        if (line := _on_a_line(values, row)) is not None:  # The last number of modules in turns, such as 3 * depth - 1.
            factor, constant = line
            return ("+", ("*", factor, found), constant)
    few = changing[:400]
    places = sorted(dict(zip(reversed(values), reversed(range(len(values))), strict=True)).values())[:6]  # A few builds rule most out.
    known = {tuple(row[place] for place in places) for row, _ in rows}
    shifted: list[tuple[Callable[[int, int], int | None], Callable[[Expression, Expression], Expression]]] = [
        (_ratio, lambda one, other: ("*", one, other)),
        (lambda value, each: value - each, lambda one, other: ("+", one, other)),
        (lambda value, each: value + each, lambda one, other: ("-", other, one)),
        (lambda value, each: value - 2 * each, lambda one, other: ("+", ("*", 2, one), other)),
        (lambda value, each: value * each, lambda one, other: ("//", other, one)),
    ]

    def rest_of(change: Callable[[int, int], int | None], wanted: tuple[Any, ...], row: tuple[Any, ...]) -> tuple[Any, ...] | None:
        """The row of values that remains to be explained, if it is that of a known expression."""
        if tuple(change(wanted[place], row[place]) for place in places) not in known:
            return None
        return tuple(change(value, each) for value, each in zip(wanted, row, strict=True))

    for change, joined in shifted:
        for row, found in few:
            rest = rest_of(change, values, row)
            if rest is not None and None not in rest and (other := lookup.get(rest)) is not None:
                return joined(found, other)
    for change, joined in shifted[:3] if of_three else ():
        for row, found in few[:60]:
            rest = tuple(change(value, each) for value, each in zip(values, row, strict=True))
            if None in rest:
                continue
            for second, inner in few[:60]:
                if len({rest[place] - second[place] for place in places}) == 1:
                    last = {value - each for value, each in zip(rest, second, strict=True)}
                    if len(last) == 1:
                        return joined(found, ("+", inner, last.pop()))
                left = rest_of(_minus, rest, second)
                if left is not None and (other := lookup.get(left)) is not None:
                    return joined(found, ("+", inner, other))
    for more in BESIDE_A_PRODUCT if of_three else ():
        for row, found in few:
            rest = rest_of(_ratio, tuple(value - more for value in values), row)
            if rest is not None and None not in rest and (other := lookup.get(rest)) is not None:
                return ("+", ("*", found, other), more)
    return None


def _on_a_line(values: tuple[int, ...], row: tuple[int, ...]) -> tuple[int, int] | None:
    """The factor and the summand that give the values from those of the row, if these are more than two and all on one line."""
    at = next((at for at, each in enumerate(row) if each != row[0]), None)
    if at is None or len(set(row)) < 3 or (values[at] - values[0]) % (row[at] - row[0]):
        return None
    factor = (values[at] - values[0]) // (row[at] - row[0])
    constant = values[0] - factor * row[0]
    same = factor > 1 and all(value == factor * each + constant for value, each in zip(values, row, strict=True))
    return (factor, constant) if same else None


def _ratio(value: int, each: int) -> int | None:
    return value // each if each and value % each == 0 else None


def _minus(value: int, each: int) -> int:
    return value - each


def at_most(few: Expression, many: Expression) -> Expression:
    """A literal that is known to be right only where there are not fewer in the other case."""
    return ("agreed", few, ("min", many, few)) if isinstance(few, int) and few > 1 and isinstance(many, tuple) else few

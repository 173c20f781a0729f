"""Solving a measure for one of its letters: ``12NH² + (13N + P + V + 2)H = total`` for H, in letters and in integers.

Everything is exact. Roots are isolated between integers by the signs of the polynomial there, so no decision rests on a float.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from fractions import Fraction
from functools import cached_property
from math import gcd, isqrt, lcm

import sympy

from symparam.analysis.derivation import Derivation
from symparam.core.algebra.closed_form import expanded, readable
from symparam.core.algebra.inverse import Inverse, inverse
from symparam.core.algebra.nesting import size
from symparam.core.algebra.polynomial import Polynomial, expression_of, normal_form, polynomial
from symparam.core.algebra.relations import Relations
from symparam.core.dimensions import BY_LETTER, MAX_SIZE
from symparam.core.evaluation import evaluate, int_if_whole
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.errors import FormulaError, listed
from symparam.models.size_constraints import bounds, check_possible, never_negative

MAX_DEGREE = 24  # The degree in the unknown; no measure exceeds 4, and roots are isolated in well under a second.
LARGEST_BLOCK = 4096  # The numbers that a format stores in one block, with room to spare.
TOTAL = "n_total"
"""The letter for the total when a measure is solved in letters."""

Number = int | Fraction
Coefficient = tuple[Polynomial, Polynomial]
"""The numerator and the denominator of one power's coefficient."""
DerivationAt = Callable[[int | None], Derivation]
"""The derivation of a measure for a value of its unknown; None stands for an unknown value."""


@frozen
class Candidate:
    """An integer for the unknown, and the measure at it."""

    value: int
    total: Number


@frozen
class Solution:
    """The values of the unknown for which a measure equals a total, or does not exceed it.

    ``powers`` are the coefficients of the unknown's powers in letters, constant first; ``target`` is the total. ``exact`` lists the
    integers that give it exactly. ``nearest`` lists the integers on either side of each real solution, restricted to multiples of
    ``step``. For a total that must not be exceeded, ``largest`` is the largest integer that fits (None if there is none), and ``beyond`` is
    the next one, which exceeds it. ``missing`` are letters without a number; if there are any, the solution is given in letters alone.
    """

    derivation: Derivation
    unknown: str
    powers: tuple[Coefficient, ...]
    target: Number
    at_most: bool
    step: int = 1
    values: Mapping[str, int] = field(default_factory=dict, hash=False)
    exact: tuple[Candidate, ...] = ()
    nearest: tuple[Candidate, ...] = ()
    largest: Candidate | None = None
    beyond: Candidate | None = None
    missing: tuple[str, ...] = ()

    @property
    def degree(self) -> int:
        return len(self.powers) - 1

    @cached_property
    def coefficients(self) -> tuple[Formula, ...]:
        """The coefficients of the unknown's powers as people write them, constant first."""
        return write_coefficients(self.powers, UNICODE.using(self.derivation.alphabet))

    @cached_property
    def inverse(self) -> Inverse | None:
        """The unknown in terms of the other letters and of the total, where the measure is linear or quadratic in it."""
        return inverse(self.coefficients, TOTAL, UNICODE.using(self.derivation.alphabet))


def solve_for(
    at: DerivationAt,
    unknown: str,
    target: Number,
    values: Mapping[str, int],
    *,
    at_most: bool = False,
    multiple_of: int = 1,
    divisible: Iterable[tuple[str, str]] = (),
) -> Solution:
    """Solve ``derivation = target`` for the letter ``unknown``, with numbers for the other letters in ``values``.

    With ``at_most``, find the largest integer for which the measure does not exceed the target. ``divisible`` lists pairs of letters of
    which the first has to be divisible by the second. Raises `FormulaError` where the unknown does not occur, where the measure is not a
    polynomial in it, and where no positive integer comes near.

    ``at`` gives the derivation for a value of the unknown, or for an unknown value (None): the value may decide which output is the
    largest, and a format may reject it. It may be asked for the same value repeatedly. Where the formula at the solution is a different
    one, that formula is solved in turn. None of these formulas exceeds the measure, so the integers decrease from one to the next, and the
    last one is the solution.
    """
    # This finds the letters of an output that is the largest only for large values.
    derivation = next((each for each in map(at, (None, MAX_SIZE)) if unknown in each.letters), at(None))
    in_letters = coefficients_of(derivation, unknown)
    missing = sorted(derivation.letters - {unknown} - values.keys())
    found = Solution(derivation, unknown, in_letters, target, at_most, values=values, missing=tuple(missing))
    if missing:
        if found.degree > 2:
            needed = f"numbers are needed for {listed(missing)}; state them with --where"
            raise FormulaError(f"{named(unknown)} occurs with the power {found.degree}, so {needed}")
        return found
    divisors = tuple(values[part] for whole, part in divisible if whole == unknown and part in values)
    wholes = tuple(values[whole] for whole, part in divisible if part == unknown and whole in values)
    step = lcm(multiple_of, step_of(derivation.relations, unknown), *divisors)
    others = {letter: value for letter, value in values.items() if letter != unknown}
    check_possible(differences := never_negative(derivation.architecture), others)
    search = _SizeSearch(at, unknown, step, wholes, others, *bounds(differences, unknown, others))
    solved: dict[sympy.Expr, Solution] = {}
    pending = [derivation]
    while pending:
        each = pending.pop()
        if each.expr not in solved and (each is derivation or unknown in each.letters):
            solved[each.expr] = _in_numbers(replace(found, derivation=each, powers=coefficients_of(each, unknown)), search)
            pending += [search.at(near.value) for near in solved[each.expr].nearest]
    held = [each for each in solved.values() if any(search.at(near.value).expr == each.derivation.expr for near in each.nearest)]
    best = min(held or solved.values(), key=lambda each: abs(each.nearest[0].total - target))
    exact = {each.value: each for solution in held for each in solution.exact}
    return replace(best, exact=tuple(exact[value] for value in sorted(exact)))


def coefficients_of(derivation: Derivation, unknown: str) -> tuple[Coefficient, ...]:
    """The coefficients of the unknown's powers in letters, constant first.

    Raises `FormulaError` where the unknown does not occur, and where the measure is not a polynomial in it.
    """
    if not derivation.complete:
        measure = derivation.measure.name.replace("-", " ")
        raise FormulaError(f"the {measure} of {derivation.architecture.name} are not complete, so they cannot be solved")
    above, below = normal_form(derivation.expr)
    require_letters(derivation)
    if unknown not in above.letters | below.letters:
        raise FormulaError(
            f"{named(unknown)} does not occur in the {derivation.measure.name.replace('-', ' ')} of {derivation.architecture.name}; "
            f"solve for one of {', '.join(sorted(above.letters | below.letters))}"
        )
    if unknown in below.letters or min(above.by_powers(unknown)) < 0:
        raise FormulaError(f"{named(unknown)} stands in a denominator here; solve for another letter")
    powers = above.by_powers(unknown)
    if max(powers) > MAX_DEGREE:
        raise FormulaError(f"{named(unknown)} occurs with the power {max(powers)}, but only powers up to {MAX_DEGREE} can be solved")
    return tuple((powers.get(power, Polynomial({})), below) for power in range(max(powers) + 1))


def write_coefficients(powers: Iterable[Coefficient], notation: Notation) -> tuple[Formula, ...]:
    """Each coefficient in the shorter one of its expanded and its readable form."""
    each = [expression_of(above) / expression_of(below) for above, below in powers]
    return tuple(min(expanded(part, notation=notation), readable(part, notation=notation), key=size) for part in each)


def require_letters(derivation: Derivation) -> None:
    """Raise a `FormulaError` where all sizes are numbers, which leaves nothing to solve for or to vary."""
    if not derivation.letters:
        measure, name = derivation.measure.name.replace("-", " "), derivation.architecture.name
        raise FormulaError(f"the {measure} of {name} are a number without letters; a config given with --config may name its sizes")


def step_of(relations: Relations, unknown: str) -> int:
    """The number of which the unknown must be a multiple for dependent sizes to be integers: 3 for ``I = 8H/3``."""
    step = 1
    for meaning in relations.resolved.values():
        terms = polynomial(meaning)
        if terms is None or unknown not in terms.letters:
            continue
        without = [value.denominator for monomial, value in terms.terms.items() if unknown not in dict(monomial)]
        if all(each == 1 for each in without):
            step = lcm(step, *(value.denominator for value in terms.terms.values()))
    return step


@frozen
class _SizeSearch:
    """The admissible integers: multiples of ``step`` from ``least`` to ``most`` that divide each of ``wholes``; no format rejects them."""

    at: DerivationAt
    unknown: str
    step: int
    wholes: tuple[int, ...]
    values: Mapping[str, int]
    least: int
    most: int

    def candidate(self, value: int) -> Candidate:
        formula = self.at(value).closed_form("expanded")
        return Candidate(value, int_if_whole(Fraction(evaluate(formula, {**self.values, self.unknown: value}))))

    def is_possible(self, value: int) -> bool:
        if not self.least <= value <= self.most or value % self.step or gcd(*self.wholes) % value:
            return False
        try:
            self.at(value)
        except FormulaError:
            return False
        return True

    @cached_property
    def divisors(self) -> list[int]:
        """The common divisors of all values that the unknown has to divide."""
        found: list[int] = sympy.divisors(gcd(*self.wholes))
        return found

    def below(self, value: int) -> int | None:
        """The largest admissible integer that does not exceed the value; None if there is none."""
        if self.wholes:
            return max((each for each in self.divisors if each <= value and self.is_possible(each)), default=None)
        highest = min(value, self.most)
        tried = (highest - highest % step for step in self._steps())
        return next((each for each in tried if each > 0 and self.is_possible(each)), None)

    def above(self, value: int) -> int | None:
        """The smallest admissible integer that is not below the value; None if there is none up to the largest size."""
        if self.wholes:
            return min((each for each in self.divisors if each >= value and self.is_possible(each)), default=None)
        lowest = max(value, self.least)
        tried = (lowest + -lowest % step for step in self._steps())
        return next((each for each in tried if self.is_possible(each)), None)

    def _steps(self) -> Iterator[int]:
        """The steps that a format may require; its blocks are powers of two."""
        return (lcm(self.step, 2**power) for power in range(LARGEST_BLOCK.bit_length()))


def _in_numbers(found: Solution, search: _SizeSearch) -> Solution:
    """The solution with integers, found among the admissible ones. Raises `FormulaError` where there are none."""
    coefficients = [above.at(search.values) / below.at(search.values) for above, below in found.powers]
    if found.at_most and coefficients[-1] < 0:
        raise FormulaError(f"the measure falls as {named(found.unknown)} grows, so there is no largest one that fits")
    floors = root_floors(coefficients, found.target)
    options = {value for floor in floors or [0] for value in (search.below(floor), search.above(max(1, floor + 1))) if value}
    met = {floor for floor in floors if floor > 0 and search.is_possible(floor)}
    ordered = sorted(map(search.candidate, options | met), key=lambda each: (abs(each.total - found.target), each.value))
    if not ordered:
        raise FormulaError(f"no whole number can be {named(found.unknown)} here: {_required(search)}")
    exact = tuple(sorted((each for each in ordered if each.total == found.target), key=lambda each: each.value))
    fitting, exceeding = ([each for each in ordered if (each.total <= found.target) is fits] for fits in (True, False))
    return replace(
        found,
        step=search.step,
        exact=exact,
        nearest=tuple(ordered),
        largest=max(fitting, key=lambda each: each.value, default=None) if found.at_most else None,
        beyond=min(exceeding, key=lambda each: each.value, default=None) if found.at_most else None,
    )


def _required(search: _SizeSearch) -> str:
    """The requirements on the integer, for a message."""
    asked = [f"be a multiple of {search.step:,}"] if search.step > 1 else []
    asked += [f"divide {whole:,}" for whole in search.wholes]
    asked += [f"be at least {search.least:,}"] if search.least > 1 else []
    asked += [f"be at most {search.most:,}"] if search.most < MAX_SIZE else []
    return f"it has to {' and '.join(asked)}" if asked else "each is refused"


def root_floors(coefficients: list[Fraction], target: Number) -> list[int]:
    """The integer part of each positive value at which the polynomial equals the target."""
    terms = [coefficients[0] - target, *coefficients[1:]]
    while terms and not terms[-1]:
        terms.pop()
    if not terms:
        return [1]
    return sorted({floor for floor in (_of_quadratic(terms) if len(terms) <= 3 else _isolated(terms)) if floor >= 0})


def _of_quadratic(terms: list[Fraction]) -> list[int]:
    """``⌊(−b ± √D)/(2a)⌋`` in integers: the floor of ``(n + √D)/m`` is that of ``(n + ⌊√D⌋)/m``."""
    scale = lcm(*(each.denominator for each in terms)) * (1 if terms[-1] > 0 else -1)
    constant, linear, square = ([int(each * scale) for each in terms] + [0, 0])[:3]
    if not square:
        return [-constant // linear] if linear else []
    discriminant = linear**2 - 4 * square * constant
    if discriminant < 0:
        return []
    below = isqrt(discriminant)
    above = below + (below**2 < discriminant)
    return [(-linear - above) // (2 * square), (-linear + below) // (2 * square)]


def _isolated(terms: list[Fraction]) -> list[int]:
    polynomial = sympy.Poly([sympy.Rational(each.numerator, each.denominator) for each in reversed(terms)], sympy.Symbol("x"), domain="QQ")
    floors = []
    for (low, high), _ in polynomial.intervals(inf=0):
        first, last = int(sympy.floor(low)), int(sympy.ceiling(high))
        # The only root lies at low = high or between the two, which may be roots themselves.
        others = 1 if low < high and polynomial(low) == 0 else 0
        while last - first > 1:
            middle = (first + last) // 2
            if middle >= high or (middle > low and polynomial.count_roots(low, middle) > others):
                last = middle
            else:
                first = middle
        floors.append(last if polynomial(last) == 0 and (low == high or last < high) else first)
    return floors


def named(letter: str) -> str:
    """A letter with its meaning, for a message."""
    return f"{letter} ({BY_LETTER[letter].english})" if letter in BY_LETTER else letter

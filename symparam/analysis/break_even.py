"""Where two costs are equal: attention scores and all other products, a cache and the weights, a part of one architecture and of another.
``4HLN = 24NH²`` for L is ``L = 6H``.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor

import sympy

from symparam.analysis.derivation import Derivation
from symparam.analysis.measures.training_run import PEAK
from symparam.analysis.roles import group_of
from symparam.analysis.solving import named, root_floors
from symparam.core.algebra.closed_form import expanded, ratio, readable
from symparam.core.algebra.polynomial import Polynomial, expression_of, normal_form
from symparam.core.algebra.signs import is_positive
from symparam.core.alphabets import Alphabet
from symparam.core.dimensions import B, L, symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.errors import FormulaError, listed
from symparam.models.blocks import DotProduct
from symparam.models.blocks.architecture import Place

PARTS = ("scores", "projections", "attention", "feed-forward", "head", "products")
"""Parts of the operations of a forward pass: the products of attention (queries with keys, weights with values); the matrices of attention;
both; feed-forward parts including experts; the output head; and all matrices of the layers, that is, everything in them but the scores.
"""

BANDWIDTH = "b_peak"
"""A device's peak memory bandwidth in bytes per second."""
MEASURES_OF_A_STEP = ("decoding-flops", "weights", "kv-cache")


@frozen
class Cost:
    """A cost in a unit, ``above/below``: ``name`` says what is measured, and ``of`` names the model. Both are empty for a given number to
    compare a cost with. The denominator is positive for all sizes; it is kept apart from the numerator, since long sums are not reduced.
    """

    name: str
    of: str
    unit: str
    above: sympy.Expr
    below: sympy.Expr = sympy.S.One

    def __str__(self) -> str:
        return self.name or str(self.above)

    @property
    def meaning(self) -> sympy.Expr:
        return self.above / self.below

    def formula(self, notation: Notation) -> Formula:
        """The cost in its most readable form."""
        return readable(self.above, notation=notation) if self.below == 1 else ratio(self.above, self.below, notation)


@frozen
class BreakEven:
    """Two costs and the value of the unknown at which they are equal.

    ``threshold`` is that value in letters; None where the costs are equal at several values or nowhere. ``growing`` says whether the first
    cost is proven to be larger beyond it (1) or smaller (−1), for all sizes or with the numbers given. With numbers for all other letters,
    ``crossings`` are the integer parts of all values at which the costs are equal.
    """

    costs: tuple[Cost, Cost]
    formulas: tuple[Formula, Formula]
    unknown: str
    threshold: Formula | None
    growing: int
    alphabet: Alphabet
    value: int | Fraction | None = None
    crossings: tuple[int, ...] | None = None

    @property
    def first_beyond(self) -> int | None:
        """The first size beyond the threshold, at which one cost is larger; None without a threshold or a proof."""
        return floor(self.value) + 1 if self.value is not None and self.growing else None

    @property
    def asked(self) -> Formula | None:
        """The given number with which the first cost is compared, if there is one."""
        return None if self.costs[1].name else self.formulas[1]


def of_a_step(name: str, of: str, operations: sympy.Expr, weights: sympy.Expr, cache: sympy.Expr) -> Cost:
    """One of `DECODING_STEP`, computed from the measures on which it depends."""
    peak, bandwidth, moved = symbol(PEAK), symbol(BANDWIDTH), weights + cache
    unit, above, below = {
        "compute-time": ("seconds", operations, peak),
        "memory-time": ("seconds", moved, bandwidth),
        "intensity": ("FLOPs per byte", operations, moved),
        "ridge": ("FLOPs per byte", peak, bandwidth),
    }[name]
    return Cost(name, of, unit, above, below)


def part_of(derivation: Derivation, part: str) -> sympy.Expr:
    """The operations of a part for each token. ``derivation`` is that of a forward pass."""
    found: dict[str, sympy.Expr] = dict.fromkeys(PARTS, sympy.S.Zero)
    _gather(derivation, Place("", derivation.architecture.root), "other", found)
    if found[part] == 0:
        raise FormulaError(f"{derivation.architecture.name} has no {part.replace('-', ' ')} that symparam recognises")
    return found[part] / (B * L)


def _gather(derivation: Derivation, place: Place, outer: str, found: dict[str, sympy.Expr]) -> None:
    group = group_of(place.module.role or "", place.module.kind, outer)
    own = derivation.relations.substitute(place.copies * derivation.measure.of_block(place))
    is_scores = isinstance(place.module, DotProduct)
    if is_scores:
        found["scores"] += own
    elif group in ("attention", "feed-forward"):
        found["products"] += own
    if group == "attention" and not is_scores:
        found["projections"] += own
    if group in ("attention", "feed-forward", "head"):
        found[group] += own
    for inner in place.inside:
        _gather(derivation, inner, group, found)


def break_even(first: Cost, second: Cost, unknown: str, values: Mapping[str, int], alphabet: Alphabet) -> BreakEven:
    """The value of the unknown at which the two costs are equal.

    Raises `FormulaError` for different units, and for an unknown that does not matter.
    """
    if first.unit != second.unit:
        raise FormulaError(f"{first} is in {first.unit} and {second} in {second.unit}; only costs in the same unit can be compared")
    notation = UNICODE.using(alphabet)
    formulas = (first.formula(notation), second.formula(notation))
    above, _ = normal_form(difference(first, second))
    powers = above.by_powers(unknown)
    if not above.terms:
        raise FormulaError(f"{first} and {second} cost the same for all sizes")
    lowest = min(powers)
    powers = {power - lowest: part for power, part in powers.items()}  # A power that all terms share changes nothing.
    highest = max(powers)
    if highest == 0:
        more = expression_of(above)
        larger = "more" if is_positive(more) else "less" if is_positive(-more) else ""
        how = f": {first} costs {larger} for all of them" if larger else ""
        others = f"; it does on {listed(sorted(above.letters))}" if above.letters else ""
        raise FormulaError(f"where the two are equal does not depend on {named(unknown)}{how or others}")
    threshold, value, growing = None, None, 0
    if highest == 1:
        slope, constant = (expression_of(powers.get(power, Polynomial({}))) for power in (1, 0))
        growing = 1 if is_positive(slope) else -1 if is_positive(-slope) else 0
        threshold = ratio(-constant, slope, notation)
        if threshold.letters <= values.keys():
            _require_slope(first, second, unknown, slope, constant, values)
            value = evaluate(threshold, values)
            growing = growing or _sign(difference(first, second), unknown, value, values)
    found = BreakEven((first, second), formulas, unknown, threshold, growing, alphabet, value)
    return found if highest == 1 else _in_numbers(found, powers, values)


def difference(first: Cost, second: Cost) -> sympy.Expr:
    """The first cost minus the second, times both denominators, which are positive."""
    return first.above * second.below - second.above * first.below


def _require_slope(first: Cost, second: Cost, unknown: str, slope: sympy.Expr, constant: sympy.Expr, values: Mapping[str, int]) -> None:
    """Raise a `FormulaError` where, with these numbers, the difference of the costs does not depend on the unknown."""
    known = {symbol(letter): value for letter, value in values.items()}
    if slope.xreplace(known) == 0:
        same = "cost the same" if constant.xreplace(known) == 0 else "differ by as much"
        raise FormulaError(f"with these numbers {first} and {second} {same} for every {named(unknown)}")


def _sign(difference: sympy.Expr, unknown: str, value: int | Fraction, values: Mapping[str, int]) -> int:
    """Whether the difference is positive (1) or negative (−1) at the first size beyond its only zero."""
    beyond = max(floor(value) + 1, 1)
    above, below = normal_form(difference.xreplace({symbol(letter): number for letter, number in {**values, unknown: beyond}.items()}))
    found = above.terms.get((), Fraction(0)) * below.terms.get((), Fraction(0))
    return (found > 0) - (found < 0)


def _in_numbers(found: BreakEven, powers: Mapping[int, Polynomial], values: Mapping[str, int]) -> BreakEven:
    letters = frozenset().union(*(part.letters for part in powers.values()))
    if missing := sorted(letters - values.keys()):
        needed = f"numbers are needed for {', '.join(missing)}; state them with --where"
        raise FormulaError(f"{named(found.unknown)} occurs with the power {max(powers)}, so {needed}")
    coefficients = [Fraction(0)] * (max(powers) + 1)
    for power, part in powers.items():
        coefficients[power] = Fraction(evaluate(expanded(expression_of(part)), values))
    places = tuple(floor for floor in root_floors(coefficients, 0) if floor >= 0)
    return BreakEven(found.costs, found.formulas, found.unknown, None, 0, found.alphabet, None, places)

"""The analysis of a measure: its leading term, the share of each part and its limit, derivatives, elasticities, and the errors of rules of
thumb. Every statement is proven from coefficients or computed in exact integers and fractions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from fractions import Fraction

import sympy

from symparam.analysis.derivation import Derivation
from symparam.analysis.parts import by_group
from symparam.analysis.rules_of_thumb import RuleOfThumb
from symparam.analysis.solving import root_floors
from symparam.core.algebra.closed_form import leading as led
from symparam.core.algebra.closed_form import readable
from symparam.core.algebra.leading import leading_term
from symparam.core.algebra.polynomial import Polynomial, expression_of, normal_form, polynomial
from symparam.core.algebra.signs import is_positive
from symparam.core.combining import summed
from symparam.core.dimensions import B, L, symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Quotient, Sum
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE, Notation
from symparam.errors import FormulaError, NoValueError

LIMITS = ("N", "H", "V", "L", "S")
"""The letters in which limits are taken, where they occur."""
FEED_FORWARD = ("I", "I_m", "I_e", "I_d")
"""Sizes of feed-forward parts, which people choose in proportion to the hidden size."""
TOLERANCES = (Fraction(5, 100), Fraction(1, 100))

Amount = int | Fraction


@frozen
class GroupShare:
    """All parts of one group: their formula, their number where there are values, and the limit of their share as each letter grows."""

    group: str
    formula: Formula
    value: Amount | None
    limits: Mapping[str, Formula] = field(hash=False)


@frozen
class Sensitivity:
    """How the measure depends on a letter.

    ``derivative`` is the partial derivative and ``slope`` its number. ``elasticity`` is the growth of the measure in per cent for each per
    cent of the letter, such as 1.93. ``direction`` says whether the measure is proven to grow (1) or to fall (−1) for all sizes; otherwise
    0.
    """

    letter: str
    derivative: Formula
    slope: Amount | None
    elasticity: Fraction | None
    direction: int


@frozen
class RuleError:
    """The error of a rule of thumb. ``missing`` is the full measure minus the rule, ``excess`` is the rule minus the measure, and ``sign``
    says whether ``missing`` is proven positive (1) or negative (−1).

    The relative error is ``missing`` divided by the measure; it is less than ``bound`` where that is given. For a rule about a size, the
    bound applies where the size follows the rule and is rounded up. ``sizes`` gives for each model with values its name, its relative
    error, and for each of `TOLERANCES` the width H beyond which the error stays below it, all else being equal (for a rule about a size,
    beyond which the bound does); None where no width is enough.
    """

    rule: RuleOfThumb
    formula: Formula
    missing: Formula
    excess: Formula
    sign: int
    bound: Formula | None
    sizes: tuple[tuple[str, Fraction, tuple[int | None, ...]], ...]


@frozen
class Analysis:
    """Everything about one measure. ``total`` is its number where all letters have values."""

    derivation: Derivation
    leading: Formula
    rest: Formula
    leading_value: Amount | None
    total: Amount | None
    parts: tuple[GroupShare, ...]
    changes: tuple[Sensitivity, ...]
    rules: tuple[RuleError, ...]


def analyze(
    derivation: Derivation,
    values: Mapping[str, int],
    rules: tuple[tuple[RuleOfThumb, sympy.Expr], ...],
    released: Mapping[str, Mapping[str, int]],
) -> Analysis:
    """The analysis of a measure, with numbers where ``values`` has one for every letter.

    ``rules`` are rules of thumb with their values, and ``released`` are models with the same formula, by name, with their values.
    """
    notation = UNICODE.using(derivation.alphabet)
    above, below = normal_form(derivation.expr)
    lead = expression_of(Polynomial(dict([leading_term(above)]))) / expression_of(below)
    whole = derivation.letters <= values.keys()
    total = evaluate(derivation.closed_form(), values) if whole else None
    # The sum over layers of two kinds may contain a letter that cancels: N_f + (N − N_f).
    changes = (_change(derivation.expr, letter, values if whole else None, total, notation) for letter in sorted(derivation.letters))
    leading, rest = (readable(each, notation=notation) for each in (lead, derivation.expr - lead))
    return Analysis(
        derivation,
        leading,
        rest,
        evaluate(leading, values) if whole else None,
        total,
        tuple(_parts(derivation, values if whole else None, notation)),
        tuple(each for each in changes if each.derivative != Number(0)),
        tuple(_rule_error(derivation.expr, rule, meaning, released, notation) for rule, meaning in rules),
    )


def _parts(derivation: Derivation, values: Mapping[str, int] | None, notation: Notation) -> Iterator[GroupShare]:
    groups = by_group(derivation.architecture, lambda place: derivation.relations.substitute(derivation.measure.of_block(place)))
    for group, meaning in groups.items():
        formula = readable(meaning, notation=notation)
        limits = {
            letter: _shortest(*limit(meaning, derivation.expr, letter), notation) for letter in LIMITS if letter in derivation.letters
        }
        yield GroupShare(group, formula, evaluate(formula, values) if values is not None else None, limits)


def limit(part: sympy.Expr, whole: sympy.Expr, letter: str) -> tuple[sympy.Expr, sympy.Expr]:
    """The limit of ``part/whole`` as the letter grows and all else stays fixed: the numerator and denominator of the leading
    coefficients.
    """
    # Each is normalised by itself, which avoids computing their common factor.
    (above, under), (whole_above, whole_under) = normal_form(part), normal_form(whole)
    first, first_degree = _leading(above, whole_under, letter)
    second, second_degree = _leading(whole_above, under, letter)
    return (first, second) if above.terms and first_degree >= second_degree else (sympy.S.Zero, sympy.S.One)


def _shortest(above: sympy.Expr, below: sympy.Expr, notation: Notation) -> Formula:
    """The quotient, reduced where the common factor can be found."""
    try:
        return readable(above / below, notation=notation)
    except FormulaError:
        return Quotient(readable(above, notation=notation), readable(below, notation=notation))


def _leading(one: Polynomial, other: Polynomial, letter: str) -> tuple[sympy.Expr, int]:
    """The coefficient of the highest power of the letter in the product of the two, and that power."""
    powers = [each.by_powers(letter) for each in (one, other)]
    highest = [max(each, default=0) for each in powers]
    return sympy.Mul(*(expression_of(each[high]) for each, high in zip(powers, highest, strict=True) if each)), sum(highest)


def _change(total: sympy.Expr, letter: str, values: Mapping[str, int] | None, number: Amount | None, notation: Notation) -> Sensitivity:
    slope = sympy.diff(total, symbol(letter))
    formula = readable(slope, notation=notation)
    direction = 1 if is_positive(slope) else -1 if is_positive(-slope) else 0
    if values is None or not number:
        return Sensitivity(letter, formula, None, None, direction)
    at = evaluate(formula, values)
    return Sensitivity(letter, formula, at, Fraction(at) * values[letter] / number, direction)


def _rule_error(
    total: sympy.Expr, rule: RuleOfThumb, meaning: sympy.Expr, released: Mapping[str, Mapping[str, int]], notation: Notation
) -> RuleError:
    missing = total - meaning
    sign = 1 if is_positive(missing) else -1 if is_positive(-missing) else 0
    missing_formula, total_formula = (readable(each, notation=notation) for each in (missing, total))
    # Rounding a size up adds less than one step.
    whole, part = (meaning, rule.step * sympy.diff(total, symbol(rule.size))) if rule.size else (total, missing)
    sizes = []
    for name, values in released.items():
        if total_formula.letters | missing_formula.letters <= values.keys():
            error = Fraction(evaluate(missing_formula, values)) / evaluate(total_formula, values)
            sizes.append((name, error, tuple(_width(polynomial(whole), polynomial(part), values, each) for each in TOLERANCES)))
    bound = _in_proportion(part / meaning, notation) if rule.size or sign > 0 else None
    excess = readable(-missing, notation=notation)
    return RuleError(rule, readable(meaning, notation=notation), missing_formula, excess, sign, bound, tuple(sizes))


def _in_proportion(ratio: sympy.Expr, notation: Notation) -> Formula | None:
    """A small ratio as a sum of fractions with few denominators: ``13/(12H) + (P + V + 2)/(12NH)``; None where it is too long to read."""
    try:
        written = led(1 + ratio, notation=notation)
    except NoValueError:
        return None
    if isinstance(written, Sum) and written.terms[0] == Number(1):
        return summed(*written.terms[1:])
    return readable(ratio, notation=notation)


def _width(total: Polynomial | None, missing: Polynomial | None, values: Mapping[str, int], tolerance: Fraction) -> int | None:
    """The smallest H beyond which ``|missing| < tolerance·total``; feed-forward sizes grow with H, all other letters keep their values."""
    if total is None or missing is None or "H" not in values:
        return None
    whole, part = (_by_width(each, values) for each in (total, missing))
    powers = {*whole, *part}
    if min(powers) < 0:
        return None
    first = 1
    for sign in (1, -1):
        coefficients = [tolerance * whole.get(power, 0) - sign * part.get(power, 0) for power in range(max(powers) + 1)]
        while coefficients and not coefficients[-1]:
            coefficients.pop()
        if not coefficients or coefficients[-1] < 0:
            return None
        first = max(first, *(floor + 1 for floor in root_floors(coefficients, 0)), 1)
    return first


def _by_width(terms: Polynomial, values: Mapping[str, int]) -> dict[int, Fraction]:
    """The coefficients of the powers of H; every other letter has its value, except that feed-forward sizes grow in proportion to H."""
    found: dict[int, Fraction] = {}
    for monomial, coefficient in terms.terms.items():
        power, value = 0, coefficient
        for letter, exponent in monomial:
            with_width = letter == "H" or letter in FEED_FORWARD
            power += exponent if with_width else 0
            value *= Fraction(values[letter], values["H"] if with_width else 1) ** exponent
        found[power] = found.get(power, Fraction(0)) + value
    return found


def rule_meaning(rule: RuleOfThumb, parameters: sympy.Expr, per: str) -> sympy.Expr:
    """The value of a rule for a batch, or for each sequence or token of it."""
    divisor = {"batch": sympy.S.One, "sequence": B, "token": B * L}[per] if rule.of_tokens else sympy.S.One
    return rule.formula(parameters) / divisor

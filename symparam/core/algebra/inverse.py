"""Solving an equation for its unknown in letters: ``H = (√(b² + 48NΠ) − b)/(24N)`` with ``b = 13N + P + V + 2``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from symparam.core.algebra.closed_form import expanded, ratio
from symparam.core.algebra.signs import is_positive
from symparam.core.combining import multiplied, summed
from symparam.core.dimensions import symbol
from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Root, Sum, Symbol
from symparam.core.frozen import frozen
from symparam.core.notation import Notation


@frozen
class Inverse:
    """The unknown in terms of the other letters; ``names`` abbreviates sums that are too long to write twice.

    ``positive`` lists coefficients that must be positive for the solution to hold, where they are not positive for all sizes.
    """

    formula: Formula
    names: Mapping[str, Formula] = field(default_factory=dict, hash=False)
    positive: tuple[Formula, ...] = ()

    @property
    def whole(self) -> Formula:
        """The formula with ``names`` substituted."""
        return self.formula.substitute(self.names)


def inverse(coefficients: Sequence[Formula], total: str, notation: Notation) -> Inverse | None:
    """The solution of ``c + bx + ax² = total`` for x; for a quadratic, the root that is positive for a > 0. None for any other degree.

    With a > 0 and ``total ≥ c`` the other root is not positive, since the product of the roots is (c − total)/a.
    """
    if len(coefficients) == 2:
        constant, slope = (each.expr for each in coefficients)
        return Inverse(ratio(symbol(total) - constant, slope, notation))
    if len(coefficients) != 3:
        return None
    constant, linear, square = coefficients
    positive = () if is_positive(square.expr) else (square,)
    if linear == Number(0):
        return Inverse(Root(ratio(symbol(total) - constant.expr, square.expr, notation)), {}, positive)
    taken = {notation.alphabet.name_of(letter) for letter in square.letters | linear.letters | constant.letters}
    names = {
        name if name not in taken else f"{name}_0": formula for name, formula in (("a", square), ("b", linear)) if isinstance(formula, Sum)
    }
    a, b = (next((Symbol(name) for name, formula in names.items() if formula is each), each) for each in (square, linear))
    four, two = (expanded(times * a.expr, notation=notation) for times in (4, 2))
    beyond = summed(Symbol(total), *map(negated, terms_of(constant)))
    front = four.factors if isinstance(four, Product) else (four,)
    under = summed(Power(b, Number(2)) if isinstance(b, Symbol) else expanded(b.expr**2, notation=notation), multiplied(*front, beyond))
    return Inverse(Quotient(Sum((Root(under), Negative(b))), two), names, positive)


def terms_of(formula: Formula) -> tuple[Formula, ...]:
    """The terms of a sum; an empty tuple for zero, and the formula itself for anything else."""
    return formula.terms if isinstance(formula, Sum) else () if formula == Number(0) else (formula,)


def negated(term: Formula) -> Formula:
    """The term with its sign reversed."""
    return term.operand if isinstance(term, Negative) else Negative(term)

"""Sums, products and differences in per cent of formulas as a person would write them: flat, without factors of 1, and with the sign in
front.
"""

from __future__ import annotations

from collections.abc import Iterator

from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum


def summed(*terms: Formula) -> Formula:
    """The sum of the terms, with nested sums flattened. A single term is returned as it is, and an empty sum is 0."""
    flat = tuple(_flat(terms))
    return Sum(flat) if len(flat) > 1 else flat[0] if flat else Number(0)


def _flat(terms: tuple[Formula, ...]) -> Iterator[Formula]:
    for term in terms:
        yield from term.terms if isinstance(term, Sum) else (term,)


def multiplied(*factors: Formula) -> Formula:
    """The product of the factors, without factors of 1 and with the sign in front."""
    if any(factor == Number(0) for factor in factors):
        return Number(0)
    signs = sum(isinstance(factor, Negative) for factor in factors)
    plain = tuple(factor.operand if isinstance(factor, Negative) else factor for factor in factors)
    kept = tuple(factor for factor in plain if factor != Number(1))
    product = Product(kept) if len(kept) > 1 else kept[0] if kept else Number(1)
    return Negative(product) if signs % 2 else product


def relative_increase(one: Formula, other: Formula) -> Formula:
    """``one / other − 1``: by what share the first is more than the second."""
    return Sum((Quotient(one, other), Negative(Number(1))))


def relative_decrease(one: Formula, other: Formula) -> Formula:
    """``1 − one / other``: by what share the first is less than the second."""
    return Sum((Number(1), Negative(Quotient(one, other))))

"""Expressions of one place in many builds, brought into a common form: equal but for the whole numbers in them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symparam.models.traced.expressions import FAILURES, OPERATIONS, Expression, keys_of, parts

HOLE = ("hole",)
"""The placeholder for a whole number in a form."""
SUM = "sum of"
"""The operation of a sum in a form: pairs of a coefficient and a product."""
MOST_TERMS = 24


def normal_form(expression: Expression, whole: Callable[[str], bool]) -> Expression:
    """The expression with the numbers of loops in place, numbers multiplied out, and whole sums as ``(SUM, constant, (c, product), …)``.

    ``whole`` says of a setting whether it is an integer. Sums keep the order in which they were written; a term is added to an equal one
    unless it depends on an item of a list, which in another build may be another item.
    """
    if not isinstance(expression, tuple):
        return expression
    name, *operands = expression
    if name in ("key", "turn", "carried"):
        return expression
    if name == "loop":
        return operands[1]
    inside = [normal_form(each, whole) for each in operands]
    if all(isinstance(each, (int, float)) for each in inside):
        return _computed(name, inside, (name, *inside))
    if name in ("int", "floor", "ceil", "round") and len(inside) == 1 and is_whole(inside[0], whole):
        return inside[0]
    if name in ("max", "min"):
        return _extreme(name, inside)
    if name in ("+", "-", "*", "neg") and all(is_whole(each, whole) for each in inside):
        return _sum(name, inside)
    if name == "//" and isinstance(inside[1], int) and isinstance(inside[0], tuple) and inside[0][0] == "//":
        before = inside[0][2]
        if isinstance(before, int) and before > 0 and inside[1] > 0 and is_whole(inside[0][1], whole):
            return ("//", inside[0][1], before * inside[1])
    return (name, *inside)


def _extreme(name: str, operands: list[Expression]) -> Expression:
    """The largest or smallest of several, those of inner ones among them.

    ``min(2 * min(2 * size, most), most)`` is ``min(4 * size, most)``. All are taken to be positive, so that a multiple of ``most`` is not
    the smallest.
    """
    found: dict[Expression, None] = {}
    for each in operands:
        times, inner = (each[2][0], each[2][1][0]) if _is_multiple(each) else (1, each)
        for one in inner[1:] if isinstance(inner, tuple) and inner[0] == name else (None,):
            found[each if one is None else one if times == 1 else _sum("*", [times, one])] = None
    if name == "min":
        found = {each: None for each in found if not (_is_multiple(each) and each[2][0] > 1 and each[2][1][0] in found)}
    return (name, *found) if len(found) > 1 else next(iter(found))


def _is_multiple(found: Expression) -> bool:
    """Whether it is one expression times a positive number."""
    return isinstance(found, tuple) and found[0] == SUM and found[1] == 0 and len(found) == 3 and len(found[2][1]) == 1 and found[2][0] > 0


def _computed(name: str, numbers: list[Any], instead: Expression) -> Expression:
    try:
        return OPERATIONS[name](*numbers)
    except (*FAILURES, OverflowError):
        return instead


def is_whole(found: Expression, whole: Callable[[str], bool]) -> bool:
    """Whether the expression is an integer for all values of its settings."""
    if not isinstance(found, tuple):
        return isinstance(found, int) and not isinstance(found, bool)
    name, *operands = found
    if name == "key":
        return whole(operands[0])
    if name == "fold":
        return is_whole(operands[0], whole) and is_whole(operands[2], whole)
    if name in (SUM, "turn", "carried", "len", "times", "int", "floor", "ceil") or (name == "round" and len(operands) == 1):
        return True
    if name in ("item", "sum"):
        return operands[0][0] == "key" and whole(operands[0][1])
    if name == "if":
        return is_whole(operands[1], whole) and is_whole(operands[2], whole)
    return name in ("//", "%", "**", "max", "min", "abs", "gcd") and all(is_whole(each, whole) for each in operands)


def _sum(name: str, operands: list[Expression]) -> Expression:
    terms = [_terms(each) for each in operands]
    if name == "*":
        one, other = terms
        if len(one) * len(other) > MOST_TERMS:
            return ("*", *operands)
        found = [(c * d, (*a, *b)) for c, a in one for d, b in other]
    elif name == "neg":
        found = [(-c, a) for c, a in terms[0]]
    else:
        found = [*terms[0], *((c if name == "+" else -c, a) for c, a in terms[1])]
    joined: dict[Any, tuple[int, tuple[Expression, ...]]] = {}
    constant = 0
    for number, (c, product) in enumerate(found):
        if not product:
            constant += c
            continue
        of_an_item = any(isinstance(each, tuple) and each[0] == "item" for factor in product for each in parts(factor))
        key = number if of_an_item else product
        joined[key] = (joined[key][0] + c if key in joined else c, product)
    left = [(c, product) for c, product in joined.values() if c]
    return (SUM, constant, *left) if left else constant


def _terms(found: Expression) -> list[tuple[int, tuple[Expression, ...]]]:
    if isinstance(found, int):
        return [(found, ())]
    if found[0] == SUM:
        return [*([(found[1], ())] if found[1] else []), *found[2:]]
    return [(1, (found,))]


def template_of(found: Expression, holes: list[int]) -> Expression:
    """The form of an expression in normal form; its whole numbers are added to ``holes`` in order."""
    if isinstance(found, int) and not isinstance(found, bool):
        holes.append(found)
        return HOLE
    if not isinstance(found, tuple) or found[:1] == ("key",):
        return found
    return tuple(each if isinstance(each, str) else template_of(each, holes) for each in found)


def instantiated(form: Expression, numbers: list[Expression]) -> Expression:
    """The expression of a form, with these expressions for its whole numbers in order."""
    if form == HOLE:
        return numbers.pop(0)
    if not isinstance(form, tuple) or form[:1] == ("key",):
        return form
    if form[:1] != (SUM,):
        return tuple(each if isinstance(each, str) else instantiated(each, numbers) for each in form)
    constant = instantiated(form[1], numbers)
    found: Expression = None
    for term in form[2:]:
        factor = instantiated(term[0], numbers)
        product: Expression = None if factor == 1 else factor
        for each in term[1]:
            inner = instantiated(each, numbers)
            product = inner if product is None else ("*", product, inner)
        negative = isinstance(product, tuple) and product[0] == "*" and isinstance(product[1], int) and product[1] == -1
        added = ("-", found, product[2]) if negative else ("+", found, product)
        found = product if found is None else added
    if constant == 0:
        return found
    if isinstance(constant, int) and constant < 0:
        return ("-", found, -constant)
    return ("+", found, constant)


def is_informative(expression: Expression) -> bool:
    """Whether the expression says more than its value."""
    return isinstance(expression, tuple) and bool(keys_of(expression))


def power_of_two(value: int) -> int | None:
    """``n`` where the value is ``2ⁿ``."""
    return value.bit_length() - 1 if value > 0 and value & (value - 1) == 0 else None

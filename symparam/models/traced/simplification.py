"""Conditions reduced to those that can fail: neither true of all whole numbers nor implied by the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import gcd, lcm, prod

from symparam.models.traced.expressions import CannotEvaluateError, Expression, evaluate, keys_of, negated, replaced

_ARITHMETIC = ("+", "-", "*", "//", "%", "**", "exact")
_ROUNDING = ("int", "floor", "ceil", "round")
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def simplified(expression: Expression) -> Expression:
    """The expression with numbers and comparisons of numbers worked out, without cases that do not occur, quotients by 1 or products
    with 1, and with ``x // n * n == x`` as a remainder of 0.
    """
    if not isinstance(expression, tuple) or expression[0] in ("key", "at", "loop"):
        return expression
    name, *operands = expression[0], *map(simplified, expression[1:])
    if name in (*_ARITHMETIC, *COMPARISONS) and all(type(each) is int for each in operands):
        try:
            return evaluate((name, *operands), {})
        except CannotEvaluateError:
            return (name, *operands)
    if name == "if" and isinstance(operands[0], bool):
        return operands[1 if operands[0] else 2]
    one = next((at for at, each in enumerate(operands) if type(each) is int and each == 1), None)
    if len(operands) == 2 and ((one == 1 and name in ("//", "exact", "*")) or (one == 0 and name == "*")):
        return operands[1 - one]
    if name in ("==", "!="):
        for product, whole in (operands, operands[::-1]):
            if (divisor := _multiplied_back(product, whole)) is not None:
                return (name, ("%", whole, divisor), 0)
    return (name, *operands)


def _multiplied_back(product: Expression, whole: Expression) -> Expression | None:
    """The divisor by which the whole is divided, rounded down and multiplied again: 4 in ``x // 4 * 4``."""
    if isinstance(product, tuple) and product[0] == "*" and len(product) == 3:
        for quotient, factor in (product[1:], product[:0:-1]):
            if isinstance(quotient, tuple) and quotient == ("//", whole, factor):
                return factor
    return None


def whole_settings(settings: Mapping[str, object]) -> frozenset[str]:
    """The settings that are whole numbers, or lists of them."""
    items = {path: value if isinstance(value, list) else [value] for path, value in settings.items()}
    return frozenset(path for path, each in items.items() if all(type(item) is int for item in each))


def reduced(conditions: Iterable[Expression], whole: frozenset[str], positive: frozenset[str] = frozenset()) -> tuple[Expression, ...]:
    """The conditions that can fail, where ``whole`` are the settings that are whole numbers in any case, and ``positive`` those of them
    that are at least 1.

    Several conditions that one expression is a multiple of different numbers become one, and a condition on settings whose values are
    required by other conditions is left out.
    """
    shorter: list[Expression] = []
    for each in (_cancelled(simplified(found), positive) for found in conditions):
        if each is not True and each not in shorter:  # They may hold lists, which have no hash.
            shorter.append(each)
    fixed = frozenset(each[1][1] for each in shorter if fixes(each))
    lengths = {each[1][1][1]: each[2] for each in shorter if _fixes_length(each)}
    left = [each for each in shorter if fixes(each) or not (keys_of(each) and keys_of(each) <= fixed)]
    left = [each for each in left if _fixes_length(each) or simplified(_with_lengths(each, lengths)) is not True]
    known = [each for each in left if not _is_compound(each)]
    values = {each[1][1]: each[2] for each in known if fixes(each)}
    settled = [_settled(simplified(_with_lengths(each, lengths)), known, values) if _is_compound(each) else each for each in left]
    left = [each for each in settled if each is not True]
    left = [each for each in left if not _divides_by_its_quotient(each, left)]
    wholes = [product for each in left if (product := _required_whole(each)) is not None]
    left = [each for each in left if not _is_multiple_of_whole(each, wholes)]
    multiples: dict[Expression, int] = {}
    for each in left:
        if (found := _multiple(each)) is not None:
            number, of = found
            multiples[number] = lcm(multiples.get(number, 1), of)
    return tuple(_joined(left, multiples, whole))


def _joined(conditions: Iterable[Expression], multiples: dict[Expression, int], whole: frozenset[str]) -> Iterator[Expression]:
    for each in conditions:
        found = _multiple(each)
        if found is None:
            if not (_always_divides(each, whole) or _rounds_what_is_whole(each, whole)):
                yield each
        elif divisor := multiples.pop(found[0], None):
            factor = _factor(found[0], whole)
            if factor == 0 or factor % divisor:
                yield ("==", ("%", found[0], divisor), 0)


def fixes(condition: Expression) -> bool:
    """Whether the condition gives a setting its only value."""
    plain = isinstance(condition, tuple) and condition[0] == "==" and not isinstance(condition[2], tuple)
    return plain and isinstance(condition[1], tuple) and condition[1][0] == "key"


def _fixes_length(condition: Expression) -> bool:
    """Whether the condition gives the length of a list."""
    if not isinstance(condition, tuple) or condition[0] != "==" or type(condition[2]) is not int:
        return False
    return isinstance(condition[1], tuple) and condition[1][0] == "len" and condition[1][1][0] == "key"


def _with_lengths(condition: Expression, lengths: Mapping[str, int]) -> Expression:
    """The condition with these lengths of lists; that one is not empty is true of a length, too."""
    if isinstance(condition, tuple) and condition[0] == "truth" and condition[1][:1] == ("key",) and condition[1][1] in lengths:
        return lengths[condition[1][1]] > 0
    return replaced(condition, lambda part: lengths.get(part[1][1]) if part[0] == "len" and part[1][0] == "key" else None)


def _divides_by_its_quotient(condition: Expression, known: Iterable[Expression]) -> bool:
    """Whether a number has to be divisible by what is left of it after a division that is known to be exact: ``H % (H // h)``."""
    found = _remainder(condition)
    if found is None or not isinstance(found[1], tuple) or found[1][0] not in ("//", "exact") or found[1][1] != found[0]:
        return False
    return ("==", ("%", found[0], found[1][2]), 0) in known


def _remainder(condition: Expression) -> tuple[Expression, Expression] | None:
    """The dividend and the divisor in a condition that the remainder is 0."""
    if isinstance(condition, tuple) and condition[0] == "==" and condition[2] == 0 and condition[2] is not False:
        inner = condition[1]
        return (inner[1], inner[2]) if isinstance(inner, tuple) and inner[0] == "%" else None
    return None


def _multiple(condition: Expression) -> tuple[Expression, int] | None:
    """The expression that has to be a multiple of a number, and this number."""
    found = _remainder(condition)
    if found is None or isinstance(found[1], bool) or not isinstance(found[1], int) or found[1] < 1:
        return None
    return found[0], found[1]


def _always_divides(condition: Expression, whole: frozenset[str]) -> bool:
    """Whether a whole number has to be divisible by one of its own factors."""
    found = _remainder(condition)
    return found is not None and isinstance(found[1], tuple) and found[1] in _factors(found[0]) and _factor(found[0], whole) > 0


def _rounds_what_is_whole(condition: Expression, whole: frozenset[str]) -> bool:
    """Whether a whole number has to be the one that it is rounded to: ``floor(width * 1.0) == width * 1.0``."""
    if not isinstance(condition, tuple) or condition[0] != "==" or not isinstance(condition[1], tuple):
        return False
    return condition[1] in ((name, condition[2]) for name in _ROUNDING) and _factor(condition[2], whole) > 0


def _is_compound(condition: Expression) -> bool:
    return isinstance(condition, tuple) and condition[0] in ("and", "or", "not")


def _settled(condition: Expression, known: Sequence[Expression], values: Mapping[str, object]) -> Expression:
    """What other conditions that are ``known``, and settings that have one value, leave of a condition: ``width > 0 or deep`` is true where
    ``width > 0`` is, and ``deep`` where ``deep`` is required to be true.
    """
    if isinstance(condition, bool) or not isinstance(condition, tuple):
        return condition
    if _is_compound(condition):
        inside = [_settled(each, known, values) for each in condition[1:]]
        open_ones = [each for each in inside if not isinstance(each, bool)]
        if condition[0] == "not":
            return ("not", *open_ones) if open_ones else not inside[0]
        decisive = condition[0] == "or"
        if not open_ones or any(each is decisive for each in inside):
            return decisive if any(each is decisive for each in inside) else not decisive
        return open_ones[0] if len(open_ones) == 1 else (condition[0], *open_ones)
    if condition in known or negated(condition) in known:
        return condition in known
    if not keys_of(condition) or not keys_of(condition) <= values.keys():
        return condition
    try:
        return bool(evaluate(condition, values))
    except CannotEvaluateError:
        return condition


def _required_whole(condition: Expression) -> tuple[int, list[Expression]] | None:
    """The number and the other factors of a product that has to be whole: ``int(4 * width * ratio) == 4 * width * ratio``."""
    if not isinstance(condition, tuple) or condition[0] != "==" or condition[1] not in ((name, condition[2]) for name in _ROUNDING):
        return None
    factors = [*_factors(condition[2])]
    return prod(each for each in factors if type(each) is int), sorted((each for each in factors if type(each) is not int), key=str)


def _is_multiple_of_whole(condition: Expression, wholes: Iterable[tuple[int, list[Expression]]]) -> bool:
    """Whether a product has to be whole that is a multiple of another one that is."""
    own = _required_whole(condition)
    return own is not None and any(own[1] == of and own[0] != number and number and own[0] % number == 0 for number, of in wholes)


def _cancelled(condition: Expression, positive: frozenset[str]) -> Expression:
    """A comparison of two products of positive numbers without what they share: ``expansion == 1`` for ``width == width * expansion``. True
    where the products have to differ, as ``width`` and ``4 * width * expansion``.
    """
    if not isinstance(condition, tuple) or condition[0] not in ("==", "!="):
        return condition
    sides = [_multiple_of_settings(each) for each in condition[1:]]
    (one, of_one), (other, of_other) = sides
    if 0 in (one, other) or not {*of_one, *of_other} <= positive or not {*of_one, *of_other}:
        return condition
    common = Counter(of_one) & Counter(of_other)
    factor = gcd(one, other)
    left = [(number // factor, [*(Counter(of) - common).elements()]) for number, of in sides]
    for (number, of), (multiple, _) in (left, left[::-1]):
        if not of and number % multiple:
            return condition[0] == "!="
    if not common and factor == 1:
        return condition
    return simplified((condition[0], *(_product(number, of) for number, of in sorted(left, key=lambda side: not side[1]))))


def _product(number: int, of: Iterable[str]) -> Expression:
    found: Expression = number
    for each in of:
        found = ("*", found, ("key", each))
    return found


def _multiple_of_settings(expression: Expression) -> tuple[int, list[str]]:
    """The number and the settings of a product; no settings if it is something else."""
    number, settings = 1, []
    for each in _factors(expression):
        if type(each) is int:
            number *= each
        elif isinstance(each, tuple) and each[0] == "key":
            settings.append(each[1])
        else:
            return 0, []
    return number, sorted(settings)


def _factors(expression: Expression) -> Iterator[Expression]:
    if isinstance(expression, tuple) and expression[0] == "*":
        for operand in expression[1:]:
            yield from _factors(operand)
    else:
        yield expression


def _factor(expression: Expression, whole: frozenset[str]) -> int:
    """A number that divides the value of the expression for all whole numbers; 0 where the value may be no whole number."""
    if isinstance(expression, (int, float)) and not isinstance(expression, bool):
        return abs(int(expression)) if int(expression) == expression else 0
    if not isinstance(expression, tuple):
        return 0
    name, *operands = expression
    if name == "if":
        return gcd(*cases) if all(cases := [_factor(each, whole) for each in operands[1:]]) else 0
    if name == "key":
        return 1 if operands[0] in whole else 0
    if name == "item":
        return 1 if isinstance(operands[0], tuple) and operands[0][0] == "key" and operands[0][1] in whole else 0
    if name in (*_ROUNDING, "len"):
        return 1
    inside = [_factor(each, whole) for each in operands]
    if name == "**" and inside[0] and isinstance(operands[1], int) and operands[1] > 0:
        return int(inside[0] ** operands[1])
    if 0 in inside:
        return 0
    if name == "*":
        return inside[0] * inside[1]
    if name in ("+", "-"):
        return gcd(*inside)
    if name in ("//", "exact") and isinstance(operands[1], int) and inside[0] % operands[1] == 0:
        return inside[0] // operands[1]
    return 1 if name in ("//", "%", "at") else 0

"""Reasons why two unequal sides may not be meant as equal: what they measure, what they consist of, and what an omitted unit could change.

Nothing here decides that a claim holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Formula, Negative, Number, Power, Product, Quotient, Sum, Symbol, number
from symparam.core.message import Message, message
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.unit_senses import PURE, Dimension, combined_dimensions

_MOST = 16  # Possible dimensions of one formula that are kept.
_SHAPE = re.compile(r"\s*+\[(?=[^\]x×,*]*+[x×,*])[\s\w,×*]*+\]\s*+")
_SIZES = re.compile(r"\s*\[[\s\w,×*]*\]\s*")
_BETWEEN_SHAPES = re.compile(r"(?<=\])\s*[x×*@·]\s*(?=\[)")
_SCALES = tuple(Fraction(base) ** power for base in (1000, 1024) for power in (-5, -4, -3, -2, -1, 1, 2, 3, 4, 5))
_LARGER = tuple(scale for scale in _SCALES if scale > 1)
_SLACK = Fraction(1, 20)
_BYTES = (Fraction(1, 2), 2, 4, 8)  # Of one number.
FEWEST_DIGITS = 3
"""How many digits have to be right for a number to have another prefix and nothing else wrong."""
_FEW = 1000  # A number this small may count billions.
_NEARLY = Fraction(1, 1000)  # The tolerance for a number without its scale, which is usually rounded on the way.


def dimensions(side: Expression) -> frozenset[Dimension]:
    """The dimensions that the side may have; a pure number may be in any unit, since authors omit units."""
    return _dimensions(side.formula, dict(side.literals))


def _dimensions(formula: Formula, literals: dict[str, Literal]) -> frozenset[Dimension]:
    match formula:
        case Symbol(letter):
            unit = literals[letter].unit if letter in literals else None
            return unit.dimensions if unit is not None else PURE
        case Negative(operand):
            return _dimensions(operand, literals)
        case Sum(terms):
            measured = [found for term in terms if (found := _dimensions(term, literals)) != PURE]
            return frozenset.intersection(*measured) or measured[0] if measured else PURE
        case Product(factors):
            found = PURE
            for factor in factors:
                found = combined_dimensions(found, _dimensions(factor, literals))
                if len(found) > _MOST:
                    return PURE
            return found
        case Quotient(numerator, denominator):
            return combined_dimensions(_dimensions(numerator, literals), _dimensions(denominator, literals), -1)
        case Power(base, _) if _dimensions(base, literals) != PURE:
            return frozenset()
    return PURE


def differs_in_kind(left: Expression, right: Expression) -> bool:
    """Whether the sides measure different things, such as bytes and seconds, whatever units are omitted."""
    if not left.literals or not right.literals or left.letters or right.letters:
        return False
    first, second = dimensions(left), dimensions(right)
    return () not in first | second and not first & second


def without_unit_of_quotient(left: Expression, right: Expression) -> Expression | None:
    """The left side without the unit behind its last divisor, if that is the unit of the result: ``14e9 / 1024^3 GB = 13 GB``."""
    measured = [(letter, literal) for letter, literal in left.literals.items() if literal.unit is not None]
    stated = right.literal
    if len(measured) != 1 or stated is None or stated.unit is None or not isinstance(left.formula, Quotient):
        return None
    [(letter, literal)] = measured
    if literal.unit is None or literal.unit.counted != stated.unit.counted or letter not in left.formula.denominator.letters:
        return None
    others = {name: each for name, each in left.literals.items() if name != letter}
    if literal.value == int(literal.value):
        return left._replace(formula=left.formula.substitute({letter: number(int(literal.value))}), literals=others)
    return left._replace(literals={**others, letter: replace(literal, unit=None)})


def restatement_reason(left: Expression, right: Expression) -> Message | None:
    """The reason why a right side that is not a single number does not follow from the left one: they have no numbers in common."""
    if right.is_number or right.letters:
        return None
    if left.letters:
        return message("own-numbers")
    kinds = {type(each.formula) for each in (left, right)}
    if (kinds == {Product} or (Quotient in kinds and not left.is_number)) and not set(numbers_in(left)) & set(numbers_in(right)) - {0, 1}:
        return message("no-step")
    return None


def in_per_cent(left: Expression, found: Fraction | None, stated: Fraction | None) -> bool:
    """Whether the right side is a percentage without its sign: ``996/1000 = 99.6``, ``50% × 50% = 25``."""
    shares = any(each.unit and each.unit.written == "%" for each in left.literals.values())
    if not (shares or isinstance(left.formula, Quotient)) or not found or not stated:
        return False
    return 0 < found <= 1 <= stated and abs(100 * found - stated) <= _SLACK


def is_gain(left: Expression, right: Expression, found: Fraction | None, stated: Fraction | None) -> bool:
    """Whether the right side is the relative increase, ``4.8/3.35 = 43%``, or the share that the second number is of the first, where they
    are a pair: ``drafted/accepted = 100/84 = 84 %``.
    """
    literal = right.literal
    if not isinstance(left.formula, Quotient) or literal is None or literal.unit is None or literal.unit.written != "%":
        return False
    if not found or stated is None:
        return False
    return any(abs(each - abs(stated)) * 100 <= literal.last_digit for each in (abs(found - 1), abs(1 / found)))


def is_shape(written: str) -> bool:
    """Whether the text is the shape of a tensor, ``[17x4096]``, or a product of two shapes."""
    groups = _BETWEEN_SHAPES.split(written)
    return "[" in written and any(map(_SHAPE.fullmatch, groups)) and all(map(_SIZES.fullmatch, groups))


def _is_scaled(found: Fraction, stated: Fraction) -> bool:
    return any(abs(stated / found / step - 1) <= _SLACK for step in _SCALES)


def significant_digits(literal: Literal) -> int:
    """How many digits of a number are shown, without zeros at its ends."""
    return len(str(literal.value / literal.last_digit).strip("0"))


def other_units_reason(left: Expression, right: Expression, found: Fraction | None) -> Message | None:
    """Why a number without a unit may equal the other side with one: they agree but for an omitted scale, or one counts elements and the
    other bytes.
    """
    literal = right.literal
    unit = literal.unit if literal is not None else None
    if literal is None or unit is None or not found or found * literal.value <= 0:
        return None
    named = {each.unit.written for each in left.literals.values() if each.unit} - {"%"}  # A share of what the other number measures.
    stated = Fraction(literal.value * unit.senses[0])
    if unit.counted == "bytes" and "B" in named and _is_scaled(found, stated):
        return message("maybe-scale", unit=unit.written)  # 70B × 0.5B, billions of numbers and bytes of each
    if unit.counted == "bytes" and stated == found * unit.senses[0] and any(0 < value < _FEW for value in _plain(left)):
        return message("maybe-scale", unit=unit.written)  # 4 bytes × 7 = 28 GB
    measured = any(each.unit.counted for each in left.literals.values() if each.unit)
    if measured or (named and any(value in _BYTES for value in _plain(left))):
        return None
    slack = literal.last_digit / abs(Fraction(2 * literal.value))

    def is_near(steps: Iterable[int | Fraction], least: Fraction = slack) -> bool:
        ratios = [abs(Fraction(literal.value * sense) / found) for sense in unit.senses]
        # Rounded, or cut off.
        return any(-max(2 * slack, least) < ratio / step - 1 <= max(slack, least) for ratio in ratios for step in steps)

    if unit.counted == "seconds" and isinstance(left.formula, (Product, Sum)) and not left.literals:
        return message("other-kind")  # 25 × 1280 = 2 s of samples, 9 - 5 = 8 hours
    if unit.counted == "bytes" and is_near(_BYTES):
        return message("maybe-elements")
    # Operands without a unit may count thousands, 70 × 2 = 140 GB, but not thousandths, other than those of a second.
    scales = _SCALES if unit.counted == "seconds" or significant_digits(literal) < FEWEST_DIGITS else _LARGER
    if not named and (unit.senses[0] != 1 or unit.counted == "seconds") and is_near(scales, _NEARLY):
        return message("maybe-scale", unit=unit.written)
    return None


def _plain(side: Expression) -> Iterator[int | Fraction]:
    """The numbers of the formula that have no unit."""
    waiting = [side.formula]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, Number):
            yield formula.value
        waiting += formula.parts


def numbers_in(side: Expression) -> list[int | Fraction]:
    """The numbers of the formula, without their units."""
    found: list[int | Fraction] = []
    waiting = [side.formula]
    while waiting:
        formula = waiting.pop()
        if isinstance(formula, Number):
            found.append(formula.value)
        elif isinstance(formula, Symbol) and formula.letter[0] == PLACEHOLDER and formula.letter in side.literals:
            found.append(side.literals[formula.letter].value)
        waiting += formula.parts
    return found

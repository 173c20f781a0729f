"""The possible meanings of the units in a claim: M as 10⁶ or 2²⁰, B as billions or bytes, GB as a unit that the left side is already in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product

from symparam.core.formula import Formula, Negative, Number, Product, Quotient, Sum, Symbol
from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.reading.unit_senses import PURE, Dimension, Unit, combined_dimensions
from symparam.documents.rules.rule import in_force

Senses = Mapping[str, Fraction]
"""For each unit as written the factor that it stands for; "" is the factor of a right side without a unit."""

_MOST_UNITS = 4  # Units of one claim that are varied; others keep their usual sense.


@frozen
class ClaimSide:
    """One side of a claim, ready to be evaluated: a formula of numbers and literals."""

    formula: Formula
    literals: Mapping[str, Literal]
    noun: str = ""

    @property
    def units(self) -> tuple[str, ...]:
        """The units of its literals, each once."""
        return tuple(dict.fromkeys(literal.unit.written for literal in self.literals.values() if literal.unit))

    @property
    def literal(self) -> Literal | None:
        """The literal with its sign, if the side is a single one."""
        if isinstance(self.formula, Negative) and isinstance(self.formula.operand, Symbol):
            found = self.literals.get(self.formula.operand.letter)
            return found and replace(found, value=-found.value)
        return self.literals.get(self.formula.letter) if isinstance(self.formula, Symbol) else None

    @property
    def counted(self) -> str:
        """What its literals count, if they all count the same."""
        found = {literal.unit.counted for literal in self.literals.values() if literal.unit}
        return found.pop() if len(found) == 1 else ""

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """What it may measure; empty if its units do not tell."""
        return self._dimensions(self.formula)

    def _dimensions(self, formula: Formula) -> frozenset[Dimension]:
        match formula:
            case Symbol(letter):
                literal = self.literals.get(letter)
                return literal.unit.dimensions if literal and literal.unit else PURE
            case Number():
                return PURE
            case Product(factors):
                return reduce(combined_dimensions, map(self._dimensions, factors))
            case Quotient(numerator, denominator):
                return combined_dimensions(self._dimensions(numerator), self._dimensions(denominator), -1)
            case Sum(terms):
                first, *others = map(self._dimensions, terms)
                return first if all(each == first for each in others) else frozenset()
        return frozenset()

    @property
    def digits(self) -> int:
        """The smallest number of digits of a literal, which limits the precision of the side."""
        return min((literal.digits for literal in self.literals.values()), default=0)


def side_of(expression: Expression) -> ClaimSide:
    """The side that an expression is."""
    return ClaimSide(expression.formula, expression.literals, expression.nouns[-1] if expression.nouns else "")


def unit_readings(left: ClaimSide, right: ClaimSide) -> Iterator[tuple[dict[str, Fraction], tuple[Message, ...]]]:
    """The senses of the units to try, the usual ones first, each with the remark to make about it."""
    units = {literal.unit.written: literal.unit for each in (left, right) for literal in each.literals.values() if literal.unit}
    usual = {name: unit.senses[0] for name, unit in units.items()}
    yield from _in_all_senses(left, right, units, usual)
    scales = [name for name in units if name != "%" and usual[name] != 1]
    own = [name for name in scales if name not in left.units]
    is_plain = set(left.units) <= {"%"}  # A percentage of a number has its unit.
    # If both sides have scales of their own, 7 billion and 14 MB, only a division can lead from one to the other.
    if own and in_force("unit-of-result") and (is_plain or _divides(left.formula)):
        yield usual | dict.fromkeys(own, Fraction(1)), (_of("unit-of-result", own),)
        if "B" in left.units and right.counted == "bytes":  # 80 × 10⁹ B / 1024³ = 74.5 GiB
            yield usual | dict.fromkeys((*own, "B"), Fraction(1)), (_of("unit-of-result", own), _read_as("B", Fraction(1)))
    # 8 × 80 GB = 640.
    converts = bool(own) and bool(left.units) and _converts(left.formula)
    is_ratio = set(right.units) == {"%"} and _divides(left.formula)  # 32.2 / 39.2 TB = 82.1 %.
    is_of_unit = converts or is_ratio or not right.units or bool(set(right.units) & set(left.units) & set(scales))
    if scales and in_force("only-the-unit") and is_of_unit:
        yield usual | dict.fromkeys(scales, Fraction(1)), (_of("only-the-unit", scales),)
    is_scaled = right.literal is not None and right.literal.last_digit < 1 and right.literal.value != 0  # A zero has any scale.
    if is_scaled and not right.units and in_force("right-counts-in"):
        yield from ((usual | {"": scale}, (message("right-counts-in", scale=sense_text(scale)),)) for scale in _powers((1000, 1024), 4))
    if right.counted == "bytes" and scales and is_plain and not left.counted and in_force("left-in-smaller-unit"):
        # Nothing is smaller than a byte.
        for scale in (each for each in _powers((1024, 1000), 2) if all(each < usual[name] for name in scales)):
            smaller = message("left-in-smaller-unit", units=tuple(scales), scale=sense_text(scale))
            yield usual | dict.fromkeys(scales, scale), (smaller,)
    if left.counted == "bytes" and not right.units and in_force("right-counts-in-bytes"):
        bases = (1024,) if left.literal else (1000, 1024)
        yield from ((usual | {"": scale}, (message("right-counts-in-bytes", scale=sense_text(scale)),)) for scale in _powers(bases, 3))
    if "%" in units and not left.units and in_force("left-in-per-cent"):
        yield usual | {"%": Fraction(1)}, (message("left-in-per-cent"),)


def _in_all_senses(
    left: ClaimSide, right: ClaimSide, units: Mapping[str, Unit], usual: dict[str, Fraction]
) -> Iterator[tuple[dict[str, Fraction], tuple[Message, ...]]]:
    """The usual senses and then all others, but not one in which a unit is a mere name though both sides measure what it does, or in which
    two scales of the left side are powers of different numbers.
    """
    names = sorted(units)[:_MOST_UNITS]
    most = None if in_force("other-sense") else 1
    measured = {units[name].counted for name in right.units} if left.dimensions & right.dimensions else set[str]()
    together = [name for name in left.units if {_is_binary(each) for each in units[name].senses if each != 1} == {False, True}]
    for chosen in product(*(units[name].senses[:most] for name in names)):
        senses = usual | dict(zip(names, chosen, strict=True))
        if len({_is_binary(senses[name]) for name in together}) > 1:
            continue
        if any(sense == 1 != usual[name] and units[name].counted in measured - {""} for name, sense in senses.items()):
            continue
        unusual = ((name, sense) for name, sense in senses.items() if sense != usual[name])
        yield senses, tuple(_read_as(name, sense) for name, sense in unusual)


def _is_binary(sense: Fraction) -> bool:
    """Whether it is a power of two, or an eighth of one."""
    return all(part & (part - 1) == 0 for part in sense.as_integer_ratio())


def _powers(bases: tuple[int, ...], most: int) -> Iterator[Fraction]:
    return (Fraction(base**power) for base in bases for power in range(1, most + 1))


def _of(kind: str, units: list[str]) -> Message:
    return message(kind if len(units) == 1 else f"{kind}-of-several", units=tuple(units))


def _read_as(unit: str, sense: Fraction) -> Message:
    unit = unit.strip()
    return message("unit-as-name", unit=unit) if sense == 1 else message("unit-read-as", unit=unit, sense=sense_text(sense))


def _divides(formula: Formula) -> bool:
    """Whether the formula divides, as it does to convert to another unit."""
    return isinstance(formula, Quotient) or any(_divides(part) for part in formula.parts)


def _converts(formula: Formula) -> bool:
    """Whether the formula multiplies by the ratio of two units: ``0.5 GB × 1024 = 512 MB``."""
    return any(isinstance(part, Number) and part.value in _BETWEEN_UNITS for part in formula.parts)


_BETWEEN_UNITS = frozenset({1000, 1024, 10**6, 2**20, 10**9, 2**30})


def sense_text(sense: Fraction) -> str:
    """``10⁶``, ``2²⁰``, or the number as it is."""
    power = sense.numerator.bit_length() - 1
    if sense == 2**power:
        return "2" + str(power).translate(_RAISED)
    zeros = len(str(sense)) - len(str(sense).rstrip("0"))
    return "10" + str(zeros).translate(_RAISED) if sense == 10**zeros else str(sense)


_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")

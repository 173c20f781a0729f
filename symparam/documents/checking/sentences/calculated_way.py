"""A way to calculate a number of a sentence from others, and what it may be calculated from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from symparam.core.formula import Negative, Sum
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.sentences.operand_calculations import Calculation, added, divided, left, multiplied, product_of, raised
from symparam.documents.checking.sentences.operands import CountBeside, Operand

_WIDE = 30  # The factor by which a calculated number may differ from the stated one.
_CLOSE = 1.1  # The largest factor that rounding may explain.
_KWH = 3_600_000
_NOISE = 1e-9  # Of floats.
_ONCE, _HOURS = (1,), (1, 1 / 3600, 3600, 1 / _KWH)
_SPANS = (60, 3600, 86400)
_RATIOS = (*(1.024**power for power in range(-3, 4)), *_SPANS, 8, *(1 / each for each in (*_SPANS, _KWH, 8)))


@frozen
class Way:
    """A way to calculate a number. ``size`` is its result as a float; the calculation itself is made only if that is near the number.
    ``tries`` is how many such calculations are compared with the number, ``announced`` says that words name this one, ``linked`` that its
    operands belong together, by their dimensions or by what they count, and ``allowed`` that nothing else has the dimension of the number,
    or that words say that it follows from what stands before it.
    """

    size: float
    operands: tuple[Operand, ...]
    form: Callable[..., Calculation]
    tries: int = 1
    announced: bool = False
    linked: bool = False
    allowed: bool = False

    @cached_property
    def calculation(self) -> Calculation:
        """The calculation with its operands."""
        return self.form(*self.operands)

    @property
    def is_sum(self) -> bool:
        """Whether it is a sum of operands."""
        formula = self.calculation.side.formula
        return isinstance(formula, Sum) and not any(isinstance(each, Negative) for each in formula.parts)

    def adds_nothing_to(self, stated: Operand) -> bool:
        """Whether it adds or subtracts what the digits of the number do not show: 16 bytes and 208 GB."""
        return self.form in (added, left) and any(2 * each.size < stated.last_digit for each in self.operands)

    @property
    def adds_twice(self) -> bool:
        """Whether it adds a sum and what that adds up: 2.1, 2.0 and their total 4.1."""
        largest = max((each.size for each in self.operands), default=0.0)
        return self.form is added and len(self.operands) > 2 and abs(2 * largest - self.size) <= _NOISE * self.size

    def may_be(self, stated: Operand) -> bool:
        """Whether its value is of the order of the stated number, so that the number may be meant as its result."""
        return is_of_order(self.size, stated)

    def is_near(self, stated: Operand) -> bool:
        """Whether its value may be the stated number, whatever the units stand for."""
        return is_close(self.size, stated)


def is_of_order(size: float, stated: Operand) -> bool:
    """Whether a value is of the order of the stated number."""
    ratio = size / stated.size
    return any(1 < ratio * each * _WIDE < _WIDE**2 for each in (_HOURS if stated.is_timed else _ONCE))


def is_close(size: float, stated: Operand) -> bool:
    """Whether a value may be the stated number, whatever the units stand for."""
    ratio = size / stated.size
    return any(1 / _CLOSE < ratio * each < _CLOSE for each in _RATIOS)


@frozen
class Known:
    """What a number may follow from, the nearest first: the operands in its sentence, those that the sentence names, those before it, and
    the counts. ``stated`` are all operands before the sentence, equal ones included, as each is a part of a sum; ``formulas`` are the
    values of formulas, each with whether the sentence names it, ``above`` is the text before the sentence, and ``later`` are the operands
    behind the number, of which a total may be the sum as well. Only a comma or a bracket is between the one ``beside`` and the number.
    """

    here: Sequence[Operand]
    named: Sequence[Operand]
    before: Sequence[Operand]
    counts: Sequence[CountBeside]
    stated: Sequence[Operand] = ()
    formulas: Sequence[tuple[Operand, bool]] = ()
    above: str = ""
    later: Sequence[Operand] = ()
    beside: Operand | None = None

    @property
    def others(self) -> tuple[Operand, ...]:
        """All operands."""
        return (*self.here, *self.named, *self.before)


def announced(way: Way) -> Way:
    """The way, as words name it."""
    return replace(way, announced=True)


def times(fraction: Fraction, one: Operand) -> Way:
    """``fraction × one``."""
    return Way(float(fraction) * one.size, (one,), partial(multiplied, fraction))


def changed(one: Operand, share: Operand, sign: int) -> Way:
    """``one × (1 ± share)``."""
    return Way(one.size * (1 + sign * share.size), (one, share), partial(raised, sign))


def product(one: Operand, other: Operand) -> Way:
    """``one × other``."""
    return Way(one.size * other.size, (one, other), product_of)


def quotient(one: Operand, other: Operand) -> Way:
    """``one / other``."""
    return Way(one.size / other.size, (one, other), divided)


def sum_of(parts: Sequence[Operand]) -> Way:
    """The sum of the parts."""
    return Way(sum(each.size for each in parts), tuple(parts), added)


def difference(whole: Operand, parts: Sequence[Operand]) -> Way:
    """``whole − part − …``."""
    return Way(whole.size - sum(each.size for each in parts), (whole, *parts), left)

"""The numbers that a document states, and how a message refers to them."""

from __future__ import annotations

from fractions import Fraction

from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Argument, Message, message

MAX_NEARBY = 60  # Numbers of other lines that are tried together; more would fit any gap by chance.


@frozen
class StatedNumber:
    """A number that the document states, with the author's words beside it, if any.

    ``right`` is the value of the expression beside it, if there is one; it is needed to prove that two results are swapped.
    """

    label: str
    value: int | Fraction
    line: int
    right: int | Fraction | None = None

    @property
    def reference(self) -> Message:
        """How a message refers to it."""
        return line_reference(self.line, self.label, self.value)


@frozen
class OtherNumbers:
    """The numbers stated outside of the line that is explained, indexed by value."""

    stated: tuple[StatedNumber, ...]
    line: int

    @cached_property
    def nearest(self) -> tuple[StatedNumber, ...]:
        """The statements of other lines, each value once, at its nearest occurrence."""
        found: dict[int | Fraction, StatedNumber] = {}
        for each in sorted((each for each in self.stated if each.line != self.line), key=lambda each: abs(each.line - self.line)):
            found.setdefault(each.value, each)
        return tuple(found.values())

    @cached_property
    def by_value(self) -> dict[int | Fraction, StatedNumber]:
        return {each.value: each for each in self.nearest}

    @cached_property
    def parts(self) -> dict[int | Fraction, StatedNumber]:
        """The numbers that are specific enough to be recognised in a gap: 2,360,064 and 768, but neither 12 nor 512."""
        return {value: each for value, each in self.by_value.items() if is_specific(value)}

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The integers that may count copies: 12 layers, 24 heads."""
        return tuple(int(each.value) for each in self.nearest if each.value.denominator == 1 and 2 <= each.value <= 200)[:MAX_NEARBY]


def is_specific(value: int | Fraction) -> bool:
    """Whether a match with this number is significant: small numbers and powers of two occur everywhere."""
    return value >= 1000 or (value >= 100 and not _is_power_of_two(value))


def _is_power_of_two(value: int | Fraction) -> bool:
    return value.denominator == 1 and value.numerator & (value.numerator - 1) == 0


def int_if_whole(value: int | Fraction) -> int | Fraction:
    """The number, as an ``int`` if it is whole."""
    return value.numerator if value.denominator == 1 else value


def absolute_value(value: int | Fraction) -> int | Fraction:
    """The absolute value; ``abs`` is not typed for a union of number types."""
    return value if value >= 0 else -value


def line_reference(line: int, label: str, value: Argument) -> Message:
    """A message that refers to something on a line, with the author's words beside it if there are any."""
    return message("labelled-line", line=line, label=label, value=value) if label else message("line", line=line, value=value)

"""The numbers that a document states, and how an explanation refers to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from symparam.formula import number

MAX_NEARBY = 60  # Of other lines' numbers that are tried together; more of them would fit any gap by chance.


@dataclass(frozen=True)
class Stated:
    """A number that the document states, with the author's words beside it, which may be none.

    ``right`` is what the expression beside it comes to, where it has one: only with it can two results be proven to be swapped.
    """

    label: str
    value: int | Fraction
    line: int
    right: int | Fraction | None = None

    def __str__(self) -> str:
        return on_line(self.line, self.label, written(self.value))


@dataclass(frozen=True)
class Elsewhere:
    """What the document states outside the line that is explained, to be looked up by value."""

    stated: tuple[Stated, ...]
    line: int

    @cached_property
    def nearest(self) -> tuple[Stated, ...]:
        """The statements of other lines, each value once, where it stands nearest."""
        found: dict[int | Fraction, Stated] = {}
        for each in sorted((each for each in self.stated if each.line != self.line), key=lambda each: abs(each.line - self.line)):
            found.setdefault(each.value, each)
        return tuple(found.values())

    @cached_property
    def by_value(self) -> dict[int | Fraction, Stated]:
        return {each.value: each for each in self.nearest}

    @cached_property
    def parts(self) -> dict[int | Fraction, Stated]:
        """The numbers that are specific enough to be recognised in a gap: 2,360,064 and 768, but neither 12 nor 512."""
        return {value: each for value, each in self.by_value.items() if is_specific(value)}

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The whole numbers that may say how often there is something: 12 layers, 24 heads."""
        return tuple(int(each.value) for each in self.nearest if each.value.denominator == 1 and 2 <= each.value <= 200)[:MAX_NEARBY]


def is_specific(value: int | Fraction) -> bool:
    """Whether it says something that this very number turns up: small numbers and powers of two turn up everywhere."""
    return value >= 1000 or (value >= 100 and not _is_power_of_two(value))


def _is_power_of_two(value: int | Fraction) -> bool:
    return value.denominator == 1 and value.numerator & (value.numerator - 1) == 0


def written(value: int | Fraction) -> str:
    """The number for a message: ``2,360,064``, ``−5``, ``2.5``, ``8/3``."""
    return str(number(value))


def on_line(line: int, label: str, text: str) -> str:
    """``line 41 (LM head: 94,504,960)``."""
    return f"line {line} ({label}: {text})" if label else f"line {line} ({text})"


def listed(words: Iterable[str], last: str = "and") -> str:
    """``a, b and c``."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def times(count: int | Fraction) -> str:
    """``once``, ``twice``, ``12 times``."""
    return "once" if count == 1 else "twice" if count == 2 else f"{written(count)} times"


def plain(value: int | Fraction) -> int | Fraction:
    """An ``int`` where the number is whole."""
    return value.numerator if value.denominator == 1 else value


def size(value: int | Fraction) -> int | Fraction:
    """The number without its sign; ``abs`` has no type for one that may be either."""
    return value if value >= 0 else -value

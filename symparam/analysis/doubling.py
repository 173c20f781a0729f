"""The exact effect on the total of doubling a size. Sizes that depend on it change with it; for the width, feed-forward sizes can double
too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

from symparam.analysis.analyzing import FEED_FORWARD
from symparam.analysis.counting import Count
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.frozen import frozen

WIDTH = "H"


@frozen
class Doubling:
    """The doubled letters, the letters that change with them, the new total, and its ratio to the old one."""

    letters: tuple[str, ...]
    following: tuple[str, ...]
    total: int | Fraction
    times: Fraction


def doublings(
    count: Count, derived: Mapping[str, Formula], holds: Callable[[Mapping[str, int]], bool] = lambda _: True
) -> tuple[Doubling, ...]:
    """One doubling for each size that occurs in the formula or determines another size, the largest effect first.

    ``derived`` are the formulas of letters that are not stated. A doubling that makes one of these a fraction is left out,
    and so is one for which the formula no longer ``holds``.
    """
    follows = {letter: formula for letter, formula in derived.items() if _value(formula, count.values) == count.values.get(letter)}
    given = count.derivation.letters.union(*(formula.letters for formula in follows.values()))
    free = given & count.values.keys() - follows.keys()
    found = filter(None, (_doubled(count, letters, follows, holds) for letters in _sizes(free)))
    return tuple(sorted(found, key=lambda each: -each.times))


def _sizes(free: frozenset[str]) -> Iterator[tuple[str, ...]]:
    """The sets of letters doubled together: each letter alone, and the width with the sizes that are chosen in proportion to it."""
    wide = tuple(letter for letter in FEED_FORWARD if letter in free)
    for letter in sorted(free):
        if letter == WIDTH and wide:
            yield (letter, *wide)
        yield (letter,)


def _doubled(
    count: Count, letters: tuple[str, ...], follows: Mapping[str, Formula], holds: Callable[[Mapping[str, int]], bool]
) -> Doubling | None:
    values = dict(count.values) | {letter: 2 * count.values[letter] for letter in letters}
    for letter, formula in follows.items():
        value = _value(formula, values)
        if not isinstance(value, int) or value < 1:
            return None
        values[letter] = value
    if not holds(values):
        return None
    following = tuple(letter for letter in follows if values[letter] != count.values[letter])
    total = evaluate(count.derivation.formula, values)
    return Doubling(letters, following, total, Fraction(total) / Fraction(count.total))


def _value(formula: Formula, values: Mapping[str, int]) -> int | Fraction | None:
    return evaluate(formula, values) if formula.letters <= values.keys() else None

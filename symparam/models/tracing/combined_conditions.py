"""Conditions made of simpler ones. Each is known by the instances where it holds, a bit for each, so that to combine two is one step."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence
from functools import reduce
from itertools import combinations, islice, product
from operator import and_, or_
from typing import NamedTuple

from symparam.models.traced.expressions import Expression, negated

MOST_PAIRED = 160
MOST_IN_THREES = 40
MOST_CASES = 2
"""The most nested case distinctions where no simple condition decides."""
MOST_TRIED = 3
"""The most conditions of which each is tried as such a distinction."""
MOST_LIKENED = 40
"""The most pairs of instances in a group that are looked at for one that nothing tells apart."""

Mask = int
"""A bit for each instance."""


class Outcomes(NamedTuple):
    """A condition with the instances where it holds, and those where it has a value."""

    condition: Expression
    true: Mask
    known: Mask


class Combining:
    """Looks for a condition among a few instances that combines those of ``outcomes``, without the ``guessed`` ones, which in combinations
    fit almost anything. ``doubted`` makes of a condition what may be meant with these outcomes at these instances, and ``outcomes`` are
    only asked for if no simple combination fits.
    """

    def __init__(
        self,
        outcomes: Callable[[], Sequence[Outcomes]],
        guessed: Container[Expression],
        doubted: Callable[[Expression, Expression, Mask], Expression],
    ) -> None:
        self.outcomes, self.guessed, self.doubted = outcomes, guessed, doubted

    def found(self, masks: Iterable[tuple[Mask, Expression]], wanted: Mask, cared: Mask, cases: int = 0) -> Expression:
        """The combination of conditions with these ``masks`` that holds at those of the instances ``cared`` for that are ``wanted``; None
        if there is none.
        """
        above, below = self._sides(masks, wanted, cared)
        simple = _all_of("and", and_, above, wanted) or _all_of("or", or_, below, wanted)
        if simple is not None or cases == MOST_CASES or (cases == 0 and not can_be_told_apart(self.outcomes(), wanted, cared)):
            return simple
        for mask, condition in sorted(above, key=lambda pair: pair[0].bit_count())[:MOST_TRIED]:
            if (inner := self._within(wanted, mask, cases)) is not None:
                return ("and", condition, inner)
        for mask, condition in sorted(below, key=lambda pair: -pair[0].bit_count())[:MOST_TRIED]:
            if (inner := self._within(wanted & ~mask, cared ^ mask, cases)) is not None:
                return ("or", condition, inner)
        return None

    def _sides(
        self, masks: Iterable[tuple[Mask, Expression]], wanted: Mask, cared: Mask
    ) -> tuple[list[tuple[Mask, Expression]], list[tuple[Mask, Expression]]]:
        """Those that hold wherever it is wanted, and those that hold nowhere else, negated ones too."""
        few = _few(masks, self.guessed)
        both = [pair for mask, condition in few for pair in ((mask, condition), (cared ^ mask, negated(condition)))]
        return [pair for pair in both if pair[0] & wanted == wanted], [pair for pair in both if pair[0] | wanted == wanted]

    def _within(self, wanted: Mask, cared: Mask, cases: int) -> Expression:
        """A condition for a case, simple or combined; None if there is none."""
        masks = list(distinct(self.outcomes(), cared))
        for mask, condition in masks:
            if wanted in (mask, cared ^ mask):
                return self.doubted(condition, condition if mask == wanted else negated(condition), cared)
        return self.found(masks, wanted, cared, cases + 1)


def nearest(masks: Iterable[tuple[Mask, Expression]], wanted: Mask, cared: Mask, guessed: Container[Expression]) -> Mask:
    """The instances at which the best of the conditions is wrong."""
    both = (mask for one, _ in _few(masks, guessed) for mask in (one, cared ^ one))
    return min((mask ^ wanted for mask in both), key=int.bit_count, default=wanted)


def _few(masks: Iterable[tuple[Mask, Expression]], guessed: Container[Expression]) -> list[tuple[Mask, Expression]]:
    return [(mask, condition) for mask, condition in masks if condition not in guessed][:MOST_PAIRED]


def distinct(outcomes: Iterable[Outcomes], cared: Mask) -> Iterable[tuple[Mask, Expression]]:
    """The first condition for each set of instances, of those cared for, at which it holds; it has to have a value at all of them."""
    seen = {0, cared}
    for condition, true, known in outcomes:
        mask = true & cared
        if mask not in seen and known & cared == cared:
            seen |= {mask, cared ^ mask}
            yield mask, condition


def _all_of(name: str, join: Callable[[Mask, Mask], Mask], sides: Sequence[tuple[Mask, Expression]], wanted: Mask) -> Expression:
    """Two or three of the conditions that together hold where it is wanted; None if even all together do not."""
    if len(sides) < 2 or reduce(join, (mask for mask, _ in sides)) != wanted:
        return None
    for (one, first), (other, second) in combinations(sides, 2):
        if join(one, other) == wanted:
            return (name, first, second)
    for (one, first), (other, second), (last, third) in combinations(sides[:MOST_IN_THREES], 3):
        if join(join(one, other), last) == wanted:
            return (name, first, second, third)
    return None


def can_be_told_apart(outcomes: Sequence[Outcomes], wanted: Mask, cared: Mask) -> bool:
    """Whether some condition tells each instance where it is wanted from each where it is not; if no condition tells two of them apart, no
    combination fits, however large.
    """
    mixed = [cared]
    for _, true, known in outcomes:
        if known & cared == cared:
            mixed = [part for each in mixed for part in (each & true, each & ~true) if part & wanted and part & ~wanted]
        if not mixed:
            return True
    partial = [(true, known) for _, true, known in outcomes if known & cared != cared]
    for group in mixed:
        for one, other in islice(product(_bits(group & wanted), _bits(group & ~wanted)), MOST_LIKENED):
            both = one | other
            if not any(known & both == both and true & both in (one, other) for true, known in partial):
                return False
    return True


def _bits(mask: Mask) -> Iterable[Mask]:
    while mask:
        lowest = mask & -mask
        yield lowest
        mask ^= lowest

"""Finds the subsets of numbers that add up to a given number."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

MAX_TOGETHER = 60


def subset_sums(total: int | Fraction, values: Sequence[int | Fraction], size: int) -> Iterator[tuple[int, ...]]:
    """The sets of indices of a given number (two or more) of values that add up to the total: each once, among the first sixty values."""
    values = values[:MAX_TOGETHER]
    last = {value: at for at, value in enumerate(values)}
    told: set[tuple[int | Fraction, ...]] = set()
    for first in combinations(range(len(values)), size - 1):
        chosen = [values[at] for at in first]
        at = last.get(total - sum(chosen), -1)
        if at > first[-1] and (key := tuple(sorted((*chosen, values[at])))) not in told:
            told.add(key)
            yield (*first, at)

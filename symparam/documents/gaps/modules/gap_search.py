"""Searches for a few changes that together make up a gap, simplest first."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from symparam.core.frozen import cached_property, frozen
from symparam.documents.gaps.modules.inventory import Amount, Mask
from symparam.documents.gaps.modules.tensor_changes import ChangeCandidate, TensorChange

MAX_CHOICES = {1: 1_000, 2: 400, 3: 80, 4: 40}  # How many of the simplest candidates are tried, by the number of changes.
MAX_HITS = 2_000
MAX_ALIKE = 4  # If more explanations than this are equally simple, none is convincing.


@frozen
class ChangeChoice:
    """Changes of one kind with equal amount and cost, which the gap cannot tell apart."""

    change: TensorChange
    value: Amount
    cost: int
    candidates: tuple[ChangeCandidate, ...]

    def restricted_to(self, kept: Iterable[ChangeCandidate]) -> ChangeChoice:
        return ChangeChoice(self.change, self.value, self.cost, tuple(kept))


@frozen
class Explanation:
    """Changes that together make up a gap: each choice with the number of candidates taken from it."""

    causes: tuple[tuple[ChangeChoice, int], ...]

    @cached_property
    def cost(self) -> int:
        return sum(choice.cost * times for choice, times in self.causes) + 2 * (sum(times for _, times in self.causes) - 1)


Limits = Mapping[int, int]
"""The largest total cost of the changes, by their number."""
NUMERIC: Limits = {1: 4, 2: 5, 3: 4, 4: 4}
"""Sizes of a model are multiples of few numbers, so many sums match a number by chance; only simple ones are accepted."""
SYMBOLIC: Limits = {1: 4, 2: 7, 3: 8, 4: 8}


def change_choices(candidates: Sequence[ChangeCandidate]) -> list[ChangeChoice]:
    """The candidates grouped into choices of indistinguishable ones, the cheapest first."""
    together: dict[tuple[Hashable, ...], list[ChangeCandidate]] = {}
    for each in candidates:
        number = (each.count, each.surplus_copies) if each.change is TensorChange.TIMES else None
        together.setdefault((each.change, each.value, each.cost, number, each.sizes), []).append(each)
    found = [ChangeChoice(alike[0].change, alike[0].value, alike[0].cost, tuple(alike)) for alike in together.values()]
    return sorted(found, key=lambda choice: choice.cost)


def gap_explanations(gap: Amount, found: Sequence[ChangeChoice], limits: Limits) -> list[Explanation]:
    """The sets of changes to disjoint tensors that make up the gap, the simplest first; none if too many are equally simple."""
    hits: list[Explanation] = []
    for count, limit in limits.items():
        tried = found[: MAX_CHOICES[count]]
        by_value: dict[Amount, list[int]] = {}
        for index, choice in enumerate(tried):
            by_value.setdefault(choice.value, []).append(index)
        for indexes in _combinations(gap, tried, by_value, count, limit, 0):
            explanation = _disjoint([tried[index] for index in indexes])
            if explanation:
                hits.append(explanation)
            if len(hits) >= MAX_HITS:
                break
    hits.sort(key=lambda each: each.cost)
    simplest = [each for each in hits if each.cost == hits[0].cost]
    if len(simplest) > MAX_ALIKE and len(simplest[0].causes) > 1:
        return []
    return _different(hits)


def _combinations(
    gap: Amount, found: Sequence[ChangeChoice], by_value: Mapping[Amount, list[int]], count: int, limit: int, start: int
) -> Iterator[tuple[int, ...]]:
    """The indexes, in ascending order, of choices that add up to the gap. The cheapest come first, so a loop ends at the first one that is
    too expensive.
    """
    if count == 1:
        yield from ((index,) for index in by_value.get(gap, ()) if index >= start and found[index].cost <= limit)
        return
    for index in range(start, len(found)):
        if found[index].cost * count > limit:
            return
        rest = _combinations(gap - found[index].value, found, by_value, count - 1, limit - found[index].cost, index)
        yield from ((index, *others) for others in rest)


def _disjoint(combination: Sequence[ChangeChoice]) -> Explanation | None:
    """The combination with only those candidates that are compatible with each other.

    None if they overlap, or if some cancel each other out and so explain nothing.
    """
    if _cancels([choice.value for choice in combination]):
        return None
    runs = [(choice, len(list(same))) for choice, same in groupby(combination)]
    causes = []
    for place, (choice, times) in enumerate(runs):
        others = [each for index, (other, count) in enumerate(runs) for each in [other] * (count - (index == place))]
        kept = [candidate for candidate in choice.candidates if _fits(candidate.mask, others)]
        if not kept:
            return None
        causes.append((choice.restricted_to(kept), times))
    return Explanation(tuple(sorted(causes, key=lambda cause: first_item(cause[0].candidates[0].mask))))


def first_item(mask: Mask) -> int:
    """The number of the first item of a set, by which causes are put in the order of the model."""
    return (mask & -mask).bit_length()


def _fits(taken: Mask, others: Sequence[ChangeChoice]) -> bool:
    """Whether each of the others has a candidate that does not overlap with what is taken."""
    if not others:
        return True
    return any(not candidate.mask & taken and _fits(taken | candidate.mask, others[1:]) for candidate in others[0].candidates)


def _cancels(values: Sequence[Amount]) -> bool:
    """Whether some of the values add up to zero."""
    sums: set[Amount] = set()
    for value in values:
        sums |= {value, *(value + each for each in sums)}
    return 0 in sums


def _different(hits: Iterable[Explanation]) -> list[Explanation]:
    """The explanations without those that merely restate a simpler one."""
    seen: set[frozenset[tuple[TensorChange, Mask]]] = set()
    kept = []
    for hit in hits:
        effect: dict[TensorChange, Mask] = {}
        for choice, times in hit.causes:
            for candidate in choice.candidates[:times]:
                effect[choice.change] = effect.get(choice.change, 0) | candidate.mask
        if frozenset(effect.items()) not in seen:
            seen.add(frozenset(effect.items()))
            kept.append(hit)
    return kept

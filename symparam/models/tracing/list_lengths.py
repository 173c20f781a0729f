"""The length of a list, some of whose turns make a module without tensors, or none."""

from __future__ import annotations

from collections.abc import Sequence

from symparam.models.traced.expressions import Expression, compiled, keys_of
from symparam.models.tracing.candidates import Candidates, Instance
from symparam.models.tracing.combinations import at_most
from symparam.models.tracing.failures import UnfitError
from symparam.models.tracing.rules import Rules

MOST_COMPARED = 600
MOST_LONGER = 20_000
"""The most turns of all builds together that are looked at one by one."""


Lengths = tuple[Expression, tuple[int, ...]]
"""A rule for the length of a list, and the length that it gives in each instance."""


def likely_lengths(
    rules: Rules, instances: tuple[Instance, ...], held: Sequence[Sequence[int]], ends: Sequence[Expression], place: str
) -> list[Lengths]:
    """Rules for the length of a list with members of these numbers, the likeliest first; ``ends`` are those of its stages. Raises
    `UnfitError`.

    Where there are gaps between the members, the last of them need not stand in the last turn of a loop, so that a length that combines
    settings as the class never did fits by chance.
    """
    observed = tuple(numbers[-1] + 1 if numbers else 0 for numbers in held)
    found: list[Lengths] = []
    try:
        found = [(few_at_most(rules, rules.size(instances, observed, place), instances, observed), observed)]
    except UnfitError:
        if ends:
            return [(ends[-1], observed)]
    gaps = any(numbers and len(numbers) <= numbers[-1] - numbers[0] for numbers in held)
    if not found or (gaps and _combines_by_chance(found[0][0], rules.candidates)):
        longer = _at_least(rules.candidates, instances, observed)
        found = found if longer is None else [longer, *found]
    if not found:
        raise UnfitError(place, (build for build, _ in instances))
    return found


def few_at_most(rules: Rules, count: Expression, instances: tuple[Instance, ...], values: tuple[int, ...]) -> Expression:
    """The length of a list that is a literal in one of two cases: unknown where the other case would give fewer entries, unless that was
    seen. A stack whose layers share the tensors of the second one has those of two, or of one.
    """
    if not (isinstance(count, tuple) and count[0] == "if"):
        return count
    _, condition, one, other = count
    guarded = ("if", condition, at_most(one, other), at_most(other, one))
    return guarded if rules.equals(compiled(guarded), instances, values) else count


def _combines_by_chance(length: Expression, candidates: Candidates) -> bool:
    """Whether a length is computed from several settings in a way that the class was not seen to compute."""
    return len(keys_of(length)) > 1 and length not in candidates.plain


def _at_least(candidates: Candidates, instances: tuple[Instance, ...], lengths: tuple[int, ...]) -> Lengths | None:
    """A candidate that is never less than the lengths, and otherwise as small as possible, with what it gives; None if there is none."""
    best: tuple[int, Expression, tuple[int, ...]] | None = None
    for expression in candidates.plain[:MOST_COMPARED]:
        row = tuple(candidates.value(expression, build) for build, _ in instances)
        whole = all(isinstance(value, int) and not isinstance(value, bool) for value in row)
        if whole and all(value >= length for value, length in zip(row, lengths, strict=True)):
            excess = sum(row) - sum(lengths)
            if (best is None or excess < best[0]) and sum(row) < MOST_LONGER:
                best = (excess, expression, row)
    return None if best is None else best[1:]

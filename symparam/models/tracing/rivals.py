"""Rules that fit all builds as well as the one that was found: where they differ, it is unknown which is meant."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterable, Iterator

from symparam.errors import ArchitectureError
from symparam.models.traced.expressions import (
    FAILURES,
    CannotEvaluateError,
    Expression,
    Settings,
    compiled,
    depths_in,
    keys_of,
    negated,
    parts,
    replaced,
)
from symparam.models.traced.network import ModuleRule, concrete_tensors, expressions_in
from symparam.models.tracing.candidates import Candidates
from symparam.models.tracing.invented_operations import COMPARISONS

PLAIN = (*COMPARISONS, "in")
MOST_RIVALS, MOST_SETTLED = 6, 3
"""The most rules for which builds are sought that decide between them and their rivals, and the most such builds."""
FIRST_NUMBERS = 3
"""How many numbers of the enclosing lists are tried."""


def rivals_of(found: Expression, depth: int, candidates: Candidates) -> Iterator[Expression]:
    """The likeliest other meanings of a condition on the members of lists: ``i % 2`` of ``i % key``; and that a comparison in it which is
    about no number is about the first member, as where attention was seen in the first stage only when its resolution was that of the
    image.
    """
    if candidates.periods(depth) & {found, negated(found)}:
        yield from candidates.literals(depth)
    compared = [each for each in parts(found) if isinstance(each, tuple) and each[0] in PLAIN and keys_of(each) and not depths_in([each])]
    for each, place, sign in itertools.product(compared, range(depth), ("==", "!=")):
        yield replaced(found, {each: (sign, ("at", place), 0)}.get)


def undecided(root: ModuleRule, configs: Iterable[tuple[Settings, dict[str, object]]]) -> Iterator[dict[str, object]]:
    """Settings, of these, at which rules differ that fit all builds, so that the tensors are not known: a build shows which is meant."""
    found = dict.fromkeys(part for each in expressions_in(root) for part in parts(each) if isinstance(part, tuple) and part[0] == "agreed")
    rivals = [*found][:MOST_RIVALS]
    differing = (pair for pair in configs if any(_differ(each, pair[0]) for each in rivals)) if rivals else iter(())
    yield from itertools.islice((moved for settings, moved in differing if not _are_known(root, settings)), MOST_SETTLED)


def _are_known(root: ModuleRule, settings: Settings) -> bool:
    try:
        deque(concrete_tensors(root, settings), maxlen=0)
    except (CannotEvaluateError, ArchitectureError):
        return False
    return True


def _differ(agreed: Expression, settings: Settings) -> bool:
    """Whether the rivals have different values for some members of the enclosing lists."""
    rules = [compiled(each) for each in agreed[1:]]
    numbers = itertools.product(range(FIRST_NUMBERS), repeat=max(depths_in([agreed]), default=-1) + 1)
    for at in numbers:
        try:
            if len({repr(rule(settings, at)) for rule in rules}) > 1:
                return True
        except FAILURES:
            continue
    return False

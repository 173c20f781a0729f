"""The part of a condition that the class itself was seen to test; the rest of it may fit the builds by chance."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.models.traced.expressions import FAILURES, Expression, Settings, compiled, negated
from symparam.models.tracing.loop_variables import has_loops
from symparam.models.tracing.observation import Observation


def asked_part(condition: Expression, observations: Iterable[Observation]) -> Expression:
    """The condition without what the class was not seen to test of the settings, as itself or in a loop; None if it tested all or nothing
    of it.
    """
    inside = condition[1:] if isinstance(condition, tuple) and condition[0] == "and" else ()
    asked = {each for build in observations for each in build.asked if not has_loops(each)} if inside else {True}
    kept = tuple(each for each in inside if asked & {each, negated(each)})
    if len(kept) in (0, len(inside)):
        return None
    return ("and", *kept) if len(kept) > 1 else kept[0]


def holds(condition: Expression, settings: Settings, at: tuple[int, ...]) -> bool:
    """Whether the condition has a value and holds."""
    try:
        return bool(compiled(condition)(settings, at))
    except FAILURES:
        return False

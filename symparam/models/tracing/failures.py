"""Why a class cannot be traced."""

from __future__ import annotations

from collections.abc import Iterable

OVERDUE = "it takes longer than the time allowed"


class CannotTraceError(Exception):
    """Raised when no rules were found that also hold at fresh settings."""


class OverdueError(Exception):
    """Raised when the time is up, with the place where a rule was looked for."""

    def __init__(self, place: str) -> None:
        super().__init__(place)
        self.place = place


class UnfitError(Exception):
    """Raised when no rule was found for the content of a place; ``builds`` are those in which the best one is wrong."""

    def __init__(self, place: str, builds: Iterable[int]) -> None:
        super().__init__(place)
        self.place, self.builds = place, frozenset(builds)

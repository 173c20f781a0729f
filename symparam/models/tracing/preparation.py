"""What is prepared for a build, such as a config, may serve where one looked at it before: to prepare takes about as long as to build."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

Prepared = TypeVar("Prepared")


class Preparation(Generic[Prepared]):
    """Prepares builds from settings by the function ``prepare``. A build may change what was prepared, so that nothing serves twice."""

    def __init__(self, prepare: Callable[..., Prepared]) -> None:
        self.prepare = prepare
        self._ahead: tuple[str, Prepared] | None = None

    def ahead(self, *settings: object) -> Prepared:
        """What is prepared from the settings, to be looked at; it is kept for the next build if that has the same ones."""
        found = self.for_build(*settings)
        self._ahead = repr(settings), found  # Not the settings as they are: 1, 1.0 and true are equal.
        return found

    def for_build(self, *settings: object) -> Prepared:
        """What was prepared ahead from the same settings, or is prepared from them now."""
        ahead, self._ahead = self._ahead, None
        return ahead[1] if ahead is not None and ahead[0] == repr(settings) else self.prepare(*settings)

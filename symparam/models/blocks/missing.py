"""What a number lacks, or may lack: as long as something is missing, a total is a lower bound."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Missing:
    """One thing that is not counted: ``what`` it is, ``why`` as the key of a sentence, whose places ``details`` fill, and the ``path`` of
    the block that it belongs to."""

    what: str
    why: str
    path: str
    details: tuple[tuple[str, str], ...] = ()

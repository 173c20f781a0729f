"""Lists in which several modules take turns: how many there are to a turn, as a layer, its norm and its activation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count, takewhile

from symparam.models.tracing.candidates import Instance
from symparam.models.tracing.observation import Observation

MOST_OUTSIDE = 2
"""The most modules before the first turn and after the last one together, such as a flattening or a final activation."""


def kinds_of_members(path: str, instance: Instance, observations: Sequence[Observation]) -> list[str]:
    """The classes of the modules of a list in one build, those without tensors too. The path has letters for the numbers within lists."""
    build, at = instance
    here = numbered(path, at)
    kinds = observations[build].kinds
    names = (f"{here}.{number}" if here else f"{number}" for number in count())
    return [kinds[name] for name in takewhile(kinds.__contains__, names)]


def numbered(path: str, at: Sequence[int]) -> str:
    """The path with these numbers for its letters."""
    numbers = iter(at)
    return re.sub(r"\{\w\}", lambda _: str(next(numbers)), path)


def turn_of(kinds: Sequence[str]) -> int | None:
    """How many modules there are to a turn; None if there are too few to tell."""
    for outside in range(MOST_OUTSIDE + 1):
        for before in range(outside + 1):
            inside = kinds[before : len(kinds) - outside + before]
            for turn in range(1, len(inside)):
                if all(one == other for one, other in zip(inside, inside[turn:], strict=False)):
                    return turn
    return None


def differing_turns(turns: Mapping[Instance, int | None]) -> dict[Instance, int]:
    """The turns that are known, if they are not all of one length."""
    known = {instance: turn for instance, turn in turns.items() if turn is not None}
    return known if len(set(known.values())) > 1 else {}

"""Which of many cases of one kind run by default; the others are marked slow, and `.ci/run` has them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def one_of_each(
    cases: Iterable[ParameterSet], kind: Callable[..., object], preferred: Callable[..., bool] = lambda *values: True
) -> list[ParameterSet]:
    """All the cases, with every one but one of each kind marked slow. ``kind`` and ``preferred`` are functions of the values of a case.

    The one is drawn at random, from those ``preferred`` where there are any. The draw depends on the kind alone, so that each process of
    pytest draws the same.
    """
    listed = list(cases)
    kinds: dict[object, list[ParameterSet]] = {}
    for case in listed:
        kinds.setdefault(kind(*case.values), []).append(case)
    drawn = set()
    for name, alike in kinds.items():
        candidates = [case for case in alike if preferred(*case.values)] or alike
        drawn.add(id(Random(str(name)).choice(candidates)))
    return [case if id(case) in drawn else _slow(case) for case in listed]


def _slow(case: ParameterSet) -> Any:
    return pytest.param(*case.values, id=case.id, marks=(*case.marks, pytest.mark.slow))

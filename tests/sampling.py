"""Which of many cases of one kind run by default; the others are marked slow, and `.ci/run` has them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet

from symparam.models.architectures import families


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


def classes() -> list[ParameterSet]:
    """All classes of all families, with every one but one of each family marked slow."""
    family_of = {name: family.name for family in families() for name in family.classes}
    return one_of_each([pytest.param(name, id=name) for name in family_of], lambda name: family_of[name])


def _slow(case: ParameterSet) -> Any:
    return pytest.param(*case.values, id=case.id, marks=(*case.marks, pytest.mark.slow))

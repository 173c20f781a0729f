"""Compares rules with a build: whether they give its tensors, and the first place where they do not."""

from __future__ import annotations

import re
from itertools import zip_longest

from symparam.errors import ArchitectureError
from symparam.models.traced.expressions import CannotEvaluateError
from symparam.models.traced.network import ModuleRule, concrete_tensors
from symparam.models.tracing.observation import Observation


def pattern(name: str) -> str:
    """The name with each number in it, or letter that stands for one, replaced by a mark."""
    return re.sub(r"\d+|\{[a-z]\}", "#", name)


def matches_build(root: ModuleRule, observation: Observation) -> bool:
    """Whether the rules give this build's tensors: names, order, shapes."""
    return first_mismatch(root, observation) is None


def first_mismatch(root: ModuleRule, observation: Observation) -> str | None:
    """The place of the first tensor for which the rules differ from this build; None if there is none."""
    wanted = [(name, shape) for name, shape, tied in observation.tensors if tied is None]
    try:
        spelled = [(each.name, each.shape) for each in concrete_tensors(root, observation.settings) if each.tied_to is None]
    except (CannotEvaluateError, ArchitectureError):
        return ""
    if spelled == wanted:
        return None
    name = next((one or other for one, other in zip_longest(wanted, spelled) if one != other), None)
    return re.sub(r"\b\d+\b", "{i}", name[0]) if name else ""

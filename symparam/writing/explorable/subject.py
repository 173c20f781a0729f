"""The subject of a page to explore: a model with its values, its measures, and other settings of the same formula."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from symparam.analysis.counting import Count
from symparam.core.formula import Formula
from symparam.core.frozen import frozen
from symparam.models.configs.values import Model


@frozen
class Explorable:
    """``counts`` are the measures, first the number of parameters, and ``presets`` other released models with the same formulas, by name.
    ``equal`` are measures that have the same formula as the first, and ``absent`` those that the model does not have. ``values`` are the
    values of all letters, including those that a measure adds, such as the length of a sequence. ``within`` are pairs of formulas, the
    first of which is at most the second in every model.
    """

    model: Model
    counts: tuple[Count, ...]
    values: Mapping[str, int] = field(hash=False)
    presets: Mapping[str, Mapping[str, int]] = field(hash=False)
    equal: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    within: tuple[tuple[Formula, Formula], ...] = ()

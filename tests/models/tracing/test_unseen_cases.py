"""Settings that show a part in cases in which no build has shown it."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.traced.network import ModuleRule, RuleEntry, TensorRule
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.unseen_cases import smallest_counts, unseen_choices, unseen_flags


def build(**settings):
    return Observation(settings, settings, (), {})


@pytest.mark.parametrize(
    ("there", "free", "expected"),
    [
        ({2}, {"bias", "named"}, [{"named": True, "bias": False}]),  # Called by its name only with a bias.
        ({0, 2}, {"bias", "named"}, []),  # The part is there where there is a bias, so that the bias decides on it.
        ({0, 1, 2}, {"bias", "named"}, []),
        ({2}, {"named"}, []),
    ],
)
def test_a_flag_that_was_the_same_wherever_a_part_was_is_turned(there, free, expected):
    builds = [build(bias=True, named=False), build(bias=False, named=False), build(bias=True, named=True)]
    assert [*unseen_flags(builds, [("a part", frozenset(there))], free)] == expected


HEADS, FACTOR = ("key", "heads"), ("key", "factor")


@pytest.mark.parametrize(
    ("factors_of_few_heads", "asked", "expected"),
    [
        ([8], {}, [{"heads": 2, "factor": each} for each in (4, 6, 2)]),  # Seven layers by chance: where there are few heads, it is 8.
        ([8, 4, 6, 2], {}, []),
        ([8], {("<=", HEADS, 2): {True}}, []),  # The class compares the heads with 2 itself.
    ],
)
def test_what_a_rule_does_not_choose_takes_other_values_where_the_choice_may_be_one_by_chance(factors_of_few_heads, asked, expected):
    settings = [*({"heads": 2, "factor": each} for each in factors_of_few_heads), *({"heads": 4, "factor": each} for each in (4, 6, 2, 8))]
    builds = [Observation(each, each, (), {}, asked=asked) for each in settings]
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("if", ("<=", HEADS, 2), 7, ("-", FACTOR, 1)),))),))
    assert [*unseen_choices(root, builds, {"heads", "factor"})] == expected


@pytest.mark.parametrize(
    ("count", "seen", "expected"),
    [
        (("-", FACTOR, 1), (4, 8), [{"factor": 1}]),
        (("-", FACTOR, 1), (4, 1), []),
        (FACTOR, (4, 8), []),
    ],
)
def test_a_computed_number_of_layers_is_tried_at_the_smallest_number(count, seen, expected):
    layer = RuleEntry("#", TensorRule((3,)), count=count)
    assert [*smallest_counts(ModuleRule("Net", (layer,)), [build(factor=each) for each in seen], {"factor"})] == expected

"""Whole numbers in sizes, by the numbers of the modules in a list."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.tracing.candidates import Candidates
from symparam.models.tracing.observation import Observation
from symparam.models.tracing.origin_rules import OriginRules

AT = ("at", 0)


@pytest.mark.parametrize(
    ("value", "length", "number"),
    [
        (lambda n, at: at, 6, AT),
        (lambda n, at: at + 2, 6, ("+", AT, 2)),
        (lambda n, at: n - at, 6, ("-", ("key", "n"), AT)),
        (lambda n, at: at // 2, 6, ("//", AT, 2)),
        (lambda n, at: at // 2, 4, None),  # Two periods alone may be anything.
        (lambda n, at: at % 2, 6, ("%", AT, 2)),
        (lambda n, at: n + (at + 1) // 2, 6, ("+", ("//", ("+", AT, 1), 2), ("key", "n"))),
        (lambda n, at: n * (at + 2 >> 1), 6, ("*", ("key", "n"), ("//", ("+", AT, 2), 2))),
        (lambda n, at: 2**at, 6, ("**", 2, AT)),
        (lambda n, at: at * at, 6, None),
    ],
)
def test_numbers_that_depend_on_the_place_in_a_list(value, length, number):
    sizes = (50, 83)
    builds = [Observation({"n": size}, {"n": size}, (), {}) for size in sizes]
    instances = [(build, (at,)) for build in (0, 1) for at in range(length)]
    values = [value(sizes[build], at) for build, (at,) in instances]
    assert OriginRules(Candidates(builds)).number(instances, values) == number

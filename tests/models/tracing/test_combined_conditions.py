"""Conditions are combined by the instances where they hold, and it is found out early that no combination fits."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")  # Which observation imports.

from symparam.models.traced.expressions import negated
from symparam.models.tracing.candidates import Candidates
from symparam.models.tracing.combined_conditions import Combining, Outcomes, can_be_told_apart, distinct
from symparam.models.tracing.effort import Effort
from symparam.models.tracing.known_outcomes import KnownOutcomes
from symparam.models.tracing.observation import Observation

A, B, C, D = (("key", name) for name in "abcd")
ALL = 0b1111
FIRST_TWO, ODD, LAST, PARTIAL = Outcomes(A, 0b0011, ALL), Outcomes(B, 0b0101, ALL), Outcomes(C, 0b1000, ALL), Outcomes(D, 0b0010, 0b0011)


@pytest.mark.parametrize(
    ("outcomes", "wanted", "found"),
    [
        ([FIRST_TWO, ODD], 0b0001, ("and", A, B)),
        ([FIRST_TWO, ODD], 0b0111, ("or", A, B)),
        ([FIRST_TWO, ODD], 0b1110, ("or", negated(A), negated(B))),
        ([FIRST_TWO, ODD], 0b0110, None),  # Either but not both: nothing holds wherever it is wanted, or nowhere else.
        ([FIRST_TWO, ODD, LAST], 0b1001, ("or", C, ("and", A, B))),
        ([FIRST_TWO, LAST], 0b0001, None),  # Nothing tells the first two apart.
        ([FIRST_TWO, PARTIAL], 0b0010, ("and", A, D)),  # What has no value elsewhere is only asked where the other one holds.
        ([LAST, PARTIAL], 0b0010, None),  # It has none at the third, where the other one does not decide.
    ],
)
def test_the_first_combination_with_these_outcomes(outcomes, wanted, found):
    masks = list(distinct(outcomes, ALL))
    assert Combining(lambda: outcomes, (), lambda condition, meant, cared: meant).found(masks, wanted, ALL) == found


def test_guesses_are_not_combined_but_decide_within_a_case():
    combining = Combining(lambda: [FIRST_TWO, ODD], {B}, lambda condition, meant, cared: ("agreed", meant, 1))
    assert combining.found(list(distinct([FIRST_TWO, ODD], ALL)), 0b0001, ALL) == ("and", A, ("agreed", B, 1))


@pytest.mark.parametrize(
    ("outcomes", "wanted", "apart"),
    [
        ([FIRST_TWO, ODD], 0b0110, True),
        ([FIRST_TWO], 0b0011, True),
        ([FIRST_TWO], 0b0001, False),
        ([FIRST_TWO, PARTIAL], 0b0001, True),
        ([FIRST_TWO, PARTIAL], 0b0100, False),
        ([], 0b0001, False),
    ],
)
def test_instances_that_nothing_tells_apart(outcomes, wanted, apart):
    assert can_be_told_apart(outcomes, wanted, ALL) is apart


def test_outcomes_at_instances():
    builds = [Observation({}, {"flag": True, "kinds": ["x"]}, (), {}), Observation({}, {"flag": False, "kinds": ["x", "y"]}, (), {})]
    known = KnownOutcomes(Candidates(builds))
    second = ("==", ("item", ("key", "kinds"), ("at", 0)), "y")
    instances = ((0, (0,)), (0, (1,)), (1, (0,)), (1, (1,)))  # The first build has no second kind.
    assert known.masks(instances, [second, ("==", ("at", 0), 0)])[:2] == [(0b0011, ("key", "flag")), (0b0101, ("==", ("at", 0), 0))]
    assert Outcomes(second, 0b1000, 0b1101) in known.all(instances, [second])


def test_effort_is_counted_and_not_timed(monkeypatch):
    now = [0.0]
    monkeypatch.setattr("time.process_time", lambda: now[0])
    effort = Effort(1.0, patience=2.0)
    effort.builds(tensors=1_000)  # 0.205
    effort.evaluates(1_000_000, instances=2)  # 0.3
    assert effort.spent == pytest.approx(0.505)
    assert (effort.is_over(), effort.is_over(0.5)) == (False, True)
    now[0] = 2.5  # In the end there is a limit of time.
    assert effort.is_over()

"""Lists that loops within loops fill: which stages they have, and rules for their members."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("torch")  # Which observation imports.

from symparam.models.traced.expressions import CannotEvaluateError, evaluate, read
from symparam.models.traced.traced_model import model_of
from symparam.models.tracing.nested_loops import Run, runs_of
from symparam.models.tracing.process import traced
from symparam.models.tracing.stages import stages_of

STAGED = Path(__file__).with_name("staged.py")
OUTER, INNER = (1, 10), (1, 20)


def turns(outer, inner=None, loop=0):
    """The turns of a module that two loops made."""
    return ((OUTER, loop, outer), *([(INNER, 100 + outer, inner)] if inner is not None else []))


def test_stages_are_the_turns_of_the_outer_loop():
    row = [(), *(turns(0, at) for at in range(2)), turns(0), *(turns(1, at) for at in range(3)), ()]
    assert runs_of([row]) == [{0: Run(1, (3, 3))}]


def test_a_single_stage_is_one_where_other_builds_have_several():
    assert runs_of([[turns(0, 0), turns(0, 1)], [turns(0, 0), turns(1, 0)]]) == [{0: Run(0, (2,)), 1: Run(0, (1, 1))}]


def test_a_turn_that_makes_no_module_is_a_stage_without_members():
    assert runs_of([[turns(0, 0), turns(0, 1), turns(2, 0)]]) == [{0: Run(0, (2, 0, 1))}]


def test_modules_that_are_put_before_others_have_their_stages_from_the_end():
    assert runs_of([[turns(1, 1), turns(1, 0), turns(0, 0)]]) == [{0: Run(0, (2, 1))}]


def test_a_loop_that_runs_again_and_again_has_a_stage_for_each_time():
    row = [((INNER, 1, 0),), ((INNER, 1, 1),), (), ((INNER, 2, 0),), ((INNER, 2, 1),)]
    assert runs_of([row]) == [{0: Run(0, (3, 2))}]


@pytest.mark.parametrize(
    "row",
    [
        [turns(0, 0), turns(1, 0), turns(0, 1)],  # The stages are mixed.
        [turns(0), turns(1), turns(2)],  # Each stage has one module, so that it needs no name.
        [(), (), ()],
    ],
)
def test_no_stages(row):
    assert runs_of([row]) == []


def test_rules_of_stages():
    instances = [(build, ()) for build in range(6)]
    runs = [{build: Run(1, (3, 3, 2)) for build in range(6)}]

    def size(there, values):
        return ("key", "many") if set(values) == {3} and all(not at for _, at in there) else ("item", ("key", "depths"), ("at", 0))

    (found,) = stages_of(instances, runs, 0, size, lambda many: None)
    settings = {"many": 3, "depths": [3, 3, 2]}
    members = [tuple(evaluate(each, settings, (at,)) for each in (found.stage, found.number, found.last)) for at in range(10)]
    assert members[0] == (-1, -1, True)  # Before the first stage.
    assert members[1:9] == [
        (0, 0, False),
        (0, 1, False),
        (0, 2, True),
        (1, 0, False),
        (1, 1, False),
        (1, 2, True),
        (2, 0, False),
        (2, 1, True),
    ]
    assert members[9][0] == 3  # Behind the last one.
    assert evaluate(found.end, settings) == 9


def test_a_series_is_read_and_evaluated_in_each_turn_and_at_the_numbers_of_outer_lists():
    series = read(["series", ["key", "n"], ["+", ["turn"], ["at", 0]]])
    for at in (0, 5):
        assert evaluate(series, {"n": 3}, (at,)) == [at, at + 1, at + 2]
    assert evaluate(("sum", series), {"n": 3}, (1, 7)) == 6
    with pytest.raises(ValueError, match="is not an expression"):
        read(["series", 3])
    with pytest.raises(CannotEvaluateError):
        evaluate(("stage", ("key", "n"), 0), {"n": None})


def test_loops_within_loops_within_loops_are_refused():
    loop = 1
    for _ in range(2):
        loop = ["fold", 0, 3, ["+", ["carried"], loop]]
    assert evaluate(read(loop), {}) == 9
    with pytest.raises(ValueError, match="nested too deeply"):
        read(["fold", 0, 1000, ["+", ["carried"], loop]])


def built(name, settings):
    import torch

    spec = importlib.util.spec_from_file_location("staged_modules", STAGED)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with torch.device("meta"):
        return [(key, tuple(each.shape)) for key, each in getattr(module, name)(**settings).named_parameters()]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        (
            "Skips",
            [
                {"mults": (1, 2), "blocks": 3},
                {"mults": (2, 3, 5, 7, 7), "looks": (0, 4)},
                {"width": 24, "mults": (3,), "blocks": 1, "looks": ()},
                {"mults": (1, 1, 2, 2), "blocks": 4, "channels": 1, "looks": (0, 1, 2, 3)},
            ],
        ),
        (
            "Rows",
            [
                {"rows": ((1, 8, 2, 1), (4, 16, 5, 2))},
                {"rows": tuple((factor, 8 * factor, 1 + factor % 3, 1) for factor in (1, 2, 3, 4, 5, 6, 7, 8))},
                {"rows": ((3, 16, 1, 1),), "first": 7, "last": 5},
            ],
        ),
        ("Inserted", [{"stages": 5, "width": 3}, {"blocks": 4}, {"stages": 1, "blocks": 1}]),
        ("Extended", [{"mults": (2, 2, 3, 3, 1)}, {"mults": (5,), "blocks": 1}, {"width": 9, "mults": (1, 1, 6), "blocks": 3}]),
        ("Ended", [{"depths": (1,)}, {"depths": (4, 4, 1, 2, 3)}, {"by": 3, "width": 5}]),
    ],
)
def test_lists_with_stages(name, unseen):
    network = traced(f"{STAGED}:{name}", {})
    assert all(key.status != "held" for path, key in network.keys.items()), {path: key.status for path, key in network.keys.items()}
    for settings in unseen:
        given = {path: list(value) if isinstance(value, tuple) else value for path, value in settings.items()}
        model = model_of(network, given, "the settings")
        listed = [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == built(name, settings), settings

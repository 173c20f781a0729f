"""What users write where a setting may be null, where two must agree, or where a loop may never end: exact, or refused."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from symparam.models.traced.traced_model import model_of
from symparam.models.tracing.process import traced
from symparam.models.tracing.sampling import about_an_item, equalized, outcome_flips

FILE = Path(__file__).with_name("optional.py")


def built(name, settings):
    import torch

    spec = importlib.util.spec_from_file_location("optional_to_trace", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["optional_to_trace"] = module
    spec.loader.exec_module(module)
    made = {"Shared": lambda: module.Shared(module.Sizes(**settings)), "Attributes": lambda: module.Attributes(SimpleNamespace(**settings))}
    with torch.device("meta"):
        model = made.get(name, lambda: getattr(module, name)(**settings))()
    return [(key, tuple(each.shape)) for key, each in model.named_parameters()]


@pytest.mark.parametrize(
    ("name", "around", "unseen"),
    [
        ("Shared", {}, [{"shared": None, "depth": 7}, {"width": 33}]),
        ("Attributes", {"vocab": 100, "dim": 16, "classes": 5}, [{"vocab": 7, "dim": 20, "classes": 3}]),
        (
            "Translator",
            {},
            [{"attention": "general"}, {"attention": "dot", "both_ways": False}, {"source": 9, "target": 9, "shared": True}],
        ),
        ("Dense", {"norm": "post"}, [{"width": 5, "sizes": [4, 5]}, {"norm": "pre", "sizes": [3, 9, 8, 16]}]),
        ("Waves", {}, [{"blocks": 1, "layers": 9}, {"blocks": 3, "layers": 1}, {"blocks": 2, "layers": 7, "width": 3}]),
        ("Temporal", {}, [{"channels": [16, 32, 32, 8]}, {"channels": [16, 16, 16]}, {"channels": [30] * 7, "size": 1}]),
        ("Padded", {}, [{"multiple": 1}, {"vocab": 640, "multiple": 64}, {"vocab": 999, "multiple": 50, "width": 3}]),
        ("Halved", {}, [{"size": 1000}, {"least": 40}]),
    ],
)
@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="tracing needs torch")
def test_a_module_that_was_not_tuned_on_is_exact_at_settings_it_has_not_seen(name, around, unseen):
    network = traced(f"{FILE}:{name}", around)
    for settings in unseen:
        model = model_of(network, settings, name)
        listed = [(each, shape) for each, shape, _ in model.architecture.named_parameters(model.values)]
        assert listed == built(name, {**around, **settings}), settings


def test_a_comparison_of_neighbours_is_one_of_two_items():
    number = ("loop", 0, 2)
    items = ("item", ("key", "dims"), ("-", number, 1)), ("item", ("key", "dims"), number)
    assert about_an_item(("!=", *items)) == ("!=", ("item", ("key", "dims"), 1), ("item", ("key", "dims"), 2))


def test_two_settings_that_had_to_be_equal_become_so():
    last = ("item", ("key", "sizes"), -1)
    found = equalized((("==", last, ("key", "width")), False), {"width": 5, "sizes": [4, 8]})
    assert [*found] == [{"sizes": [4, 5]}, {"width": 8}]
    assert not [*equalized((("==", last, ("key", "width")), True), {"width": 8, "sizes": [4, 8]})]
    assert not [*equalized(None, {})]
    assert not [*equalized((("==", ("loop", 3, 0), 4), False), {"sizes": [4, 8]})], "no setting makes the first layer the fifth"


@pytest.mark.parametrize(
    ("condition", "settings", "expected"),
    [
        (("==", ("loop", 0, 0), ("-", ("key", "blocks"), 1)), {"blocks": 4}, [{"blocks": 1}]),
        (("!=", ("%", ("key", "vocab"), ("key", "multiple")), 0), {"vocab": 1001, "multiple": 8}, [{"vocab": 1000}]),
        (("!=", ("%", ("key", "vocab"), ("key", "multiple")), 0), {"vocab": 1000, "multiple": 8}, [{"vocab": 1001}]),
        (("!=", ("%", ("key", "vocab"), ("key", "multiple")), 0), {"vocab": 5, "multiple": 8}, [{"vocab": 8}]),
        (("!=", ("*", ("item", ("key", "dims"), 0), 4), 64), {"dims": [64, 128]}, [{"dims": [16, 128]}]),
        (("==", 64, ("*", 2, ("key", "width"))), {"width": 8}, [{"width": 32}]),
        (("!=", ("*", ("key", "width"), 4), 66), {"width": 8}, []),
    ],
)
def test_another_outcome_is_tried_of_a_remainder_and_of_the_last_turn_of_a_loop(condition, settings, expected):
    assert [*outcome_flips(condition, settings)] == expected

"""Classes that take objects of settings: their values are the settings, by whatever way the class comes by the object."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from symparam.models.traced.conditions import hold_at
from symparam.models.traced.traced_model import model_of
from symparam.models.tracing.process import traced

FILE = Path(__file__).with_name("settings_objects.py")

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="tracing needs torch")


@pytest.fixture(scope="module")
def module():
    spec = importlib.util.spec_from_file_location("settings_objects", FILE)
    found = importlib.util.module_from_spec(spec)
    sys.modules["settings_objects"] = found
    spec.loader.exec_module(found)
    return found


def subject(module, name, given=None):
    from symparam.models.tracing.argument_subject import ArgumentSubject

    return ArgumentSubject(getattr(module, name), given)


@needs_torch
@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("WithoutAnnotation", {}, {"head.width": 32, "head.heads": 4, "head.head_width": None, "depth": 3}),
        (
            "WithoutAnnotation",
            {"head": {"width": 64}, "depth": 5},
            {"head.width": 64, "head.heads": 4, "head.head_width": None, "depth": 5},
        ),
        ("WithoutAnnotation", {"config.head.width": 64}, {"head.width": 64, "head.heads": 4, "head.head_width": None, "depth": 3}),
        ("NullByDefault", {}, {"head.width": 32, "head.heads": 4, "head.head_width": None, "depth": 3}),
        ("OfAPlainClass", {}, {"width": 16, "depth": 2, "inner.width": 32, "inner.heads": 4, "inner.head_width": None}),
        ("PartMayBeMissing", {}, {"width": 8, "head": None}),
    ],
)
def test_the_settings_are_what_the_object_is_made_with(module, name, given, expected):
    assert subject(module, name, given).defaults == expected


@needs_torch
def test_what_an_object_computes_from_others_follows_them(module):
    found = subject(module, "WithoutAnnotation")
    built = found.build(found.prepare({"head.width": 48, "head.heads": 2}))
    assert built.layers[0].weight.shape == (48, 48)
    plain = subject(module, "OfAPlainClass")
    assert plain.build(plain.prepare({"width": 5})).layers[0].weight.shape == (10, 5)


@needs_torch
def test_several_objects_have_names_of_their_own(module):
    found = subject(module, "OfTwo", {"encoder.width": 8})
    assert (found.defaults["encoder.width"], found.defaults["decoder.width"]) == (8, 32)
    with pytest.raises(Exception, match=r"takes no setting 'encoder.size'; encoder has encoder.width"):
        subject(module, "OfTwo", {"encoder.size": 8})


@pytest.mark.slow
@needs_torch
@pytest.mark.parametrize(
    ("name", "unseen"),
    [
        ("NullByDefault", [{"head.width": 96, "depth": 7}, {"config.head.heads": 2, "config.depth": 1}]),
        ("OfAPlainClass", [{"width": 9, "inner.heads": 8}, {"options.depth": 4}]),
        ("Ratios", [{"mlp_ratio": 2.5, "depth": 3}, {"mlp_ratio": 3, "ratios": [1.5, 2, 3]}, {"expand": 5, "width": 48}]),
        ("NormedWeights", [{"strides": [2, 3, 5, 7]}, {"strides": [4], "width": 6, "units": 1}]),
        ("WideAtSome", [{"wide": [0, 5]}, {"wide": [], "depth": 2}, {"wide": [9, 4, 2], "depth": 8}]),
        ("NamesBehindLayers", [{"depth": 1, "width": 8}, {"depth": 11, "classes": 3}]),
    ],
)
def test_a_class_is_exact_at_settings_it_has_not_seen(module, name, unseen):
    network = traced(f"{FILE}:{name}", {})
    for settings in unseen:
        model = model_of(network, settings, name)
        listed = [(each, shape) for each, shape, _ in model.architecture.named_parameters(model.values)]
        made = subject(module, name, settings)
        assert listed == [(each, tuple(found.shape)) for each, found in made.build(made.prepare({})).named_parameters()], settings


@pytest.mark.slow
@needs_torch
def test_a_rounded_width_has_a_letter_of_its_own(module):
    network = traced(f"{FILE}:RoundedWidths", {})
    model = model_of(network, {}, "RoundedWidths")
    sides = {name: each for name, each, _ in model.architecture.named_parameters(model.values)}
    assert sides["up.0.weight"] == (288, 100)
    assert model.values["w_1"] == 288
    assert not hold_at(model.assumed, {**model.values, "H": 200} if "H" in model.values else {**model.values, "width": 200})
    opened = model_of(network, {}, "RoundedWidths", with_values=False)
    assert any(each.endswith("== w_1") for each in opened.conditions)
    for settings in [{"levels": []}, {"depth": 5, "levels": [2, 4, 7]}, {"width": 64, "scale": 1.3}]:
        found = model_of(network, settings, "RoundedWidths")
        made = subject(module, "RoundedWidths", settings)
        listed = [(each, shape) for each, shape, _ in found.architecture.named_parameters(found.values)]
        assert listed == [(each, tuple(tensor.shape)) for each, tensor in made.build(made.prepare({})).named_parameters()]

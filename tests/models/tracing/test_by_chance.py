"""Rules that fit the builds by chance are not taken, whichever settings are drawn."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch")

import torch

from symparam.models.traced.traced_model import model_of
from symparam.models.tracing import exploration
from symparam.models.tracing.argument_subject import ArgumentSubject
from symparam.models.tracing.sampling import SettingsSampler, settings_compared
from symparam.models.tracing.search import Search

CASES = (
    ("Announced", ({"every": 3, "depth": 10}, {"every": 4}, {"every": 1, "depth": 2}, {"depth": 1, "every": 1}, {"every": 5, "depth": 5})),
    ("Mirrored", ({"channels": [5, 5, 9, 7]}, {"channels": [6]}, {"channels": [4, 9], "latent": 3}, {"channels": [3, 3, 3]})),
    (
        "Attending",
        ({"attended": [16, 32], "size": 32}, {"attended": [64], "first": 5}, {"factors": [3], "size": 16}, {"attended": [8, 2], "size": 8}),
    ),
)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("name", "unseen"), CASES)
def test_a_part_that_few_settings_show_has_the_rule_that_is_meant(name, unseen, seed, monkeypatch):
    monkeypatch.setattr(exploration, "SettingsSampler", lambda of: SettingsSampler(f"{of}{seed}"))
    monkeypatch.syspath_prepend(Path(__file__).parent)
    monkeypatch.delitem(sys.modules, "by_chance", raising=False)
    kind = getattr(importlib.import_module("by_chance"), name)
    network = Search(ArgumentSubject(kind, {}), 6, 60, draws=14).network("modules", {})
    for settings in unseen:
        with torch.device("meta"):
            wanted = [(key, tuple(each.shape)) for key, each in kind(**settings).named_parameters()]
        model = model_of(network, settings, "the settings")
        assert [(key, shape) for key, shape, _ in model.architecture.named_parameters(model.values)] == wanted, settings


@pytest.mark.parametrize(
    ("condition", "compared"),
    [
        (("==", ("item", ("key", "at"), 0), ("//", ("key", "size"), 2)), [("at", ("//", ("key", "size"), 2))]),
        (("!=", ("key", "one"), ("key", "other")), [("one", ("key", "other")), ("other", ("key", "one"))]),
        (("==", ("key", "one"), ("key", "one")), []),
        (("==", ("key", "one"), 3), []),
        (("<", ("key", "one"), ("key", "other")), []),
    ],
)
def test_what_a_setting_is_compared_with_is_known(condition, compared):
    assert [*settings_compared(condition)] == compared

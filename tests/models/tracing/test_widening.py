"""Keys that no rule needs are tried at more values, and are free where the class itself shows that they have no effect."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

import torch
from torch import nn

from symparam.models.traced.network import Key, ModuleRule, Network, RuleEntry, TensorRule
from symparam.models.tracing.argument_subject import ArgumentSubject
from symparam.models.tracing.observation import Observer
from symparam.models.tracing.widening import Suspects, filled_beside, widened


class Net(nn.Module):
    def __init__(
        self, dim=8, window=16, act="relu", capped=None, slack=0.5, order=(1, 2), gated=False, narrow=None, old=7, kinds=("full", "full")
    ):
        super().__init__()
        if act not in ("relu", "gelu", "prelu") or not isinstance(capped, (float, type(None))) or window is None:
            raise ValueError(act)
        if gated and window > 1000:
            self.gate = nn.Linear(dim, 1)
        if "shared" in kinds:
            self.shared = nn.Linear(dim, 1)
        self.act = nn.PReLU() if act == "prelu" else nn.ReLU()
        self.inside = nn.Linear(dim, narrow or dim, bias=old is not None)
        self.unread = slack, order


class Seven(torch.nn.Module):
    def __init__(self, idle0=False, idle1=False, idle2=False, idle3=False, idle4=False, idle5=False, turned=False):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.empty(2 if turned else 1))


KEYS = {
    "dim": Key(8, "free", 1),
    "window": Key(16),
    "act": Key("relu"),
    "capped": Key(None),
    "slack": Key(0.5, "idle", 0.25),
    "order": Key([1, 2]),
    "gated": Key(False),
    "narrow": Key(None),
    "old": Key(7),
    "kinds": Key(["full", "full"]),
}
WEIGHT = RuleEntry("weight", TensorRule((("key", "dim"), ("key", "dim"))))
RULES = ModuleRule("Net", (RuleEntry("inside", ModuleRule("Linear", (WEIGHT,))),))
WORDS = {"act": ("gelu", "prelu", "none")}


def wider(*contexts, held=()):
    network = Network("Net", "net.py:Net", RULES, KEYS)
    return widened(network, Observer(ArgumentSubject(Net)), contexts, held, WORDS, ("foreign",)).keys


def test_a_key_without_effect_is_free_and_one_with_an_effect_stays_held():
    keys = wider({"dim": 8}, {"dim": 5})
    assert keys["window"] == Key(16, "idle", 0)
    assert keys["act"] == Key("relu", values=("gelu",)), "one word adds a tensor, another is refused"
    assert keys["capped"] == Key(None, "idle", 0.0, nullable=True), "whole numbers are refused, fractions are not"
    assert keys["slack"] == Key(0.5, "idle", 0.0, nullable=True)
    assert keys["order"] == Key([1, 2], "any")
    assert keys["kinds"] == Key(["full", "full"], "idle", values=("full",)), "other words were not tried: one adds a tensor"
    assert keys["narrow"].status == "held", "a number that is taken for a side"
    assert keys["old"].status == "idle"
    assert not keys["old"].nullable, "null leaves a bias out"
    assert keys["dim"] == KEYS["dim"]
    assert "foreign" not in keys, "the class takes no such argument"


def test_an_effect_that_shows_at_one_of_the_settings_alone_holds_the_key():
    assert wider({}, {"gated": True})["window"].status == "held"
    assert wider({}, held=("window",))["window"] == KEYS["window"], "a key that resisted the rules is not tried"


def test_nothing_changes_if_the_time_is_over():
    network = Network("Net", "net.py:Net", RULES, KEYS)
    assert widened(network, Observer(ArgumentSubject(Net)), ({},), seconds=-1.0) == network


def test_what_made_a_difference_is_tried_apart_until_it_makes_none_for_long():
    suspects = Suspects()
    suspects.tell("built", ["text_config.attn", "act"], differ=True)
    values = {"attn": 1, "text_config.act": "relu", "dim": 2}
    assert suspects.apart("built", values) == ({"dim": 2}, {}, {"attn": 1}, {"text_config.act": "relu"}), "each by itself"
    suspects.tell("built", ["act"], differ=False)
    assert suspects.apart("built", values) == ({"dim": 2}, {"text_config.act": "relu"}, {"attn": 1})
    assert suspects.apart("taken", {"attn": 1, "dim": 2}) == ({"attn": 1, "dim": 2}, {}), "it made a difference to builds"
    for _ in range(7):
        suspects.tell("built", ["act"], differ=False)
    assert suspects.apart("built", {"attn": 1, "act": "relu"}) == ({"act": "relu"}, {}, {"attn": 1})


def test_a_suspect_takes_no_builds_of_halves():
    """Seven values of which one makes a difference: one build of all, two of each of three halvings. Tried apart it is two builds."""
    network = Network("Net", "net.py:Net", RULES, {f"idle{at}": Key(False) for at in range(6)} | {"turned": Key(False)})
    suspects, builds = Suspects(), []
    for _ in range(2):
        observer = Observer(ArgumentSubject(Seven))
        found = widened(network, observer, ({},), suspects=suspects, only=lambda path, key: True)
        assert [path for path, key in found.keys.items() if key.status == "held"] == ["turned"]
        builds.append(observer.builds)
    assert builds[0] - builds[1] == 5


@pytest.mark.parametrize(("written", "filled"), [("heads", ["kv_heads"]), ("4", [])])
def test_null_is_not_the_default_where_it_is_taken_for_another_setting(written, filled):
    """Four key-value heads if they are not given; if they are null, as many as there are heads, of which there are four as well."""

    def settings(moved):
        heads = moved.get("heads", 4)
        kv_heads = moved.get("kv_heads", 4)
        return {"heads": heads, "kv_heads": (heads if written == "heads" else 4) if kv_heads is None else kv_heads}

    network = Network("Net", "net.py:Net", RULES, {"heads": Key(4, "free", 1), "kv_heads": Key(4, "free", 1)})
    assert [*filled_beside(network, ["kv_heads"], settings)] == filled

"""Operations in rules that no build did are told."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from symparam.models.traced.network import ModuleRule, RuleEntry, TensorRule
from symparam.models.tracing.invented_operations import invented as invented_in
from symparam.models.tracing.observation import Observation

DEPTH, KERNEL, KINDS = ("key", "depth"), ("key", "kernel"), ("key", "kinds")
BUILD = Observation({}, {}, (), {}, met={("//", KERNEL, 2): 1}, asked={("<", ("loop", 0, 3), DEPTH): {True}})


@pytest.mark.parametrize(
    ("condition", "invented"),
    [
        (("key", "flag"), False),
        ((">=", ("at", 0), DEPTH), False),  # The class compared the number of a layer with this setting, whichever way.
        (("<", KERNEL, DEPTH), True),  # It compared neither with the other.
        (("<", ("at", 0), ("//", KERNEL, 2)), True),  # It divided this one, and compared nothing with it.
        (("==", ("%", ("at", 0), DEPTH), 0), True),
        (("in", ("at", 0), KINDS), True),
        (("==", ("item", KINDS, 0), "channel"), False),  # A word has no other way to be told from others.
        (("==", ("at", 0), 3), False),  # No setting.
    ],
)
def test_what_no_build_did_is_told(condition, invented):
    root = ModuleRule("Net", (RuleEntry("weight", TensorRule((("//", KERNEL, 2),)), condition),))
    assert bool(invented_in(root, [BUILD])) is invented

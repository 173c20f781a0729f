"""Sizes that a loop computes, whatever the number of its turns."""

from __future__ import annotations

import pytest

from symparam.models.traced.expressions import CARRIED, TURN, evaluate, read, render
from symparam.models.tracing.folds import folded

SIDE, KERNELS = ("key", "side"), ("key", "kernels")


def convolved(turns, pools=lambda turn, turns: True):
    found = SIDE
    for turn in range(turns):
        found = ("+", ("-", found, ("item", KERNELS, ("loop", 7, turn))), 1)
        found = ("//", found, 2) if pools(turn, turns) else found
    return found


def test_as_many_turns_as_there_are_items():
    body = ("//", ("+", ("-", CARRIED, ("item", KERNELS, TURN)), 1), 2)
    assert folded([convolved(turns) for turns in (3, 2, 1)]) == [("fold", SIDE, turns, body) for turns in (3, 2, 1)]


def test_the_last_turn_may_be_another():
    """What stands before the first whole turn, or behind the last one, is not repeated."""
    found = folded([convolved(turns, lambda turn, turns: turn < turns - 1) for turns in (4, 3, 2, 1)])
    start = ("+", ("-", SIDE, ("item", KERNELS, 0)), 1)
    body = ("+", ("-", ("//", CARRIED, 2), ("item", KERNELS, ("+", TURN, 1))), 1)
    assert found == [("fold", start, turns, body) for turns in (3, 2, 1, 0)]


@pytest.mark.parametrize(
    "expressions",
    [
        [("+", ("key", "a"), ("key", "b"))],
        [convolved(1)],
        [("//", ("+", SIDE, 2), 3)],
        [7, None, SIDE],
    ],
)
def test_nothing_is_repeated(expressions):
    plain = [each if not isinstance(each, tuple) else folded([each])[0] for each in expressions]
    assert folded(expressions) == plain
    assert "fold" not in repr(plain)


def test_sums_of_products():
    total = 0
    for turn in range(4):
        total = ("+", total, ("*", ("item", KERNELS, turn + 1), ("item", KERNELS, turn)))
    (found,) = folded([total])
    assert found[2] >= 3
    assert evaluate(found, {"kernels": [2, 3, 4, 5, 6]}) == 2 * 3 + 3 * 4 + 4 * 5 + 5 * 6


def test_the_value_of_a_fold():
    (found,) = folded([convolved(3)])
    by_length = (found[0], found[1], ("len", KERNELS), found[3])
    assert evaluate(by_length, {"side": 40, "kernels": [5, 3, 3]}) == 3  # 36 // 2 = 18, 16 // 2 = 8, 6 // 2 = 3
    assert evaluate(by_length, {"side": 40, "kernels": []}) == 40
    assert render(by_length) == "repeated(x = (x - kernels[t] + 1) // 2, len(kernels) times from side)"
    data = ["fold", ["key", "side"], ["len", ["key", "kernels"]], ["//", ["-", ["carried"], ["item", ["key", "kernels"], ["turn"]]], 2]]
    assert evaluate(read(data), {"side": 9, "kernels": [1]}) == 4

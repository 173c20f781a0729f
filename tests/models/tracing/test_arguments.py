"""What is inside arguments as settings, and the arguments with other settings inside."""

from __future__ import annotations

from collections import namedtuple
from dataclasses import dataclass
from functools import partial
from types import SimpleNamespace

import pytest

from symparam.models.tracing.arguments import MOST_INSIDE, inherited_arguments, rebuilt, settings_in

Size = namedtuple("Size", "height width")


@dataclass(frozen=True)
class Block:
    width: int
    kernels: tuple[int, ...] = (3, 5)


@pytest.mark.parametrize(
    ("value", "settings"),
    [
        (7, {"a": 7}),
        ((1, 2.5), {"a": (1, 2.5)}),
        (["conv", "pool"], {"a": ["conv", "pool"]}),
        ([True, False], {"a": [True, False]}),
        ([64, "pool", None], {"a.0": 64, "a.1": "pool", "a.2": None}),
        (((8, 3), (16, 5)), {"a[].0": [8, 16], "a[].1": [3, 5]}),
        ([(8, "conv"), (16, "pool")], {"a[].0": [8, 16], "a[].1": ["conv", "pool"]}),
        ([(8, 3), (16, 5, 7)], {"a.0": (8, 3), "a.1": (16, 5, 7)}),
        ([(8, 3), (16, None)], {"a.0": (8, 3), "a.1.0": 16, "a.1.1": None}),
        ({"stem": 8, "stages": [{"width": 4}]}, {"a.stem": 8, "a.stages[].width": [4]}),
        ([{"width": 4, "at": {"depth": 2}}], {"a[].width": [4], "a[].at.depth": [2]}),
        ([Size(4, 6), Size(1, 2)], {"a[].height": [4, 1], "a[].width": [6, 2]}),
        ({1: 2}, {"a": {1: 2}}),
        ({"a.b": 2}, {"a": {"a.b": 2}}),
        ({}, {"a": {}}),
        ([], {"a": []}),
        (Size(4, 6), {"a.height": 4, "a.width": 6}),
        (SimpleNamespace(x=1, y=(2, "z")), {"a.x": 1, "a.y.0": 2, "a.y.1": "z"}),
        ((Block(4), Block(8, (7,))), {"a.0.width": 4, "a.0.kernels": (3, 5), "a.1.width": 8, "a.1.kernels": (7,)}),
    ],
)
def test_settings_inside_an_argument(value, settings):
    assert settings_in("a", value) == settings
    assert rebuilt("a", value, settings) == value


def test_an_argument_with_other_settings_inside():
    blocks = {"blocks": (Block(4), Block(8)), "sizes": [Size(1, 2), None]}
    changed = {**settings_in("a", blocks), "a.blocks.1.width": 9, "a.sizes.0.width": 5}
    assert rebuilt("a", blocks, changed) == {"blocks": (Block(4), Block(9)), "sizes": [Size(1, 5), None]}
    assert blocks["blocks"][1].width == 8, "the argument itself is as it was"


def test_the_named_values_of_a_partial_function():
    rounded = partial(max, 3, default=5)
    assert settings_in("a", rounded) == {"a.default": 5}
    found = rebuilt("a", rounded, {"a.default": 6})
    assert (found.func, found.args, found.keywords) == (max, (3,), {"default": 6})


def test_a_table_and_a_list_within_itself_are_one_setting():
    table = [[number, "x"] for number in range(MOST_INSIDE)]
    assert settings_in("a", table) == {"a": table}
    inside: list[object] = ["x", 1]
    inside[0] = inside
    assert len(settings_in("a", inside)) < 20


class Stack:
    def __init__(self, dim, depth=2, *, dropout=0.0):
        self.sizes = dim, depth, dropout


class PassesOn(Stack):
    def __init__(self, labels=5, depth=7, **named):
        super().__init__(8, depth, **named)


class PassesOnTwice(PassesOn):
    def __init__(self, *sizes, **named):
        super().__init__(*sizes, **named)


class TakesNothing(Stack):
    def __init__(self, labels=5):
        super().__init__(8)


class IsTheSame(PassesOn):
    pass


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        (Stack, {}),
        (PassesOn, {"depth": 2, "dropout": 0.0}),
        (PassesOnTwice, {"labels": 5, "depth": 7, "dropout": 0.0}),
        (TakesNothing, {}),
        (IsTheSame, {"depth": 2, "dropout": 0.0}),
        (len, {}),
    ],
)
def test_what_a_class_may_pass_on_to_those_that_it_inherits_from(kind, arguments):
    assert inherited_arguments(kind) == arguments

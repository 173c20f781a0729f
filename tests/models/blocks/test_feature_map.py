"""Sizes that flow through a model: what each block makes of them, and what is said where two do not fit."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

import pytest

from symparam import (
    LSTM,
    Add,
    Architecture,
    Block,
    Concatenate,
    Conv2d,
    FeatureMap,
    Flatten,
    Linear,
    MaxPool2d,
    ReLU,
    Repeat,
    Sequential,
    count,
    derive,
    symbols,
)
from symparam.errors import ArchitectureError, SymparamError

H_i, W_i, H, L = symbols("H_i W_i H L")
IMAGE = FeatureMap(3, H_i, W_i)


def pooled_by_hand(size: int, kernel: int, stride: int, padding: int) -> int:
    """What torch's documentation of MaxPool2d says of ceil_mode: a window that would begin behind the padded input is left out."""
    found = ceil((size + 2 * padding - kernel) / stride) + 1
    return found - 1 if (found - 1) * stride >= size + padding else found


@pytest.mark.parametrize(("kernel", "stride", "padding"), [(3, 2, 0), (3, 2, 1), (2, 3, 0), (2, 2, 1), (5, 3, 2), (3, 4, 1)])
def test_pooling_that_rounds_up_leaves_out_windows_behind_the_end(kernel: int, stride: int, padding: int) -> None:
    made = MaxPool2d(kernel, stride, padding, ceil_mode=True).output(IMAGE)
    for size in range(kernel, 40):
        assert made.extent[0].xreplace({H_i: symbols("x") * 0 + size}) == pooled_by_hand(size, kernel, stride, padding)


@pytest.mark.parametrize(
    ("build", "said"),
    [
        (lambda: Sequential(Conv2d(3, 8, 3), Conv2d(16, 8, 3)), "Conv2d takes 16 features, but 8 come to it"),
        (lambda: Sequential(Conv2d(3, 8, 3), Flatten(), LSTM(8, 8), Conv2d(8, 8, 3)), "moves in 2 directions"),
        (lambda: Repeat(3, Conv2d(3, 8, 3, padding=1)), "a repeated block has to give what it takes"),
        (lambda: Block("Two", takes={"add": ("a", "input")}, a=Conv2d(3, 8, 1), add=Add()), "branches of the same size"),
        (
            lambda: Block("Two", takes={"join": ("a", "input")}, a=MaxPool2d(2), join=Concatenate(), b=Linear(9, 2)),
            "Linear takes 9 features",
        ),
    ],
)
def test_blocks_that_do_not_fit_are_named(build: Callable[[], Block], said: str) -> None:
    with pytest.raises(ArchitectureError, match=said):
        Architecture("model", build(), input=IMAGE).output()


def test_sizes_that_fit_for_some_values_alone_are_refused_at_the_others() -> None:
    joined = Block(
        "Two", takes={"join": ("up", "input")}, down=MaxPool2d(2), up=Conv2d(3, 4, 2, padding=1), join=Concatenate(), to=Linear(7, 2)
    )
    with pytest.raises(ArchitectureError, match="branches with equally many positions"):
        count(Architecture("model", joined, input=IMAGE), measure="macs", where=["B=1", "H_i=9", "W_i=9"])


def test_an_image_that_is_too_small_is_refused() -> None:
    with pytest.raises(ArchitectureError, match="a larger input is expected"):
        count(Architecture("model", Conv2d(3, 8, 7), input=IMAGE), measure="macs", where=["B=1", "H_i=5", "W_i=9"])


def test_without_an_input_nothing_is_guessed() -> None:
    with pytest.raises(ArchitectureError, match=r"input=FeatureMap\(3, H_i, W_i\)"):
        derive(Architecture("model", Sequential(Conv2d(3, 8, 3))), measure="macs")
    with pytest.raises(ArchitectureError, match="how many features ReLU takes is not known"):
        derive(Architecture("model", Sequential(Linear(H, H), ReLU())), convention="ptflops")
    assert str(derive(Architecture("model", Sequential(Linear(H, H), LSTM(H, H))), measure="macs")) == "9BLH²"


@pytest.mark.parametrize(
    ("takes", "said"), [({"c": "a"}, "part of Two"), ({"a": "b"}, "a part that runs before it"), ({"b": "x"}, "a part that runs before it")]
)
def test_what_a_part_takes_has_run_before(takes: dict[str, str], said: str) -> None:
    with pytest.raises(SymparamError, match=said):
        Block("Two", takes=takes, a=ReLU(), b=ReLU())

"""How many modules take turns in a list."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")  # Which observation imports.

from symparam.models.tracing.strides import turn_of


@pytest.mark.parametrize(
    ("kinds", "turn"),
    [
        ("Linear ReLU Linear ReLU", 2),
        ("Linear ReLU Dropout Linear", 3),
        ("Linear Linear Linear", 1),
        ("Flatten Linear ReLU Linear ReLU Linear", 2),
        ("Linear LayerNorm GELU Linear LayerNorm GELU Linear Sigmoid", 3),
        ("Conv2d BatchNorm2d ReLU MaxPool2d Conv2d BatchNorm2d ReLU", 4),
        ("Linear ReLU", None),
        ("Linear", None),
        ("", None),
    ],
)
def test_turns(kinds, turn):
    assert turn_of(kinds.split()) == turn

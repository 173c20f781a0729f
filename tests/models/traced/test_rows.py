"""Lists of rows as settings: a list for each column."""

from __future__ import annotations

import pytest

from symparam.models.traced.config_keys import settings_of
from symparam.models.traced.expressions import render
from symparam.models.traced.network import Key, ModuleRule, Network
from symparam.models.traced.rows import columns_of, in_columns, with_rows

COLUMNS = {"stages[].0": [64, 128], "stages[].1": [2, 3]}
OF_BLOCKS = {"blocks[].out": [16], "blocks[].kernel.0": [3], "blocks[].kernel.1": [5]}


def test_the_columns_of_rows():
    assert in_columns("stages", [[8, 1], [16, 2], [32, 3]], columns_of("stages", COLUMNS)) == {
        "stages[].0": [8, 16, 32],
        "stages[].1": [1, 2, 3],
    }
    assert in_columns("blocks", [{"out": 8, "kernel": (7, 9)}], columns_of("blocks", OF_BLOCKS)) == {
        "blocks[].out": [8],
        "blocks[].kernel.0": [7],
        "blocks[].kernel.1": [9],
    }
    assert columns_of("stage", COLUMNS) == {}


@pytest.mark.parametrize(
    ("path", "rows", "sentence"),
    [
        ("stages", [[8, 1], [16]], "stages.1 has 1 item, but each of 'stages' was traced with 2 items"),
        ("stages", [7], "stages.0 has 0 items, but each of 'stages' was traced with 2 items"),
        ("blocks", [{"out": 8}], "blocks.0 has out, but each of 'blocks' was traced with out, kernel.0, kernel.1"),
    ],
)
def test_other_rows_are_refused(path, rows, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        in_columns(path, rows, columns_of(path, {**COLUMNS, **OF_BLOCKS}))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"stages.1": [7, 9]}, {"stages[].0": [64, 7], "stages[].1": [2, 9]}),
        ({"stages.1.0": 7, "stages.0.1": 5, "width": 3}, {"width": 3, "stages[].0": [64, 7], "stages[].1": [5, 3]}),
        ({"stages.5.0": 7}, {"stages.5.0": 7}),
        ({"stages.0.2": 7, "layers.1": 4}, {"stages.0.2": 7, "layers.1": 4}),
    ],
)
def test_single_rows_and_single_values(given, expected):
    assert dict(with_rows(iter(given.items()), COLUMNS)) == expected


def test_columns_are_written_as_python_has_them():
    first, out = ("key", "stages[].0"), ("key", "blocks[].out")
    assert render(("item", first, ("at", 0))) == "stages[i][0]"
    assert render(("==", ("len", first), 4)) == "len(stages) == 4"
    assert render((">", ("item", out, -1), ("sum", first))) == "blocks[-1].out > sum(stages[][0])"
    assert render(("item", ("key", "dims"), ("+", ("at", 0), 1))) == "dims[i + 1]"


def test_lists_may_be_given_as_tuples():
    network = Network("Net", "net", ModuleRule("Net"), {"widths": Key([4, 8], "free", 1), "stages[].0": Key([4], "free", 1)})
    assert settings_of(network, {"widths": (5, 6, 7), "stages": ((9,), (8,))}, "here") == {"widths": [5, 6, 7], "stages[].0": [9, 8]}

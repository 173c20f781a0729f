"""Bytes against what libraries keep: bitsandbytes, torch's optimisers, and the block types of gguf."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.analysis.measures.number_formats import FORMATS

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "memory.json").read_text(encoding="utf-8"))
MODELS: dict[str, Any] = RECORDED["models"]


def cases(kind: str) -> list[Any]:
    return [
        pytest.param(model["config"], name, size, id=f"{label}-{name}")
        for label, model in MODELS.items()
        for name, size in model.get(kind, {}).items()
    ]


@pytest.mark.parametrize(("config", "name", "size"), cases("weights"))
def test_quantised_weights_are_as_large_as_those_of_bitsandbytes(config: dict[str, Any], name: str, size: int) -> None:
    assert symparam.count(config, measure="weights", number_format=name).total == size


@pytest.mark.parametrize(("config", "name", "size"), [case for case in cases("states") if case.values[1] != "sgd"])
def test_states_are_as_large_as_those_of_the_optimisers(config: dict[str, Any], name: str, size: int) -> None:
    assert symparam.count(config, measure="optimizer-states", optimizer=name, number_format="float32").total == size


def test_without_momentum_there_are_no_states() -> None:
    assert {model["states"]["sgd"] for model in MODELS.values() if "states" in model} == {0}
    assert str(symparam.derive("llama", measure="optimizer-states", optimizer="sgd")) == "0"


@pytest.mark.parametrize("name", [name for name in RECORDED["blocks"] if name in FORMATS and name not in ("mxfp4", "nvfp4")])
def test_blocks_are_those_of_gguf(name: str) -> None:
    numbers, size = RECORDED["blocks"][name]
    (scale,) = FORMATS[name].scales
    assert (scale.out_features, scale.in_features) == (1, numbers)
    assert FORMATS[name].bits * numbers + scale.bits == 8 * size


def test_the_formats_of_gguf_are_there() -> None:
    assert {each.name for each in FORMATS.values() if each.of == "matrices"} <= RECORDED["blocks"].keys()

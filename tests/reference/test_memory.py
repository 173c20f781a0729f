"""Bytes against what libraries keep: bitsandbytes, torch's optimisers, the caches of transformers, and the block types of gguf."""

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


@pytest.mark.parametrize(("config", "name", "size"), cases("cache"))
def test_caches_are_as_large_as_those_of_transformers(config: dict[str, Any], name: str, size: int) -> None:
    where = ["B=2", f"S={RECORDED['tokens']}"]
    attention = "kept-window" if name == "window" else name
    assert symparam.count(config, measure="kv-cache", attention=attention, number_format="float32", where=where).total == size


def test_papers_count_one_token_of_a_window_more_than_the_reference_keeps() -> None:
    windowed = [model for model in MODELS.values() if "window" in model.get("cache", {})]
    where = ["B=2", f"S={RECORDED['tokens']}"]
    for model in windowed:
        found = symparam.count(model["config"], measure="kv-cache", attention="window", number_format="float32", where=where)
        assert found.total > model["cache"]["window"]
    assert windowed


@pytest.mark.parametrize("name", [name for name in RECORDED["blocks"] if name in FORMATS and name not in ("mxfp4", "nvfp4")])
def test_blocks_are_those_of_gguf(name: str) -> None:
    numbers, size = RECORDED["blocks"][name]
    (scale,) = FORMATS[name].scales
    assert (scale.out_features, scale.in_features) == (1, numbers)
    assert FORMATS[name].bits * numbers + scale.bits == 8 * size


def test_the_formats_of_gguf_are_there() -> None:
    assert {each.name for each in FORMATS.values() if each.of == "matrices"} <= RECORDED["blocks"].keys()


def test_the_two_ways_of_latents_have_a_cache_and_operations_each() -> None:
    """For DeepSeek-V3: 128 heads, latents of 512 and 64 numbers, head sizes 128, 64 and 128, 61 layers."""
    caches, costs = {}, {}
    for latent in ("absorbed", "expanded"):
        caches[latent] = symparam.count("deepseek-v3", measure="kv-cache", latent=latent, where=["B=1", "S=1"]).total
        one, two = (
            symparam.count("deepseek-v3", measure="decoding-flops", latent=latent, where=["B=1", f"S={tokens}"]).total for tokens in (1, 2)
        )
        costs[latent] = two - one
    assert caches == {"absorbed": 2 * 61 * (512 + 64), "expanded": 2 * 61 * 128 * (128 + 64 + 128)}
    assert costs == {"absorbed": 61 * 278_528, "expanded": 61 * 81_920}

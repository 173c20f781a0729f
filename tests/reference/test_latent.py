"""Latent attention in both of its ways against DeepSeek's own implementation: what it caches, and what one more token takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam

RECORDED: list[dict[str, Any]] = json.loads((Path(__file__).parent / "latent.json").read_text(encoding="utf-8"))["recordings"]


@pytest.mark.few(4)
@pytest.mark.parametrize("latent", ["absorbed", "expanded"])
@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: f"{recorded['config']['num_attention_heads']}-heads")
def test_cache_and_operations_are_those_of_the_implementation(recorded: dict[str, Any], latent: str) -> None:
    where = [f"{letter}={recorded[letter]}" for letter in ("B", "S")]
    found = {
        name: symparam.count(recorded["config"], measure=measure, latent=latent, where=where).total
        for name, measure in {"cache": "kv-cache", "decoding": "decoding-flops"}.items()
    }
    assert found == recorded[latent]


def test_the_two_ways_of_the_released_model() -> None:
    """DeepSeek-V3: 128 heads, latents of 512 and 64 numbers, head sizes 128, 64 and 128, 61 layers."""
    caches, costs = {}, {}
    for latent in ("absorbed", "expanded"):
        caches[latent] = symparam.count("deepseek-v3", measure="kv-cache", latent=latent, where=["B=1", "S=1"]).total
        one, two = (
            symparam.count("deepseek-v3", measure="decoding-flops", latent=latent, where=["B=1", f"S={tokens}"]).total for tokens in (1, 2)
        )
        costs[latent] = two - one
    assert caches == {"absorbed": 2 * 61 * (512 + 64), "expanded": 2 * 61 * 128 * (128 + 64 + 128)}
    assert costs == {"absorbed": 61 * 278_528, "expanded": 61 * 81_920}

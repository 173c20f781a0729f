"""Latent attention in both of its ways against DeepSeek's own implementation: what it caches, and what one more token takes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam

RECORDED: list[dict[str, Any]] = json.loads((Path(__file__).parent / "latent.json").read_text(encoding="utf-8"))["recordings"]


@pytest.mark.parametrize("latent", ["absorbed", "expanded"])
@pytest.mark.parametrize("recorded", RECORDED, ids=lambda recorded: f"{recorded['config']['num_attention_heads']}-heads")
def test_cache_and_operations_are_those_of_the_implementation(recorded: dict[str, Any], latent: str) -> None:
    where = [f"{letter}={recorded[letter]}" for letter in ("B", "S")]
    found = {
        name: symparam.count(recorded["config"], measure=measure, latent=latent, where=where).total
        for name, measure in {"cache": "kv-cache", "decoding": "decoding-flops"}.items()
    }
    assert found == recorded[latent]

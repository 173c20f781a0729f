"""Training under the convention of torch's counter is what it says of a forward and a backward pass of the reference's models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.models.architectures import families
from tests.sampling import one_of_each

HERE = Path(__file__).parent
RECORDED: list[dict[str, Any]] = json.loads((HERE / "training.json").read_text(encoding="utf-8"))["recordings"]
MODELS = {
    (each["class"], each["label"]): each for each in json.loads((HERE / "tools" / "torch.json").read_text(encoding="utf-8"))["recordings"]
}


CASES = [pytest.param(each, id=f"{each['class']}-{each['label']}-{each['implementation']}") for each in RECORDED]


def sort(recorded: dict[str, Any]) -> tuple[str, str]:
    return MODELS[recorded["class"], recorded["label"]]["config"]["model_type"], recorded["implementation"]


@pytest.mark.few(16)
@pytest.mark.parametrize("recorded", one_of_each(CASES, sort))
def test_training_is_what_the_counter_says_of_both_passes(recorded: dict[str, Any]) -> None:
    model = MODELS[recorded["class"], recorded["label"]]
    where = [f"{letter}={model[letter]}" for letter in ("B", "L", "L_e")]
    options: dict[str, Any] = {"where": where, "convention": "torch", "implementation": recorded["implementation"]}
    both, back = (symparam.count(model["config"], measure=measure, **options).total for measure in ("training-flops", "backward-flops"))
    assert both == recorded["training"]
    assert back == recorded["training"] - recorded["forward"]


def test_every_family_is_recorded_in_the_ways_of_attention_that_it_has() -> None:
    assert {kind for kind, _ in map(sort, RECORDED)} >= {family.model_type for family in families()}
    assert {kind for kind, way in map(sort, RECORDED) if way == "sdpa"} >= {"bert", "gpt2", "llama", "t5", "vit", "deepseek_v3"}

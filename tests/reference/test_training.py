"""Training under the convention of torch's counter is what it says of a forward and a backward pass of the reference's models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import FormulaError
from symparam.models.architectures import families
from tests.sampling import one_of_each

HERE = Path(__file__).parent
RECORDED: list[dict[str, Any]] = json.loads((HERE / "training.json").read_text(encoding="utf-8"))["recordings"]
MODELS = {
    (each["class"], each["label"]): each
    for each in json.loads((HERE / "tools" / "torch.json").read_text(encoding="utf-8"))["recordings"]
    if each["implementation"] == "eager"
}


CASES = [pytest.param(each, id=f"{each['class']}-{each['label']}") for each in RECORDED]


def model_type(recorded: dict[str, Any]) -> str:
    found: str = MODELS[recorded["class"], recorded["label"]]["config"]["model_type"]
    return found


@pytest.mark.parametrize("recorded", one_of_each(CASES, model_type))
def test_training_is_what_the_counter_says_of_both_passes(recorded: dict[str, Any]) -> None:
    model = MODELS[recorded["class"], recorded["label"]]
    where = [f"{letter}={model[letter]}" for letter in ("B", "L", "L_e")]
    measures = ("training-flops", "backward-flops")
    both, back = (symparam.count(model["config"], where=where, convention="torch", measure=measure).total for measure in measures)
    assert both == recorded["training"]
    assert back == recorded["training"] - recorded["forward"]


def test_every_family_is_recorded() -> None:
    types = {MODELS[each["class"], each["label"]]["config"]["model_type"] for each in RECORDED}
    assert types >= {family.model_type for family in families()}


def test_the_backward_pass_of_fused_attention_is_refused() -> None:
    with pytest.raises(FormulaError, match="fused attention is not recorded"):
        symparam.derive("gpt2", convention="torch", measure="training-flops", implementation="sdpa")

"""The terms of a training step, against recordings of the reference: what autograd keeps with labels, weights, gradients and states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.errors import SymparamError
from tests.sampling import one_of_each

RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "training.json").read_text(encoding="utf-8"))
RECORDINGS: list[dict[str, Any]] = RECORDED["recordings"]
CLASSES = sorted({recording["config"]["architectures"][0] for recording in RECORDINGS})
BYTES = 4


def terms(config: Any, **measuring: Any) -> dict[str, Any]:
    """The terms of the sum by their roles."""
    found = symparam.count(config, measure="training-peak", **measuring)
    rows = {row.step.role: row.total for row in found.count.rows}
    assert sum(rows.values()) == found.total
    return rows


OF_CLASSES = [pytest.param(name) for name in CLASSES]


@pytest.mark.parametrize("name", one_of_each(OF_CLASSES, lambda name: name < "L"))
def test_terms_to_the_byte(name: str) -> None:
    """Activations and what the loss keeps, weights, gradients, and the states of Adam; the first gradient is that of the logits."""
    for each in (each for each in RECORDINGS if each["config"]["architectures"][0] == name):
        measuring = {"convention": "autograd", "number_format": "float32", "optimizer": "adam", "implementation": each["implementation"]}
        found = terms(each["config"], where=[f"{letter}={each[letter]}" for letter in ("B", "L", "L_e")], **measuring)
        assert found["activations"] + found["logits"] == each["kept"]
        assert {kind: found[kind] for kind in ("weights", "gradients", "optimizer-states")} == {
            kind: each[kind] for kind in ("weights", "gradients", "optimizer-states")
        }


def test_many_classes_were_recorded() -> None:
    assert len(CLASSES) >= 12


def test_korthikanti_by_name() -> None:
    """GPT-2 with B = 2, L = 16: 12 layers of 34BLH + 5BhL² bytes, 5BLH outside of them, logits of 32 bits, and their gradient."""
    found = terms("gpt2", where=["B=2", "L=16"])
    tokens, parameters = 2 * 16, 124_439_808
    assert found == {
        "weights": 2 * parameters,
        "gradients": 2 * parameters,
        "optimizer-states": 12 * parameters,
        "activations": 12 * (34 * tokens * 768 + 5 * tokens * 12 * 16),
        "outside-layers": 5 * tokens * 768,
        "logits": BYTES * tokens * 50_257,
        "largest-gradient": BYTES * tokens * 50_257,
    }


def test_ranks_share_states_by_the_stage_of_zero() -> None:
    whole, shared = (terms("gpt2", where=["B=1", "L=8", "n_d=4"], zero=stage) for stage in (0, 2))
    assert [whole[name] / shared[name] for name in ("weights", "gradients", "optimizer-states", "activations")] == [1, 4, 4, 1]


@pytest.mark.parametrize(
    ("format", "language"), [("text", "en"), ("markdown", "zh"), ("latex", "en"), ("html", "zh"), ("rst", "en"), ("json", "en")]
)
def test_the_terms_stand_in_every_format(format: str, language: str) -> None:
    written = symparam.count("gpt2", measure="training-peak", where=["B=1", "L=8"], language=language).write(format)
    assert {"json": "optimizer_states", "en": "States of the optimiser"}.get(
        format if format == "json" else language, "优化器状态"
    ) in written


@pytest.mark.parametrize(
    ("model", "measuring", "message"),
    [
        ("gpt2", {"convention": "thop"}, "has the activations of korthikanti or autograd, not of thop"),
        ("gpt2", {"number_format": "float32"}, "count activations of 16 bits"),
        ("gpt2", {"recomputation": "full"}, "--recomputation full is not for the measure training-peak"),
        ("gpt2", {"convention": "autograd", "number_format": "float32"}, "name the optimizer adam"),
        ("llama", {}, "name a model with such layers"),
    ],
)
def test_what_does_not_apply_is_refused(model: str, measuring: dict[str, Any], message: str) -> None:
    with pytest.raises(SymparamError, match=message):
        symparam.derive(model, measure="training-peak", **measuring)

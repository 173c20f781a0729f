"""Every architecture against recordings of the reference implementation, tensor by tensor: names, order, shapes, total."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.analysis.measures.parameters import parameters
from symparam.core.evaluation import evaluate
from symparam.errors import ConfigError
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.presets import presets
from symparam.models.configs.values import Model, model_from_config
from tests.sampling import one_of_each

HERE = Path(__file__).parent
FILES = sorted((HERE / "recordings").glob("*.json"))
CASES = [
    pytest.param(recording, id=f"{file.stem}-{recording['label']}")
    for file in FILES
    for recording in json.loads(file.read_text(encoding="utf-8"))["recordings"]
]

# What the reference builds and symparam refuses on purpose: a size of zero, heads that do not divide the hidden size, and
# activations that are trained themselves.
REFUSED = ("edge-no-layers", "edge-n-inner-zero", "edge-uneven-heads", "edge-prelu", "edge-xielu")


def model(recording: dict[str, Any]) -> Model:
    return model_from_config(ConfigDocument(recording["config"], recording["label"]))


def refused(recording: dict[str, Any]) -> bool:
    return bool(recording["label"].startswith(REFUSED))


def class_of(recording: dict[str, Any]) -> str:
    return str(recording["config"]["architectures"][0])


def is_random(recording: dict[str, Any]) -> bool:
    return bool(recording["label"].startswith("random"))


@pytest.mark.parametrize("recording", one_of_each((case for case in CASES if not refused(case.values[0])), class_of, is_random))
def test_tensors_and_total_equal_the_recording(recording: dict[str, Any]) -> None:
    found = model(recording)
    tensors = [[name, list(shape)] for name, shape, _ in found.architecture.named_parameters(found.values)]
    assert tensors == recording["tensors"]
    derivation = parameters(found.architecture)
    for form in ("by-symbol", "expanded", "factored", "by-module"):
        assert evaluate(derivation.closed_form(form), found.values) == recording["total"]


@pytest.mark.parametrize("recording", one_of_each((case for case in CASES if refused(case.values[0])), class_of))
def test_what_has_no_formula_is_refused(recording: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"positive whole number|not divisible|parameters of its own"):
        model(recording)


def test_each_class_is_held_against_its_release_and_thirty_odd_configs() -> None:
    classes = {class_name for family in symparam.list().families for class_name in family.classes}
    assert {file.stem for file in FILES} == classes
    for file in FILES:
        data = json.loads(file.read_text(encoding="utf-8"))
        labels = [recording["label"] for recording in data["recordings"]]
        assert sum(label.startswith("random") for label in labels) >= 30
        assert set(labels) & set(presets()), f"no released model is recorded for {file.stem}"
        assert data["versions"].keys() == {"python", "torch", "transformers"}


def test_the_presets_that_are_recorded_have_the_same_sizes() -> None:
    recorded = {(case.values[0]["config"]["architectures"][0], case.values[0]["label"]): case.values[0] for case in CASES}
    both = [(name, preset, (preset.config["architectures"][0], name)) for name, preset in presets().items()]
    compared = [(name, preset, recorded[key]) for name, preset, key in both if key in recorded]
    assert len(compared) > 50
    for name, preset, recording in compared:
        assert model_from_config(preset.document).values == model(recording).values
        assert symparam.count(name).total == recording["total"]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # The reference's own warnings are not ours to mend.
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_recordings_equal_the_reference_that_is_installed(file: Path) -> None:
    pytest.importorskip("torch", reason="the live comparison needs torch")
    pytest.importorskip("transformers", reason="the live comparison needs transformers")
    from tests.reference.record import record

    for recording in json.loads(file.read_text(encoding="utf-8"))["recordings"]:
        assert [[name, list(shape)] for name, shape in record(recording["config"])] == recording["tensors"], recording["label"]

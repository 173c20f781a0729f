"""The parts of every block run in the order in which the reference calls its modules, by recordings of calls."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import symparam
from symparam.models.blocks import Block, Layers, Module, Repeat
from symparam.models.blocks.architecture import evaluate_size
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.values import model_from_config

FILES = sorted((Path(__file__).parent / "order").glob("*.json"))
CASES = [
    pytest.param(recording, id=f"{file.stem}-{recording['label']}")
    for file in FILES
    for recording in json.loads(file.read_text(encoding="utf-8"))["recordings"]
]


class Parts(NamedTuple):
    """The parts of one block: as they run here, as the reference calls them, and those of ours that it does not call."""

    path: str
    ours: list[str]
    called: list[str]
    left_out: list[str]


def compared(module: Module, called: dict[str, Any], values: Mapping[str, int], path: str = "") -> Iterator[Parts]:
    """The block and those inside it, without the modules of the reference that are no block here, such as a dropout."""
    if isinstance(module, (Repeat, Layers)):
        layers = numbered(module, values)
        for number, inner in called.items():
            yield from compared(layers[number], inner, values, f"{path}.{number}")
    elif isinstance(module, Block):
        parts = dict(module.parts)
        ours = [name for name in module.execution_order if name in called]
        yield Parts(path, ours, [name for name in called if name in parts], [name for name in parts if name not in called])
        for name in ours:
            yield from compared(parts[name], called[name], values, f"{path}.{name}")


def numbered(module: Repeat | Layers, values: Mapping[str, int]) -> dict[str, Module]:
    """The layers of a list by their numbers."""
    found: dict[str, Module] = {}
    for run in module.groups if isinstance(module, Layers) else (module,):
        numbers = run.indices or range(len(found), len(found) + evaluate_size(run.count, values, {}))
        found |= {str(number): run.body for number in numbers}
    return found


def parts(recording: dict[str, Any]) -> list[Parts]:
    model = model_from_config(ConfigDocument(recording["config"], recording["label"]))
    return list(compared(model.architecture.root, recording["order"], model.values))


@pytest.mark.parametrize("recording", CASES)
def test_the_parts_run_in_the_order_of_the_reference(recording: dict[str, Any]) -> None:
    found = parts(recording)
    assert [(each.path, each.ours) for each in found] == [(each.path, each.called) for each in found]
    assert any(len(each.called) > 1 for each in found)


NOT_CALLED = {
    "no module of the reference": (
        *("dot_product", "scores", "relu", "gelu", "gelu1", "gelu2", "scan", "gate", "recall", "readout", "similarity"),
    ),
    "a tensor by itself": (
        *("bias", "A_log", "D", "dt_bias", "sinks", "cls_token", "mask_token", "position_embeddings", "class_embedding", "logit_scale"),
    ),
    "a module whose weight alone is used": ("conv1d", "dt_proj"),
    "a module with several places": ("act", "shared"),
    "layers that no token passes through, as there are 0 of them": ("albert_layer_groups",),
}


def test_what_is_not_compared_is_known() -> None:
    left_out = {name for case in CASES for each in parts(case.values[0]) for name in each.left_out}
    assert left_out == {name for names in NOT_CALLED.values() for name in names}


def test_every_class_is_recorded() -> None:
    assert {file.stem for file in FILES} == {class_name for family in symparam.list().families for class_name in family.classes}
    for file in FILES:
        assert json.loads(file.read_text(encoding="utf-8"))["versions"].keys() == {"python", "torch", "transformers"}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # The reference's own warnings are not ours to mend.
@pytest.mark.parametrize("file", FILES, ids=[file.stem for file in FILES])
def test_the_recordings_equal_the_reference_that_is_installed(file: Path) -> None:
    pytest.importorskip("torch", reason="the live comparison needs torch")
    pytest.importorskip("transformers", reason="the live comparison needs transformers")
    from tests.reference.record_order import record

    for recording in json.loads(file.read_text(encoding="utf-8"))["recordings"]:
        assert json.dumps(record(recording["config"])) == json.dumps(recording["order"]), recording["label"]

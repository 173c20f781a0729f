"""Layers and models have the parameters of torch's, and the operations that tools count of them; the models are those of the guide."""

from __future__ import annotations

import doctest
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

import symparam
from symparam import Architecture, Block, FeatureMap, symbols
from symparam.analysis.measures.conventions.tools import CONVENTIONS
from symparam.errors import ArchitectureError
from symparam.models import blocks
from tests.reference.blocks_recorded import LAYERS, MODELS, Layer
from tests.sampling import one_of_each

ROOT = Path(__file__).parents[2]
RECORDED: dict[str, Any] = json.loads((Path(__file__).parent / "blocks.json").read_text(encoding="utf-8"))["recordings"]
LAST = ("Linear", "LayerNorm", "Bilinear", "RNN", "LSTM", "GRU", "MultiheadAttention")
"""Layers whose features are the last of the sizes that they take, and not the second."""
B, L, H_i, W_i = symbols("B L H_i W_i")


@cache
def guide() -> dict[str, Any]:
    """What the guide's page on blocks defines."""
    text = (ROOT / "docs" / "guide" / "blocks.md").read_text(encoding="utf-8")
    names: dict[str, Any] = {}
    for example in doctest.DocTestParser().get_examples(text):
        if example.source.startswith(("from ", "def ", "H_i")):
            exec(compile(example.source, "blocks.md", "single"), names)
    return names


def feature_map(kind: str, shape: tuple[int, ...]) -> FeatureMap:
    _, *others = shape
    return FeatureMap(others[-1], *others[:-1]) if kind in LAST else FeatureMap(others[0], *others[1:])


@dataclass(frozen=True)
class Given(blocks.Mean):
    """A block that makes what it is told to, of whatever comes to it; ``learned`` says that a gradient goes through it."""

    made: FeatureMap
    learned: bool = False

    @property
    def tensors(self) -> tuple[blocks.Tensor, ...]:
        return (blocks.Tensor("weight", (sympy.S.One,)),) if self.learned else ()

    @property
    def undeclared(self) -> bool:
        return False

    def output(self, *taken: FeatureMap) -> FeatureMap:
        return self.made


def of_layer(layer: Layer, learned: bool = False) -> tuple[Architecture, dict[str, int]]:
    """The layer as a model, behind blocks that give it the others of its inputs, and the size of the batch."""
    options = {name: value for name, value in layer.options.items() if name != "batch_first"}
    block = getattr(blocks, layer.kind)(*layer.arguments, **options)
    maps = [feature_map(layer.kind, shape) for shape in layer.inputs]

    parts = {f"input{at}": Given(each, learned) for at, each in enumerate(maps)}
    root = Block("Layer", takes={"layer": tuple(parts)}, **parts, layer=block)
    return Architecture(layer.label, root, input=maps[0]), {"B": layer.inputs[0][0]}


def of_model(name: str, sizes: tuple[int, ...]) -> tuple[Architecture, dict[str, int]]:
    """A model of the guide, and its sizes as values of letters."""
    batch, *others = sizes
    if name in ("tagger", "encoder"):
        built = guide()["tagger"](50, 12, 10, 7) if name == "tagger" else guide()["attending"](50, 12, 3)
        return built, {"B": batch, "L": others[0]}
    if name == "mixer":
        return guide()["mixer"](others[0] // 4, others[1] // 4, 12, 7), {"B": batch}
    names = {"resnet18": "resnet18", "unet": "unet", "convnext_stage": "convnext_stage"}
    return guide()[names[name]](H_i, W_i), {"B": batch, "H_i": others[0], "W_i": others[1]}


CASES: dict[str, tuple[str, Any]] = {layer.label: (layer.kind, layer) for layer in LAYERS}
CASES |= {f"{name} of {'×'.join(map(str, sizes))}": (name, sizes) for name, every in MODELS.items() for sizes in every}


def built(label: str) -> tuple[Architecture, dict[str, int]]:
    name, case = CASES[label]
    return of_layer(case) if isinstance(case, Layer) else of_model(name, case)


def test_everything_is_recorded() -> None:
    assert RECORDED.keys() == CASES.keys()


def kind(label: str) -> str:
    return CASES[label][0]


def cases(labels: Iterable[str]) -> list[Any]:
    """One of each layer and model by default, the others with the slow tests."""
    return list(one_of_each((pytest.param(label, id=label) for label in labels), kind))


@pytest.mark.parametrize("label", cases(CASES))
def test_a_layer_or_model_has_as_many_parameters(label: str) -> None:
    architecture, _ = built(label)
    if RECORDED[label]["parameters"]:
        assert symparam.count(architecture).total == RECORDED[label]["parameters"]
    else:
        assert not any(place.module.tensors for place in architecture.places())


MULTIPLYING = [label for label in CASES if RECORDED[label]["meta"]["FLOPs"]]
"""The layers and models whose products torch's counter sees where nothing is computed."""


@pytest.mark.few(8)
@pytest.mark.parametrize("label", cases(MULTIPLYING))
def test_its_operations_are_what_the_counter_of_torch_says(label: str) -> None:
    architecture, values = built(label)
    where = [f"{letter}={value}" for letter, value in values.items()]
    assert symparam.count(architecture, measure="flops", where=where).total == RECORDED[label]["meta"]["FLOPs"]


def tool_cases() -> Iterator[Any]:
    for tool in CONVENTIONS:
        for label, recorded in RECORDED.items():
            if "error" not in recorded.get(tool, ["error"]) and (tool, CASES[label][0]) not in OTHERWISE:
                yield pytest.param(tool, label, id=f"{tool}-{label}")


def tool_and_sort(tool: str, label: str) -> tuple[str, str]:
    return tool, kind(label) if kind(label) in MODELS else ""


REFUSED = {
    "thop": ("proj_size",),
    "ptflops": ("MultiheadAttention", "encoder"),
    "ptflops-aten": ("RNN", "GRU", "LSTM", "tagger", "MultiheadAttention", "encoder"),
    "calflops": ("groups=2, bias",),
}
"""What a tool's convention has no number for: words in the labels."""


OTHERWISE = {
    ("thop", "convnext_stage"): "the norm behind the stem is a class of its own, which the tool does not know",
    ("ptflops", "convnext_stage"): "the same",
    ("ptflops-aten", "mixer"): "a bias is counted where the rows lie side by side in memory, and what was transposed does not",
}
"""Where a tool sees how a model is written, which its sizes do not say."""


@pytest.mark.few(16)
@pytest.mark.parametrize(("tool", "label"), list(one_of_each(tool_cases(), tool_and_sort)))
def test_the_number_is_the_one_that_the_tool_reports(tool: str, label: str) -> None:
    architecture, values = built(label)
    where = [f"{letter}={value}" for letter, value in values.items()]
    for unit in ("FLOPs", "MACs"):
        if unit not in RECORDED[label][tool]:
            continue
        if any(word in label for word in REFUSED.get(tool, ())):
            with pytest.raises(ArchitectureError, match="does not follow from its sizes"):
                symparam.count(architecture, convention=tool, measure=unit.lower(), where=where)
        elif RECORDED[label][tool][unit]:
            assert symparam.count(architecture, convention=tool, measure=unit.lower(), where=where).total == RECORDED[label][tool][unit]
        else:
            assert symparam.derive(architecture, convention=tool, measure=unit.lower()).expr == 0


TRAINED = [label for label, recorded in RECORDED.items() if recorded["training"].get("FLOPs")]


@pytest.mark.few(8)
@pytest.mark.parametrize("label", cases(TRAINED))
def test_training_is_what_the_counter_of_torch_says_of_both_passes(label: str) -> None:
    architecture, values = built(label)
    where = [f"{letter}={value}" for letter, value in values.items()]
    measures = ("training-flops", "backward-flops")
    both, back = (symparam.count(architecture, convention="torch", measure=measure, where=where).total for measure in measures)
    assert both == RECORDED[label]["training"]["FLOPs"]
    assert both - back == RECORDED[label]["torch"]["FLOPs"]

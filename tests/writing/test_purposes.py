"""What parts are there for: said once, in each language, and never where a model has it otherwise."""

from __future__ import annotations

import symparam
from symparam.core.dimensions import H, N, V
from symparam.models.blocks import Architecture, Block
from symparam.models.blocks.opaque import OpaqueLayer
from symparam.writing.document import Entry, Line
from symparam.writing.phrases import phrases
from symparam.writing.purposes import purposes

CLASSES = (
    *("BertForPreTraining", "AlbertModel", "gpt2", "llama", "qwen3", "mixtral", "deepseek-v3"),
    *("T5ForConditionalGeneration", "WhisperForConditionalGeneration", "ViTModel", "CLIPModel", "mamba"),
    *("LlavaForConditionalGeneration", "gpt-oss", "qwen3-next", "deepseek-v3.2"),
)


LAYERS = Block(
    "Layers",
    conv=OpaqueLayer("Conv2d", (("weight", (H, V, N, N)),)),
    norm=OpaqueLayer("BatchNorm2d", (("weight", (H,)), ("bias", (H,)))),
    gates=OpaqueLayer("LSTM", (("weight_ih_l0", (4 * H, V)), ("weight_hh_l0", (4 * H, H)))),
)


def said(model: str | Architecture) -> list[Line]:
    root = symparam.explain(model).subject.derivation.root
    return [line for line in purposes(root.walk(), phrases("en")) if line]


def test_each_is_said_once_and_all_of_them_are_said_of_some_model() -> None:
    words = phrases("en")
    found: set[str] = set()
    for model in (*CLASSES, Architecture("own", LAYERS)):
        lines = [str(line[0]) for line in said(model)]
        assert len(lines) == len(set(lines))
        found |= set(lines)
    assert {text.partition("{")[0] for text in words.purposes.values()} == found


def test_a_head_that_is_tied_is_told_from_one_that_is_not() -> None:
    own, tied = phrases("en").purposes["head"], phrases("en").purposes["tied-head"].partition("{")[0]
    assert any(line[0] == own for line in said("llama"))
    assert any(line[0] == tied and str(line[1]) == "VH" for line in said("gpt2"))
    assert not {own, tied} & {line[0] for line in said("BertModel")}


def test_it_stands_behind_the_reason_of_parameters_and_of_nothing_else() -> None:
    entries = [node for node in symparam.explain("llama").document.nodes if isinstance(node, Entry)]
    assert any("Ainslie et al. 2023" in str(entry.reason) for entry in entries)
    operations = [node for node in symparam.explain("llama", measure="flops").document.nodes if isinstance(node, Entry)]
    assert operations
    assert not any("Ainslie et al. 2023" in str(entry.reason) for entry in operations)

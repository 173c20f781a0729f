"""What labels of six languages and more ask for, and what is left of them that is not understood."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import symparam
from symparam.documents.roles.labels import read_label

PHRASES = Path(symparam.__file__).parent / "writing" / "phrases"

PARTS = [
    ("Self-attention", "attention"), ("注意力层", "attention"), ("自己注意機構", "attention"), ("Selbstaufmerksamkeit", "attention"),
    ("couche d'attention", "attention"), ("capa de atención", "attention"), ("слой внимания", "attention"), ("MLP", "feed-forward"),
    ("Feed Forward Network (FFN)", "feed-forward"), ("前馈网络", "feed-forward"), ("red feed-forward", "feed-forward"),
    ("q_proj", "query"), ("$W^Q$", "query"), ("word embeddings", "token-embedding"), ("词嵌入", "token-embedding"),
    ("位置编码", "position-embedding"), ("plongements de position", "position-embedding"), ("LN", "norm"), ("LayerNorms", "norm"),
    ("RMSNorm of the attention", "attention-norm"), ("lm head", "language-model-head"), ("语言模型头", "language-model-head"),
    ("each expert", "expert"), ("un expert", "expert"), ("routed experts", "experts"), ("backbone without embeddings", "non-embedding"),
    ("24 层", "layer"), ("Feed-forward, up", "feed-forward-in"), ("Query, key and value", "query-key-value"), ("decoder block", "decoder"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "part"), PARTS)
def test_parts(text: str, part: str) -> None:
    label = read_label(text)
    assert (label.parts, label.rest) == ((part,), ())


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("attention per layer", "in-layer"), ("FFN in each layer", "in-layer"), ("每层的注意力", "in-layer"),
        ("Attention pro Schicht", "in-layer"),
        ("attention par couche", "in-layer"), ("atención por capa", "in-layer"), ("層あたりの注意機構", "in-layer"),
        ("total attention", ""), ("attention in all layers", "in-all"),
        ("所有层的注意力", "in-all"), ("query per head", "per-head"), ("attention", ""),
    ],
)  # fmt: skip
def test_in_how_many_copies(text: str, scope: str) -> None:
    assert read_label(text).scope == scope


def test_which_tensors() -> None:
    labels = ("attention biases", "注意力偏置", "attention weights only", "weights and biases of the MLP")
    assert [read_label(text).tensors for text in labels] == ["biases", "biases", "weights", ""]


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("LoRA attention", ("lora",)), ("attention of the teacher", ("teacher",)), ("FFN", ()), ("biases + LayerNorm", ("+",)),
        ("Q + K + V", ()), ("embed_tokens", ()), ("three matrices of the MLP", ()),
    ],
)  # fmt: skip
def test_words_that_are_not_understood(text: str, rest: tuple[str, ...]) -> None:
    assert read_label(text).rest == rest


@pytest.mark.parametrize(
    ("text", "measures"),
    [
        ("attention FLOPs", ("operations",)), ("FFN memory", ("bytes",)), ("KV cache", ("cache",)), ("注意力的计算量", ("operations",)),
        ("MLP MACs", ("macs",)), ("Optimizer states in bytes", ("optimizer", "bytes")), ("Aktivierungen", ("activations",)),
    ],
)  # fmt: skip
def test_what_counts_no_parameters(text: str, measures: tuple[str, ...]) -> None:
    assert read_label(text).measures == measures


def test_runs_and_what_they_are_counted_for() -> None:
    label = read_label("training FLOPs per token of each layer")
    assert (label.measures, label.work, label.per, label.scope) == (("operations",), "training", "per-token", "in-layer")
    assert read_label("attention latency").other


def test_letters_between_words_name_no_matrix() -> None:
    assert read_label("about 4 K tokens of context").parts == ()
    assert read_label("K").parts == ("key",)


def test_layers_of_one_kind() -> None:
    """Attention is not the part that is counted in ``Layers with attention``."""
    assert read_label("Layers with attention").parts == ("attention-layers",)
    assert read_label("Layers with a state and experts").parts == ("state-space-layers-of-experts",)


# Titles of what is no part of a model, or of all of it.
_NO_PARTS = {
    "weights", "gradients", "optimizer-states", "activations", "outside-layers", "logits", "largest-output", "largest-gradient", "model",
    "layers", "layer", "sublayers", "activation", "gate", "router-scores", "product",
}  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_titles_of_our_own_tables_name_their_parts(language: str) -> None:
    """A table that we write can be read: each of its titles is one part, with no word that is not known."""
    written = tomllib.loads((PHRASES / language / "titles.toml").read_text(encoding="utf-8"))
    for role, title in written.items():
        for norm in ("LayerNorm", "RMSNorm"):
            label = read_label(str(title).replace("{norm}", norm))
            assert role in _NO_PARTS or (len(label.parts) == 1 and not label.rest), (role, title, label)


LETTERS = [
    ("q, o", ("query", "output-projection")), ("Q, K, V, O", ("attention",)), ("K, V", ("key-value",)),
    ("q o v", ("query", "value")),  # Of a language in which it means or.
]  # fmt: skip


@pytest.mark.parametrize(("text", "parts"), LETTERS)
def test_the_letter_of_the_output_projection(text: str, parts: tuple[str, ...]) -> None:
    assert read_label(text).parts == parts


@pytest.mark.parametrize(("text", "parts"), [("k", ("key",)), ("W_k", ("key",)), ("4k", ()), ("204K", ())])
def test_thousands_are_no_keys(text: str, parts: tuple[str, ...]) -> None:
    assert read_label(text).parts == parts

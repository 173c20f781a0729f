"""Tells whether one label names a whole and others its parts: attention consists of queries, keys and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symparam.documents.roles.labels import read_label

FEWEST = 2  # The fewest parts; a single one is the same thing under another name.
_OF_A_LAYER = (
    "attention", "cross-attention", "feed-forward", "norm", "attention-norm", "feed-forward-norm", "router", "experts", "shared-experts",
)  # fmt: skip
_INSIDE: Mapping[str, frozenset[str]] = {
    "attention": frozenset(
        {"query", "key", "value", "output-projection", "query-key-value", "key-value", "attention-norm", "norm", "query-norm", "key-norm",
         "query-down", "query-up", "key-value-down", "key-value-up"}
    ),
    "feed-forward": frozenset(
        {"feed-forward-in", "feed-forward-gate", "feed-forward-gate-and-in", "feed-forward-out", "feed-forward-norm", "norm"}
    ),
    "embeddings": frozenset(
        {"token-embedding", "position-embedding", "token-type-embedding", "embedding-norm", "norm", "patch-embeddings", "class-token"}
    ),
    "experts": frozenset({"expert", "shared-experts", "router"}),
    "layer": frozenset(_OF_A_LAYER),
    "encoder": frozenset({*_OF_A_LAYER, "layer", "layers", "final-norm"}),
    "decoder": frozenset({*_OF_A_LAYER, "layer", "layers", "final-norm"}),
}  # fmt: skip
"""The parts, by their names in the roles of a model, that another one consists of."""


def holds_parts(whole: str, labels: Sequence[str]) -> bool:
    """Whether one label names a part of a model, and each of the others a different part of that: ``attention`` and ``Q``, ``K``, ``V``."""
    return len(labels) >= FEWEST and last_parts(whole, labels) == len(labels)


def last_parts(whole: str, labels: Sequence[str]) -> int:
    """How many of the labels, from the last one on, name different parts of what another one names."""
    label = read_label(whole)
    named = label.parts or (("layer",) if label.scope == "in-layer" else ())
    inside = _INSIDE.get(named[0], frozenset()) if len(named) == 1 else frozenset[str]()
    seen: set[tuple[str, ...]] = set()
    for each in reversed(labels) if inside else ():
        parts = read_label(each).parts
        if not parts or parts in seen or not inside.issuperset(parts):
            break
        seen.add(parts)
    return len(seen)


def is_a_layer(label: str) -> bool:
    """Whether a label says nothing but that one layer is meant: ``block``, ``per layer``."""
    said = read_label(label)
    return not said.rest and (said.parts == ("layer",) or (not said.parts and said.scope == "in-layer"))

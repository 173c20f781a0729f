"""Finds the topic of a label: words for the parts that people divide a model into."""

from __future__ import annotations

import re

from symparam.documents.words import part_words

_TOKEN_TYPE = re.compile(r"token[ _-]?type", re.IGNORECASE)
_MAX_LABEL = 500  # Characters of the longest label.

TABLES = frozenset({"token", "position", "token-type"})
_IN_LAYERS = frozenset({"attention", "feed-forward", "norm"})


def topics_of_label(label: str) -> frozenset[str]:
    """The parts that the words beside a number say it counts; empty if they name none.

    Unspecific embeddings are all tables; an unspecific layer is everything that a layer consists of.
    """
    label = label[:_MAX_LABEL]
    found = {topic for topic in part_words() if _is_about(topic, label)}
    if "head" in found:
        found -= TABLES | {"embedding"}
    if "embedding" in found and not found & TABLES:
        found |= TABLES
    if found == {"layer"}:
        found |= _IN_LAYERS
    return frozenset(found - {"embedding", "layer"})


def _is_about(topic: str, label: str) -> bool:
    """Whether one of the topic's words is in the label; ``token type`` has no word for tokens."""
    found = part_words()
    if topic != "token":
        return found[topic].in_text(label)
    return found[topic].in_text(_TOKEN_TYPE.sub("", label) if found["token-type"].in_text(label) else label)


def topic_of_module(names: list[str]) -> str:
    """The part of a model to which a module belongs, from its own role or name and those around it, the outermost first."""
    for name in reversed(names):
        for topic in ("head", "pooler", "attention", "feed-forward"):
            if _is_about(topic, name) or (topic == "head" and "head" in re.split(r"[-_]", name)):
                return topic
    return ""


def topic_of_table(names: list[str]) -> str:
    """The topic of an embedding: its role or name tells positions and token types from tokens."""
    own = names[-1] if names else ""
    return next((topic for topic in ("token-type", "position") if _is_about(topic, own)), "token")

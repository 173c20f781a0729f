"""The parts of a layer by what they are for: attention, and what every position passes through by itself."""

from __future__ import annotations

ATTENTION = ("attention", "grouped-attention", "latent-attention", "attention-and-norm")
CROSS_ATTENTION = ("cross-attention", "cross-attention-and-norm")
_EXPERTS = ("expert-layer",)


def is_attention(role: str) -> bool:
    """Whether a block of the role is attention, with its projections."""
    return role in ATTENTION + CROSS_ATTENTION


def is_feed_forward(role: str) -> bool:
    """Whether a block of the role is a feed-forward part, or one of its matrices."""
    return role in ("gated-feed-forward", *_EXPERTS) or role.startswith("feed-forward")


def letter_of(role: str) -> str:
    """What a formula calls a part of the role: A for attention, C across sequences, F for a feed-forward part, M for one of experts."""
    if is_attention(role):
        return "C" if role in CROSS_ATTENTION else "A"
    if role in _EXPERTS:
        return "M"
    return "F" if is_feed_forward(role) and not role.endswith("norm") else ""

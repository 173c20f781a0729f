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


# The group that a role says the module belongs to. Norms and tables are known by their kind; all others belong where the module around
# them does.
_ROLES = {
    "embedding": "embeddings embedding-projection embedding-projection-in embedding-projection-out patch-embeddings patch-projection "
    "class-token mask-token",
    "attention": "attention cross-attention grouped-attention latent-attention attention-and-norm cross-attention-and-norm "
    "query-key-value dot-product relative-positions",
    "feed-forward": "feed-forward gated-feed-forward feed-forward-and-norm feed-forward-in feed-forward-gate feed-forward-gate-and-in "
    "feed-forward-out feed-forward-out-and-norm expert-layer experts shared-experts router",
    "head": "language-model-head vocabulary-projection vocabulary-bias pooler classifier classifier-transform classification-head "
    "pre-training-heads next-sentence discriminator-head replaced-or-not generator-head head-transform",
}
_GROUP_OF_ROLE = {role: group for group, roles in _ROLES.items() for role in roles.split()}
_GROUP_OF_KIND = {"Embedding": "embedding", "LayerNorm": "norm", "RMSNorm": "norm"}


def own_group(role: str, kind: str) -> str:
    """The group that a block says it belongs to by its role or its kind; nothing where it says none."""
    return _GROUP_OF_ROLE.get(role) or _GROUP_OF_KIND.get(kind, "")


def group_of(role: str, kind: str, outer: str) -> str:
    """The group of a block inside one of the group ``outer``: embedding, attention, feed-forward, norm, head or other."""
    return own_group(role, kind) or outer

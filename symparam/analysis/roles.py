"""The parts of a layer by purpose: attention, and the parts that process each position by itself."""

from __future__ import annotations

from collections.abc import Sequence

ATTENTION = ("attention", "grouped-attention", "latent-attention", "attention-and-norm")
CROSS_ATTENTION = ("cross-attention", "cross-attention-and-norm")
STATES = ("state-space", "linear-attention")
"""Roles of the blocks that replace attention in other layers: a state of fixed size, whose cost does not grow with the length."""
_EXPERTS = ("expert-layer",)


def is_attention(role: str) -> bool:
    """Whether a block with this role is attention, including its projections."""
    return role in ATTENTION + CROSS_ATTENTION


def is_feed_forward(role: str) -> bool:
    """Whether a block with this role is a feed-forward part, or one of its matrices."""
    return role in ("gated-feed-forward", *_EXPERTS) or role.startswith("feed-forward")


def letter_of(role: str) -> str:
    """The letter for a part of this role in a formula: A for attention, C for cross-attention, F for a feed-forward part, M for experts."""
    if is_attention(role):
        return "C" if role in CROSS_ATTENTION else "A"
    if role in _EXPERTS:
        return "M"
    return "F" if is_feed_forward(role) and not role.endswith("norm") else ""


# The group of a module by its role. Norms and tables are recognised by their class; all others belong to the group of the module
# around them.
_ROLES = {
    "embedding": "embeddings embedding-projection embedding-projection-in embedding-projection-out patch-embeddings patch-projection "
    "class-token mask-token",
    "attention": "attention cross-attention grouped-attention latent-attention attention-and-norm cross-attention-and-norm "
    "query-key-value dot-product relative-positions attention-sinks indexer",
    "feed-forward": "feed-forward gated-feed-forward feed-forward-and-norm feed-forward-in feed-forward-gate feed-forward-gate-and-in "
    "feed-forward-out feed-forward-out-and-norm expert-layer experts shared-experts router",
    "head": "language-model-head vocabulary-projection vocabulary-bias pooler classifier classifier-transform classification-head "
    "pre-training-heads next-sentence discriminator-head replaced-or-not generator-head head-transform "
    "text-projection image-projection score-scale",
}
_GROUP_OF_ROLE = {role: group for group, roles in _ROLES.items() for role in roles.split()}
_NORMS = ("LayerNorm", "RMSNorm", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "GroupNorm")
_GROUP_OF_KIND = {"Embedding": "embedding", **dict.fromkeys(_NORMS, "norm")}
_GROUP_OF_ENDING = {"attention": "attention", "mlp": "feed-forward", "feedforward": "feed-forward", "norm": "norm"}
"""The group by the end of a class name, for blocks of traced and printed models, which have no roles."""


def own_group(role: str, kind: str) -> str:
    """The group that follows from a block's own role or class; an empty string if none does."""
    group = _GROUP_OF_ROLE.get(role) or _GROUP_OF_KIND.get(kind)
    return group or next((group for ending, group in _GROUP_OF_ENDING.items() if kind.lower().endswith(ending)), "")


def group_of(role: str, kind: str, outer: str) -> str:
    """The group of a block inside a block of the group ``outer``: embedding, attention, feed-forward, norm, head or other."""
    return own_group(role, kind) or outer


# Parts with a common name, and the roles that a block with that name may have. Any other part is named by its role.
_PARTS = {
    "embeddings": "embeddings token-embedding position-embedding token-type-embedding patch-embeddings embedding-norm",
    "embedding-projection": "embedding-projection embedding-projection-in embedding-projection-out",
    "attention": " ".join(ATTENTION + CROSS_ATTENTION) + " state-space linear-attention",
    "cross-attention": " ".join(CROSS_ATTENTION),
    "query-key-value": "query-key-value query key value key-value query-down query-up key-value-down key-value-up",
    "key-value": "key-value key value key-value-down key-value-up",
    "output-projection": "output-projection attention-output",
    "feed-forward": "feed-forward gated-feed-forward feed-forward-and-norm feed-forward-in feed-forward-out feed-forward-out-and-norm "
    "feed-forward-gate feed-forward-gate-and-in expert-layer",
    "inner-norm": "query-norm key-norm latent-query-norm latent-key-value-norm gated-norm state-input-norm state-output-norm "
    "time-step-norm",  # Inside the attention or a state space; some people count them among the norms of a layer, and others do not.
    "feed-forward-out": "feed-forward-out feed-forward-out-and-norm",
    "expert": "experts",
    "layers": "layer",
    "language-model-head": "language-model-head vocabulary-projection",
    "transformer": "transformer backbone",
}
_ROLES_OF_PART = {part: frozenset(roles.split()) for part, roles in _PARTS.items()}
_NORMED = {"attention-norm": "attention", "cross-attention-norm": "attention", "feed-forward-norm": "feed-forward"}
_NORM_OF_ROLE = {"after-attention-norm": "attention-norm", "after-feed-forward-norm": "feed-forward-norm"}


def is_part(part: str, role: str, kind: str, around: Sequence[tuple[str, str]]) -> bool:
    """Whether a block of this role and class, inside blocks of the roles and classes ``around``, is the part of that name.

    A norm belongs to the attention if its role says so, or if it lies inside it, as in BERT.
    """
    is_norm = "Norm" in kind
    if part == "norm":
        return is_norm
    if part in _NORMED:
        inside = [_GROUP_OF_ROLE.get(each, "") for each, _ in around]
        return is_norm and (_NORM_OF_ROLE.get(role, role) == part or (role == "norm" and _NORMED[part] in inside))
    if part == "non-embedding":
        return own_group(role, kind) not in ("embedding", "head") and bool(role or kind)
    return role in _ROLES_OF_PART.get(part, (part,)) and not (is_norm and part in ("attention", "feed-forward"))

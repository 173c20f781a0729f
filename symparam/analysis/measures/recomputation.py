"""Activation checkpointing: activations that the backward pass recomputes, so that they need not be stored.

With ``full`` recomputation only the input of each layer is stored, and the forward pass of the layers runs once more. With ``selective``
recomputation everything is stored but the scores of attention, which take many bytes and little work. Source: Korthikanti et al. 2022,
arXiv 2205.05198, section 5.
"""

from __future__ import annotations

from symparam.errors import ArchitectureError, UnknownNameError
from symparam.models import blocks
from symparam.models.blocks.architecture import Architecture, Place
from symparam.models.blocks.operation import AttentionProducts, Operation

RECOMPUTATION = ("none", "selective", "full")


def checked_recomputation(name: str) -> str:
    """The name, if it is one of `RECOMPUTATION`. Raises `UnknownNameError`."""
    if name not in RECOMPUTATION:
        raise UnknownNameError("recomputation", name, RECOMPUTATION)
    return name


def is_in_a_layer(place: Place) -> bool:
    """Whether the block is inside a list of layers, unlike embeddings, the final norm and the head."""
    return "{" in place.path


def is_computed_again(recomputation: str, place: Place, operation: Operation) -> bool:
    """Whether the backward pass recomputes the operation."""
    if recomputation == "selective":
        return isinstance(operation, AttentionProducts) and is_in_a_layer(place)
    return recomputation == "full" and is_in_a_layer(place)


def require_recomputable(architecture: Architecture, recomputation: str) -> None:
    """Raise an `ArchitectureError` where nothing can be recomputed: there are no layers, or they have no attention."""
    places = [place for place in architecture.places() if is_in_a_layer(place)]
    if recomputation == "selective" and not any(isinstance(place.module, blocks.DotProduct) for place in places):
        raise ArchitectureError(
            f"{architecture.class_name} has no products of attention in its layers, which is what selective recomputation repeats; "
            "leave out --recomputation selective, or state full"
        )
    if recomputation == "full" and not any(place.module.operations for place in places):
        raise ArchitectureError(
            f"{architecture.class_name} has no list of layers, which is what full recomputation repeats; leave out --recomputation full"
        )

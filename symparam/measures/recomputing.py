"""Activations that are computed again in the backward pass, in the place of being kept.

With ``full`` recomputation only what enters a layer is kept, and the forward pass of the layers runs once more. With ``selective``
recomputation all is kept but the scores of attention, which take many bytes and little work. Source: Korthikanti et al. 2022, arXiv
2205.05198, section 5.
"""

from __future__ import annotations

from symparam.blocks import Architecture, DotProduct
from symparam.blocks.architecture import Place
from symparam.blocks.operation import AttentionProducts, Operation
from symparam.errors import ArchitectureError, UnknownNameError

RECOMPUTATION = ("none", "selective", "full")


def recomputation_named(name: str) -> str:
    """The name, if it is one of `RECOMPUTATION`. Raises `UnknownNameError`."""
    if name not in RECOMPUTATION:
        raise UnknownNameError("recomputation", name, RECOMPUTATION)
    return name


def is_in_a_layer(place: Place) -> bool:
    """Whether the block is inside a list of layers: embeddings, the final norm and the head are not."""
    return "{" in place.path


def is_computed_again(recomputation: str, place: Place, operation: Operation) -> bool:
    """Whether the backward pass computes the operation once more."""
    if recomputation == "selective":
        return isinstance(operation, AttentionProducts) and is_in_a_layer(place)
    return recomputation == "full" and is_in_a_layer(place)


def insist_on_something_again(architecture: Architecture, recomputation: str) -> None:
    """Raise an `ArchitectureError` where there is nothing that could be computed again: no attention in the layers, or no layers."""
    places = [place for place in architecture.places() if is_in_a_layer(place)]
    if recomputation == "selective" and not any(isinstance(place.module, DotProduct) for place in places):
        raise ArchitectureError(
            f"{architecture.class_name} has no products of attention in its layers, which is what selective recomputation computes again; "
            "leave out --recomputation selective, or state full"
        )
    if recomputation == "full" and not any(place.module.operations for place in places):
        raise ArchitectureError(
            f"{architecture.class_name} has no list of layers, which is what full recomputation computes again; "
            "leave out --recomputation full"
        )

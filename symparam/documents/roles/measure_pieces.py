"""What each block of a model contributes to a measure: its tensors, its products, or what it stores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import sympy

from symparam.analysis.measures.activations import SavingPolicy, require_layers, stored_tensors
from symparam.analysis.measures.cache_contents import WHOLE_CACHE, CacheContents
from symparam.analysis.measures.memory import bytes_of_cache
from symparam.analysis.measures.number_formats import NO_VALUES, number_format
from symparam.analysis.measures.recomputation import is_computed_again
from symparam.documents.roles.leaves import Piece, Pieces, tensor_pieces
from symparam.errors import SymparamError
from symparam.models.blocks import Architecture, DotProduct
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.operation import AttentionProducts

PASSES = {"forward": 1, "backward": 2, "training": 3, "recomputed": 1}
"""How often a product of the forward pass counts; those of a training step that computes the layers twice are counted one by one."""
_CACHED = number_format("bfloat16")


def pieces_of(architecture: Architecture, measure: str, attention: str) -> Pieces:
    """What its blocks contribute: tensors, bytes of a cache, stored tensors, or products under a way of counting ``attention``."""
    if measure == "parameters":
        return tensor_pieces
    if measure == "cache":
        contents = CacheContents(latent="expanded") if attention == "expanded" else WHOLE_CACHE
        return of_block("cache", partial(bytes_of_cache, _CACHED, NO_VALUES, contents))
    if measure == "activations":
        try:
            require_layers(architecture)
        except SymparamError:
            return lambda place: iter(())
        return _kept
    return partial(_products, attention, measure == "recomputed")


def of_block(name: str, measure: Callable[[Place], sympy.Expr]) -> Pieces:
    """What each block contributes by itself, in one piece of that name."""

    def pieces(place: Place) -> Iterator[Piece]:
        size = measure(place)
        if size != 0:
            yield name, size, sympy.S.One, False

    return pieces


def _kept(place: Place) -> Iterator[Piece]:
    """The tensors that training stores for a block, with the mask behind the softmax apart from the others."""
    for (what, size), numbers in stored_tensors(SavingPolicy(), place).items():
        is_of_softmax = what == "mask" and isinstance(place.module, DotProduct)
        yield f"stored-{'softmax-' if is_of_softmax else ''}{what}", size * numbers, sympy.S.One, False


def _products(attention: str, recomputed: bool, place: Place) -> Iterator[Piece]:
    """The multiply-accumulate operations of a block on a batch of sequences, with the two products of attention apart.

    They are for a forward pass, or, if ``recomputed``, for a training step that computes the layers again.
    """
    for operation in place.operations:
        times = place.rows * (PASSES["training"] + is_computed_again("full", place, operation) if recomputed else 1)
        if isinstance(operation, AttentionProducts):
            keys = operation.keys
            if operation.causal and attention != "full":
                keys = (keys + 1) / 2 if attention == "causal" else keys / 2
            yield "scores", times * keys * operation.key_width, sympy.S.One, False
            yield "values", times * keys * operation.value_width, sympy.S.One, False
        else:
            yield "product", times * operation.in_features * operation.out_features, sympy.S.One, False

"""``sbh(34 + 5as/h)`` bytes per layer (in Megatron's letters): the activations that training stores for the backward pass.

Each block of a layer has the tensors that its backward pass needs: 16-bit activations, and dropout masks of one byte. Their sums are the
formulas of Korthikanti et al. 2022, arXiv 2205.05198, section 4 and table 2. Whatever lies outside the layers (embeddings, the final norm,
the head) is left out, as in the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.recomputation import checked_recomputation, is_in_a_layer
from symparam.core.dimensions import TENSOR_PARALLEL, h, symbol
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError
from symparam.models.blocks import Architecture, Conv1D, DotProduct, LayerNorm, Linear
from symparam.models.blocks.architecture import Place

ACTIVATION, MASK = 2, 1  # Bytes of a 16-bit number, and of an element of a dropout mask.


@frozen
class SavedTensor:
    """A stored tensor: what it is, the bytes of each number, and the numbers per row.

    ``split`` says that the ranks of tensor parallelism each hold a part of it. ``core`` marks the scores of attention, which take many
    bytes but little work to recompute, and which selective recomputation does not store.
    """

    what: str
    bytes: int
    numbers: sympy.Expr
    split: bool = False
    core: bool = False


@frozen
class SavingPolicy:
    """Which activations of a layer are stored: the recomputation, and whether the ranks of tensor and sequence parallelism share them."""

    recomputation: str = "none"
    tensor_parallel: bool = False
    sequence_parallel: bool = False

    def share(self, tensor: SavedTensor) -> sympy.Expr:
        """The fraction of a tensor that one rank stores. Sequence parallelism also splits the tensors that tensor
        parallelism leaves whole.
        """
        if self.sequence_parallel or (self.tensor_parallel and tensor.split):
            return 1 / symbol(TENSOR_PARALLEL)
        return sympy.S.One


def saved_activations(recomputation: str = "none", tensor_parallel: bool = False, sequence_parallel: bool = False) -> Measure:
    """The bytes that one rank stores for all layers.

    ``recomputation`` is ``none``, ``selective`` (the scores of attention are computed again) or ``full`` (only the input of a layer is
    stored). The letter of the number of ranks is n_t; sequence parallelism comes with tensor parallelism. Raises `UnknownNameError`.
    """
    keeping = SavingPolicy(checked_recomputation(recomputation), tensor_parallel, sequence_parallel)
    return Measure(
        "activations",
        "bytes",
        partial(_own, keeping),
        reason="kept",
        details=("of-all-layers",),
        stored=partial(stored_tensors, keeping),
        of_operations=True,
    )


def _own(keeping: SavingPolicy, place: Place) -> sympy.Expr:
    return sympy.Add(*(size * numbers for (_, size), numbers in stored_tensors(keeping, place).items()))


def stored_tensors(keeping: SavingPolicy, place: Place) -> Mapping[tuple[str, int], sympy.Expr]:
    """The numbers that one rank stores for a block, by what they are and the bytes of each."""
    if not is_in_a_layer(place):
        return {}
    if keeping.recomputation == "full":
        kept = [SavedTensor("input", ACTIVATION, _width(place))] if place.module.role == "layer" else []
    else:
        kept = [tensor for tensor in saved_tensors(place) if not (tensor.core and keeping.recomputation == "selective")]
    return {(tensor.what, tensor.bytes): place.rows * tensor.numbers * keeping.share(tensor) for tensor in kept}


def saved_tensors(place: Place) -> Iterator[SavedTensor]:
    """The tensors that one block of a layer stores for its backward pass."""
    module, role = place.module, place.module.role or ""
    if isinstance(module, LayerNorm):
        yield SavedTensor("input", ACTIVATION, module.normalized_shape)
    elif isinstance(module, DotProduct):
        yield SavedTensor("queries-keys", ACTIVATION, 2 * module.key_width, split=True)
        yield SavedTensor("softmax", ACTIVATION, h * module.keys, split=True, core=True)
        yield SavedTensor("mask", MASK, h * module.keys, split=True, core=True)
        yield SavedTensor("after-dropout", ACTIVATION, h * module.keys, split=True, core=True)
        yield SavedTensor("values", ACTIVATION, module.value_width, split=True)
    elif isinstance(module, (Linear, Conv1D)):
        if role in ("query-key-value", "query"):
            yield SavedTensor("shared-input", ACTIVATION, module.in_features)
        elif role == "output-projection":
            yield SavedTensor("input", ACTIVATION, module.in_features, split=True)
            yield SavedTensor("mask", MASK, module.out_features)
        elif role == "feed-forward-in":
            yield SavedTensor("input", ACTIVATION, module.in_features)
            yield SavedTensor("activation-input", ACTIVATION, module.out_features, split=True)
        elif role == "feed-forward-out":
            yield SavedTensor("input", ACTIVATION, module.in_features, split=True)
            yield SavedTensor("mask", MASK, module.out_features)


def require_layers(architecture: Architecture) -> None:
    """Raise an `ArchitectureError` for layers unlike those of the paper's model, which are those of GPT-2 and BERT.

    These have self-attention with as many key and value heads as query heads, a feed-forward part of two matrices, and two LayerNorms.
    """
    inside = [place for place in architecture.places() if is_in_a_layer(place)]
    roles = [place.module.role for place in inside]
    expected = {"output-projection": 1, "dot-product": 1, "feed-forward-out": 1}
    others = [place.path for place in inside if place.module.operations and place.module.role not in _ROLES]
    others += [place.path for place in inside if isinstance(place.module, DotProduct) and not is_whole(place.module)]
    norms = sum(isinstance(place.module, LayerNorm) for place in inside)
    if others or norms != 2 or roles.count("layer") != 1 or any(roles.count(role) != number for role, number in expected.items()):
        what = others[0] if others else "layers of another kind"
        raise ArchitectureError(
            f"{architecture.class_name} has {what}, but Korthikanti et al. 2022 count activations only of layers with self-attention, "
            "two matrices after it and two LayerNorms; name a model with such layers, such as gpt2, opt, bloom or bert"
        )


_ROLES = {"query-key-value", "query", "key", "value", "dot-product", "output-projection", "feed-forward-in", "feed-forward-out"}


def is_whole(attention: DotProduct) -> bool:
    """Whether this is self-attention whose keys and values are as wide as its queries."""
    return attention.key_width == attention.value_width and attention.cached in (0, 2 * attention.key_width)


def _width(layer: Place) -> sympy.Expr:
    return next(place.module.normalized_shape for place in layer.walk() if isinstance(place.module, LayerNorm))

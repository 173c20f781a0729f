"""The memory of a training step when its backward pass begins: weights, gradients, states, activations, logits, and the first gradient.

Gradients are taken to exist already, as they do from the second step on if they are not freed, or from earlier micro-batches. The parts are
those of Rajbhandari et al. 2019, arXiv 1910.02054, section 3 (model states; activations; temporary buffers). Memory that a library reserves
for itself, and fragmentation, are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.inference import largest_output, rows_at_once
from symparam.analysis.measures.memory import BYTE
from symparam.analysis.measures.number_formats import NO_VALUES, NumberFormat, Values
from symparam.core.frozen import frozen
from symparam.models.blocks import Architecture, Block, Embedding, LayerNorm, Module
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.missing import Missing
from symparam.models.blocks.module import SIZE, Size
from symparam.models.blocks.operation import MatrixProduct

NAME = "training-peak"
FLOAT32, INDEX, MASK, SIXTEEN_BITS = 4, 8, 1, 2
SHIFTED, HEADS = "language-model-head", ("language-model-head", "vocabulary-projection")
FINAL_NORM, TOKENS, ENCODER = "final-norm", "token-embedding", "encoder"


@frozen
class MemoryTerm(Module):
    """One term of a sum of bytes."""

    bytes: Size = field(metadata=SIZE)


def training_peak(
    architecture: Architecture, states: Measure, activations: Measure, format: NumberFormat, values: Values = NO_VALUES
) -> Measure:
    """``weights + gradients + states + activations + logits + largest gradient``, from a measure of ``states`` and one of ``activations``.

    The loss is a cross-entropy over all tokens. By autograd's count, it saves the log-probabilities in 32 bits, the labels and one number.
    Korthikanti et al. 2022, arXiv 2205.05198, section 4.3, count logits in 32 bits, and outside the layers a mask of the embeddings and the
    inputs of the last norm and of the head. Raises `ArchitectureError` for a model in which the largest output of a matrix is not certain.
    """
    largest, certain = largest_output(architecture, values, rows_at_once)
    accounted = bool(activations.convention)
    return replace(
        activations,
        name=NAME,
        of_block=_bytes,
        reason="peak",
        quantities=None,
        stored=None,
        factors=(),
        transform=partial(_as_terms, states, activations, format, values, largest.rows * largest.num_features),
        details=(NAME, *states.details, *(activations.details if accounted else ("activations-korthikanti",))),
        conditions=(*states.conditions, *activations.conditions, *(() if certain else ("largest-output-condition",))),
        format=format.name,
    )


def _bytes(place: Place) -> sympy.Expr:
    return place.module.bytes if isinstance(place.module, MemoryTerm) else sympy.S.Zero


def _as_terms(
    states: Measure, activations: Measure, format: NumberFormat, values: Values, largest: sympy.Expr, architecture: Architecture
) -> Architecture:
    """The model as the sum of its terms; blocks that do not declare their operations are still reported as missing."""
    assert states.quantities is not None
    places = [*architecture.places()]
    terms: dict[str, sympy.Expr] = {}
    for place in places:
        for name, size in states.quantities(place).items():
            terms[name] = terms.get(name, sympy.S.Zero) + place.copies * size
    terms["activations"] = sympy.Add(*(place.copies * activations.of_block(place) for place in places))
    if not activations.convention:
        terms["outside-layers"] = sympy.Add(*_outside_layers(places))
    heads = [*_heads(places)]
    logits = sympy.Add(*(place.rows * product.out_features for place, product in heads))
    terms["logits"] = FLOAT32 * logits
    if heads and activations.convention:
        terms["logits"] += (
            sympy.Add(*(INDEX * place.rows for place, _ in heads)) + FLOAT32 + (INDEX if _is_a_slice(heads, places, values) else 0)
        )
    of_logits = bool(heads) and sympy.expand(largest - logits) == 0
    terms["largest-gradient"] = largest * (FLOAT32 if of_logits else sympy.Rational(format.bits, BYTE))
    undeclared = (Missing(place.module.kind, "operations", place.path) for place in architecture.undeclared())
    parts = {name.replace("-", "_"): MemoryTerm(size, role=name) for name, size in terms.items() if size != 0}
    return replace(architecture, root=Block(architecture.class_name, role="model", **parts), missing=(*architecture.missing, *undeclared))


def _is_a_slice(heads: list[tuple[Place, MatrixProduct]], places: list[Place], values: Values) -> bool:
    """Whether the labels, shifted by one for next-token prediction, remain a slice of the longer sequence, as they do for a single
    sequence.
    """
    shifted = any(place.module.role == SHIFTED for place, _ in heads) and all(place.module.role != ENCODER for place in places)
    return shifted and values.get("B") == 1


def _heads(places: list[Place]) -> Iterator[tuple[Place, MatrixProduct]]:
    """The places of heads that compute a number for each token of the vocabulary, with their product."""
    for place in places:
        if place.module.role in HEADS:
            yield from ((place, each) for each in place.module.operations if isinstance(each, MatrixProduct))


def _outside_layers(places: list[Place]) -> Iterator[sympy.Expr]:
    """The activations that Korthikanti et al. count once: the dropout mask of the embeddings, and the inputs of the last
    norm and the head.
    """
    for place in places:
        module = place.module
        if isinstance(module, Embedding) and module.role == TOKENS:
            yield MASK * place.rows * module.embedding_dim
        elif isinstance(module, LayerNorm) and module.role == FINAL_NORM:
            yield SIXTEEN_BITS * place.rows * module.normalized_shape
    yield from (SIXTEEN_BITS * place.rows * product.in_features for place, product in _heads(places))

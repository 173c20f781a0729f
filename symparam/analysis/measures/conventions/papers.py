"""The conventions of papers: the FLOPs of a forward pass by their formulas."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.conventions.electra_script import electra, require_supported_model
from symparam.analysis.measures.parameter_kinds import counted_elements, is_embedding
from symparam.core.frozen import frozen
from symparam.models.blocks import Architecture
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.operation import AttentionProducts


@frozen
class Paper:
    """The convention of a paper: ``of_block`` gives the FLOPs of one block; ``tool`` is the name of the paper, and ``quirks`` are the keys
    of phrases on its oddities.

    ``reason`` is the suffix of the phrase keys of its reasons; ``require`` raises an `ArchitectureError` for models without a formula.
    """

    name: str
    tool: str
    quirks: tuple[str, ...]
    of_block: Callable[[Place], sympy.Expr]
    units: tuple[str, ...] = ("FLOPs",)
    reason: str = "tool"
    require: Callable[[Architecture], None] | None = None


def kaplan(place: Place) -> sympy.Expr:
    """``2 · rows · in_features · out_features`` without embeddings and head, and half of the attention.

    In the paper's letters: C_forward = 2N + 2·n_layer·n_ctx·d_attn.
    """
    if is_embedding(place.module):
        return sympy.S.Zero
    return _products(place) + _attention(place) / 2


def megatron(place: Place) -> sympy.Expr:
    """``2 · rows · in_features · out_features`` including the head, and the whole attention: 24Bslh²(1 + s/(6h) + V/(12lh)) for GPT."""
    return _products(place) + _attention(place)


def palm(place: Place) -> sympy.Expr:
    """``2 · rows · parameters``, and the whole attention: 2N + 4LHQT per token."""
    elements = sympy.Add(*(counted_elements("parameters", place.module, tensor) for tensor in place.module.tensors))
    return 2 * place.rows * elements + _attention(place)


def chinchilla(place: Place) -> sympy.Expr:
    """As Megatron, plus 2SVD for the token lookup, and three per element of the softmax."""
    table = place.module.tensors[0].elements if place.module.role == "token-embedding" and place.module.tensors else sympy.S.Zero
    softmax = sympy.Add(*(function.numbers for function in place.elementwise if function.function == "softmax"))
    return _products(place) + _attention(place) + 2 * place.rows * table + 3 * place.rows * softmax


def _products(place: Place) -> sympy.Expr:
    products = (each for each in place.operations if not isinstance(each, AttentionProducts))
    return 2 * place.rows * sympy.Add(*(each.in_features * each.out_features for each in products))


def _attention(place: Place) -> sympy.Expr:
    cores = (each for each in place.operations if isinstance(each, AttentionProducts))
    return 2 * place.rows * sympy.Add(*(core.keys * (core.key_width + core.value_width) for core in cores))


PAPERS: dict[str, Paper] = {
    paper.name: paper
    for paper in (
        Paper("kaplan", "Kaplan et al. 2020, arXiv 2001.08361, table 1", ("quirk-kaplan",), kaplan),
        Paper("chinchilla", "Hoffmann et al. 2022, arXiv 2203.15556, appendix F", ("quirk-chinchilla",), chinchilla),
        Paper("megatron", "Narayanan et al. 2021, arXiv 2104.04473, section 5.1 and appendix", ("quirk-megatron",), megatron),
        Paper("palm", "Chowdhery et al. 2022, arXiv 2204.02311, appendix B", ("quirk-palm",), palm),
        Paper(
            "electra",
            "Clark et al. 2020, arXiv 2003.10555, flops_computation.py",
            ("quirk-electra", "quirk-electra-tokens", "quirk-electra-norm", "quirk-electra-training"),
            electra,
            reason="script",
            require=require_supported_model,
        ),
    )
}


def paper_measure(name: str) -> Measure:
    """The FLOPs of a forward pass as the paper counts them."""
    return Measure("flops", "FLOPs", partial(_own, name), reason=PAPERS[name].reason, convention=name, of_operations=True)


def _own(name: str, place: Place) -> sympy.Expr:
    return PAPERS[name].of_block(place)

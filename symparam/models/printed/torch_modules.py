"""Torch modules whose code is known, so that their prints determine what they compute: recurrent layers and attention encoders."""

from __future__ import annotations

from collections.abc import Mapping

import sympy

from symparam.core.dimensions import h
from symparam.models.blocks import GRU, LSTM, RNN, Module, MultiheadAttention
from symparam.models.printed.class_knowledge import CONTAINERS, ROW_BY_ROW
from symparam.models.printed.tree import Node

Shapes = Mapping[str, tuple[sympy.Expr, ...]]
RECURRENT: dict[str, type[RNN]] = {"RNN": RNN, "LSTM": LSTM, "GRU": GRU}
ENCODER_LAYER = {"self_attn", "linear1", "linear2", "norm1", "norm2"}
"""The parts of ``torch.nn.TransformerEncoderLayer`` that hold tensors, in printed order, in which they also fit together."""


def recurrent(node: Node, shapes: Shapes) -> Module | None:
    """A recurrent layer by the names and sizes of its tensors; None if they are not those of torch's class."""
    if node.kind not in RECURRENT or "weight_ih_l0" not in shapes or node.missed:
        return None
    printed = {name: tuple(map(sympy.Integer, shape)) for name, shape in node.tensors}
    built, plain = _recurrent(node.kind, shapes), _recurrent(node.kind, printed)
    return built if {tensor.name: tensor.shape for tensor in plain.tensors} == printed else None


def _recurrent(kind: str, shapes: Shapes) -> Module:
    width, last = shapes["weight_ih_l0"][1], shapes["weight_hh_l0"][1]
    layers = sum(name.startswith("weight_ih_l") and not name.endswith("_reverse") for name in shapes)
    biased, both = "bias_ih_l0" in shapes, "weight_ih_l0_reverse" in shapes
    if "weight_hr_l0" in shapes:
        return LSTM(width, shapes["weight_hr_l0"][1], layers, biased, both, proj_size=last)
    return RECURRENT[kind](width, last, layers, biased, both)


def is_encoder_layer(node: Node) -> bool:
    """Whether this is torch's encoder layer: self-attention and a feed-forward part."""
    parts = dict(node.children)
    return (
        node.kind == "TransformerEncoderLayer"
        and parts.keys() == ENCODER_LAYER
        and not (node.tensors or node.groups or node.missed)
        and is_attention(parts["self_attn"])
    )


def is_encoder(node: Node) -> bool:
    """Whether this is torch's encoder of such layers, with or without a final norm."""
    parts = dict(node.children)
    layers = parts.get("layers")
    return (
        node.kind == "TransformerEncoder"
        and {*parts} <= {"layers", "norm"}
        and not (node.tensors or node.groups or node.missed)
        and layers is not None
        and all(is_encoder_layer(run.body) for run in layers.groups)
    )


def is_attention(node: Node) -> bool:
    """Whether a print shows torch's attention with queries, keys and values of the same width."""
    output, own = dict(node.children).get("out_proj"), dict(node.tensors)
    if node.kind != "MultiheadAttention" or output is None or len(node.children) > 1 or node.missed:
        return False
    (width, *_), biased = dict(output.tensors)["weight"], "bias" in dict(output.tensors)
    plain = MultiheadAttention(sympy.Integer(width), h, bias=biased)
    printed = {**own, **{f"out_proj.{name}": shape for name, shape in output.tensors}}
    return {tensor.name: tensor.shape for tensor in plain.tensors} == printed


def attention(width: sympy.Expr, node: Node) -> Module:
    """The attention block. A print does not show the number of heads, on which neither parameters nor products depend."""
    return MultiheadAttention(width, h, bias="in_proj_bias" in dict(node.tensors))


def is_row_by_row(node: Node) -> bool:
    """Whether the output of a module is known to have as many rows as its input."""
    if node.kind in CONTAINERS:
        return not node.rearranged
    alone = not (node.children or node.groups) and ROW_BY_ROW.fullmatch(node.kind) is not None
    return alone or is_encoder_layer(node) or is_encoder(node)

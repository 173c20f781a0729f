"""The reason for the formula of a step, in words."""

from __future__ import annotations

import re

from symparam.analysis.counting import unwrapped
from symparam.analysis.derivation import Step
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Formula, Number, Symbol, number
from symparam.models.blocks import Linear, Module, Tied
from symparam.models.blocks.opaque import OpaqueLayer
from symparam.writing.document import Code, Inline, Line, Shape
from symparam.writing.phrases import Phrases, filled
from symparam.writing.titles import title

_ALIKE = {"ChunkedScan": "StateReadout", "ChunkedDeltaRule": "StateReadout"}
"""Kinds whose reasons are those of another."""
_FILTER = re.compile(r"Conv(?:Transpose)?[123]d")
_GATES = {"RNN": 1, "GRU": 3, "LSTM": 4}
_FUSED = re.compile(r"(?:to_)?qkv(?:_proj|_weight)?|c_attn|query_key_value|in_proj(?:_weight|_qkv)?", re.IGNORECASE)
_SEPARATE = tuple(
    re.compile(rf"(?:to_|w)?{each[0]}(?:_proj|_lin|_linear)?|{each}s?(?:_proj)?", re.IGNORECASE) for each in ("query", "key", "value")
)
"""The names of the matrices of attention: one for queries, keys and values together, or one for each."""
_PLAIN = ("Sequential", "ModuleList", "ModuleDict", "Module", "Layers")
"""Classes that say nothing of what they hold."""


def reason(step: Step, words: Phrases) -> Line:
    """The reason for the step's formula."""
    if step.why and not step.steps:
        return filled(_own_reason(step, words), **step.sizes, **_shapes(step), held=_stored(step, words))
    tied = [tensor for tensor in step.tensors if tensor.tied_to]
    sizes: dict[str, Inline] = dict(step.sizes)
    if tied:
        weight = next((tensor for tensor in tied if tensor.name.endswith("weight")), tied[0])
        key = "tied" if len(tied) == len(step.tensors) else "tied-and-bias"
        return filled(words.reasons[key], target=Code(weight.tied_to or ""))
    if step.steps:
        if step.repeats is not None:
            return filled(words.reasons["Repeat" if step.repeats != Number(1) else "Repeat-once"], count=step.repeats)
        return _of_sum(step, words)
    if isinstance(layer := _untied(step), OpaqueLayer):
        return _of_layer(step, layer, words)
    key = step.role if step.role and step.kind == "Parameter" and step.role in words.reasons else step.kind
    if key == "Linear" and len(step.tensors) == 1:
        key = "Linear-without-bias"
    if step.tensors:
        sizes["weight"] = Shape(step.tensors[0].shape)
    if "num_embeddings" in sizes:
        sizes["unit"] = _unit(step.sizes["num_embeddings"], words)
    joined = (" ", words.reasons["joined"]) if step.role == "query-key-value" else ()
    if key not in words.reasons:
        key = "Parameter" if len(step.tensors) == 1 else "several-tensors"
        sizes["count"] = number(len(step.tensors))
    return (*filled(words.reasons[key], **sizes), *joined)


def _stored(step: Step, words: Phrases) -> Line:
    """How many numbers the block holds, and the bytes of each: where the factors of its formula come from."""
    pieces: list[Inline] = []
    for each in step.stored:
        line = words.line("held-of-a-byte" if each.bytes == 1 else "held-of-bytes", numbers=each.numbers, bytes=number(each.bytes))
        if each.what:
            line = words.line("held-for", numbers=line, what=words.sentences[f"held-{each.what}"])
        pieces += (words.sentences["held-and"],) * bool(pieces) + line
    return tuple(pieces)


def _shapes(step: Step) -> dict[str, Shape]:
    """The shape of the block's matrix or lookup table, as the reference stores it."""
    sides = {"Conv1D": ("in_features", "out_features")}.get(step.kind, ("out_features", "in_features"))
    shapes = {"matrix": sides, "table": ("num_embeddings", "embedding_dim")}
    return {name: Shape(tuple(step.sizes[size] for size in sizes)) for name, sizes in shapes.items() if step.sizes.keys() >= set(sizes)}


def _own_reason(step: Step, words: Phrases) -> str:
    """The measure's own reason for blocks of this role or kind; if there are no scales, nothing is said about them."""
    why = f"{step.why}-plain" if step.sizes.get("scales") == Number(0) else step.why
    of_latents = (f"{step.kind}-{why}-latents",) if "latents" in step.sizes else ()
    keys = (*of_latents, f"{step.role}-{why}", f"{_ALIKE.get(step.kind, step.kind)}-{why}", f"each-{why}")
    return next(words.reasons[key] for key in keys if key in words.reasons)


def _unit(rows: Formula, words: Phrases) -> str:
    return words.unit(rows.letter) if isinstance(rows, Symbol) and rows.letter in BY_LETTER else words.sentences["rows"]


def _untied(step: Step) -> Module:
    module = step.place.module
    return module.inner if isinstance(module, Tied) else module


def _of_layer(step: Step, layer: OpaqueLayer, words: Phrases) -> Line:
    """The reason for a layer of which only the class and the tensors are known."""
    shapes = {tensor.name.rpartition(".")[2]: tensor.shape for tensor in step.tensors}
    first, biased = step.tensors[0].shape, "bias" in shapes
    key = "several-tensors" if len(shapes) > 1 else "Parameter"
    sizes: dict[str, Inline] = {"weight": Shape(first), "count": number(len(shapes))}
    if _FILTER.fullmatch(layer.name) and shapes.keys() <= {"weight", "bias"}:
        key = "filter" if biased else "filter-without-bias"
        sizes["outputs"] = shapes["bias"][0] if biased else first[0]
    elif "Norm" in layer.name and shapes.keys() <= {"weight", "bias"} and len(first) == 1:
        key = "LayerNorm" if biased else "scale-alone"
        sizes["normalized_shape"] = first[0]
    elif layer.name in _GATES:
        key, sizes["gates"] = "recurrent", number(_GATES[layer.name])
    return filled(words.reasons[key], **sizes)


def _of_sum(step: Step, words: Phrases) -> Line:
    """The reason for a block of other blocks: what its role is, or what its parts show it to be."""
    if step.role in words.reasons:
        return filled(words.reasons[step.role or ""])
    names = [inner.path.rpartition(".")[2] for inner in step.steps]
    if any(map(_FUSED.fullmatch, names)) or all(any(map(each.fullmatch, names)) for each in _SEPARATE):
        return filled(words.reasons["attention"])
    matrices = [unwrapped(inner) for inner in step.steps]
    if all(each.kind == "Linear" and isinstance(_untied(each), Linear) for each in matrices):
        *to, back = sorted((each.sizes for each in matrices), key=lambda sizes: sizes != matrices[0].sizes)
        there = {(sizes["in_features"], sizes["out_features"]) for sizes in to}
        if there == {(back["out_features"], back["in_features"])} and len(to) in (1, 2):
            return filled(words.reasons["there-and-back" if len(to) == 1 else "twice-there-and-back"], **to[0])
    if step.role is None and step.kind not in _PLAIN and not title(step, words).startswith(step.kind):
        return filled(words.reasons["block-of-class"], kind=step.kind)
    return filled(words.reasons["Block"])

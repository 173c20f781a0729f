"""Gives the blocks of a model without roles, traced or printed, the roles that their names and classes say, as if these were labels."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from symparam.analysis.roles import is_attention
from symparam.documents.roles.labels import read_label
from symparam.models.blocks import Architecture, Block, Embedding, Layers, Module, Parameter, Repeat, Tied

_PARTS_OF_NAME = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d?|[A-Z]+|\d+")
_ENDS = (3, 2, 1)  # Words at the end of the name of a class that may say what it is: ``BartDecoderLayer``.
_STACKS = ("encoder", "decoder", "transformer")
_TABLES = {"V": "token-embedding", "P": "position-embedding", "T": "token-type-embedding"}
_ROLE_OF_PART = {"expert": "experts", "convolution": ""}
"""The roles of parts with other names; convolutions are of so many kinds that only their own names tell them apart."""
_WITHIN = {
    "attention": {"output": "attention-output", **dict.fromkeys(("o", "out", "dense", "proj", "c_proj", "wo"), "output-projection")},
    "attention-output": {"dense": "output-projection", "": "attention-norm"},
    "feed-forward": {**dict.fromkeys(("c_proj", "dense", "wo", "output"), "feed-forward-out"), "wi": "feed-forward-in"},
    "feed-forward-in": {"dense": "feed-forward-in"},
    "feed-forward-out-and-norm": {"dense": "feed-forward-out", "": "feed-forward-norm"},
    "layer": {
        "output": "feed-forward-out-and-norm",
        "intermediate": "feed-forward-in",
        "fc1": "feed-forward-in",
        "fc2": "feed-forward-out",
        **dict.fromkeys(("ln_1", "ln1", "norm1", "norm_1", "layernorm_before", "layer_norm1"), "attention-norm"),
        **dict.fromkeys(("ln_2", "ln2", "norm2", "norm_2", "layernorm_after", "layer_norm2", "final_layer_norm"), "feed-forward-norm"),
    },
    "pooler": {"dense": "pooler"},
}
"""What names that say little mean within a block of a role; the empty name is that of any norm."""


@lru_cache(maxsize=64)
def with_named_roles(architecture: Architecture) -> Architecture:
    """The architecture with roles for its blocks, if none of those with tensors has one; otherwise as it is."""
    if any(place.module.role for place in architecture.places() if place.module.tensors):
        return architecture
    return replace(architecture, root=_named(architecture.root, "", ()))


def _named(module: Module, name: str, around: tuple[str, ...]) -> Module:
    role = module.role or _role_of(module, name, around)
    inside = (*around, role)
    match module:
        case Parameter():
            return module
        case Repeat():
            return replace(module, role=role or None, body=_named(module.body, "layer" if role == "layers" else "", inside))
        case Layers():
            own = type(module)(*module.groups, role=role or None)
            return own.with_groups(each for each in (_named(group, name, around) for group in module.groups) if isinstance(each, Repeat))
        case Block():
            parts = {each: _named(part, each, inside) for each, part in module.parts}
            if any(part.role == "experts" for part in parts.values()):
                gates = {each: part for each, part in parts.items() if part.role == "feed-forward-gate" and not part.children}
                parts |= {each: replace(part, role="router") for each, part in gates.items()}
            return type(module)(
                module.name, role=role or None, rows=module.rows, execution_order=module.execution_order, takes=dict(module.takes), **parts
            )
        case Tied():
            return type(module)(_named(module.inner, name, around), **dict(module.targets))
    return replace(module, role=role or None)


def _role_of(module: Module, name: str, around: tuple[str, ...]) -> str:
    """The role of a block by its name and its class, inside blocks of the roles ``around``; empty if they do not say it."""
    tensors = module.inner if isinstance(module, Tied) else module
    said, kind, outer = _part_in(name), tensors.kind, next(filter(None, reversed(around)), "")
    if isinstance(module, Repeat | Layers):
        return "layers" if said in ("layer", "layers") or name == "h" else ""
    if not around:
        return "transformer" if kind.endswith("Model") else "model"
    within = _WITHIN.get("attention" if is_attention(outer) else outer, {})
    if "Norm" in kind:
        return within.get(name) or within.get("") or _norm(said, outer, around)
    if isinstance(tensors, Embedding):
        letters = {str(letter) for letter in tensors.num_embeddings.free_symbols}
        return next((role for letter, role in _TABLES.items() if letter in letters), said)
    if name in within:
        return within[name]
    of_class = next(filter(None, (_part_in(" ".join(_words(kind)[-count:])) for count in _ENDS)), "")
    if module.children and len(around) == 1 and said not in _STACKS and kind.endswith("Model"):
        return "transformer"
    if of_class == "router" or (module.children and not said):
        said = of_class
    if is_attention(said) and _is_cross(name, kind):
        return "cross-attention"
    return _ROLE_OF_PART.get(said, said)


def _norm(said: str, outer: str, around: tuple[str, ...]) -> str:
    """The role of a norm: what its name says, or the last one behind the layers."""
    if "layer" in around:
        return said if said.endswith("norm") and said != "final-norm" else "norm"
    if outer in ("embeddings", "patch-embeddings") or "embedding" in said:
        return "embedding-norm"
    return "final-norm" if outer in ("", "model", *_STACKS) else "norm"


def _is_cross(name: str, kind: str) -> bool:
    """Whether an attention is to the output of an encoder, by its name or its class."""
    read = (read_label(" ".join(_words(each))).parts for each in (name, kind))
    return any("cross-attention" in parts or {"encoder", "attention"} <= {*parts} for parts in read)


@lru_cache(maxsize=4096)
def _part_in(name: str) -> str:
    """The one part that a name says, if every word of it is understood: the norm of an attention is one, and so is one of an encoder."""
    label = read_label(" ".join(_words(name)))
    parts = {*label.parts} if not label.rest else set[str]()
    if {"norm", "attention"} <= parts:
        return "cross-attention-norm" if "encoder" in parts else "attention-norm"
    if "norm" in parts and parts & {"embeddings", "token-embedding"}:
        return "embedding-norm"
    if parts == {"encoder", "attention"}:
        return "attention"
    return parts.pop() if len(parts) == 1 else ""


def _words(name: str) -> list[str]:
    return ["linear" if word == "lin" else word for word in _PARTS_OF_NAME.findall(name.replace("_", " "))]

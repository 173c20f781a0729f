"""States the purpose of the parts of a model and what their size costs, each once, at the first step that it applies to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from symparam.analysis.derivation import Step
from symparam.core.formula import Formula, Number, Power, Product, Quotient, Symbol
from symparam.writing.document import Inline, Line, Shape
from symparam.writing.phrases import Phrases, filled

_H, _d, _h, _k = map(Symbol, "Hdhk")
_NAMED: dict[str, Inline] = {
    "H": _H,
    "I": Symbol("I"),
    "h": _h,
    "k": _k,
    "dk": Product((_d, _k)),
    "hk": Quotient(_h, _k),
    "HH": Shape((_H, _H)),
    "H2": Product((Number(4), Power(_H, Number(2)))),
}
_HEADS = ("language-model-head", "vocabulary-projection")
_ALIKE = {"feed-forward-in": "feed-forward"}
"""Roles of parts that give the purpose of a whole without a block of its own."""
_OF_KIND = (
    (re.compile(r"Conv[123]d"), "filter"),
    (re.compile(r"(?:Sync)?BatchNorm(?:[123]d)?"), "BatchNorm"),
    (re.compile("LSTM|GRU"), "gates"),
)
"""Purposes of layers by their classes."""
_SAID_WITH = {"gated-feed-forward": "feed-forward", "expert-layer": "feed-forward", "shared-layers": "layers", "layer-groups": "layers"}
"""Purposes that need not be stated after another: once the purpose of the first is stated, that of the second is as well."""


def purposes(steps: Iterable[Step], words: Phrases) -> Iterator[Line]:
    """The purpose of each step, parents first; empty if it is unknown or was stated before."""
    said: set[str] = set()
    for step in steps:
        key = _key(step)
        new = key in words.purposes and key not in said
        said |= {key, _SAID_WITH.get(step.role or "", key)}
        yield filled(words.purposes[key], **_NAMED, **_size(step)) if new else ()


def _key(step: Step) -> str:
    role = step.role or ""
    if role in _HEADS:
        tied = any(tensor.tied_to for tensor in step.tensors)
        return "" if step.steps else "tied-head" if tied else "head"
    if step.kind in ("LayerNorm", "RMSNorm") and role != "query-norm":
        return step.kind
    for pattern, key in _OF_KIND:
        if not role and pattern.fullmatch(step.kind):
            return key
    return _ALIKE.get(role, role)


def _size(step: Step) -> dict[str, Formula]:
    """The parameters saved by a head that shares the matrix of the embeddings."""
    matrix = next((tensor for tensor in step.tensors if tensor.tied_to and len(tensor.shape) > 1), None)
    return {"size": Product(matrix.shape)} if matrix else {}

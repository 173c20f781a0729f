"""What a text says of its tensors: whether they are parameters, those of a file, or those of a state, in which tied ones stand twice."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

SAYS_STATE = "state_dict"
_HAS_GRADIENT = re.compile(r"(?:requires_grad|trainable)['\"]?[ \t]{0,9}[=:][ \t]{0,9}true\b|\bParameter containing\b", re.IGNORECASE)
_GRADIENTS = re.compile(r"^[^\d\n]{0,200}?\b(?:requires_grad|trainable)\b[^\d\n]{0,200}$", re.MULTILINE | re.IGNORECASE)
"""Heads of a column that says with ``True`` that a tensor has a gradient."""
_STORED = re.compile(r"(?<![\w.])(?:B?F(?:16|32|64)|F8_E\dM\d|I?Q\d_\w{1,4})(?![\w.])|llama_model_loader: - tensor")
"""The types of numbers in files of safetensors and GGUF, by the names that only these have."""
_VARIABLES = re.compile(
    r"<(?:tf\.)?Variable |_ref\b|trainable variables|\bParameter \(name=|\bParameter [\w.]{1,400} \(shape=|#elements or shape",
    re.IGNORECASE,
)
"""What the lists of TensorFlow, Keras, MindSpore, Gluon and fvcore have: each object once, whatever uses it."""
_TRUE = re.compile(r"\btrue\b", re.IGNORECASE)


def is_of_parameters(text: str) -> bool:
    """Whether the text says that parameters are listed, or that one has a gradient, as no tensor of a ``state_dict()`` has."""
    has_column = _GRADIENTS.search(text) is not None and _TRUE.search(text) is not None
    told = _HAS_GRADIENT.search(text) or _VARIABLES.search(text)
    return "named_parameters" in text or has_column or told is not None


def is_of_state(
    text: str, tensors: int, buffers: Collection[str], parameters_only: bool, ties_by_default: Callable[[], bool]
) -> bool | None:
    """Whether it is the listing of a ``state_dict()``, or one of parameters alone or of a file, in which tied tensors stand once; None if
    that is not known. ``buffers`` are those among the tensors; ``ties_by_default`` tells whether some are one tensor by default, so that a
    file would hardly have both.
    """
    if "data_offsets" in text:
        return False  # The header of a safetensors file, which may not hold one tensor under two names.
    if sum(1 for _ in _STORED.finditer(text)) >= tensors and not ties_by_default():
        return False
    if buffers or SAYS_STATE in text:
        return True
    return False if parameters_only else None

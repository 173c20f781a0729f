"""Finds the model's own names of its blocks and tensors in labels: ``model.layers.0.mlp``, ``q_proj.weight``."""

from __future__ import annotations

import re
from functools import lru_cache

from symparam.models.blocks import Architecture
from symparam.models.blocks.architecture import join_path

_INDEX = re.compile(r"\{[^{}]*\}|(?<=\.)\d+(?=\.|$)")
_PATH = re.compile(r"[A-Za-z_]\w*(?:\.[\w{}<>=]+|\[\d+\])+")
_VERSION = re.compile(r"[A-Z][A-Za-z]{1,20}\d{1,3}\.\d{1,3}")
"""The name of a model with its version, Qwen2.5, which is written like the name of a module."""


def path_in(text: str) -> str:
    """The name of a block or a tensor at the beginning of a label, ``model.layers.0.mlp``; empty if there is none."""
    written = _PATH.match(text)
    return written[0] if written and not _VERSION.fullmatch(written[0]) else ""


def block_in(text: str, architecture: Architecture) -> str:
    """The name of a block or a tensor of the model at the beginning of a label; empty if it has none of this name, ``attention.wq``."""
    path = path_in(text)
    return path if path and _is_name(general(path), architecture) else ""


def spelled_block(text: str, architecture: Architecture) -> str:
    """The name of the blocks of the model that the whole label is, with spaces for underscores: ``final layer norm``, ``conv``."""
    return _spelled(architecture).get(" ".join(text.split()).strip("*`_ ").lower(), "")


@lru_cache(maxsize=64)
def _spelled(architecture: Architecture) -> dict[str, str]:
    """The last names of the blocks by how people spell them."""
    names = {place.path.rpartition(".")[2] for place in architecture.places()}
    return {name.replace("_", " ").lower(): name for name in sorted(names) if name and "{" not in name}


@lru_cache(maxsize=1024)
def _is_name(path: str, architecture: Architecture) -> bool:
    own = (join_path(place.path, tensor.name) for place in architecture.places() for tensor in place.module.tensors)
    return any(is_end(general(each), path) for each in (*(place.path for place in architecture.places()), *own))


def general(path: str) -> str:
    """The path with ``{}`` in place of its indices."""
    return _INDEX.sub("{}", path.replace("[", ".").replace("]", ""))


def is_end(path: str, name: str) -> bool:
    """Whether the name is the end of the path, or the path with the name of the part before it that another class has: ``bert.pooler``."""
    outer, _, rest = name.partition(".")
    return f".{path}".endswith(f".{name}") or (rest == path and outer.isidentifier() and "." in path)

"""Sliding windows: which of a model's layers look back at no more than the last w tokens."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from symparam.blocks import Architecture, Block, DotProduct, Layers, Module, Repeat

IN_SEQUENCE, IN_CACHE = "window-condition", "window-in-cache-condition"
"""What a window must not be longer than, for the formula to hold."""


def windows_apart(architecture: Architecture) -> Architecture:
    """The same model with its layers in two runs: N_w local ones with a window, and N − N_w global ones, which look back at all tokens.

    Where nothing says that only some layers have a window, all have it, and the architecture is as it was.
    """
    return replace(architecture, root=_apart(architecture.root))


def _apart(module: Module) -> Module:
    if not isinstance(module, Repeat) or module.windowed is None:
        return _with_parts(module, _apart)
    near = replace(module, count=module.windowed, label=" local", windowed=None, role="local-layers")
    far = replace(near, count=module.count - module.windowed, body=_global(module.body), label=" global", role="global-layers")
    return Layers(near, far, role=module.role)


def _global(module: Module) -> Module:
    return replace(module, windowed=False) if isinstance(module, DotProduct) else _with_parts(module, _global)


def _with_parts(module: Module, change: Callable[[Module], Module]) -> Module:
    """The block with each of those inside it changed."""
    if isinstance(module, Block):
        parts = {name: change(part) for name, part in module.parts}
        return Block(module.name, role=module.role, passing=module.passing, runs=module.runs, **parts)
    if isinstance(module, Layers):
        return Layers(*(replace(run, body=change(run.body)) for run in module.runs), role=module.role)
    return replace(module, body=change(module.body)) if isinstance(module, Repeat) else module

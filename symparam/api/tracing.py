"""Tracing a torch module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError

if TYPE_CHECKING:
    from symparam.results.trace import TraceResult


def trace(
    target: object, settings: JsonMapping | None = None, *, verify: int = 6, python: str | None = None, timeout: float = 120.0
) -> TraceResult:
    """Find the closed form of any torch module by building it: ``trace("transformers:BertModel")``, ``trace(Net)``.

    ``target`` is ``"MODULE:CLASS"``, ``"FILE.py:CLASS"`` or the class; ``settings`` are config keys for a class of transformers, and
    arguments of the constructor for other classes. The class is built many times in a separate process, for at most ``timeout`` seconds of
    processor time, and with the interpreter ``python`` if given; the result must be exact at ``verify`` settings that were not used
    to find it. Raises `SymparamError`.
    """
    from symparam.models.tracing.process import traced
    from symparam.results.trace import TraceResult

    if isinstance(target, str):
        return TraceResult(traced(target, settings or {}, verify, python, timeout))
    if not callable(target):
        raise ArchitectureError(f"{type(target).__name__} is not a class; give the class of a torch module, or its name as MODULE:CLASS")
    return TraceResult(traced(getattr(target, "__qualname__", type(target).__name__), settings or {}, verify, python, timeout, kind=target))

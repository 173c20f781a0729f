"""A torch module of which nothing is known but how to build it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam.core.json_types import JsonMapping
from symparam.errors import ArchitectureError

if TYPE_CHECKING:
    from symparam.results.trace import TraceResult


def trace(
    target: object, settings: JsonMapping | None = None, *, verify: int = 6, python: str | None = None, seconds: float = 120.0
) -> TraceResult:
    """The closed form of any torch module, checked on settings it has not seen: ``trace("transformers:BertModel")``, ``trace(Net)``.

    ``target`` is ``"MODULE:CLASS"``, ``"FILE.py:CLASS"`` or the class; ``settings`` are the keys of a config for a class of transformers,
    else arguments of the constructor. The class is built many times, in a process of its own that may run for ``seconds``, with the
    interpreter ``python`` if one is named; ``verify`` is the number of unseen settings that must all be exact. Raises `SymparamError`.
    """
    from symparam.models.tracing.process import traced
    from symparam.results.trace import TraceResult

    if isinstance(target, str):
        return TraceResult(traced(target, settings or {}, verify, python, seconds))
    if not callable(target):
        raise ArchitectureError(f"{type(target).__name__} is no class; give the class of a torch module, or its name as MODULE:CLASS")
    return TraceResult(traced(getattr(target, "__qualname__", str(target)), settings or {}, verify, python, seconds, kind=target))

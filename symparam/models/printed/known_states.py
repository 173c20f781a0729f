"""The states of those models of the reference whose listings contain more than parameters, or may by their names: tied tensors twice, and
buffers.

The data is recorded by ``tests/models/printed/record_states.py``. A listing is recognised by the names of its tensors, whatever its numbers
of layers, sizes and biases are.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from symparam.core.frozen import frozen

RECORDED = Path(__file__).with_name("recorded") / "states.txt"


@frozen
class KnownState:
    """The classes ``kinds`` that list exactly these names as their state or their parameters, and how the names of its buffers end."""

    kinds: tuple[str, ...]
    buffers: tuple[str, ...]

    def is_buffer(self, name: str) -> bool:
        """Whether the tensor is a buffer of these classes."""
        path = f".{numberless(name)}"
        return any(path.endswith(f".{end}") for end in self.buffers)


def numberless(name: str) -> str:
    """The name with ``#`` for each number, also for one that is left open: ``layers.{i}.weight`` is ``layers.#.weight``."""
    return re.sub(r"(?<![^.])(?:\d+|\{[^{}]*\})(?![^.])", "#", name)


def fingerprint(names: Iterable[str]) -> str:
    """A short digest of the names, without numbers and biases."""
    told = sorted({numberless(name) for name in names if not name.endswith("bias")})
    return hashlib.sha256("\n".join(told).encode()).hexdigest()[:10]


def known_state(names: Iterable[str]) -> KnownState | None:
    """The state that lists exactly these tensors, apart from those that are buffers in every library; None if none is known.

    All of them may be in a further module, such as the ``module`` in which torch wraps a model for training.
    """
    names = {*names}
    while (found := _states().get(fingerprint(names))) is None:
        outer = {name.partition(".")[0] for name in names}
        names = {name.partition(".")[2] for name in names}
        if len(outer) != 1 or "" in names:
            return None
    return found


@cache
def _states() -> Mapping[str, KnownState]:
    lines = [line.split() for line in RECORDED.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return MappingProxyType({digest: KnownState(tuple(kinds.split(",")), tuple(buffers)) for digest, kinds, *buffers in lines})

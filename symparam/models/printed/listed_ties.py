"""Ties in a listing: what the classes tie by default whose tensors it names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symparam.models.architectures import find_architecture
from symparam.models.printed.class_knowledge import Tying, tying_classes
from symparam.models.printed.tree import Node


def tied_by_default(root: Node) -> Tying | None:
    """The ties of the class whose tensors are listed; None where it may be a class that ties none of them by default.

    A class fits if all that it ties is listed. If some of those that fit tie by default and others do not, symparam's own architectures
    decide, whose names of tensors are all known.
    """
    names = frozenset(_names(root))
    fitting = {kind: known for kind, known in tying_classes().items() if _all_listed(known, names)}
    if not all(known.by_default for known in fitting.values()):
        fitting = {kind: known for kind, known in fitting.items() if _own_names(kind) == names}
    if not fitting or not all(known.by_default for known in fitting.values()):
        return None
    return max(fitting.values(), key=lambda known: len(known.flagged))


def _names(node: Node, path: str = "") -> Iterator[str]:
    """The names of the tensors, with ``#`` for numbers."""
    yield from (path + name for name, _ in node.tensors)
    for name, child in node.children:
        yield from _names(child, f"{path}{name}.")
    for group in node.groups:
        yield from _names(group.body, f"{path}#.")


def _all_listed(known: Tying, names: frozenset[str]) -> bool:
    return bool(known.flagged) and all(_numberless(name) in names for pair in known.flagged.items() for name in pair)


def _own_names(kind: str) -> frozenset[str]:
    """The names of the tensors of one of symparam's own architectures; empty for another class."""
    choice = find_architecture(kind)
    if choice is None or choice.class_name != kind:
        return frozenset()
    return frozenset(_numberless(name) for name, _ in choice.family.architecture(choice.class_name).tensors())


def _numberless(name: str) -> str:
    return re.sub(r"(?<![^.])(?:\d+|\{[^}]*\})(?![^.])", "#", name)

"""A measure of an architecture, summed over all blocks of each group, and of each role."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

import sympy

from symparam.analysis.roles import group_of
from symparam.core.algebra.polynomial import equal
from symparam.models.blocks import Architecture
from symparam.models.blocks.architecture import Place

Role = tuple[str, str, str]
"""A group, the role of a block or the name that its author gave it, and its class."""
Key = TypeVar("Key", Role, str)


def by_role(architecture: Architecture, of_block: Callable[[Place], sympy.Expr]) -> dict[Role, sympy.Expr]:
    """The measure of all blocks of each role in a group, in order of first occurrence; roles with measure zero are left out."""
    return _not_zero(_gathered(architecture, of_block))


def paths_by_role(architecture: Architecture, of_block: Callable[[Place], sympy.Expr]) -> dict[Role, tuple[str, ...]]:
    """The paths of the blocks of each role in a group whose measure is not zero."""
    found: dict[Role, tuple[str, ...]] = {}
    for role, path, _ in _measured(Place("", architecture.root), "other", of_block):
        found[role] = (*found.get(role, ()), path)
    return found


def by_group(architecture: Architecture, of_block: Callable[[Place], sympy.Expr]) -> dict[str, sympy.Expr]:
    """The measure of each group of blocks, in order of first occurrence; groups with measure zero are left out."""
    found: dict[str, sympy.Expr] = {}
    for (group, _, _), meaning in _gathered(architecture, of_block).items():
        found[group] = found.get(group, sympy.S.Zero) + meaning
    return _not_zero(found)


def _gathered(architecture: Architecture, of_block: Callable[[Place], sympy.Expr]) -> dict[Role, sympy.Expr]:
    found: dict[Role, sympy.Expr] = {}
    for role, _, own in _measured(Place("", architecture.root), "other", of_block):
        found[role] = found.get(role, sympy.S.Zero) + own
    return found


def _measured(place: Place, outer: str, of_block: Callable[[Place], sympy.Expr]) -> Iterator[tuple[Role, str, sympy.Expr]]:
    """The role of each block that is measured, with its path and the measure of all its copies."""
    group = group_of(place.module.role or "", place.module.kind, outer)
    own = place.copies * of_block(place)
    if own != 0:
        yield (group, place.module.role or place.path.rpartition(".")[2], place.module.kind), place.path, own
    for inner in place.inside:
        yield from _measured(inner, group, of_block)


def _not_zero(found: dict[Key, sympy.Expr]) -> dict[Key, sympy.Expr]:
    return {key: meaning for key, meaning in found.items() if not equal(meaning, sympy.S.Zero)}

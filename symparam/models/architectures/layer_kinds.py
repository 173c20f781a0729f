"""Layers of several kinds in one list, as config keys distribute them."""

from __future__ import annotations

import sympy

from symparam.core.dimensions import N
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import KeyValueError
from symparam.models.blocks import Layers, Module, Repeat
from symparam.models.blocks.module import Size

Pair = tuple[bool, bool]
Pairs = tuple[Pair, ...]
"""For each layer, whether it has the first property and the second."""

MOST_LAYERS = 10_000  # More than any model has; the layers are examined one by one.


@frozen
class Kind:
    """The layers of one kind: how many there are, as a formula, their numbers, the block of each, their common role, and how many of them
    have a window where only some have one.
    """

    count: Size
    numbers: tuple[int, ...]
    body: Module
    role: str
    windowed: Size | None = None


def layers_of(*kinds: Kind) -> Repeat | Layers:
    """One list of layers, without the kinds that have none."""
    there = [kind for kind in kinds if kind.numbers]
    if len(there) == 1:
        return Repeat(there[0].count, there[0].body, windowed=there[0].windowed, role="layers")
    groups = (Repeat(kind.count, kind.body, label(kind.numbers), kind.numbers, kind.windowed, role=kind.role) for kind in there)
    return Layers(*groups, role="layers")


def label(numbers: tuple[int, ...]) -> str:
    """``=0,3``, or ``=0,3,...`` where there are many."""
    return "=" + ",".join(map(str, numbers[:3])) + (",..." if len(numbers) > 3 else "")


def crossed(properties: Pairs, first: Size, second: Size) -> tuple[tuple[Pair, Size, tuple[int, ...]], ...]:
    """The kinds of layers that two properties distinguish: which of the two they have, how many there are, and their numbers.

    ``first`` and ``second`` are the letters for the number of layers with each property; of the N layers, all or none may have it.
    """
    having = [frozenset(index for index, pair in enumerate(properties) if pair[at]) for at in (0, 1)]
    counts = [_count(numbers, len(properties), letter) for numbers, letter in zip(having, (first, second), strict=True)]
    both = _both(*having, *counts)
    found = {(True, True): both, (True, False): counts[0] - both, (False, True): counts[1] - both, (False, False): N - sum(counts) + both}
    return tuple((pair, count, tuple(index for index, own in enumerate(properties) if own == pair)) for pair, count in found.items())


def _count(numbers: frozenset[int], layers: int, letter: Size) -> Size:
    return sympy.S.Zero if not numbers else N if len(numbers) == layers else letter


def _both(one: frozenset[int], other: frozenset[int], of_one: Size, of_other: Size) -> Size:
    return of_one if one <= other else of_other if other <= one else sympy.Integer(len(one & other))


def sizes_of(properties: Pairs, first: str, second: str) -> dict[str, int]:
    """The values of the letters of `crossed`, where only some of the layers have the property."""
    counts = {letter: sum(pair[at] for pair in properties) for at, letter in enumerate((first, second))}
    return {letter: count for letter, count in counts.items() if 0 < count < len(properties)}


def check_depth(layers: int) -> None:
    """Raise a `KeyValueError` for more layers than are examined."""
    if layers > MOST_LAYERS:
        raise KeyValueError("num_hidden_layers", f"at most {MOST_LAYERS:,} if there are layers of two kinds,")


def is_numbers(value: object) -> bool:
    """Whether a key lists layer numbers."""
    return isinstance(value, list) and all(isinstance(each, int) and not isinstance(each, bool) for each in value)


def whole_number(keys: JsonMapping, key: str, default: int, least: int = 1) -> int:
    """The value of a key that must be an integer. Raises `KeyValueError`."""
    number = keys.get(key, default)
    if isinstance(number, bool) or not isinstance(number, int) or number < least:
        raise KeyValueError(key, "a positive whole number" if least == 1 else f"a whole number, {least} or more,")
    return number

"""Laws of dimension: what a quantity is of others, with the dimensions of all of them.

A dimension is written with the names of bases, ``data/parameter``. ``X`` is any dimension and ``N`` a thing that people count; each stands
for the same in all of a law. To teach the checker another law, add it here and a rule with its code, an example and a counter-example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from symparam.core.frozen import frozen
from symparam.documents.checking.laws.typed_quantity import powers
from symparam.documents.reading.unit_senses import Dimension
from symparam.documents.words import thing_words

Binding = Mapping[str, Dimension]
"""What the variables of a law stand for."""


@frozen
class Law:
    """``result`` is the product of the ``factors``, each divided by if its power is -1. What is looked for first is the first factor. It
    ``is_told`` if the words of its operands alone say that the law is meant, as the format of numbers does.
    """

    code: str
    result: str
    factors: tuple[tuple[str, int], ...]
    is_told: bool = False


_VARIABLES = ("X", "N")
LAWS = (
    Law("stored-parameters", "data", (("parameter", 1), ("data/parameter", 1)), is_told=True),
    Law("amount-of-things", "X", (("N", 1), ("X/N", 1)), is_told=True),
    Law("amount-for-each", "X/N", (("X", 1), ("N", -1)), is_told=True),
    Law("number-of-things", "N", (("X/N", -1), ("X", 1)), is_told=True),
    Law("duration", "time", (("X/time", -1), ("X", 1))),
    Law("throughput", "X/time", (("X", 1), ("time", -1))),
    Law("amount-in-time", "X", (("X/time", 1), ("time", 1))),
    Law("price-of-work", "X/N", (("X/time", 1), ("N/time", -1)), is_told=True),
)


def bound(pattern: str, dimension: Dimension, binding: Binding) -> tuple[Binding, ...]:
    """The bindings with which the pattern is this dimension."""
    return _bound(pattern, dimension, tuple(binding.items()))


@cache
def _bound(pattern: str, dimension: Dimension, known: tuple[tuple[str, Dimension], ...]) -> tuple[Binding, ...]:
    return tuple(_bindings(pattern, dimension, dict(known)))


def _bindings(pattern: str, dimension: Dimension, binding: Binding) -> Iterator[Binding]:
    rest, open_ones = dict(dimension), dict[str, int]()
    for base, power in _parsed(pattern):
        if base in _VARIABLES and base not in binding:
            open_ones[base] = power
        for each, its in () if base in open_ones else binding.get(base, ((base, 1),)):
            rest[each] = rest.get(each, 0) - its * power
    for own, left in _things(powers(**rest), open_ones.get("N", 0), binding):
        if "X" in open_ones and is_amount(left):
            yield {**own, "X": left}
        elif "X" not in open_ones and not left:
            yield own


def _things(dimension: Dimension, power: int, binding: Binding) -> Iterator[tuple[Binding, Dimension]]:
    """The bindings of a thing with this power in a dimension, each with what is left of it; none is bound if there is no power."""
    if not power:
        yield binding, dimension
    for thing in [each for each, its in dimension if power and its == power and is_thing(each)]:
        yield {**binding, "N": powers(**{thing: 1})}, tuple(each for each in dimension if each[0] != thing)


def made(pattern: str, binding: Binding) -> Dimension | None:
    """The dimension that the pattern is; ``None`` if a variable is not bound."""
    found: dict[str, int] = {}
    for base, power in _parsed(pattern):
        if base in _VARIABLES and base not in binding:
            return None
        for each, its in binding.get(base, ((base, 1),)):
            found[each] = found.get(each, 0) + its * power
    return powers(**found)


@cache
def _parsed(pattern: str) -> tuple[tuple[str, int], ...]:
    above, *below = pattern.split("/")
    return (*((each, 1) for each in above.split("*")), *((each, -1) for each in below))


def is_thing(base: str) -> bool:
    """Whether a base is something that people count."""
    return base in thing_words()


def is_amount(dimension: Dimension) -> bool:
    """Whether something of this dimension is an amount: bytes, tokens, operations, or these for each of something; not a bare time."""
    return any(power > 0 for _, power in dimension)


@cache
def bindings_of(result: str, dimension: Dimension) -> tuple[Binding, ...]:
    """What the variables of a law may stand for if its result is of this dimension, or of it without what it is for each of."""
    return tuple(each for own in _with_fewer(dimension) for each in bound(result, own, {}))


def _with_fewer(dimension: Dimension) -> Iterator[Dimension]:
    """The dimension, and without what it is for each of: with 32 layers, 2 GB per sample."""
    yield dimension
    kept = tuple(each for each in dimension if each[1] > 0 or not is_thing(each[0]))
    if kept != dimension and kept:
        yield kept

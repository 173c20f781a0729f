"""A derivation with numbers put in: what each module comes to, its share, and an independent check of the total."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod

import sympy

from symparam.blocks.architecture import evaluate_size
from symparam.derivation import Derivation, Step
from symparam.errors import ConfigError
from symparam.evaluation import evaluate
from symparam.formula import Formula

BYTES_OF_FLOAT32 = 4


@dataclass(frozen=True)
class Row:
    """One module of the count: how deep it lies, its step, and the number that all its copies come to."""

    depth: int
    number: str
    step: Step
    total: int
    share: Fraction
    value: Formula


@dataclass(frozen=True)
class Check:
    """The total found without the steps: every tensor's shape multiplied out and added up, in whole numbers."""

    tensors: int
    sum: int
    closed_form: int

    @property
    def difference(self) -> int:
        return self.sum - self.closed_form


@dataclass(frozen=True)
class Count:
    """The number of parameters of one model: the derivation, a value for each letter, and where these come from."""

    derivation: Derivation
    values: Mapping[str, int]
    origin: str

    def __post_init__(self) -> None:
        missing = sorted(self.derivation.letters - self.values.keys())
        if missing:
            stated = " ".join(f"--where {self.derivation.alphabet.written(letter)}=NUMBER" for letter in missing)
            raise ConfigError(
                f"{self.derivation.architecture.name} has no number for {', '.join(map(self.derivation.alphabet.written, missing))}; "
                f"name a preset or a config.json, or state them: {stated}"
            )

    @property
    def total(self) -> int:
        return _whole(evaluate(self.derivation.closed_form("expanded"), self.values))

    @property
    def rows(self) -> Iterator[Row]:
        """The modules, outermost first; a module whose only content is one other module is left out."""
        total = self.total
        for depth, number, step in numbered(self.derivation.root):
            value = _whole(step.total(self.values))
            yield Row(depth, number, step, value, Fraction(value, total), step.sum_of_values(self.values))

    @property
    def bytes_as_float32(self) -> int:
        return self.total * BYTES_OF_FLOAT32

    @property
    def check(self) -> Check:
        sizes: dict[sympy.Expr, int] = {}
        tensors = elements = 0
        for place in self.derivation.architecture.places():
            copies = evaluate_size(place.copies, self.values, sizes)
            for tensor in place.module.tensors:
                if tensor.tied_to is None:
                    tensors += copies
                    elements += copies * prod(evaluate_size(size, self.values, sizes) for size in tensor.shape)
        return Check(tensors, elements, self.total)


def numbered(root: Step) -> Iterator[tuple[int, str, Step]]:
    """The steps inside the root with their depth and number, as ``(1, "2.1", step)``, wrappers of a single module left out."""
    return _numbered(root, "", 0)


def _numbered(step: Step, number: str, depth: int) -> Iterator[tuple[int, str, Step]]:
    for index, inner in enumerate(step.steps, 1):
        shown = _unwrapped(inner)
        mark = f"{number}{index}"
        yield depth, mark, shown
        yield from _numbered(shown, f"{mark}.", depth + 1)


def _unwrapped(step: Step) -> Step:
    while len(step.steps) == 1 and step.repeats is None:
        step = step.steps[0]
    return step


def _whole(value: int | Fraction) -> int:
    if not isinstance(value, int):
        raise ConfigError(f"the count comes to {value}, which is no whole number; one of the stated relations does not fit the sizes")
    return value

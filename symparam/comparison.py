"""Two architectures side by side: their difference as a formula, and the modules that it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy

from symparam.algebra.closed_form import by_symbol
from symparam.algebra.polynomial import equal
from symparam.alphabets import STANDARD, Alphabet
from symparam.blocks import Architecture
from symparam.blocks.architecture import Place
from symparam.formula import Formula, Number
from symparam.notation import UNICODE


@dataclass(frozen=True)
class ModuleDifference:
    """A module that only one of the two has, or that differs: its path, its kind, and what the second has more of (or less)."""

    path: str
    kind: str
    formula: Formula
    copies: Formula

    def __str__(self) -> str:
        times = "" if self.copies == Number(1) else f", in each of {self.copies}"
        return f"{self.formula}: {self.path} ({self.kind}){times}"


@dataclass(frozen=True)
class Comparison:
    """``difference`` is what the second architecture has more than the first; ``modules`` add up to it."""

    first: Architecture
    second: Architecture
    difference: Formula
    modules: tuple[ModuleDifference, ...]

    def __str__(self) -> str:
        return "\n".join([str(self.difference), *(f"  {module}" for module in self.modules)])

    def _repr_latex_(self) -> str:
        return self.difference._repr_latex_()


def compare(first: Architecture, second: Architecture, alphabet: Alphabet = STANDARD) -> Comparison:
    """What the second architecture has more than the first, as a formula and module by module.

    Modules are paired by their paths; those that only one of the two has are named, as are those that differ in size.
    """
    notation = UNICODE.using(alphabet)
    counts = [{place.path: (place, _own(place)) for place in each.places()} for each in (first, second)]
    modules = tuple(
        ModuleDifference(path, place.module.kind, by_symbol(difference, notation=notation), by_symbol(place.copies, notation=notation))
        for path, place, difference in _differences(*counts)
    )
    total = sympy.Add(*(own for _, own in counts[1].values())) - sympy.Add(*(own for _, own in counts[0].values()))
    return Comparison(first, second, by_symbol(total, notation=notation), modules)


def _differences(
    first: dict[str, tuple[Place, sympy.Expr]], second: dict[str, tuple[Place, sympy.Expr]]
) -> Iterator[tuple[str, Place, sympy.Expr]]:
    nothing = sympy.Integer(0)
    for path in {**first, **second}:
        before = first[path][1] if path in first else nothing
        after = second[path][1] if path in second else nothing
        if not equal(after, before):
            place, _ = second.get(path) or first[path]
            yield path, place, after - before


def _own(place: Place) -> sympy.Expr:
    """What the module's own tensors come to in all its copies."""
    return place.copies * sympy.Add(*(tensor.elements for tensor in place.module.tensors if tensor.tied_to is None))

"""Two architectures side by side: their difference as a formula, and the modules that it is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import sympy

from symparam.algebra.closed_form import by_symbol
from symparam.algebra.polynomial import equal
from symparam.alphabets import STANDARD, Alphabet
from symparam.blocks import Architecture, Module
from symparam.blocks.architecture import Place
from symparam.counting import Count
from symparam.derivation import Measure, Step
from symparam.evaluation import evaluate, plain
from symparam.formula import Formula, Number, write
from symparam.measures.parameters import PARAMETERS
from symparam.notation import LATEX, UNICODE


@dataclass(frozen=True)
class ModuleDifference:
    """A module that only one of the two has, or that differs: its path, its kind, and what the second has more of (or less).

    ``formula`` is what all its ``copies`` come to together, ``each`` what one of them does; ``role`` is the key of its title.
    """

    path: str
    kind: str
    formula: Formula
    each: Formula
    copies: Formula
    role: str | None = None


@dataclass(frozen=True)
class Comparison:
    """``difference`` is what the second architecture has more than the first; ``modules`` add up to it."""

    first: Architecture
    second: Architecture
    difference: Formula
    modules: tuple[ModuleDifference, ...]
    alphabet: Alphabet = STANDARD

    def __str__(self) -> str:
        notation = UNICODE.using(self.alphabet)
        lines = [write(self.difference, notation)]
        for module in self.modules:
            each, copies = write(module.each, notation), write(module.copies, notation)
            times = "" if module.copies == Number(1) else f", {each} in each of {copies}"
            lines.append(f"  {write(module.formula, notation)}: {module.path} ({module.kind}){times}")
        return "\n".join(lines)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {write(self.difference, LATEX.using(self.alphabet))}$"


@dataclass(frozen=True)
class NumberDifference:
    """What the modules of one role come to in each of two models with values; ``step`` stands for all of them."""

    step: Step
    first: int | Fraction
    second: int | Fraction

    @property
    def difference(self) -> int | Fraction:
        return plain(self.second - self.first)


def numbers(first: Count, second: Count) -> tuple[NumberDifference, ...]:
    """The numbers of two models side by side, modules of one role together, those with parameters of their own only.

    What the two have alike is left out.
    """
    paths = [{step.path for step in count.derivation.root.walk()} for count in (first, second)]
    same = paths[0] == paths[1]
    found: dict[tuple[str | None, str], tuple[Step, list[int | Fraction]]] = {}
    for index, count in enumerate((first, second)):
        for step in count.derivation.root.walk():
            own = _of_itself(step, count)
            # Modules are the same by their places where the models have the same ones, else by their roles, and without a role by name.
            key = (None, step.path) if same or not step.role else (step.role, "")
            _, totals = found.setdefault(key, (step, [0, 0]))
            totals[index] = plain(totals[index] + own)
    return tuple(NumberDifference(step, *totals) for step, totals in found.values() if totals[0] != totals[1])


def _of_itself(step: Step, count: Count) -> int | Fraction:
    """What all copies of a block come to without the blocks inside it."""
    if count.derivation.measure.of_tensor:
        return sum(evaluate(tensor.elements, count.values) for tensor in step.tensors) * evaluate(step.copies, count.values)
    return step.total(count.values) - sum(inner.total(count.values) for inner in step.steps)


ALL_PARAMETERS = PARAMETERS["parameters"]


def compare(
    first: Architecture,
    second: Architecture,
    alphabet: Alphabet = STANDARD,
    measures: tuple[Measure, Measure] = (ALL_PARAMETERS, ALL_PARAMETERS),
) -> Comparison:
    """What the second architecture has more than the first, as a formula and module by module.

    Modules are paired by their paths, and those that only one of the two has by their role, or their name, and size: what has only
    moved is no difference. All others are named, as are those that differ in size. ``measures`` say what is counted in each of the two,
    which may also be one architecture, counted in two ways. Raises `ArchitectureError` where the alphabet would
    write two of the letters alike.
    """
    notation = UNICODE.using(alphabet)
    pair = zip((first, second), measures, strict=True)
    counts = [{place.path: (place, place.copies * measure.own(place)) for place in each.places()} for each, measure in pair]
    modules = tuple(
        ModuleDifference(
            path or module.kind,
            module.kind,
            by_symbol(difference, notation=notation),
            by_symbol(difference / copies, notation=notation),
            by_symbol(copies, notation=notation),
            module.role,
        )
        for path, module, difference, copies in _without_moves(list(_differences(*counts)))
    )
    total = sympy.Add(*(own for _, own in counts[1].values())) - sympy.Add(*(own for _, own in counts[0].values()))
    difference = by_symbol(total, notation=notation)
    alphabet.check(sorted(difference.letters.union(*(module.formula.letters | module.copies.letters for module in modules))))
    return Comparison(first, second, difference, modules, alphabet)


Difference = tuple[str, Module, sympy.Expr, sympy.Expr]
"""A path, the module there, what the second architecture has more, and how many copies there are of it."""


def _differences(first: dict[str, tuple[Place, sympy.Expr]], second: dict[str, tuple[Place, sympy.Expr]]) -> Iterator[Difference]:
    for path in {**first, **second}:
        places = [place for place, _ in (each[path] for each in (first, second) if path in each)]
        before, after = (each[path][1] if path in each else sympy.S.Zero for each in (first, second))
        if not equal(after, before):
            # Where the two have it in different numbers, the difference is not that of each copy.
            copies = places[-1].copies if equal(places[0].copies, places[-1].copies) else sympy.S.One
            yield path, places[-1].module, after - before, copies


def _without_moves(found: list[Difference]) -> list[Difference]:
    """The differences without pairs of which one has what the other has not."""
    kept: list[Difference] = []
    for difference in found:
        moved = next((each for each in kept if _name(each) == _name(difference) and equal(each[2], -difference[2])), None)
        if moved:
            kept.remove(moved)
        else:
            kept.append(difference)
    return kept


def _name(difference: Difference) -> tuple[str, str]:
    path, module, _, _ = difference
    return module.role or path.rpartition(".")[2], module.kind

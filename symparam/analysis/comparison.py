"""The difference between two architectures: as a formula, and module by module."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from symparam.analysis.counting import Count
from symparam.analysis.crossover import sides
from symparam.analysis.derivation import Measure
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.analysis.parts import Role, by_group, by_role, paths_by_role
from symparam.core.algebra.closed_form import by_symbol, ratio, readable
from symparam.core.algebra.closed_form import difference as difference_of
from symparam.core.algebra.polynomial import equal, polynomial
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.evaluation import evaluate, int_if_whole
from symparam.core.formula import Formula, Number, write
from symparam.core.frozen import frozen
from symparam.core.notation import LATEX, UNICODE, Notation
from symparam.models.blocks import Architecture, Module
from symparam.models.blocks.architecture import Place


@frozen
class ModuleDifference:
    """A module that only one of the two has, or that differs in size: its path, its class, and the difference (second minus first).

    ``formula`` is the difference of all its ``copies`` together, ``each`` that of a single one; ``role`` is the key of its title.
    """

    path: str
    kind: str
    formula: Formula
    each: Formula
    copies: Formula
    role: str | None = None


@frozen
class PartDifference:
    """The totals of all blocks of a group in both architectures, and the difference (second minus first).

    ``ratio`` is the second divided by the first, where the first is not zero. ``equal_where`` is a pair of formulas: the parts are equal in
    size where these two are equal, which may be nowhere. It is None where the parts are always equal, or one is always larger. ``roles``
    are the blocks of the group by their roles, if there are several, and ``role`` and ``kind`` those of such a block. ``paths`` are the
    paths of the blocks in each architecture, unless ``roles`` have them.
    """

    group: str
    first: Formula
    second: Formula
    difference: Formula
    ratio: Formula | None
    equal_where: tuple[Formula, Formula] | None
    role: str = ""
    kind: str = ""
    roles: tuple[PartDifference, ...] = ()
    paths: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@frozen
class Comparison:
    """The comparison of two architectures. ``difference`` is the second minus the first; ``modules`` add up to it."""

    first: Architecture
    second: Architecture
    difference: Formula
    modules: tuple[ModuleDifference, ...]
    alphabet: Alphabet = STANDARD
    parts: tuple[PartDifference, ...] = ()

    def __str__(self) -> str:
        notation = UNICODE.using(self.alphabet)
        lines = [write(self.difference, notation)]
        for module in self.modules:
            each, copies = write(module.each, notation), write(module.copies, notation)
            times = "" if module.copies == Number(1) else f", {each} in each of {copies}"
            lines.append(f"  {write(module.formula, notation)}: {module.path} ({module.kind}){times}")
        return "\n".join(lines)

    @property
    def has_other_names(self) -> bool:
        """Whether blocks for the same purpose have other names in the second architecture, so that paths do not pair them."""
        roles = [each for part in self.parts for each in part.roles or (part,)]
        return any(all(each.paths) and set(each.paths[0]).isdisjoint(each.paths[1]) for each in roles)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {write(self.difference, LATEX.using(self.alphabet))}$"


@frozen
class NumberDifference:
    """The numbers of a part, or of the modules of one role, in two models with values."""

    part: PartDifference
    first: int | Fraction
    second: int | Fraction

    @property
    def difference(self) -> int | Fraction:
        return int_if_whole(self.second - self.first)


def number_differences(found: Comparison, first: Count, second: Count) -> tuple[NumberDifference, ...]:
    """The numbers that differ between two models, in the parts and roles by which their formulas are aligned."""
    roles = [role for part in found.parts for role in part.roles or (part,)]
    numbers = ((role, evaluate(role.first.expr, first.values), evaluate(role.second.expr, second.values)) for role in roles)
    return tuple(NumberDifference(role, one, other) for role, one, other in numbers if one != other)


ALL_PARAMETERS = PARAMETERS["parameters"]


def compare(
    first: Architecture,
    second: Architecture,
    alphabet: Alphabet = STANDARD,
    measures: tuple[Measure, Measure] = (ALL_PARAMETERS, ALL_PARAMETERS),
) -> Comparison:
    """The difference of two architectures, second minus first, as a formula and module by module.

    Modules are paired by path. Modules that only one side has are paired by role (or name) and size, since a module that has merely moved
    is no difference. The rest, and those that differ in size, are listed. ``measures`` say what is counted in each; the two may be the same
    architecture, counted in two ways. Raises `ArchitectureError` where the alphabet would write two letters alike.
    """
    notation = UNICODE.using(alphabet)
    pair = zip((first, second), measures, strict=True)
    counts = [{place.path: (place, place.copies * measure.of_block(place)) for place in each.places()} for each, measure in pair]
    modules = tuple(
        ModuleDifference(
            path or module.kind,
            module.kind,
            difference_of(difference, notation),
            difference_of(difference / copies, notation),
            by_symbol(copies, notation=notation),
            module.role,
        )
        for path, module, difference, copies in _without_moves(list(_differences(*counts)))
    )
    total = sympy.Add(*(own for _, own in counts[1].values())) - sympy.Add(*(own for _, own in counts[0].values()))
    difference = difference_of(total, notation)
    parts = tuple(_parts(first, second, measures, notation))
    alphabet.check(sorted(difference.letters.union(*(module.formula.letters | module.copies.letters for module in modules))))
    return Comparison(first, second, difference, modules, alphabet, parts)


_JOINED = {
    "query-key-value": ("query", "key", "value"),
    "feed-forward-gate-and-in": ("feed-forward-gate", "feed-forward-in"),
    "experts": ("feed-forward-gate", "feed-forward-in", "feed-forward-out"),
}
"""Maps that are one in some models, and several in others."""

Sides = tuple[tuple[sympy.Expr, sympy.Expr], tuple[tuple[str, ...], tuple[str, ...]]]
"""The sizes of a role in both architectures, and the paths of its blocks."""


def _parts(first: Architecture, second: Architecture, measures: tuple[Measure, Measure], notation: Notation) -> Iterator[PartDifference]:
    pair = tuple(zip((first, second), measures, strict=True))
    before, after = (by_group(each, measure.of_block) for each, measure in pair)
    found = _aligned([(by_role(each, measure.of_block), paths_by_role(each, measure.of_block)) for each, measure in pair])
    for group in {**before, **after}:
        own = [replace(_difference(*role, *sizes, notation), paths=paths) for role, (sizes, paths) in found.items() if role[0] == group]
        yield replace(
            _difference(group, "", "", before.get(group, sympy.S.Zero), after.get(group, sympy.S.Zero), notation),
            roles=tuple(own) if len(own) > 1 else (),
            paths=own[0].paths if len(own) == 1 else ((), ()),
        )


def _aligned(measured: Sequence[tuple[dict[Role, sympy.Expr], dict[Role, tuple[str, ...]]]]) -> dict[Role, Sides]:
    """Both sides of each role; where one model joins several maps, those of the other are added up."""
    pair: list[dict[tuple[str, str], tuple[str, sympy.Expr, tuple[str, ...]]]] = []
    for sizes, paths in measured:
        found: dict[tuple[str, str], tuple[str, sympy.Expr, tuple[str, ...]]] = {}
        for (group, name, kind), size in sizes.items():
            _, before, named = found.get((group, name), (kind, sympy.S.Zero, ()))
            found[group, name] = kind, before + size, (*named, *paths[group, name, kind])
        pair.append(found)
    for joined, several in _JOINED.items():
        for one, other in (pair, pair[::-1]):
            for group, role in [key for key in one if key[1] == joined and key not in other]:
                if inside := [other.pop((group, each)) for each in several if (group, each) in other and (group, each) not in one]:
                    added = sympy.Add(*(size for _, size, _ in inside))
                    other[group, role] = inside[0][0], added, tuple(path for _, _, paths in inside for path in paths)
    none = "", sympy.S.Zero, tuple[str, ...]()
    aligned: dict[Role, Sides] = {}
    for key in {**pair[0], **pair[1]}:
        (one_kind, one, paths_of_one), (other_kind, other, paths_of_other) = (each.get(key, none) for each in pair)
        is_norm = "Norm" in one_kind and "Norm" in other_kind and one_kind != other_kind
        aligned[*key, "Norm" if is_norm else one_kind or other_kind] = (one, other), (paths_of_one, paths_of_other)
    return aligned


def _difference(group: str, role: str, kind: str, one: sympy.Expr, other: sympy.Expr, notation: Notation) -> PartDifference:
    terms = polynomial(other - one)
    signs = {value > 0 for value in terms.terms.values()} if terms is not None else set()
    return PartDifference(
        group,
        readable(one, notation=notation),
        readable(other, notation=notation),
        difference_of(other - one, notation),
        ratio(other, one, notation) if one != 0 else None,
        sides(terms, notation) if terms is not None and len(signs) == 2 else None,
        role,
        kind,
    )


Difference = tuple[str, Module, sympy.Expr, sympy.Expr]
"""A path, the module there, the difference (second minus first), and the number of copies."""


def _differences(first: dict[str, tuple[Place, sympy.Expr]], second: dict[str, tuple[Place, sympy.Expr]]) -> Iterator[Difference]:
    for path in {**first, **second}:
        places = [place for place, _ in (each[path] for each in (first, second) if path in each)]
        before, after = (each[path][1] if path in each else sympy.S.Zero for each in (first, second))
        if not equal(after, before):
            # With different numbers of copies, the difference cannot be attributed to single copies.
            copies = places[-1].copies if equal(places[0].copies, places[-1].copies) else sympy.S.One
            yield path, places[-1].module, after - before, copies


def _without_moves(found: list[Difference]) -> list[Difference]:
    """The differences without pairs that cancel: the same module missing in one place and added in another."""
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

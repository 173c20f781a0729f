"""Finds listed formulas that a later formula adds up: ``4d²`` and ``8d²`` to ``12d²``, or to ``12d²L + 2Vd`` with the embeddings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations, islice

import sympy

from symparam.core.algebra.polynomial import equal, polynomial
from symparam.core.dimensions import symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Product, Symbol
from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.errors import ArchitectureError, FormulaError

KEPT = 12  # Earlier formulas that are kept; some are not terms, such as the shape of a matrix.
MOST_TERMS = 6  # Earlier formulas that are tried; more could add up to nearly anything.
_PROBES = (10_007, 10_037, 10_061, 10_079, 10_103, 10_139, 10_163, 10_181)  # Values for letters: formulas that differ there are not equal.


@frozen
class FormulaSum:
    """Formulas of the document whose sum is another formula of it."""

    terms: tuple[Expression, ...]
    total: Expression

    @property
    def is_plain(self) -> bool:
        """Whether all are multiples of one letter, ``1T + 2T = 3T``, as numbers with a unit may look."""
        return all(_is_multiple(each.formula) for each in (*self.terms, self.total))


def _is_multiple(formula: Formula) -> bool:
    return isinstance(formula, Symbol) or (isinstance(formula, Product) and [type(each) for each in formula.factors] == [Number, Symbol])


def formula_sum(total: Expression, before: Sequence[Expression], knowledge: Knowledge) -> FormulaSum | None:
    """The last formulas that add up to the total, some of them possibly multiplied by one of its letters; proven, not sampled."""
    terms = [each for each in before if not each.unknown and not each.is_name and each.formula != total.formula]
    letters = sorted(total.letters.union(*(each.letters for each in terms)))
    if total.unknown or total.is_word or all(each.is_word for each in terms) or len(letters) > len(_PROBES):
        return None
    values = dict(zip(letters, _PROBES, strict=False))
    goal = _whole(total, values)
    valued = ((term, size) for term in reversed(terms) if (size := _whole(term, values)) is not None)
    last = list(islice(valued, MOST_TERMS))[::-1] if goal is not None else []
    if goal is None or len(last) < 2:
        return None
    terms, sizes = [term for term, _ in last], [size for _, size in last]
    try:
        for chosen in _groups(len(terms)):
            inside = frozenset[str]().union(*(terms[index].letters for index in chosen))
            for letter, times in _factors(goal, [sizes[index] for index in chosen], values, total.letters - inside):
                meaning = knowledge.meaning(in_numbers(total), False)
                if chosen != tuple(range(chosen[0], len(terms))) and _is_single(meaning):
                    return None
                factor = symbol(letter) if letter else sympy.S.One
                parts = [knowledge.meaning(in_numbers(terms[index]), False) for index in chosen]
                together = sympy.Add(*(part * factor if by else part for part, by in zip(parts, times, strict=True)))
                if equal(meaning, together):
                    return FormulaSum(tuple(terms[index] for index in chosen), total)
    except (FormulaError, ArchitectureError):
        pass
    return None


def _is_single(meaning: sympy.Expr) -> bool:
    """Whether a total has one term, ``18sbh``: some of ``2sbh``, ``8sbh`` and others will add up to it by chance."""
    found = polynomial(meaning)
    return found is not None and len(found.terms) == 1


def _whole(side: Expression, values: Mapping[str, int]) -> int | None:
    """The value of the formula if it is a whole number, as sums of parameters are; None for others, such as the shape ``R^{d × d}``."""
    try:
        value = evaluate(in_numbers(side), values)
    except FormulaError:
        return None
    return value if isinstance(value, int) else None


def _groups(count: int) -> Iterator[tuple[int, ...]]:
    """Groups of two or more terms: the last ones first, then any others, the largest first and in the order of the page."""
    last = [tuple(range(first, count)) for first in range(count - 2, -1, -1)]
    yield from last
    for size in range(count - 1, 1, -1):
        yield from (each for each in combinations(range(count), size) if each not in last)


Factors = tuple[str, tuple[bool, ...]]
"""A letter, and for each term whether it is multiplied by the letter."""


def _factors(goal: int, sizes: Sequence[int], values: Mapping[str, int], copies: Set[str]) -> Iterator[Factors]:
    """The factors with which the sizes add up to the goal: one, or for some of them a letter that counts copies."""
    if sum(sizes) == goal:
        yield "", (False,) * len(sizes)
    for letter in sorted(copies):
        # The layers are first or last in a list; both are tried.
        for split in range(1, len(sizes) + 1):
            first, last = sum(sizes[:split]), sum(sizes[split:])
            if values[letter] * first + last == goal:
                yield letter, (True,) * split + (False,) * (len(sizes) - split)
            if first + values[letter] * last == goal:
                yield letter, (False,) * split + (True,) * (len(sizes) - split)

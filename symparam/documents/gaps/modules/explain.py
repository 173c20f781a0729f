"""Explains the gap between an author's total and the architecture's, module by module.

The parts of the total are read first, if they are known; otherwise, or if they are not conclusive, the search looks for a few simple
changes that together make up the gap. If neither succeeds, the gap stays a number without an explanation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import or_

import sympy

from symparam.analysis.counting import times_copies
from symparam.core.algebra.closed_form import by_symbol, expanded
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import H, d, h, symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, number
from symparam.core.frozen import cached_property, frozen
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.gaps.modules.change_messages import change_message
from symparam.documents.gaps.modules.gap_search import NUMERIC, SYMBOLIC, ChangeChoice, Limits, change_choices, first_item, gap_explanations
from symparam.documents.gaps.modules.inventory import Amount, Inventory, Mask, Status
from symparam.documents.gaps.modules.subsets import Subset, subsets
from symparam.documents.gaps.modules.tensor_changes import ChangeCandidate, TensorChange, change_candidates
from symparam.documents.gaps.modules.total_terms import MAX_PARTS, PlacedCause, TotalReader, TotalReading, TotalTerm, single_choice
from symparam.models.resolution import Resolved

MAX_OTHERS = 5
MAX_CAUSES = 8  # With more changes it is not a mistake but another model.
FARTHER = 4  # The largest difference in cost between a further explanation and the first one.
WAYS = 16  # Readings of the parts among which the one with the simplest remainder is chosen.

Pieces = tuple[PlacedCause, ...]


def explain_total(chosen: Resolved, stated: int | Fraction, parts: Sequence[TotalTerm] = ()) -> Gap:
    """Why the author's number is not the architecture's at the chosen values: ``stated − right``, and the causes that make it up.

    ``parts`` are the terms of the author's total. If a letter has no value, the gap has neither value nor causes.
    """
    inventory = Inventory(chosen.model.architecture.map_sizes(chosen.symbolic.substitute), chosen.model.values)
    if not inventory.letters <= inventory.values.keys():
        return Gap(None)
    right = inventory.amount(inventory.of_status(Status.COUNTED))
    gap = _plain(Fraction(stated) - right)
    found = _Explainer(inventory, gap, NUMERIC).explained([(part, _number_of(part, inventory)) for part in parts])
    return _or_slip(_gap(gap, None, found, lambda piece: piece.value), right, stated)


def explain_part(chosen: Resolved, stated: int | Fraction, blocks: frozenset[str]) -> Gap:
    """`explain_total` for a part of the architecture: the blocks that hold the tensors in ``blocks``."""
    architecture = chosen.model.architecture.map_sizes(chosen.symbolic.substitute)
    inventory = Inventory(architecture, chosen.model.values, within_blocks=blocks)
    right = inventory.amount(inventory.of_status(Status.COUNTED))
    gap = _plain(Fraction(stated) - right)
    return _or_slip(_gap(gap, None, _Explainer(inventory, gap, NUMERIC).explained(()), lambda piece: piece.value), right, stated)


def _or_slip(gap: Gap, right: Amount, stated: Amount) -> Gap:
    """The gap, explained by a slip of the pen if no module explains it."""
    is_number = gap.value and not gap.explained_by and stated.denominator == 1
    slip = digit_slip(right, stated) if is_number else None
    return gap if slip is None else replace(gap, explained_by=(Cause(slip, gap.value),))


def explain_formula(chosen: Resolved, stated: Formula, parts: Sequence[TotalTerm] = (), blocks: frozenset[str] | None = None) -> Gap:
    """Why the author's formula is not the architecture's: their difference as a formula, and the modules that it consists of.

    The chosen relations are substituted into both, and also those by which the reference derives a size that the author does not mention,
    such as ``I = 4H``. With ``blocks`` it is about the part that holds these. ``values`` are those of the model, or None if it has none; if
    only they explain the gap, its causes are numbers.
    """
    substitution = substitution_for(chosen, stated.letters.union(*(part.formula.letters for part in parts if part.formula)))
    meaning = substitution(stated.expr)
    terms = [replace(part, formula=(own := _formula_of(part)) and expanded(substitution(own.expr))) for part in parts]
    inventory = Inventory(chosen.model.architecture.map_sizes(substitution), {}, symbolic=True, within_blocks=blocks)
    inventory = inventory.with_points([meaning, *(term.formula.expr for term in terms if term.formula)])
    difference = meaning - inventory.size(inventory.of_status(Status.COUNTED))
    values = chosen.model.values
    gap = _at(difference, values)
    amounts = [(term, _at(term.formula.expr, inventory.values) if term.formula else None) for term in terms]
    found = [
        pieces
        for pieces in _Explainer(inventory, inventory.value(difference), SYMBOLIC).explained(amounts)
        # With the model's values, 4H instead of I may be right.
        if all(piece.size is not None and (gap == 0 or _at(piece.size, values) != 0) for piece in pieces)
        and equal(sympy.Add(*(piece.size for piece in pieces)), difference)
    ]
    number_stated = _at(meaning, values)
    if not found and number_stated is not None:
        numeric = explain_total(chosen, number_stated, parts)
        return replace(numeric, formula=by_symbol(difference))
    # If the numbers agree by chance, only the letters show the difference.
    return _gap(gap, by_symbol(difference), found, lambda piece: _at(piece.size, values) if gap else None)


def substitution_for(chosen: Resolved, spoken_of: frozenset[str]) -> Callable[[sympy.Expr], sympy.Expr]:
    """A function that substitutes the relations that hold into an expression: the chosen ones, and those of sizes that the author does not
    mention.
    """
    derived = {symbol(letter): formula.expr for letter, formula in chosen.model.derived.items() if letter not in spoken_of}
    if "d" not in chosen.model.architecture.letters:
        derived[d] = H / h  # Its heads divide the hidden size.

    def substitution(expression: sympy.Expr) -> sympy.Expr:
        return chosen.symbolic.substitute(chosen.symbolic.substitute(expression).xreplace(derived))

    return substitution


@frozen
class _Explainer:
    """Explains one gap, from the parts of the author's total and by a search."""

    inventory: Inventory
    gap: Amount
    limits: Limits

    @cached_property
    def _subsets(self) -> list[Subset]:
        return subsets(self.inventory)

    @cached_property
    def _candidates(self) -> list[ChangeCandidate]:
        return change_candidates(self.inventory)

    def explained(self, parts: Sequence[tuple[TotalTerm, Amount | None]]) -> list[Pieces]:
        """The explanations of the gap, the most plausible first."""
        if not self.gap:
            return []
        known = [(part, amount) for part, amount in parts if amount is not None]
        by_parts, complete = self._by_parts(known) if 0 < len(parts) <= MAX_PARTS and len(known) == len(parts) else ((), False)
        searched = self._searched()
        first = [by_parts] if by_parts and (complete or not searched) else []
        return [*first, *(pieces for pieces in searched if {piece.reason for piece in pieces} != {piece.reason for piece in by_parts})]

    def _searched(self) -> list[Pieces]:
        hits = gap_explanations(self.gap, change_choices(self._candidates), self.limits)
        near = [hit for hit in hits if hit.cost <= hits[0].cost + FARTHER and len(hit.causes) <= len(hits[0].causes)]
        return [self._told(hit.causes) for hit in near[: MAX_OTHERS + 1]]

    def _told(self, causes: Iterable[tuple[ChangeChoice, int]], missing: Mask = 0) -> Pieces:
        made = list(causes)
        for choice, times in made:
            if choice.change is TensorChange.MISSING:
                missing = sum(candidate.mask for candidate in choice.candidates[:times]) | missing
        return tuple(_piece(choice, times, missing) for choice, times in made)

    def _by_parts(self, parts: Sequence[tuple[TotalTerm, Amount]]) -> tuple[Pieces, bool]:
        """The explanations from the parts, and whether all parts were understood; nothing if half of them were not."""
        reader = TotalReader(self.inventory, self._subsets, self._candidates)
        ways = [(readings, self._left_out(readings)) for readings in reader.read(parts)[:WAYS]]
        readings, left_out = min(ways, key=lambda way: way[0].cost + _cost(way[1]))
        missing = [(single_choice(candidate), 1) for candidate in left_out]
        without = self.inventory.of_status(Status.COUNTED) & ~readings.counted
        pieces = (*self._told([*missing, *self._together(readings.surplus)], without), *readings.pieces)
        adding_up = self.gap - sum((piece.value for piece in pieces), Fraction(0))
        complete = not readings.unread and not adding_up
        if adding_up or 2 * readings.unread > len(parts) or len(pieces) > MAX_CAUSES:
            return (), False
        return tuple(sorted(pieces, key=lambda piece: piece.place)), complete

    def _together(self, surplus: Sequence[tuple[ChangeChoice, int]]) -> list[tuple[ChangeChoice, int]]:
        """The pieces with equal changes merged into one: two layers fewer instead of two attentions and two feed-forward parts fewer."""
        alike: dict[Hashable, list[tuple[ChangeChoice, int]]] = {}
        for choice, times in surplus:
            first = choice.candidates[0]
            alike.setdefault((first.count, first.subset.place.copies) if choice.change is TensorChange.TIMES else choice, []).append(
                (choice, times)
            )
        whole = {subset.mask: subset for subset in self._subsets}
        found: list[tuple[ChangeChoice, int]] = []
        for several in alike.values():
            first = several[0][0].candidates[0]
            subset = whole.get(reduce(or_, (choice.candidates[0].mask for choice, _ in several)))
            if len(several) > 1 and subset is not None:
                several = [(single_choice(replace(first, subset=subset)), 1)]
            found += several
        return found

    def _left_out(self, readings: TotalReading) -> list[ChangeCandidate]:
        """The modules that no part counts, in the fewest and simplest terms that are found."""
        rest = self.inventory.of_status(Status.COUNTED) & ~readings.counted
        inside = [candidate for candidate in self._by_simplicity if not candidate.mask & ~rest]
        best = _cover(rest, inside)
        while True:
            # Taking the simplest first is not always simplest overall: "all biases" may leave only the weight of the pooler.
            trials = [_cover(rest, [each for each in inside if each is not left]) for left in best]
            better = min((trial for trial in trials if trial), key=_cost, default=best)
            if _cost(better) >= _cost(best):
                return best
            inside = [each for each in inside if each not in best or each in better]
            best = better

    @cached_property
    def _by_simplicity(self) -> list[ChangeCandidate]:
        missing = [candidate for candidate in self._candidates if candidate.change is TensorChange.MISSING]
        return sorted(missing, key=lambda candidate: (candidate.cost, -candidate.mask.bit_count()))


def _cover(rest: Mask, candidates: Sequence[ChangeCandidate]) -> list[ChangeCandidate]:
    """Candidates that together make up the set, chosen greedily; none if something remains."""
    found = []
    for candidate in candidates:
        if not candidate.mask & ~rest:
            found.append(candidate)
            rest &= ~candidate.mask
    return [] if rest else found


def _cost(candidates: Sequence[ChangeCandidate]) -> int:
    return sum(candidate.cost + 1 for candidate in candidates)


def _piece(choice: ChangeChoice, times: int, missing: Mask) -> PlacedCause:
    first = choice.candidates[0]
    formula = times_copies(Number(times), first.formula)
    return PlacedCause(change_message(choice, times, missing), choice.value * times, first.size * times, formula, first_item(first.mask))


def _gap(value: Amount | None, formula: Formula | None, found: Sequence[Pieces], value_of: Callable[[PlacedCause], Amount | None]) -> Gap:
    told = [tuple(Cause(piece.reason, value_of(piece), piece.formula) for piece in pieces) for pieces in found]
    return Gap(value, formula, told[0] if told else (), tuple(told[1 : MAX_OTHERS + 1]))


def _formula_of(part: TotalTerm) -> Formula | None:
    return part.formula or (number(part.value) if part.value is not None else None)


def _number_of(part: TotalTerm, inventory: Inventory) -> Amount | None:
    if part.value is not None or part.formula is None:
        return part.value
    return _at(part.formula.expr, inventory.values)


def _at(size: sympy.Expr | None, values: Mapping[str, Amount]) -> Amount | None:
    """The value of an expression, if all its letters have values."""
    if size is None or not {str(letter) for letter in size.free_symbols} <= values.keys():
        return None
    return evaluate(expanded(size), values)


def _plain(value: Fraction) -> Amount:
    return value.numerator if value.denominator == 1 else value

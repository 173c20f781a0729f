"""Reads the terms of an author's total, and compares each with the modules that it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import sympy

from symparam.core.algebra.closed_form import by_symbol, expanded
from symparam.core.algebra.polynomial import expression_of, polynomial
from symparam.core.dimensions import symbol
from symparam.core.formula import Formula, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Argument, Message, message
from symparam.documents.gaps.modules.change_messages import change_message, modules_in_message
from symparam.documents.gaps.modules.gap_search import ChangeChoice, change_choices, first_item, gap_explanations
from symparam.documents.gaps.modules.inventory import Amount, Inventory, Mask, Status, indexes
from symparam.documents.gaps.modules.subsets import BIASES, WHOLE, Subset, layer_subsets
from symparam.documents.gaps.modules.tensor_changes import ChangeCandidate, TensorChange, wrong_counts
from symparam.documents.gaps.modules.topics import topics_of_label
from symparam.errors import shorten

MAX_PARTS = 40
BEAM = 64  # Readings of the parts so far that are pursued.
WITHIN_A_PART: Mapping[int, int] = {1: 4, 2: 5}
NEAR = Fraction(1, 2)  # Fraction of the size of a block within which a number is an attempt at it.
LEAST_FACTOR = 100  # Being a multiple of a smaller number is not significant.
DIFFERENT, UNREAD = 12, 14  # The cost of a part that is not the size of its module, and of one that is not the size of any.

_DIFFER = frozenset("VPT")  # Sizes that people take from another release of the model; they do not do so with widths.


@frozen
class TotalTerm:
    """One term of the author's total: the words beside it in any language, its number or formula, and its place."""

    label: str
    value: int | None
    formula: Formula | None = None
    line: int = 0


@frozen
class PlacedCause:
    """A cause with its value and its position in the order of the model.

    ``size`` is the value as a formula, ``formula`` the way people write it, without a sign; both are missing if the author's own numbers
    are involved.
    """

    reason: Message
    value: Amount
    size: sympy.Expr | None
    formula: Formula | None
    place: int


@frozen
class TermReading:
    """A reading of a part: the items that it counts as the model does, what it counts too often or too rarely, and how certain that is.

    ``surplus`` are changes to modules, ``pieces`` are causes in terms of the part itself.
    """

    covered: Mask
    cost: int
    surplus: tuple[tuple[ChangeChoice, int], ...] = ()
    pieces: tuple[PlacedCause, ...] = ()


@frozen
class TotalReading:
    """A reading of all parts. ``counted`` is what the author counts, ``unread`` the number of parts that match no module."""

    cost: int = 0
    counted: Mask = 0
    surplus: tuple[tuple[ChangeChoice, int], ...] = ()
    pieces: tuple[PlacedCause, ...] = ()
    unread: int = 0

    def combined_with(self, reading: TermReading) -> TotalReading:
        return TotalReading(
            self.cost + reading.cost,
            self.counted | reading.covered,
            (*self.surplus, *reading.surplus),
            (*self.pieces, *reading.pieces),
            self.unread + (reading.cost >= DIFFERENT),
        )


@frozen
class TotalReader:
    """Reads parts with the help of an inventory, its subsets and the possible changes to them."""

    inventory: Inventory
    subsets: Sequence[Subset]
    candidates: Sequence[ChangeCandidate]

    def read(self, parts: Sequence[tuple[TotalTerm, Amount]]) -> list[TotalReading]:
        """The best readings of all parts as disjoint sets of modules, the most certain first."""
        states = [TotalReading()]
        for part, amount in parts:
            if amount == 0:
                continue
            found, again = [*self._readings(part, amount)], self._again(part, amount)
            following = [state.combined_with(reading) for state in states for reading in found if not reading.covered & state.counted]
            following += [state.combined_with(reading) for state in states for mask, reading in again if not mask & ~state.counted]
            states = sorted(following, key=lambda state: state.cost)[:BEAM]
        return states

    @cached_property
    def _counted(self) -> Mask:
        return self.inventory.of_status(Status.COUNTED)

    @cached_property
    def _topics(self) -> list[str]:
        return [item.topic for item in self.inventory.items]

    def _topics_in(self, mask: Mask) -> frozenset[str]:
        return frozenset(topic for index, topic in enumerate(self._topics) if mask >> index & 1)

    def _misfit(self, wanted: frozenset[str], mask: Mask) -> int:
        """How badly a set of items fits what a label says."""
        found = self._topics_in(mask)
        if not wanted:
            return 1
        if not wanted & found:
            return 6
        return 0 if wanted == found else 1 if wanted < found or found < wanted else 2

    def _wanted(self, part: TotalTerm) -> frozenset[str]:
        return topics_of_label(part.label) & frozenset(self._topics)

    def _readings(self, part: TotalTerm, amount: Amount) -> Iterator[TermReading]:
        wanted = self._wanted(part)
        yield from self._exact(amount, wanted)
        yield from self._in_other_numbers(amount, wanted)
        for group in self._groups(amount, wanted):
            yield from self._nearly(amount, group, wanted)
            yield from self._different(part, amount, group, wanted)
        if wanted:
            yield from self._other_sizes(amount, self._of_topics(wanted))
        missing = not self.inventory.symbolic and amount < 0
        alike = next((each for each in self.subsets if self.inventory.amount(each.mask) == amount), None)
        if alike:
            kind = "missing-part-as-large" if missing else "surplus-part-as-large"
            why = message(kind, part=_stated(part), modules=(modules_in_message(alike, self.inventory),))
        else:
            why = message("missing-part" if missing else "surplus-part", part=_stated(part))
        piece = PlacedCause(why, amount, *self._own_size(part), place=1 << 30)
        yield TermReading(0, UNREAD, pieces=(piece,))

    def _of_topics(self, wanted: frozenset[str]) -> Mask:
        return sum(1 << index for index, topic in enumerate(self._topics) if topic in wanted)

    def _groups(self, amount: Amount, wanted: frozenset[str]) -> list[Mask]:
        """The sets that a part may mean although the sizes differ: those that its label names, and blocks of the layers of nearly the same
        size.
        """
        found = {self._of_topics(wanted) & self._counted: self._of_topics(wanted)} if wanted else {}
        blocks = [] if self.inventory.symbolic else [each for each in self.subsets if each.kind is WHOLE and each.is_repeated_block]
        off = {block: abs(Fraction(amount) / self.inventory.amount(block.mask) - 1) for block in blocks}
        for block in sorted((each for each in blocks if off[each] <= NEAR), key=lambda each: off[each]):
            if not wanted or self._topics_in(block.mask) <= wanted:
                found.setdefault(block.mask, block.scope.mask)
        return list(found.values())

    def _own_size(self, part: TotalTerm) -> tuple[sympy.Expr | None, Formula | None]:
        return (part.formula.expr, part.formula) if part.formula and self.inventory.symbolic else (None, None)

    def _exact(self, amount: Amount, wanted: frozenset[str]) -> Iterator[TermReading]:
        """Readings as a set of tensors of exactly that size, in the right number of copies or in another."""
        for reading in self._by_amount.get(amount, ()):
            yield replace(reading, cost=reading.cost + self._misfit(wanted, reading.covered))

    @cached_property
    def _by_amount(self) -> dict[Amount, list[TermReading]]:
        found: dict[Amount, list[TermReading]] = {}
        for subset in self.subsets:
            found.setdefault(self.inventory.amount(subset.mask), []).append(TermReading(subset.mask, subset.cost))
        tables = sum(1 << index for index in indexes(self._counted) if self.inventory.items[index].is_table)
        found.setdefault(self.inventory.amount(tables), []).append(TermReading(tables, 2))
        for candidate in self.candidates:
            if candidate.change in (TensorChange.TWICE, TensorChange.SURPLUS):
                counted = 0 if candidate.change is TensorChange.SURPLUS else self.inventory.amount(candidate.mask)
                reading = TermReading(candidate.mask, candidate.cost, ((single_choice(candidate), 1),))
                found.setdefault(counted + candidate.value, []).append(reading)
        return found

    def _in_other_numbers(self, amount: Amount, wanted: frozenset[str]) -> Iterator[TermReading]:
        """Readings as a wrong number of copies of a set of tensors: any number of layers, and of what the label names."""
        for subset in (*(each for each in self.subsets if not each.is_layers), *layer_subsets(self.inventory)):
            of_one = Fraction(self.inventory.amount(subset.mask)) / self.inventory.value(subset.place.copies)
            if subset.place.copies == 1 or amount % of_one or not (subset.kind.whole_modules or subset.kind is BIASES):
                continue
            called = subset.is_layers or bool(wanted & self._topics_in(subset.mask))
            count = next((each for each in wrong_counts(self.inventory, subset) if self.inventory.value(each) * of_one == amount), None)
            if count == 1 or (count is not None and called):
                candidate = ChangeCandidate(TensorChange.TIMES, subset, self.inventory, count)
                yield TermReading(subset.mask, candidate.cost + self._misfit(wanted, subset.mask), ((single_choice(candidate), 1),))

    def _again(self, part: TotalTerm, amount: Amount) -> list[tuple[Mask, TermReading]]:
        """Readings as sets of tensors of that size which an earlier part may have counted already."""
        wanted = self._wanted(part)
        twice = [each for each in self.candidates if each.change is TensorChange.TWICE and each.value == amount]
        return [(each.mask, TermReading(0, each.cost + self._misfit(wanted, each.mask), ((single_choice(each), 1),))) for each in twice]

    def _nearly(self, amount: Amount, group: Mask, wanted: frozenset[str]) -> Iterator[TermReading]:
        """Readings as all that the label names, with one or two changes inside."""
        whole = group & self._counted
        if self.inventory.amount(whole) == amount:
            yield TermReading(whole, 2 + self._misfit(wanted, whole))
        inside = [each for each in self.candidates if not each.mask & ~group and each.mask != whole]
        gap = amount - self.inventory.amount(whole)
        for explanation in gap_explanations(gap, change_choices(inside), WITHIN_A_PART)[:3]:
            missing = 0
            kept = []
            for choice, times in explanation.causes:
                if choice.change is TensorChange.MISSING and len(choice.candidates) == 1:
                    missing |= choice.candidates[0].mask  # Not covered here, so that it is reported together with what else is missing.
                else:
                    kept.append((choice, times))
            if whole & ~missing:
                yield TermReading(whole & ~missing, 2 + self._misfit(wanted, whole) + explanation.cost, tuple(kept))

    def _other_sizes(self, amount: Amount, group: Mask) -> Iterator[TermReading]:
        """Readings as a module that the label names with another value of a letter: a vocabulary of 40,000 for 40,478."""
        if self.inventory.symbolic:
            return
        for subset in self.subsets:
            if not subset.mask & ~group:
                for letter, stated in self._other_letters(amount, subset.mask):
                    less = amount - self.inventory.amount(subset.mask)
                    kind = "surplus-counted-with" if less > 0 else "missing-counted-with"
                    why = message(kind, modules=(modules_in_message(subset, self.inventory),), **self._with_letter(letter, stated))
                    size = self.inventory.size(subset.mask)
                    difference = size.xreplace({symbol(letter): stated}) - size.xreplace({symbol(letter): self.inventory.values[letter]})
                    shown = by_symbol(difference if less > 0 else -difference)
                    yield TermReading(subset.mask, 5, pieces=(PlacedCause(why, less, difference, shown, first_item(subset.mask)),))
        for candidate in self.candidates:
            if candidate.change is TensorChange.SURPLUS and not candidate.mask & ~group:
                for letter, stated in self._other_letters(amount, candidate.mask):
                    size = self.inventory.size(candidate.mask).xreplace({symbol(letter): stated})
                    surplus = change_message(single_choice(candidate), missing=self._counted)
                    why = message("counted-with", reason=surplus, **self._with_letter(letter, stated))
                    cause = PlacedCause(why, amount, size, expanded(size), first_item(candidate.mask))
                    yield TermReading(candidate.mask, 5, pieces=(cause,))

    def _with_letter(self, letter: str, stated: sympy.Integer) -> dict[str, Argument]:
        """The letter with the author's number and the model's."""
        return {"letter": Symbol(letter), "stated": int(stated), "own": self.inventory.values[letter]}

    def _other_letters(self, amount: Amount, mask: Mask) -> Iterator[tuple[str, sympy.Integer]]:
        """The letters for which another number of the same order gives a set of tensors exactly that size."""
        size = self.inventory.size(mask)
        terms = polynomial(size)
        for letter in sorted(terms.letters if terms else ()):
            powers = terms.by_powers(letter) if terms else {}
            if not powers.keys() <= {0, 1} or letter not in _DIFFER:
                continue
            value = self.inventory.values[letter]
            each, rest = (self.inventory.value(expression_of(powers[power])) if power in powers else 0 for power in (1, 0))
            stated = (amount - rest) / Fraction(each)
            if each >= LEAST_FACTOR and stated.denominator == 1 and stated != value and value < 4 * stated < 16 * value:
                yield letter, sympy.Integer(stated.numerator)

    def _different(self, part: TotalTerm, amount: Amount, group: Mask, wanted: frozenset[str]) -> Iterator[TermReading]:
        """The reading as all that the label names, with an unexplained difference in size."""
        whole = group & self._counted
        subset = next((each for each in self.subsets if each.mask == whole), None)
        if subset is None:
            return
        less = amount - self.inventory.amount(whole)
        own, _ = self._own_size(part)
        size = own - self.inventory.size(whole) if own is not None else None
        of = (modules_in_message(subset, self.inventory),)
        if self.inventory.symbolic:
            why = message("part-of-another-size", part=_stated(part), modules=of, size=self.inventory.formula(whole))
        else:
            kind = "surplus-part-larger" if less > 0 else "missing-part-smaller"
            why = message(kind, part=_stated(part), modules=of, difference=abs(less), size=self.inventory.amount(whole))
        yield TermReading(whole, DIFFERENT + self._misfit(wanted, whole), pieces=(PlacedCause(why, less, size, None, first_item(whole)),))


def single_choice(candidate: ChangeCandidate) -> ChangeChoice:
    """A single candidate as a choice."""
    return ChangeChoice(candidate.change, candidate.value, candidate.cost, (candidate,))


def _stated(part: TotalTerm) -> Message:
    """A reference to the part by its line and by the author's words beside it, if any."""
    label = shorten(part.label.strip(), 60)
    about: dict[str, Argument] = {**({"line": part.line} if part.line else {}), **({"label": label} if label else {})}
    return message("-".join(("part", *about)), **about)

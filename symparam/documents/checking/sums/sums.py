"""Finds sums in lists and columns: the entries above a total, and whether the total is their sum.

A sum is found if the last entries before a number add up to it, or if the last one times a stated count does. It is called wrong only if
the page leaves no doubt about the parts: the line calls itself a total and is directly below an uninterrupted run of entries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import takewhile
from math import inf

from symparam.core.formula import Formula, Number, Product, Sum
from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.chance import ANNOUNCED, MARKED, SET_APART, UNNAMED, chance
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.checking.sums.addends import Reading, added_up, count_in, possible_sums
from symparam.documents.checking.sums.excused_totals import LEAST_PART, is_excused
from symparam.documents.checking.sums.whole_and_parts import holds_parts, is_a_layer
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.roles.labels import read_label
from symparam.documents.rules.rule import in_force
from symparam.documents.words import words

MAX_ENTRIES = 400  # Earlier entries that are tried; longer lists are data.
_MOST_BELOW_ZERO = 40  # Earlier entries that are tried if some are negative, as these may add up to anything.
_MOST_TRIES = 8  # Sums of rounded parts close to one total.
_MOST_APART = 10  # Rounded parts of one total with other lines between them; more add up to it by chance.
_CLOSE = Fraction(1, 10)  # A total that differs more from the sum of the entries has other parts.
_MOST_COPIES = 1_000  # Copies of a layer; a larger factor is a size.
_SCALES = (1, 10**3, 10**6, 10**9)  # Of the entries, which a calculation with them may leave out: 67.1 + 135.3 = 202.4M.
_FEW = 100  # A number this small is the product or the sum of two others by chance.
_LEAST_TOTAL = 1_000  # The least total whose parts are looked for; smaller numbers below each other count different things.
_LEAST_USED = 10  # A smaller number in a sum is not one of the entries.
_SLIP_DIGITS, _SLIP_PARTS = 5, 3  # Digits behind the first of a number, and parts, from which one slip away from their sum is no chance.
_LEAST_ROUNDED = 4  # Digits of a rounded total in which a slip of the pen is no chance.


@frozen
class SumClaim:
    """``parts`` add up to ``total``, or the last of them times ``count`` does."""

    parts: tuple[ListEntry, ...]
    total: ListEntry
    judgement: Judgement
    count: int = 1

    @property
    def is_open(self) -> bool:
        """Whether it is undecided, so that the total is judged as if the parts were not its own."""
        return self.judgement.verdict is Verdict.UNDECIDED

    def made_by(self, code: str) -> SumClaim:
        """The claim, with the rule that made it."""
        return replace(self, judgement=replace(self.judgement, rules=(*self.judgement.rules, code)))

    @property
    def left(self) -> str:
        """The claim's left side in the author's numbers."""
        added = " + ".join(part.text for part in self.parts)
        return f"{self.count} × {added}" if self.count > 1 else added


@dataclass
class Ledger:
    """The entries so far that do not yet belong to a total. The last ``run`` of them are consecutive, without a gap; ``partial`` says that
    something among these could not be read, and ``tried`` is the number of sums compared since the last heading. ``guessed`` has the ways
    to read the parts of entries that are subtotals only by their numbers, and not by any word, by the places of these entries.
    """

    entries: list[ListEntry] = field(default_factory=list)
    run: int = 0
    partial: bool = False
    tried: int = 0
    guessed: dict[int, list[Reading]] = field(default_factory=dict)

    def interrupt(self, partial: bool = False) -> None:
        """Record a gap between the entries so far and what follows; ``partial`` if an entry that belongs to them could not be read."""
        self.run, self.partial = 0, partial

    def add(self, entry: ListEntry, strict: bool) -> SumClaim | None:
        """Add the entry. Returns a claim if the entry is the sum of entries above or, if ``strict``, should be and is not."""
        if entry.calculation is not None:
            used = self._used(entry.calculation, words("copies").in_text(entry.label))
            inside = self._sum_inside(used)
            self._take_in(entry, [*(inside.parts if inside else ()), *used])
            return inside
        claim = self._counted(entry) or self._sum(entry, self.entries) or self._without(entry)
        ways = self._readings(entry, strict) if claim is None else []
        claim = claim or self._otherwise(entry, ways)
        if claim is not None:
            claim = self._meant(claim)
        elif strict and ways and entry.is_exact and not self.partial and (entry.is_named or not entry.is_total):
            claim = self._refuted(entry, ways)
        elif claim is None and not (strict or entry.is_total):
            claim = self._slip(entry)
        if claim is None and strict and entry.is_named and not self.partial:
            open_claim = self._unlike(entry)
            self._take_in(entry, 0)
            return open_claim
        if claim is not None and claim.count == 1 and not (entry.is_total or _is_marked(claim)):
            self.guessed[entry.start] = possible_sums(claim.parts, self.guessed, False)
        self._take_in(entry, sum(each.start >= claim.parts[0].start for each in self.entries) if claim else 0)
        return claim

    def _sum_inside(self, used: Sequence[ListEntry]) -> SumClaim | None:
        """The sum behind a number that is now multiplied by a count: one layer, and its parts above it."""
        if len(used) != 1 or used[0] is not self.entries[-1] or not used[0].is_alone:
            return None
        return self._sum(used[0], self.entries[:-1])

    def _meant(self, claim: SumClaim) -> SumClaim | None:
        """The claim with the rule for taking it as intended: words say so, or it could not be a sum by chance."""
        if claim.count > 1:
            return claim.made_by("counted-copies")
        if claim.total.is_named and in_force("named-total"):
            return claim.made_by("named-total")
        likely = _chance(claim, self.tried)
        if likely < UNNAMED and in_force("improbable-sum"):
            return claim.made_by("improbable-sum")
        if claim.total.bold and in_force("bold-total") and (likely < MARKED or self._is_group(claim)):
            return claim.made_by("bold-total")
        is_whole = holds_parts(claim.total.label, [part.label for part in claim.parts]) or self._is_layer(claim)
        return claim.made_by("whole-and-parts") if is_whole and in_force("whole-and-parts") else None

    def _is_layer(self, claim: SumClaim) -> bool:
        """Whether the label says that the total is one layer, and all that stands directly above are its parts."""
        run = tuple(each for each in self.entries if each.start >= self._run_start)
        return len(run) > 2 and is_a_layer(claim.total.label) and claim.parts == run and _chance(claim, 1) < SET_APART

    def _is_group(self, claim: SumClaim) -> bool:
        """Whether the total stands alone in its row, below all rows since the last one like it, which are its parts."""
        total, first = claim.total, self._run_start
        group = _parts(total, [each for each in self.entries if each.start >= first])
        likely = _chance(claim, 1)
        return not total.label and total.is_alone and group == claim.parts and likely < SET_APART

    def _take_in(self, entry: ListEntry, taken: int | list[ListEntry]) -> None:
        if isinstance(taken, int):
            del self.entries[len(self.entries) - taken :]
            self.run = max(self.run - taken, 0)
        else:
            for each in taken:
                place = len(self.entries) - 1 - self.entries[::-1].index(each)
                del self.entries[place]
                self.run -= place >= len(self.entries) + 1 - self.run
            self.run = max(self.run, 0)
        self.entries.append(entry)
        del self.entries[:-MAX_ENTRIES]
        self.run += 1

    def _used(self, own: Formula, layers: bool) -> list[ListEntry]:
        """The entries whose values the expression adds up, or multiplies by a count, and which are therefore contained in the new entry.
        ``layers`` says that words call it a number of layers; for a small value the words of both must say so: ``One layer: 1,000``, ``4
        layers: 4 × 1,000``.
        """
        if isinstance(own, Product):
            values = [factor.value for factor in own.factors if isinstance(factor, Number)]
            counts = [value for value in values if value <= _MOST_COPIES]
            if len(own.factors) != 2 or len(counts) != 1 or len(values) != 2:
                return []
            values.remove(counts[0])
            one = self.entries[-1] if self.entries and layers and words("copies").in_text(self.entries[-1].label) else None
            last = one.number if one else None
            values = [value for value in values if value >= LEAST_PART or value == last]
        else:
            values = [part.value for part in own.terms if isinstance(part, Number)] if isinstance(own, Sum) else []
            if any(value < _LEAST_USED for value in values):
                return []  # Not a sum of entries but the number of a line, such as 1-3.
        return next(filter(None, (self._with_values([value * scale for value in values]) for scale in _SCALES)), [])

    def _with_values(self, values: Sequence[int | Fraction]) -> list[ListEntry]:
        """The last entries with these values; none if one is missing."""
        found: list[ListEntry] = []
        for value in values:
            match = next((each for each in reversed(self.entries[-60:]) if each.number == value and each not in found), None)
            if match is None:
                return []
            found.append(match)
        return found

    def _counted(self, entry: ListEntry) -> SumClaim | None:
        """The total of several layers, from ``× 32 layers`` or ``12 层`` after the number of one layer."""
        count = count_in(entry.label) if self.entries and in_force("counted-copies") else 0
        if count < 2 or entry.number <= _FEW:
            return None
        last = self.entries[-1]
        found = holding(ClaimSide(Product((Number(count), last.side.formula)), last.side.literals), entry.side, "=")
        return SumClaim((last,), entry, found, count) if found else None

    def _without(self, entry: ListEntry) -> SumClaim | None:
        """The sum without the entries whose own words exclude them."""
        counted = [part for part in self.entries if part.is_counted] if entry.is_total else self.entries
        claim = self._sum(entry, counted) if in_force("not-counted") and len(counted) < len(self.entries) else None
        return claim and claim.made_by("not-counted")

    def _sum(self, entry: ListEntry, entries: Sequence[ListEntry]) -> SumClaim | None:
        total: int | Fraction = 0
        stated, exact, tries = entry.number, entry.is_exact, 0
        if stated <= 0:
            return None
        first = self._run_start
        fewest = 2
        if entry.is_grand_total:
            fewest = max(2, sum(each.start >= first and each.measured == entry.measured for each in entries))
        for size, part in enumerate(reversed(entries), start=1):
            total += part.number
            self.tried += 1
            if part.is_above(entry) or part.number == stated or (part.number and part.measured != entry.measured):
                break  # The total itself, or a number of another kind: 40% and 1, 20 MB and 512.
            if total > 2 * stated or (part.number < 0 and size > _MOST_BELOW_ZERO):
                break
            exact = exact and part.is_exact
            if size < fewest:
                continue
            if total == stated and sum(part.number != 0 for part in entries[-size:]) > 1 and (size > 2 or stated > _FEW):
                reason = message("parts-above", count=size)
            elif (
                not exact
                and (entry.is_named or self._are_parts(entry, size))
                and tries < _MOST_TRIES
                and -_CLOSE <= total / entry.value - 1 <= _CLOSE
            ):
                tries += 1
                if part.start < first and (size > _MOST_APART or chance(entry.value, (), tries) > ANNOUNCED):
                    continue
                if not holding(added_up(entries[-size:]), entry.side, "="):
                    continue
                reason = message("parts-above-to", count=size, total=Fraction(total))
            else:
                continue
            return SumClaim(tuple(entries[-size:]), entry, Judgement(Verdict.HOLDS, "sum", reason, Fraction(total), entry.value))
        return None

    def _are_parts(self, entry: ListEntry, size: int) -> bool:
        """Whether the label of an entry names a part of a model that the labels of the last entries are the parts of."""
        return in_force("whole-and-parts") and holds_parts(entry.label, [part.label for part in self.entries[-size:]])

    @property
    def _run_start(self) -> int | float:
        """Where the entries without a gap begin, with the parts of the first."""
        if not self.run:
            return inf
        first = self.entries[max(len(self.entries) - self.run, 0)].start
        return min((inside[0].start for inside in self.guessed.get(first, ())), default=first)

    def _readings(self, entry: ListEntry, strict: bool) -> list[tuple[ListEntry, ...]]:
        """What the entries above may add up as, the more likely first; nothing if there are too many ways to tell."""
        if not (strict or entry.is_total):
            return []
        return possible_sums(self.entries, self.guessed, entry.is_total and in_force("not-counted"))

    def _otherwise(self, entry: ListEntry, ways: Sequence[Sequence[ListEntry]]) -> SumClaim | None:
        """The sum of the entries in the first reading that gives one."""
        claim = next(filter(None, (self._sum(entry, reading) for reading in ways)), None)
        if claim is None:
            return None
        left_out = [each for each in self.entries if each.start > claim.parts[0].start and each not in claim.parts]
        return claim if all(each.is_counted for each in left_out) else claim.made_by("not-counted")

    def _refuted(self, entry: ListEntry, ways: Sequence[Sequence[ListEntry]]) -> SumClaim | None:
        """The claim on a total that is not the sum of the entries directly above it in any reading, if these are its parts without doubt;
        it shows the reading that comes closest.
        """
        first = self._run_start
        found = [_parts(entry, [each for each in reading if each.start >= first]) for reading in ways]
        found.sort(key=lambda parts: abs(entry.value - sum(part.number for part in parts)))
        if not in_force("missed-total") or any(is_excused(entry, parts) for parts in found):
            return None
        if entry.further or len({(part.line, part.number) for part in found[0]}) < len({part.start for part in found[0]}):
            return None  # Which of the numbers of its line is the sum? And which is a part, if a line of prose says one twice?
        labels = [read_label(part.label) for part in found[0]]
        if any(each.scope == "in-layer" for each in labels) and any("layers" in each.parts or each.scope == "in-all" for each in labels):
            return None  # ``one layer`` and ``all layers`` are not added up.
        return _missed(entry, found[0])

    def _slip(self, entry: ListEntry) -> SumClaim | None:
        """The claim on a number in bold type or of many digits that a slip of the pen separates from the sum of all entries directly above
        it, whatever its label says.
        """
        digits = _SLIP_DIGITS if entry.bold else _SLIP_DIGITS + 2
        first = self._run_start
        parts = tuple(each for each in self.entries if each.start >= first)
        if not in_force("slip-of-sum") or self.partial or len(parts) < _SLIP_PARTS or entry.number < 10**digits:
            return None
        clear = all(each.is_exact and 0 < each.number < entry.number and each.measured == entry.measured for each in parts)
        found = Fraction(sum(part.number for part in parts))
        if not (clear and entry.is_exact) or digit_slip(found, entry.number) is None:
            return None
        holds = Judgement(Verdict.HOLDS, "sum", message("parts-above", count=len(parts)), found, found)
        if self._meant(SumClaim(parts, replace(entry, value=found), holds)) is None:
            return None  # Nor would the sum itself be taken as intended.
        reason = message("parts-above-to", count=len(parts), total=found)
        return SumClaim(parts, entry, Judgement(Verdict.WRONG, "wrong-sum", reason, found, entry.value, ("slip-of-sum",)))

    def _unlike(self, entry: ListEntry) -> SumClaim | None:
        """The claim on a total of few digits whose parts, all those directly above it, come near it and have another sum: undecided, unless
        a slip of the pen is what separates the two.
        """
        first = self._run_start
        parts = _parts(entry, [each for each in self.entries if each.start >= first])
        found = Fraction(sum(part.number for part in parts))
        is_near = abs(found - entry.value) * 2 <= entry.value
        alike = is_near and len(parts) > 1 and all(0 < part.value < entry.value and part.measured == entry.measured for part in parts)
        has_digits = entry.value >= _LEAST_TOTAL and all(part.is_exact for part in (*parts, entry))
        if not alike or has_digits or entry.further or not in_force("missed-total"):
            return None
        if is_excused(entry, parts) or holding(added_up(parts), entry.side, "≈"):
            return None
        said = message("parts-above-to", count=len(parts), total=found)
        if _is_slip_of_rounded(entry, parts, found):
            return SumClaim(parts, entry, Judgement(Verdict.WRONG, "wrong-sum", said, found, entry.value, ("missed-total",)))
        reason = message("but", said=said, doubt=message("other-parts"))
        return SumClaim(parts, entry, Judgement(Verdict.UNDECIDED, "unclear", reason, found, entry.value, ("missed-total",)))


def _chance(claim: SumClaim, tries: int) -> Fraction:
    """The probability that the total agrees by chance, as it is written: 24 GiB + 24 GiB = 48 GiB is a sum of small numbers."""
    literal = claim.total.side.literal
    scale = literal.unit.senses[0] if literal is not None and literal.unit is not None else Fraction(1)
    return chance(claim.total.value / scale, [part.value / scale for part in claim.parts], tries)


def _is_marked(claim: SumClaim) -> bool:
    """Whether bold type or the words of the labels, and not only numbers, say that it is a sum."""
    return not {"bold-total", "whole-and-parts"}.isdisjoint(claim.judgement.rules)


def _parts(entry: ListEntry, near: Sequence[ListEntry]) -> tuple[ListEntry, ...]:
    """The entries that are the parts of a total, if any are: those after the last subtotal, or all if all are subtotals."""
    near = list(takewhile(lambda part: not part.is_above(entry), reversed(near)))[::-1]
    single = list(takewhile(lambda part: not (part.is_total or part.bold), reversed(near)))
    return tuple(reversed(single)) if single else tuple(near)


def _is_slip_of_rounded(entry: ListEntry, parts: Sequence[ListEntry], found: Fraction) -> bool:
    """Whether a slip of the pen, and not rounding, separates a rounded total from the sum of its parts: 91.72 MB for 94.72 MB."""
    stated, *others = (each.side.literal for each in (entry, *parts))
    if stated is None or stated.digits < _LEAST_ROUNDED or stated.last_digit >= 1 or any(each is None for each in others):
        return False
    units = [literal.last_digit * (literal.unit.senses[0] if literal.unit else 1) for literal in (stated, *others) if literal is not None]
    is_rounded = 2 * abs(found - entry.value) <= sum(units)
    return not is_rounded and digit_slip(Fraction(round(found / units[0])), entry.value / units[0]) is not None


def _missed(entry: ListEntry, parts: tuple[ListEntry, ...]) -> SumClaim | None:
    """The claim on a total that should be the sum of these parts."""
    clear = sum(part.number != 0 for part in parts) > 1 and all(part.is_exact for part in parts)
    if not clear or entry.value < _LEAST_TOTAL:
        return None
    found = Fraction(sum(part.number for part in parts))
    gap = entry.value - found
    if not gap:  # Earlier entries belong to something else.
        holds = Judgement(Verdict.HOLDS, "sum", message("parts-above", count=len(parts)), found, entry.value)
        return SumClaim(parts, entry, holds)
    is_explained = abs(gap) in {part.number for part in parts} or digit_slip(found, entry.value) is not None
    if abs(gap) > _CLOSE * entry.value and not is_explained:
        return None
    reason = message("parts-above-to", count=len(parts), total=found)
    return SumClaim(parts, entry, Judgement(Verdict.WRONG, "wrong-sum", reason, found, entry.value, ("missed-total",)))

"""Finds the entries above a total that may be its parts."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache
from itertools import chain, product, zip_longest

from symparam.core.formula import Number, Product, Sum
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.roles.labels import read_label
from symparam.documents.words import in_each_layer, words

_MOST_READINGS = 64  # Possible sums of the rows; among more, one would be the total by chance.
_MOST_COPIES = 1_000
_COUNT = re.compile(r"[×x*]\s*(\d{1,4})|(?<![\w.])(\d{1,4})\s*(?:[×x*]\s*)?([^\W\d_]+)")

_NOUN = re.compile(r"[^\W\d_]{4,}")

Reading = tuple[ListEntry, ...]
"""Entries that may be added up."""

_Choices = tuple["_Choices", int, Reading] | None
"""The readings chosen for entries, the last one first, each by the place of its entry."""


def possible_sums(entries: Sequence[ListEntry], guessed: Mapping[int, Sequence[Reading]], leaves_out: bool) -> list[Reading]:
    """The ways to add up the entries, one for each sum, the way all of them are listed first; empty if there are too many.

    An entry that is the sum of others only by its number may be a part beside these; ``guessed`` has the ways to read these others, by its
    place. What is said of each layer is left out if a later entry is about all layers. What is not counted, or is a size of another entry,
    may be left out if the total ``leaves_out`` such entries. A line with several numbers adds one of them, or all, and what each of several
    things has once for each. Of entries that stand indented below others, either these or those are added.
    """
    levels = _levels(entries)
    if len(levels) > 1:
        return [way for level in levels for way in _ways(level, guessed, leaves_out)]
    in_all = max((place for place, each in enumerate(entries) if _is_in_all(each.label)), default=0)
    outside = [*(each for each in entries[:in_all] if not _is_in_each(each.label)), *entries[in_all:]]
    together = _ways(entries, guessed, leaves_out)
    return [*together, *(_ways(outside, guessed, leaves_out) if together and len(outside) < len(entries) else ())]


def _levels(entries: Sequence[ListEntry]) -> list[list[ListEntry]]:
    """By the indentation of labels, the entries that are below no other and those that have none below them; all entries, if these are the
    same.
    """
    outermost: list[ListEntry] = []
    innermost: list[ListEntry] = []
    for entry, below in zip_longest(entries, entries[1:]):
        if not outermost or entry.depth <= outermost[-1].depth:
            outermost.append(entry)
        if below is None or below.depth <= entry.depth:
            innermost.append(entry)
    return [outermost, innermost] if len(outermost) < len(entries) else [list(entries)]


def _ways(entries: Sequence[ListEntry], guessed: Mapping[int, Sequence[Reading]], leaves_out: bool) -> list[Reading]:
    found: dict[int | Fraction, _Choices] = {0: None}
    sizes = _sizes_of_others(entries) if leaves_out else frozenset[int | Fraction]()
    for entry in entries:
        ways: list[Reading] = [(*inside, entry) for inside in guessed.get(entry.start, ())]
        if entry.start in guessed and not ways:
            return []
        others = tuple(replace(entry, text=text, side=side, value=value) for text, side, value in entry.further)
        ways += [(each,) for each in others]
        if others:
            ways.append((entry, *others))
        if entry.things > 1:
            ways.append((entry,) * entry.things)
        if leaves_out and (not entry.is_counted or entry.number in sizes):
            ways.append(())
        if ways:
            further: dict[int | Fraction, _Choices] = {}
            sums = [(sum(each.number for each in way), way) for way in ((entry,), *ways)]
            for (total, before), (own, way) in product(found.items(), sums):
                further.setdefault(total + own, (before, entry.start, way))
            found = further
        if len(found) > _MOST_READINGS:
            return []
    return [_chosen(entries, choices) for choices in found.values()]


def _chosen(entries: Sequence[ListEntry], choices: _Choices) -> Reading:
    ways: dict[int, Reading] = {}
    while choices is not None:
        choices, start, way = choices
        ways.setdefault(start, way)
    return tuple(chain.from_iterable(ways.get(each.start, (each,)) for each in entries))


def _sizes_of_others(entries: Sequence[ListEntry]) -> frozenset[int | Fraction]:
    """The factors of the products in the entries: ``flattened 8 × 8 × 64 = 4,096`` is a size of ``dense 4,096 × 128 + 128``, no part."""
    found = set[int | Fraction]()
    for entry in entries:
        terms = entry.calculation.terms if isinstance(entry.calculation, Sum) else (entry.calculation,)
        found.update(each.value for term in terms if isinstance(term, Product) for each in term.factors if isinstance(each, Number))
    return frozenset(found)


@lru_cache(maxsize=1024)
def _is_in_all(label: str) -> bool:
    read = read_label(label)
    return count_in(label) > 1 or read.scope == "in-all" or "layers" in read.parts


@lru_cache(maxsize=1024)
def _is_in_each(label: str) -> bool:
    return count_in(label) < 2 and (in_each_layer().in_text(label) or words("each").in_text(label))


def without_single_copies(parts: Sequence[ListEntry], by_number: bool) -> list[ListEntry]:
    """The parts without those directly above one that counts all of them several times: ``12 layers 36,000`` below ``attention 1,000`` and
    ``MLP 2,000``, with or without ``layer 3,000`` between them; or below ``layer 3,000`` and ``layers 12``; and without several entries
    whose sum stands below, or, if ``by_number``, an entry of which a multiple stands below.
    """
    kept: list[ListEntry] = []
    for part in parts:
        count = count_in(part.label)
        one = part.number / count if count > 1 else None
        if kept and kept[-1].number == one:
            kept.pop()
        sizes = [_start_of(kept, part.number), _start_of(kept, one) if one is not None else None]
        below = next((size for size, fewest in zip(sizes, (2, 1), strict=True) if size is not None and len(kept) - size >= fewest), None)
        if below is not None:
            del kept[below:]
        elif len(kept) > 1 and min(kept[-1].number, kept[-2].number) > 1 and kept[-1].number * kept[-2].number == part.number:
            del kept[-2:]
        elif by_number and kept and _is_of_several(part, kept[-1]):
            kept.pop()
        kept.append(part)
    return kept


def _is_of_several(part: ListEntry, single: ListEntry) -> bool:
    """Whether the part is a multiple of the other one and about the same thing, as ``8 experts`` below ``one expert``."""
    if not 0 < single.number < part.number <= _MOST_COPIES * single.number or part.number % single.number:
        return False
    one, several = ({*read_label(label).parts, *_NOUN.findall(label.lower())} for label in (single.label, part.label))
    return words("each").in_text(single.label) or not one.isdisjoint(several)


def _start_of(entries: Sequence[ListEntry], total: float | Fraction) -> int | None:
    """The place from which on the entries add up to the total; None if there is none."""
    size = len(entries)
    while size and 0 < entries[size - 1].number <= total:
        size -= 1
        total -= entries[size].number
    return size if total == 0 else None


@lru_cache(maxsize=1024)
def count_in(label: str) -> int:
    """The count in ``× 32`` or ``12 layers``; otherwise 0."""
    for match in _COUNT.finditer(label):
        if match[1] or words("copies").is_one(match[3]) or words("copies").begins(match[3]):
            return int(match[1] or match[2])
    return 0


def added_up(parts: Sequence[ListEntry]) -> ClaimSide:
    """The sum of entries as one side of a claim."""
    literals = {letter: literal for part in parts for letter, literal in part.side.literals.items()}
    return ClaimSide(Sum(tuple(part.side.formula for part in parts)), literals)

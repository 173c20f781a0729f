"""A page that is held against a model, with what is known on it."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from symparam.core.frozen import cached_property
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.measurands import names_weights
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.comparing.recognised_part import RecognisedPart, has_unit
from symparam.documents.roles.clauses import words_behind
from symparam.documents.roles.labels import read_label

MOST_BESIDE = 50
"""Parts of a list, a column or a section before a part, or behind it, that stand beside it."""
_Kind = tuple[tuple[str, ...], str, bool]


@dataclass
class JudgedPage:
    """A page with the parts that are ``known`` on it, and the model that it is held against."""

    checker: LineChecker
    model: NamedModel
    measured: MeasuredModel
    known: Sequence[RecognisedPart]
    conflicts: ModelConflicts
    _named: dict[int, bool] = field(default_factory=dict)

    def is_named(self, part: RecognisedPart) -> bool:
        """Whether words say what the number is for, or its format does: one of bytes alone, ``Together: 17.6 GB``, may be a sum of several
        measures.
        """
        if id(part) not in self._named:
            behind = words_behind(self.checker.text, part.quantity.expression.end)
            said = f"{part.words} {part.quantity.column} {behind}"
            in_format = bool(part.measurand.formats) and not part.measurand.is_inherited
            is_told = part.measurand.measure != "weights" or bool(part.label.parts) or in_format
            self._named[id(part)] = is_told or names_weights(said)
        return self._named[id(part)]

    def before(self, part: RecognisedPart) -> RecognisedPart | None:
        """The last part before one."""
        at = bisect_left(self._ordered, part.quantity.expression.start, key=_place)
        return self._ordered[at - 1] if at else None

    @cached_property
    def _ordered(self) -> Sequence[RecognisedPart]:
        return sorted(self.known, key=_place)

    @cached_property
    def listed(self) -> frozenset[str]:
        """The parts that the words of its numbers name."""
        return frozenset(part for each in self.checker.quantities.stated for part in read_label(each.words).parts)

    @cached_property
    def convincing_measures(self) -> frozenset[str]:
        """The measures in which some part is right, hardly by chance."""
        return frozenset(each.measurand.measure for each in self.known if each.is_convincing)

    @cached_property
    def unfit(self) -> Mapping[_Kind, Sequence[RecognisedPart]]:
        """The parts that differ from the model and whose words are understood, by what they name, their measure, and whether they have a
        unit.
        """
        found: dict[_Kind, list[RecognisedPart]] = defaultdict(list)
        for each in self.known:
            if not (each.fits or each.label.rest):
                found[each.label.parts, each.measurand.measure, has_unit(each)].append(each)
        return found

    @cached_property
    def right_in_section(self) -> Mapping[int, set[Fraction]]:
        """The numbers of each section that are right, and whose words are understood."""
        found: dict[int, set[Fraction]] = defaultdict(set)
        for each in self.known:
            if each.fits and each.label.parts and not each.label.rest:
                found[each.quantity.section].add(each.stated)
        return found

    def beside(self, part: RecognisedPart) -> Sequence[RecognisedPart]:
        """The parts of its section in its measure; of a section with very many, those nearest to it."""
        every = self._sections[part.quantity.section, part.measurand.measure]
        at = bisect_left(every, _place(part), key=_place)
        return every[max(0, at - MOST_BESIDE) : at + MOST_BESIDE]

    @cached_property
    def matrices(self) -> Sequence[RecognisedPart]:
        """The parts whose letter is that of queries, or of another attention matrix and their number is right."""
        letters = ((part, part.words.strip().lower()) for part in self.known)
        return [part for part, letter in letters if letter == "q" or (bool(part.fits) and letter in ("k", "v", "o"))]

    @cached_property
    def _sections(self) -> Mapping[tuple[int, str], Sequence[RecognisedPart]]:
        found: dict[tuple[int, str], list[RecognisedPart]] = defaultdict(list)
        for each in self._ordered:
            found[each.quantity.section, each.measurand.measure].append(each)
        return found


def _place(part: RecognisedPart) -> int:
    return part.quantity.expression.start

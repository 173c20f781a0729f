"""A number of the page among its words, for rules that ask what these leave open."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Message
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.judged_page import JudgedPage
from symparam.documents.comparing.measured_model import MeasuredModel
from symparam.documents.comparing.recognised_part import RecognisedPart
from symparam.documents.roles.clauses import words_behind
from symparam.documents.roles.labels import Label
from symparam.documents.roles.part_candidates import Amount, PartCandidate

READ_BEHIND = 200
"""Characters after a number that are read for its row."""
IN_FORMATS = ("weights", "gradients", "optimizer", "cache")
"""Measures that depend on the number format."""
OF_RUNS = ("cache", "operations", "activations")
"""Measures that depend on the length or the batch."""


@frozen
class Wording:
    """A number of the page among its words, with the ``sure`` parts of its list or column, which are the model's."""

    part: RecognisedPart
    page: JudgedPage
    sure: tuple[RecognisedPart, ...]

    @property
    def checker(self) -> LineChecker:
        """The page as it was read."""
        return self.page.checker

    @property
    def measured(self) -> MeasuredModel:
        """The model."""
        return self.page.measured

    @property
    def start(self) -> int:
        """The offset of the number."""
        return self.part.quantity.expression.start

    @cached_property
    def before(self) -> str:
        """Its line before it."""
        return self.checker.text[max(0, self.start - READ_BEHIND) : self.start].rpartition("\n")[2]

    @cached_property
    def behind(self) -> str:
        """Its line after it."""
        end = self.part.quantity.expression.end
        return self.checker.text[end : end + READ_BEHIND].partition("\n")[0]

    @cached_property
    def clause_behind(self) -> str:
        """The words after it, up to the end of its clause, with those that it counts."""
        expression = self.part.quantity.expression
        return " ".join((*expression.nouns, words_behind(self.checker.text, expression.end)))

    @cached_property
    def wholes(self) -> tuple[PartCandidate, ...]:
        """The candidates that count the whole part."""
        return tuple(each for each in self.part.candidates if each.way == "whole" and each.value)

    @cached_property
    def stated(self) -> Fraction:
        """Its value."""
        return self.part.stated

    def labelled(self, label: Label) -> Sequence[PartCandidate]:
        """The candidates of another label in its measure."""
        return self.measured.candidates(self.part.measurand, "", label, in_letters=False)

    def line_of(self, quantity: LabelledQuantity) -> int:
        """The line of another number."""
        return self.checker.document.source.place(quantity.expression.start)[0]


Relaxation = Callable[[Wording], Iterator[tuple[Amount, Message]]]
"""The values that one thing leaves open."""


def whole(value: Fraction | int) -> Amount:
    """The value as an integer if it is one."""
    value = Fraction(value)
    return value.numerator if value.denominator == 1 else value

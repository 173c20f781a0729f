"""A number with the sentence in which it stands: what the words around it say of how it is calculated."""

from __future__ import annotations

from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.sentences.calculated_way import Known
from symparam.documents.checking.sentences.operands import Operand, counted
from symparam.documents.reading.unit_senses import PURE
from symparam.documents.words import words

ABOUT = 60
"""Characters before a number in which words may say how it follows."""
SIGNS = (":", "：", "=", "→", "⇒", "|")
"""Signs behind which a result stands."""
MARKUP = " *_`$~≈"
"""Characters between words and numbers that say nothing."""
FEW = 10
"""Powers of two and their small multiples have fewer values without their factors of two."""
ODD = 100
"""Percentages with fewer possible values are common."""
WORK = (("work", 1),)
"""The dimension of operations."""
_LONG = 100_000  # The least number that is recognised as a sum without words that say so.


@frozen
class NumberInSentence:
    """A number in its sentence: ``sentence`` is the text before it, ``lead`` what follows the last number there, and ``behind`` the words
    after it.
    """

    number: Operand
    known: Known
    sentence: str
    lead: str
    behind: str

    def _leads(self, notion: str) -> bool:
        return words(notion).in_text(self.lead[-ABOUT:])

    @cached_property
    def around(self) -> str:
        """The words before and behind the number."""
        return f"{self.sentence[-ABOUT:]} | {self.behind}"

    @cached_property
    def may_add(self) -> list[Operand]:
        """The results of its kind."""
        return [each for each in self.known.others if each.is_result and are_of_a_kind(each, self.number)]

    @cached_property
    def alike(self) -> list[Operand]:
        """These, those of its own dimension first."""
        is_work = WORK in self.number.dimensions
        own = self.number.dimensions
        return sorted(self.may_add, key=lambda each: each.dimensions != own and not is_work and WORK not in each.dimensions)

    @cached_property
    def in_words(self) -> bool:
        """Whether words say that it follows."""
        return any(map(self._leads, ("arrives", "so", "that_is")))

    @cached_property
    def told(self) -> bool:
        """Whether words or a sign say so."""
        return self.in_words or self.lead.rstrip(MARKUP).endswith(SIGNS)

    @cached_property
    def is_odd(self) -> bool:
        """Whether it has so many digits that few numbers of its kind are it by chance."""
        return self.number.precision * ODD <= 1

    @cached_property
    def is_total(self) -> bool:
        """Whether words say that it is a sum. "So" announces many things: that 16k and 16k are 32k is chance, as for each power of two."""
        if any(words(each).in_text(text) for each in ("total", "jointly") for text in (self.lead[-ABOUT:], self.behind)):
            return True
        if is_long(self.number) and _refers(self.sentence):
            return True
        return self._leads("so") and self.number.chance * FEW <= 1 and self.is_odd

    @cached_property
    def counts(self) -> list[Operand]:
        """The counts beside it, which may be added to a whole number."""
        return [] if self.number.side.literals else [counted(each.value) for each in self.known.counts if not each.unit]


def are_of_a_kind(one: Operand, stated: Operand) -> bool:
    """Whether both have one dimension, or one of them counts operations without saying so: ``8.05 × 10⁹``."""
    if one.dimensions & stated.dimensions:
        return True
    return PURE & (one.dimensions | stated.dimensions) != frozenset() and WORK in one.dimensions | stated.dimensions


def is_long(stated: Operand) -> bool:
    """Whether it is a whole number with so many digits that it is recognised as a sum without words."""
    return not stated.side.literals and stated.value >= _LONG


def _refers(sentence: str) -> bool:
    """Whether a sentence begins with words for what stands before it: ``That is 4,917,760 per block``."""
    return words("that_is").begins(sentence.lstrip(" *_`$~≈\n"))

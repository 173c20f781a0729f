"""Evidence that several numbers give together: each may agree by chance with what follows from a number elsewhere, all hardly."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod

from symparam.documents.checking.laws.law_way import LawWay
from symparam.documents.checking.laws.places import Placed
from symparam.documents.checking.sides.chance import UNNAMED
from symparam.documents.checking.sides.number_agreement import Judgement

_MOST_EACH = 1 / 20  # The largest chance of one number; fewer digits say nothing.


@dataclass
class JointEvidence:
    """Numbers that agree with what a law makes of a number elsewhere, each with the probability that it does so by chance."""

    _of: dict[tuple[str, int], list[tuple[Placed, LawWay, Judgement, float]]] = field(default_factory=lambda: defaultdict(list))

    def add(self, claim: Placed, way: LawWay, judged: Judgement, chance: float) -> None:
        """Note a number that agrees."""
        if chance > _MOST_EACH:
            return
        for each in way.operands:
            if each.stretch != claim.stretch:
                self._of[way.code, each.quantity.start].append((claim, way, judged, chance))

    def accepted(self) -> Iterator[tuple[Placed, LawWay, Judgement]]:
        """The numbers that follow from one number elsewhere, if together they are no chance; each of them once."""
        seen = set[int]()
        for found in self._of.values():
            chances = {claim.quantity.value: chance for claim, *_, chance in found}
            if len(chances) > 1 and prod(chances.values()) <= UNNAMED:
                for claim, way, judged, _ in found:
                    # What an accepted number follows from does not follow from it.
                    if claim.quantity.start not in seen and not any(each.quantity.start in seen for each in way.operands):
                        seen.add(claim.quantity.start)
                        yield claim, way, judged

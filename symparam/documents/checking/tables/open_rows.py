"""Claims of tables whose letters have no value yet: they wait for the end of the section, as ``with d = 768`` may stand below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.claims import judge_link
from symparam.documents.checking.claims.sizes_in_words import SizesInWords
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.tables.cells import RowClaim
from symparam.documents.rules.rule import applies

_MOST_ROWS = 2_000


@dataclass
class OpenRows:
    """The waiting claims, each with the values that its letters have in its row: ``LoRA (r=8)``."""

    knowledge: Knowledge
    sizes: SizesInWords
    _waiting: list[tuple[RowClaim, dict[str, int | Fraction]]] = field(default_factory=list)

    def waits(self, claim: RowClaim) -> bool:
        """Whether the claim waits from now on."""
        if claim.judgement.code != "no-value" or not claim.right.is_number or len(self._waiting) >= _MOST_ROWS:
            return False
        self._waiting.append((claim, self.knowledge.known(claim.left.letters)))
        return True

    def end_section(self) -> Iterator[tuple[RowClaim, Judgement]]:
        """The claims that have waited, with their verdicts at the end of the section."""
        waiting, self._waiting = self._waiting, []
        for claim, known in waiting:
            with self.knowledge.given(known):
                in_words = self.sizes.judge(claim.left, claim.right, "=", self.knowledge)
                found = in_words or judge_link(claim.left, claim.right, "=", self.knowledge)
            is_meant = in_words or (found.verdict is Verdict.HOLDS and applies("value-below-table", claim.left.start))
            yield claim, found if is_meant else claim.judgement

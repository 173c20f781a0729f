"""Judges a link in the other readings of its line if it is wrong in the usual one."""

from __future__ import annotations

from dataclasses import replace

from symparam.core.message import message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.claims import judge_link
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.reading.chains import EqualityChain


def best_reading(chain: EqualityChain, index: int, sign: str, knowledge: Knowledge, usual: Judgement) -> Judgement:
    """The verdict on a link that is wrong in its usual reading: it stays wrong only if it is wrong in every other reading, too."""
    if usual.verdict is not Verdict.WRONG and usual.code != "unclear":
        return usual
    found = usual
    is_result = chain.sides[index + 1].is_number and not chain.sides[index].is_number
    for reversed_choices, left, right in chain.readings(index):
        other = judge_link(left, right, sign, knowledge)
        rules = tuple(sorted({code for code, _ in reversed_choices}))
        if other.verdict is Verdict.HOLDS and "thousands-space" not in rules:  # The digits before the space would belong to nothing.
            return replace(other, reason=message("read-without", said=other.reason, rules=rules))
        # The unit of a result is not taken for a letter that stands for nothing.
        is_open = other.verdict is not Verdict.WRONG and not (is_result and other.code == "no-value" and rules == ("letter-scales",))
        if is_open and found.verdict is Verdict.WRONG:
            doubt = message("maybe-without", rules=rules)
            found = replace(usual, verdict=Verdict.UNDECIDED, code="unclear", reason=message("but", said=usual.reason, doubt=doubt))
    return found

"""Says whether words announce that a number is just what a law makes of others, or others beside it are, so that it is wrong if it
differs.
"""

from __future__ import annotations

import re

from symparam.documents.checking.laws.law_way import LawWay
from symparam.documents.checking.laws.places import HERE, Placed
from symparam.documents.roles.labels import read_label
from symparam.documents.words import words

_LEAD = 40  # Characters before and behind a number in which words say how it follows.
_SIGNS = re.compile(r"[:：=≈]\s?[*_`~$]{0,4}\Z")
_PLUS = re.compile(r"[+<>≥≤]")
_APART_BY = 1.3  # A number is wrong beside those that are what a law says if it is off by this factor.
_NOT_STORED = frozenset(("cache", "activations"))
"""What takes memory beside parameters, and is not calculated from them."""
_SEVERAL_TIMES = _NOT_STORED | {"gradients", "optimizer"}


def is_announced(text: str, claim: Placed, way: LawWay) -> bool:
    """Whether all operands are in the sentence, and words say that the number follows from them and from nothing else."""
    stated, ends = claim.quantity.start, [each.quantity.end for each in way.operands]
    last = max(ends)
    if way.tier > HERE or claim.column >= 0 or not last <= stated <= last + _LEAD:
        return False
    if way.code == "stored-parameters" and not _NOT_STORED.isdisjoint(read_label(text[min(ends) : stated]).measures):
        return False  # 70B, and its KV cache in FP16 = 160 GB
    lead, behind = text[last:stated], text[claim.quantity.end : claim.quantity.end + _LEAD]
    is_led = _SIGNS.search(lead) is not None or any(words(each).in_text(lead) for each in ("arrives", "so", "that_is", "equals"))
    return is_led and not _PLUS.search(lead + "|" + behind) and not any(words(each).in_text(behind) for each in ("adjusts", "plus"))


def is_apart(text: str, claim: Placed, way: LawWay, is_slip: bool) -> bool:
    """Whether an amount is a slip of the pen, or far from what its row or its sentence says: most other things that are counted beside
    parameters take less. Fewer than eight bits are stored with what scales them.
    """
    own = [each.quantity for each in way.operands if each.stretch == claim.stretch and each is not claim]
    ratio, stated = claim.quantity.size / way.size, claim.quantity.start
    if claim.column >= 0:
        return is_slip or (bool(own) and not 1 / _APART_BY < ratio < _APART_BY)
    label = text[text.rfind("\n", 0, stated) + 1 : stated]
    if (
        not any(each.is_format for each in own)
        or not _SEVERAL_TIMES.isdisjoint(read_label(label).measures)
        or words("total").in_text(label)
    ):
        return False
    return is_slip or ratio < 1 / _APART_BY or (ratio > _APART_BY and way.bytes_each >= 1)

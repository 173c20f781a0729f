"""The ways in which a percentage or a factor of a sentence may be the ratio of others: ``38.6M of the 124M, 31 %``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, pairwise

from symparam.documents.checking.sentences.calculated_way import Known, Way, announced
from symparam.documents.checking.sentences.operand_calculations import divided, grown, saved, share_of_two
from symparam.documents.checking.sentences.operands import Operand
from symparam.documents.reading.unit_senses import PURE

_MOST_COMPARED = 3  # Amounts before a number that a ratio beside it may compare it with.
_ABOVE = 300  # Characters between amounts and the ratio whose label says that it compares them.
_ODD = 100  # Percentages with fewer possible values are common.


def ratios(
    stated: Operand, known: Known, is_told: bool, is_part: bool, is_less: bool, is_more: bool, is_label: bool = False
) -> Iterator[Way]:
    """For a percentage, shares; for a factor, quotients of two operands with the same dimension. A share is most often one of the largest
    operand. What stands directly before the ratio is most often compared with the last amount of its kind: ``24.6 ms (1.4x faster)``;
    what a label says is one, ``Speedup: 2.7x``, compares the last two amounts above it.
    """
    is_change = is_less or is_more
    is_share, is_short = stated.ratio == "share", stated.precision * _ODD > 1
    if is_label and not any(each.is_result for each in known.here):
        last = [each for each in known.before if stated.start - each.end < _ABOVE][:_MOST_COMPARED]
        for one, other in [pair for pair in pairwise(last[::-1]) if _are_alike(*pair)][::-1]:
            yield from map(announced, _compared(one, other, is_share, is_less or is_share, is_more))
    beside = known.beside
    if beside is not None and _may_be_compared(beside) and (is_change or not is_share):
        for other in [each for each in known.others if each is not beside and _are_alike(each, beside)][:_MOST_COMPARED]:
            yield from map(announced, _compared(beside, other, is_share, is_less, is_more))
    decimals = [each for each in known.here if _is_decimal(each)] if is_change or not is_share else []
    results = [*(each for each in known.others if each.is_result), *decimals]
    whole = max(results, key=lambda each: each.size, default=None)
    pairs = list(combinations(results, 2))
    if is_share:
        pairs.sort(key=lambda pair: whole not in pair)
    for one, other in pairs:
        if one.unit != other.unit and not _are_alike(one, other):
            continue
        is_near = one in known.here and other in known.here
        if stated.is_single and not (is_near and (is_change or not stated.side.literals or len(results) == len(pairs[0]))):
            continue  # Sizes are often twice another.
        if is_share and is_short and one not in known.here and not (one in known.named and is_part):
            continue  # Two digits agree with something in other sentences by chance.
        are_meant = any(one in place and other in place for place in (known.named, known.here))
        is_named = is_told and is_share and whole in (one, other) and bool(known.named) and known.named[0] in (one, other)
        is_last = is_named or (is_part and one in known.here and other in known.before[:1])  # 38.6M. Of the 124M these are 31 %.
        is_announced = is_last or (are_meant and (is_part or not is_share))
        for way in _compared(one, other, is_share, is_less, is_more):
            yield replace(way, announced=is_announced if way.form is divided else are_meant, allowed=is_told)
    if is_share and whole is not None:
        for one, other in combinations([each for each in known.named if each != whole and _are_alike(each, whole)], 2):
            yield Way((one.size + other.size) / whole.size, (one, other, whole), share_of_two, allowed=is_told)


def _compared(one: Operand, other: Operand, is_share: bool, is_less: bool, is_more: bool) -> Iterator[Way]:
    """The quotient of two operands, as a share if that is meant, and then also by how much one is smaller or larger."""
    small, large = (one, other) if one.size <= other.size else (other, one)
    top, bottom = (small, large) if is_share else (large, small)
    yield Way(top.size / bottom.size, (top, bottom), divided)
    if is_share and is_less:
        yield Way(1 - small.size / large.size, (small, large), saved)
    if is_share and is_more:
        yield Way(large.size / small.size - 1, (large, small), grown)


def _may_be_compared(one: Operand) -> bool:
    """Whether it is a result, or a number with decimals, which is no count."""
    return one.is_result or _is_decimal(one)


def _is_decimal(one: Operand) -> bool:
    return not one.ratio and bool(one.side.literals) and one.dimensions == PURE and one.last_digit < 1


def _are_alike(one: Operand, other: Operand) -> bool:
    """Whether two operands have the same dimension, in units of one kind."""
    return one.size != other.size and bool(one.dimensions & other.dimensions)

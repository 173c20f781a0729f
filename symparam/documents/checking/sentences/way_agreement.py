"""Whether a way to calculate a number of a sentence gives that number, or differs from it by a slip of the pen."""

from __future__ import annotations

from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.calculated_way import Known, Way
from symparam.documents.checking.sentences.operands import Operand
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.errors import FormulaError

_LEAST_SLIP = 100_000  # Numbers from here on do not differ in a single digit by chance.
_LEAST_SHOWN = 4  # Digits before its zeros of a number with a slip: ``170,000`` is one digit away from too much.
_CLOSE = 1.1  # Two numbers that differ by a smaller factor are alike.
_MOST_OFF = 5  # By how many units of its last digit a share may be off.
_LEAST_ROUNDED = 500  # A sum is so many times as large as what rounding leaves open.
_NOISE = 1e-9  # Of floats.
_HOLDS = ("exact", "rounded", "truncated", "unit")


def agreement(way: Way, stated: Operand) -> Judgement | None:
    """The verdict if the way gives the stated number, and is more than that number itself."""
    if not way.is_near(stated) or any(each.key == stated.key for each in way.operands if not each.is_calculation):
        return None
    if way.is_sum and not _adds_up(way, stated):
        return None
    try:
        found = judge_numbers(way.calculation.side, stated.side, "=")
    except FormulaError:
        return None  # Too large, or divided by zero.
    plainly = found.code in (("exact",) if stated.is_single else _HOLDS[:3] if stated.ratio else _HOLDS)
    return found if found.verdict is Verdict.HOLDS and plainly and _is_rounded(way, stated, found) else None


def _is_rounded(way: Way, stated: Operand, found: Judgement) -> bool:
    """Whether the number is the result rounded, or cut off, if each operand is rounded as it shows."""
    if not found.left or not found.right:
        return True
    if found.code == "unit" and any(1 / _CLOSE < way.size / stated.size * each < _CLOSE for each in (8, 1 / 8)):
        return False  # Bits of one are no bytes of the other.
    own = stated.last_digit / stated.size
    if stated.ratio == "share" and abs(way.size - stated.size) > _MOST_OFF * stated.last_digit:
        return False  # 4.8 of 7 are 68.6 %: if 7 may be 7.12, it may be much else.
    rest = sum(each.last_digit / each.size for each in way.operands if each.side.literals and not each.is_calculation) / 2
    return -own / 2 - rest <= (float(found.left / found.right) - 1) * (1 - _NOISE) <= own + rest or any(
        each.is_calculation for each in way.operands
    )


def _adds_up(way: Way, stated: Operand) -> bool:
    """Whether a sum agrees in the last digit of the stated number, or, if words announce it, as far as its rounded parts let it."""
    rounded = sum(each.last_digit for each in way.operands if each.side.literals) / 2 if way.announced else 0.0
    slack = rounded if rounded * _LEAST_ROUNDED <= stated.size else 0.0
    return abs(way.size - stated.size) <= max(stated.last_digit, slack) * (1 + _NOISE)


def disagreement(way: Way, stated: Operand) -> Judgement | None:
    """The judgement that a way does not give the number."""
    try:
        found = judge_numbers(way.calculation.side, stated.side, "=")
    except FormulaError:
        return None  # Too large, or divided by zero.
    return found if found.verdict is Verdict.WRONG else None


def is_slip(way: Way, stated: Operand, known: Known) -> bool:
    """Whether a long number differs from the calculation that words or its operands announce in one digit, or by two swapped digits, and
    not because something else is counted. A shorter number is one slip away from too many.
    """
    if not (way.announced or way.linked) or stated.value < _LEAST_SLIP or not 1 / 2 < way.size / stated.size < 10:
        return False
    side, left, _ = way.calculation
    right = stated.value
    exact = not side.literals and not stated.side.literals and left.denominator == right.denominator == 1
    if not exact or min(left, right) < _LEAST_SLIP or any(abs(right - left) == each.value for each in known.others):
        return False
    one, other = str(left), str(right)
    if len(other.rstrip("0")) < _LEAST_SHOWN:
        return False
    differ = [at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second]
    swapped = len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(one) == sorted(other)
    alone = len(differ) == 1 and right - left not in (10**power for power in range(9))  # A thousand classes may be counted as well.
    return len(one) == len(other) and (swapped or alone)

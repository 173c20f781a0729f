"""Judges results that a sentence derives from those before it: their total, and a count of the last one.

``the first has 442,368, the second 147,456; in total 589,824``, and ``a block has 1,770,240; 6 blocks = 10,621,440``. Such a claim holds if
words say what it is, and the numbers agree; it is never called wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from symparam.core.formula import Product, Sum
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.labelled_quantities import EVIDENT, digits_of
from symparam.documents.checking.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.record import Record
from symparam.documents.checking.unit_readings import ClaimSide, side_of
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.errors import FormulaError

_MOST_PARTS = 8  # Results of one line that are added up.
_MOST_COPIES = 1_000  # A larger number is a size.
_LABEL = 24  # Characters before a number with a word for a total.
_HOLDS = ("exact", "rounded", "truncated", "unit")


def judge_sentence(record: Record, chains: Sequence[EqualityChain], above: Sequence[Expression]) -> list[Expression]:
    """Record the totals and counted results on a line. ``above`` are the results of the line above; those of this one are returned."""
    results: list[Expression] = []
    for chain in chains:
        last = chain.sides[-1]
        if not last.is_number or is_small(last):
            continue
        if not chain.relations and words("total").in_text(chain.label[-_LABEL:]):
            _total(record, results[-_MOST_PARTS:], last)
        elif len(chain.sides) > 1 and chain.sides[0].nouns:
            _counted(record, chain.sides[0], (results or above)[-1:], last, chain.relations[-1].sign)
        results.append(last)
    return results


def is_small(number: Expression) -> bool:
    """Whether the number is so small that it agrees with others by chance."""
    return number.literal is None and number.exact is not None and abs(number.exact) < 10**EVIDENT


def _total(record: Record, parts: Sequence[Expression], total: Expression) -> None:
    for count in range(len(parts), 1, -1):
        added = parts[-count:]
        if {_unit(part) for part in added} != {_unit(total)}:
            continue
        literals = {letter: literal for part in added for letter, literal in part.literals.items()}
        found = _judged(ClaimSide(Sum(tuple(part.formula for part in added)), literals), total, "=")
        if found is not None and applies("total-in-sentence", total.start):
            left = " + ".join(map(record.written, added))
            _add(record, left, total, "=", replace(found, code="sum", by=("total-in-sentence",)))
            return


def _unit(number: Expression) -> str:
    """The unit of a number as it is written; numbers in different units are seldom added up."""
    return number.literal.unit.written if number.literal is not None and number.literal.unit is not None else ""


def _counted(record: Record, count: Expression, one: Sequence[Expression], result: Expression, sign: str) -> None:
    if not one or not isinstance(count.exact, int) or not 1 < count.exact <= _MOST_COPIES:
        return
    found = _judged(ClaimSide(Product((count.formula, one[0].formula)), one[0].literals), result, sign)
    if found is not None and applies("count-of-last", result.start):
        left = f"{record.written(count)} × {record.written(one[0])}"
        _add(record, left, result, sign, replace(found, by=("count-of-last",)))


def _judged(left: ClaimSide, right: Expression, sign: str) -> Judgement | None:
    try:
        found = judge_numbers(left, side_of(right), sign)
    except FormulaError:
        return None  # Too large.
    is_evident = found.code == "exact" or digits_of(right) >= EVIDENT
    return found if found.verdict is Verdict.HOLDS and found.code in _HOLDS and is_evident else None


def _add(record: Record, left: str, right: Expression, sign: str, found: Judgement) -> None:
    record.add((right.start, right.end, right.start), left, record.written(right), sign, found)

"""The claims of the columns of a table that are computed from others, and of the rows that are, where the things stand in columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set

from symparam.documents.checking.entries.list_parsing import is_about
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.tables.cells import RowClaim
from symparam.documents.checking.tables.column_relations import Numbers
from symparam.documents.checking.tables.computed_column import FEWEST_AGREEING, ComputedColumn
from symparam.documents.reading.expression import Expression
from symparam.documents.words import words


def across(rows: Sequence[Numbers]) -> list[Numbers]:
    """The numbers of each column by their rows; none if the first column has numbers, and not labels."""
    if any(0 in row for row in rows):
        return []
    columns = sorted({column for row in rows for column in row})
    return [{at: row[column] for at, row in enumerate(rows) if column in row} for column in columns]


def claims_of(
    found: ComputedColumn, heading: str, text: str, claimed: Set[int], others: Sequence[ComputedColumn] = ()
) -> Iterator[RowClaim]:
    """The claims of a column with this heading, but for numbers that are ``claimed``; what a mistake in one of the ``others`` is computed
    into is none itself.
    """
    # An unstated relation may have exceptions: not every width is heads times head size, and a window ends what grows with the length.
    says_total = not found.relation.rule and words("total").in_text(heading)
    if says_total and found.is_certain:
        wrong = found.wrong_rows_beside(FEWEST_AGREEING)
    else:
        wrong = found.wrong_rows if says_total and all(row.is_exact(found) for row in found.rows) else found.mistakes
    causes = [each for each in others if each.column in found.relation.columns and found.column not in each.relation.columns]
    wrong = tuple(row for row in wrong if not any(row.numbers is each.numbers for cause in causes for each in cause.mistakes))
    exceptions = found.exceptions if not wrong and len(found.wrong_rows) == 1 else ()
    for row in (*found.agreeing_rows, *found.rounded_rows, *wrong, *(each.undecided() for each in exceptions)):
        right, sides = row.numbers[found.column], [row.numbers[each] for each in found.relation.columns_in(row.numbers)]
        left = found.relation.left(row.numbers)
        is_rough = row.is_close and any(is_about(each, text) for each in (right, *sides))
        # 2-4 hours; 0.900/29.51/1222s, which are three values.
        is_unclear = any(each.doubts or text.count("/", each.start, each.end) > 1 for each in (right, *sides))
        is_open = row.judgement.verdict is not Verdict.HOLDS and is_unclear
        if right.start not in claimed and left is not None and not (is_rough or is_open):
            first, last = min(sides, key=lambda each: each.start), max(sides, key=lambda each: each.start)
            joined = Expression(left.formula, first.first, last.last, first.start, last.end, left.literals)
            written = [text[each.start : each.end] for each in (*sides, found.relation.own or right)]
            yield RowClaim(joined, right, row.judgement, found.relation.written(written[:-1], written[-1]))

"""The numbers that a page states before a table and in its head, of which its columns may be multiples, the nearest ones first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symparam.documents.checking.entries.labelled_quantities import LabelledQuantity, digits_of
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.sentences.quantity_extraction import extract_quantities
from symparam.documents.checking.tables.column_relations import Constant
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedLine

_MOST, _LEAST_DIGITS = 30, 3  # The last numbers before a table, and their digits.
_LEAST_OF_HEAD = 1_000  # The least number in a head.


def constants_before(rows: Sequence[ParsedLine], stated: Sequence[LabelledQuantity], text: str) -> Iterator[Constant]:
    """The long numbers of the head, ``embeddings (V = 50,257)``, of the line before the table, ``on a device with 287 GB/s``, and the last
    ones that the page has ``stated``.
    """
    for last in (chain.sides[-1] for cell in rows[0].cells for chain in cell.chains if chain.sides[-1].is_number):
        value = usual_value(last.formula, last)
        if value is not None and value >= _LEAST_OF_HEAD:
            yield Constant(value, _written(last, text), last)
    start = rows[0].line.start
    above = text.rfind("\n", 0, len(text[:start].rstrip())) + 1
    before = {each.value: each.expression for each in extract_quantities(text, above, start).amounts}
    before |= {each.value: each.expression for each in stated[: -_MOST - 1 : -1] if each.value is not None}
    for value, number in before.items():
        if value > 0 and digits_of(number) >= _LEAST_DIGITS:
            yield Constant(value, _written(number, text), number)


def _written(number: Expression, text: str) -> str:
    return text[number.start : number.end]

"""Judges shapes in brackets next to the number of their elements: ``| (768, 3072) | 2,359,296 |`` and ``torch.Size([768]) 768``; and the
numbers of inputs and outputs of a layer next to the number of its weights, with or without biases: ``400 → 120 (48,120)``.

Such a claim holds if the sizes multiply to the number. It is wrong only in a table, if other rows of its columns hold and neither a bias
nor copies explain the difference.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import takewhile
from math import prod

from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.tables.table_checker import CheckedTable, Columns
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.rules.rule import applies, in_force
from symparam.documents.words import words

_FAR = 200  # Characters between a shape and its number.
_LEAST = 1_000  # A smaller number is the product of two sizes by chance.
_SHAPE = re.compile(
    r"(?:\[(?=[^()（）\[\]]*+\])|[(（](?=[^()（）\[\]]*+[)）]))\s*+"
    r"(?P<sizes>\d{1,9}+(?>(?:\s*+(?:[,，×x*·]|\\times)\s*+\d{1,9}+){0,9}))\s*+[,，]?\s*+[\])）]++"
)
_LAYER = re.compile(
    r"(?<![\w.,→>])(?P<inputs>\d{1,9})\s?(?:→|⇒|[-=]>|\\(?:to|rightarrow))\s?(?P<outputs>\d{1,9})(?![\d.,]*\d|\s?(?:→|⇒|[-=]>))"
    r"(?P<words>[^\d\n|]{0,24}?[(（:：=,，|])\s?(?P<number>\d{1,3}(?>(?:[,.' ]\d{3})+)|\d{3,12})(?![\d.,]*\d|\s?[%×*·/^])"
)
_BEFORE = re.compile(r"([^\W\d_]{1,20})\W{0,6}$")
_LONGEST_BEFORE = 26
_LEAST_SIZE = 2
_FEWEST_AGREEING = 3  # Rows of two columns that hold, for each one that is wrong.
_SENTENCE_END = sentence_end()
_BETWEEN = re.compile(r"[,，×x*·]|\\times")
_BETWEEN_THOUSANDS = re.compile(r"(?<=\s),|,(?!\d{3}(?!\d))|[，×x*·]|\\times")


@frozen
class WrittenShape:
    """A shape in the text; ``products`` are its numbers of elements, by its sizes, with commas between three digits read in either way."""

    start: int
    end: int
    products: Mapping[int, Sequence[int]]
    is_called_one: bool

    def is_of(self, number: Expression) -> bool:
        """Whether the number is that of its elements: a word says so, or it is unlikely to agree by chance."""
        return number.exact in self.products and (self.is_called_one or (number.exact or 0) >= _LEAST)

    def differs_from(self, number: Expression) -> bool:
        """Whether the number is neither that of its elements, nor that of several such shapes, nor that with a bias."""
        stated = number.exact
        return isinstance(stated, int) and all(
            stated % product and stated - product not in {*sizes, sum(sizes)} for product, sizes in self.products.items() if product
        )


def judge_shapes(record: Record, chains: Sequence[EqualityChain], start: int, end: int) -> None:
    """Record the numbers on a line, from ``start`` to ``end``, that count the elements of the last shape before them."""
    shapes = list(_shapes(record.text, start, end)) if chains else []
    ends = [shape.end for shape in shapes]
    for number in (chain.sides[-1] for chain in chains if shapes):
        place = bisect_right(ends, number.start) - 1
        if place < 0 or number.start - ends[place] > _FAR or _SENTENCE_END.search(record.text, ends[place], number.start):
            continue
        if shapes[place].is_of(number):
            _add(record, shapes[place], number, _judged_since(record, start))


def judge_layers(record: Record, start: int, end: int) -> None:
    """Record the numbers of weights directly behind the inputs and outputs of a layer on a line, from ``start`` to ``end``."""
    judged: Set[int] | None = None
    for match in _LAYER.finditer(record.text, start, end):
        inputs, outputs = int(match["inputs"]), int(match["outputs"])
        stated = int(re.sub(r"\D", "", match["number"]))
        with_biases = stated == (inputs + 1) * outputs
        if not (with_biases or stated == inputs * outputs) or min(inputs, outputs) < _LEAST_SIZE:
            continue
        judged = _judged_since(record, start) if judged is None else judged
        if match.start("number") not in judged and applies("layer-from-to", match.start("number")):
            written = f"{inputs} × {outputs}" + (f" + {outputs}" if with_biases else "")
            found = Judgement(Verdict.HOLDS, "exact", message("same-number"), Fraction(stated), Fraction(stated), ("layer-from-to",))
            record.add((match.start(), match.end("number"), match.start("number")), written, match["number"], "=", found)


def judge_shapes_in_table(record: Record, table: CheckedTable) -> None:
    """Record the numbers in a table that count the elements of a shape in another cell of their row, and those that do not beside others
    of their column that do.
    """
    judged = _judged_since(record, table.body[0].cells[0].start) if table.body and table.body[0].cells else frozenset[int]()
    held: dict[Columns, set[int]] = {}
    others: dict[Columns, list[tuple[WrittenShape, Expression]]] = {}
    wrong: dict[int, tuple[WrittenShape, Expression]] = {}
    for row, numbers in zip(table.body, table.numbers, strict=True):
        listed = [(column, shape) for column, cell in enumerate(row.cells) for shape in _shapes(record.text, cell.start, cell.end)]
        pairs = [((place, column), shape, number) for place, shape in listed for column, number in numbers.items()]
        alike = {id(shape): (columns, shape, number) for columns, shape, number in reversed(pairs) if shape.is_of(number)}
        for columns, shape, number in reversed(alike.values()):
            held.setdefault(columns, set()).add(number.start)
            _add(record, shape, number, judged)
        for columns, shape, number in pairs if not alike else ():
            others.setdefault(columns, []).append((shape, number))
    for columns, failed in others.items():
        if len(held.get(columns, ())) >= _FEWEST_AGREEING * len(failed) and in_force("column-that-holds"):
            wrong |= {number.start: (shape, number) for shape, number in failed if shape.differs_from(number)}
    for shape, number in wrong.values():
        _add(record, shape, number, judged)


def _shapes(text: str, start: int, end: int) -> Iterator[WrittenShape]:
    for match in _SHAPE.finditer(text, start, end):
        before = _BEFORE.search(text, max(start, match.start() - _LONGEST_BEFORE), match.start())
        is_called_one = before is not None and (before[1] == "Size" or words("shape").in_text(before[1]))
        ways = (_sizes(_BETWEEN, match["sizes"]), _sizes(_BETWEEN_THOUSANDS, match["sizes"]))
        products = {prod(way): way for way in ways if is_called_one or sum(size > 1 for size in way) > 1}
        if products:
            yield WrittenShape(before.start() if before and is_called_one else match.start(), match.end(), products, is_called_one)


def _sizes(between: re.Pattern[str], written: str) -> list[int]:
    """The sizes, such as 50,257 and 768 in ``50,257, 768``, where a comma between a digit and three digits separates none."""
    return [int(each.replace(",", "")) for each in between.split(written)]


def _judged_since(record: Record, start: int) -> Set[int]:
    """The places of the numbers from ``start`` on that claims have been judged on."""
    places = (each.finding.right_start for each in reversed(record.judged))
    return frozenset(takewhile(lambda place: place >= start, places))


def _add(record: Record, shape: WrittenShape, number: Expression, judged: Set[int]) -> None:
    if number.start in judged or not applies("printed-shape", number.start):
        return
    found = Judgement(Verdict.HOLDS, "exact", message("sizes-multiply"), rules=("printed-shape",))
    if number.exact not in shape.products:
        elements, stated = Fraction(next(iter(shape.products))), Fraction(number.exact or 0)
        rules = ("printed-shape", "column-that-holds")
        found = Judgement(Verdict.WRONG, "wrong-number", message("left-side", left=elements), elements, stated, rules)
    place = (min(shape.start, number.start), max(shape.end, number.end), number.start)
    record.add(place, record.text[shape.start : shape.end], record.text_of(number), "=", found)

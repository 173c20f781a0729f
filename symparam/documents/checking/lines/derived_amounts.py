"""Judges amounts that follow from words: how many things there are, times how much each of them takes.

``A 70B model at FP16 needs 140 GB``, ``0.5 MB per token, so 2 GB at 4,096 tokens``, and a table with a column for each format. The count
and the rate may be in earlier sentences. Such a claim holds if the three agree. It is not called wrong, because words leave open what
else is counted, except for a slip of the pen in a column of a table of which other rows hold.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from math import prod

from symparam.core.formula import Formula, Product, Quotient, number
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.quantity_extraction import (
    NO_QUANTITIES,
    ExtractedQuantities,
    ExtractedQuantity,
    counted_in_column,
    extract_quantities,
    has_amounts,
    in_column,
)
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.ranges import ends_range
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.checking.tables.cells import result_of
from symparam.documents.checking.tables.table_checker import CheckedTable
from symparam.documents.checking.tables.table_row import TableRow
from symparam.documents.reading.expression import Expression, Literal
from symparam.documents.reading.line_splitting import PageLine
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.rules.rule import applies
from symparam.documents.words import unit_words, words
from symparam.errors import FormulaError

_MOST_TRIED = 3  # Rates, and counts of one thing, beside an amount that may follow from them.
_MOST_KEPT = 2  # Rates in one cell.
_MOST_EARLIER = 1  # Those in other sentences.
_FEWEST_ROWS = 2  # Rows of a column that hold, where another one is wrong.
_MOST_FACTORS = 2  # Counts that a rate is multiplied by.
_ABOVE = 16  # Lines above an amount that may have its count or its rate.
_LEAST_DIGITS = 2  # Digits in which an amount must agree,
_LEAST_CLOSE = 40  # or to this part of it.
_LEAST_ALIKE = 100  # Two numbers that differ by less than this part may be one.
_SENTENCE = 300  # Characters before an amount that are searched for the beginning of its sentence.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_END = sentence_end()
_BRACKET = re.compile(r"\s?(?:[^\W\d_]{1,16}\s){0,2}[(（]\s?~?")
_STORED, _LEAST_STORED = (4, 2), 3  # Bytes of a parameter, and digits that such an amount shows.
_LABEL = re.compile(r"[:：][\s*_`]*\Z")  # At the end of a line that says what those below are about.
_LABELLED = 8  # Characters at the end of a line in which that colon stands.


_Way = tuple[ExtractedQuantity, Sequence[ExtractedQuantity]]
"""A rate, and the counts that it is multiplied by."""


@dataclass
class DerivedAmounts:
    """What later amounts may follow from: the model that a heading names, and the lines above. ``text`` is the page as it is read, with
    points for decimal commas.
    """

    record: Record
    text: str
    _subject: tuple[ExtractedQuantity, ...] = ()
    _level: int = 0
    _above: deque[tuple[int, int]] = field(default_factory=lambda: deque(maxlen=_ABOVE))
    _label: tuple[int, int] = (0, 0)

    def begin_section(self, heading: PageLine) -> None:
        """Note the model that a heading names, for its section and those below it."""
        text = self.text
        marks = text[text.rfind("\n", 0, heading.start) + 1 : heading.start]
        level = marks.count("#")
        counts = tuple(_of(extract_quantities(text, heading.start, heading.end).counts, "parameter"))
        counts = counts if len({each.value for each in counts}) == 1 else ()
        if counts or level <= self._level:
            self._subject, self._level = counts, level
        if counts:
            self._above.clear()

    def judge_line(self, start: int, end: int) -> None:
        """Record the amounts that the sentences of a line derive."""
        text = self.text
        here = extract_quantities(text, start, end) if has_amounts(text, start, end) else NO_QUANTITIES
        stated = sorted([*here.amounts, *_of(here.counts, "parameter")], key=lambda each: each.start)
        ends = [start, *(match.end() for match in _END.finditer(text, start, end)), end] if stated else []
        for amount in stated:
            begins = [each for each in ends if each <= amount.start]
            # What follows from the sentence before is a part of it: "Hence you need 14 GB."
            begin = begins[-2] if len(begins) > 1 and words("so").begins(text[begins[-1] : amount.start]) else begins[-1]
            self._derive(amount, here, (begin, min(each for each in ends if each >= amount.end)))
        self._above.append((start, end))
        if _LABEL.search(text, max(start, end - _LABELLED), end):
            self._label = (start, end)

    def begin_paragraph(self) -> None:
        """Forget the line with a colon that the lines of a paragraph are about."""
        self._label = (0, 0)

    def judge_table(self, table: CheckedTable) -> None:
        """Record the amounts in a table whose rows name the models and whose columns the formats, or the other way around."""
        text = self.text
        head = table.rows[0].cells if table.head else ()
        heads: list[ExtractedQuantities] | None = None
        of_bytes = ("B", *unit_words()["byte"])
        measured = {column for column, cell in enumerate(head) if column and any(word in cell.text for word in of_bytes)}
        held, missed = Counter[tuple[int, int]](), list[tuple[int, ExtractedQuantity, _Way]]()
        for row in table.body:
            if not row.cells or not (measured or has_amounts(text, row.cells[0].start, row.cells[-1].end)):
                continue
            heads = [extract_quantities(text, cell.start, cell.end) for cell in head] if heads is None else heads
            cells = [
                (in_column(alone, head[column].text) if column in measured and (alone := result_of(cell)) is not None else None)
                or extract_quantities(text, cell.start, cell.end)
                for column, cell in enumerate(row.cells)
            ]
            things = self._counted_in(row, head)
            for column, cell in enumerate(cells):
                if len(cell.amounts) == 1 and not _of(cell.counts, "parameter"):
                    above = heads[column] if column < len(heads) else NO_QUANTITIES
                    beside = [cell, *reversed(cells[:column]), above]
                    ways = self._ways_in_cell(cell.amounts[0], beside, above)
                    ways = ways or list(self._ways_of_things(cell.amounts[0], things))
                    found = next((way for way in ways if self._holds(cell.amounts[0], *way, True)), None)
                    if found is not None:
                        held[column, found[1][0].start] += 1
                    else:
                        missed += [(column, cell.amounts[0], way) for way in ways]
        for column, amount, (rate, counts) in missed:
            if held[column, counts[0].start] >= _FEWEST_ROWS:
                self._add_slip(amount, rate, counts)

    def _ways_in_cell(self, amount: ExtractedQuantity, beside: Sequence[ExtractedQuantities], above: ExtractedQuantities) -> list[_Way]:
        """The ways in which an amount in a cell may follow from a rate and a number of parameters."""
        near = [beside[0], above, *beside[1:-1]]
        rates = [rate for each in near for rate in _per(each.rates, amount)[:_MOST_KEPT]]
        counts = next((found[:1] for each in (*beside[1:-1], above) if (found := _of(each.counts, "parameter"))), [])
        if not counts:
            nearest = next((found for each in self._stretches() if (found := _of(each.counts, "parameter"))), [])
            counts = [each[0] for each in (self._subject, nearest) if each and all(_is_alike(one, each[0]) for one in each)]
        rates = [rate for rate in rates[:_MOST_TRIED] if rate.per - amount.per == {"parameter"}]
        return [(rate, [count]) for count in counts for rate in rates]

    def _counted_in(self, row: TableRow, head: Sequence[ParsedCell]) -> dict[str, ExtractedQuantity]:
        """What the row counts in columns whose heads name it, each with its number."""
        numbers = ((result_of(cell), above.text) for cell, above in zip(row.cells, head, strict=False))
        found = [counted for number, above in numbers if number is not None and (counted := counted_in_column(number, above)) is not None]
        return {each.of: each for each in found if each.of != "parameter"}

    def _ways_of_things(self, amount: ExtractedQuantity, things: Mapping[str, ExtractedQuantity]) -> Iterator[_Way]:
        """The ways in which an amount in a cell may follow from what its row counts and from how much each of these takes, as a line above
        the table says.
        """
        rates = (rate for each in self._stretches() for rate in each.rates[::-1]) if things else ()
        for rate in islice((each for each in rates if each.measured == amount.measured and each.per <= things.keys()), _MOST_TRIED):
            yield rate, [things[each] for each in sorted(rate.per)]

    def _derive(self, amount: ExtractedQuantity, here: ExtractedQuantities, sentence: tuple[int, int]) -> None:
        """Record the amount as a rate times counts, of which at least one is in its sentence."""
        begin, last = sentence
        others = [each for each in here.amounts if each.start != amount.start]
        before = max((each.end for each in others if each.end <= amount.start), default=begin)
        behind = min((each.start for each in others if each.start >= amount.end), default=last)
        if (amount.per and self._shared(amount, here, sentence)) or self._stored(amount, here):
            return
        rates = self._near(here.rates, amount, (begin, min(last, behind)), before)
        for rate, is_near in rates:
            needed = sorted(rate.per - amount.per)
            if not 0 < len(needed) <= _MOST_FACTORS or ("bytes" if rate.is_format else rate.measured) != amount.measured:
                continue
            choices = []
            for thing in needed:
                found = list(self._counts(thing, amount, here, (begin, min(last, behind))))
                choices.append([each for each in found if is_near or each[1]] or (found if len(needed) > 1 else []))
            for chosen in islice(product(*choices), _MOST_TRIED):
                is_beside = is_near and all(near for _, near in chosen)
                if (is_near or any(near for _, near in chosen)) and self._holds(amount, rate, [each for each, _ in chosen], is_beside):
                    return

    def _shared(self, amount: ExtractedQuantity, here: ExtractedQuantities, sentence: tuple[int, int]) -> bool:
        """Record the amount as an earlier one divided among several things in its sentence: ``70B on 8 GPUs: 8.75B per GPU``."""
        begin, _ = sentence
        wholes = [each for each in (*here.amounts, *_of(here.counts, "parameter")) if begin <= each.start < amount.start]
        whole = next((each for each in reversed(wholes) if each.measured == amount.measured and not each.per), None)
        if whole is None or self.record.is_stated_at(amount.start):
            return False
        for thing in sorted(amount.per):
            for count in [each for each in _of(here.counts, thing) if begin <= each.start < amount.start][-1:]:
                each = Quotient(whole.expression.formula, count.expression.formula)
                if whole is not count and self._add(amount, each, [whole, count], " / ", "amount-of-each"):
                    return True
        return False

    def _stored(self, amount: ExtractedQuantity, here: ExtractedQuantities) -> bool:
        """Record the amount in a bracket behind a number of parameters as what they take: ``Total params: 1,191,170 (4.54 MB)``."""
        counts = [each for each in _of(here.counts, "parameter") if _BRACKET.fullmatch(self.text, each.end, amount.start)]
        literal = amount.expression.literal
        if (
            not counts
            or amount.measured != "bytes"
            or literal is None
            or literal.digits < _LEAST_STORED
            or self.record.is_stated_at(amount.start)
        ):
            return False
        for size in _STORED:
            each = ExtractedQuantity(Expression(number(size), 0, 0, amount.start, amount.start), Fraction(size), frozenset(["parameter"]))
            operands = [counts[-1], each]
            if self._add(amount, _product(each, counts[-1:]), operands, " × ", "bytes-of-parameters", True):
                return True
        return False

    def _near(
        self, rates: Sequence[ExtractedQuantity], amount: ExtractedQuantity, sentence: tuple[int, int], before: int
    ) -> Iterator[tuple[ExtractedQuantity, bool]]:
        """The rates that the amount may follow from, the nearest first, each with whether it stands in the same sentence."""
        begin, last = sentence
        rates = [each for each in rates if each.start != amount.start]
        inside = [each for each in rates if max(begin, before if each.is_format else begin) <= each.start < amount.start]
        yield from ((each, True) for each in inside[: -_MOST_TRIED - 1 : -1])
        after = [each for each in rates if amount.end <= each.start < last and each.per == {"parameter"}]
        yield from ((each, True) for each in after if each.start == after[0].start)
        label = extract_quantities(self.text, *self._label) if not inside and not after else NO_QUANTITIES
        labelled = [each for each in label.rates if each.per == {"parameter"}]
        yield from ((each, True) for each in labelled[:_MOST_KEPT])
        if amount.of:
            return  # The size of a model does not follow from earlier sentences.
        earlier = [each for each in rates if each.start < begin or each.start < before][::-1]
        for stretch in self._stretches():
            if len(earlier) >= _MOST_TRIED:
                break
            earlier += stretch.rates[::-1]
        seen = {each.per for each in inside}  # The format of a sentence is not replaced by that of another one.
        for each in earlier:
            if each.per not in seen:
                seen.add(each.per)
                yield each, False

    def _counts(
        self, thing: str, amount: ExtractedQuantity, here: ExtractedQuantities, sentence: tuple[int, int]
    ) -> Iterator[tuple[ExtractedQuantity, bool]]:
        """The counts of a thing, the nearest first, each with whether it stands in the sentence of the amount."""
        begin, last = sentence
        found = [each for each in here.counts if each.of == thing and each.start != amount.start]
        inside = [each for each in found if begin <= each.start < amount.start][::-1][:_MOST_TRIED]
        inside += [each for each in found if amount.end <= each.start < last][:1]
        yield from ((each, True) for each in inside)
        earlier = [each for each in found if each.start < begin][::-1]
        if not earlier:
            above = (each for stretch in self._stretches() for each in _of(stretch.counts, thing)[::-1])
            earlier = list(islice(above, _MOST_EARLIER)) or [each for each in self._subject[:1] if thing == "parameter"]
        yield from ((each, False) for each in earlier[:_MOST_EARLIER])

    def _stretches(self) -> Iterator[ExtractedQuantities]:
        """The lines above, the nearest first."""
        return (extract_quantities(self.text, *place) for place in reversed(self._above))

    def _holds(self, amount: ExtractedQuantity, rate: ExtractedQuantity, counts: Sequence[ExtractedQuantity], is_beside: bool) -> bool:
        """Record the amount as the product of the rate and the counts, if it is one and is not judged already. An amount of one digit
        agrees by chance with what stands in other sentences.
        """
        right = amount.expression
        is_long = right.literal is not None and right.literal.digits >= _LEAST_DIGITS
        is_format = rate.per == {"parameter"}
        if not counts or (is_format and not is_beside and not is_long):
            return False
        if ends_range(self.text, right.start) or self.record.is_stated_at(amount.start):
            return False
        if not amount.value < 2 * prod(each.value for each in (rate, *counts)) < 4 * amount.value:
            return False  # No prefix and no rounding explains such a difference, and judging it takes far longer.
        return self._add(amount, _product(rate, counts), [*counts, rate], " × ", "amount-of-each", is_format)

    def _add_slip(self, amount: ExtractedQuantity, rate: ExtractedQuantity, counts: Sequence[ExtractedQuantity]) -> None:
        """Record an amount of a table as wrong if it is a slip of the pen away from the product."""
        operands = [*counts, rate]
        found = _judged(amount, _product(rate, counts), operands)
        is_slip = found is not None and found.verdict is Verdict.WRONG and found.is_slip
        if found is not None and is_slip and not self.record.is_stated_at(amount.start) and applies("column-that-holds", amount.start):
            self._record(amount, " × ".join(map(self._written, operands)), found, "column-that-holds")

    def _add(
        self,
        amount: ExtractedQuantity,
        formula: Formula,
        operands: Sequence[ExtractedQuantity],
        sign: str,
        rule: str,
        is_format: bool = False,
    ) -> bool:
        """Record the amount as this formula of others, if it is one, and if so many digits do not agree by chance."""
        right = amount.expression
        found = _judged(amount, formula, operands)
        if found is None:
            return False
        digits = min(each.digits for one in operands for each in one.expression.literals.values())
        first, second = Fraction(found.left or 0), Fraction(found.right or 0)
        stated = right.literal
        if stated is None or (stated.digits > digits and not _is_shown(first, second, stated)):
            return False
        close = stated.digits >= _LEAST_DIGITS or abs(first - second) * _LEAST_CLOSE <= second
        before = self.text[max(0, right.start - _SENTENCE) : right.start]
        sentence = right.start - len(before) + max((match.end() for match in _END.finditer(before)), default=0)
        if rule == "amount-of-each" and any(each.end < sentence for each in operands):
            close = stated.digits > _LEAST_DIGITS or first in _in_binary(second)  # Elsewhere there are more numbers to choose from.
        evident = is_format or close
        if found.verdict is not Verdict.HOLDS or found.code not in _HOLDS or not evident or not applies(rule, right.start):
            return False
        self._record(amount, sign.join(map(self._written, operands)), found, rule)
        return True

    def _record(self, amount: ExtractedQuantity, left: str, found: Judgement, rule: str) -> None:
        right = amount.expression
        place = (right.start, right.end, right.start)
        self.record.add(place, left, self.record.text_of(right), "=", replace(found, rules=(*found.rules, rule)))

    def _written(self, operand: ExtractedQuantity) -> str:
        return f"{operand.value} bytes" if operand.is_format else self.record.text_of(operand.expression)


def _product(rate: ExtractedQuantity, counts: Sequence[ExtractedQuantity]) -> Formula:
    own = number(rate.value) if rate.is_format else rate.expression.formula
    return Product((*(each.expression.formula for each in counts), own))


def _judged(amount: ExtractedQuantity, formula: Formula, operands: Sequence[ExtractedQuantity]) -> Judgement | None:
    literals = {letter: literal for each in operands for letter, literal in each.expression.literals.items()}
    try:
        return judge_numbers(ClaimSide(formula, literals), side_of(amount.expression), "=")
    except FormulaError:
        return None  # Too large.


def _is_alike(one: ExtractedQuantity, other: ExtractedQuantity) -> bool:
    """Whether a number is another one rounded: 354.5M and 354,501,632."""
    return abs(one.value - other.value) * _LEAST_ALIKE <= other.value


def _in_binary(amount: Fraction) -> list[Fraction]:
    """The amount, and its value if its prefix and that of the other are powers of 1024."""
    return [amount * Fraction(1024, 1000) ** power for power in range(-3, 4)]


def _of(counts: Sequence[ExtractedQuantity], thing: str) -> list[ExtractedQuantity]:
    return [each for each in counts if each.of == thing]


def _per(rates: Sequence[ExtractedQuantity], amount: ExtractedQuantity) -> list[ExtractedQuantity]:
    return [each for each in rates if each.start != amount.start and each.per > amount.per]


def _is_shown(first: Fraction, second: Fraction, stated: Literal) -> bool:
    """Whether the first number is the stated one to its last digit: 3.42 GB does not follow from a model of 1.8B, which may be 1.75B."""
    return abs(first - second) * stated.value < stated.last_digit * second

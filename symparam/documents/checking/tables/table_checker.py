"""Judges tables: a cell with a formula beside a cell with its number, columns of shapes, and columns with totals."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field

from symparam.core.formula import Formula, Number, Product, Sum
from symparam.core.frozen import cached_property
from symparam.core.message import message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.claims import judge_link
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.labelled_quantities import digits_of, is_factor, is_percent, names_before
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.entries.list_parsing import is_about, usual_value
from symparam.documents.checking.entries.things_of_each import BEHIND, things_of_each
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.relative_changes import ChangeClaim
from symparam.documents.checking.sentences.shares import Share
from symparam.documents.checking.sides.number_agreement import Judgement, is_power_of_ten
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.checking.sums.listed_formulas import Labelled, whole_of_parts
from symparam.documents.checking.sums.sums import Ledger, SumClaim
from symparam.documents.checking.tables.cells import (
    RowClaim,
    calculations,
    is_single,
    links,
    number_in,
    result_of,
    shares_in,
    sign_of,
)
from symparam.documents.checking.tables.changes_in_rows import ComparedColumns, compared_columns
from symparam.documents.checking.tables.claims_of_columns import across, claims_of
from symparam.documents.checking.tables.column_relations import FORMATS, Constant
from symparam.documents.checking.tables.column_sizes import format_in
from symparam.documents.checking.tables.computed_columns import computed_columns, is_ratio_of_others
from symparam.documents.checking.tables.letters_of_heads import letters_of_heads
from symparam.documents.checking.tables.letters_of_two_meanings import letters_of_two_meanings
from symparam.documents.checking.tables.table_row import TableRow
from symparam.documents.gaps.arithmetic.stated_number import StatedNumber, int_if_whole
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.rules.rule import applies, first_doubt, in_force, judging_at
from symparam.documents.words import words

_MOST_COLUMNS = 24  # Columns of a table whose cells are compared; a wider one is data.
_MANY_DIGITS = 6  # A number with so many digits agrees with nothing in its row by chance.
_ONE_DIGIT = 9
_MONEY = frozenset("$€£¥₩")
_CALCULATED = re.compile(r"\d ?[x×*·] ?[A-Za-z]|[\w)] ?[/÷×*+] ?[\w(]|\w [−–-] \w")  # In the label of a row: d_ff (4 × d_model).
_FEWEST_UNITS = 3  # Of the values of a table with a name and a value in each row.

Columns = tuple[int, int]
"""The column of a formula and the column of its number."""


@dataclass
class CheckedTable:
    """The rows of a table, and what is found in it: numbers ``stated``, ``shares``, ``totals``, formulas that are the total of a section,
    ``quantities`` under the words of their rows and columns, with the results of ``formulas``, and ``remarks`` on its letters.
    ``constants`` are numbers stated before it.
    """

    rows: Sequence[TableRow]
    text: str
    title: str = ""
    stated: list[StatedNumber] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    totals: list[ListEntry] = field(default_factory=list)
    sections: list[tuple[str, Expression, int]] = field(default_factory=list)
    quantities: list[tuple[str, Expression, str, Expression | None]] = field(default_factory=list)
    formulas: list[tuple[str, Expression, int, TableRow]] = field(default_factory=list)
    remarks: list[JudgedClaim] = field(default_factory=list)
    constants: tuple[Constant, ...] = ()
    operands: set[Columns] = field(default_factory=set)
    held: Counter[Columns] = field(default_factory=Counter)
    unclear: list[tuple[Columns, RowClaim]] = field(default_factory=list)
    failed: dict[Columns, list[RowClaim]] = field(default_factory=dict)

    @cached_property
    def head(self) -> list[str]:
        """The row above the body, with the heads of the columns."""
        return [cell.text for cell in self.rows[0].cells] if len(self.rows) > 1 and self.rows[1].is_delimiter else []

    @cached_property
    def body(self) -> list[TableRow]:
        """The rows below the head."""
        return [row for row in self.rows if not row.is_delimiter and row.cells][1 if self.head else 0 :]

    @property
    def indent(self) -> int:
        """How far the table is indented."""
        return self.rows[0].parsed.line.indent

    @cached_property
    def numbers(self) -> list[dict[int, Expression]]:
        """The numbers of each row by their columns; in the first one stand names, in which numbers are no remarks."""
        return [
            {column: number for column, cell in enumerate(row.cells) if (number := (number_in if column else result_of)(cell))}
            for row in self.body
        ]

    @cached_property
    def compared(self) -> list[ComparedColumns]:
        """The columns of changes of which each row compares two others."""
        rows = zip((row.cells for row in self.body), self.numbers, strict=True)
        return list(compared_columns(list(rows), self.head, self.text))

    @property
    def changes(self) -> Iterator[ChangeClaim]:
        """The claims of these columns that are no operands of what they compare."""
        meant = (each for each in self.compared if self.operands.isdisjoint((each.column, other) for other in each.columns))
        return (claim for found in meant for claim in found.claims)

    @property
    def numbers_and_formats(self) -> Iterator[dict[int, Expression]]:
        """The numbers of each row, with the bits of the format that its label names."""
        for row, numbers in zip(self.body, self.numbers, strict=True):
            named = format_in(self.text, row.cells[0].start, row.cells[0].end) if 0 not in numbers else None
            yield numbers if named is None else {**numbers, FORMATS: Expression(Number(named[0]), 0, 0, *named[1:])}

    @cached_property
    def factors(self) -> frozenset[int]:
        """The columns whose numbers are factors: ``2.3×``, ``1.7 倍``."""
        stated = [(column, is_factor(number, self.text)) for row in self.numbers for column, number in row.items()]
        return frozenset(column for column, _ in stated) - {column for column, is_one in stated if not is_one}

    @cached_property
    def paid(self) -> frozenset[int]:
        """The columns whose numbers are money."""
        signs = [(column, self.text[max(0, number.start - 1) : number.start + 1]) for row in self.numbers for column, number in row.items()]
        return frozenset(column for column, sign in signs if not _MONEY.isdisjoint(sign))

    @cached_property
    def lists_facts(self) -> bool:
        """Whether each row has a name and a number, which measure several things: ``| GPUs | 512 |``, ``| Peak | 989 TFLOP/s |``."""
        literals = [row[1].literal for row in self.numbers] if self._is_pairs else []
        return len({each.unit.counted for each in literals if each is not None and each.unit is not None}) >= _FEWEST_UNITS

    @cached_property
    def _is_pairs(self) -> bool:
        return all(len(row.cells) == 2 for row in self.body) and all(1 in row and 0 not in row for row in self.numbers)

    @cached_property
    def shapes_and_totals(self) -> tuple[list[int], list[int]]:
        """The columns of shapes and those of totals, by their heads."""
        shape, total = ([column for column, text in enumerate(self.head) if words(said).in_text(text)] for said in ("shape", "total"))
        return shape, total

    @cached_property
    def is_shifted(self) -> bool:
        """Whether a row has more cells than there are heads: cells may span rows, so that what stands below them is in another column."""
        return bool(self.head) and any(len(row.cells) > len(self.head) for row in self.body)

    def heading(self, column: int) -> str:
        """The head of a column."""
        return self.head[column] if 0 <= column < len(self.head) else ""


def judge_table(table: CheckedTable, knowledge: Knowledge) -> Iterator[SumClaim | RowClaim]:
    """The claims of one table."""
    ledgers: dict[int, Ledger] = {}
    formulas: dict[int, list[Labelled]] = {}
    claimed: set[int] = set()  # The places of the numbers that have a finding.
    for row in table.body:
        judging_at(row.parsed.line.start)
        if row.is_gap:
            for ledger in ledgers.values():
                ledger.interrupt()
            formulas.clear()
            continue
        for cell in row.cells:
            yield from links(cell, table.text, knowledge)
        table.shares.extend(shares_in(row.cells, table.text))
        own = None
        for claim in _row_claims(table, row, knowledge):
            own = own or claim.left
            claimed.add(claim.right.start)
            yield claim
        for total in _numbers(table, row, ledgers, own):
            if not total.is_open:
                claimed.add(total.total.start)
            yield total
        yield from _formulas(table, row, formulas, knowledge)
    yield from (claim for columns, claim in table.unclear if table.held[columns] and columns not in table.failed)
    for columns, claims in table.failed.items():
        alike = table.held[columns] // len(claims) if in_force("column-that-holds") else 0
        yield from (each.made_by("column-that-holds") for each in claims if each.is_wrong_beside(alike, table.text, knowledge))
    if table.head:
        yield from letters_of_heads([row.cells for row in table.body], table.rows[0].cells, knowledge, claimed)
    yield from _columns(table, claimed)
    table.quantities.extend(_with_results(table))
    table.remarks.extend(letters_of_two_meanings((row.cells for row in table.body), table.text))


def _columns(table: CheckedTable, claimed: Set[int]) -> Iterator[RowClaim]:
    """The claims of columns that are computed from others, and of rows that are."""
    compared = {each.column: each.columns for each in table.compared if each.is_whole and len(each.columns) > 1}
    rows = list(table.numbers_and_formats)
    taken = set(claimed)
    computed = list(computed_columns(rows, table.head, table.constants, table.factors, compared, table.paid))
    for found in computed:
        table.operands |= {(each, found.column) for each in found.relation.columns}
        for claim in claims_of(found, table.heading(found.column), table.text, claimed, computed):
            taken.add(claim.right.start)
            yield claim
    labels = [row.cells[0].text for row in table.body]
    calculated = {at for at, label in enumerate(labels) if _CALCULATED.search(label)}
    for found in computed_columns(across(table.numbers), labels) if calculated else ():
        if found.column in calculated:
            yield from claims_of(found, labels[found.column], table.text, taken)


def _numbers(table: CheckedTable, row: TableRow, ledgers: dict[int, Ledger], own: Expression | None) -> Iterator[SumClaim]:
    """Add the numbers of a row to their columns. Returns the claims of those that are totals."""
    for column, (cell, name) in enumerate(zip(row.cells, names_before(row.cells), strict=True)):
        entry = _entry(table, row, column, cell, own)
        if entry is None:
            continue
        table.totals.append(entry)
        table.quantities.append((name or entry.label, cell.chains[0].sides[-1], table.heading(column), None))
        if not entry.side.literals:
            table.stated.append(StatedNumber(entry.label, int_if_whole(entry.value), entry.line))
        alone = entry.bold and not any(other.chains for place, other in enumerate(row.cells) if place != column)
        may_add_up = not table.is_shifted and (column not in table.shapes_and_totals[0] or _is_result(table.heading(column)))
        claim = ledgers.setdefault(column, Ledger()).add(entry, strict=(entry.is_total or alone) and may_add_up)
        if claim:
            yield claim


def _formulas(table: CheckedTable, row: TableRow, columns: dict[int, list[Labelled]], knowledge: Knowledge) -> Iterator[RowClaim]:
    """Add the formulas of a row to their columns. Returns the claim if the row is a total, or the whole of the parts above it."""
    label = row.cells[0].text
    for column, (cell, name) in enumerate(zip(row.cells, names_before(row.cells), strict=True)):
        if not column or not is_single(cell) or not cell.chains[0].sides[0].letters:
            continue
        side, above = cell.chains[0].sides[0], columns.setdefault(column, [])
        table.formulas.append((name, side, column, row))
        if not ListEntry.says_total(label):
            if (whole := whole_of_parts(name or label, side, above, knowledge)) is not None:
                yield _sum_of_rows(table, whole.terms, side)
                del above[len(above) - len(whole.terms) :]
            above.append((name or label, side))
            continue
        table.sections.append((label, side, row.number))
        terms = [each for _, each in above]
        holds = len(terms) > 1 and judge_link(_joined(terms), side, "=", knowledge).verdict is Verdict.HOLDS
        if holds and applies("formulas-above", side.start):
            yield _sum_of_rows(table, terms, side)
        columns[column] = []


def _sum_of_rows(table: CheckedTable, terms: Sequence[Expression], total: Expression) -> RowClaim:
    above = message("rows-above", count=len(terms))
    return RowClaim(_joined(terms), total, Judgement(Verdict.HOLDS, "sum", above), _written(table, terms, " + "))


def _with_results(table: CheckedTable) -> Iterator[tuple[str, Expression, str, Expression | None]]:
    """The formulas of the table, each with the number in the column of their results, the head of which says in what they are, as well:
    ``Formula | Bytes``. Without a value for their letters, these are in the only column of numbers.
    """
    usual = {place: column for (place, column), _ in reversed(table.held.most_common())}
    numbers = {column for row in table.numbers for column, each in row.items() if each.is_number and not is_percent(each)}
    only = min(numbers) if not usual and len(numbers) == 1 else -1
    for name, side, place, row in table.formulas:
        column = usual.get(place, only)
        head = " ".join(filter(None, (table.heading(place), table.heading(column))))
        yield name, side, head, result_of(row.cells[column]) if 0 <= column < len(row.cells) else None


def _joined(sides: Sequence[Expression]) -> Expression:
    literals = {letter: literal for side in sides for letter, literal in side.literals.items()}
    first, last = sides[0], sides[-1]
    return Expression(Sum(tuple(side.formula for side in sides)), first.first, last.last, first.start, last.end, literals)


def _row_claims(table: CheckedTable, row: TableRow, knowledge: Knowledge) -> Iterator[RowClaim]:
    """The claim of a cell with a calculation and the cell with its result; wrong only if the heads of the columns say so."""
    if not in_force("calculation-and-result"):
        return
    alone = [(column, cell.chains[0].sides[0]) for column, cell in enumerate(row.cells[:_MOST_COLUMNS]) if is_single(cell)]
    formulas = [(column, side) for column, side in alone if not (side.is_number or side.is_name or is_power_of_ten(side.formula))]
    numbers = [(column, side) for column, side in alone if side.is_number]
    # After a label with its formula in letters: "Token embedding, V × H = 30522 × 768".
    last = [cell.chains[0].sides[-1] for cell in row.cells if len(cell.chains) == 1 and cell.chains[0].relations]
    formulas += [(-1, side) for side in last if not side.is_number and not side.is_name]
    judged = [
        (place, column, RowClaim(left, right, judge_link(left, right, sign_of(row.cells[column]), knowledge)))
        for place, left in formulas
        for column, right in numbers
        if not (right.exact == 0 and left.letters)  # Sizes are positive: zero is by how much a formula differs from another.
    ]
    holding = next((each for each in judged if each[2].judgement.verdict is Verdict.HOLDS), None)
    if holding is not None:
        place, column, claim = holding
        exact = claim.right.exact
        has_one_digit = isinstance(exact, int) and abs(exact) <= _ONE_DIGIT and digits_of(claim.right) <= 1
        if not has_one_digit or _says_result(table, place, column):
            table.held[place, column] += 1
            yield claim.made_by("calculation-and-result")
        else:  # In a single digit any two numbers may agree: 16/32 | 1.
            table.unclear.append(((place, column), claim.made_by("calculation-and-result")))
        return
    beside = _beside(table, row, [side for _, side in numbers], knowledge)
    if beside is not None:
        yield beside
        return
    certain = [claim for place, column, claim in judged if _says_result(table, place, column)]
    if len(certain) == 1 and not (certain[0].left.nouns or first_doubt(certain[0].left.doubts)):
        yield certain[0].made_by("calculation-and-result")
    else:
        for place, column, claim in judged:
            if claim.judgement.verdict is Verdict.WRONG and not claim.left.nouns and not is_ratio_of_others(claim.right, numbers):
                table.failed.setdefault((place, column), []).append(claim)
    yield from _shape_claims(table, row, knowledge)


def _beside(table: CheckedTable, row: TableRow, numbers: Sequence[Expression], knowledge: Knowledge) -> RowClaim | None:
    """The claim of a cell with a number and a cell whose text also has its calculation, if they agree in too many digits for chance."""
    long = [side for side in numbers if digits_of(side) >= _MANY_DIGITS] if in_force("calculation-in-text") else []
    for left, times in calculations(row.cells[:_MOST_COLUMNS]) if long else ():
        value = usual_value(left.formula, left)
        for right in (each for each in long if each.start != left.start and each.exact == value):
            if (found := judge_link(left, right, "=", knowledge)).code == "exact":
                return RowClaim(left, right, found, times + table.text[left.start : left.end]).made_by("calculation-in-text")
    return None


def _shape_claims(table: CheckedTable, row: TableRow, knowledge: Knowledge) -> Iterator[RowClaim]:
    """The claims on ``total`` in a table with columns of shapes: the product of the shapes plus the bias column."""
    shape, total = table.shapes_and_totals
    if not 2 <= len(shape) <= _MOST_COLUMNS or len(total) != 1 or len(row.cells) <= total[0] or not in_force("columns-of-shapes"):
        return
    *sizes, stated = (row.cells[column] for column in (*shape, total[0]))
    if not all(is_single(cell) for cell in (*sizes, stated)):
        return
    parts = [cell.chains[0].sides[0] for cell in sizes]
    formula: Formula = Product(tuple(part.formula for part in parts))
    biases = [
        row.cells[column].chains[0].sides[0]
        for column, text in enumerate(table.head)
        if words("bias").in_text(text) and is_single(row.cells[column])
    ]
    formula = Sum((formula, *(side.formula for side in biases))) if biases else formula
    left = Expression(formula, parts[0].first, parts[-1].last, parts[0].start, parts[-1].end)
    found = judge_link(left, stated.chains[0].sides[0], "=", knowledge)
    if found.verdict in (Verdict.HOLDS, Verdict.WRONG):
        shown = " + ".join(filter(None, (_written(table, parts, " × "), _written(table, biases, " + "))))
        yield RowClaim(left, stated.chains[0].sides[0], found, shown).made_by("columns-of-shapes")


def _written(table: CheckedTable, sides: Sequence[Expression], sign: str) -> str:
    return sign.join(table.text[side.start : side.end] for side in sides)


def _says_result(table: CheckedTable, place: int, column: int) -> bool:
    """Whether the heads of two columns say that one has calculations and the other their results."""
    return words("calculation").in_text(table.heading(place)) and _is_result(table.heading(column))


def _is_result(heading: str) -> bool:
    """Whether the head of a column says that it has results or counts."""
    return words("result").in_text(heading) or words("parameters").in_text(heading)


def _entry(table: CheckedTable, row: TableRow, column: int, cell: ParsedCell, own: Expression | None) -> ListEntry | None:
    if len(cell.chains) != 1 or (column == 0 and len(row.cells) > 1):
        return None
    chain = cell.chains[0]
    last = chain.sides[-1]
    if last.letters or last.unknown or not last.is_number or (not chain.relations and not is_single(cell)) or is_percent(last):
        return None
    value = usual_value(last.formula, last)
    if value is None:
        return None
    formula = chain.sides[-2].formula if chain.relations else own.formula if own is not None else None
    return ListEntry(
        label=row.cells[0].text if column else "",
        text=table.text[last.start : last.end],
        side=ClaimSide(last.formula, last.literals),
        value=value,
        line=row.number,
        start=last.start,
        end=last.end,
        calculation=formula,
        bold=cell.bold,
        is_alone=not chain.relations,
        is_about=is_about(last, table.text),
        things=things_of_each(row.cells[0].text, cell.text[-BEHIND:]) if column else 1,
    )

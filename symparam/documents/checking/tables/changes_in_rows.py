"""Judges columns of changes by the rows' own cells: ``| P50 | 3,500 ms | 1,200 ms | 66% |`` above ``| speed | 850/s | 2,150/s | 2.5× |``.

The same two columns are compared in all rows, but each row may say it in its own way: as a factor, as a share, or as that by which one is
more or less. The rows that agree are the evidence for the column. Without such columns each row may be compared with one above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import prod

from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.entries.labelled_quantities import is_factor, is_percent
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.relative_changes import SIGNS, ChangeClaim, changes_between, stated_ratios
from symparam.documents.checking.sides.chance import ANNOUNCED, MARKED, SET_APART
from symparam.documents.checking.sides.unit_readings import side_of
from symparam.documents.checking.tables.column_relations import Numbers, is_share, roughly
from symparam.documents.checking.tables.digits import plain_digits
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.rules.rule import applies
from symparam.documents.words import says_comparison, words

_MOST_COLUMNS = 8  # Columns with numbers that are compared.
_SENSES = 4  # In which two quantities may be compared.
_FEWEST_AGREEING = 2  # Rows that agree for each one that is far off.
_FEWEST_FOR_WRONG = 3  # The same if that row is to be wrong.
_ROUGH = frozenset("<>≤≥~≈∼～")  # Before a number: it is a bound, or about so much.
_FAR, _POINT = 0.5, 0.01  # The share by which a change may be off, and what may be added to that of a percentage.
_NEAR = 10  # A change is near the whole if it differs by less than this part of it.
_LEAST = 2  # How many times as far off as rounding explains is a change that is wrong.
_UNMEANT = {**dict.fromkeys("+＋", ("1 −",)), **dict.fromkeys("−–-", ("{0} /", "{1} /"))}
"""What a change with a sign is not meant to be, by how that begins."""
_CERTAIN = Fraction(1, 10**6)  # The largest chance with which a row that is off by a little is wrong.

_Row = tuple[Sequence[ParsedCell], Numbers]


@frozen
class ComparedRow:
    """A change in a row of a table, and the two numbers that it compares; ``is_rough`` says that one of the three may be off."""

    change: Expression
    pair: tuple[Expression, Expression]
    text: str
    is_rough: bool

    @cached_property
    def meanings(self) -> tuple[ChangeClaim, ...]:
        """All that the change may mean; nothing if it is far from all of them, which most are by chance."""
        if self._is_far():
            return ()
        one, other = self.pair
        turned = (replace(each, sense=each.sense.format("{1}", "{0}")) for each in changes_between(other, one, self.change, self.text))
        found = (*changes_between(one, other, self.change, self.text), *turned)
        unmeant = _UNMEANT.get(self.text[self.change.start], ()) if is_percent(self.change) else ()
        row = self.text.rfind("\n", 0, self.change.start)
        every = [each for each in (one, other, self.change) if each.start > row]
        place = min(each.start for each in every), max(each.end for each in every)
        return tuple(replace(each, place=place) for each in found if not each.sense.startswith(unmeant))

    def _is_far(self) -> bool:
        stated, one, other = (roughly(each).value for each in (self.change, *self.pair))
        if one * other <= 0:
            return True
        ratios = [one / other, other / one]
        if is_percent(self.change):
            ratios += [each for ratio in ratios for each in (abs(ratio - 1), ratio / (ratio + 1))] + [abs(one - other)]
        return not any(abs(each - stated) <= _FAR * (abs(stated) + _POINT) for each in ratios)

    @cached_property
    def held(self) -> ChangeClaim | None:
        """The first meaning in which it holds."""
        return next((each for each in self.meanings if each.holds), None)

    @property
    def telling(self) -> tuple[str, int]:
        """The change with how many digits of it tell something: no zeros at its end, of one near the whole those in which it differs from
        it, and none if it compares a number with itself.
        """
        (stated, _, _, off), one, other = (roughly(each) for each in (self.change, *self.pair))
        written, digits = plain_digits(self.change)
        digits = min(digits, len(written.partition("×")[0].rstrip("0")))
        apart = abs(stated - 1)
        if apart * _NEAR < stated:
            digits = min(digits, len(str(int(apart / (2 * off * stated))))) if apart else 0
        return written, digits if one.value != other.value else 0

    @property
    def off(self) -> float:
        """The share by which the change may be off because all three numbers are rounded."""
        return sum(roughly(each).off for each in (self.change, *self.pair))

    @property
    def fails(self) -> bool:
        """Whether it holds in none."""
        return not (self.is_rough or self.held or any(each.judgement.verdict is Verdict.UNDECIDED for each in self.meanings))


@frozen
class ComparedColumns:
    """A column of changes with the two that it compares, or the one that it compares with a row above, in the rows that have all three."""

    column: int
    columns: tuple[int, ...]
    rows: tuple[ComparedRow, ...]

    @cached_property
    def agreeing(self) -> tuple[ChangeClaim, ...]:
        """The claims that hold."""
        return tuple(row.held for row in self.rows if row.held is not None)

    @property
    def is_of_shares(self) -> bool:
        """Whether percentages without a sign stand beside percentages: these are mostly of one kind."""
        return all(is_share(each) for row in self.rows for each in (row.change, *row.pair)) and not any(map(_is_signed, self.rows))

    @property
    def is_whole(self) -> bool:
        """Whether it holds in all rows."""
        return len(self.agreeing) == len(self.rows)

    @property
    def failing(self) -> tuple[ComparedRow, ...]:
        """The rows in which it is something else."""
        return tuple(row for row in self.rows if row.fails)

    @property
    def claims(self) -> Iterator[ChangeClaim]:
        """The claims that hold; and beside many of them the only one that does not, if it is off by a little in the sense of its kind."""
        for found in (*self.agreeing, *self._wrong()):
            if applies("row-change", found.right.start):
                yield replace(found, judgement=replace(found.judgement, rules=("row-change",)))

    def _wrong(self) -> Iterator[ChangeClaim]:
        if len(self.columns) > 1 and len(self.failing) == 1 and len(self.agreeing) >= _FEWEST_FOR_WRONG and self.chance(1) <= _CERTAIN:
            (row,) = self.failing
            senses = Counter(each.sense for each in self.agreeing if is_share(each.right) is is_share(row.change))
            usual = [each for each in row.meanings if each.is_close and senses and each.sense == senses.most_common(1)[0][0]]
            yield from (each for each in usual if each.gap > _LEAST * row.off)

    def chance(self, tries: int) -> Fraction:
        """The probability that the rows agree by chance, each change counted once."""
        shown = dict(row.telling for row in self.rows if row.held is not None)
        return tries * prod((min(Fraction(1), Fraction(_SENSES, 10**digits)) for digits in shown.values()), start=Fraction(1))


def compared_columns(rows: Sequence[_Row], heads: Sequence[str], text: str) -> Iterator[ComparedColumns]:
    """The columns of changes of which each row compares the numbers of two others, or one with that of a row above."""
    filled = Counter(column for _, numbers in rows for column in numbers)
    if len(filled) > _MOST_COLUMNS:
        return
    changes = [{column: found for column in numbers if (found := _change(cells[column], numbers[column], text))} for cells, numbers in rows]
    for column, count in Counter(column for each in changes for column in each).items():
        is_told = column < len(heads) and says_comparison(heads[column])
        others = sorted(each for each in filled if each != column) if 2 * count >= filled[column] else []
        beside = (
            ComparedColumns(column, pair, tuple(_compared(pair, column, rows, rows, changes, text))) for pair in combinations(others, 2)
        )
        bases = list(_bases(column, rows, changes))
        below = (ComparedColumns(column, (each,), tuple(_compared((each, each), column, rows, bases, changes, text))) for each in others)
        likely = next(filter(None, (_likely(tried, is_told) for tried in (beside, below))), None)
        if likely is not None:
            yield likely


def _likely(tried: Iterable[ComparedColumns], is_told: bool) -> ComparedColumns | None:
    """The one with the most rows that agree, if they hardly do by chance."""
    meant = [each for each in tried if each.rows and (is_told or not each.is_of_shares)]
    enough = MARKED if not is_told else ANNOUNCED if len(meant) == 1 else SET_APART
    best = max(meant, key=lambda each: len(each.agreeing), default=None)
    if best is None or len(best.agreeing) < _FEWEST_AGREEING * len(best.failing):
        return None
    return best if best.chance(len(meant)) <= enough else None


def _bases(column: int, rows: Sequence[_Row], changes: Sequence[Numbers]) -> Iterator[_Row]:
    """For each row the one that its change is from: the only row that is once as much or 0 % off, else the last such row before it, or the
    first row if that has no change.
    """
    once = [column in each and roughly(each[column]).value == (0 if is_percent(each[column]) else 1) for each in changes]
    only = rows[once.index(True)] if once.count(True) == 1 else None
    last: _Row = ((), {}) if column in changes[0] else rows[0]
    for row, is_once in zip(rows, once, strict=True):
        last = row if is_once else last
        yield ((), {}) if is_once else only or last


def _is_signed(row: ComparedRow) -> bool:
    return row.text[row.change.start] in SIGNS


def _change(cell: ParsedCell, number: Expression, text: str) -> Expression | None:
    """The change in a cell that has no other number, without its sign."""
    stated = list(stated_ratios(text, cell.start, cell.end)) if number.is_number else []
    if len(stated) == 1 and number.start <= stated[0].end and stated[0].start <= number.end:
        return stated[0]
    return number if not stated and is_factor(number, text) else None


def _compared(
    pair: tuple[int, int], column: int, rows: Sequence[_Row], firsts: Sequence[_Row], changes: Sequence[Numbers], text: str
) -> Iterator[ComparedRow]:
    """The rows with a change in a column and two numbers of one kind in others, the first of which may be in another row."""
    for (cells, numbers), (before, given), change in zip(rows, firsts, changes, strict=True):
        one, other = given.get(pair[0]), numbers.get(pair[1])
        if column not in change or one is None or other is None or not (one.is_number and other.is_number):
            continue
        if side_of(one).counted == side_of(other).counted:
            around = ((before[pair[0]], one), (cells[pair[1]], other), (cells[column], numbers[column]))
            yield ComparedRow(change[column], (one, other), text, any(_is_rough(cell, number, text) for cell, number in around))


def _is_rough(cell: ParsedCell, number: Expression, text: str) -> bool:
    """Whether a sign or a word says that the number is a bound or approximate."""
    return bool(number.doubts) or words("about").in_text(cell.text) or not _ROUGH.isdisjoint(text[cell.start : number.start])

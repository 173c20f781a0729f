"""Judges what follows from other quantities of the page by a law of dimension, though no sign of equality says so.

``At 50 tokens/s a million tokens take 5.56 hours.`` A quantity that no other rule has judged is held against what each law makes of those
near it. It holds if one of these agrees in the digits that are shown, and so few were tried that this is no chance.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import partial
from itertools import islice

from symparam.core.formula import Formula, Product, Quotient
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.laws.announcements import is_announced, is_apart
from symparam.documents.checking.laws.joint_evidence import JointEvidence
from symparam.documents.checking.laws.law import LAWS, Binding, Law, bindings_of, bound, is_thing, made
from symparam.documents.checking.laws.law_way import LawWay, of_several_counts
from symparam.documents.checking.laws.pairs import formats_in_bytes, pairs, stored_in_bracket
from symparam.documents.checking.laws.places import BESIDE, Placed, Places
from symparam.documents.checking.laws.typed_quantity import TypedQuantity, for_each_of, powers, typed_in_column, typed_quantities
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.ranges import begins_range, ends_range
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.checking.tables.cells import result_of
from symparam.documents.checking.tables.table_checker import CheckedTable
from symparam.documents.reading.line_splitting import PageLine
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.reading.unit_senses import Dimension
from symparam.documents.roles.runs import packed_format
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.documents.words.scripts import UNSPACED
from symparam.errors import FormulaError

_HOLDS = ("exact", "rounded", "truncated", "unit")
_LIKELY = (7 / 40, 7 / 69, 7 / 690)  # The largest sum of chances if all operands are in the sentence, in the block, or above.
_EXACTLY = 1 / 50  # The chance that a short number is exactly what follows.
_HALF = Fraction(51, 100)  # Of the last digit: where a unit has several senses, these explain enough.
_SHORT = 10  # Values that a number allows that agrees by chance unless it is exact.
_END = sentence_end()
_MOST_OF_LINE = 60
_DEVICE = 30
_DEVICE_BEFORE = re.compile(
    rf"(?<![^\W_])(?!FP|BF|INT|NF|Q\d)[A-Z]{{1,3}}\d{{1,4}}[A-Za-z]{{0,2}}(?:[ (]|\s?[{UNSPACED}]\s?)\(?\Z"
)  # 2x H200 141GB
_DEVICE_BEHIND = re.compile(rf"\s?[{UNSPACED}]?\s?(?!FP|BF|INT|NF|Q\d)[A-Z]{{1,3}}\d{{2,4}}(?!\d)")  # 32GB V100
_BOUND = re.compile(r"[<>≤≥]\s?\Z")
_MOST_TRIED = 4  # Operands of one kind.
_FAR = 30  # A way whose value is further off explains nothing.
_MANY_ROWS = 3  # The same beside a row that names its format itself.
_AMONG = "format-among-others"
_FEWEST_ROWS = 2  # Rows of a column that hold, where another one is wrong.
_CLAUSE = re.compile(r"[,;:.()|\n，。；：（）]")
_IN_BRACKET = re.compile(r"[^\d\n(（]{0,24}[(（][^\n()（）]{0,40}")  # 2.1x faster (from 340 ms to 162 ms).
_NUMBER = re.compile(r"\d")
_REMARK = re.compile(r"\d[^\d\n(（]{0,80}[(（][^\n()（）]{0,40}\Z")  # FP16: 141 GB (more than the 80 GB of a card).
_LEAST_BYTES = 1_000  # Fewer bytes are a format.
_DATA, _PARAMETERS = powers(data=1), powers(parameter=1)
_CODES = frozenset(law.code for law in LAWS)
_EARLY = frozenset({"stored-parameters", "amount-of-things", "amount-for-each", "number-of-things"})
_LAWS = tuple(tuple(law for law in LAWS if (law.code in _EARLY) is early) for early in (False, True))
# Words behind these may say what they are of.
_GOES_ON = frozenset({"stored-parameters", "share-of-amount", "ratio-of-amounts", "bytes-of-format"})
_APART = frozenset({"difference-of-amounts"})  # The operands may all be in the lines above.
_NEAR = frozenset({"amount-of-things", "amount-for-each", "number-of-things"})  # Far away there are things of many kinds.
_LINE = 200  # Characters of a line around a number in which a format stands.


@dataclass
class Laws:
    """The quantities of the page that laws relate."""

    record: Record
    text: str
    places: Places = field(default_factory=Places)
    _stretch: int = 0
    _line: int = 0
    _sections: list[tuple[int, int]] = field(default_factory=list)
    _block: int = 0
    _begun: int = 0
    _joint: JointEvidence = field(default_factory=JointEvidence)
    _unclear: set[int] = field(default_factory=set)
    _decided: set[int] = field(default_factory=set)
    _held: Counter[tuple[str, int, bool]] = field(default_factory=Counter)
    _missed: list[tuple[Placed, LawWay, Judgement]] = field(default_factory=list)
    _judged: list[tuple[Placed, LawWay]] = field(default_factory=list)
    _waiting: list[tuple[Placed, LawWay, Judgement]] = field(default_factory=list)
    _stored: Counter[tuple[int, int]] = field(default_factory=Counter)

    def begin_section(self, level: int) -> None:
        """Begin what a heading heads."""
        self._sections = [*(each for each in self._sections if each[0] < level), (level, self._line)]
        self._block += 1

    def end_block(self) -> None:
        """End a list, a paragraph, or a table."""
        self._judge_block()
        self._block += 1

    def line(self, page: PageLine) -> None:
        """Note the quantities of a line, which has several sentences."""
        found = typed_quantities(self.text, page.start, page.end)
        self._begun = len(self.places.all)
        self._line += 1
        ends = [match.end() for match in _END.finditer(self.text, page.start, page.end)] if found else []
        self._stretch += 1
        for each in found[:_MOST_OF_LINE]:
            while ends and each.start >= ends[0]:
                self._stretch += 1
                ends.pop(0)
            self.places.add(Placed(each, self._stretch, self._line, self._block, self._section, in_heading=page.kind == "heading"))

    def table(self, table: CheckedTable) -> None:
        """Note the quantities of a table, and judge what a row says of things that its columns name."""
        self.end_block()
        head = table.rows[0].cells if table.head else ()
        first = len(self.places.all)
        for row in table.rows:
            self._stretch += 1
            self._line += 1
            is_head = row is table.rows[0] and bool(head)
            is_total = bool(row.cells) and ListEntry.says_total(row.cells[0].text)
            place = partial(Placed, stretch=self._stretch, line=self._line, block=self._block, section=self._section, is_total=is_total)
            for column, cell in enumerate(row.cells):
                above = head[column].text if column < len(head) and not is_head else ""
                for each in self._in_cell(cell, above, column)[:_MOST_OF_LINE]:
                    self.places.add(place(each, column=column, in_head=is_head))
        self._block += 1
        self._judge_from(first, _EARLY)
        self._begun = len(self.places.all)

    @property
    def _section(self) -> tuple[int, ...]:
        return tuple(line for _, line in self._sections)

    def _in_cell(self, cell: ParsedCell, head: str, column: int) -> list[TypedQuantity]:
        """The quantities of a cell; a mere number is in the unit of its column's head, or counts what this names."""
        found = typed_quantities(self.text, cell.start, cell.end, is_label=not column)
        alone = result_of(cell) if head and len(found) == 0 else None
        found = typed_in_column(alone, head, self.text) if alone is not None else found
        return [for_each_of(each, head) for each in found] if head else found

    def judge_line(self) -> None:
        """Record what the last line says of things, before its other numbers are judged."""
        self._judge_from(self._begun, _EARLY)

    def judge(self) -> None:
        """Record what follows from others, of what is not judged yet."""
        self._judge_block()
        self._judge_from(0, frozenset())
        for claim, way, judged in self._joint.accepted():
            if not self.record.is_stated_at(claim.quantity.start) and applies(way.code, claim.quantity.start):
                self._add(claim, way, judged)
        self.record.forget_undecided(self._decided)

    def _judge_from(self, first: int, codes: frozenset[str]) -> None:
        placed = [each for each in self.places.all[first:] if self._may_follow(each.quantity, each.column >= 0)]
        for each in placed if codes else self._undecided(placed):
            if not codes or not self.record.is_judged_at(each.quantity.start):
                self._judge(each, codes)
        self._judge_slips()

    def _undecided(self, placed: Sequence[Placed]) -> Iterator[Placed]:
        """Those of which no claim says already that they hold or are wrong, and that are no part of one."""
        self._unclear = {each.finding.right_start for each in self.record.judged if each.finding.verdict is Verdict.UNDECIDED}
        decided = [(each.finding, each.finding.verdict in (Verdict.HOLDS, Verdict.WRONG)) for each in self.record.judged]
        taken = sorted(
            (each.start, max(each.end, each.right_start + 1) if is_decided else each.right_start) for each, is_decided in decided
        )
        at, reached = 0, 0
        for each in placed:
            start = each.quantity.start
            while at < len(taken) and taken[at][0] <= start:
                reached = max(reached, taken[at][1])
                at += 1
            if start >= reached:
                yield each

    def _may_follow(self, stated: TypedQuantity, in_table: bool) -> bool:
        text = self.text
        if stated.is_in_bytes:
            return True
        if stated.is_format or ends_range(text, stated.start) or begins_range(text, stated.end):
            return False
        is_count = all(_counts(dimension) for dimension in stated.dimensions)
        if (is_count and not (in_table and stated.precision * _SHORT <= 1 and _PARAMETERS not in stated.dimensions)) or (
            stated.size < _LEAST_BYTES and _DATA in stated.dimensions
        ):
            return False
        before = text[max(0, stated.start - _DEVICE) : stated.start]
        if _BOUND.search(before) or _DEVICE_BEFORE.search(before):
            return False
        if _DEVICE_BEHIND.match(text, stated.end):
            return False
        return not words("device").begins(_CLAUSE.split(text[stated.end : stated.end + _DEVICE])[0].lstrip(" -*"))

    def _is_behind(self, claim: Placed, way: LawWay) -> bool:
        """Whether the number stands behind what it follows from, or words directly behind it go on with that: ``140 GB for 70B``."""
        here = [each.quantity for each in way.operands if each.stretch == claim.stretch]
        stated = claim.quantity
        if way.is_told and any(each.stretch != claim.stretch and each.quantity.start > stated.start for each in way.operands):
            return False
        alone = way.is_told or stated.kind or way.code in _APART or way.code in _CODES
        if all(each.start < stated.start for each in here) and (here or alone):
            return True
        if way.code not in _GOES_ON:
            return False
        behind = [each for each in here if 0 <= each.start - stated.end <= _DEVICE]
        if stated.kind and sum(each.start > stated.start for each in here) > 1:
            return all(_IN_BRACKET.fullmatch(self.text, stated.end, each.start) for each in here)
        first = min(behind, key=lambda each: each.start, default=None)
        if first is None or _NUMBER.search(self.text, stated.end, first.start):
            return False
        between = self.text[stated.end : first.start]
        return not stated.kind or any(words(each).in_text(between) for each in ("share_of", "out_of"))

    def _judge(self, claim: Placed, codes: frozenset[str]) -> None:
        tried = dict[str, float]()
        stated = claim.quantity
        for way in sorted(self._ways(claim, codes), key=lambda each: each.tier):
            if not stated.size < _FAR * way.size or not way.size < _FAR * stated.size or not self._is_behind(claim, way):
                continue
            is_stored = way.code == "stored-parameters"
            near = way.says_all or is_stored or stated.size < 2 * way.size < 4 * stated.size
            judged = _judged(way, stated) if near else None
            is_short = stated.precision * _SHORT > 1 and (way.is_told or bool(stated.kind))
            chance = _EXACTLY if is_short and judged is not None and _is_exact(judged) else stated.precision
            in_row = claim.column >= 0 and any(each.stretch == claim.stretch for each in way.operands)
            is_far_told = way.is_told and (in_row or way.code not in _NEAR)
            likely = _LIKELY[min(way.tier, BESIDE) if is_far_told else way.tier]
            chance += tried.get(way.code, 0.0)
            tried[way.code] = tried.get(way.code, 0.0) + stated.precision
            if judged is None:
                continue
            self._judged.append((claim, way))
            holds = judged.verdict is Verdict.HOLDS and judged.code in _HOLDS and _is_shown(judged, stated)
            if not way.says_all and (chance > likely or not (way.is_told or way.code not in _CODES or _is_here(way, claim))):
                if holds:
                    self._joint.add(claim, way, judged, chance)
                continue
            if holds and applies(way.code, stated.start):
                self._held[way.code, claim.column, way.bytes_each >= 1] += 1
                self._stored[claim.block, way.operands[0].quantity.start] += is_stored
                self._add(claim, way, judged)
                return
            if judged.verdict is Verdict.WRONG and (way.says_all or is_stored or (judged.is_slip and way.code in _CODES)):
                self._missed.append((claim, way, judged))

    def _ways(self, claim: Placed, codes: frozenset[str]) -> Iterator[LawWay]:
        yield from self._products(claim, codes)
        if codes:
            yield from stored_in_bracket(claim, self.places, self.text)
        else:
            yield from pairs(claim, self.places, self.text)
            yield from formats_in_bytes(claim, self.places, self.text)

    def _judge_slips(self) -> None:
        """Record numbers that are a slip of the pen off as wrong, if other rows hold, or if words say that just this follows."""
        of_several = of_several_counts(self._judged)
        for claim, way, judged in self._missed:
            start = claim.quantity.start
            if (start, way.code) in of_several:
                continue
            rows = self._held[way.code, claim.column, way.bytes_each >= 1]
            fewest = _FEWEST_ROWS if judged.is_slip or any(each.in_head for each in way.operands) else _MANY_ROWS
            is_beside = claim.column >= 0 and rows >= fewest and is_apart(self.text, claim, way, judged.is_slip)
            rule = way.code if way.says_all else "column-that-holds" if is_beside and way.is_told else ""
            rule = rule or ("slip-of-a-digit" if judged.is_slip and is_announced(self.text, claim, way) else "")
            if rule and not self.record.is_judged_at(start) and applies(rule, start):
                self._add(claim, replace(way, code=rule), judged)
            elif claim.column < 0 and way.code == "stored-parameters" and is_apart(self.text, claim, way, judged.is_slip):
                formats = [each.quantity.end for each in way.operands if each.quantity.is_format]
                if any(_REMARK.search(self.text, min(end, start), start) for end in formats):
                    continue
                self._waiting.append((claim, way, judged))
        for each in (self._missed, self._judged, self._held):
            each.clear()

    def _judge_block(self) -> None:
        """Record the only amount of a block as wrong that is not what the same parameters take in its format, where others are that."""
        for claim, way, judged in self._waiting[:1] if len({each[0].quantity.start for each in self._waiting}) == 1 else ():
            rows, start = self._stored[claim.block, way.operands[0].quantity.start], claim.quantity.start
            if rows >= _FEWEST_ROWS and not self.record.is_judged_at(start) and applies(_AMONG, start):
                self._add(claim, replace(way, code=_AMONG), judged)
        self._waiting.clear()
        self._stored.clear()

    def _add(self, claim: Placed, way: LawWay, judged: Judgement) -> None:
        right = claim.quantity
        left = way.template.format(*(self._written(each.quantity) for each in way.operands))
        place = (right.start, right.end, right.start)
        self._decided.add(right.start)
        self.record.add(place, left, self.record.text_of(right.expression), "=", replace(judged, rules=(*judged.rules, way.code)))

    def _written(self, operand: TypedQuantity) -> str:
        if operand.is_format and not operand.is_in_bytes:
            return f"{operand.value} bytes"
        return self.record.text_of(operand.expression)

    def _products(self, claim: Placed, codes: frozenset[str]) -> Iterator[LawWay]:
        if claim.quantity.kind or claim.quantity.is_format:
            return
        for law in LAWS if claim.quantity.start in self._unclear else _LAWS[bool(codes)]:
            for dimension in claim.quantity.dimensions:
                for binding in bindings_of(law.result, dimension):
                    for operands, tier in self._operands(law, 0, claim, binding):
                        if _is_far_format(operands, claim, self.text):
                            continue
                        if law.code == "stored-parameters" or not any(each.quantity.is_format for each in operands):
                            yield LawWay(law.code, operands, *_product(law, operands), tier, law.is_told)

    def _operands(self, law: Law, at: int, claim: Placed, binding: Binding) -> Iterator[tuple[tuple[Placed, ...], int]]:
        """The operands of a law from the one at a place on, each with how far the farthest is."""
        pattern, _ = law.factors[at]
        for dimension, bindings in self._dimensions(pattern, binding):
            others = (made(other, bindings) for other, _ in law.factors[at + 1 :])
            if not all(other is None or self.places.has(other) for other in others):
                continue
            for one, tier in self.places.near(claim, dimension):
                if at + 1 == len(law.factors):
                    yield (one,), tier
                    continue
                for rest, farthest in islice(self._operands(law, at + 1, claim, bindings), _MOST_TRIED):
                    if one not in rest:
                        yield (one, *rest), max(tier, farthest)

    def _dimensions(self, pattern: str, binding: Binding) -> Iterator[tuple[Dimension, Binding]]:
        """What an operand may measure, with what the variables of the law stand for then."""
        dimension = made(pattern, binding)
        if dimension is not None:
            yield dimension, binding
            return
        for known in self.places.dimensions():
            yield from ((known, found) for found in bound(pattern, known, binding))


def _is_far_format(operands: Sequence[Placed], claim: Placed, text: str) -> bool:
    """Whether the format of numbers is that of other ones: it is one of a block above, which does not lead to this, and the sentence counts
    no parameters, or its line names one whose bytes are not known, such as ``Q4_K_M``.
    """
    elsewhere = [each for each in operands if each.quantity.is_format and each.stretch != claim.stretch]
    is_led = len({each.stretch for each in operands}) == 1 and all(claim.line - each.line == 1 for each in operands)
    if not is_led and any(each.block != claim.block for each in elsewhere) and not any(each.stretch == claim.stretch for each in operands):
        return True
    start = claim.quantity.start
    before = text[max(0, start - _LINE) : start].rpartition("\n")[2]
    return bool(elsewhere) and bool(packed_format(before + text[start : start + _LINE].partition("\n")[0]))


def _counts(dimension: Dimension) -> bool:
    """Whether something of this dimension is a mere count of things, from which others follow."""
    return len(dimension) == 1 and dimension[0][1] == 1 and is_thing(dimension[0][0])


def _product(law: Law, operands: Sequence[Placed]) -> tuple[Formula, float, str]:
    """A law's formula with these operands, its value, and how it is written."""
    factors = [(at, power, each.quantity) for at, ((_, power), each) in enumerate(zip(law.factors, operands, strict=True))]
    above = [each.side.formula for _, power, each in factors if power > 0]
    found, size = Product(tuple(above)) if len(above) > 1 else above[0], 1.0
    for _, power, each in factors:
        size = size * each.size if power > 0 else size / each.size
        found = Quotient(found, each.side.formula) if power < 0 else found
    written = " × ".join(f"{{{at}}}" for at, power, _ in factors if power > 0)
    return found, size, written + "".join(f" / {{{at}}}" for at, power, _ in factors if power < 0)


def _is_here(way: LawWay, claim: Placed) -> bool:
    """Whether one of the operands is in the sentence of the number."""
    return any(each.stretch == claim.stretch for each in way.operands)


def _is_exact(judged: Judgement) -> bool:
    """Whether both sides are the same number, possibly with prefixes that are powers of 1024."""
    left, right = Fraction(judged.left or 0), Fraction(judged.right or 0)
    return any(left == right * Fraction(1024, 1000) ** power for power in range(-3, 4))


def _is_shown(judged: Judgement, stated: TypedQuantity) -> bool:
    """Whether what follows is the stated number to its last digit: 5.3 GB is not a fourth of 20.8 GB."""
    first, second, literal = Fraction(judged.left or 0), Fraction(judged.right or 0), stated.literal
    slack = literal.last_digit * _HALF if judged.code == "unit" else literal.last_digit
    return abs(first - second) * abs(Fraction(literal.value)) < slack * abs(second) or judged.code == "exact"


def _judged(way: LawWay, stated: TypedQuantity) -> Judgement | None:
    literals = {letter: literal for each in way.operands for letter, literal in each.quantity.side.literals.items()}
    try:
        return judge_numbers(ClaimSide(way.formula, literals), stated.side, "=")
    except FormulaError:
        return None  # Too large.

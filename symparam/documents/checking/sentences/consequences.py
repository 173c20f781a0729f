"""Judges numbers in sentences that follow from others: as multiples, parts, sums, differences, ratios, or a rate times a duration.

``At $1.80 an hour the bill is $814. Six encoder layers make 18,880,512, a third of the model. FP8 halves it to 21.5 GB.`` The operands are
the numbers of the sentence, the results before it, and the quantities that its words name. Words beside the number say how it is
calculated, and dimensions exclude what makes no sense. A number holds if one of the remaining ways to calculate it gives it, and these are
so few that this is no chance. It is wrong if words announce the calculation and a single digit of a long number differs.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import pairwise

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Power, Product, Quotient, Sum
from symparam.core.formula import number as written
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.entries.labelled_quantities import (
    LabelledQuantities,
    LabelledQuantity,
    in_unit,
    is_percent,
    meaningful_words,
)
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.calculated_way import Known, Way, is_close, is_of_order
from symparam.documents.checking.sentences.consequence_ways import ways
from symparam.documents.checking.sentences.counted_amounts import CountedAmounts
from symparam.documents.checking.sentences.operand_calculations import as_it_is, left
from symparam.documents.checking.sentences.operands import (
    Operand,
    counts_in,
    has_device,
    is_index,
    operand_of,
    operand_of_side,
    whole_behind,
    with_things,
)
from symparam.documents.checking.sentences.relative_changes import stated_ratios
from symparam.documents.checking.sentences.way_agreement import agreement, disagreement, is_slip
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sides.ranges import ends_range
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.sentences import is_broken
from symparam.documents.reading.unit_senses import PURE, unit_in_label
from symparam.documents.rules.rule import applies, in_force
from symparam.documents.words import words
from symparam.errors import FormulaError

_MOST_BEFORE = 12  # Operands of sentences before the number's own.
_MOST_OF_LINE = 200  # Numbers of a line; one with more is data.
_MOST_LATER = 4  # Operands behind the number in its sentence.
_MOST_HERE = 6  # Operands of its own sentence.
_MOST_NAMED = 3  # Quantities of the page that its sentence names.
_LATEST = 60  # The last quantities of the page, searched for these.
_LEAST_WORD, _TELLING = 3, 5  # Letters of a word that helps to name a quantity, and of one that names it by itself.
_BEHIND = 40  # Characters after a number in which words may be about it.
_ANNOUNCED = 1 / 40  # The same if words announce it.
_LIKELY = 1 / 100  # The largest probability that one of the ways gives the number by chance.
_LINKED = 1 / 69  # The same if its operands belong together: two digits are enough.
_ALLOWED = 1 / 300  # The same if words only say that it follows.
_UNNAMED = 1 / 10_000  # The same if no words say so.
_EXACTLY = 1 / 50  # The probability that a calculation gives exactly an amount of one digit.
_MOST_FORMULAS, _LEAST_EVALUATED = 6, 100  # Formulas of the page whose values are compared, and the least of these.
_ABOVE = 2_000  # Characters above a number in which a count may stand.
_SPREAD = 7  # Calculated numbers are between a thirtieth of the stated one and thirty times it: ln 30².
_COMMAS = (",", "，", "、")
_LONGEST_UNIT = 20  # Characters at the end of a label in which its unit stands.
_UNIT_OF_LABEL = re.compile(r"(?:^|[\s(（\[-])([^\W\d_]{1,12})[)）\]]?[*_`]{0,3}\s?[:：=|][*_`]{0,3}\s{0,3}\Z")
_END = re.compile(r"(?<![ .(][A-Za-z])[.!?](?=\s)|[。！？\n]")  # Not in "i.e.".
_COUNTED = re.compile(r"\s?(?:[^\W\d_]{1,20}\s?){0,2}[:：=→|,，(]?\s{0,3}[~≈]?\s?")  # A unit of a count, and what leads to an amount.
_BESIDE = re.compile(r"[^\d.;:|()（）\n]{0,16}[,，(（]\s?[*_`~≈]{0,3}[+−–-]?")
_ENTRY = re.compile(r"\s*(?:[-*•+]\s|\d{1,2}[.)]\s|#)")  # An item of a list or a comment begins anew.
_COMMENT = ("#", "//", "--")
_DASHES = "−–-"  # Signs, or between the ends of a range.
_UNCLOSED = re.compile(r"[(（][^()（）]*\Z")  # What begins here is about another number.
_RANGE = re.compile(r"\d ?[-–—~～] ?\Z")
_CLAUSE = re.compile(r"[.;,!?(（:：](?=\s|$)|[。；！？，、（\n]")


@dataclass
class Consequences:
    """The numbers of the page so far that later ones may follow from: the ``recent`` ones of the section."""

    record: Record
    quantities: LabelledQuantities
    knowledge: Knowledge
    recent: deque[Operand] = field(default_factory=lambda: deque(maxlen=_MOST_BEFORE))
    _known: dict[int, Operand | None] = field(default_factory=dict)
    _size_of: dict[int, tuple[Mapping[str, int | Fraction], float]] = field(default_factory=dict)
    _may_be_wrong: bool = True
    _amounts: CountedAmounts = field(default_factory=CountedAmounts)
    # Where the last sentence begins, the end of its last line, and its numbers.
    _open: tuple[int, int, list[Operand]] = field(default_factory=lambda: (0, 0, []))

    def begin_section(self) -> None:
        """Forget the numbers of the section before."""
        self.recent.clear()
        self._amounts.clear()
        self._open = (0, 0, [])

    def state(self, total: ListEntry) -> None:
        """Record the total of a table."""
        operand = operand_of_side(total.side, total.value, (total.start, total.end), total.text)
        self.recent.extend([operand] if operand.is_result and operand.value > 0 else [])

    def line(self, chains: Sequence[EqualityChain], start: int, end: int, sparing: bool, may_be_wrong: bool = True) -> None:
        """Judge the numbers of a line that have no verdict yet, in their order; if ``sparing``, as in code and cells, only ratios and what
        words call a total or a rest.
        """
        self._may_be_wrong = may_be_wrong
        text = self.record.text
        opened, above = self._begun_above(start)
        here: list[Operand] = []
        begin = scanned = start
        sparing = sparing and text[text.rfind("\n", 0, start) + 1 : start].strip() not in _COMMENT
        if sum(len(chain.sides) for chain in chains) > _MOST_OF_LINE:
            return
        found = [(each, is_open, operand_of(each, text, derived)) for each, is_open, derived in self._with_ratios(chains, start, end)]
        numbers = [(each, is_open, operand) for each, is_open, operand in found if operand is not None]
        operands = with_things([operand for *_, operand in numbers], text, start, end)
        occupied = [(side.start, side.end) for chain in chains for side in chain.sides if not side.is_number and not side.is_name]
        occupied += [(each.start, each.end) for each in operands if each.dimensions != PURE]
        for at, ((number, is_open, _), operand) in enumerate(zip(numbers, operands, strict=True)):
            for match in _END.finditer(text, scanned, number.start):
                begin = opened = match.end()
                self.recent.extend(each for each in here if each.is_result)
                here, above = [], []
            scanned = max(scanned, number.start)
            if _is_in_list([each for each, *_ in numbers[max(at - 1, 0) : at + 2]], text) or _RANGE.search(text, start, number.start):
                continue
            if is_open and operand.may_follow and not self.record.is_judged_at(number.start) and not has_device(operand, text):
                whole = whole_behind(operand, operands[at + 1 : at + 2], text)
                later = [each for each in operands[at + 1 : at + 1 + _MOST_LATER] if not _END.search(text, number.end, each.start)]
                first, before = (opened, [*above, *here]) if operand.ratio else (begin, here)
                with self.knowledge.as_of(number.start):
                    self._judge(number, operand, ([*whole, *before[-_MOST_BEFORE:]], later), (first, end), occupied, sparing)
            if not is_index(operand, text):
                here.append(operand)
        self.recent.extend(each for each in here if each.is_result)
        ends = [match.end() for match in _END.finditer(text, scanned, end)]
        self._open = (ends[-1], end, []) if ends else (opened, end, [*above, *here])

    def _begun_above(self, start: int) -> tuple[int, list[Operand]]:
        """Where the sentence of a line begins, and its numbers in the lines above, if these were broken because of their length."""
        begin, end, above = self._open
        self._open = (start, start, [])
        text = self.record.text
        is_next = text[end:start].strip(" >") == "\n" and not _ENTRY.match(text, start)
        return (begin, above) if is_next and is_broken(text[text.rfind("\n", 0, end) + 1 : end]) else (start, [])

    def _with_ratios(self, chains: Sequence[EqualityChain], start: int, end: int) -> list[tuple[Expression, bool, bool]]:
        """The numbers of a line with the ratios in its remarks, in their order: ``29.4 ms (1.15x faster)``."""
        text, found = self.record.text, list(self._numbers(chains))
        ratios = list(stated_ratios(text, start, end))
        if not ratios:
            return found
        inside = {place for each, *_ in found for place in range(each.start, each.end)}
        for each in ratios:
            if each.start not in inside and not ends_range(text, each.start + (text[each.start] in _DASHES)):
                found.append((each, True, False))
        return sorted(found, key=lambda each: each[0].start)

    def _numbers(self, chains: Sequence[EqualityChain]) -> Iterator[tuple[Expression, bool, bool]]:
        """The numbers of a line and its calculations without a result, each with two flags: that it is not a side of an equation, and that
        a calculation gives it.
        """
        for chain in chains:
            for at, side in enumerate(chain.sides):
                before = chain.sides[at - 1] if at else None
                is_named = before is not None and (before.is_name or (before.is_number and bool(before.nouns)))
                if side.is_number:
                    label = self.record.text[max(0, chain.start - _LONGEST_UNIT) : chain.start].rpartition("\n")[2]
                    side = _in_unit_of_label(side, label) if side is chain.sides[-1] else side
                    yield side, not at or is_named or chain.relations[at - 1].soft, at > 0 and not is_named
                # What a bracket repeats of a number is judged as such; behind words, as in "in int4 (6.5 GB)", it is another number.
                named = side.is_name or bool(side.nouns)
                for each in side.repeats:
                    if named or is_percent(each.literal):
                        yield each.literal, True, False
                    elif self.record.is_judged_at(each.literal.start) and each.literal.exact != side.exact:
                        yield each.literal, False, True  # The weights of a layer, ``400 → 120 (48,120)``.
                if side.is_number:
                    continue
                if not chain.relations and (calculation := self._in_numbers(side)) is not None:
                    yield calculation, False, True

    def _in_numbers(self, side: Expression) -> Expression | None:
        """A calculation, or a formula with the values of the page; not a run of letters, which may be a word."""
        if side.is_word or side.unknown or not isinstance(side.formula, (Sum, Product, Quotient, Power)):
            return None
        if any(each.kind == "leading-zero" and in_force(each.kind) for each in side.doubts):
            return None  # A date.
        values = self.knowledge.values(side.letters)
        if values is None:
            return None
        return side._replace(formula=side.formula.substitute({each: written(value) for each, value in values.items()}))

    def _judge(
        self, number: Expression, stated: Operand, beside: tuple[Sequence[Operand], Sequence[Operand]], place: tuple[int, int],
        occupied: Sequence[tuple[int, int]], sparing: bool,
    ) -> None:  # fmt: skip
        (here, later), (begin, end) = beside, place
        text = self.record.text
        sentence = text[begin : number.start]
        lead = text[max((each.end for each in here if each.is_result or each.ratio), default=begin) : number.start]
        clause = _UNCLOSED.sub("", _CLAUSE.split(text[number.end : min(end, number.end + _BEHIND)])[0])
        stands = {each.start for each in here}
        named = [each for each in self._named(f"{sentence} {clause}", begin) if each.start not in stands]
        taken = {each.key for each in named}
        before = [each for each in {each.key: each for each in self.recent}.values() if each.key not in taken and each not in here][::-1]
        counts = [] if stated.ratio else list(counts_in(text, begin, number, end, occupied))
        formulas = (
            self._values(f"{sentence} {clause}", number, stated) if stated.precision * _LEAST_EVALUATED <= 1 and not stated.ratio else []
        )
        above = text[max(0, begin - _ABOVE) : number.start] if number.exact is not None else ""
        next_to = next((each for each in here[-1:] if _BESIDE.fullmatch(text, each.end, number.start)), None)
        known = Known(here[-_MOST_HERE:][::-1], named, before, counts, tuple(self.recent)[::-1], formulas, above, later, next_to)
        in_letters, alike = self._with_count(stated, number, here), self._amounts.ways(stated, here[-1] if here else None, text)
        found = [*in_letters, *alike, *ways(stated, known, (sentence, lead, clause))]
        found = [way for way in found if not sparing or (way.announced and (stated.ratio or way.is_sum or way.form is left))]
        tried, precision, chance = 0.0, _EXACTLY if stated.is_short else stated.precision, stated.chance
        for way in found:
            tried += way.tries * (precision if way.announced or way.linked else chance) if way.may_be(stated) else 0
            if tried > (_ANNOUNCED if way.announced else _LINKED if way.linked else _LIKELY) * _SPREAD:
                break
            is_evident = way.announced or way.linked or (not stated.is_short and tried <= (_ALLOWED if way.allowed else _UNNAMED) * _SPREAD)
            judgement = agreement(way, stated) if is_evident else None
            if judgement is not None and stated.is_short and judgement.left not in (judgement.right, *_sizes(stated)):
                continue
            if judgement is not None and applies("follows-in-words", number.start):
                self._add(number, way, replace(judgement, rules=(*judgement.rules, "follows-in-words")))
                return
        others = (*here, *named, *before)
        if not self._may_be_wrong or any(each.key == stated.key for each in others):
            return  # It repeats a number, from which it does not differ by a slip of the pen.
        slips = [way for way in found if is_slip(way, stated, known)]
        slip = slips[0] if slips and not any(self._lacks_a_part(way, stated) for way in slips) else None
        judged = disagreement(slip, stated) if slip is not None else None
        if slip is not None and judged is not None and applies("slip-of-a-digit", number.start):
            self._add(number, slip, replace(judged, rules=("slip-of-a-digit",)))

    def _lacks_a_part(self, way: Way, stated: Operand) -> bool:
        """Whether what a sum lacks stands by itself between its parts and its result, where it was not read as one: the 2 of a last row."""
        _, value, _ = way.calculation
        lacking, first = stated.value - value, min((each.start for each in way.operands), default=stated.start)
        if not way.is_sum or lacking <= 0:
            return False
        alone = re.compile(rf"(?:[ \t]{{2}}|\|[ \t]?){lacking}(?:[ \t]{{2}}|[ \t]?\||$)", re.MULTILINE)
        return alone.search(self.record.text, first, stated.start) is not None

    def _add(self, number: Expression, way: Way, judgement: Judgement) -> None:
        code = "sum" if way.is_sum and judgement.verdict is Verdict.HOLDS else judgement.code
        place = (number.start, number.end, number.start)
        self.record.add(place, way.calculation.written, self.record.text_of(number), "=", replace(judgement, code=code))

    def _named(self, sentence: str, start: int) -> list[Operand]:
        """The quantities before ``start`` that share words with a sentence, those with the largest share of their words and the last ones
        first.
        """
        said = frozenset(word for word in meaningful_words(sentence) if not words("arrives").is_one(word))
        recent = {each.start: each for each in self.recent}
        found: dict[tuple[int, int], tuple[float, Operand]] = {}
        for quantity in self.quantities.stated[-_LATEST:]:
            own = quantity.meaning
            if own.isdisjoint(said):
                continue
            shared = [len(word) for word in own & said if own <= said or len(word) >= _LEAST_WORD or not word.isascii()]
            if not shared or quantity.expression.start >= start or (2 * len(shared) < len(own) and max(shared) < _TELLING):
                continue
            operand = recent.get(quantity.expression.start) or self._operand(quantity.expression)
            if operand is not None and operand.is_result:
                found[operand.key] = (len(shared) / len(own), operand)
        ordered = sorted(found.values(), key=lambda each: (each[0], each[1].start), reverse=True)
        return [operand for _, operand in ordered[:_MOST_NAMED]]

    def _values(self, sentence: str, number: Expression, stated: Operand) -> list[tuple[Operand, bool]]:
        """The values of the last formulas before a number that it may be, each with whether the sentence names the formula."""
        said = meaningful_words(sentence)
        found: list[tuple[Operand, bool]] = []
        for quantity in self._formulas():
            size = self._size(quantity.expression) if quantity.expression.start < number.start else 0.0
            if size < _LEAST_EVALUATED or not (is_of_order(size, stated) or is_close(size, stated)):
                continue
            value = self._in_numbers(quantity.expression)
            operand = operand_of(value, self.record.text) if value is not None else None
            if operand is not None:
                found.append((operand, bool(quantity.meaning) and quantity.meaning <= said))
        return found

    def _with_count(self, stated: Operand, number: Expression, here: Sequence[Operand]) -> Iterator[Way]:
        """The values of the last formulas in which one letter is open, which the count directly before an amount gives: ``4K tokens: 0.5
        GB`` below ``2LkdT × 2 bytes``.
        """
        count = here[-1] if here else None
        between = self.record.text[count.end : number.start] if count is not None else ""
        if count is None or stated.dimensions == PURE or count.dimensions != PURE or not _COUNTED.fullmatch(between):
            return
        for formula in [each.expression for each in self._formulas()]:
            open_ones = [each for each in formula.letters if self.knowledge.value(each) is None]
            if len(open_ones) != 1 or formula.unknown or formula.start >= count.start:
                continue
            for size in _sizes(count):
                value = self._in_numbers(formula._replace(formula=formula.formula.substitute({open_ones[0]: written(size)})))
                operand = operand_of(value, self.record.text) if value is not None else None
                yield from [Way(operand.size, (operand,), as_it_is, linked=True)] if operand is not None else ()

    def _formulas(self) -> list[LabelledQuantity]:
        """The last formulas of the page, the last one first; a letter that is named alone is none."""
        return [each for each in self.quantities.formulas[-_LATEST:] if not each.expression.is_name][-_MOST_FORMULAS:][::-1]

    def _operand(self, number: Expression) -> Operand | None:
        if number.start not in self._known:
            self._known[number.start] = operand_of(number, self.record.text)
        return self._known[number.start]

    def _size(self, formula: Expression) -> float:
        """A formula at the values of the page, computed anew only where these have changed; 0 if it has no value."""
        values = self.knowledge.values(formula.letters)
        if values is None:
            return 0.0
        known = self._size_of.get(formula.start)
        if known is None or known[0] != values:
            literals = {letter: each.usual for letter, each in formula.literals.items()}
            self._size_of[formula.start] = known = (values, _evaluated(formula.formula, {**values, **literals}))
        return known[1]


def _evaluated(formula: Formula, values: Mapping[str, int | Fraction]) -> float:
    try:
        return float(evaluate(formula, values))
    except (FormulaError, OverflowError):
        return 0.0


def _sizes(number: Operand) -> list[Fraction]:
    """What a number may be in the senses of its unit: 4K are 4,096 or 4,000."""
    literal = number.side.literal
    if literal is None or literal.unit is None:
        return [number.value]
    return [Fraction(literal.value) * sense for sense in literal.unit.senses[::-1]]


def _in_unit_of_label(number: Expression, label: str) -> Expression:
    """The number with the unit that its label ends with, if it has none itself: ``GPU-hours: 14,080``, ``latency (ms): 25``."""
    named = _UNIT_OF_LABEL.search(label)
    unit = unit_in_label(named[1]) if named and not number.nouns else None
    return number if unit is None else in_unit(number, unit)


def _is_in_list(numbers: Sequence[Expression], text: str) -> bool:
    """Whether commas alone are between a number and those before and after it, as in a list of data."""
    return len(numbers) > 2 and all(text[one.end : other.start].strip() in _COMMAS for one, other in pairwise(numbers))

"""Judges results that sentences derive from those before them: a total, so many times one of them, a part of it, a difference.

``A block has 7,087,872 parameters, and 12 of them 85,054,464. Together with the embeddings that makes 124,439,808.`` The results before a
number are the operands; the counts are those of its sentence, and of the layers of the page. Such a claim holds if the numbers agree and
could not do so by chance. It is wrong if words announce what it is, and a single digit differs.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field, replace
from fractions import Fraction

from symparam.core.formula import Negative, Number, Product, Quotient, Sum
from symparam.core.frozen import frozen
from symparam.documents.checking.addends import count_in
from symparam.documents.checking.chance import chance
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.labelled_quantities import EVIDENT, digits_of
from symparam.documents.checking.list_parsing import usual_value
from symparam.documents.checking.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.record import Record
from symparam.documents.checking.unit_readings import ClaimSide, side_of
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression, plain_value
from symparam.documents.rules.rule import applies
from symparam.documents.words import number_words, words
from symparam.errors import FormulaError

_LEAST = 1_000  # A smaller number is a count or a size.
_LEAST_RESULT = 100_000  # A number that no calculation or word derives is the size of something, unless it is as large as this.
_LEAST_SAID = 10_000  # A smaller number is a multiple or a sum of others by chance, also if words beside it say so.
_LEAST_SLIP = 100_000  # Numbers this long do not differ in one digit by chance.
_MOST_RESULTS = 12  # Results that a number may follow from.
_MOST_SUMS = 256  # Sums of parts, some of which may be left out.
_MOST_COPIES = 1_000  # A larger number is a size.
_SMALL = 100  # A part smaller than the total by this factor may be left out.
_LABEL = 24  # Characters before a number with a word for a total.
_SENTENCE = 240  # Characters before a number in which its sentence begins.
_NEAR, _BEHIND = 60, 24  # Characters before and behind a number with a count of it.
_RECENT = 60  # Claims among which one on the same number is looked for.
_LIKELY = Fraction(1, 10**4)  # The largest probability of chance if no words say what the number is.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_END = re.compile(r"[.;!?](?=\s)|[。；！？\n]")
_COUNT = re.compile(r"(?<![\w.,^-])\d{1,3}(?![\w^]*\d|[.,]\d|[.,]?\s?[%kKMGTB])")


@frozen
class PageResult:
    """A number that the page arrived at, as its author wrote it. ``derived`` says that it is no size: a calculation or words state it."""

    value: int | Fraction
    side: ClaimSide
    written: str
    start: int
    derived: bool
    unit: str = ""


@frozen
class _Derivation:
    """A way in which a number may follow from results: ``left`` is its calculation, ``announced`` says that words beside the number say so,
    and ``tries`` how many ways were compared.
    """

    rule: str
    formula: ClaimSide
    left: str
    parts: tuple[PageResult, ...]
    announced: bool
    tries: int


@dataclass
class DerivedNumbers:
    """The results of the page so far: the ``recent`` ones, the ``parts`` that no total contains yet, and counts of layers."""

    record: Record
    recent: deque[PageResult] = field(default_factory=lambda: deque(maxlen=_MOST_RESULTS))
    parts: list[PageResult] = field(default_factory=list)
    layers: deque[int] = field(default_factory=lambda: deque(maxlen=2))

    def line(self, chains: Sequence[EqualityChain], start: int, end: int) -> list[Expression]:
        """Judge the numbers of a line that follow from results before them. Returns the results of the line."""
        if count := count_in(self.record.text[start:end]):
            self.layers.append(count)
        found: list[Expression] = []
        for chain in chains:
            last = chain.sides[-1]
            numbers = [each for each in chain.sides if each.exact is not None and each.exact >= _LEAST] or [last]
            if not last.is_number or is_small(last) or not numbers[0].is_number:
                self._unstated(chain)
                continue
            before = chain.sides[: chain.sides.index(numbers[0])]
            is_said = all(each.is_number or each.unknown for each in before if each.letters or not each.is_number)
            for number in (numbers[0], *(each for each in numbers[1:] if each.exact != numbers[0].exact)):
                if is_said:
                    self._follow(number, start, end)
                self.state(_result(number, self.record.text_of(number), bool(before)))
            found.append(last)
        return found

    def state(self, result: PageResult | None) -> None:
        """Record a number that later ones may follow from."""
        if result is not None:
            self.recent.append(result)
            self.parts.append(result)
            del self.parts[:-_MOST_RESULTS]

    def _unstated(self, chain: EqualityChain) -> None:
        """Record a calculation without a result, which a later number may be a multiple of: ``three matrices of 2048 × 5632``."""
        last = chain.sides[-1]
        if not (chain.relations or last.letters or last.literals or last.is_number):
            value = plain_value(last.formula)
            if value is not None and value >= _LEAST:
                self.recent.append(PageResult(value, side_of(last), f"({self.record.text_of(last)})", last.start, True))

    def section(self) -> None:
        """Forget the parts of a section that ends."""
        self.parts.clear()

    def _follow(self, number: Expression, start: int, end: int) -> None:
        ways = [*self._totals(number, start), *self._multiples(number, start, end), *self._differences(number)]
        for way in ways:
            found = _judged(way.formula, number)
            if found is None or not _is_evident(number, way) or not applies(way.rule, number.start):
                continue
            if way.rule == "total-in-sentence":
                self.parts = [each for each in self.parts if each not in way.parts]
            elif way.parts[-1] in self.parts:
                self.parts.remove(way.parts[-1])
            self._add(number, way, found)
            return
        for way in ways:
            if way.announced and _is_slip(number, way, {each.value for each in self.recent}) and applies("slip-of-a-digit", number.start):
                found = judge_numbers(way.formula, side_of(number), "=")
                self._add(number, way, replace(found, rules=("slip-of-a-digit",)))
                return

    def _totals(self, number: Expression, start: int) -> Iterator[_Derivation]:
        """The number as the sum of the last parts; those that are far smaller may be left out."""
        announced = self._says_total(number, start)
        if number.exact is None:
            alike = [each for each in self.parts if each.start >= start and each.unit == _unit(number)]
            yield from (_total(tuple(alike[-count:]), True) for count in range(len(alike), 1, -1) if announced)
            return
        total, tried = number.exact, 0
        if announced and len(self.parts) > 1 and not any(each.unit for each in self.parts):
            yield _total(tuple(self.parts), True)  # Whether they add up or not.
        sums: list[tuple[int | Fraction, tuple[PageResult, ...]]] = [(0, ())]
        for part in reversed(self.parts):
            if part.value >= total or part.unit:
                continue
            with_it = [(size + part.value, (part, *parts)) for size, parts in sums if size + part.value <= total]
            sums = [*with_it, *(sums if part.value * _SMALL <= total else ())]
            tried += len(with_it)
            yield from (_total(parts, announced, tried) for size, parts in with_it if size == total and len(parts) > 1)
            if not sums or len(sums) > _MOST_SUMS:
                return

    def _multiples(self, number: Expression, start: int, end: int) -> Iterator[_Derivation]:
        """The number as one of the last results, taken as many times as a count beside it says, or divided by it."""
        counts = dict.fromkeys(self.layers, False)
        for count, announced in self._counts_near(number, start, end):
            counts[count] = announced or counts.get(count, False)
        ones = [each for each in reversed(self.recent) if each.derived and not each.unit]
        for count, announced in counts.items():
            for one in ones:
                is_said = announced and one is self.recent[-1]
                if is_said or count * one.value == number.exact:
                    product = ClaimSide(Product((Number(count), one.side.formula)), one.side.literals)
                    yield _Derivation("count-of-last", product, f"{count} × {one.written}", (one,), is_said, len(counts) * len(ones))
                if number.exact is not None and number.exact * count == one.value:
                    quotient = ClaimSide(Quotient(one.side.formula, Number(count)), one.side.literals)
                    yield _Derivation("count-of-last", quotient, f"{one.written} / {count}", (one,), False, len(counts) * len(ones))

    def _differences(self, number: Expression) -> Iterator[_Derivation]:
        plain = {each.value: each for each in self.recent if not each.unit}
        for one in plain.values():
            other = plain.get(one.value - number.exact) if number.exact is not None else None
            if other is not None:
                left = f"{one.written} − {other.written}"
                formula = ClaimSide(Sum((one.side.formula, Negative(other.side.formula))), {**one.side.literals, **other.side.literals})
                yield _Derivation("difference-in-sentence", formula, left, (one, other), False, len(plain) ** 2)

    def _says_total(self, number: Expression, start: int) -> bool:
        label = self.record.text[max(start, number.start - _LABEL) : number.start]
        return words("total").in_text(label) or words("so").in_text(label)

    def _counts_near(self, number: Expression, start: int, end: int) -> Iterator[tuple[int, bool]]:
        """The counts around a number, each with whether it stands close to it in its sentence."""
        text = self.record.text
        before = text[max(start, number.start - _SENTENCE) : number.start]
        behind = _END.split(text[number.end : min(end, number.end + _BEHIND)])[0]
        here = len(before) - min(_NEAR, len(_END.split(before)[-1]))
        yield from ((count, at >= here) for at, count in sorted(_counts(before), reverse=True))
        yield from ((count, True) for _, count in _counts(behind))

    def _add(self, number: Expression, way: _Derivation, found: Judgement) -> None:
        if any(each.finding.right_start == number.start for each in self.record.judged[-_RECENT:]):
            return
        code = "sum" if way.rule == "total-in-sentence" else found.code
        found = replace(found, code=code, rules=(way.rule,))
        self.record.add((number.start, number.end, number.start), way.left, self.record.text_of(number), "=", found)


def _is_evident(number: Expression, way: _Derivation) -> bool:
    """Whether words announce the way, or so many digits do not agree by chance."""
    if number.exact is None:
        return way.announced and digits_of(number) >= EVIDENT
    if way.announced and number.exact >= _LEAST_SAID:
        return True
    odd = abs(int(number.exact))
    while odd and odd % 2 == 0:
        odd //= 2  # Sizes are multiples of powers of two, and so are their products.
    return chance(Fraction(odd), [Fraction(odd)], way.tries) < _LIKELY


def _total(parts: tuple[PageResult, ...], announced: bool, tries: int = 1) -> _Derivation:
    literals = {letter: literal for part in parts for letter, literal in part.side.literals.items()}
    side = ClaimSide(Sum(tuple(part.side.formula for part in parts)), literals)
    return _Derivation("total-in-sentence", side, " + ".join(part.written for part in parts), parts, announced, tries)


def _counts(text: str) -> Iterator[tuple[int, int]]:
    """The counts that a text has in figures and words, each with its place."""
    for match in _COUNT.finditer(text):
        if 1 < int(match[0]) <= _MOST_COPIES:
            yield match.start(), int(match[0])
    yield from number_words(text)


def _result(number: Expression, written: str, derived: bool) -> PageResult | None:
    value = usual_value(number.formula, number)
    if value is None or value < _LEAST:
        return None
    return PageResult(number.exact or value, side_of(number), written, number.start, derived or value >= _LEAST_RESULT, _unit(number))


def _unit(number: Expression) -> str:
    """The unit of a number as it is written; numbers in different units are seldom added up."""
    return number.literal.unit.written if number.literal is not None and number.literal.unit is not None else ""


def _is_slip(number: Expression, way: _Derivation, near: Set[int | Fraction]) -> bool:
    """Whether one digit of a long number differs from what follows, or two are swapped, and not because something else is counted."""
    right = number.exact
    left = plain_value(way.formula.formula) if not way.formula.literals else None
    if not isinstance(right, int) or not isinstance(left, int) or min(left, right) < _LEAST_SLIP or abs(right - left) in near:
        return False
    one, other = str(left), str(right)
    differ = [at for at, (first, second) in enumerate(zip(one, other, strict=False)) if first != second]
    swapped = len(differ) == 2 and differ[1] == differ[0] + 1 and sorted(one) == sorted(other)
    alone = len(differ) == 1 and right - left not in (10**power for power in range(9))  # A thousand classes may be counted as well.
    return len(one) == len(other) and (swapped or alone)


def is_small(number: Expression) -> bool:
    """Whether the number is so small that it agrees with others by chance."""
    return number.literal is None and number.exact is not None and abs(number.exact) < 10**EVIDENT


def _judged(left: ClaimSide, right: Expression) -> Judgement | None:
    try:
        found = judge_numbers(left, side_of(right), "=")
    except FormulaError:
        return None  # Too large.
    return found if found.verdict is Verdict.HOLDS and found.code in _HOLDS else None

"""Explains gaps between numbers by the document itself: by its own parts and by common slips. Nothing here knows an architecture.

An explanation is given only if it makes the line hold exactly. The simplest comes first; if nothing fits, there is none. Searches are
bounded, so that a match among the numbers of a long document is not due to chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import chain, islice

from symparam.core.formula import Formula, Number, Power
from symparam.core.frozen import cached_property, frozen
from symparam.core.message import Message, message
from symparam.documents.gaps.arithmetic.digits import digit_slip, share_leading_digits
from symparam.documents.gaps.arithmetic.line_operands import Addend, LineOperand, Rational, operands, operands_of_list
from symparam.documents.gaps.arithmetic.lost_brackets import other_brackets
from symparam.documents.gaps.arithmetic.rounded_number import RoundedNumber
from symparam.documents.gaps.arithmetic.stated_number import OtherNumbers, StatedNumber, absolute_value, int_if_whole, is_specific
from symparam.documents.gaps.arithmetic.subset_sums import subset_sums
from symparam.documents.gaps.gap import Cause, Gap

MAX_OPERANDS = 200
MAX_OTHERS = 6
_FEWEST_DIGITS = 3
MAX_ALIKE = 3  # A slip that fits more operands than this explains nothing.

Found = tuple[int, tuple[Cause, ...]]
"""How far-fetched an explanation is, and the explanation: 0 if it is proven, 7 for three numbers that happen to be nearby."""

_PREFIXES = {Fraction(2 ** (10 * each), 10 ** (3 * each)): 10 * each for each in (1, 2, 3, 4)}
_SHIFTS = {
    10: ("why-one-digit-too-many", "why-one-digit-lost"),
    100: ("why-two-digits-too-many", "why-two-digits-lost"),
    1000: ("why-three-digits-too-many", "why-three-digits-lost"),
}
_BINARY = {8: "why-bits-for-bytes", 1024: "why-kibi"}
_FLOPS = re.compile(r"flops?\b|\bmacs?\b|mult-?adds?", re.IGNORECASE)


@frozen
class _Line:
    """A line or list that does not hold: its operands, the other numbers of the document, and the words of the stated number."""

    operands: tuple[LineOperand, ...]
    elsewhere: OtherNumbers
    text: str = ""
    left: Formula | None = None
    rounded: RoundedNumber | None = None

    @property
    def whole(self) -> LineOperand:
        return self.operands[0]

    @cached_property
    def gap(self) -> Rational:
        return self.whole.shortfall

    @cached_property
    def numbers(self) -> frozenset[Rational]:
        """The numbers of the line itself."""
        return frozenset(operand.value for operand in self.operands if operand.is_number)

    @cached_property
    def is_about_operations(self) -> bool:
        """Whether the line mentions FLOPs or MACs, which differ by a factor of two."""
        words = (self.text, *(each.label for each in self.elsewhere.stated if each.line == self.elsewhere.line))
        return any(map(_FLOPS.search, words))

    @cached_property
    def groups(self) -> tuple[tuple[LineOperand, Message], ...]:
        """The terms grouped by value, each group with the references to its terms."""
        alike: dict[tuple[Rational, Rational], list[LineOperand]] = {}
        for operand in self.operands:
            if operand.role == "term" and operand.scale is not None:
                alike.setdefault((operand.value, operand.needed), []).append(operand)
        return tuple((group[0], _either(group)) for group in alike.values())


def explain_number(
    left: Formula, stated: Rational, stated_text: str, elsewhere: Sequence[StatedNumber], *, line: int, rounded: RoundedNumber | None = None
) -> Gap:
    """Why the stated number is not the value of the formula beside it, which has numbers only.

    ``elsewhere`` is what the document states, with or without this ``line``, and ``rounded`` the stated number as it is written. Raises
    `FormulaError` if the formula has no value.
    """
    found = tuple(islice(operands(left, stated), MAX_OPERANDS))
    return _gap(_Line(found, OtherNumbers(tuple(elsewhere), line), stated_text, left, rounded))


def explain_sum(parts: Sequence[StatedNumber], stated: Rational, elsewhere: Sequence[StatedNumber]) -> Gap:
    """Why the parts of a list or a column do not add up to the stated total."""
    own = {part.line for part in parts}
    others = tuple(each for each in elsewhere if each.line not in own)
    found = tuple(islice(operands_of_list(parts, stated), MAX_OPERANDS))
    return _gap(_Line(found, OtherNumbers(others, parts[-1].line if parts else 0)))


def _gap(line: _Line) -> Gap:
    if not line.gap:
        return Gap(0)
    found = _first(line, _SIMPLE) or _first(line, _FURTHER)
    return Gap(line.gap, None, found[0] if found else (), tuple(found[1 : 1 + MAX_OTHERS]))


def _first(line: _Line, searches: tuple[Callable[[_Line], Iterator[Found]], ...]) -> list[tuple[Cause, ...]]:
    """The explanations that the searches find, simplest first and without duplicates."""
    found = sorted(chain.from_iterable(search(line) for search in searches), key=lambda each: each[0])
    return list(dict.fromkeys(causes for _, causes in found))


def _either(group: list[LineOperand]) -> Message:
    """One of several terms that have the same value."""
    if len(group) == 1:
        return Addend(group[0].what, group[0].value).reference
    lines = [operand.what.reference for operand in group if isinstance(operand.what, StatedNumber)]
    if lines:
        return message("either-line", lines=tuple(dict.fromkeys(lines)))
    terms = dict.fromkeys(operand.what for operand in group if not isinstance(operand.what, StatedNumber))
    return message("either-term", terms=tuple(terms))


# The searches that say something by themselves.


def _swapped(line: _Line) -> Iterator[Found]:
    """Explain the gap by a swap: the right number is the result of another line."""
    right, stated = line.whole.value, line.whole.needed
    own = line.elsewhere.line
    alike = [each for each in line.elsewhere.stated if each.right == stated and each.value == right and each.line != own]
    if alike:
        nearest = min(alike, key=lambda each: abs(each.line - own))  # The results of two lines that follow each other.
        yield 0, (Cause(message("swapped", line=nearest.reference)),)
        return
    near = line.elsewhere.by_value.get(right)
    if near and right >= 1000:
        might = near.right is None and absolute_value(near.line - line.elsewhere.line) <= 3
        yield (3 if might else 2, (Cause(message("right-elsewhere-swapped" if might else "right-elsewhere", line=near.reference)),))


def _mixed_unit(line: _Line) -> Iterator[Found]:
    """Explain the gap by a unit that is reached by thousands and by 1,024s."""
    if line.rounded is not None and line.rounded.is_in_mixed_unit:
        yield 1, (Cause(message("mixed-unit"), line.gap),)


def _factor(line: _Line) -> Iterator[Found]:
    """Explain the gap by a factor: the stated number is a multiple or a fraction of the right one."""
    ratio = line.whole.ratio
    if not ratio or ratio < 0:
        return
    ratio = (line.rounded and line.rounded.shift) or ratio
    why, count = _why_times(line, ratio), int_if_whole(max(ratio, 1 / ratio))
    if why or count in (3, 4) or count in line.numbers:
        kind = "times-too-large" if ratio > 1 else "times-too-small"
        reason = message(kind, count=count, why=why) if why else message(kind, count=count)
        yield 1 if why else 4, (Cause(reason, line.gap),)


def _why_times(line: _Line, ratio: Fraction) -> Message | None:
    """The possible reasons for a factor."""
    too_large = ratio > 1
    count = int_if_whole(max(ratio, 1 / ratio))
    known = line.elsewhere.by_value.get(count)
    if why := _why_own(line.whole, count, too_large):
        return why
    if count in _PREFIXES:
        binary = _PREFIXES[Fraction(count)]
        powers = Power(Number(2), Number(binary)), Power(Number(10), Number(binary * 3 // 10))
        stated, right = powers if too_large else reversed(powers)
        return message("why-instead", stated=stated, right=right)
    if count == 1000 and re.search(r"\d\.\d{3}\b" if not too_large else r"\d,\d{3}\b", line.text):
        return message("why-decimal-comma" if too_large else "why-thousands-point")
    if count in _SHIFTS:
        return message(_SHIFTS[int(count)][0 if too_large else 1])
    if known and count.denominator == 1:
        return message("why-often-line" if too_large else "why-once-line", count=count, line=known.reference)
    if count == 2 and line.is_about_operations:
        return message("why-flops-for-macs" if too_large else "why-macs-for-flops")
    if count == 2:
        return message("why-twice" if too_large else "why-once")
    return message(_BINARY[int(count)]) if count in _BINARY else None


def _why_own(operand: LineOperand, count: Rational, too_large: bool) -> Message | None:
    if count in operand.factors:
        return message("why-factor-twice" if too_large else "why-factor-left-out", number=count)
    if count in operand.divisors:
        return message("why-division-left-out" if too_large else "why-division-twice", number=count)
    return None


def _term(line: _Line) -> Iterator[Found]:
    """Explain the gap by a term that is left out, counted more than once, or has the wrong sign."""
    for operand, term in line.groups:
        said = _said_of_term(line, operand, term)
        if said:
            yield said[0], (Cause(said[1], line.gap),)


def _said_of_term(line: _Line, operand: LineOperand, term: Message) -> tuple[int, Message] | None:
    if operand.needed == 0:
        lines = _subtotal_of(line, operand)
        if lines:
            return 1, message("subtotal-left-out", part=term, first=lines[0], last=lines[1])
        return 1, message("left-out", part=term)
    if operand.ratio is None:
        return None
    if operand.ratio == 2:
        return 1, message("twice-counted", part=term)
    if operand.ratio == -1:
        return 1, message("subtracted" if operand.value > 0 else "added", part=term)
    count: Rational = int_if_whole(max(operand.ratio, 1 / operand.ratio)) if operand.ratio > 0 else 0
    if operand.ratio > 0 and (why := _why_own(operand, count, operand.ratio > 1)) and not operand.is_number:
        return 2, message("in-term", part=term, why=why)
    if operand.ratio == Fraction(1, 2):
        return 3, message("half", part=term)
    often = operand.ratio > 1
    if count.denominator == 1 and count > 1 and absolute_value(operand.value) >= 100 and (known := line.elsewhere.by_value.get(count)):
        return 3, message("often-line" if often else "once-line", part=term, count=count, line=known.reference)
    if operand.ratio in (3, 4) and absolute_value(operand.value) >= 10:
        return 3, message("often", part=term, count=count)
    return None


def _subtotal_of(line: _Line, operand: LineOperand) -> tuple[int, int] | None:
    """The first and the last line of the entries just before a missing entry of a list, if that is their subtotal."""
    entries = [each for each in line.operands if isinstance(each.what, StatedNumber) and each.role == "term"]
    if operand not in entries:
        return None
    at = entries.index(operand)
    total = Fraction(0)
    for first in range(at - 1, -1, -1):
        total += entries[first].value
        if total == operand.value and first < at - 1:
            start, end = (each.what.line for each in (entries[first], entries[at - 1]) if isinstance(each.what, StatedNumber))
            return start, end
    return None


def _digits(line: _Line) -> Iterator[Found]:
    """Explain the gap by a slip of the pen in the stated number."""
    slip = digit_slip(line.whole.value, line.whole.needed) or (line.rounded and line.rounded.telling_slip)
    if slip and not (line.rounded and line.rounded.shift):  # A number with a zero too many is also one with a digit doubled.
        yield 1, (Cause(message("slip-in-result", slip=slip)),)


def _operand(line: _Line) -> Iterator[Found]:
    """Explain the gap by a slip of the pen in one of the numbers on the left, made when writing or when calculating."""
    numbers = [operand for operand in line.operands[1:] if operand.is_number and operand.needed.denominator == 1]
    slips = [(each, slip) for each in numbers if (slip := digit_slip(each.value, each.needed)) and not _is_like_many(line, each)]
    for operand, slip in slips if len(slips) <= MAX_ALIKE else ():
        yield 3, (Cause(message("holds-with-slip", needed=operand.needed, stated=operand.reference, slip=slip)),)
    for operand in numbers:
        # A gap divisible by a thousand or more is not due to chance; 128,272 may then be meant as 128,256.
        is_large = operand.role == "factor" and operand.scale and absolute_value(operand.scale) >= 1000
        if is_large and share_leading_digits(operand.value, operand.needed):
            yield 4, (Cause(message("holds-with", needed=operand.needed, stated=operand.reference)),)


def _is_like_many(line: _Line, operand: LineOperand) -> bool:
    """Whether an operand of two digits stands beside a rounded result: 26 is one slip away from ten other numbers, one of which fits."""
    is_rounded = line.rounded is not None and bool(line.rounded.unit)
    return is_rounded and len(str(operand.value).rstrip("0")) < _FEWEST_DIGITS


def _replaced(line: _Line) -> Iterator[Found]:
    """Explain the gap by another number of the document in place of a number, a product or a bracket."""
    for operand in line.operands[1:]:
        known = line.elsewhere.by_value.get(operand.needed)
        if known and _is_no_chance(operand):
            if operand.is_number:
                yield 3, (Cause(message("holds-with", needed=known.reference, stated=operand.reference)),)
            else:
                reason = message("holds-with-for-value", needed=known.reference, stated=operand.reference, value=operand.value)
                yield 3, (Cause(reason),)
        elif isinstance(operand.what, Number) and operand.needed in line.numbers and operand.needed >= 10:
            yield 3, (Cause(message("holds-with-own", needed=operand.needed, stated=operand.reference)),)


def _is_no_chance(operand: LineOperand) -> bool:
    """Whether it is significant that a number of the document fits here: it is large, or a factor of something large."""
    if operand.role == "term" or not operand.is_number:
        return operand.needed >= 1000
    return operand.needed >= 2 and (operand.scale is None or absolute_value(operand.scale) >= 100)


def _brackets(line: _Line) -> Iterator[Found]:
    reading = other_brackets(line.left, line.whole.needed) if line.left else None
    if reading:
        yield 3, (Cause(message("other-brackets", line=reading)),)


def _alone(line: _Line) -> Iterator[Found]:
    """Explain the stated number as the value of one part of the line."""
    for operand in line.operands[1:]:
        others = int_if_whole(Fraction(line.whole.value) / line.whole.needed) if line.whole.needed else 0
        if operand.value == line.whole.needed and is_specific(operand.value) and others not in line.whole.factors:
            yield 4, (Cause(message("alone", part=operand.reference)),)


def _own_number(line: _Line) -> Iterator[Found]:
    """Explain the gap by a number of the line that occurs only as a factor and is added or missing as a term, as a bias is."""
    is_term = line.gap in {term.value for term in line.whole.terms}
    if line.left and line.gap >= 10 and line.gap in line.numbers and not is_term:
        yield 4, (Cause(message("factor-added", number=line.gap), line.gap),)


def _one_part(line: _Line) -> Iterator[Found]:
    """Explain the gap by a number of the document that the sum, or a bracket in it, lacks or has in excess."""
    for operand in line.operands:
        if operand.scale is None or not (operand.role == "whole" or operand.terms):
            continue
        part = line.elsewhere.parts.get(absolute_value(operand.shortfall))
        if part and absolute_value(operand.shortfall) not in {absolute_value(term.value) for term in operand.terms}:
            yield 3, (Cause(_said_of_part(line, operand, part.reference), line.gap),)


def _said_of_part(line: _Line, operand: LineOperand, part: Message) -> Message:
    inside = operand.role != "whole"
    if operand.shortfall < 0:
        return message("left-out-of", part=part, whole=operand.reference) if inside else message("left-out", part=part)
    if inside:
        return message("also-in", part=part, whole=operand.reference)
    return message("not-on-the-left" if line.left else "not-in-the-list", part=part)


# Searches that combine many numbers run only if the others find nothing.


def _several_terms(line: _Line) -> Iterator[Found]:
    for operand in line.operands:
        if operand.scale is None or len(operand.terms) < 3:
            continue
        scale, values = operand.scale, [term.value for term in operand.terms]

        def causes(
            kind: str, chosen: Iterable[int], sign: int, operand: LineOperand = operand, scale: Rational = scale
        ) -> tuple[Cause, ...]:
            terms = (operand.terms[at] for at in chosen)
            return tuple(Cause(message(kind, part=term.reference), int_if_whole(sign * term.value * scale)) for term in terms)

        for together in (2, 3):
            for chosen in islice(subset_sums(-operand.shortfall, values, together), MAX_ALIKE):
                yield together + 2, causes("left-out", chosen, -1)
        for chosen in islice(subset_sums(operand.shortfall, values, 2), MAX_ALIKE):
            yield 5, causes("twice-counted", chosen, 1)


def _several_parts(line: _Line) -> Iterator[Found]:
    """Explain the gap by two or three numbers of nearby lines."""
    near = [each for each in line.elsewhere.nearest if each.value >= 1000]
    own = {absolute_value(term.value) for term in line.whole.terms}
    near = [each for each in near if each.value not in own]
    sign = 1 if line.gap > 0 else -1
    for together, most in ((2, 60), (3, 16)):
        for chosen in islice(subset_sums(absolute_value(line.gap), [each.value for each in near[:most]], together), MAX_ALIKE):
            parts = [near[at] for at in chosen]
            yield together + 4, tuple(Cause(_said_of_part(line, line.whole, part.reference), sign * part.value) for part in parts)


def _part_times(line: _Line) -> Iterator[Found]:
    """Explain the gap by a number of the document times a count: 12 times the bias."""
    if absolute_value(line.gap) < 1000:
        return
    for count in sorted(line.elsewhere.counts):
        part = line.elsewhere.parts.get(int_if_whole(Fraction(absolute_value(line.gap)) / count))
        if part:
            yield 6, (Cause(_said_of_part(line, line.whole, message("several", count=count, part=part.reference)), line.gap),)
            return


def _factor_and_part(line: _Line) -> Iterator[Found]:
    """Explain the gap by a bracket that lacks both its factor and one of its terms."""
    counts = dict.fromkeys(
        (*line.elsewhere.counts, *sorted(int(each) for each in line.numbers if each.denominator == 1 and 2 <= each <= 200))
    )
    for operand in line.operands:
        if operand.scale is None or not operand.terms:
            continue
        scale = Fraction(operand.scale)
        for count in counts:
            part = line.elsewhere.parts.get(int_if_whole(Fraction(operand.needed) / count - operand.value))
            if part and part.value >= 1000:
                whole = message("sum") if operand.role == "whole" else message("bracket", formula=operand.reference)
                factor = Cause(message("counted-often", part=whole, count=count), int_if_whole((count - 1) * operand.value * scale))
                inside = message("stands-in-it", part=part.reference, count=count)
                yield 7, (factor, Cause(inside, int_if_whole(count * part.value * scale)))


_SIMPLE = (_swapped, _mixed_unit, _factor, _term, _digits, _operand, _replaced, _brackets, _one_part, _alone, _own_number)
_FURTHER = (_several_terms, _several_parts, _part_times, _factor_and_part)

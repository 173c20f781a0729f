"""What a gap is made of, by the document itself: its own parts, and the usual slips. Nothing is known of an architecture here.

An explanation is given only where it makes the line hold exactly. The simplest comes first, and where nothing fits there is none:
searches are bounded, so that what they find among the numbers of a long document is not there by chance.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain, islice

from symparam.formula import Formula, Number
from symparam.gaps.gap import Cause, Gap
from symparam.gaps.slips.brackets import other_brackets
from symparam.gaps.slips.digits import alike, digit_slip
from symparam.gaps.slips.own_parts import parts_of
from symparam.gaps.slips.places import Place, Rational, places, places_of_list
from symparam.gaps.slips.stated import Elsewhere, Stated, is_specific, listed, plain, size, times, written
from symparam.gaps.slips.symbolic_slips import explain_symbolic
from symparam.notation import UNICODE

__all__ = ["Stated", "explain_number", "explain_sum", "explain_symbolic"]

MAX_PLACES = 200
MAX_OTHERS = 6
MAX_ALIKE = 3  # Where one slip fits at more places than this, it says nothing.

Found = tuple[int, tuple[Cause, ...]]
"""An explanation, and how far-fetched it is: 0 for what is proven, 7 for three numbers that happen to stand near by."""

_PREFIXES = {Fraction(2 ** (10 * each), 10 ** (3 * each)): 10 * each for each in (1, 2, 3, 4)}
_ROUND = {10: "a digit or a decimal point", 100: "two digits or a decimal point", 1000: "three digits or a decimal point"}
_BINARY = {8: "bits for bytes", 1024: "2¹⁰"}
_FLOPS = re.compile(r"flops?\b|\bmacs?\b|mult-?adds?", re.IGNORECASE)


@dataclass(frozen=True)
class _Line:
    """A line that does not hold, or a list: its places, what else the document states, and the words of the stated number."""

    places: tuple[Place, ...]
    elsewhere: Elsewhere
    text: str = ""
    left: Formula | None = None

    @property
    def whole(self) -> Place:
        return self.places[0]

    @cached_property
    def gap(self) -> Rational:
        return self.whole.short

    @cached_property
    def numbers(self) -> frozenset[Rational]:
        """The numbers that stand in the line itself."""
        return frozenset(place.value for place in self.places if place.is_number)

    @cached_property
    def groups(self) -> tuple[tuple[Place, str], ...]:
        """The terms, those that have one value taken together, with what to call them."""
        alike: dict[tuple[Rational, Rational], list[Place]] = {}
        for place in self.places:
            if place.role == "term" and place.scale is not None:
                alike.setdefault((place.value, place.need), []).append(place)
        return tuple((group[0], _called(group)) for group in alike.values())


def explain_number(left: Formula, stated: Rational, stated_text: str, elsewhere: Sequence[Stated], *, line: int) -> Gap:
    """Why the stated number is not what the formula beside it comes to; there are only numbers in the formula.

    ``elsewhere`` is what the document states, this ``line`` included or not. Raises `FormulaError` where the formula has no value.
    """
    found = tuple(islice(places(left, stated), MAX_PLACES))
    return _gap(_Line(found, Elsewhere(tuple(elsewhere), line), stated_text, left))


def explain_sum(parts: Sequence[Stated], stated: Rational, elsewhere: Sequence[Stated]) -> Gap:
    """Why the parts of a list or a column do not add up to the stated total."""
    own = {part.line for part in parts}
    others = tuple(each for each in elsewhere if each.line not in own)
    found = tuple(islice(places_of_list(parts, stated), MAX_PLACES))
    return _gap(_Line(found, Elsewhere(others, parts[-1].line if parts else 0)))


def _gap(line: _Line) -> Gap:
    if not line.gap:
        return Gap(0)
    found = _first(line, _SIMPLE) or _first(line, _FURTHER)
    return Gap(line.gap, None, found[0] if found else (), tuple(found[1 : 1 + MAX_OTHERS]))


def _first(line: _Line, searches: tuple[Callable[[_Line], Iterator[Found]], ...]) -> list[tuple[Cause, ...]]:
    """What the searches find, simplest first, each explanation once."""
    found = sorted(chain.from_iterable(search(line) for search in searches), key=lambda each: each[0])
    return list(dict.fromkeys(causes for _, causes in found))


def _called(group: list[Place]) -> str:
    names = list(dict.fromkeys(place.name for place in group))
    if isinstance(group[0].what, Stated):
        return listed(names, "or")
    return f"the term {names[0]}" if len(group) == 1 else f"one of the terms {listed(names)}"


# The searches that say something by themselves.


def _swapped(line: _Line) -> Iterator[Found]:
    """The right number stands as the result of another line."""
    right, stated = line.whole.value, line.whole.need
    for other in line.elsewhere.stated:
        if other.right == stated and other.value == right and other.line != line.elsewhere.line:
            yield 0, (Cause(f"swapped with the result of {other}"),)
            return
    near = line.elsewhere.by_value.get(right)
    if near and right >= 1000:
        might = near.right is None and size(near.line - line.elsewhere.line) <= 3
        yield (2, (Cause(f"{near} has the right number" + (": the two results may be swapped" if might else "")),))


def _factor(line: _Line) -> Iterator[Found]:
    """The stated number is some times too large, or too small."""
    whole = line.whole
    if whole.ratio and whole.ratio > 0 and (why := _why_times(line, whole.ratio)) is not None:
        count = max(whole.ratio, 1 / whole.ratio)
        how_much = f"{written(count)} times too {'large' if whole.ratio > 1 else 'small'}"
        yield 1 if why else 4, (Cause(f"{how_much}{why}", line.gap),)


def _why_times(line: _Line, ratio: Fraction) -> str | None:
    """What may be behind a factor, as the end of a sentence; None for a factor that says nothing."""
    too_large = ratio > 1
    count = plain(max(ratio, 1 / ratio))
    known = line.elsewhere.by_value.get(count)
    if why := _why_own(line.whole, count, too_large):
        return why
    if count in _PREFIXES:
        binary = _PREFIXES[Fraction(count)]
        pair = UNICODE.power("2", str(binary)), UNICODE.power("10", str(binary * 3 // 10))
        return ": {} in the place of {}".format(*(pair if too_large else reversed(pair)))
    if count == 1000 and re.search(r"\d\.\d{3}\b" if not too_large else r"\d,\d{3}\b", line.text):
        return ": the point stands between the thousands" if not too_large else ": the comma is a decimal comma"
    if count in _ROUND:
        return f": {_ROUND[int(count)]} {'too many' if too_large else 'lost'}"
    if known and count.denominator == 1:
        return f": {times(count)} instead of once, {known}" if too_large else f": once instead of {times(count)}, {known}"
    if count == 2:
        return (": counted twice instead of once" if too_large else ": counted once instead of twice") + _as_macs(line, too_large)
    if count in _BINARY:
        return f" ({_BINARY[int(count)]})"
    return "" if count in (3, 4) or count in line.numbers else None


def _why_own(place: Place, count: Rational, too_large: bool) -> str | None:
    if count in place.factors:
        return f": the factor {written(count)} is {'there twice' if too_large else 'left out'}"
    if count in place.divisors:
        return f": the division by {written(count)} is {'left out' if too_large else 'done twice'}"
    return None


def _as_macs(line: _Line, too_large: bool) -> str:
    """A factor of two between multiply-adds and operations, where the document speaks of either."""
    words = (line.text, *(each.label for each in line.elsewhere.stated if each.line == line.elsewhere.line))
    if not any(map(_FLOPS.search, words)):
        return ""
    return ", FLOPs for MACs" if too_large else ", MACs for FLOPs"


def _term(line: _Line) -> Iterator[Found]:
    """One term is left out, counted more than once, or has the other sign."""
    for place, name in line.groups:
        said = _said_of_term(line, place, name)
        if said:
            yield said[0], (Cause(said[1], line.gap),)


def _said_of_term(line: _Line, place: Place, name: str) -> tuple[int, str] | None:
    if place.need == 0:
        return 1, f"{name} is left out{_as_subtotal(line, place)}"
    if place.ratio is None:
        return None
    if place.ratio == 2:
        return 1, f"{name} is counted twice"
    if place.ratio == -1:
        return 1, f"{name} is {'subtracted instead of added' if place.value > 0 else 'added instead of subtracted'}"
    count: Rational = plain(max(place.ratio, 1 / place.ratio)) if place.ratio > 0 else 0
    if place.ratio > 0 and (why := _why_own(place, count, place.ratio > 1)) and not place.is_number:
        return 2, f"in {name}{why}"
    if place.ratio == Fraction(1, 2):
        return 3, f"only half of {name} is counted"
    known = line.elsewhere.by_value.get(count) if count.denominator == 1 and count > 1 and size(place.value) >= 100 else None
    if known or (place.ratio in (3, 4) and size(place.value) >= 10):
        how_often = f"{times(count)} instead of once" if place.ratio > 1 else f"once instead of {times(count)}"
        return 3, f"{name} is counted {how_often}" + (f", {known}" if known else "")
    return None


def _as_subtotal(line: _Line, place: Place) -> str:
    """A note where the entry that is left out of a list is the sum of those just before it."""
    entries = [each for each in line.places if isinstance(each.what, Stated) and each.role == "term"]
    if place not in entries:
        return ""
    at = entries.index(place)
    total = Fraction(0)
    for first in range(at - 1, -1, -1):
        total += entries[first].value
        if total == place.value and first < at - 1:
            lines = [each.what.line for each in (entries[first], entries[at - 1]) if isinstance(each.what, Stated)]
            return f": it is the sum of lines {lines[0]} to {lines[1]}"
    return ""


def _digits(line: _Line) -> Iterator[Found]:
    """A slip of the pen in the stated number."""
    slip = digit_slip(line.whole.value, line.whole.need)
    if slip:
        yield 2, (Cause(f"a slip of the pen in the result: {slip}"),)


def _operand(line: _Line) -> Iterator[Found]:
    """A slip of the pen in one of the numbers on the left, or between them and the calculation."""
    numbers = [place for place in line.places[1:] if place.is_number and place.need.denominator == 1]
    slips = [(place, slip) for place in numbers if (slip := digit_slip(place.value, place.need))]
    for place, slip in slips if len(slips) <= MAX_ALIKE else ():
        yield 3, (Cause(f"it holds with {written(place.need)} in the place of {place.name}: {slip}"),)
    for place in numbers:
        # That a gap can be divided by a thousand and more is no chance; 128,272 may then well stand for 128,256.
        if place.role == "factor" and place.scale and size(place.scale) >= 1000 and alike(place.value, place.need):
            yield 4, (Cause(f"it holds with {written(place.need)} in the place of {place.name}"),)


def _replaced(line: _Line) -> Iterator[Found]:
    """Another number of the document in the place of a number, or of a product or a bracket."""
    for place in line.places[1:]:
        known = line.elsewhere.by_value.get(place.need)
        if known and _is_no_chance(place):
            is_worked_out = "" if place.is_number else f", which is {written(place.value)}"
            yield 3, (Cause(f"it holds with {known} in the place of {place.name}{is_worked_out}"),)
        elif isinstance(place.what, Number) and place.need in line.numbers and place.need >= 10:
            yield 3, (Cause(f"it holds with {written(place.need)}, which also stands in the line, in the place of {place.name}"),)


def _is_no_chance(place: Place) -> bool:
    """Whether it says something that a number of the document fits here: it is large, or a factor of something large."""
    if place.role == "term" or not place.is_number:
        return place.need >= 1000
    return place.need >= 2 and (place.scale is None or size(place.scale) >= 100)


def _brackets(line: _Line) -> Iterator[Found]:
    reading = other_brackets(line.left, line.whole.need) if line.left else None
    if reading:
        yield 3, (Cause(f"it holds with other brackets: {reading}"),)


def _alone(line: _Line) -> Iterator[Found]:
    """The stated number is what one part of the line comes to."""
    for place in line.places[1:]:
        others = plain(Fraction(line.whole.value) / line.whole.need) if line.whole.need else 0
        if place.value == line.whole.need and is_specific(place.value) and others not in line.whole.factors:
            yield 4, (Cause(f"it is {place.name} alone"),)


def _own_number(line: _Line) -> Iterator[Found]:
    """A number of the line is added that stands in it as a factor only, as a bias is."""
    is_term = line.gap in {term.value for term in line.whole.terms}
    if line.left and line.gap >= 10 and line.gap in line.numbers and not is_term:
        yield 4, (Cause(f"{written(line.gap)}, which stands in the line as a factor, is added as well", line.gap),)


def _one_part(line: _Line) -> Iterator[Found]:
    """What the sum, or a bracket in it, lacks or has too much is a number of the document."""
    for place in line.places:
        if place.scale is None or not (place.role == "whole" or place.terms):
            continue
        part = line.elsewhere.parts.get(size(place.short))
        if part and size(place.short) not in {size(term.value) for term in place.terms}:
            yield 3, (Cause(_said_of_part(line, place, str(part)), line.gap),)


def _said_of_part(line: _Line, place: Place, part: str) -> str:
    if place.short < 0:
        return f"{part} is left out" + (f" of {place.name}" if place.role != "whole" else "")
    if place.role != "whole":
        return f"{part} is counted in {place.name} as well"
    return f"{part} is counted in the stated number and is not {'on the left' if line.left else 'in the list'}"


# The searches that try so many numbers together that they are asked only where the others find nothing.


def _several_terms(line: _Line) -> Iterator[Found]:
    for place in line.places:
        if place.scale is None or len(place.terms) < 3:
            continue
        values = [term.value for term in place.terms]
        for together in (2, 3):
            for chosen in islice(parts_of(-place.short, values, together), MAX_ALIKE):
                terms = [place.terms[at] for at in chosen]
                yield together + 2, tuple(Cause(f"{term.name} is left out", plain(-term.value * place.scale)) for term in terms)
        for chosen in islice(parts_of(place.short, values, 2), MAX_ALIKE):
            terms = [place.terms[at] for at in chosen]
            yield 5, tuple(Cause(f"{term.name} is counted twice", plain(term.value * place.scale)) for term in terms)


def _several_parts(line: _Line) -> Iterator[Found]:
    """Two or three numbers of lines near by."""
    near = [each for each in line.elsewhere.nearest if each.value >= 1000]
    own = {size(term.value) for term in line.whole.terms}
    near = [each for each in near if each.value not in own]
    sign = 1 if line.gap > 0 else -1
    for together, most in ((2, 60), (3, 16)):
        for chosen in islice(parts_of(size(line.gap), [each.value for each in near[:most]], together), MAX_ALIKE):
            parts = [near[at] for at in chosen]
            yield together + 4, tuple(Cause(_said_of_part(line, line.whole, str(part)), sign * part.value) for part in parts)


def _part_times(line: _Line) -> Iterator[Found]:
    """A number of the document, as often as another one says: 12 times the bias."""
    if size(line.gap) < 1000:
        return
    for count in sorted(line.elsewhere.counts):
        part = line.elsewhere.parts.get(plain(Fraction(size(line.gap)) / count))
        if part:
            yield 6, (Cause(_said_of_part(line, line.whole, f"{times(count)} {part}"), line.gap),)
            return


def _factor_and_part(line: _Line) -> Iterator[Found]:
    """A bracket that lacks both its factor and one of its terms."""
    counts = dict.fromkeys(
        (*line.elsewhere.counts, *sorted(int(each) for each in line.numbers if each.denominator == 1 and 2 <= each <= 200))
    )
    for place in line.places:
        if place.scale is None or not place.terms:
            continue
        for count in counts:
            part = line.elsewhere.parts.get(plain(Fraction(place.need) / count - place.value))
            if part and part.value >= 1000:
                factor = Cause(f"{_bracket(place)} is counted {times(count)}", plain((count - 1) * place.value * Fraction(place.scale)))
                yield 7, (factor, Cause(f"{part} stands in it too, {times(count)}", plain(count * part.value * Fraction(place.scale))))


def _bracket(place: Place) -> str:
    return "the sum" if place.role == "whole" else f"the bracket ({place.name})"


_SIMPLE = (_swapped, _factor, _term, _digits, _operand, _replaced, _brackets, _one_part, _alone, _own_number)
_FURTHER = (_several_terms, _several_parts, _part_times, _factor_and_part)

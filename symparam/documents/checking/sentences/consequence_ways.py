"""The ways in which a number of a sentence may follow from others: those that words announce, then those that dimensions allow."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, permutations

from symparam.documents.checking.sentences.calculated_way import (
    Known,
    Way,
    announced,
    changed,
    difference,
    product,
    quotient,
    sum_of,
    times,
)
from symparam.documents.checking.sentences.number_in_sentence import (
    ABOUT,
    FEW,
    MARKUP,
    ODD,
    SIGNS,
    WORK,
    NumberInSentence,
    are_of_a_kind,
    is_long,
)
from symparam.documents.checking.sentences.operand_calculations import (
    as_it_is,
    divided,
    in_span,
    inverse,
)
from symparam.documents.checking.sentences.operands import CountBeside, Operand, belong_together, counted, dimensions_of, fit, in_hours
from symparam.documents.checking.sentences.quantity_extraction import counted_things, formats
from symparam.documents.checking.sentences.ratios import ratios
from symparam.documents.checking.sentences.sums_of_operands import MOST_PARTS, rests, sums_of_some, totals, without_some
from symparam.documents.reading.unit_senses import PURE, UNITS
from symparam.documents.words import fraction_words, in_all_layers, label_words, says_comparison, words, words_of
from symparam.documents.words.scripts import either, joined

_MOST_OF = 4  # Operands of which a word such as "half" may take its part.
_MOST_COUNTS = 3  # Counts that an operand is multiplied or divided by.
_MOST_SCALED = 4  # Quotients that are multiplied by a span.
_MOST_STORED = 4  # Numbers of parameters that may be stored in a format.
_SEVERAL = 10**4  # The least number of values in the sentence itself.
_MODEL = 10**5  # The least number of parameters of a model or a part of it.
_HAVING = re.compile(r"\d+(?:[ -][^\W\d_]{2,20}){2,4} ")  # A count, what it counts, and a word such as "of".
_COPIES = re.compile(r"(?:\d{1,4}+|[^\W\d_]{1,20}+) ?+((?>(?:[^\W\d_]{1,20}+ ?+){1,4}))\Z")  # A count with what it counts alone.
_COMMAS = (",", "，", "、")
_APART = re.compile(r"[.;,()|\n]|\d|[。；，、（）]")
_MOST_NAMED = 26  # Characters beside a count in which words may say what it counts.
_MOST_BETWEEN = 4  # Words between a factor and what is so many times as much.
_MANY = 1_000  # A number with fewer possible values is met by chance.
_EACH_SECOND = (("time", -1),)


def ways(stated: Operand, known: Known, text: tuple[str, str, str]) -> list[Way]:
    """The ways to calculate the stated number, the likeliest first. ``text`` is the part of its sentence before it, the end of that part
    from the last number on, and the words after it.
    """
    found = [way for way in _ways(stated, known, *text) if not (way.adds_nothing_to(stated) or way.adds_twice)]
    return sorted(found, key=lambda way: (not way.announced, not way.linked, not way.allowed))


def _ways(stated: Operand, known: Known, sentence: str, lead: str, behind: str) -> Iterator[Way]:
    here = NumberInSentence(stated, known, sentence, lead, behind)
    if stated.ratio:
        yield from _ratios(here)
        return
    yield from _parts_and_rests(here)
    yield from _totals_in_words(here)
    yield from _calculations(here)
    yield from _products_in_words(here)
    yield from _changes(known.here, here.alike, sentence) if here.told or words("becomes").in_text(lead) else ()
    yield from _stored(stated, known, sentence + behind)
    yield from _long_numbers(here) if is_long(stated) else ()
    yield from _copies(stated, here.alike, known.counts, (lead, behind), sentence[-ABOUT:] + behind, (here.told, here.in_words))
    yield from _counted_beside(stated, known, sentence)
    if _EACH_SECOND in stated.dimensions:
        durations = [each for each in (*known.here, *known.before[:1]) if each.dimensions == UNITS["s"].dimensions]
        yield from (Way(1 / each.size, (each,), inverse, linked=True) for each in durations[:1])
    yield from _measured(stated, known, here.told and bool(known.here))
    yield from _in_spans(stated, known, here.told)


def _ratios(here: NumberInSentence) -> Iterator[Way]:
    """The ways to a factor or a percentage."""
    is_told = here.number.ratio == "factor" or _tells_share(here.sentence, here.behind, here.known)
    is_part = words("out_of").in_text(here.around) or words("share_of").begins(here.behind)
    is_label = here.lead.rstrip(MARKUP).endswith(SIGNS) and says_comparison(here.sentence)
    less, more = (words(each).in_text(here.around) for each in ("less", "more"))
    yield from ratios(here.number, here.known, is_told, is_part, less, more, is_label)


def _parts_and_rests(here: NumberInSentence) -> Iterator[Way]:
    """A half or a third of an operand, and what words call a rest."""
    for fraction in fraction_words(here.sentence[-ABOUT:] + here.behind):
        wholes = (*here.alike, *_counted_in(here.number, here.known))
        yield from (announced(times(fraction, each)) for each in wholes[:_MOST_OF])
    if words("rest").in_text(here.lead[-ABOUT:]) or words("rest").in_text(here.behind):
        yield from map(announced, rests(here.alike, here.known.here))
        yield from (announced(difference(one, (each,))) for one in here.alike[:2] for each in here.counts if each.value < one.value)


def _totals_in_words(here: NumberInSentence) -> Iterator[Way]:
    """The sums that words announce."""
    stated, known = here.number, here.known
    if here.is_total and not words("changes").in_text(here.lead[-ABOUT:]):
        everything = [each for each in (*known.here, *known.stated) if each.is_result and are_of_a_kind(each, stated)]
        yield from map(announced, totals([each for each in here.may_add if each not in known.named]))
        if len({each.key for each in everything}) < len(everything):
            yield from map(announced, totals(everything))
        if stated.side.literals and here.is_odd:
            chosen = [each for count in (2, 3) for each in combinations(everything[:MOST_PARTS], count)]
            yield from (announced(sum_of(parts[::-1])) for parts in chosen if words("total").in_text(here.lead + here.behind))
        yield from (announced(times(Fraction(2), each)) for each in here.alike[:1])
        parts = [each for each in known.later if each.is_result and each.dimensions == stated.dimensions != PURE]
        if here.is_odd:
            yield from map(announced, totals(parts[::-1]))  # 120 GB in all, of which 84 GB are weights and 36 GB the cache.
        yield from (replace(sum_of((here.alike[0], each)), allowed=True) for each in here.counts if here.alike)
    if words("plus").in_text(here.sentence[-ABOUT:]):
        yield from (replace(sum_of(pair[::-1]), allowed=True) for pair in combinations(here.alike[:4], 2))


def _calculations(here: NumberInSentence) -> Iterator[Way]:
    """Calculations without a result, and the values of formulas of the page."""
    stated, known = here.number, here.known
    is_restated = here.in_words and not known.here and bool(stated.side.literals) and here.is_odd  # We get 63.1M.
    alone = (each for each in (*known.here, *known.before[:1]) if each.is_calculation or (is_restated and is_long(each)))
    yield from (_itself(each, here.told, each in known.here[:1]) for each in alone)
    for each, named in known.formulas:
        is_exact = here.told and is_long(stated) and each.value == stated.value
        yield Way(each.size, (each,), as_it_is, announced=named, allowed=here.told, linked=is_exact)


def _products_in_words(here: NumberInSentence) -> Iterator[Way]:
    """Products with a factor that words say, or of the two numbers of a sentence."""
    known = here.known
    for factor in [each for each in known.here if each.ratio == "factor"][:1] if here.told or _is_apposition(here.lead) else ():
        yield from (announced(product(one, factor)) for one in here.alike[:2])  # Twice as much, i.e. 52 GFLOPs.
    if WORK in here.number.dimensions and either(label_words()["macs"]).search(here.sentence[-ABOUT:]):
        yield from (announced(times(Fraction(2), one)) for one in here.alike[:2])
    if here.in_words and len(known.here) == 2 and not any(each.side.literals or each.ratio or each.is_calculation for each in known.here):
        yield announced(product(*known.here[::-1]))  # 512 sequences of 1,024 tokens, that is 524,288.


def _long_numbers(here: NumberInSentence) -> Iterator[Way]:
    """The sums, differences and multiples of others that no chance makes a number of so many digits."""
    stated, known, alike = here.number, here.known, here.alike
    yield from totals([each for each in here.may_add if each not in known.named])
    yield from (difference(one, (other,)) for one, other in permutations(known.here, 2) if one.value > other.value)
    if words("less").in_text(here.behind) or words("more").in_text(here.behind):
        pairs = ((one, other) for one in known.here for other in alike if one is not other and one in alike)
        yield from (announced(difference(max(pair, key=_size), (min(pair, key=_size),))) for pair in pairs)
    later = [each for each in known.later if each.is_result and are_of_a_kind(each, stated)]
    yield from (replace(way, allowed=here.told, announced=here.is_total) for way in sums_of_some(stated, alike))
    if here.is_total and later:  # In total 12,345 with the last norm (1,536).
        yield from map(announced, sums_of_some(stated, [*later, *alike]))
    yield from without_some(stated, alike, f"{here.lead[-ABOUT:]} | {here.behind}")
    in_all = in_all_layers().in_text(here.sentence[-ABOUT:]) or words("copies").in_text(here.lead[-ABOUT:])
    yield from _multiples(stated, alike, known.above, in_all)


def _counted_in(stated: Operand, known: Known) -> list[Operand]:
    """Numbers of parameters, from which bytes and operations follow."""
    measures = {base for dimension in stated.dimensions for base, _ in dimension}
    counted_ones = [each for each in known.others if each.dimensions == PURE and not each.ratio]
    large = [each for each in counted_ones if each.value >= (_SEVERAL if each in known.here else _MODEL)]
    return large if measures & {"data", "work"} else []


def _stored(stated: Operand, known: Known, text: str) -> Iterator[Way]:
    """The bytes of parameters in a format of the sentence."""
    if UNITS["byte"].dimensions & stated.dimensions:
        for _, size in formats(text, 0, len(text)):
            for one in _counted_in(stated, known)[:_MOST_STORED]:
                yield announced(times(size, one))


def _size(one: Operand) -> Fraction:
    return one.value


def _is_apposition(lead: str) -> bool:
    """Whether a comma and at most a few words separate a number from the factor before it: ``8 times as much, 67 MB``."""
    between = lead.rstrip(MARKUP)
    return between.endswith(_COMMAS) and len(between.split()) <= _MOST_BETWEEN and not any(comma in between[:-1] for comma in _COMMAS)


def _itself(one: Operand, told: bool, is_next: bool = False) -> Way:
    """A calculation without a result; the number next to it in its sentence is hardly that by chance."""
    return Way(one.size, (one,), as_it_is, allowed=told, linked=is_next)


def _tells_share(sentence: str, behind: str, known: Known) -> bool:
    """Whether words say what a percentage is a part of, or that it is an increase or a decrease."""
    if words("share_of").begins(behind) and not known.named and not words("total").in_text(behind):
        return False  # In 75 % of the cases.
    around = f"{sentence[-ABOUT:]} | {behind}"
    told = any(words(notion).in_text(around) for notion in ("out_of", "less", "more", "total", "arrives", "share"))
    return told or len(known.named) > 1 or words("share_of").begins(behind)


def _changes(here: Sequence[Operand], alike: Sequence[Operand], sentence: str) -> Iterator[Way]:
    """An operand that a percentage of the sentence increases or reduces."""
    for share in [each for each in here if each.ratio == "share"][:1]:
        for notion, sign in (("more", 1), ("less", -1)):
            if words(notion).in_text(sentence[-ABOUT:]):
                yield from (announced(changed(each, share, sign)) for each in alike[:2])


def _copies(
    stated: Operand,
    alike: Sequence[Operand],
    counts: Sequence[CountBeside],
    beside_it: tuple[str, str],
    around: str,
    said: tuple[bool, bool],
) -> Iterator[Way]:
    """Operands multiplied or divided by counts: ``12 layers``, ``each of 8 devices``. ``beside_it`` is the text before and after the number
    in which counts stand beside it; ``said`` are whether signs or words say that it follows, and whether words do.
    """
    lead, behind = beside_it
    told, in_words = said
    is_part = words("splits").in_text(around)
    # 2 × 40 GB is 80 GB by chance, and 262,144 is a multiple of every smaller power of two.
    is_precise, is_odd = stated.precision * _MANY <= 1, stated.chance * FEW <= 1
    is_each = is_part or words("per_one").in_text(around) or words("each").in_text(around)
    is_all = words("each").in_text(lead) and words("total").in_text(behind)  # 32 of 0.8 GB each, 25.6 GB in all.
    is_all = is_all or (words("each").in_text(around) and words("total").in_text(lead))
    is_told = told or is_each or words("copies").in_text(lead[-ABOUT:])
    is_told = is_told or (len(lead.split()) > 1 and words("becomes").in_text(lead[-ABOUT:]))
    nearest = next((each for each in counts if -len(lead) <= each.place - stated.start < len(behind) + stated.end - stated.start), None)
    for count in [each for each in counts if each.unit in ("", "one")][:_MOST_COUNTS]:
        beside = -len(lead) <= count.place - stated.start < 0 or (is_told and 0 <= count.place - stated.end <= len(behind)) or is_all
        is_alone = _COPIES.fullmatch(lead[count.place - stated.start :]) if -len(lead) <= count.place - stated.start < 0 else None
        # Two per layer 131,072, 32 layers 4,194,304; for 8 requests 80 GB.
        is_alone = is_alone if is_alone and (words("copies").in_text(is_alone[1]) or counted_things().search(is_alone[1])) else None
        is_size = not count.value & (count.value - 1)  # A power of two, as many sizes are.
        others = [each for each in alike if each.value != count.value]
        exact = [each for each in others[3:] if is_long(stated) and count.value * each.value == stated.value]
        for one in [*others[:3], *exact]:
            both = (product(counted(count.value), one), quotient(one, counted(count.value)))
            meant = both[1:] if is_part else both[::-1] if is_each else both
            is_exact = (not is_size or is_alone is not None) and count.value * one.value == stated.value
            is_nearest = count is nearest and one is alike[0]
            is_shown = stated.precision * (FEW if is_nearest else ODD) <= 1
            is_shown = is_shown or stated.value in (count.value * one.value, one.value / count.value)
            is_enough = (is_told or is_alone is not None) and is_shown and bool(stated.side.literals)
            is_announced = beside and ((is_precise and (is_odd or is_exact)) or is_enough)
            yield from (replace(way, announced=is_announced, allowed=beside) for way in meant)
            if beside and in_words and count.value * one.value == stated.value:
                yield announced(product(counted(count.value), one))
        if not count.unit and count.value <= len(alike) and beside:
            yield announced(sum_of(alike[: count.value][::-1]))
    for count in [each for each in counts if each.unit not in ("", "one")]:
        for one in [each for each in alike if _lasts(each, count.unit)][:1]:
            yield replace(product(counted(count.value), one), announced=0 <= stated.start - count.place <= len(lead))


def _multiples(stated: Operand, alike: Sequence[Operand], above: str, in_all: bool) -> Iterator[Way]:
    """Operands times a count that stands anywhere above: ``28 × block``. No chance makes a long number such a multiple; one of powers of
    two has to be said to be of all layers, and its count to be theirs.
    """
    for one in alike[:_MOST_OF]:
        count = stated.value / one.value
        if count.denominator == 1 and 1 < count < _MANY:
            found = list(re.finditer(rf"(?<![\d.,]){count}(?![\d.,]*\d)", above))[-_MOST_OF:]
            is_meant = in_all and any(_counts_copies(above, *each.span()) for each in found)
            yield from (replace(product(counted(int(count)), one), tries=_MOST_OF, announced=is_meant) for _ in found[:1])


def _counts_copies(text: str, start: int, end: int) -> bool:
    """Whether words beside a number say that it counts layers: ``32 layers``, ``l = 24 the number of layers``, ``n_layers: 32``."""
    before, behind = text[max(0, start - _MOST_NAMED) : start], text[end : end + _MOST_NAMED]
    return any(words("copies").in_text(_APART.split(each)[at].replace("_", " ")) for each, at in ((before, -1), (behind, 0)))


def _counted_beside(stated: Operand, known: Known, sentence: str) -> Iterator[Way]:
    """Amounts of the sentence times the count of things that have them: ``40 checkpoints of 48 GB``."""
    begin = stated.start - len(sentence)
    for count in [each for each in known.counts if not each.unit]:
        for one in [each for each in known.here if each.start > count.place >= begin]:
            between = sentence[count.place - begin : one.start - begin]
            is_having = _HAVING.fullmatch(between) and one.dimensions & stated.dimensions - PURE
            if is_having or (one.is_calculation and _just_counted().fullmatch(between)):
                yield replace(product(counted(count.value), one), linked=True)


def _lasts(one: Operand, unit: str) -> bool:
    """Whether an operand can be multiplied by the unit of time: a rate per second, or a price per hour or day."""
    powers = [dict(each) for each in one.dimensions]
    money = any("money" in each for each in powers)
    return money != (unit == "second") and any(each.get("time") == -1 for each in powers)


def _measured(stated: Operand, known: Known, told: bool) -> Iterator[Way]:
    """Products and quotients of two operands, at least one of which is in the sentence or is the last one. They need no words if they
    measure what neither operand does: bytes divided by bytes per second.
    """
    factors = [each for each in known.others if each.ratio != "factor" and each.value != 1]
    first = len([each for each in known.here if each in factors]) or 2
    for at, one in enumerate(factors[:first]):
        for other in factors[at + 1 :]:
            is_new = not (one.dimensions & stated.measures or other.dimensions & stated.measures)
            if not (is_new or told or one.per or other.per) or not fit(one, other):
                continue
            linked = belong_together(one, other) or (is_new and not PURE & one.dimensions and not PURE & other.dimensions)
            if dimensions_of(one, other, 1) & stated.dimensions:
                is_bill = told and stated.is_money and any(each.dimensions == UNITS["s"].dimensions for each in (one, other))
                multiplied = (in_hours(other), in_hours(one)) if is_bill else (other, one)
                yield replace(product(*multiplied), linked=linked or _is_share_of(one, other, known), allowed=True, announced=is_bill)
            if dimensions_of(one, other, -1) & stated.dimensions:
                yield replace(quotient(one, other), linked=linked, allowed=True)
            if dimensions_of(other, one, -1) & stated.dimensions:
                yield replace(quotient(other, one), linked=linked, allowed=True)


def _is_share_of(one: Operand, other: Operand, known: Known) -> bool:
    """Whether one is a percentage, and the other a result, of the same sentence: ``990 TFLOP/s at 40 %``."""
    return {one.ratio, other.ratio} == {"share", ""} and one in known.here and other in known.here


def _in_spans(stated: Operand, known: Known, told: bool) -> Iterator[Way]:
    """Quotients of two operands, times a span of time or a scale that words name: ``$8 an hour, at 2,400 tokens/s $0.93 per million``."""
    spans = [count.value for count in known.counts if count.unit in ("one", "second")][:2]
    if spans:
        calculated = [_itself(each, told) for each in known.here if each.is_calculation and each.dimensions & stated.dimensions]
        quotients = [each for each in _measured(stated, known, told and bool(known.here)) if each.form is divided]
        yield from (_scaled(way, span) for way in [*calculated, *quotients][:_MOST_SCALED] for span in spans)


def _scaled(way: Way, span: int) -> Way:
    return Way(way.size * span, way.operands, partial(in_span, span, way.form), allowed=way.allowed)


@cache
def _just_counted() -> re.Pattern[str]:
    """A count before a size: ``three 4096 × 4096 matrices``."""
    classifier = joined(words_of("classifier"), unspaced=True)
    return re.compile(rf"(?:\d{{1,4}}|[^\W\d_]{{1,12}})(?:[ -]?[^\W\d_]{{1,20}})?(?:{classifier})? ?")

"""Quantities of a page with what they measure, in a law's terms: bytes for each parameter, tokens in a second, money for an hour.

Things that people count are dimensions here, as seconds and bytes are: what cancels in a product is what the law is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache

from symparam.core.formula import Symbol, number
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.entries.labelled_quantities import is_factor
from symparam.documents.checking.sentences.quantity_extraction import (
    ExtractedQuantity,
    counted_in_column,
    extract_quantities,
    in_column,
    things_for_each,
)
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.unit_senses import UNITS, Dimension, Unit
from symparam.documents.words import thing_words, unit_words, words, words_of
from symparam.documents.words.scripts import SPACED, either, joined

_MEASURES = {
    "bytes": "data",
    "bits": "data",
    "FLOPs": "work",
    "MACs": "work",
    "seconds": "time",
    "money": "money",
    "energy": "energy",
    "bytes/second": "data/time",
    "energy/second": "energy/time",
}
_SHARE, _FACTOR = "share", "factor"
_VALUE = r"(?P<value>\d{1,3}(?>(?:,\d{3})+)(?:\.\d{1,4})?(?![\d,.]*\d)|\d{1,12}(?:\.\d{1,4})?(?![.,]?\d))"
_NUMBER = re.compile(  # Most numbers have no unit behind them, and none of a currency before them.
    rf"(?<![\w.,^$€£])(?P<sign>[$€£]\s?)?{_VALUE}"
    r"(?(sign)|(?=\s?(?:[%％]|[x×X](?![\w\s(~$])|[x×X]\s(?![\d(~$A-Z])|-?[^\W\d_]{2}|[kKMBT/s\u00a0])))"
)
_WORTH = re.compile(r"\d[ \u00a0-]?[^\W\d_]|\d\s?[x×%％]|[$€£]\d|[^\W\d_]{2}[^\w\n]{0,12}\d|[%％][*_` ]{0,3}[:：=]")
_IN_FORMULA = re.compile(r"(?:[A-Za-z]\w?[\s^_$*+]|[\\^_{$])")  # $36H^2$
_NAMED = re.compile(r"(?<=[A-Za-z\d.])-(?P<sign>(?!))?(?P<value>\d{1,4}(?:\.\d{1,2})?)(?P<scale>[BM])(?![A-Za-z\d.])")  # Llama-3-70B
_NUMBER_OR_END = re.compile(r"[\d.;,()]")
_LONGEST = 30  # Characters before a quantity in which one stands that it is compared with.
_AFTER_PERCENT = re.compile(rf"[%％][*_`]{{0,2}}\s?[:：=]\s?(?P<sign>(?!))?{_VALUE}")  # trainable%: 1.18
_SCALE = re.compile(r"\s?(?P<scale>[kKMBT])(?![^\W_])")
_WORD = re.compile(r"\s?(?P<word>[^\W\d_]{1,14})")
_FACTORS = re.compile(r"[^\d\n.,;|]{0,10}[x×*·]\s?[\d(~$]|\s?[x×]\s?[A-Z]")  # Of a calculation, or of a device: 2x H100.
_PERCENT = re.compile(r"\s?[%％]")
_SCALES = {"k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "T": 10**12}
_SPANS = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}


@frozen
class TypedQuantity:
    """A number of the page. ``dimensions`` are what it may measure; ``kind`` is "share" for a percentage, and "factor" for how many times
    as much something is. If it ``is_format``, it is the bytes of a parameter: ``FP16``, or ``2 bytes`` where these are ``is_stated``.
    """

    expression: Expression
    value: Fraction
    dimensions: tuple[Dimension, ...]
    kind: str = ""
    is_format: bool = False
    is_stated: bool = True

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.expression.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.expression.end

    @cached_property
    def literal(self) -> Literal:
        """The number as it is written."""
        found = next(iter(self.expression.literals.values()), None)
        whole = self.expression.exact or 0
        return found or Literal(whole, Fraction(1), None, len(str(whole)))

    @cached_property
    def side(self) -> ClaimSide:
        """It as a side of a claim; the bytes of a format are no number of the page."""
        if self.is_format:
            return ClaimSide(number(self.value), {})
        return ClaimSide(self.expression.formula, self.expression.literals)

    @property
    def is_in_bytes(self) -> bool:
        """Whether it is the bytes of a parameter as a number, not a format."""
        return self.is_format and self.literal.unit is None and self.is_stated

    @cached_property
    def precision(self) -> float:
        """The reciprocal of the number of values that its digits allow."""
        shown = abs(int(Fraction(self.literal.value) / (self.literal.last_digit or 1)))
        return 1 / max(shown, 1)

    @cached_property
    def size(self) -> float:
        """Its value as a float."""
        return float(self.value)


def powers(**bases: int) -> Dimension:
    """A dimension from powers of bases."""
    return tuple(sorted([(base, power) for base, power in bases.items() if power]))


@cache
def _dimension(measured: str, of: str = "", per: frozenset[str] = frozenset()) -> Dimension:
    above, _, below = _MEASURES.get(measured, measured).partition("/")
    found: dict[str, int] = {}
    for base, power in ((above, 1), (below, -1), (of, 1), *((each, -1) for each in per)):
        if base:
            found[base] = found.get(base, 0) + power
    return powers(**found)


def typed_quantities(text: str, start: int, end: int, is_label: bool = False) -> list[TypedQuantity]:
    """The quantities from ``start`` to ``end``, in the order of the page; a label may name a format without a number."""
    if not is_label and _WORTH.search(text, start, end) is None:
        return []
    found = {each.start: each for each in (*_rates_and_ratios(text, start, end), *_named_models(text, start, end))}
    extracted, others = extract_quantities(text, start, end), list[TypedQuantity]()
    for one in (*extracted.rates, *extracted.counts, *extracted.amounts):
        at = one.start
        if at not in found:
            found[at] = _typed(one, text)
        elif one.is_format and found[at].is_format and one.value != found[at].value:
            others.append(_typed(one, text))  # What an optimiser keeps, with a copy of the parameters and without.
    for each in [one for one in found.values() if one.literal.unit is not None and not one.kind]:
        for other in _with_unit_of(each, text, start):
            found.setdefault(other.start, other)
    ordered, last = list[TypedQuantity](), start
    for each in sorted([*found.values(), *others], key=lambda each: each.start):
        if each.start >= last or (
            ordered and each.is_format and each.start == ordered[-1].start
        ):  # The million of a price for a million tokens is no number of its own.
            ordered.append(each)
            last = each.end
    return ordered


def _with_unit_of(one: TypedQuantity, text: str, start: int) -> Iterator[TypedQuantity]:
    """The number before a quantity that is compared with it and has its unit: ``from 340 to 162 ms``, but not the range ``2 to 4 GB``."""
    match = _compared().search(text, max(start, one.start - _LONGEST), one.start)
    value = Fraction(match["value"].replace(",", "")) if match is not None else Fraction(0)
    is_range = match is not None and words("up_to").in_text(match["word"]) and value <= one.literal.value
    if match is not None and value and not is_range:
        yield _made(match, match.end("value"), value, one.literal.unit, one.dimensions, "")


def for_each_of(one: TypedQuantity, head: str) -> TypedQuantity:
    """An amount below a head that says what it is for each of."""
    per = things_for_each(head)
    if not per or one.kind or any(power < 0 or base in per for dimension in one.dimensions for base, power in dimension):
        return one
    less = dict.fromkeys(per, -1)
    return replace(one, dimensions=tuple(powers(**dict(dimension), **less) for dimension in one.dimensions))


def typed_in_column(number: Expression, head: str, text: str) -> list[TypedQuantity]:
    """A number without a unit below a head that names one, or that names what it counts."""
    found = in_column(number, head)
    extracted = [*found.rates, *found.amounts] if found is not None else []
    counted = counted_in_column(number, head)
    return [_typed(each, text) for each in (*extracted, *([counted] if counted is not None else ()))][:1]


def _typed(one: ExtractedQuantity, text: str) -> TypedQuantity:
    if one.is_format:
        is_stated = text[one.end - 1].isalpha() and text[one.start].isdecimal() and _in_bytes().search(text, one.start, one.end) is not None
        return TypedQuantity(one.expression, one.value, (powers(data=1, parameter=-1),), is_format=True, is_stated=is_stated)
    return TypedQuantity(one.expression, one.value, (_dimension(one.measured, one.of, one.per),))


def _rates_and_ratios(text: str, start: int, end: int) -> Iterator[TypedQuantity]:
    """Percentages, factors, prices, and what happens in a second."""
    for match in _AFTER_PERCENT.finditer(text, start, end):
        yield _made(match, match.end(), Fraction(match["value"].replace(",", "")), UNITS["%"], ((),), _SHARE)
    for match in _NUMBER.finditer(text, start, end):
        at, value = match.end(), Fraction(match["value"].replace(",", ""))
        if not value:
            continue
        if match["sign"]:
            yield from _price(text, match, end)
            continue
        if percent := _PERCENT.match(text, at, end):
            yield _made(match, percent.end(), value, UNITS["%"], ((),), _SHARE)
            continue
        scale = _SCALE.match(text, at, end)
        behind = scale.end() if scale else at
        if _FACTORS.match(text, at, end):
            continue  # A factor of a calculation.
        if scale is None and is_factor(_expression(match, at, value, None), text):
            yield _made(match, at, value, None, ((),), _FACTOR)
            continue
        word = _WORD.match(text, behind, end)
        spelled = word["word"] if word else ""
        span = _each_span().match(text, word.end() if word else behind, end)
        if hours := _device_hours().match(text, at, end):
            unit = Unit(text[at : hours.end()].strip(), (Fraction(3600 * _SCALES[scale["scale"]] if scale else 3600),), "seconds")
            yield _made(match, hours.end(), value, unit, (powers(device=1, time=1),), "")
            continue
        own = UNITS.get(spelled)
        measured = _thing(spelled) if own is None else _MEASURES.get(own.counted, "")
        if own is not None and own.counted in ("bytes/second", "FLOPs", "MACs") and not span:
            each_second = (_dimension("work/time"),) if own.counted != "bytes/second" and spelled.endswith(("S", "s")) else ()
            dimensions = (*each_second, _dimension(own.counted))
            yield _made(match, word.end() if word else at, value, own, dimensions, "")
        elif span and (measured or spelled) and not (own is not None and not own.counted):
            counted = measured or spelled.lower()
            seconds = _span_of(span["span"])
            size = own.senses if own else (Fraction(_SCALES[scale["scale"]] if scale else 1),)
            rate = Unit(text[at : span.end()].strip(), tuple(each / seconds for each in size), "")
            yield _made(match, span.end(), value, rate, (_dimension(f"{counted}/time"),), "")


def _named_models(text: str, start: int, end: int) -> Iterator[TypedQuantity]:
    """The numbers of parameters at the end of names: ``Llama-3-70B``."""
    for match in _NAMED.finditer(text, start, end):
        unit = Unit(match["scale"], (Fraction(_SCALES[match["scale"]]),), "")
        yield _made(match, match.end(), Fraction(match["value"]), unit, (powers(parameter=1),), "")


def _price(text: str, match: re.Match[str], end: int) -> Iterator[TypedQuantity]:
    """An amount of money, or a price for an hour or for a million tokens."""
    value = Fraction(match["value"].replace(",", ""))
    scale = _SCALE.match(text, match.end(), end)
    if scale is None and _IN_FORMULA.match(text, match.end()):
        return
    size = Fraction(_SCALES[scale["scale"]] if scale else 1)
    at = scale.end() if scale else match.end()
    span, tokens = _each_span().match(text, at, end), _each_tokens().match(text, at, end)
    tokens = tokens or (None if span else _tokens_before(text, match.start()))
    if span:
        unit = Unit(text[match.end() : span.end()].strip(), (size / _span_of(span["span"]),), "")
        yield _made(match, span.end(), value, unit, (_dimension("money/time"),), "")
    elif tokens:
        many = Fraction(tokens["count"] or 1) * _scale_of(tokens["scale"])
        unit = Unit(text[tokens.start() : tokens.end()].strip(), (size / many,), "")
        yield _made(match, max(tokens.end(), at), value, unit, (_dimension("money/token"),), "")
    else:
        unit = Unit(scale["scale"], (size,), "money") if scale else Unit("$", (Fraction(1),), "money")
        yield _made(match, at, value, unit, (_dimension("money"),), "")


def _tokens_before(text: str, at: int) -> re.Match[str] | None:
    """The words before a price that say that it is for tokens: ``cost per 1M tokens = $8.17``."""
    begin = max(text.rfind("\n", 0, at) + 1, at - _LONGEST)
    found = list(_each_tokens().finditer(text, begin, at))[-1:]
    return found[0] if found and not _NUMBER_OR_END.search(text, found[0].end(), at) else None


def _made(
    match: re.Match[str], end: int, value: Fraction, unit: Unit | None, dimensions: tuple[Dimension, ...], kind: str
) -> TypedQuantity:
    expression = _expression(match, end, value, unit)
    return TypedQuantity(expression, value * (unit.senses[0] if unit else 1), dimensions, kind)


def _expression(match: re.Match[str], end: int, value: Fraction, unit: Unit | None) -> Expression:
    written = match["value"]
    decimals = len(written.partition(".")[2])
    digits = len(re.sub("[.,]", "", written).lstrip("0")) or 1
    start = match.start("sign") if match["sign"] else match.start("value")
    letter = f"{PLACEHOLDER}{start}"
    literal = Literal(value if decimals else int(value), Fraction(1, 10**decimals), unit, digits)
    return Expression(Symbol(letter), 0, 0, start, end, {letter: literal})


@cache
def _thing(word: str) -> str:
    """The thing that a word names, if it is one: ``tok``, ``tokens``."""
    lowered = word.lower()
    if lowered in ("tok", "toks"):
        return "token"
    return next((name for name, listed in thing_words().items() if lowered in listed), "")


@cache
def _in_bytes() -> re.Pattern[str]:
    """The end of an amount of bytes in words."""
    return re.compile(rf"(?:{'|'.join(joined(unit_words()['byte'], unspaced=which) for which in (False, True))})\Z")


@cache
def _compared() -> re.Pattern[str]:
    """A number and the word that compares it with what follows: ``340 to``, ``340 →``."""
    word = rf"→|->|⇒|{either(words_of('becomes')).pattern}\.?"
    return re.compile(rf"(?<![\w.,^$])(?P<sign>(?!))?{_VALUE}\s?(?P<word>{word})\s?[~≈]?\Z", re.IGNORECASE)


@cache
def _device_hours() -> re.Pattern[str]:
    """The unit of what devices are rented by: ``GPU-hours``, ``卡时``."""
    devices, hours = thing_words()["device"], ("h", *unit_words()["hour"])
    spaced, unspaced = ("|".join(joined(listed, unspaced=which) for which in (False, True)) for listed in (devices, hours))
    return re.compile(rf"\s?[kKM]?\s?(?:(?i:[A-Z]+\d*|{spaced})[ -]?|\u00a0{{2,}})(?:{unspaced})(?![{SPACED}\d])")


@cache
def _each_span() -> re.Pattern[str]:
    """What says that something is for a span of time: ``/s``, ``per hour``."""
    spans = [word for name in _SPANS for word in unit_words()[name]]
    per = joined(words_of("per_one"), unspaced=False)
    return re.compile(rf"\s?(?:/|(?:{per}|an?)\s)\s?(?P<span>{joined([*spans, 'h'], unspaced=False)})(?![{SPACED}])")


@cache
def _each_tokens() -> re.Pattern[str]:
    """What says that a price is for tokens: ``/1M tokens``, ``per million tokens``."""
    per = joined(words_of("per_one"), unspaced=False)
    scales = joined([*unit_words()["thousand"], *unit_words()["million"], *unit_words()["billion"]], unspaced=False)
    return re.compile(
        rf"\s?(?:/|(?:{per})\s)\s?(?P<count>\d{{1,4}})?\s?(?P<scale>[KMB]|{scales})?\s?(?:{either(thing_words()['token']).pattern})"
    )


def _scale_of(word: str | None) -> Fraction:
    if not word:
        return Fraction(1)
    return Fraction(_SCALES[word]) if word in _SCALES else UNITS[word].senses[0]


def _span_of(word: str) -> Fraction:
    return Fraction(3600) if word == "h" else UNITS[word].senses[0]

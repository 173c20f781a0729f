"""Numbers of sentences as operands: what each of them measures, and how likely it is to occur by chance."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from symparam.core.formula import Number, Symbol
from symparam.core.frozen import cached_property, frozen
from symparam.documents.checking.entries.labelled_quantities import is_factor, is_percent, is_year
from symparam.documents.checking.entries.list_parsing import usual_value
from symparam.documents.checking.sentences.quantity_extraction import extract_quantities
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.unit_senses import PURE, UNITS, Dimension, combined_dimensions
from symparam.documents.words import label_words, number_words, thing_words, unit_words, words, words_of
from symparam.documents.words.scripts import SPACED, either, is_unspaced, joined

_LEAST = 1_000  # A smaller number without a unit is a count or a size.
_MOST_COPIES = 1_000
_LEAST_LONG = 10_000  # A smaller number without a unit is a size, and sizes are often twice or half another.
_LARGEST = 10**40
_SINGLE = 1 / 40  # The probability that a quotient is exactly a given one-digit factor.
_LEAST_VALUES = 10  # A number whose digits allow fewer values occurs by chance.
_MONEY = UNITS["USD"].dimensions
_MONEY_EACH_HOUR: frozenset[Dimension] = frozenset({(("money", 1), ("time", -1))})
_MONEY_EACH_KWH: frozenset[Dimension] = frozenset({(("energy", -1), ("money", 1))})
_EACH_KWH = re.compile(r"[^\d.,;|\n]{1,16}kWh(?![^\W_])")
_EACH_SECOND: frozenset[Dimension] = frozenset({(("time", -1),), ()})
_CURRENCY_BEFORE = re.compile(r"[$€£¥]\s?\Z")
_CURRENCY_BEHIND = re.compile(r"\s?(?:[€$£]|[^\W\d_]+)")
_COUNT = re.compile(r"(?<![\w.,^/×*-])\d{1,4}(?![\w^]*\d|[.,]\d|[:：)]|[.,]?\s?(?:%|[kKMGTP]i?B?(?![^\W\d_])|B(?![^\W\d_])))")
_BARE_YEAR = re.compile(r"(?:199|20[0-3])\d\)?\Z")
_STOP = re.compile(r"[\d.,;:()（）。，、；：\n|]")
_BESIDE = 24  # Characters beside a price in which words may say what it is for.
_LEAST_DIGITS = 4
_NEAR = 90  # Characters before a number in which its counts are looked for.
_BEHIND = 30  # Characters after it.
_SECONDS = {"minute": 60, "hour": 3600, "day": 86400, "week": 604800}  # To multiply a rate per second.
_HOURS = {"day": 24, "week": 168, "month": 720, "year": 8760}  # To multiply a price per hour.
_DAYS = {"week": 7, "month": 30, "year": 365}
_SCALES = {"thousand": 10**3, "million": 10**6, "billion": 10**9}


@dataclass(frozen=True, eq=False)
class Operand:
    """A number of the page, compared by identity. ``dimensions`` are those that it may have, ``chance`` is the probability that a random
    size with as many digits is exactly this one, and ``precision`` the same for a random number, in which final zeros and factors of two
    are no likelier than others. ``derived`` says that a calculation gives it.
    """

    side: ClaimSide
    value: Fraction
    start: int
    end: int
    written: str
    dimensions: frozenset[Dimension]
    chance: float = 1.0
    precision: float = 1.0
    derived: bool = False
    ratio: str = ""  # "share" for a percentage, "factor" for a number before a word for "times".
    per: frozenset[str] = frozenset()  # The things for each of which it is the amount, if words say so.
    of: str = ""  # The thing that it counts, if words say so.

    @cached_property
    def size(self) -> float:
        """Its value as a float, for comparisons of magnitude only."""
        return float(self.value)

    @cached_property
    def last_digit(self) -> float:
        """One unit of its last digit."""
        literal = self.side.literal
        scale = literal.unit.senses[0] if literal is not None and literal.unit is not None else Fraction(1)
        return float(literal.last_digit * scale) if literal is not None else 1.0

    @cached_property
    def unit(self) -> tuple[str, ...]:
        """Its unit as written, if it has one."""
        return self.side.units[:1]

    @cached_property
    def key(self) -> tuple[int, int]:
        """Its value as a key, which a fraction takes long to be."""
        return self.value.numerator, self.value.denominator

    @property
    def is_single(self) -> bool:
        """Whether it is a factor of one digit, which occurs by chance unless it is exact."""
        return self.ratio == "factor" and self.chance == _SINGLE

    @property
    def is_calculation(self) -> bool:
        """Whether it is a calculation whose result the page does not state."""
        return bool(self.side.formula.parts)

    @property
    def is_money(self) -> bool:
        """Whether it is an amount of money, or a price for an hour."""
        return bool(self.dimensions & _MONEY)

    @cached_property
    def measures(self) -> frozenset[Dimension]:
        """The dimensions that it has unless words say otherwise: money without words for an hour is no price for one."""
        return self.dimensions - _MONEY_EACH_HOUR if self.dimensions == _MONEY else self.dimensions

    @property
    def is_timed(self) -> bool:
        """Whether it may count seconds, hours, or what takes them."""
        return any(base in ("time", "money") for dimension in self.dimensions for base, _ in dimension)

    @cached_property
    def is_result(self) -> bool:
        """Whether it is large or has a dimension, so that it is not a count and others may follow from it."""
        return not self.ratio and (self.derived or self.size >= _LEAST or self.dimensions != PURE)

    @property
    def may_follow(self) -> bool:
        """Whether it shows so many digits that it does not occur by mere chance, or may be exactly what words announce: 8 GiB."""
        is_enough = self.precision * _LEAST_VALUES <= 1 or (self.is_short and self.dimensions != PURE)
        return not self.is_calculation and (self.is_result or bool(self.ratio)) and is_enough

    @property
    def is_short(self) -> bool:
        """Whether it is an amount of one digit, which says something only if it is exact."""
        return self.precision * _LEAST_VALUES > 1 and not self.ratio and self.side.literal is not None


def operand_of(number: Expression, text: str, derived: bool = False) -> Operand | None:
    """A single number as an operand."""
    value = usual_value(number.formula, number)
    if value is None or not _is_of_a_size(value) or _is_year(number, text):
        return None
    side, literal = side_of(number), number.literal
    dimensions = literal.unit.dimensions if literal is not None and literal.unit is not None else PURE
    if not number.is_number:
        dimensions = _MONEY if _has_currency_before(text, number.start) else PURE
    ratio = "share" if is_percent(number) else ""
    behind = None if text.startswith("$", number.end) and _is_in_formula(text, number.end) else _CURRENCY_BEHIND.match(text, number.end)
    if dimensions == PURE and not ratio and number.is_number:
        if _device_hours().match(text, number.end):
            side, value, dimensions = _in_hours(number), value * 3600, UNITS["hours"].dimensions
        elif _has_currency_before(text, number.start) or (behind and _is_money(behind[0].strip())):
            dimensions = _MONEY
        elif _rate().match(text, number.end):
            dimensions = _EACH_SECOND
        elif number.nouns and number.nouns[0] in UNITS and UNITS[number.nouns[0]].counted in ("FLOPs", "MACs"):
            dimensions = UNITS[number.nouns[0]].dimensions
        elif number.nouns and number.nouns[0].lower() in label_words()["operations"]:
            dimensions = UNITS["FLOPs"].dimensions
        elif not (before := text[max(0, number.start - _BESIDE) : number.start]).isascii() and _each_second_before().search(before):
            dimensions = _EACH_SECOND
        elif is_factor(number, text):
            ratio = "factor"
    if dimensions == _MONEY and _EACH_KWH.match(text, number.end):
        dimensions = _MONEY_EACH_KWH
    elif dimensions == _MONEY and _is_each_hour(text, number.start, number.end):
        dimensions = _MONEY_EACH_HOUR
    chance, precision = _chances(number)
    if ratio == "factor":
        is_whole = number.exact is not None or (literal is not None and literal.last_digit == 1)
        chance = precision = _SINGLE if is_whole and value < 10 else precision
    elif number.exact is not None and value < _LEAST_LONG:
        precision = chance
    shown = text[number.start : number.end].strip("()（） ")
    shown = shown if number.is_number else f"({shown})"
    return Operand(side, value, number.start, number.end, shown, dimensions, chance, precision, derived, ratio)


def _is_of_a_size(value: Fraction) -> bool:
    """Whether it is positive, and neither so large nor so small that it measures nothing."""
    above, below = value.numerator, value.denominator
    return below <= above * _LARGEST and above <= below * _LARGEST


def _is_year(number: Expression, text: str) -> bool:
    """Whether it looks like a year, from which nothing follows: ``released in 2024``."""
    return is_year(number) and not number.nouns and _BARE_YEAR.search(text[number.start : number.end]) is not None


def with_things(operands: Sequence[Operand], text: str, start: int, end: int) -> list[Operand]:
    """The operands of a line, with the things that they count, or for each of which they are the amount, if words say so."""
    if sum(each.may_follow for each in operands) == 0 or len(operands) < 2:
        return list(operands)
    found = extract_quantities(text, start, end)
    things = {each.start: each for each in (*found.counts, *found.rates, *found.amounts)}
    return [replace(each, per=things[each.start].per, of=things[each.start].of) if each.start in things else each for each in operands]


def fit(one: Operand, other: Operand) -> bool:
    """Whether a product of two operands makes sense: an amount per token is not multiplied by a number of layers."""
    return all(not (first.per and second.of) or second.of in first.per for first, second in ((one, other), (other, one)))


def belong_together(one: Operand, other: Operand) -> bool:
    """Whether words say that one operand is for each of what the other counts."""
    return one.of in other.per or other.of in one.per


def has_device(amount: Operand, text: str) -> bool:
    """Whether words after an amount of memory say that it is a device's: ``a 24 GB card``."""
    is_data = bool(UNITS["byte"].dimensions & amount.dimensions)
    return is_data and words("device").begins(text[amount.end : amount.end + _BEHIND].lstrip(" -*"))


def is_index(number: Operand, text: str) -> bool:
    """Whether a small number ends a label: ``Layer 2: 4,096``."""
    return not number.is_result and text[number.end : number.end + 2].lstrip(" *").startswith((":", "："))


def whole_behind(share: Operand, behind: Sequence[Operand], text: str) -> list[Operand]:
    """The whole that words after a percentage name: ``31.1 % of the 124M``."""
    between = text[share.end : behind[0].start] if behind and share.ratio == "share" else ""
    return list(behind) if 0 < len(between) <= _BEHIND and words("out_of").in_text(between) else []


def operand_of_side(side: ClaimSide, value: Fraction, place: tuple[int, int], written: str) -> Operand:
    """A number of a table as an operand."""
    literal = side.literal
    dimensions = literal.unit.dimensions if literal is not None and literal.unit is not None else PURE
    return Operand(side, value, *place, written, dimensions, derived=True)


def _is_each_hour(text: str, start: int, end: int) -> bool:
    """Whether words directly beside a price say that it is one for an hour or a longer time."""
    behind = _STOP.split(text[end : end + _BESIDE])[0]
    if any(match[0].lower() in _span_words()[1] for match in _span_words()[0].finditer(behind)):
        return True
    before = _STOP.split(text[max(0, start - _BESIDE) : start])[-1]
    return is_unspaced(before.strip()) and _span_words()[0].search(before) is not None


def _has_currency_before(text: str, at: int) -> bool:
    sign = _CURRENCY_BEFORE.search(text, max(0, at - 2), at)
    return sign is not None and not (sign[0][0] == "$" and _begins_formula(text, sign.start()))


def _begins_formula(text: str, at: int) -> bool:
    """Whether a dollar sign begins a formula of TeX: the next one closes it, with no space before it and no digit behind it."""
    end = text.find("\n", at)
    closing = text.find("$", at + 1, end if end >= 0 else len(text))
    return closing > at and not text[closing - 1].isspace() and not text[closing + 1 : closing + 2].isdecimal()


def _is_in_formula(text: str, at: int) -> bool:
    """Whether a dollar sign closes a formula that another one on its line begins."""
    opening = text.rfind("$", text.rfind("\n", 0, at) + 1, at)
    return opening >= 0 and not text[opening + 1].isspace()


def _is_money(written: str) -> bool:
    return written in "€$£" or written.startswith(_unspaced_money()) or written in unit_words()["money"]


@cache
def _unspaced_money() -> tuple[str, ...]:
    return tuple(filter(is_unspaced, unit_words()["money"]))


def _in_hours(number: Expression) -> ClaimSide:
    """The number with the unit of hours: ``452 GPU-hours``."""
    found = number.literal or Literal(number.exact or 0, Fraction(1), None, len(str(number.exact)))
    letter = f"{PLACEHOLDER}{number.start}"
    return ClaimSide(Symbol(letter), {letter: replace(found, unit=UNITS["hours"])})


def _chances(number: Expression) -> tuple[float, float]:
    """The reciprocal of the number of values that the shown digits allow, first without final zeros and factors of two, then with them."""
    literal = number.literal
    shown: int | Fraction = number.exact or 1 if literal is None else Fraction(literal.value) / (literal.last_digit or 1)
    values = abs(int(shown))
    every = 1 / max(values, 1)
    while values and values % 10 == 0 and (literal is None or literal.last_digit >= 1):
        values //= 10
    while values and values % 2 == 0 and number.exact is not None:
        values //= 2  # Sizes are multiples of powers of two, and so are their products.
    return 1 / max(values, 1), every


@frozen
class CountBeside:
    """A count in the sentence of a number; ``unit`` is its unit if it is a span of time or a scale that words name."""

    value: int
    place: int
    unit: str = ""


def counts_in(text: str, begin: int, number: Expression, end: int, occupied: Sequence[tuple[int, int]]) -> Iterator[CountBeside]:
    """The counts in the sentence of a number, the nearest first, without those in places ``occupied`` by calculations and amounts."""
    first = max(begin, number.start - _NEAR)
    stretches = ((first, number.start), (number.end, min(end, number.end + _BEHIND)))
    found: list[CountBeside] = []
    for start, stop in stretches:
        stretch = text[start:stop]
        for match in _COUNT.finditer(stretch):
            is_factor = start == number.end and words("times").begins(stretch[match.end() :].replace("×", "x").lstrip(" -"))
            if int(match[0]) <= _MOST_COPIES and not is_factor:
                found.append(CountBeside(int(match[0]), start + match.start()))
        found += [CountBeside(count, start + at) for at, count in number_words(stretch)]
        found += [CountBeside(count, start + at, unit) for at, count, unit in _spans(stretch)]
    seen: set[tuple[int, str]] = set()
    for each in sorted(found, key=lambda each: abs(each.place - number.start)):
        inside = any(start <= each.place < end for start, end in occupied)
        if each.value > 1 and (each.value, each.unit) not in seen and not inside:
            seen.add((each.value, each.unit))
            yield each


def _spans(text: str) -> Iterator[tuple[int, int, str]]:
    """The spans of time and the scales in words without a number: ``an hour``, ``per million tokens``."""
    pattern, spans = _span_words()
    for match in pattern.finditer(text):
        if not text[: match.start()].rstrip()[-1:].isdecimal():
            yield from ((match.start(), span, unit) for unit, span in spans[match[0].lower()].items())


@cache
def _span_words() -> tuple[re.Pattern[str], dict[str, dict[str, int]]]:
    found: dict[str, dict[str, int]] = {}
    for unit, spans in (("second", _SECONDS), ("hour", _HOURS), ("day", _DAYS), ("one", _SCALES)):
        for name, span in spans.items():
            for word in unit_words()[name]:
                if len(word) > 1 or is_unspaced(word):
                    found.setdefault(word.lower(), {})[unit] = span
    return either(found), found


def in_hours(one: Operand) -> Operand:
    """A span of time in hours, as prices are for one; any other operand as it is."""
    literal = one.side.literal
    if literal is None or literal.unit is None or one.dimensions != UNITS["s"].dimensions:
        return one
    hours = literal.unit.senses[0] / UNITS["hours"].senses[0]
    found = replace(literal, value=literal.value * hours, last_digit=literal.last_digit * hours, unit=UNITS["hours"])
    letter = next(iter(one.side.literals))
    return replace(one, side=ClaimSide(Symbol(letter), {letter: found}))


def dimensions_of(first: Operand, second: Operand, power: int) -> frozenset[Dimension]:
    """The possible dimensions of the product or quotient of two operands."""
    return combined_dimensions(first.dimensions, second.dimensions, power)


def counted(count: int) -> Operand:
    """A count as an operand."""
    return Operand(ClaimSide(Number(count), {}), Fraction(count), -1, -1, str(count), PURE)


@cache
def _rate() -> re.Pattern[str]:
    """What makes a number a rate: ``tokens/s``."""
    return re.compile(rf"\s?[^\W\d_]{{0,12}}\s?/\s?(?:{either(unit_words()['second']).pattern})", re.IGNORECASE)


@cache
def _each_second_before() -> re.Pattern[str]:
    """What makes a number behind it a rate in scripts without spaces: ``毎秒``."""
    each, second = (joined(listed, unspaced=True) for listed in (words_of("per_one"), unit_words()["second"]))
    return re.compile(rf"(?:(?:{each})(?:{second})|(?:{second})(?:{each}))[^\d\s]{{0,4}}\s?\Z")


@cache
def _device_hours() -> re.Pattern[str]:
    """The unit of what devices are rented by: ``H100 hours``, ``卡时``."""
    devices, hours = thing_words()["device"], ("h", *unit_words()["hour"])
    spaced, unspaced = ("|".join(joined(listed, unspaced=which) for which in (False, True)) for listed in (devices, hours))
    return re.compile(rf"\s?(?:[A-Z]+\d*|{spaced})[ -]?(?:{unspaced})(?![{SPACED}\d])")

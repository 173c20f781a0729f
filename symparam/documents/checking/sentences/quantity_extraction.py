"""Notices quantities in sentences: amounts, how many things there are, and how much each of them takes.

``7B`` and ``32 layers`` are counts, ``14 GB`` is an amount, ``0.5 MB per token`` and ``FP16`` are rates: an amount for each token, and two
bytes for each parameter. They are the nodes from which `symparam.documents.checking.laws` derives other amounts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache, lru_cache

from symparam.core.formula import Symbol
from symparam.core.frozen import frozen
from symparam.documents.reading.copied_formulas import FIGURE_SPACE
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.unit_senses import UNITS, Unit, unit_of
from symparam.documents.words import label_words, precision_words, thing_words, unit_words, words, words_of
from symparam.documents.words.scripts import SPACED, UNSPACED, alternatives, at_words, begun, is_unspaced, joined

_LEAST = 10**6  # The least parameters of a model, and the least bytes that it takes.
_MOST_BYTES = 16  # The most bytes for one parameter with its gradient and the states of an optimiser.
_OPTIMIZER = (12, 8)  # Bytes of Adam's two moments for each parameter, with and without a copy of the parameter itself.
_APART = re.compile(r"[,;:.()|\n，。；：（）、]")  # What stands behind these is about something else.
_BEHIND = 12  # Characters after an amount in which a word may name a device that has it.
_MOST = 200  # Numbers of one line; a line with more is data.
_BEFORE = 90  # Characters before an amount in which words may say what it is for each of.
_NOUN = 28  # Characters between a number and the word that says what it counts.
_NAMED = 16  # Characters between the name of a size and its number.
_MOST_BETWEEN = 2  # Words between a number and what it counts: ``32 hidden attention layers``.
_AND = re.compile(r"\s?(?:[^\W\d_]{1,3}|[/+&,]|)\s?")  # Between two things that an amount is for each of: ``per token and layer``.
_MOST_OF = 3  # Words between an amount and what it is for each of: ``0.5 MB of KV cache per token``.
_PARAMETER = frozenset(["parameter"])
_NUMBER = re.compile(
    r"(?<![\w.,$^-])(?P<value>\d{1,3}(?P<group>[,.\u2007])\d{3}(?>(?:(?P=group)\d{3})*)(?![\d.,]*\d)|\d{1,12}+(?>(?:[.,]\d{1,4}+)?))"
    rf"(?:[ \u00a0\u202f-]?|\s?(?:{joined(words_of('classifier'), unspaced=True)}))"
    rf"(?P<unit>[{UNSPACED}]++|[{SPACED}]++(?:/[sS](?![^\W_]))?|[^\W\d_]++|(?![^\W_]))(?![{SPACED}\d_]|\^|/[^\W\d_]*\d)"
)
_MODEL = re.compile(r"(?<=[^\W\d_]-)(?P<value>\d{1,4}(?:\.\d{1,2})?)(?P<unit>[bB])(?![^\W_])")  # LLaMA-7B, Llama-2-70b-chat
_FORMAT = re.compile(
    rf"(?<![{SPACED}\d])(?:(?i:fp|bf|b?float|u?int|nf)[ -]?(?P<bits>4|8|16|32|64)"
    rf"|(?P<wide>4|8|16|32|64)[ -]?(?i:{'|'.join(joined(unit_words()['bit'], unspaced=which) for which in (False, True))})"
    rf"|Q(?P<kept>[2-8])(?>(?:_[0-9KMSL])*))(?![{SPACED}\d])"
)
_CLAUSE = re.compile(r"[.;!?|](?=\s)|[。；！？\n]")
_APART = re.compile(r"[.;!?|,，、。；！？\n]")
_ASIDE = re.compile(r"[*_`]{0,2}[,，、]\s?[*_`]{0,2}")  # 320 KiB, per token.
_ENDS = re.compile(r"[*_`]{0,2}(?:[.;,。；，)）\n]|\Z)")
_RESULTS = re.compile(r"\s*[=≈]")
_WORD = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile(r"[^\W\d_]+")
_LINK = re.compile(r"[\s:：=≈~*`|(（]*+(?:[^\W\d_]{1,6}[\s:：=≈~*`|(（]*+)?")


@frozen
class ExtractedQuantity:
    """A quantity in the text. ``per`` are the things for each of which it is the amount; ``of`` is the thing that a count counts."""

    expression: Expression
    value: Fraction
    per: frozenset[str] = frozenset()
    of: str = ""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.expression.start

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.expression.end

    @property
    def measured(self) -> str:
        """What it measures: bytes, FLOPs, seconds; empty for a number of parameters."""
        unit = self.expression.literal.unit if self.expression.literal else None
        return unit.counted if unit else ""

    @property
    def is_format(self) -> bool:
        """Whether it is a number of bytes for each parameter."""
        return bool(self.per) and not self.of and not self.measured


@frozen
class ExtractedQuantities:
    """A stretch of the page with the ``counts``, ``rates`` and ``amounts`` in it, each in the order of the page."""

    counts: tuple[ExtractedQuantity, ...] = ()
    rates: tuple[ExtractedQuantity, ...] = ()
    amounts: tuple[ExtractedQuantity, ...] = ()


NO_QUANTITIES = ExtractedQuantities()


@frozen
class _Thing:
    start: int
    end: int
    name: str
    each: bool  # Whether words say that one of them is meant.


@lru_cache(maxsize=64)  # Several judges ask about the same line and those above it.
def extract_quantities(text: str, start: int, end: int) -> ExtractedQuantities:
    """The quantities from ``start`` to ``end``."""
    counts, rates, amounts = list[ExtractedQuantity](), list[ExtractedQuantity](), list[ExtractedQuantity]()
    matches = sorted([*_NUMBER.finditer(text, start, end), *_MODEL.finditer(text, start, end)], key=re.Match.start)[:_MOST]
    whole, end = end, min(end, matches[-1].end() + _BEFORE) if matches else start
    seen = list(_things(text, start, end)) if matches else []
    behind = [*(match.start() for match in matches[1:]), end][: len(matches)]
    last = start
    for match, limit in zip(matches, behind, strict=True):
        found = unit_of(match["unit"]) if match["unit"] else None
        unit = found[0] if found else None
        value = _value(match, unit)
        if not value or (unit is not None and (unit.written == "%" or unit.divided)):
            continue
        ends = match.end("value") if unit is None or found is None else match.start("unit") + found[1]
        if unit is not None and not unit.counted and (byte := _bytes_behind(text, ends, limit, unit)):
            unit, ends = byte
        is_rate = unit is UNITS["B"] and value <= _MOST_BYTES and _PARAMETER & _each(text, (match.start(), ends), (ends, limit), [*seen])
        unit = UNITS["byte"] if is_rate else unit  # 8 B/param
        noun = _noun(text, match.start("unit") if unit is None else ends, limit, seen) or _named(text, match.start(), last, seen)
        is_size = unit is not None and (bool(unit.counted) or (noun is None and value * unit.senses[0] >= _LEAST))
        per = _each(text, (match.start(), ends), (last, limit), seen) if is_size or noun == "parameter" else frozenset[str]()
        if unit is not None and unit.counted:
            one = ExtractedQuantity(_expression(match, ends, value, unit), value * unit.senses[0], per)
            last = last if _RESULTS.match(text, ends) else ends  # ``per token 32 × 128 × 2 bytes = 8,192 bytes``
            if unit.written in unit_words()["byte"] and value <= _MOST_BYTES:
                rates.append(ExtractedQuantity(_expression(match, ends, value, None), value, per or _PARAMETER))
            elif not (one.measured == "bytes" and not per and _is_device(text, ends, end)):
                amounts.append(one)
        elif noun is not None:
            scale = unit.senses[0] if unit else Fraction(1)
            if value * scale > 1 and (value * scale).denominator == 1:
                counts.append(ExtractedQuantity(_expression(match, ends, value, unit), value * scale, per, noun))
        elif unit is not None and value * unit.senses[0] >= _LEAST:
            counts.append(ExtractedQuantity(_expression(match, ends, value, _first(unit)), value * unit.senses[0], per, "parameter"))
    rates += (each for each in (*amounts, *counts) if each.per)
    for match, size in formats(text, start, whole):
        rates.append(ExtractedQuantity(_expression(match, match.end(), size, None), size, _PARAMETER))
    for match in _optimizer().finditer(text, start, whole):
        kept = (Fraction(size) for size in _OPTIMIZER)
        rates += (ExtractedQuantity(_expression(match, match.end(), size, None), size, _PARAMETER) for size in kept)
    if not counts and not rates and not amounts:
        return NO_QUANTITIES
    return ExtractedQuantities(tuple(counts), tuple(sorted(rates, key=lambda one: one.start)), tuple(amounts))


def formats(text: str, start: int, end: int) -> Iterator[tuple[re.Match[str], Fraction]]:
    """The formats of numbers from ``start`` to ``end``, each with its bytes."""
    for match in _FORMAT.finditer(text, start, end):
        yield match, Fraction(int(match["bits"] or match["wide"] or match["kept"]), 8)
    yield from precision_words(text, start, end)


def counted_in_column(number: Expression, head: str) -> ExtractedQuantity | None:
    """A whole number below a head that names what people count, as a count of it: ``context length``."""
    thing = next((each for each in _things(head, 0, len(head)) if not each.each), None)
    literal, unit = number.literal, number.literal.unit if number.literal else None
    value = Fraction(literal.value if literal else number.exact or 0) * (unit.senses[0] if unit else 1)
    if thing is None or (unit is not None and unit.counted) or value <= 1 or value.denominator != 1:
        return None
    return ExtractedQuantity(number, value, of=thing.name)


def in_column(number: Expression, head: str) -> ExtractedQuantities | None:
    """What a number without a unit is below a head that names the unit, ``GB``, or that says that it is bytes for each parameter."""
    found = [UNITS[word] for word in _WORD.findall(head) if word in UNITS and UNITS[word].counted == "bytes"]
    literal, whole = number.literal, number.exact
    if literal is None and isinstance(whole, int):
        literal = Literal(whole, Fraction(1), None, len(str(whole)))
    if len(found) != 1 or literal is None or literal.unit is not None or not literal.value:
        return None
    letter = f"{PLACEHOLDER}{number.start}"
    rate = found[0].senses == (Fraction(1),) and words("parameters").in_text(head)
    shown = replace(literal, unit=None if rate else found[0])
    expression = Expression(Symbol(letter), 0, 0, number.start, number.end, {letter: shown})
    value = Fraction(literal.value)
    if rate:
        return ExtractedQuantities(rates=(ExtractedQuantity(expression, value, _PARAMETER),)) if value <= _MOST_BYTES else None
    return ExtractedQuantities(amounts=(ExtractedQuantity(expression, value * found[0].senses[0]),))


def _first(unit: Unit) -> Unit:
    """The scale in its usual sense: billions of parameters are not bytes."""
    return Unit(unit.written, unit.senses[:1], unit.counted, unit.divided)


def _value(match: re.Match[str], unit: Unit | None) -> Fraction | None:
    """The number: a sign before three digits separates thousands, unless it is a point before a unit that has parts."""
    written, group = match["value"], match.groupdict().get("group")
    if group == FIGURE_SPACE:
        return Fraction(written.replace(FIGURE_SPACE, ""))
    if group == "," or (group and (written.count(".") > 1 or unit is None or unit.written in unit_words()["byte"])):
        return Fraction(re.sub("[.,]", "", written))
    return Fraction(written.replace(",", "."))


def _bytes_behind(text: str, at: int, limit: int, unit: Unit) -> tuple[Unit, int] | None:
    """The unit of ``28 billion bytes``, and where it ends."""
    word = re.compile(r"[ ]?([^\W\d_]+)").match(text, at, limit)
    if word is None or word[1] not in unit_words()["byte"]:
        return None
    return Unit(f"{unit.written} {word[1]}", unit.senses[:1], "bytes"), word.end()


@cache
def _pattern() -> re.Pattern[str]:
    """A pattern for the things that people count, with the words before or after them that say that each of them is meant."""
    names = "|".join(f"(?P<{name}>{_either(listed)})" for name, listed in sorted(thing_words().items()))
    before, behind = (_either([word for word in words_of("per_one") if is_unspaced(word) in which]) for which in ((True, False), (True,)))
    return re.compile(at_words(rf"(?>(?P<each>(?:{before})\s?|/\s?)?)(?:{names})(?>(?P<behind>\s?(?:{behind}))?)", "/"), re.IGNORECASE)


@cache
def _optimizer() -> re.Pattern[str]:
    """A pattern for the words for what an optimiser keeps."""
    return re.compile(_either(label_words()["optimizer"]), re.IGNORECASE)


@cache
def counted_things() -> re.Pattern[str]:
    """The words for what requests, layers and devices are, after their count."""
    return re.compile(_either([word for thing in ("request", "layer", "device") for word in thing_words()[thing]]), re.IGNORECASE)


def _either(listed: Sequence[str]) -> str:
    """A pattern of words, the longest first; those of scripts with spaces are delimited."""
    signs = {"*": r"[^\W\d_]*+", " ": "[ -]"}
    spaced, unspaced = (
        alternatives([signs.get(sign) or re.escape(sign) for sign in word] for word in listed if is_unspaced(word) is which)
        for which in (False, True)
    )
    return begun(listed, rf"{unspaced}|(?<![^\W\d_]){spaced}(?![^\W\d_])")


def _things(text: str, start: int, end: int) -> Iterator[_Thing]:
    each, last = False, start
    for match in _pattern().finditer(text, start, end):
        goes_on = each and _AND.fullmatch(text, last, match.start())
        each, last = bool(match["each"] or match["behind"] or goes_on), match.end()
        yield _Thing(match.start(), match.end(), next(name for name in thing_words() if match[name]), each)


@lru_cache(maxsize=64)
def things_for_each(head: str) -> frozenset[str]:
    """The things for each of which the numbers below a head are: ``cache / request``."""
    return frozenset(each.name for each in _things(head, 0, len(head)) if each.each)


def _noun(text: str, at: int, limit: int, seen: Sequence[_Thing]) -> str | None:
    """The thing that a number counts, from the words after it."""
    for thing in seen:
        if at <= thing.start <= at + _NOUN and thing.start < limit:
            between = text[at : thing.start]
            is_short = words("short").in_text(between)  # In "30 steps at batch 1" no batches are counted.
            return thing.name if not thing.each and not is_short and _is_beside(between, _MOST_BETWEEN) else None
    return None


def _is_beside(between: str, most: int) -> bool:
    """Whether at most ``most`` words are between a number and what it is about."""
    return not _APART.search(between) and len(_BETWEEN.findall(between)) <= most


def _named(text: str, at: int, last: int, seen: Sequence[_Thing]) -> str | None:
    """The thing of which a number before it is the count: ``context length of 4096``, ``layers: 32``."""
    for thing in reversed(seen):
        if last <= thing.end <= at:
            is_near = at - thing.end <= _NAMED and _LINK.fullmatch(text, thing.end, at)
            return thing.name if is_near and not thing.each else None
    return None


def _each(text: str, place: tuple[int, int], limits: tuple[int, int], seen: list[_Thing]) -> frozenset[str]:
    """The things that an amount is for each of, from the words beside it. Words after it do not belong to it if they stand before the next
    amount.
    """
    (start, end), (last, limit) = place, limits
    found = set[str]()
    for thing in tuple(seen):
        if not thing.each:
            continue
        is_aside = _ASIDE.fullmatch(text, end, thing.start) and _ENDS.match(text, thing.end)
        is_beside = _is_beside(text[end : thing.start], _MOST_OF) or is_aside is not None
        behind = end <= thing.start < limit and thing.start - end <= _NOUN and is_beside
        before = last <= thing.start and thing.end <= start and start - thing.start <= _BEFORE
        if behind:
            seen.remove(thing)
        if behind or (before and not _CLAUSE.search(text, thing.end, start)):
            found.add(thing.name)
    return frozenset(found)


def _is_device(text: str, at: int, end: int) -> bool:
    """Whether the words after an amount say that it is what a device has: ``a 24 GB card``."""
    return words("device").begins(_APART.split(text[at : min(at + _BEHIND, end)])[0].lstrip(" -*"))


def _expression(match: re.Match[str], end: int, value: Fraction, unit: Unit | None) -> Expression:
    written = match["value"] if "value" in match.re.groupindex else ""
    exact = value.denominator == 1 and not re.fullmatch(r"\d+[.,]\d{1,2}|\d+[.,]\d{4}", written)
    decimals = 0 if exact else len(re.split("[.,]", written)[-1]) if written else 0
    digits = len(re.sub("[.,]", "", written).lstrip("0")) or 1
    letter = f"{PLACEHOLDER}{match.start()}"
    literal = Literal(value, Fraction(1, 10**decimals), unit, digits)
    return Expression(Symbol(letter), 0, 0, match.start(), end, {letter: literal})

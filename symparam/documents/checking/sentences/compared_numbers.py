"""Judges what stands beside two compared numbers: their change, their difference, ``72.3 → 74.9 (+2.6)``, or the share that one is of the
other, ``47 of 50 tests (94 %)``.

A difference or a share is never wrong: the one may be that of numbers before they were rounded, and the other that of something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import chain

from symparam.core.formula import Formula, Negative, Quotient, Sum
from symparam.documents.checking.sentences.ratio_pairs import ratio_pairs
from symparam.documents.checking.sentences.relative_changes import ARROW, ChangeClaim, change_claims, number_of
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.unit_senses import UNITS
from symparam.documents.rules.rule import applies
from symparam.documents.words import words_of
from symparam.documents.words.scripts import UNSPACED, joined

_AGREES = ("exact", "rounded")
_NUMBER = r"\d{1,9}+(?>(?:,\d{3})*)(?>(?:\.\d{1,4}+)?)"
_UNIT = r"(?:[ -]?[^\W\d_]{1,6}(?:/s)?|\s?\\?%)?"
_MARKS = r"[ *_`$~≈\\]*"
_BEGINS = r"(?<![\w.,^/+−–-])(?<!\d )"
_PER_CENT = ("%", "％")
_LEAST = 2  # Digits of a difference or a percentage.


def compared_numbers(amounts: Sequence[Expression], text: str, start: int, end: int) -> Iterator[ChangeClaim]:
    """The claims on compared numbers on a line or in a row of a table, from ``start`` to ``end``, with its amounts."""
    found = [*change_claims(amounts, text, start, end), *ratio_pairs(text, start, end)]
    places = [(each.right.start, each.right.end) for each in found]
    yield from found
    for each in (*_differences(text, start, end), *_shares(text, start, end)):
        if not any(first <= each.right.start < last for first, last in places):
            yield each


def _differences(text: str, start: int, end: int) -> Iterator[ChangeClaim]:
    for match in chain.from_iterable(pattern.finditer(text, start, end) for pattern in _changes()):
        units = [match[name].strip(" -\\") for name in ("unit", "other", "own")]
        first, last, stated = (number_of(match, name) for name in ("first", "last", "stated"))
        is_of_a_kind = units[0] in ("", units[1]) and (units[2] in ("", units[1]) or units[1] in ("", "%"))
        if is_of_a_kind and _digits(stated) >= _LEAST and _value(stated) not in (_value(first), _value(last)):
            sign = match["sign"] or ("+" if _value(last) > _value(first) else "-")
            parts = (last.formula, Negative(first.formula)) if sign in "+＋" else (first.formula, Negative(last.formula))
            shown = ("last", "first") if sign in "+＋" else ("first", "last")
            yield from _held(Sum(parts), " − ".join(match[name] for name in shown), (first, last, stated), "difference")


def _shares(text: str, start: int, end: int) -> Iterator[ChangeClaim]:
    if all(text.find(each, start, end) < 0 for each in _PER_CENT):  # As in most lines.
        return
    for match in chain.from_iterable(pattern.finditer(text, start, end) for pattern in _parts()):
        part, whole = number_of(match, "part"), number_of(match, "whole")
        percent = number_of(match, "percent", UNITS["%"])._replace(end=match.end("mark"))
        if _value(part) < _value(whole) and _digits(percent) >= _LEAST:
            yield from _held(
                Quotient(part.formula, whole.formula), f"{match['part']} / {match['whole']}", (part, whole, percent), "share-of-count"
            )


def _held(formula: Formula, shown: str, numbers: tuple[Expression, Expression, Expression], rule: str) -> Iterator[ChangeClaim]:
    first, last, stated = numbers
    found = holding(ClaimSide(formula, {**first.literals, **last.literals}), side_of(stated), "=")
    if found is not None and found.code in _AGREES and applies(rule, stated.start):
        yield ChangeClaim(shown, stated, replace(found, rules=(*found.rules, rule)))


def _value(number: Expression) -> Fraction:
    return Fraction(number.literal.value) if number.literal is not None else Fraction(0)


def _digits(number: Expression) -> int:
    return number.literal.digits if number.literal is not None else 0


@cache
def _changes() -> tuple[re.Pattern[str], ...]:
    """Two numbers, one of which becomes the other, with what the change is, in a bracket with a sign, or before both."""
    spaced, unspaced = (joined(words_of("becomes"), unspaced=which) for which in (False, True))
    begun = "|".join(joined(words_of("from"), unspaced=which) for which in (False, True))
    joint = rf"{ARROW.pattern}|{spaced}|[{UNSPACED}]{{0,4}}?(?:{unspaced})"
    first, last = rf"(?P<first>{_NUMBER})(?P<unit>{_UNIT}){_MARKS}", rf"{_MARKS}(?P<last>{_NUMBER})(?P<other>{_UNIT}){_MARKS}"
    stated = rf"(?P<stated>{_NUMBER})(?P<own>{_UNIT}){_MARKS}"
    behind = rf"[(（]{_MARKS}(?P<sign>[+＋−–-])\s?{stated}[)）]"
    before = rf"(?P<sign>[+＋−–-]?)\s?{stated}(?:[(（]|[,，]?\s?(?:{begun})\s?){_MARKS}"
    return (
        re.compile(rf"{_BEGINS}{first}(?:{joint}|\|){last}{behind}"),
        re.compile(rf"{_BEGINS}{before}{first}(?:{joint}){last}(?:[)）.,;。，；\n]|\Z)"),
    )


@cache
def _parts() -> tuple[re.Pattern[str], ...]:
    """A count that is one of another, with the percentage beside them: ``47 of 50 tests (94 %)``, ``94 % (47 of 50)``."""
    out_of = words_of("out_of")
    nouns = r"(?>(?:[ -][^\W\d_]{1,20}){0,3})"
    whole = rf"(?P<whole>{_NUMBER})(?![\w.,^/]*\d|\s?%)"
    owner = r"(?>(?:[^\W\d_]{1,12}(?:['’]s)? ){0,3})"  # Of a card's 148 cores.
    said = rf"(?P<part>{_NUMBER})(?:[ -][^\W\d_]{{1,20}}){{0,3}}? (?:{joined(out_of, unspaced=False)}) {owner}{whole}"
    named = rf"(?:[ -]?[{UNSPACED}A-Za-z]{{1,8}})?"
    inverse = rf"{whole}{named}\s?(?:{joined(out_of, unspaced=True)})\s?[{UNSPACED}]{{0,4}}\s?(?P<part>{_NUMBER}){named}"
    percent = rf"(?P<percent>{_NUMBER})(?P<mark>\s?\\?[%％])"
    about = "|".join(
        joined((*words_of("about"), *words_of("that_is"), *words_of("alternative")), unspaced=which) for which in (False, True)
    )
    behind = rf"{_MARKS}(?:[(（=:：→,，]|[–—-])\s?(?:(?:{about})[.,，]{{0,2}}\s?)?{_MARKS}{percent}"
    return (
        re.compile(rf"{_BEGINS}{said}{nouns}{behind}"),
        re.compile(rf"{_BEGINS}{inverse}{behind}"),
        re.compile(rf"{_BEGINS}{percent}{_MARKS}[(（]{_MARKS}{said}"),
    )

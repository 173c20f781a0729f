"""What two amounts of one dimension say together: how many times one is the other, what share of it, and by how much they differ."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, permutations

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Negative, Number, Product, Quotient, Sum
from symparam.documents.checking.laws.law_way import LawWay
from symparam.documents.checking.laws.places import ABOVE, BESIDE, HERE, Placed, Places
from symparam.documents.checking.laws.typed_quantity import TypedQuantity, powers
from symparam.documents.words import thing_words, words
from symparam.documents.words.scripts import UNSPACED

_MOST = 4  # Amounts of one dimension that are compared.
_BRACKET = re.compile(r"[\s*_`]{0,4}[(（,，=≈:：—–][\s*_`~≈+−–-]{0,5}")
_AROUND = 60
_LEAST_BYTES = 16
_DIRECTLY = 24  # Characters beside a percentage in which words say what it is of.
_LESS, _MORE = ("less",), ("more",)
_PART = ("share", "out_of", "share_of", "lost", "rest")
_STORED, _LEAST_STORED = (4, 2), 3  # Bytes of a parameter, and digits that such an amount shows.
_BEHIND_COUNT = re.compile(r"\s?(?:[^\W\d_]{1,16}\s){0,2}[(（]\s?~?")
_FORMAT = powers(data=1, parameter=-1)
_ALONE = re.compile(r"\s?[(（]\s?=?\s?")
_LABEL, _LABEL_LENGTH = re.compile(r"[%％][*_`]{0,2}\s?[:：=]\s?\Z"), 6  # trainable%: 1.18
_SIGN_BEFORE = re.compile(r"[+−–↓↑-]\s?\Z")
_FACTOR_BEFORE = re.compile(r"(?:[x×·]|(?<!\*)\*)\s?\Z")  # Two asterisks begin what is bold.
_COUNTED = re.compile(rf"\d\s?(?:[{UNSPACED}]|[x×*])?\s?\Z")  # 8 FP16 (16 bytes)
_STOPS = re.compile(r"[.,;|\n。，；、)）]")
_FEW = 10  # Values that the digits of a factor must allow if no word says that it compares.
_LONG = 40  # Values that the digits of a difference must allow.


def pairs(claim: Placed, places: Places, text: str) -> Iterator[LawWay]:
    """The ways in which a number may compare two amounts that stand near it."""
    stated = claim.quantity
    around = f"{text[max(0, stated.start - _AROUND) : stated.start]} | {text[stated.end : stated.end + _AROUND]}".replace("\n", " ; ")
    if stated.kind == "share":
        around = _beside(stated, text)
    for dimension in places.dimensions() if stated.kind else stated.dimensions:
        if not dimension or (not stated.kind and not _says_difference(around)):
            continue
        is_labelled = not stated.kind and _says_difference(_STOPS.split(text[max(0, stated.start - _AROUND) : stated.start])[-1])
        farthest = ABOVE if is_labelled else BESIDE
        found = [(one, tier) for one, tier in places.near(claim, dimension) if tier <= farthest and _is_amount(one, text)]
        found = [(one, tier) for one, tier in found if tier == HERE or one.quantity.start < stated.start]
        near = [(one, tier) for one, tier in found if stated.kind or tier == HERE or not _says_difference(_beside(one.quantity, text))][
            :_MOST
        ]
        for (one, first), (other, second) in permutations(near, 2):
            if one.quantity.size > other.quantity.size:
                yield from _compared(stated, one, other, max(first, second), text, around)


def _is_amount(one: Placed, text: str) -> bool:
    """Whether it is no format of numbers, and no factor of a calculation."""
    if _FACTOR_BEFORE.search(text, max(0, one.quantity.start - 3), one.quantity.start):
        return False
    return not one.quantity.is_format and not (one.quantity.size < _LEAST_BYTES and powers(data=1) in one.quantity.dimensions)


def _beside(stated: TypedQuantity, text: str) -> str:
    """What stands directly beside a percentage."""
    before = _STOPS.split(text[max(0, stated.start - _DIRECTLY) : stated.start])[-1]
    return f"{before} | {_STOPS.split(text[stated.end : stated.end + _DIRECTLY])[0]}"


def _says_difference(around: str) -> bool:
    return any(words(each).in_text(around) for each in ("less", "more", "lost", "difference", "rest"))


def _compared(stated: TypedQuantity, one: Placed, other: Placed, tier: int, text: str, around: str) -> Iterator[LawWay]:
    counts = all(base in thing_words() and base != "parameter" for dimension in one.quantity.dimensions for base, _ in dimension)
    large, small = (each.quantity.side.formula for each in (one, other))
    ratio = one.quantity.size / other.quantity.size
    if stated.kind == "factor":
        is_told = any(words(each).in_text(around) for each in ("less", "more"))
        if is_told or (tier == HERE and not counts) or stated.precision * _FEW <= 1:
            yield LawWay("ratio-of-amounts", (one, other), Quotient(large, small), ratio, "{} / {}", tier)
    elif stated.kind == "share":
        beside_large, beside_small = (_BRACKET.fullmatch(text, each.quantity.end, stated.start) for each in (one, other))
        is_less, is_more, is_part = (any(words(each).in_text(around) for each in told) for told in (_LESS, _MORE, _PART))
        if _SIGN_BEFORE.search(text, max(0, stated.start - 3), stated.start):
            is_less, is_more = True, True
        is_labelled = _LABEL.search(text, max(0, stated.start - _LABEL_LENGTH), stated.start) is not None
        is_part = is_part or is_labelled or (bool(beside_large) and words("becomes").in_text(text[other.quantity.end : one.quantity.start]))
        is_less, is_more, is_part = is_less or bool(beside_small), is_more or bool(beside_large), is_part or bool(beside_small)
        is_less, is_more = is_less and not counts, is_more and not counts
        if is_less:
            yield LawWay("share-of-amount", (one, other), relative_decrease(small, large), 1 - 1 / ratio, "1 - {1} / {0}", tier)
        if is_more:
            yield LawWay("share-of-amount", (one, other), relative_increase(large, small), ratio - 1, "{} / {} - 1", tier)
        if is_part:
            says_all = is_labelled and tier == HERE
            yield LawWay("share-of-amount", (other, one), Quotient(small, large), 1 / ratio, "{} / {}", tier, says_all=says_all)
    elif stated.precision * _LONG <= 1:
        difference = one.quantity.size - other.quantity.size
        yield LawWay("difference-of-amounts", (one, other), Sum((large, Negative(small))), difference, "{} - {}", tier)


def formats_in_bytes(claim: Placed, places: Places, text: str) -> Iterator[LawWay]:
    """The bytes that the format beside a number of bytes takes: ``FP16 (16 bits) : 1 paramètre = 2 octets``. Nothing else is meant if the
    number is alone in a bracket behind the format.
    """
    stated = claim.quantity
    if not stated.is_in_bytes:
        return
    near = [one for one, tier in places.near(claim, _FORMAT) if tier == HERE and not one.quantity.is_in_bytes]
    for one in near[:1]:
        format_ = one.quantity
        between = text[format_.end : stated.start] if format_.start < stated.start else text[stated.end : format_.start]
        if len(between) <= _AROUND and "\n" not in between and not _COUNTED.search(text, max(0, format_.start - 8), format_.start):
            alone = _ALONE.fullmatch(text, format_.end, stated.start) and text.startswith((")", "）"), stated.end)
            named = text[format_.start : format_.end]
            yield LawWay("bytes-of-format", (one,), format_.side.formula, format_.size, named, HERE, True, bool(alone))


def stored_in_bracket(claim: Placed, places: Places, text: str) -> Iterator[LawWay]:
    """What the parameters before a bracket with an amount take with four bytes each, or with two: ``1,191,170 parameters (4.54 MB)``."""
    stated = claim.quantity
    if powers(data=1) not in stated.dimensions or stated.literal.digits < _LEAST_STORED:
        return
    for one, tier in islice(places.near(claim, powers(parameter=1)), 1):
        if tier == HERE and _BEHIND_COUNT.fullmatch(text, one.quantity.end, stated.start):
            for size in _STORED:
                product = Product((one.quantity.side.formula, Number(size)))
                yield LawWay("bytes-of-parameters", (one,), product, one.quantity.size * size, f"{{}} × {size} bytes", tier, True)

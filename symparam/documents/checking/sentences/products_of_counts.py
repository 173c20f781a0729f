"""Judges a count beside the product that it is, whose factors count things: ``80 reductions (2/block × 40 blocks)``, ``37 groups × 4 sizes,
148 cells``.

Words leave open what else is counted, so such a claim holds if the two agree in every digit, and is never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from math import prod

from symparam.core.formula import Number, Product
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.rules.rule import applies

_LEAST = 10  # A smaller number is the product of some others by chance.
_NUMBER = r"(?<![\w.,^/])(?:\d{1,3}(?>(?:,\d{3}){1,4})|\d{1,9}+)(?![\w.^]*\d|[.,]\d|\s?%)"
_THING = r"(?>(?:[ /-]?[^\W\d_]{2,20}+){0,3})"  # What a factor counts, or is one of.
_PRODUCT = re.compile(rf"{_NUMBER}{_THING}(?>(?:\s?[×*]\s?(?>(?:[^\W\d_]{{2,20}}+ ){{0,3}}){_NUMBER}{_THING}){{1,3}})")
_COUNT = re.compile(_NUMBER)
_WORD = re.compile(r"[^\W\d_]{2}")
_BRACKET = re.compile(rf"(?P<count>{_NUMBER})[^\d()（）.;=≈|\n]{{1,40}}[(（][^\d()（）.;=≈|\n]{{0,40}}\Z")
_BEFORE = 100  # Characters before a product in which its bracket and the count before that stand.
_BEHIND = re.compile(rf"(?:[,;:，；：]|\s?(?:→|⇒|->))\s(?P<count>{_NUMBER})[ -][^\W\d_]{{2}}")
_CLOSED = re.compile(r"\s?[)）]")


def judge_products(record: Record, start: int, end: int) -> None:
    """Record the counts of a line that are beside their product."""
    for found in _PRODUCT.finditer(record.text, start, end):
        if _WORD.search(found[0]) is None:
            continue  # Sizes without words are read as a formula.
        factors = [int(each[0].replace(",", "")) for each in _COUNT.finditer(found[0])]
        for place in _counts_beside(record.text, found, start):
            count = int(record.text[slice(*place)].replace(",", ""))
            if count >= _LEAST and min(factors) > 1 and prod(factors) == count and not record.is_stated_at(place[0]):
                _add(record, found, factors, count, place)
                break


def _counts_beside(text: str, product: re.Match[str], start: int) -> Iterator[tuple[int, int]]:
    """The places of the count before the bracket that the product ends, and of the one behind a comma."""
    before = _BRACKET.search(text[max(start, product.start() - _BEFORE) : product.start()])
    if before is not None and _CLOSED.match(text, product.end()):
        first = max(start, product.start() - _BEFORE)
        yield first + before.start("count"), first + before.end("count")
    behind = _BEHIND.match(text, product.end())
    if behind is not None:
        yield behind.span("count")


def _add(record: Record, product: re.Match[str], factors: list[int], count: int, place: tuple[int, int]) -> None:
    found = judge_numbers(ClaimSide(Product(tuple(map(Number, factors))), {}), ClaimSide(Number(count), {}), "=")
    if found.verdict is Verdict.HOLDS and applies("product-of-counts", place[0]):
        ends = (min(place[0], product.start()), max(place[1], product.end()), place[0])
        record.add(ends, product[0], record.text[slice(*place)], "=", replace(found, rules=(*found.rules, "product-of-counts")))

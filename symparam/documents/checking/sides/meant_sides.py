"""Judges links whose two sides measure the same only as their author means them.

A number of elements stands for the bytes they have, ``4,096 floats = 16 KB``, and after a sum with its result a word or a letter may name
what comes to both, ``28 + 14 = 42 GB + activations``. Such a link holds if the numbers agree; it is never called wrong.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from symparam.core.formula import Formula, Product, Quotient, Sum, number
from symparam.core.message import message
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.number_formats import bytes_of_format
from symparam.documents.rules.rule import applies
from symparam.documents.words import words
from symparam.errors import FormulaError

_USUAL, _OTHER = Fraction(4), (Fraction(2), Fraction(8), Fraction(1))  # Bytes of an element.
_LEAST_DIGITS = 2
_EQUAL = ("exact", "unit", "digits")
_ALIKE = (*_EQUAL, "rounded", "truncated")


def judge_as_meant(left: Expression, right: Expression, sign: str) -> Judgement | None:
    """The verdict on the link as its author means it, if it holds so."""
    return _in_bytes(left, right, sign) or _without_rest(left, right, sign)


def _in_bytes(left: Expression, right: Expression, sign: str) -> Judgement | None:
    """The verdict on a number of elements, with its bytes on the right."""
    noun = left.nouns[-1] if left.nouns else ""
    stated = right.literal
    own = bytes_of_format(noun)
    if not left.is_number or stated is None or stated.unit is None or stated.unit.counted != "bytes":
        return None
    if own is None and not words("elements").is_one(noun):
        return None
    for size in (_USUAL, *_OTHER) if own is None else (own,):
        judgement = _judged(left._replace(formula=Product((number(size), left.formula))), right, sign)
        enough = _ALIKE if size in (_USUAL, own) and stated.digits >= _LEAST_DIGITS else _EQUAL
        if judgement is not None and judgement.code in enough and applies("bytes-of-elements", left.start):
            said = message("holds-with-values", said=judgement.reason, values=(message("value", letter=noun, value=size),))
            return replace(judgement, reason=said, rules=(*judgement.rules, "bytes-of-elements"))
    return None


def _without_rest(left: Expression, right: Expression, sign: str) -> Judgement | None:
    """The verdict on a calculation and its result, after which words or letters name what is added to both."""
    if left.letters or not isinstance(right.formula, Sum) or not isinstance(left.formula, (Sum, Product, Quotient)):
        return None
    parts = [each for each in right.formula.parts if each.letters <= right.literals.keys()]
    if not 0 < len(parts) < len(right.formula.parts) or parts[0] is not right.formula.parts[0]:
        return None
    stated: Formula = Sum(tuple(parts)) if len(parts) > 1 else parts[0]
    judgement = _judged(left, right._replace(formula=stated), sign)
    if judgement is None or judgement.code not in _ALIKE or not applies("rest-by-name", right.start):
        return None
    return replace(judgement, rules=(*judgement.rules, "rest-by-name"))


def _judged(left: Expression, right: Expression, sign: str) -> Judgement | None:
    """The verdict on two sides of numbers, if it is that they agree."""
    try:
        found = judge_numbers(side_of(left), side_of(right), sign)
    except FormulaError:
        return None  # Too large.
    return found if found.verdict is Verdict.HOLDS else None

"""Judges two ratios beside each other that say the same, or together make the whole: ``4× smaller (75 % less)``, ``2.5× (150 % overhead)``,
``98 % retention (2 % loss)``.

Such a claim holds if they agree and words say how the second is meant; it is never called wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from symparam.core.formula import Formula, Negative, Number, Quotient, Sum
from symparam.documents.checking.entries.labelled_quantities import is_percent
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.relative_changes import ChangeClaim, stated_ratios
from symparam.documents.checking.sides.number_agreement import judge_numbers
from symparam.documents.checking.sides.ranges import ends_range
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import Expression
from symparam.documents.rules.rule import applies
from symparam.documents.words import words, words_of
from symparam.documents.words.scripts import joined
from symparam.errors import FormulaError

_BEHIND = 32  # Characters behind a ratio in which words may say how it is meant.
_STOP = re.compile(r"[\d.,;:()（）|\n。，；：]")
_SIGNS = "+＋−–-"
_BRACKET = re.compile(r"[(（]")
_HOLDS = ("exact", "rounded", "truncated")
_TOLD = ("less", "more", "share", "out_of", "lost", "rest")
_ONE = Number(1)


def ratio_pairs(text: str, start: int, end: int) -> Iterator[ChangeClaim]:
    """The claims of two ratios beside each other on a line, from ``start`` to ``end``, the second as it follows from the first."""
    for one, other in pairwise(stated_ratios(text, start, end)):
        between = text[one.end : other.start]
        if not _beside().fullmatch(between) or ends_range(text, other.start) or ends_range(text, one.start):
            continue
        said = f"{between} | {_STOP.split(text[other.end : min(end, other.end + _BEHIND)])[0]}"
        is_told = any(words(notion).in_text(said) for notion in _TOLD)
        for formula, template in _senses(one, other, said) if is_told else ():
            found = _held(formula, template.format(text[one.start : one.end].lstrip(_SIGNS)), one, other)
            if found is not None and applies("ratio-pair", other.start):
                yield found
                break


def _senses(one: Expression, other: Expression, said: str) -> Iterator[tuple[Formula, str]]:
    """What the second ratio may be, as the words say, and how that is written."""
    first = one.formula
    shares = is_percent(one), is_percent(other)
    is_less, is_more = words("less").in_text(said), words("more").in_text(said)
    if shares == (True, True):
        if _BRACKET.search(said) and (words("lost").in_text(said) or words("rest").in_text(said)):
            yield Sum((_ONE, Negative(first))), "100% − {0}"
    elif shares == (False, True):
        if is_more or not is_less:
            yield Sum((first, Negative(_ONE))), "{0} − 1"
        if is_less:
            yield Sum((_ONE, Negative(Quotient(_ONE, first)))), "1 − 1 / {0}"
        if not is_more:
            yield Quotient(_ONE, first), "1 / {0}"
    elif shares == (True, False):
        if is_more or not is_less:
            yield Sum((_ONE, first)), "1 + {0}"
        if is_less:
            yield Quotient(_ONE, Sum((_ONE, Negative(first)))), "1 / (1 − {0})"
        yield Quotient(_ONE, first), "1 / {0}"


def _held(formula: Formula, written: str, one: Expression, other: Expression) -> ChangeClaim | None:
    try:
        found = judge_numbers(ClaimSide(formula, one.literals), side_of(other), "=")
    except FormulaError:
        return None  # Divided by zero.
    return ChangeClaim(written, other, found) if found.verdict is Verdict.HOLDS and found.code in _HOLDS else None


@cache
def _beside() -> re.Pattern[str]:
    """What stands between two ratios that say the same: a few words, and then a sign, a bracket, or a word such as "i.e."."""
    that_is = rf"[,，]?\s?(?:{joined(words_of('that_is'), unspaced=False)})\.?,?\s?"
    return re.compile(
        rf"[^\d.;:,，=≈|()（）\n]{{0,28}}+(?:[(（](?>(?:{that_is})?)[^\d.;:|()（）\n]{{0,16}}+|[\s*_`]?[=≈/→]|{that_is})[\s*_`~≈+−–-]{{0,3}}"
    )

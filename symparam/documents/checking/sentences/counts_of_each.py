"""Judges counts that are so many for each of several things: ``64 nodes with 8 GPUs per node, 512 in total``.

One of three counts of a sentence is the product of the two others. Its words say for each of which things one of these is, and that the
product counts the same, is a total, or is divided. As words leave open what else is counted, such a claim is never wrong.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations

from symparam.core.formula import Formula, Product, Quotient
from symparam.core.frozen import frozen
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.sentences.counted_nouns import Count, counts_in, have_in_common, of_each, things_before, things_in
from symparam.documents.checking.sides.holding import holding
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.sentences import is_broken, sentence_end
from symparam.documents.rules.rule import applies
from symparam.documents.words import words, words_of
from symparam.documents.words.scripts import joined

_LEAST, _FEWEST, _MOST = 10, 3, 8  # The least product, and how many counts a sentence has.
_ENOUGH, _ENOUGH_OF_TWO = 2, 3  # Signs that three counts of one sentence, or of two, are related.
_ODD = 3  # Digits of a count that may be rounded.
_AGREES = ("exact", "rounded")
_END = sentence_end("|")
_ABOUT = 60  # Characters around a count in which words say how it is related.
_NEAR = 32  # Characters between a count and the words about it.
_APART = re.compile(r"[\d.;!?|。；！？]|[,，(（)）](?!\Z)")
_STOP = re.compile(r"[.;!?](?=\s)|[。；！？|]")
_ENTRY = re.compile(r"\s*(?:[-*•+]\s|\d{1,2}[.)]\s|[#>|]|$)", re.MULTILINE)  # What begins anew.
_OPENING = ("(", "（")  # A bracket alone says less than a word.
_TOTAL, _FOLLOWS = ("total", "jointly"), ("so", "that_is", "arrives", "times")


@frozen
class Division:
    """A count ``whole`` of what ``number`` things have, ``each`` for one of them; ``signs`` is how many words say so."""

    whole: Count
    number: Count
    each: Count
    signs: int


def judge_counts_of_each(record: Record, start: int, end: int) -> None:
    """Record the counts of a line that are said to be so many for each of several things."""
    text = record.text
    start = _begun_above(text, start)
    if of_each().search(text, start, end) is None and _has().search(text, start, end) is None:
        return
    before, begin = start, start
    for stop in [*(match.start() for match in _END.finditer(text, start, end)), end]:
        if not _judge(record, begin, stop, _ENOUGH) and before < begin:
            _judge(record, before, stop, _ENOUGH_OF_TWO)
        before, begin = begin, stop + 1


def _begun_above(text: str, start: int) -> int:
    """Where the line above begins, if a sentence goes on from there."""
    above = text.rfind("\n", 0, max(0, start - 1)) + 1
    is_joined = text[start - 1 : start] == "\n" and is_broken(text[above : start - 1]) and not _ENTRY.match(text, start)
    return above if is_joined else start


def _judge(record: Record, start: int, end: int, least: int) -> bool:
    """Judge a sentence, or two; whether a claim was found, of whose signs there are at least so many."""
    text = record.text
    counts = [each for each in counts_in(text, start, end) if each.value > 1][: _MOST + 1]
    if not _FEWEST <= len(counts) <= _MOST:
        return False
    divisions = [*_said_by(of_each().finditer(text, start, end), counts, record.text, start)]
    divisions += _said_by(_has().finditer(text, start, end), counts, record.text, start)
    found = max(divisions, key=lambda one: one.signs, default=None)
    return found is not None and found.signs >= least and _add(record, found)


def _said_by(said: Iterable[re.Match[str]], counts: Sequence[Count], text: str, start: int) -> Iterator[Division]:
    """The ways to divide counts that words for each of several things announce."""
    for match in said:
        place = match.span(match.lastgroup or 0)
        for each in [one for one in _beside(counts, place, text) if match.lastgroup is None or one.start >= place[1]]:
            for found in _divisions(counts, each, place, text, start):
                yield replace(found, signs=found.signs - 1) if match[0][-1] in _OPENING else found


def _beside(counts: Sequence[Count], place: tuple[int, int], text: str) -> Iterator[Count]:
    """The counts directly behind and before a word that says that one of them is for each of several things."""
    behind = next((each for each in counts if each.start >= place[1]), None)
    if behind is not None and behind.start - place[1] <= _NEAR and not _APART.search(text, place[1], behind.start):
        yield behind
    before = next((each for each in reversed(counts) if each.end <= place[0]), None)
    if before is not None and place[0] - before.end <= _NEAR and not _APART.search(text, before.end, place[0]):
        yield before


def _divisions(counts: Sequence[Count], each: Count, said: tuple[int, int], text: str, start: int) -> Iterator[Division]:
    """The ways in which a count of things is that of others times ``each``."""
    for whole, number in permutations([one for one in counts if one is not each], 2):
        is_meant = whole.value >= _LEAST and whole.unit == each.unit and not number.unit
        is_meant = is_meant and not have_in_common(number.things, each.things)  # 4 bits, and 4 bits, are no 16 bits.
        if is_meant and _is_product(whole, number, each):
            signs = (
                bool(whole.unit) or have_in_common(whole.things, each.things),
                _is_told(counts, whole, text, start),
                _is_divided(whole, number, text, start),
                _is_of_each(counts, number, each, said, text),
            )
            yield Division(whole, number, each, sum(signs))


def _is_product(whole: Count, number: Count, each: Count) -> bool:
    product = number.value * each.value
    return product == whole.value or (max(whole.digits, each.digits) >= _ODD and abs(product - whole.value) * 100 < whole.value)


def _is_told(counts: Sequence[Count], whole: Count, text: str, start: int) -> bool:
    """Whether words say that a count is a total or follows from others."""
    before = max((one.end for one in counts if one.end <= whole.start), default=start)
    lead, behind = text[max(before, whole.start - _ABOUT) : whole.start], _APART.split(text[whole.end : whole.end + _NEAR])[0]
    follows = _FOLLOWS if before > start else ()  # Nothing follows from what stands behind it.
    said = any(words(notion).in_text(lead) for notion in (*_TOTAL, *follows))
    return said or any(words(notion).in_text(behind) for notion in _TOTAL)


def _is_divided(whole: Count, number: Count, text: str, start: int) -> bool:
    """Whether words say that what is counted before a number of things is divided among these."""
    before = text[max(start, whole.start - _ABOUT) : whole.start]
    return whole.start < number.start and words("splits").in_text(f"{before} | {text[whole.end : number.start]}")


def _is_of_each(counts: Sequence[Count], number: Count, each: Count, said: tuple[int, int], text: str) -> bool:
    """Whether the words for one of several things are about those of a number, by their name or their place."""
    behind = things_in(text, said[1], each.start if each.start > said[1] else said[1] + _ABOUT)
    if have_in_common(number.things, behind | things_before(text, said[0])):
        return True
    first, last = sorted((number, each), key=lambda one: one.start)
    beside = last.start - first.end <= _ABOUT and abs(counts.index(first) - counts.index(last)) == 1
    return beside and first.end <= said[1] <= last.end + _NEAR and not _STOP.search(text, first.end, last.start)


def _add(record: Record, found: Division) -> bool:
    """Record a division, if it holds: the product, or what each has if that is what stands last."""
    whole, number, each = found.whole, found.number, found.each
    is_quotient = whole.start < number.start < each.start
    stated = each if is_quotient else whole
    left: Formula = Product((number.side.formula, each.side.formula))
    shown = f"{number.shown} × {each.shown}"
    if is_quotient:
        left, shown = Quotient(whole.side.formula, number.side.formula), f"{whole.shown} / {number.shown}"
    literals = {**number.side.literals, **(whole if is_quotient else each).side.literals}
    judgement = holding(ClaimSide(left, literals), stated.side, "=")
    if judgement is None or judgement.code not in _AGREES[: 1 + (stated.digits >= _ODD)] or record.is_judged_at(stated.start):
        return False
    if not applies("count-of-each", stated.start):
        return False
    ends = min(whole.start, number.start, each.start), max(whole.end, number.end, each.end)
    record.add((*ends, stated.start), shown, stated.shown, "=", replace(judgement, rules=(*judgement.rules, "count-of-each")))
    return True


@cache
def _has() -> re.Pattern[str]:
    """A count, what it counts, and a word or a bracket with the count of what each of these has: ``4 warps of 32 threads``."""
    of, classifier = joined(words_of("share_of"), unspaced=False), joined(words_of("classifier"), unspaced=True)
    return re.compile(rf"\d[*_`$]{{0,2}}(?: ?(?:{classifier})? ?[^\W\d_]{{2,20}}){{1,3}}(?P<has> (?:{of}) (?=\d)|\s?[(（](?=\d))")

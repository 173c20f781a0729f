"""Judges changes: a factor or a percentage next to two quantities, one of which becomes the other or is compared with it.

``250 ms → 45 ms (5.6×)``, ``120× faster (800 ms → 6.5 ms)``, ``131 GB → 102 GB (−22 %)``, and ``| 1.5B | 175B (117×) |`` in a row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import pairwise

from symparam.core.combining import relative_decrease, relative_increase
from symparam.core.formula import Formula, Negative, Quotient, Sum, Symbol
from symparam.core.frozen import frozen
from symparam.documents.checking.entries.labelled_quantities import in_unit, is_percent
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.quantity_extraction import extract_quantities
from symparam.documents.checking.sides.intervals import agree_if_rounded
from symparam.documents.checking.sides.number_agreement import Judgement, judge_numbers
from symparam.documents.checking.sides.unit_readings import ClaimSide, side_of
from symparam.documents.reading.expression import PLACEHOLDER, Expression, Literal
from symparam.documents.reading.sentences import sentence_end
from symparam.documents.reading.unit_senses import UNITS, Unit, unit_of
from symparam.documents.rules.rule import applies
from symparam.documents.words import words, words_of
from symparam.documents.words.scripts import joined
from symparam.errors import FormulaError

_AROUND = 48  # Characters before and after two quantities in which a change between them is looked for.
_FROM = 8  # Characters before a quantity with a word such as "from".
_BETWEEN = 24  # Characters between two quantities, one of which becomes the other.
SIGNS = "+＋−–-"
_LARGE = 100  # A factor of this size is often rounded to tens: 120×.
_HOLDS = ("exact", "rounded", "truncated", "unit")
_SLIP = Fraction(3, 2)  # A change that is off by more than this factor is about something else.
_CHANGE = re.compile(
    r"[+＋−–-]?(?P<value>\d(?<![\w.,^].)(?:\d{0,2}+(?>(?:,\d{3})+)|\d{0,6}+)(?>(?:\.\d{1,4}+)?))"
    r"(?P<mark> ?\\?[%％]|[ -]?(?:[^\W\d_]+|×)(?![\w(×]|\*(?!\*)|\*\*[\w(])(?!\s*(?:\d|[(]\s*(?:\d[\d.,]*+(?!\s?\\?[%％])|[(]))))"
)
ARROW = re.compile(r"→|⇒|⟶|-{1,3}>|=>|\\(?:long)?(?:right)?arrow|\\to(?![a-z])")
_ROW = re.compile(r"[\s*`$]*\|[\s*`$≈~]*")
_END = sentence_end("\n|")
_APART = re.compile(r"[^\W\d_]{2}")  # A word: a factor alone in a cell is a column of its own.
_ALONE = re.compile(r"[\s*`$]*[(（]\s*")
_COUNT = re.compile(r"(?<![\w.,^])(?P<value>\d{1,6}+) (?:[^\W\d_]{1,12}[ /-]){0,2}(?P<noun>[^\W\d_]{3,20})(?![^\W_])")
_DIGITS = re.compile(r"(?<![A-Za-z\d])\d")
_BEFORE_RATIO = re.compile(
    r"(?<![\w.,^−–-])(?P<value>\d{1,9}+(?>(?:\.\d{1,4}+)?))(?=\s?[=(（][\s*_`$~≈]*\d[\d.]{0,6}\s?(?:[^\W\d_]|×|\\?%))"
)
_NAMED = re.compile(r"(?<![\w.,^])(?P<value>\d{1,6}+(?>(?:\.\d{1,4}+)?)) ?(?P<unit>[^\W\d_]{1,6}(?:/s)?)\s?(?=[(（][A-Za-z])")
_LEADS = re.compile(
    r"(?>(?:\s?[(（][^\W\d_][^()（）\n]{0,23}[)）])?)[^.;!?,，。；()（）|\d\n]{0,24}(?:[(（]|→|⇒|-{1,2}>|=>|=|[:：])[\s*`$~≈]*"
)  # From two counts to what one is of the other.
_CLOSED = re.compile(r"\s*[)）]")


@frozen
class ChangeClaim:
    """A claim about a change: ``left`` is its calculation in the numbers of the page, and ``sense`` the same with placeholders. The
    ``place`` is the stretch of the page with all its numbers, if that is more than the change.
    """

    left: str
    right: Expression
    judgement: Judgement
    sense: str = ""
    place: tuple[int, int] = (0, 0)

    @property
    def holds(self) -> bool:
        """Whether it holds in the digits that are shown."""
        return self.judgement.verdict is Verdict.HOLDS and self.judgement.code in _HOLDS

    @property
    def gap(self) -> Fraction:
        """By what part of the stated change it is off."""
        left, right = self.judgement.left or 0, self.judgement.right
        return abs(left / right - 1) if right else Fraction(left)

    @property
    def is_close(self) -> bool:
        """Whether it is wrong, but so near that it is hardly about something else."""
        left, right = self.judgement.left, self.judgement.right
        share = abs(left / right) if left and right else 0
        return self.judgement.verdict is Verdict.WRONG and 1 / _SLIP < share < _SLIP


Relating = Callable[[Formula, Formula], Formula]


def change_claims(amounts: Sequence[Expression], text: str, start: int, end: int) -> Iterator[ChangeClaim]:
    """The claims about changes on a line or in a row of a table, from ``start`` to ``end``, with its single quantities in their order."""
    stated = list(stated_ratios(text, start, end))
    if not stated:
        return
    factors = {change.start for change in stated if not is_percent(change)}
    here = extract_quantities(text, start, end)
    counts = {match.start(): match for match in _COUNT.finditer(text, start, end)}
    extracted = [each.expression for each in (*here.counts, *here.amounts)]  # Also of brackets: 16× (from 37.5B to 600B).
    firsts = map(number_of, _first_of_two().finditer(text, start, end))
    known = {
        each.start: each for each in (*firsts, *_named_amounts(text, start, end), *map(number_of, counts.values()), *extracted, *amounts)
    }
    amounts = [known[place] for place in sorted(known) if place not in factors]
    pairs = [(pair, _is_pair(*pair, text, start, end)) for pair in pairwise(amounts)]
    pairs = [(pair, is_joined) for pair, is_joined in pairs if is_joined or _may_compare(*pair, counts, text)]
    taken = {each.start for pair, _ in pairs for each in pair}
    stated = [change for change in stated if not any(place in taken for place in range(change.start, change.end))]
    for (one, other), is_joined in pairs:
        for change in stated:
            is_meant = _is_near(one, other, change, text) and (is_joined or _LEADS.fullmatch(text, other.end, change.start))
            found = _judged(_in_unit_of(other, one) if is_joined else one, other, change, text) if is_meant else None
            if found is not None and applies("change", change.start):
                stated.remove(change)
                yield found
                break


def row_change_claims(rows: Sequence[Mapping[int, Expression]], places: Sequence[tuple[int, int]], text: str) -> Iterator[ChangeClaim]:
    """The claims about changes from the first row of a table to each other, in the ``places`` of cells with words, ``80 % less memory``, or
    in a bracket behind the number that is compared with the one of its column: ``66.1 (+11 %)``.

    ``rows`` are the numbers of each row by their columns, and ``places`` the start and end of each row.
    """
    for row, (start, end) in zip(rows[1:], places[1:], strict=True):
        for change in stated_ratios(text, start, end):
            cell = text[text.rfind("|", start, change.start) + 1 : (text.find("|", change.end, end) + 1 or end + 1) - 1]
            beside = [column for column, each in row.items() if _ALONE.fullmatch(text, each.end, change.start)]  # 8.4 GB (−30%)
            told = words("less").in_text(cell) or words("more").in_text(cell) or not is_percent(change)
            if not (told or (beside and text[change.start] in SIGNS)) or not (beside or _APART.search(cell)):
                continue
            others = {column: each for column, each in row.items() if not change.start <= each.start < change.end}
            pairs = [(first, others[column]) for column, first in rows[0].items() if column in (beside or others)]
            judged = (_judged(*pair, change, text) for pair in pairs)
            found = next((each for each in judged if each is not None and each.judgement.verdict is Verdict.HOLDS), None)
            if found is not None and applies("change", change.start):
                yield found


def _is_pair(one: Expression, other: Expression, text: str, start: int, end: int) -> bool:
    """Whether an arrow, the line between two cells, or a word such as "to" beside one such as "reduces" joins the quantities."""
    between = text[one.end : other.start]
    if not _is_short(between):
        return False
    if ARROW.search(between) or _ROW.fullmatch(between):
        return True
    before = text[max(start, one.start - _AROUND) : one.start]
    around = before + between + text[other.end : min(end, other.end + _AROUND)]
    is_told = words("from").in_text(before[-_FROM:]) or words("less").in_text(around) or words("more").in_text(around)
    return words("becomes").in_text(between) and is_told


def _is_short(between: str) -> bool:
    """Whether only a few words are between two quantities; digits may be in a name: ``141 GB (H200) vs 80 GB``."""
    return 0 < len(between) <= _BETWEEN and "\n" not in between and not _DIGITS.search(between)


def _may_compare(one: Expression, other: Expression, counts: Mapping[int, re.Match[str]], text: str) -> bool:
    """Whether the two may be compared by a ratio directly behind them: a word such as "versus" joins them, or they count alike."""
    between = text[one.end : other.start]
    return (_is_short(between) and words("becomes").in_text(between)) or _count_alike(one, other, counts, text)


def _count_alike(one: Expression, other: Expression, counts: Mapping[int, re.Match[str]], text: str) -> bool:
    """Whether both are counts of one thing in a clause: ``64 query heads, 8 KV heads``."""
    if one.start not in counts or other.start not in counts or _END.search(text, one.end, other.start):
        return False
    return counts[one.start]["noun"] == counts[other.start]["noun"] and other.start - one.end <= _BETWEEN


def stated_ratios(text: str, start: int, end: int) -> Iterator[Expression]:
    """The factors and percentages in a stretch of the page; those that end in zeros may be rounded."""
    for match in _CHANGE.finditer(text, start, end):
        mark, written = match["mark"].strip(" -\\"), match["value"].replace(",", "")
        if mark in ("%", "％"):
            yield number_of(match, unit=UNITS["%"])._replace(start=match.start(), end=match.end())
        elif mark == "×" or words("times").begins(mark):
            zeros = len(written) - len(written.rstrip("0")) if Fraction(written) >= _LARGE else 0
            yield number_of(match, zeros=zeros)._replace(start=match.start(), end=match.end())


def number_of(match: re.Match[str], name: str = "value", unit: Unit | None = None, zeros: int = 0) -> Expression:
    """The number in a group of a match, whose last ``zeros`` may be rounded."""
    written = match[name].replace(",", "")
    shown = len(written.replace(".", "").lstrip("0")) or 1
    literal = Literal(Fraction(written), Fraction(10**zeros, 10 ** len(written.partition(".")[2])), unit, shown - zeros)
    letter = f"{PLACEHOLDER}{match.start(name)}"
    return Expression(Symbol(letter), 0, 0, *match.span(name), {letter: literal})


def _named_amounts(text: str, start: int, end: int) -> Iterator[Expression]:
    """The amounts before a bracket with the name of what has them, ``80 GB (H100)``, and numbers before a ratio: ``57 vs 69 = 1.2×``."""
    yield from map(number_of, _BEFORE_RATIO.finditer(text, start, end))
    for match in _NAMED.finditer(text, start, end):
        found = unit_of(match["unit"])
        if found is not None and found[1] == len(match["unit"]):
            yield number_of(match, unit=found[0])._replace(end=match.end("unit"))


def _in_unit_of(other: Expression, one: Expression) -> Expression:
    """The number in the unit of the one behind it, if it has none itself: ``from 140 to 35 GB``."""
    unit = other.literal.unit if other.literal is not None else None
    return one if unit is None else in_unit(one, unit)


@cache
def _first_of_two() -> re.Pattern[str]:
    """A number that becomes, or is compared with, the next one: ``124 vs 62 TFLOPS``."""
    joining = rf"(?:{ARROW.pattern}|(?:{joined(words_of('becomes'), unspaced=False)})\b)"
    return re.compile(rf"(?<![\w.,^−–-])(?P<value>\d{{1,9}}+(?>(?:\.\d{{1,4}}+)?)) ?(?={joining} ?[~≈]?\d)")


def _is_near(one: Expression, other: Expression, change: Expression, text: str) -> bool:
    """Whether the change is in the same sentence as the two quantities, and is neither of them."""
    first, last = min(change.end, one.start), max(change.start, other.end)
    beside = change.end <= one.start and one.start - change.end <= _AROUND
    behind = change.start >= other.end and change.start - other.end <= _AROUND
    apart = text[change.end : one.start] if beside else text[other.end : change.start]
    return (beside or behind) and first < last and not _END.search(apart)


def _judged(one: Expression, other: Expression, change: Expression, text: str) -> ChangeClaim | None:
    """The verdict in the sense in which the change holds; else wrong if it stands alone in a bracket after an arrow's end."""
    found = changes_between(one, other, change, text)
    held = next((each for each in found if each.holds), None)
    if held is not None or any(each.judgement.verdict is Verdict.UNDECIDED for each in found) or not _is_certain(one, other, change, text):
        return held
    return next((each for each in found if each.is_close), None)


def changes_between(one: Expression, other: Expression, change: Expression, text: str) -> list[ChangeClaim]:
    """What the change from one quantity to another may be meant to be, with the verdict on each."""
    if is_percent(one) != is_percent(other):
        return []
    written = [text[each.start : each.end] for each in (one, other)]
    judged = ((sense, _held(relating(one.formula, other.formula), one, other, change)) for relating, sense in _senses(change, text))
    return [
        ChangeClaim(sense.format(*written), change, replace(each, rules=("change",)), sense) for sense, each in judged if each is not None
    ]


def _held(formula: Formula, one: Expression, other: Expression, change: Expression) -> Judgement | None:
    left, right = ClaimSide(formula, {**one.literals, **other.literals}), side_of(change)
    try:
        found = judge_numbers(left, right, "=")
        is_unclear = found.verdict is Verdict.WRONG and agree_if_rounded(left, right, "=")
        return replace(found, verdict=Verdict.UNDECIDED) if is_unclear else found  # 0.372 / 0.367 − 1 = 1.31 %
    except FormulaError:
        return None  # Too large, or divided by zero.


def _senses(change: Expression, text: str) -> Iterator[tuple[Relating, str]]:
    """The calculations that may give the change: for a factor, either quotient; for a percentage, a relative difference, a share, or
    percentage points.
    """
    if not is_percent(change):
        yield lambda first, last: Quotient(last, first), "{1} / {0}"
        yield lambda first, last: Quotient(first, last), "{0} / {1}"
        return
    yield lambda first, last: relative_decrease(last, first), "1 − {1} / {0}"
    yield lambda first, last: relative_increase(last, first), "{1} / {0} − 1"
    yield lambda first, last: relative_increase(first, last), "{0} / {1} − 1"
    if text[change.start] in SIGNS:
        yield lambda first, last: Sum((last, Negative(first))), "{1} − {0}"
        yield lambda first, last: Sum((first, Negative(last))), "{0} − {1}"
    else:
        yield lambda first, last: Quotient(last, first), "{1} / {0}"
        yield lambda first, last: Quotient(last, Sum((first, last))), "{1} / ({0} + {1})"  # 213 ms, which saves 24 ms (10%)


def _is_certain(one: Expression, other: Expression, change: Expression, text: str) -> bool:
    """Whether the change can only be that of the two: it is alone in a bracket directly after an arrow between two in one unit."""
    units = [each.literal.unit for each in (one, other) if each.literal is not None]
    same = len(units) == 2 and units[0] is not None and units[0] == units[1]
    alone = _ALONE.fullmatch(text, other.end, change.start) and _CLOSED.match(text, change.end)
    return bool(same and alone and ARROW.search(text, one.end, other.start))

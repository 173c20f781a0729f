"""Judges equations between ranges, ``7-8B × 2 bytes = 14-16 GB``: they hold if their lower ends are equal, and their upper ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.claims import judge_link
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.reading.chains import EqualityChain, read_chains
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.line_splitting import PageLine
from symparam.documents.reading.page_lexer import page_tokens
from symparam.documents.reading.range_ends import at_lower_ends, at_upper_ends, begin_of_range, has_ranges
from symparam.documents.reading.vocabulary import Vocabulary
from symparam.documents.rules.rule import applies, as_at

_HOLDS = ("exact", "rounded", "truncated", "unit", "about")
_Links = Mapping[int, tuple[Expression, Expression, str]]


@frozen
class RangeLink:
    """An equation between ranges, with its relation; ``judgement`` is that on the upper ends if both ends hold, else None."""

    relation: int
    left: Expression
    right: Expression
    sign: str
    judgement: Judgement | None


def judge_ranges(record: Record, line: PageLine, vocabulary: Vocabulary, knowledge: Knowledge) -> frozenset[int]:
    """Record the equations between ranges of a line that hold; the places of the signs of all of them."""
    found = [*_range_links(record.text[line.start : line.end], line.start, vocabulary, knowledge)]
    for each in found:
        if each.judgement is not None and applies("ends-of-ranges", each.right.start):
            record.add_link(each.left, each.right, each.sign, replace(each.judgement, rules=("ends-of-ranges",)))
    return frozenset(each.relation for each in found)


def _range_links(line: str, start: int, vocabulary: Vocabulary, knowledge: Knowledge) -> Iterator[RangeLink]:
    """The equations of a line that have ranges on both sides. The line is read by itself, twice, and is at ``start`` on its page."""
    if not has_ranges(line):
        return
    texts = at_lower_ends(line), at_upper_ends(line)
    with as_at(start):
        lower, upper = (_links(read_chains(each, 0, page_tokens(each, 0, len(each)), vocabulary)) for each in texts)
    for at in lower.keys() & upper.keys():
        ends = lower[at], upper[at]
        places = [(min(one.start, other.start), max(one.end, other.end)) for one, other in zip(ends[0][:2], ends[1][:2], strict=True)]
        places = [(begin_of_range(line, first), last) for first, last in places]
        if all(texts[0][first:last] != texts[1][first:last] for first, last in places):
            found = [judge_link(one, other, sign, knowledge) for one, other, sign in ends]
            holds = all(each.verdict is Verdict.HOLDS and each.code in _HOLDS for each in found)
            left, right = (
                side._replace(start=start + first, end=start + last) for side, (first, last) in zip(ends[1][:2], places, strict=True)
            )
            yield RangeLink(start + at, left, right, ends[1][2], found[1] if holds else None)


def _links(chains: list[EqualityChain]) -> _Links:
    return {
        relation.start: (chain.sides[at], chain.sides[at + 1], relation.sign)
        for chain in chains
        for at, relation in enumerate(chain.relations)
    }

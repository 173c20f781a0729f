"""A table whose rows give one letter two meanings: the V of one row is the vocabulary, that of another the positions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.tables.cells import is_single
from symparam.documents.gaps.modules.topics import TABLES, topics_of_label
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.rules.rule import in_force

_TOPICS = {"token": "topic-token", "position": "topic-position", "token-type": "topic-token-type"}


def letters_of_two_meanings(rows: Iterable[Sequence[ParsedCell]], text: str) -> Iterator[JudgedClaim]:
    """Remarks on letters with two meanings, such as the vocabulary in one row and the positions in another; ``text`` is the page's."""
    found: dict[str, dict[str, Expression]] = {}
    for cells in rows if in_force("letter-of-two-meanings") else ():
        names = [cell.chains[0].sides[0] for cell in cells[1:] if is_single(cell) and cell.chains[0].sides[0].is_name]
        topics = topics_of_label(cells[0].text) & TABLES if names else frozenset()
        for side in names if len(topics) == 1 else ():
            if len(side.letters) == 1 and side.letters != {"H"}:
                found.setdefault(min(side.letters), {}).setdefault(min(topics), side)
    for letter, meanings in found.items():
        if len(meanings) > 1:
            kinds = tuple(message(_TOPICS[topic]) for topic in meanings)
            reason = message("several-meanings", letter=letter, count=len(kinds), topics=kinds)
            *_, last = meanings.values()
            written = text[last.start : last.end]
            finding = Finding(
                last.start, last.end, last.start, written, letter, written, "=", Verdict.UNDECIDED, "several-meanings", reason
            )
            yield JudgedClaim(finding)

"""Formats what was read as a line for parametrised tests: each side as written, and in « » the formula if that differs."""

from __future__ import annotations

import re

from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedDocument, parse_document
from symparam.documents.reading.source import Source
from symparam.writing.phrases import phrases
from symparam.writing.wording import Wording

WORDS = Wording(phrases("en"))


def document(text: str, **names: str) -> ParsedDocument:
    return parse_document(Source("page.md", text), names)


def chains(text: str) -> list[str]:
    """Every chain of the page, those in the cells of tables too, in order."""
    lines = document(text).lines
    found = [chain for line in lines for chain in (*line.chains, *(each for cell in line.cells for each in cell.chains))]
    return [shown(chain, text) for chain in found]


def shown(chain: EqualityChain, text: str) -> str:
    """``label | 768 * 4 «768 × 4» = 3,072 ≈~ 3K «<3 K>»``; ``~`` marks a soft relation, ``?`` a doubt, ``!`` what is not read."""
    pieces = [chain.label, "|"] if chain.label else []
    for index, side in enumerate(chain.sides):
        if index:
            relation = chain.relations[index - 1]
            assert chain.sides[index - 1].end <= relation.end <= side.start
            pieces.append(relation.sign + "~" * relation.soft)
        pieces.append(expression(side, text))
    if chain.clipped:
        pieces.append(f"< {WORDS.say(chain.clipped)}")
    if chain.unread:
        pieces.append(f"! {text[chain.unread.start : chain.unread.end]}: {WORDS.say(chain.unread.reason)}")
    return " ".join(pieces)


def expression(side: Expression, text: str) -> str:
    written = text[side.start : side.end]
    formula = re.sub(r"§\d+", lambda match: literal(side, match[0]), str(side.formula)).replace("¤", "?:")
    return " ".join([written, *([f"«{formula}»"] if formula != written else []), *(f"? {WORDS.say(doubt)}" for doubt in side.doubts)])


def literal(side: Expression, letter: str) -> str:
    found = side.literals[letter]
    return f"<{found.value}{f' {found.unit.written}' if found.unit else ''}>"

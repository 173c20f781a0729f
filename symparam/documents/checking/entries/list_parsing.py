"""Finds the entries of a list: numbers that follow a label or are alone on their line, with nothing but words after them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from fractions import Fraction

from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Number, Symbol
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.entries.things_of_each import BEHIND, things_of_each, without_each
from symparam.documents.checking.sides.unit_readings import ClaimSide
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.reading.parsed_document import ParsedLine, without_markup
from symparam.documents.reading.source import Source
from symparam.errors import FormulaError

MAX_LABEL = 200  # Characters before a number that may be its label; earlier text belongs to something else.

ABOUT = ("≈", "~", "～")
"""Signs of approximation before a number."""
_BEFORE = 4  # Characters before a number in which one of these stands, with a currency between them.
_LEAST_FURTHER = 100  # Smaller numbers of a line count heads or bits.
_MOST_FURTHER = 4  # A line with more of them is a sentence.
_BEFORE_LAST = re.compile(r"^.*\d", re.DOTALL)  # Everything up to the last number of a label.
_ADDED_TO = ("+=", "-=", "*=", "/=")
_APART = 6  # Characters directly before a number in which spaces set it apart as a column.


def is_about(number: Expression, text: str) -> bool:
    """Whether a sign of approximation stands before a number, or before its currency: ``~$220``."""
    return text[max(0, number.start - _BEFORE) : number.start].rstrip(" $€£¥\\").endswith(ABOUT)


def read_entry(line: ParsedLine, chain: EqualityChain, source: Source, before: str = "") -> ListEntry | None:
    """The number at the end of the chain, if it is an entry of a list; ``before`` is the text of the line above."""
    last = next((side for side in reversed(chain.sides) if side.exact is not None), chain.sides[-1])
    if last.unknown or last.letters or not last.is_number:
        return None
    written = source.text[max(line.line.start, chain.start - MAX_LABEL) : chain.start]
    if sum(map(written.count, "(（[")) > sum(map(written.count, ")）]")) or written.rstrip().endswith(_ADDED_TO):
        return None  # Inside a bracket, such as (head=4, head_dim=64), it is not an entry; nor is what a program adds: n += 1.
    label = without_markup(written)
    if not chain.relations and not _stands_as_entry(line, chain, last, label, source.text):
        return None
    value = usual_value(last.formula, last)
    if value is None:
        return None
    if len(chain.sides) > 1 and (chain.sides[0].is_name or chain.sides[0].is_number):
        label += f" {without_markup(source.text[chain.sides[0].start : chain.sides[0].end])}"
    own = next((in_numbers(side) for side in reversed(chain.sides[:-1]) if not side.is_name and not side.is_number), None)
    return ListEntry(
        label=label.strip(":：=≈-–—•* ") or before,
        text=source.text[last.start : last.end],
        side=ClaimSide(last.formula, last.literals),
        value=value,
        line=source.place(last.start)[0],
        start=last.start,
        end=last.end,
        calculation=own,
        indent=line.line.indent,
        is_alone=not chain.relations,
        is_item=line.line.kind == "item",
        is_about=is_about(last, source.text),
        things=things_of_each(label, source.text[last.end : last.end + BEHIND].partition("\n")[0]),
        further=tuple(_further(line, chain, source)),
    )


def _further(line: ParsedLine, chain: EqualityChain, source: Source) -> Iterator[tuple[str, ClaimSide, Fraction]]:
    """The whole numbers on the line after the chain, with their text."""
    behind = bisect_right(line.chains, chain.start, key=lambda each: each.start)
    for later in line.chains[behind : behind + _MOST_FURTHER]:
        last = later.sides[-1]
        value = usual_value(last.formula) if last.is_number and not (last.unknown or last.letters or last.literals) else None
        if value is not None and value > _LEAST_FURTHER:
            yield source.text[last.start : last.end], ClaimSide(last.formula, last.literals), value


def _stands_as_entry(line: ParsedLine, chain: EqualityChain, last: Expression, label: str, text: str) -> bool:
    apart = "  " in text[max(line.line.start, last.start - _APART) : last.start].rstrip("*")
    named = label if chain is line.chains[0] else _BEFORE_LAST.sub("", label)
    labelled = without_each(label).endswith((":", "：")) or ListEntry.says_total(named)
    # Other numbers may follow the first one in a remark: "Total: 197,632, 66 % of them in the MLP".
    is_first = labelled and chain is line.chains[0] and text[last.start] not in "(（["
    if chain is not line.chains[-1] and line.line.tokens[last.last].kind != "(" and not is_first:
        return False
    if not (apart or not label or labelled or label.endswith(("=", "≈"))):
        return False
    behind = line.line.tokens[last.last : last.last + 1]
    arrow = bool(behind) and behind[0].kind == "relation" and behind[0].value == "?"  # Or another sign that is not an equation.
    return not behind or arrow or behind[0].kind in ("separator", "(", "other", "word", "name")


def usual_value(formula: Formula, side: Expression | None = None) -> Fraction | None:
    """The value of a formula, with units in their usual sense; None if it has none."""
    if isinstance(formula, Number):
        return Fraction(formula.value)
    literals = side.literals if side else {}
    if isinstance(formula, Symbol):
        return Fraction(literals[formula.letter].usual) if formula.letter in literals else None
    try:
        return Fraction(evaluate(formula, {letter: each.usual for letter, each in literals.items()}))
    except FormulaError:
        return None

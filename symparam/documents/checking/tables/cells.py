"""Judges single cells of a table: the claims in them, and the content of cells that have nothing but a formula or a number."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from symparam.core.formula import Number, Product
from symparam.core.frozen import frozen
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.alternative_readings import best_reading
from symparam.documents.checking.claims.claims import judge_calculation_in_bracket, judge_link
from symparam.documents.checking.claims.intended_equality import wrong_or_undecided
from symparam.documents.checking.claims.unequal_sides import UnequalSides
from symparam.documents.checking.claims.weight_of_evidence import ENOUGH, points_for_alike, weight
from symparam.documents.checking.entries.labelled_quantities import is_percent, is_year
from symparam.documents.checking.entries.list_parsing import ABOUT, usual_value
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sentences.shares import Share, counted_by
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sums.addends import count_in
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedCell
from symparam.documents.rules.rule import applies
from symparam.documents.words import words

_APART = re.compile(r"(?<![\w.,])\d[\d.,]*")  # A number that is no part of a name.
_REMARK = re.compile(r"×?+[^+*/×÷^=<>≤≥±()\[\]−–-]*")  # What stands before a number and does nothing to it.


@frozen
class RowClaim:
    """A formula in one cell and its value in another; ``written`` is the formula if it is assembled from several cells."""

    left: Expression
    right: Expression
    judgement: Judgement
    written: str = ""

    def made_by(self, code: str) -> RowClaim:
        """The claim, with the rule that made it."""
        return replace(self, judgement=replace(self.judgement, rules=(code,)))

    def is_wrong_beside(self, alike: int, text: str, knowledge: Knowledge) -> bool:
        """Whether there is evidence enough for a mistake of the author, given how many claims of its columns hold for each that fails."""
        points = weight(UnequalSides(self.left, self.right, "=", self.judgement, knowledge, text))
        more = points_for_alike(alike)
        return more > 0 and points + more >= ENOUGH


def links(cell: ParsedCell, text: str, knowledge: Knowledge) -> Iterator[RowClaim]:
    """The claims within single cells; a value that a cell gives a letter applies to the cells after it, and to those before it that hold
    with it.
    """
    waiting = list[tuple[EqualityChain, int, Judgement]]()
    last = dict[str, int]()  # Where each letter is set last.
    for chain in cell.chains:
        last |= dict.fromkeys(_given(chain, knowledge), chain.start)
        for each in chain.sides:
            found = judge_calculation_in_bracket(each, knowledge)
            if found is not None and each.calculation is not None:
                yield RowClaim(each.calculation, each, found)
            yield from _repeats(each, text, knowledge)
        for index, relation in enumerate(chain.relations):
            left, right = chain.sides[index], chain.sides[index + 1]
            if left.is_name or right.is_name:
                continue
            found = best_reading(chain, index, relation.sign, knowledge, judge_link(left, right, relation.sign, knowledge))
            if found.verdict is Verdict.HOLDS:
                yield RowClaim(left, right, found)
                continue
            if found.verdict is Verdict.WRONG:
                found = wrong_or_undecided(UnequalSides(left, right, relation.sign, found, knowledge, text, chain, index))
            waiting.append((chain, index, found))
    for chain, index, before in waiting:
        relation, left, right = chain.relations[index], chain.sides[index], chain.sides[index + 1]
        found = judge_link(left, right, relation.sign, knowledge)
        unclear = relation.soft or chain.clipped or (chain.trailing if right is chain.sides[-1] else None)
        if found.verdict is Verdict.HOLDS:
            yield RowClaim(left, right, found)
        elif not (unclear or (left.is_number and right.is_number) or any(last.get(each, -1) > chain.start for each in left.letters)):
            yield RowClaim(left, right, before)


def _given(chain: EqualityChain, knowledge: Knowledge) -> Iterator[str]:
    """Record the letters that a chain sets to numbers, and return these."""
    for left, right in pairwise(chain.sides):
        if left.is_name and isinstance(right.exact, int):
            letter = str(next(iter(left.letters)))
            knowledge.assign(letter, right.exact)
            yield letter


def _repeats(side: Expression, text: str, knowledge: Knowledge) -> Iterator[RowClaim]:
    """The numbers that a bracket repeats in another unit, ``8,190,735,360 (8.191 B)``, if they agree."""
    for repeat in side.repeats:
        if repeat.whole is None and not is_percent(repeat.literal):
            before = side._replace(formula=repeat.formula, start=repeat.start, nouns=(), doubts=(), repeats=())
            found = judge_link(before, repeat.literal, "=" if repeat.literal.exact is not None else "≈", knowledge)
            if found.verdict is Verdict.HOLDS:
                yield RowClaim(before, repeat.literal, found, text[repeat.start : repeat.literal.start].rstrip(" (（[~≈"))


def sign_of(cell: ParsedCell) -> str:
    """``≈`` if the cell begins with a sign or a word for "about"."""
    return "≈" if cell.text.lstrip().startswith(ABOUT) or words("about").begins(cell.text) else "="


def is_single(cell: ParsedCell) -> bool:
    """Whether the cell holds a single expression, and otherwise only notes."""
    if len(cell.chains) != 1 or cell.chains[0].relations:
        return False
    chain = cell.chains[0]
    label = chain.label.strip("*_`$≈~～ |<>/btrong")
    return (not label or words("about").is_one(label)) and not chain.clipped and not chain.sides[0].unknown


def result_of(cell: ParsedCell) -> Expression | None:
    """The number of a cell that holds nothing else, or a calculation in numbers, also with its result."""
    is_chain = len(cell.chains) == 1 and bool(cell.chains[0].relations) and not cell.chains[0].clipped
    return cell.chains[0].sides[-1] if (is_chain or is_single(cell)) and not cell.chains[0].sides[-1].letters else None


def number_in(cell: ParsedCell) -> Expression | None:
    """The number of a cell that holds nothing else, or no other one beside its remarks: ``HBM3e 141 GB``, ``↓ 50 %``."""
    found = result_of(cell)
    if found is not None or len(_APART.findall(cell.text)) != 1 or any(chain.relations for chain in cell.chains):
        return found
    apart, numbers = _APART.search(cell.text), [chain for chain in cell.chains if chain.sides[0].is_number]
    if apart is None or len(numbers) != 1 or not all(each is numbers[0] or each.sides[0].is_name for each in cell.chains):
        return None
    number = numbers[0].sides[0]
    is_remark = _REMARK.fullmatch(cell.text, 0, apart.start()) and not is_year(number)
    return number if is_remark and applies("number-with-remarks", number.start) else None


def shares_in(cells: Sequence[ParsedCell], text: str) -> Iterator[Share]:
    """The percentages in the cells of a row, each as the share that the last number before it has."""
    last: Expression | None = None
    for cell in cells:
        for side in (side for chain in cell.chains for side in chain.sides):
            for repeat in side.repeats:
                if is_percent(repeat.literal) and (value := usual_value(repeat.formula, side)) is not None:
                    yield Share(value, text[repeat.start : repeat.literal.start].rstrip(" (（~≈"), repeat.literal, counted_by(side))
            if is_percent(side):
                value = usual_value(last.formula, last) if last is not None else None
                yield from [Share(value, text[last.start : last.end], side, counted_by(last))] if last and value is not None else []
            elif side.is_number:
                last = side


def calculations(cells: Sequence[ParsedCell]) -> Iterator[tuple[Expression, str]]:
    """The calculations in the cells of a row beside other text, as they are written, and each number times the count in the row's label:
    ``| Attention (36 layers) | 1,509,958,656 | a layer = … = 41,943,296 |``.
    """
    count = count_in(cells[0].text)
    for cell in cells[1:]:
        for side in (side for chain in cell.chains for side in chain.sides):
            if side.letters:
                continue
            if not side.is_number and not is_single(cell):
                yield side, ""
            elif side.is_number and count > 1:
                yield side._replace(formula=Product((Number(count), side.formula)), doubts=(), nouns=()), f"{count} × "

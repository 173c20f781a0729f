"""Judges a formula as the sum of others that the page lists: those above a total, those whose labels name the parts of a whole,
``attention: 4d²``, ``FFN: 8d²``, ``layer: 12d²``, and the items below it. It holds or is nothing, as others may be left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from symparam.core.message import message
from symparam.documents.checking.basis.knowledge import Knowledge
from symparam.documents.checking.claims.record import Record
from symparam.documents.checking.entries.labelled_quantities import LabelledQuantities
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Verdict
from symparam.documents.checking.sides.number_agreement import Judgement
from symparam.documents.checking.sums.formula_sums import KEPT, MOST_TERMS, FormulaSum, formula_sum
from symparam.documents.checking.sums.whole_and_parts import FEWEST, last_parts
from symparam.documents.reading.chains import EqualityChain
from symparam.documents.reading.expression import Expression
from symparam.documents.reading.parsed_document import ParsedLine
from symparam.documents.rules.rule import applies
from symparam.documents.words import words

_SHORT = 12  # Characters before a formula in which words say that it follows.

Labelled = tuple[str, Expression]
"""A formula with the words before it."""


def whole_of_parts(label: str, whole: Expression, above: Sequence[Labelled], knowledge: Knowledge) -> FormulaSum | None:
    """The last formulas above that add up to a whole, if its label names one and theirs name its parts."""
    for count in range(FEWEST, min(last_parts(label, [each for each, _ in above]), MOST_TERMS) + 1):
        found = _all_of(whole, [each for _, each in above[-count:]], knowledge)
        if found is not None and applies("whole-and-parts", whole.start):
            return found
    return None


def _all_of(total: Expression, terms: Sequence[Expression], knowledge: Knowledge) -> FormulaSum | None:
    found = formula_sum(total, terms, knowledge)
    return found if found is not None and len(found.terms) == len(terms) else None


@dataclass
class _Whole:
    """A formula that may have a list below it: the indentation of its line, -1 if that is no item, the block in which that or its last item
    is, and the formulas of the items so far, which are indented alike.
    """

    formula: Expression
    indent: int
    block: int
    inner: int = 0
    parts: list[Expression] = field(default_factory=list)


@dataclass
class ListedFormulas:
    """The last formulas of the page, with their labels, and those that may have a list below them, the innermost last."""

    record: Record
    quantities: LabelledQuantities
    knowledge: Knowledge
    _above: list[Labelled] = field(default_factory=list)
    _wholes: list[_Whole] = field(default_factory=list)
    _line: int = -1

    def add(self, line: ParsedLine, chain: EqualityChain, first: Expression, label: str) -> None:
        """Judge the ``first`` formula of a chain, and record its last one."""
        self.begin_list(line, chain, first)
        if self.record.text[chain.end : chain.end + 2].lstrip("*` ").startswith((":", "：")):
            return  # A label, such as "lm_head:".
        named = label or (self.record.text_of(chain.sides[0]) if chain.sides[0].is_name else "")
        if not chain.relations or chain.sides[0].is_name:
            found = whole_of_parts(named, first, self._above, self.knowledge)
            if found is not None:
                del self._above[len(self._above) - len(found.terms) :]
            elif ListEntry.says_total(label) or words("so").in_text(label) or words("that_is").in_text(label[-_SHORT:]):
                found = self._total(first)
            if found is not None:
                self._holds(found, "formulas-above")
        self._above.append((named, chain.sides[-1] if chain.sides[-1].letters else first))
        del self._above[:-KEPT]

    def _total(self, formula: Expression) -> FormulaSum | None:
        if not applies("formulas-above", formula.start):
            return None
        found = formula_sum(formula, [each for _, each in self._above], self.knowledge)
        is_apart = found is not None and self.quantities.is_heading_between(found.terms[0].start, formula.start)
        return None if found is not None and found.is_plain and is_apart else found

    def begin_list(self, line: ParsedLine, chain: EqualityChain, formula: Expression) -> None:
        """Take the first formula of a line as an item of the list it is in, and as one that may have a list below it."""
        page, indent = line.line, line.line.indent if line.line.kind == "item" else -1
        if page.start == self._line:
            return
        self._line = page.start
        while self._wholes and (self._wholes[-1].indent >= indent or page.block - self._wholes[-1].block > 1):
            self._wholes.pop()
        whole = self._wholes[-1] if self._wholes else None
        if whole is not None and (not whole.parts or whole.inner == indent):
            whole.parts.append(formula)
            whole.inner = indent
            found = _all_of(whole.formula, whole.parts, self.knowledge) if len(whole.parts) <= MOST_TERMS else None
            if found is not None and applies("list-below-whole", whole.formula.start):
                self._holds(found, "formulas-below")
                self._wholes.pop()
        for each in self._wholes:
            each.block = page.block
        if not chain.relations or chain.sides[0].is_name:
            self._wholes.append(_Whole(formula, indent, page.block))

    def _holds(self, found: FormulaSum, reason: str) -> None:
        total, written = found.total, self.record.text_of
        judgement = Judgement(Verdict.HOLDS, "sum", message(reason, count=len(found.terms)))
        place = (total.start, total.end, total.start)
        self.record.add(place, " + ".join(map(written, found.terms)), written(total), "=", judgement)

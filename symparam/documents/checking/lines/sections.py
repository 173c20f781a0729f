"""Compares the totals of a document's sections with its summary: ``3 x L x H``, ``2 x H``, and four more in each of N layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce

import sympy

from symparam.core.algebra.closed_form import by_symbol
from symparam.core.algebra.polynomial import equal
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Product, Sum
from symparam.core.frozen import frozen
from symparam.core.message import message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker, SectionTotal
from symparam.documents.gaps.arithmetic.stated_number import line_reference
from symparam.documents.gaps.gap import Cause, Gap
from symparam.documents.reading.expression import in_numbers
from symparam.documents.rules.rule import applies
from symparam.errors import FormulaError

_PROBE = 10_007
_MOST = 30  # Sections of a document that are added up.
_MOST_SUMMARIES = 50
_FEWEST = 3  # The fewest sections of a summary; fewer may add up to something by chance.


def judge_sections(checker: LineChecker) -> Iterator[JudgedClaim]:
    """A finding if the sections add up to the summary, or would if it did not leave one out or count one twice."""
    sections = [section for section in checker.sections if not section.side.unknown]
    if len(sections) < _FEWEST:
        return
    for chain in checker.summaries[-_MOST_SUMMARIES:]:
        side = next(side for side in chain.sides if side.letters and not side.is_name)
        before = [section for section in sections if section.side.end <= side.start]
        if not _FEWEST <= len(before) <= _MOST:
            continue
        try:
            found = _judged(checker, before, in_numbers(side), side.start, side.end)
        except FormulaError:
            continue
        if found is not None and applies("sections", side.start):
            yield found


def _judged(checker: LineChecker, sections: Sequence[SectionTotal], summary: Formula, start: int, end: int) -> JudgedClaim | None:
    copies = _copies(summary)
    outermost = min(section.indent for section in sections)
    factors = [copies if section.indent > outermost and copies is not None else None for section in sections]
    formulas = [_times(in_numbers(section.side), factor) for section, factor in zip(sections, factors, strict=True)]
    found = _found([checker.knowledge.expanded(each) for each in formulas], checker.knowledge.expanded(summary))
    # Sections of one depth may contain each other; one is known to be missing only if layers are separate from what surrounds them.
    if found is None or (found.sign and len(set(factors)) < 2):
        return None
    sizes = [_meaning(checker, formula) for formula in formulas]
    together, stated = sympy.Add(*sizes), _meaning(checker, summary)
    difference = stated - together
    if not equal(difference, found.sign * sizes[found.index]):
        return None
    total, text = by_symbol(together), checker.text[start:end]
    if not found.sign:
        reason, verdict, code, gap = message("sections", count=len(sections), total=total), Verdict.HOLDS, "sum", None
    else:
        reason = message("sections-and-this", total=total, stated=by_symbol(stated))
        verdict, code = Verdict.WRONG, "wrong-sum"
        gap = Gap(None, by_symbol(difference), (_cause(checker, sections, factors, sizes, found.index, found.sign),))
    finding = Finding(start, end, start, text, str(total), text, "=", verdict, code, reason)
    return JudgedClaim(finding, gap=(lambda: gap) if gap is not None else None)


@frozen
class _Fit:
    """How the sections fit the summary: they add up (``sign`` 0), or the one at ``index`` is counted twice (1) or left out (-1)."""

    index: int
    sign: int


def _found(formulas: Sequence[Formula], summary: Formula) -> _Fit | None:
    """How the sections fit the summary at one point: a mismatch there is final, and a match is then proven."""
    letters = sorted(summary.letters.union(*(formula.letters for formula in formulas)))
    values = {letter: _PROBE + 26 * place for place, letter in enumerate(letters)}
    sizes = [Fraction(evaluate(formula, values)) for formula in formulas]
    difference = Fraction(evaluate(summary, values)) - sum(sizes, Fraction(0))
    if difference == 0:
        return _Fit(0, 0)
    return next((_Fit(index, sign) for index, size in enumerate(sizes) for sign in (-1, 1) if difference == sign * size), None)


def _times(formula: Formula, factor: Formula | None) -> Formula:
    return formula if factor is None else Product((factor, formula))


def _cause(
    checker: LineChecker,
    sections: Sequence[SectionTotal],
    factors: Sequence[Formula | None],
    sizes: Sequence[sympy.Expr],
    index: int,
    sign: int,
) -> Cause:
    factor = factors[index]
    alike = [other for other, size, times in zip(sections, sizes, factors, strict=True) if times == factor and equal(size, sizes[index])]
    lines = tuple(line_reference(other.line, other.label.strip(), checker.record.text_of(other.side)) for other in alike)
    part = lines[0] if len(lines) == 1 else message("one-of-lines", lines=lines)
    if factor is not None:
        part = message("in-each-of", part=part, factor=factor)
    return Cause(message("left-out" if sign < 0 else "twice-counted", part=part), None, by_symbol(sizes[index]))


def _copies(summary: Formula) -> Formula | None:
    """The factor before the bracket with the sum of one layer: ``num_layers x [ … ]``."""
    for term in summary.parts if isinstance(summary, Sum) else (summary,):
        if isinstance(term, Product) and isinstance(term.factors[-1], Sum) and len(term.factors[-1].terms) > 1:
            before = [factor for factor in term.factors[:-1] if factor.letters]
            if before and not any(isinstance(factor, Sum) for factor in before):
                return reduce(lambda one, other: Product((one, other)), before)
    return None


def _meaning(checker: LineChecker, formula: Formula) -> sympy.Expr:
    return checker.knowledge.meaning(formula, True)

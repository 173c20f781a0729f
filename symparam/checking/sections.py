"""The totals of a document's sections against its summary: ``3 x L x H``, ``2 x H``, and in each of N layers four more."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce

import sympy

from symparam.algebra.closed_form import by_symbol
from symparam.algebra.polynomial import equal
from symparam.checking.finding import Finding, Verdict
from symparam.checking.judged import Judged
from symparam.checking.walk import Section, Walk
from symparam.errors import FormulaError
from symparam.formula import Formula, Product, Sum
from symparam.gaps.gap import Cause, Gap
from symparam.reading.expression import in_numbers

_FEWEST = 3  # Sections that a summary has; fewer add up to something by chance.


def judge_sections(walk: Walk) -> Iterator[Judged]:
    """A finding where the sections add up to the summary, and where they would if it did not leave one out or count one twice."""
    sections = [section for section in walk.sections if not section.side.unknown]
    if len(sections) < _FEWEST:
        return
    for chain in walk.summaries:
        side = next(side for side in chain.sides if side.letters and not side.is_name)
        before = [section for section in sections if section.side.end <= side.start]
        if len(before) < _FEWEST:
            continue
        try:
            found = _judged(walk, before, in_numbers(side), side.start, side.end)
        except FormulaError:
            continue
        if found is not None:
            yield found


def _judged(walk: Walk, sections: Sequence[Section], summary: Formula, start: int, end: int) -> Judged | None:
    copies = _copies(summary)
    outermost = min(section.indent for section in sections)
    meanings = [_meaning(walk, in_numbers(section.side)) for section in sections]
    factors = [copies if section.indent > outermost and copies is not None else None for section in sections]
    sizes = [meaning * _meaning(walk, factor) if factor is not None else meaning for meaning, factor in zip(meanings, factors, strict=True)]
    together, stated = sympy.Add(*sizes), _meaning(walk, summary)
    total = by_symbol(together)
    difference = stated - together
    if equal(stated, together):
        message, gap = f"the {len(sections)} sections add up to {total}", None
        verdict, code = Verdict.HOLDS, "sum"
    else:
        slip = next(((index, sign) for index, size in enumerate(sizes) for sign in (-1, 1) if equal(difference, sign * size)), None)
        # Sections of one depth may hold each other; only where layers and what is around them are told apart is one of them missed.
        if slip is None or len(set(factors)) < 2:
            return None
        gap = Gap(None, by_symbol(difference), (_cause(walk, sections, factors, sizes, *slip),))
        message = f"the sections add up to {total}, and this comes to {by_symbol(stated)}"
        verdict, code = Verdict.WRONG, "wrong-sum"
    text = walk.text[start:end]
    finding = Finding(start, end, start, text, str(total), text, "=", verdict, code, message)
    return Judged(finding, gap=(lambda: gap) if gap is not None else None)


def _cause(
    walk: Walk, sections: Sequence[Section], factors: Sequence[Formula | None], sizes: Sequence[sympy.Expr], index: int, sign: int
) -> Cause:
    factor = factors[index]
    alike = [other for other, size, times in zip(sections, sizes, factors, strict=True) if times == factor and equal(size, sizes[index])]
    lines = " or ".join(f"line {other.line} ({other.label.strip()}: {walk.written(other.side)})" for other in alike)
    where = f", in each of the {factor}," if factor is not None else ""
    one = "one of " if len(alike) > 1 else ""
    return Cause(f"{one}{lines}{where} is {'left out' if sign < 0 else 'counted twice'}", None, by_symbol(sizes[index]))


def _copies(summary: Formula) -> Formula | None:
    """What stands before the bracket in which the sum of one layer is written: ``num_layers x [ … ]``."""
    for term in summary.parts if isinstance(summary, Sum) else (summary,):
        if isinstance(term, Product) and isinstance(term.factors[-1], Sum) and len(term.factors[-1].terms) > 1:
            before = [factor for factor in term.factors[:-1] if factor.letters]
            if before and not any(isinstance(factor, Sum) for factor in before):
                return reduce(lambda one, other: Product((one, other)), before)
    return None


def _meaning(walk: Walk, formula: Formula) -> sympy.Expr:
    return walk.knowledge.meaning(formula, True)

"""Compares the formula that the author calls the total with the architecture's, and explains the difference module by module."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Set
from fractions import Fraction
from functools import partial

import sympy

from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.core.algebra.polynomial import equal, multiple_of
from symparam.core.dimensions import symbol
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula, Product, Sum
from symparam.core.message import Message, message
from symparam.documents.checking.claims.judged_claim import JudgedClaim
from symparam.documents.checking.entries.list_entry import ListEntry
from symparam.documents.checking.finding import Finding, Verdict
from symparam.documents.checking.lines.line_checker import LineChecker
from symparam.documents.comparing.model_conflicts import ModelConflicts
from symparam.documents.comparing.other_models import class_with_formula
from symparam.documents.comparing.stated_formulas import for_positions
from symparam.documents.gaps.modules.explain import explain_formula, substitution_for
from symparam.documents.gaps.modules.total_terms import TotalTerm
from symparam.documents.reading.expression import Expression, in_numbers
from symparam.documents.words import words
from symparam.errors import FormulaError
from symparam.models.resolution import Resolved

_ACTIVE = PARAMETERS["active-parameters"]
_MOST_TERMS = 100  # Terms of a total that are looked up in the document.
_BEHIND = 24  # Characters after a formula, with the word that says what it counts.
_BEFORE = 24  # Characters before a formula, with the sign or word that says that it is approximate.
_ABOUT = re.compile(r"[≈~≃≅∼]|\\(?:approx|sim|simeq)\b")


def judge_formula_of_total(checker: LineChecker, chosen: Resolved, right: Formula, held: Set[int]) -> Iterator[JudgedClaim]:
    """The last formula that is called the total number of parameters, if it is in letters of the architecture; not one that is ``held`` to
    be a part of it, such as everything but the embeddings.
    """
    letters, whole = chosen.model.architecture.letters, right
    known = chosen.symbolic.resolved.keys() | {"I", "H", "N"}
    for label, side in sorted(_summaries(checker), key=lambda each: -each[1].start):
        behind = checker.text[side.end : side.end + _BEHIND].partition("\n")[0]
        says_all = ListEntry.says_total(label) or (words("calculation").in_text(label) and {"V", "N", "H"} <= side.letters)
        is_active = words("active").in_text(label)
        right = derivation_of(chosen.model.architecture, _ACTIVE, chosen.symbolic).root.formula if is_active else whole
        named = (says_all or any(words("parameters").in_text(each) for each in (label, behind))) and not ListEntry.says_group(label)
        own = for_positions(in_numbers(side), letters) if "V" in side.letters else in_numbers(side)
        is_whole = {"V", "N", "H"} <= own.letters and isinstance(own, Sum)  # ``P = 2VH + N(12H² + 13H) + 2H``
        if side.start in held or not (named or is_whole) or not own.letters <= known | right.letters or not {"H", "N"} <= own.letters:
            continue
        try:
            stated = checker.knowledge.expanded(in_numbers(side))
            stated = for_positions(stated, letters) if "V" in side.letters else stated
            substitute = substitution_for(chosen, stated.letters)
            holds = equal(substitute(stated.expr), substitute(right.expr))
            lacking = {letter: chosen.model.values.get(letter) for letter in right.letters - stated.letters}
            holds = holds or _is_equal_with_sizes(lacking, substitute(stated.expr), substitute(right.expr))
            holds = holds or (not named and _is_equal_at(chosen.model.values, stated, right))
            times = None if holds else multiple_of(substitute(stated.expr), substitute(right.expr))
            if times is not None and times.denominator == 1:
                doubt: Message | None = message("total-is-multiple", times=int(times))
            else:
                doubt = None if holds else _doubt_of_formula(checker, chosen, side, stated) if named else message("total-of-what")
        except FormulaError:
            continue  # Too large to be compared.
        name = chosen.model.architecture.class_name
        verdict, code = (Verdict.HOLDS, "total") if holds else (Verdict.WRONG, "wrong-total")
        reason = message("active-are" if is_active else "has", name=name, total=right)
        if doubt is not None:
            verdict, code, reason = Verdict.UNDECIDED, "unclear-subject", message("speaks-against", why=doubt, said=reason)
        finding = Finding(
            side.start, side.end, side.start,
            checker.record.text_of(side), message("parameters-of", name=name), checker.record.text_of(side), "=", verdict, code, reason,
        )  # fmt: skip
        if is_active:
            yield JudgedClaim(finding)  # The gap is explained for models that a token uses as a whole.
            return
        yield JudgedClaim(finding, gap=partial(explain_formula, chosen, stated, _labelled(checker, side, letters)))
        return


def _is_equal_with_sizes(sizes: Mapping[str, int | Fraction | None], stated: sympy.Expr, right: sympy.Expr) -> bool:
    """Whether both are equal with the model's numbers for the sizes that the stated one has no letter for: ``Vh + 1024h``."""
    known = {symbol(letter): size for letter, size in sizes.items() if size is not None}
    return bool(known) and len(known) == len(sizes) and equal(stated, right.xreplace(known))


def _is_equal_at(values: Mapping[str, int | Fraction], stated: Formula, right: Formula) -> bool:
    """Whether both have the same number with the values of the model, so that each of its sizes may stand for another: 4H for I."""
    return stated.letters | right.letters <= values.keys() and evaluate(stated, values) == evaluate(right, values)


def _doubt_of_formula(checker: LineChecker, chosen: Resolved, side: Expression, stated: Formula) -> Message | None:
    """The reason to doubt that a differing formula is meant as that of the whole model."""
    before = checker.text[max(0, side.start - _BEFORE) : side.start].rpartition("\n")[2]
    if _ABOUT.search(before) or words("about").in_text(before):
        return message("stated-about")
    return ModelConflicts(checker, chosen).conflict_at(side.start, ("model",), in_letters=True) or class_with_formula(chosen, stated)


def _labelled(checker: LineChecker, total: Expression, letters: frozenset[str]) -> list[TotalTerm]:
    """The terms of the author's formula, each with the words beside it where it stands alone; nothing if one of them stands nowhere."""
    left = Counter(_terms(total.formula))
    found: list[TotalTerm] = []
    for quantity in reversed(checker.quantities.formulas):
        own = Counter(_terms(quantity.expression.formula))
        if quantity.expression.end <= total.start and own <= left and len(found) < _MOST_TERMS:
            left -= own
            line = checker.document.source.place(quantity.expression.start)[0]
            found.insert(0, TotalTerm(quantity.own_words, 0, for_positions(quantity.expression.formula, letters), line))
    return [] if left else found


def _terms(formula: Formula) -> tuple[Formula, ...]:
    return formula.terms if isinstance(formula, Sum) else (formula,)


def _summaries(checker: LineChecker) -> Iterator[tuple[str, Expression]]:
    """The formulas that may be the author's total, each with the words before it."""
    for chain in checker.summaries:
        last = next(side for side in reversed(chain.sides) if side.letters and not side.is_name)
        yield chain.label + checker.text[chain.sides[0].start : chain.sides[0].end], last
    for quantity in checker.quantities.formulas:
        own, letters = quantity.own_words, quantity.expression.letters
        is_product = isinstance(quantity.expression.formula, Product) and words("parameters").in_text(own)
        if is_product or ({"V", "N", "H"} <= letters and words("total").in_text(own) and not ListEntry.says_group(own)):
            yield own, quantity.expression
    for section in checker.sections:  # Called a total, of what the words before it name.
        label = checker.document.source.line(section.line).partition(checker.record.text_of(section.side))[0]
        # A formula with the vocabulary and the layers, not below the title of a part, is not the total of a part.
        is_whole = {"V", "N", "H"} <= section.side.letters and not ListEntry.says_group(section.label)
        if words("parameters").in_text(label) or is_whole:
            yield label, section.side

"""Writes a formula as the sum of its modules, each a term that can be linked with its module."""

from __future__ import annotations

from collections.abc import Iterator

from symparam.analysis.counting import unwrapped
from symparam.analysis.derivation import Step
from symparam.analysis.roles import own_group
from symparam.core.formula import Formula, Number, Sum
from symparam.writing.document import Code, SumTerm
from symparam.writing.phrases import Phrases
from symparam.writing.titles import title

Piece = str | Formula | SumTerm


def terms(root: Step, words: Phrases) -> tuple[Piece, ...]:
    """``VH + N(4H² + 8H²)``: the terms of the inner modules, down to those that a drawing shows as one part."""
    return tuple(_sum(root, words))


def _sum(step: Step, words: Phrases) -> Iterator[Piece]:
    """The terms of the modules in the step; layers become a factor and a bracket."""
    shown = unwrapped(step)
    inside = [inner for inner in shown.steps if inner.formula != Number(0)]
    if not inside or own_group(shown.role or "", shown.kind):
        yield SumTerm(shown.formula, title(shown, words), Code(shown.path))
    elif shown.repeats is not None:
        if shown.repeats != Number(1):
            bracket = isinstance(shown.repeats, Sum)
            yield from ("(" * bracket, shown.repeats, ")" * bracket)
        bracketed = tuple(_sum(inside[0], words))
        yield from bracketed if len(bracketed) == 1 else ("(", *bracketed, ")")  # A single term has a bracket of its own if it needs one.
    else:
        for index, inner in enumerate(inside):
            yield from (" + " * bool(index), *_sum(inner, words))

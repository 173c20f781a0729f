"""A long formula as the sum of its modules, each with a formula that can be taken in at a glance."""

from __future__ import annotations

from collections.abc import Iterator

from symparam.analysis.counting import unwrapped
from symparam.analysis.derivation import Derivation, Step
from symparam.core.algebra.closed_form import closed_form
from symparam.core.dimensions import symbol
from symparam.core.formula import Formula, Number, write
from symparam.models.blocks import Layers, Repeat
from symparam.writing.document import Code, Line, Table
from symparam.writing.phrases import Phrases

LONGEST = 100
"""Characters of a formula; that of a longer one is shown part by part."""


def modules(derivation: Derivation, words: Phrases) -> Table:
    """The modules with their formulas, which add up to the whole: those right inside, or the parts of what would be too long."""
    rows = [_row(step, derivation) for step in _shown(derivation.root, derivation)]
    header = (words.sentences["module"], words.sentences["class"], words.sentences[derivation.measure.unit])
    return Table(header, tuple(rows))


def _shown(step: Step, derivation: Derivation) -> Iterator[Step]:
    for inner in step.steps:
        shown = unwrapped(inner)
        if shown.formula == Number(0):
            continue
        if len(write(_formula(shown, derivation))) > LONGEST and shown.steps and shown.repeats is None:
            yield from _shown(shown, derivation)
        else:
            yield shown


def _row(step: Step, derivation: Derivation) -> tuple[Line, ...]:
    place = step.place if isinstance(step.place.module, Repeat) else step.outer or step.place
    if isinstance(place.module, Repeat) and place.module.label:
        place = next(place.inside)
    content = place if step.repeats is None or place is not step.place else next(place.inside)
    groups = content.module.groups if isinstance(content.module, Layers) else ()
    kinds = dict.fromkeys(group.body.kind for group in groups) or (content.module.kind,)
    return ((Code(place.path),), (", ".join(kinds),), (_formula(step, derivation),))


def _formula(step: Step, derivation: Derivation) -> Formula:
    """The layers as a number times a sum, all else collected."""
    if step.repeats is not None:
        return step.sum
    by = derivation.by if derivation.by and step.expr.has(symbol(derivation.by)) else None
    return closed_form(step.expr, by=by, notation=step.notation)

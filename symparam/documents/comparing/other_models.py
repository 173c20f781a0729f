"""Finds another model whose count a page states: another class of the same family, a released model that the page names, or this model
with another vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from symparam.analysis.measures.parameters import parameters
from symparam.core.algebra.polynomial import equal
from symparam.core.evaluation import evaluate
from symparam.core.formula import Formula
from symparam.core.message import Message, message
from symparam.documents.comparing.named_model import NamedModel
from symparam.documents.gaps.modules.explain import substitution_for
from symparam.documents.roles.model_names import models_named
from symparam.errors import SymparamError
from symparam.models.resolution import Resolved, resolve

_PADDED, _ROUND = 64, 1_000  # What the entries of a vocabulary are a multiple of: 50,304 and 50,000.
_MOST_CLASSES = 100  # Those of a classifier on top of a model.
_MOST = 6  # Released models on one page whose counts are compared.


def model_with_count(chosen: Resolved, stated: Fraction, text: str, counted: Iterable[str]) -> Message | None:
    """The other model that has the number of parameters, in one of the ways of counting; no class without the ``counted`` blocks."""
    names = {path.rpartition(".")[2] for path in counted}
    classes = [(other, name) for other, name in _classes(chosen) if names <= _names_of_blocks(other)]
    for other, name in (*classes, *_named(chosen, text)):
        has_values = other.model.architecture.letters <= other.model.values.keys()
        counts = NamedModel(other).counts.items() if has_values else ()
        if any(count == stated for kind, count in counts if kind != "without-classifier"):  # That is a class without one.
            return message("that-of", name=name)
    return None


def vocabulary_with_count(chosen: Resolved, stated: Fraction, counted: Iterable[str]) -> Message | None:
    """The other vocabulary with which the model has the number of parameters, if it is as round as one that people choose or pad, and no
    ``counted`` block has the model's own.
    """
    values = chosen.model.values
    blocks = (place for place in chosen.model.architecture.places() if place.path in set(counted))
    own = (size for place in blocks for tensor in place.module.tensors for size in tensor.shape)
    if "V" not in values or any("V" in map(str, size.free_symbols) for size in own):
        return None
    formula = parameters(chosen.model.architecture, chosen.symbolic).root.formula
    count, more = (Fraction(evaluate(formula, {**values, "V": values["V"] + each})) for each in (0, 1))
    size = values["V"] + (stated - count) / (more - count) if more != count else Fraction(0)
    is_padded = size % _PADDED == 0 and abs(size - values["V"]) < 2 * _PADDED
    is_meant = size > _ROUND and stated != count and (size % _ROUND == 0 or is_padded)
    return message("of-another-vocabulary", value=int(size)) if is_meant else None


def by_positions(chosen: Resolved, lengths: Iterable[int | Fraction]) -> dict[int | Fraction, Fraction]:
    """By how much the model has more parameters with a table of as many positions as each of the ``lengths``, other than its own."""
    values = chosen.model.values
    if "P" not in values:
        return {}
    formula = parameters(chosen.model.architecture, chosen.symbolic).root.formula
    count, more = (Fraction(evaluate(formula, {**values, "P": values["P"] + each})) for each in (0, 1))
    return {each: (each - values["P"]) * (more - count) for each in lengths if each != values["P"] and more != count}


def with_classifier(chosen: Resolved, more: Fraction) -> Message | None:
    """The classes of a classifier with biases that has as many parameters as a total is larger than the model's: 1,538 = 2(H + 1)."""
    hidden = chosen.model.values.get("H")
    classes = more / (hidden + 1) if hidden is not None else Fraction(0)
    is_meant = classes.denominator == 1 and 1 < classes <= _MOST_CLASSES
    return message("with-classifier", value=int(classes)) if is_meant else None


def _names_of_blocks(model: Resolved) -> set[str]:
    return {place.path.rpartition(".")[2] for place in model.model.architecture.places()}


def class_with_formula(chosen: Resolved, stated: Formula) -> Message | None:
    """The other class that has the formula."""
    for other, name in _classes(chosen):
        substitute = substitution_for(other, stated.letters)
        if equal(substitute(stated.expr), substitute(parameters(other.model.architecture, other.symbolic).formula.expr)):
            return message("that-of", name=name)
    return None


def _classes(chosen: Resolved) -> Iterator[tuple[Resolved, str]]:
    """The other classes of the family, with the same config and relations."""
    model = chosen.model
    for name in model.family.classes if model.family else ():
        if name == model.architecture.class_name:
            continue
        try:
            yield resolve(name, model.keys or None, where=[] if model.keys else [str(each) for each in chosen.relations.stated]), name
        except SymparamError:
            continue  # A size that this class needs is not given.


def _named(chosen: Resolved, text: str) -> Iterator[tuple[Resolved, str]]:
    """The other released models that the page names."""
    for name in models_named(text)[:_MOST]:
        if name != chosen.model.origin:
            yield resolve(name, values_first=True), name

"""Questions that vary a size of a config: which other sizes follow from it, and whether the config has them at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from symparam.core.algebra.polynomial import polynomial
from symparam.core.algebra.relations import Relation, Relations, relations
from symparam.errors import FormulaError
from symparam.models.architectures import Choice
from symparam.models.configs.config_file import ConfigDocument
from symparam.models.configs.values import model_from_config
from symparam.models.resolution import Resolved
from symparam.models.size_constraints import value_at

MAX_TRIED = 30
COUNTS_OF_LAYERS = ("N_a", "N_x", "N_w")
"""Numbers of layers of a kind that configs distribute over all layers, such as every fourth; N_f, the number of the first few, does not
change.
"""


def following(chosen: Resolved, varied: frozenset[str], *, polynomial_in_them: bool = False) -> Relations:
    """The stated relations, and those of the reference for sizes that follow from a varied letter: ``I = 4H``.

    With ``polynomial_in_them``, a size that a varied letter divides, such as ``d = H/h`` for h, keeps its value.
    """
    stated, moving = [*chosen.symbolic.stated], {*varied}
    for letter, formula in chosen.model.derived.items():
        if letter in varied or letter in chosen.relations.resolved or not formula.letters & moving:
            continue
        terms = polynomial(formula.expr)
        if not polynomial_in_them or (terms and all(power > 0 for monomial in terms.terms for each, power in monomial if each in moving)):
            stated.append(Relation(letter, formula))
            moving.add(letter)
    return relations(stated)


def quotients(stated: Relations) -> tuple[tuple[str, str], ...]:
    """Pairs of letters of which the first has to be divisible by the second: (H, h) for ``d = H/h``."""
    found = []
    for meaning in stated.resolved.values():
        terms = polynomial(meaning)
        for powers in map(dict, terms.terms if terms else ()):
            above, below = ([letter for letter, power in powers.items() if power == sign] for sign in (1, -1))
            found += [(above[0], below[0])] if len(above) == len(below) == 1 else []
    return tuple(found)


def require_models(chosen: Resolved, stated: Relations, points: Iterable[Mapping[str, int]]) -> None:
    """Raise a `FormulaError` for the first point at which the config gives other sizes than those in the formula, and a `ConfigError` for
    the first that the reference refuses. ``stated`` are the relations in the formula; of many points, some thirty are tried.

    If the number of all layers changes, a formula keeps the number of layers with attention, but a config does not.
    """
    model, family = chosen.model, chosen.model.family
    if family is None or not model.origin:
        return
    document = ConfigDocument(model.keys, model.origin.partition(" with ")[0])
    choice = Choice(family, model.architecture.class_name)
    keys, tried = {size.letter for size in family.sizes}, [*points]
    for point in [*tried[:: max(1, len(tried) // MAX_TRIED)], *tried[-1:]]:
        expected = {**model.values, **point}
        for letter, meaning in stated.resolved.items():
            terms = polynomial(meaning)
            if terms and terms.letters <= expected.keys() and (whole := value_at(terms, expected)).denominator == 1:
                expected[letter] = whole.numerator
        changes = {letter: expected[letter] for letter in (*point, *stated.resolved) if letter in keys and letter in expected}
        if not changes.keys() & point.keys():
            return
        found = model_from_config(document, choice, None, changes).values
        for letter, value in expected.items():
            now = found.get(letter, 0 if letter in COUNTS_OF_LAYERS else value)
            if letter not in chosen.relations.resolved and now != value:
                raise FormulaError(_differs(point, letter, now, value))


def _differs(point: Mapping[str, int], letter: str, now: int, before: int) -> str:
    shown, varied = " and ".join(f"{each} = {value:,}" for each, value in point.items()), " and ".join(point)
    counted = " ".join(f"--set {each}=NUMBER" for each in point)
    remedy = "" if letter in COUNTS_OF_LAYERS else f", or state what {letter} is, as in --where {letter}={before}"
    changes = f"{shown} gives {letter} = {now:,} in place of {before:,}, so the formula changes with {varied}"
    return f"{changes}; count each with {counted}{remedy}"

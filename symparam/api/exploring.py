"""A model as a page on which its sizes can be changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from symparam.analysis.measures.options import Options
from symparam.analysis.measures.selection import letters_of
from symparam.api.common import PARAMETERS_ALONE, AlphabetLike, subject_of
from symparam.core.dimensions import LENGTHS
from symparam.errors import FormulaError, SymparamError

if TYPE_CHECKING:
    from fractions import Fraction

    from symparam.analysis.counting import Count
    from symparam.models.configs.changes import Changes
    from symparam.models.configs.values import Model
    from symparam.models.resolution import Config, Named
    from symparam.models.statements import Where
    from symparam.results.explore import ExploreResult

MEASURES = ("active-parameters", "weights", "kv-cache", "flops", "training-flops")
"""The measures that a page offers besides parameters, if the model has them."""
USUAL = {"B": 1, "L": 2048, "L_e": 2048, "S": 2048}
"""Values of letters that a measure adds; lengths are no longer than a model with a table of positions can read."""


def explore(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
) -> ExploreResult:
    """Write a page on which readers change the sizes of a model: ``explore("llama-3-8b").save("llama.html")``.

    Arguments as for `derive`. Raises `SymparamError`, also where a letter has no value or the count is incomplete.
    """
    from symparam.analysis.counting import Count
    from symparam.core.evaluation import evaluate
    from symparam.core.formula import Symbol
    from symparam.models.size_constraints import at_most
    from symparam.results.explore import ExploreResult
    from symparam.writing.explorable.subject import Explorable
    from symparam.writing.phrases import phrases

    found = subject_of(model, config, where, set, alphabet, None, PARAMETERS_ALONE, values_first=True)
    first = found.count or Count(found.derivation, found.model.values, found.model.origin)
    if not first.derivation.complete:
        name = first.derivation.architecture.name
        raise FormulaError(f"the parameters of {name} are not complete; symparam count says what is missing")
    longest = evaluate(found.model.longest, first.values) if "P" in first.values else None
    measured = tuple(_others(model, config, where, set, alphabet, language, longest))
    others = tuple(count for count in measured if count.derivation.expr != first.derivation.expr)
    equal = tuple(count.derivation.measure.name for count in measured if count not in others)
    counts = (first, *others)
    known = {letter: value for count in counts for letter, value in count.values.items()}
    used = {letter for count in counts for letter in count.derivation.letters}
    needed = used | {letter for formula in found.model.derived.values() for letter in formula.letters}
    values = {letter: value for letter, value in known.items() if letter in needed or letter in used}
    absent = tuple(name for name in MEASURES if name not in {count.derivation.measure.name for count in measured})
    lengths = [(Symbol(letter), found.model.longest) for letter in LENGTHS if {letter, "P"} <= values.keys()]
    bounds = (*at_most(found.model.architecture), *lengths)
    within = tuple(pair for pair in bounds if all(side.letters <= values.keys() for side in pair))
    subject = Explorable(found.model, counts, values, dict(_presets(found.model, values)), equal, absent, within)
    return ExploreResult(subject, phrases(language).language)


def _others(
    model: Named,
    config: Config | None,
    where: Where,
    set: Changes,
    alphabet: AlphabetLike,
    language: str,
    longest: int | Fraction | None,
) -> Iterator[Count]:
    """The measures that the model has."""
    from symparam.models.statements import listed, read_statements
    from symparam.writing.formula_tree import tree

    statements = read_statements(where)
    stated = {str(each).partition("=")[0].strip() for each in statements.others}
    for name in MEASURES:
        options = Options(name)
        added = [f"{letter}={_usual(letter, longest)}" for letter in letters_of(options) if letter in USUAL and letter not in stated]
        try:
            found = subject_of(model, config, [*listed(where), *added], set, alphabet, None, options, values_first=True).count
            if found is None or not found.derivation.complete or found.derivation.expr == 0:
                continue
            tree(found.derivation.formula)
        except SymparamError:  # A measure that this model does not have.
            continue
        yield found


def _usual(letter: str, longest: int | Fraction | None) -> int:
    """The value of the letter; a length is halved until the positions suffice for it."""
    value = USUAL[letter]
    while letter in LENGTHS and longest is not None and 1 < longest < value:
        value //= 2
    return value


def _presets(model: Model, values: dict[str, int]) -> Iterator[tuple[str, dict[str, int]]]:
    """Released models with the same blocks, and therefore the same formulas."""
    from symparam.models.configs.presets import presets_of
    from symparam.models.resolution import resolve

    if model.family is None:
        return
    for name in presets_of(model.family.model_type):
        other = resolve(name, values_first=True).model
        if other.architecture.root == model.architecture.root and name != model.origin:
            yield name, {letter: value for letter, value in other.values.items() if letter in values}

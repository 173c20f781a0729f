"""What a measure is made of, and how it changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Unpack

from symparam.analysis import analyzing
from symparam.analysis.measures.division import reads_tokens
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Measuring, Options
from symparam.analysis.measures.selection import letters_of
from symparam.analysis.rules_of_thumb import rules_for
from symparam.api.common import PARAMETERS_ALONE, AlphabetLike, alphabet_of, measured, noted, require_experts
from symparam.core.algebra.relations import Relation, Relations, relations
from symparam.errors import FormulaError
from symparam.models.adapters import read_lora
from symparam.models.configs.changes import Changes
from symparam.models.configs.presets import presets
from symparam.models.resolution import Config, Named, Resolved, resolve
from symparam.models.statements import Where
from symparam.results.analyze import AnalyzeResult
from symparam.writing.phrases import phrases


def analyze(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    **measuring: Unpack[Measuring],
) -> AnalyzeResult:
    """Analyse a measure: ``analyze("gpt2").analysis.changes`` has the elasticity for each letter.

    The result has the leading term and the rest, each part with the limits of its share, derivatives, and the error of rules of thumb with
    the sizes from which it is small, for the model and for released models with the same formula. Arguments as for `derive`. Raises
    `SymparamError`.
    """
    options = Options(**measuring)
    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, values_first=True, also=letters_of(options), set=set, lora=read_lora(lora, lora_on))
    require_experts(chosen, options)
    stated = _all_relations(chosen)
    derivation = derivation_of(chosen.model.architecture, measured(chosen, options), stated, letters)
    if not derivation.complete:
        raise FormulaError(f"the {options.measure} of {derivation.architecture.name} are not complete, so they cannot be analysed")
    parameters = derivation_of(chosen.model.architecture, measured(chosen, PARAMETERS_ALONE), stated, letters).expr
    architecture = chosen.model.architecture
    found = () if options.convention else rules_for(options.measure, parameters, reads_tokens(architecture))
    meanings = tuple((rule, analyzing.rule_meaning(rule, parameters, options.per)) for rule in found)
    own = chosen.model.values
    released = {**({chosen.model.origin or chosen.model.architecture.class_name: own} if own else {}), **_released(chosen, own)}
    analysis = analyzing.analyze(derivation, own, meanings, released if found else {})
    told = noted(chosen, (derivation.measure,), derivation.letters, letters)
    return AnalyzeResult(analysis, told, phrases(language).language)


def _all_relations(chosen: Resolved) -> Relations:
    """The stated relations, and those that the reference assumes if a config is silent: ``I = 4H``."""
    derived = (Relation(*each) for each in chosen.model.derived.items() if each[0] not in chosen.relations.resolved)
    return relations((*chosen.symbolic.stated, *derived))


def _released(chosen: Resolved, own: Mapping[str, int]) -> dict[str, Mapping[str, int]]:
    """The released models of the same class and flags, to which the formula applies, by name."""
    found: dict[str, Mapping[str, int]] = {}
    for name, preset in presets().items():
        if chosen.model.family and preset.config.get("model_type") == chosen.model.family.model_type and name != chosen.model.origin:
            other = resolve(name, values_first=True).model
            same = other.architecture.class_name == chosen.model.architecture.class_name
            if same and other.architecture == chosen.model.architecture and other.derived.keys() == chosen.model.derived.keys():
                found[name] = {**{letter: value for letter, value in own.items() if letter in ("L", "B")}, **other.values}
    return found

"""Two models side by side, and one model under two conventions."""

from __future__ import annotations

from dataclasses import replace

from symparam.analysis import comparison
from symparam.analysis.measures.conventions.measure import common_unit
from symparam.analysis.measures.options import Options
from symparam.api.common import AlphabetLike, alphabet_of, subject_of
from symparam.documents.roles.named_roles import with_named_roles
from symparam.errors import FormulaError
from symparam.models.architectures import find_architecture
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Named
from symparam.models.statements import Where, listed
from symparam.results.compare import CompareResult
from symparam.writing.phrases import phrases


def compare(
    first: Named,
    second: Named | None = None,
    *,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    measure: str = "parameters",
    conventions: tuple[str, str] | None = None,
    implementation: str = "eager",
) -> CompareResult:
    """Subtract the first model from the second: as a formula, module by module, and in numbers if both have values.

    ``first`` and ``second`` are models as in `derive`; ``where`` applies to both. A name of both an architecture and a preset means the
    preset if the other model is one. ``measure`` is what is compared, as in `derive`. Instead of a second model, ``conventions`` may name
    two tools or papers. Raises `SymparamError`.
    """
    if (second is None) is (conventions is None):
        raise FormulaError("compare takes two models, or one and two conventions; name a second model, or --conventions A B, not both")
    if second is None:
        if measure != "parameters":
            raise FormulaError(f"two conventions have measures of their own; leave out --measure {measure}, or --conventions")
        return _under_conventions(first, conventions or ("", ""), where, set, alphabet, language, implementation)
    if implementation != "eager":
        raise FormulaError("--implementation applies only to tools; name two of them with --conventions")
    statements = listed(where)
    values_first = not all(isinstance(each, str) and find_architecture(each) for each in (first, second))
    alike = (None, statements, set, alphabet, None, Options(measure))
    pair = [subject_of(each, *alike, values_first=values_first) for each in (first, second)]
    before, after = pair
    measures = before.derivation.measure, after.derivation.measure
    first_named, second_named = (with_named_roles(each.derivation.architecture) for each in pair)
    found = comparison.compare(first_named, second_named, alphabet_of(alphabet), measures)
    return CompareResult(found, (before, after), phrases(language).language)


def _under_conventions(
    model: Named, names: tuple[str, str], where: Where, set: Changes, alphabet: AlphabetLike, language: str, implementation: str
) -> CompareResult:
    """One model counted by two tools, in a unit that both report if there is one."""
    words, unit = phrases(language), common_unit(*names)
    statements = listed(where)
    options = [Options(unit or "parameters", convention=name, implementation=implementation) for name in names]
    values_first = not (isinstance(model, str) and find_architecture(model))
    pair = [subject_of(model, None, statements, set, alphabet, None, each, values_first=values_first) for each in options]
    shown = [
        words.say("under", model=each.model.origin or each.derivation.architecture.name, convention=name)
        for each, name in zip(pair, names, strict=True)
    ]
    before, after = (replace(each, model=replace(each.model, origin=name)) for each, name in zip(pair, shown, strict=True))
    measures = before.derivation.measure, after.derivation.measure
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, alphabet_of(alphabet), measures)
    return CompareResult(found, (before, after), words.language)

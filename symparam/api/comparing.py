"""Two models side by side, one model under two conventions, and two costs of one model."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from symparam.analysis.measures.declared_options import Measuring, Options
from symparam.analysis.measures.deriving import derivation_of
from symparam.analysis.measures.options import letters_of, only_for
from symparam.api.common import PARAMETERS_ALONE, Letters, measured, subject_of, unknown_named, written_in
from symparam.errors import FormulaError
from symparam.models.architectures import find_architecture
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, resolve
from symparam.models.statements import Where, listed

if TYPE_CHECKING:
    from symparam.results.break_even import BreakEvenResult
    from symparam.results.compare import CompareResult
    from symparam.results.crossover import CrossoverResult

COSTS = letters_of(Options("flops"))
"""The letters that costs may have in addition to those of an architecture."""


def compare(
    first: Named,
    second: Named | None = None,
    *,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    conventions: tuple[str, str] | None = None,
    implementation: str = "eager",
) -> CompareResult:
    """What the second model has more than the first, as a formula and module by module, and in numbers where both have values.

    ``first`` and ``second`` as ``model`` of `derive`; ``where`` holds for both. A name that is both an architecture's and a preset's means
    the preset where the other is one. Instead of a second model, ``conventions`` are those of two tools: what the second counts more.
    Raises `SymparamError`.
    """
    from symparam.analysis import comparison
    from symparam.results.compare import CompareResult
    from symparam.writing.phrases import phrases

    if (second is None) is (conventions is None):
        raise FormulaError("two models are compared, or one under two conventions; name a second model, or --conventions A B, not both")
    if second is None:
        return _under_conventions(first, conventions or ("", ""), where, set, letters, language, implementation)
    if implementation != "eager":
        raise FormulaError("--implementation is about what tools see; name two of them with --conventions")
    statements = listed(where)
    values_first = not all(isinstance(each, str) and find_architecture(each) for each in (first, second))
    pair = [subject_of(each, None, statements, set, letters, None, PARAMETERS_ALONE, values_first=values_first) for each in (first, second)]
    before, after = pair
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, written_in(letters))
    return CompareResult(found, (before, after), phrases(language).language)


def _under_conventions(
    model: Named, names: tuple[str, str], where: Where, set: Changes, letters: Letters, language: str, implementation: str
) -> CompareResult:
    """One model twice: as two tools count it, in a unit that both report, where there is one."""
    from symparam.analysis import comparison
    from symparam.analysis.measures.conventions.measure import common_unit
    from symparam.results.compare import CompareResult
    from symparam.writing.phrases import phrases

    words, unit = phrases(language), common_unit(*names)
    statements = listed(where)
    options = [Options(unit or "parameters", convention=name, implementation=implementation) for name in names]
    values_first = not (isinstance(model, str) and find_architecture(model))
    pair = [subject_of(model, None, statements, set, letters, None, each, language, values_first=values_first) for each in options]
    shown = [
        words.say("under", model=each.model.origin or each.derivation.architecture.name, convention=name)
        for each, name in zip(pair, names, strict=True)
    ]
    before, after = (replace(each, model=replace(each.model, origin=name)) for each, name in zip(pair, shown, strict=True))
    measures = before.derivation.measure, after.derivation.measure
    found = comparison.compare(before.derivation.architecture, after.derivation.architecture, written_in(letters), measures)
    return CompareResult(found, (before, after), words.language)


def crossover(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    attention: str = "full",
) -> CrossoverResult:
    """From what sequence length on attention costs more operations than the feed-forward part: ``crossover("gpt2").threshold``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.crossover import find_crossover
    from symparam.results.crossover import CrossoverResult
    from symparam.writing.phrases import phrases

    written = written_in(letters)
    chosen = resolve(model, config, where, written, also=("L",), set=set)
    measured(chosen, Options("flops"))
    found = find_crossover(chosen.model.architecture.map_sizes(chosen.symbolic.substitute), attention, written)
    return CrossoverResult(found, chosen.model, phrases(language).language)


def break_even(
    model: Named,
    costs: tuple[str, str],
    unknown: str = "L",
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> BreakEvenResult:
    """Where two costs are equal: ``break_even("gpt2", ("scores", "products"), where=["I=4H"]).threshold`` is 6H + …

    A cost is a measure such as ``kv-cache`` or ``weights``, or a part of the operations of a forward pass for each token: ``scores``,
    ``projections``, ``attention``, ``feed-forward``, ``head``, ``products``. It is one of ``model``, or of another,
    of which more may be stated: ``llama:kv-cache``, ``gpt2[I=4H]:feed-forward``.
    ``unknown`` is the letter to solve for. Other arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis import break_even as costing
    from symparam.results.break_even import BreakEvenResult
    from symparam.writing.phrases import phrases

    written = written_in(letters)
    shared = Options(**measuring)
    chosen = resolve(model, config, where, written, also=COSTS, set=set)
    found = []
    for cost in costs:
        other, colon, name = cost.rpartition(":")
        named, _, stated = other.partition("[")
        more = [each for each in stated.removesuffix("]").split(",") if each]
        of = resolve(named, None, (*listed(where), *more), written, also=COSTS) if colon else chosen
        is_part = name in costing.PARTS
        options = only_for(shared, "flops" if is_part else name)
        derivation = derivation_of(of.model.architecture, measured(of, options), of.symbolic, written)
        if not derivation.complete:
            raise FormulaError(f"the {name} of {derivation.architecture.name} lack what is not known, so they cannot be compared")
        meaning = costing.part_of(derivation, name) if is_part else derivation.expr
        found.append(costing.Cost(name, of.model.origin or of.model.architecture.class_name, derivation.measure.unit, meaning))
    letter = unknown_named(unknown, written, chosen)
    values = {each: value for each, value in chosen.model.values.items() if each != letter}
    first, second = found
    return BreakEvenResult(costing.break_even(first, second, letter, values, written), chosen.model, phrases(language).language)

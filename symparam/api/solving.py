"""The inverse question: the size that gives a total."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from typing import Unpack

from symparam.analysis.derivation import Derivation
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Measuring, Options
from symparam.analysis.measures.selection import depends_on_sizes, letters_of
from symparam.analysis.solving import DerivationAt, solve_for
from symparam.api.common import AlphabetLike, alphabet_of, measured, noted, unknown_named
from symparam.api.varying import following, quotients, require_models
from symparam.errors import FormulaError
from symparam.models.adapters import read_lora
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, resolve
from symparam.models.statements import Where
from symparam.results.solve import SolveResult
from symparam.writing.amounts import read_amount
from symparam.writing.phrases import phrases


def solve(
    model: Named,
    unknown: str,
    *,
    total: int | str | None = None,
    at_most: int | str | None = None,
    multiple_of: int = 1,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    **measuring: Unpack[Measuring],
) -> SolveResult:
    """Find the value of a letter at which a measure has a given total: ``solve("gpt2", "H", total="1.3B", where=["I=4H"]).exact``.

    Give either ``total``, for which the nearest whole numbers are found, or the upper bound ``at_most``: a number, or a text with a unit
    such as ``"7B"`` or, for bytes, ``"8x80GiB"``. The unknown is a multiple of ``multiple_of``, and of what the architecture requires. The
    other letters have the values of the config and of ``where``; if some have none, the solution is only a formula. Sizes that the config
    does not state follow as in the reference, and a value of the unknown in the config is ignored. Other arguments as for `derive`. Raises
    `SymparamError`.
    """
    if total is None and at_most is None:
        raise FormulaError("solve needs a target or an upper bound, as in --total 7B, --at-most 7B or --fits 8x80GiB")
    if total is not None and at_most is not None:
        raise FormulaError("solve takes a target or an upper bound, and both are given; leave out --total or the bound")
    if multiple_of < 1:
        raise FormulaError(f"--multiple-of {multiple_of} is not a step between whole numbers; give 1 or more")
    options = Options(**measuring)
    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, also=letters_of(options), set=set, lora=read_lora(lora, lora_on))
    letter = unknown_named(unknown, letters, chosen)
    stated = following(chosen, frozenset((letter,)), polynomial_in_them=True)
    values = {each: value for each, value in chosen.model.values.items() if each != letter and each not in stated.resolved}

    @cache
    def at(value: int | None) -> Derivation:
        known = values if value is None else stated.values({**values, letter: value})
        what = measured(replace(chosen, model=replace(chosen.model, values=known)), options)
        return derivation_of(chosen.model.architecture, what, stated, letters)

    general = at(None)
    target = read_amount(str(total if at_most is None else at_most), general.measure.unit)
    if not target:
        raise FormulaError("a target of 0 is reached by no model; give a positive --total or --at-most")
    changing: DerivationAt = at if depends_on_sizes(options) else lambda _: general
    divisible = (*chosen.model.divisible, *quotients(stated))
    found = solve_for(changing, letter, target, values, at_most=at_most is not None, multiple_of=multiple_of, divisible=divisible)
    answers = (found.largest,) if found.largest else found.exact or found.nearest
    require_models(chosen, stated, ({letter: each.value} for each in answers))
    reached = {letter: max(each.value for each in answers)} if answers else {}
    told = noted(chosen, (found.derivation.measure,), general.letters, letters, reached)
    return SolveResult(found, told, phrases(language).language)

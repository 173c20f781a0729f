"""The inverse question for two sizes: the pairs that give a total."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Unpack

from symparam.analysis import curves
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Measuring, Options
from symparam.analysis.measures.selection import letters_of
from symparam.api.common import AlphabetLike, alphabet_of, measured, noted, unknown_named
from symparam.api.varying import following, quotients, require_models
from symparam.core.parsing.reader import read_formula
from symparam.errors import FormulaError, shorten
from symparam.models.adapters import read_lora
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, read_stated, resolve
from symparam.models.statements import Where
from symparam.results.curve import CurveResult
from symparam.writing.amounts import read_range
from symparam.writing.phrases import phrases


def curve(
    model: Named,
    unknowns: tuple[str, str],
    *,
    total: int | str,
    between: Iterable[str] = (),
    multiple_of: int = 1,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    **measuring: Unpack[Measuring],
) -> CurveResult:
    """Find all pairs of values of two letters with a measure in a range: ``curve("gpt2", ("H", "N"), total="6.9B..7.1B").pairs``.

    ``total`` is one number or two with ``..`` between them, and ``between`` are conditions such as ``"H/N=64..160"``. The first unknown is
    a multiple of ``multiple_of``. If another letter has no number, the curve is only a formula. Other arguments as for `solve`. Raises
    `SymparamError`.
    """
    if multiple_of < 1:
        raise FormulaError(f"--multiple-of {multiple_of} is not a step between whole numbers; give 1 or more")
    if isinstance(unknowns, str) or len(unknowns) != 2:
        raise FormulaError(f"{unknowns!r} are not two letters to solve for; give two, as in --for H --for N")
    options = Options(**measuring)
    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, also=letters_of(options), set=set, lora=read_lora(lora, lora_on))
    what = measured(chosen, options)
    first, second = (unknown_named(each, letters, chosen) for each in unknowns)
    conditions = []
    for each in between:
        formula, sign, limits = each.partition("=")
        if not sign:
            raise FormulaError(f"{shorten(each)!r} is not a condition; a formula, '=' and two numbers are expected, as in H/N=64..160")
        read = read_stated(lambda text, letters: read_formula(text, letters, chosen.own_letters), formula, letters)
        conditions.append(curves.Between(read, *map(Fraction, read_range(limits, ""))))
    stated = following(chosen, frozenset((first, second)), polynomial_in_them=True)
    derivation = derivation_of(chosen.model.architecture, what, stated, letters)
    least, most = read_range(str(total), what.unit)
    values = {letter: value for letter, value in chosen.model.values.items() if letter not in (first, second)}
    divisible = (*chosen.model.divisible, *quotients(stated))
    pair = (first, second)
    found = curves.curve(derivation, pair, least, most, values, conditions=conditions, multiple_of=multiple_of, divisible=divisible)
    require_models(chosen, stated, (dict(zip(pair, each, strict=True)) for each in found.pairs))
    return CurveResult(found, noted(chosen, (what,), derivation.letters, letters), phrases(language).language)

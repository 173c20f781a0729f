"""Questions asked backwards: what a size has to be."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from symparam.analysis.measures.declared_options import Measuring, Options
from symparam.analysis.measures.deriving import derivation_of
from symparam.analysis.measures.options import letters_of
from symparam.api.common import Letters, letter_named, measured, written_in
from symparam.errors import FormulaError
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, resolve
from symparam.models.statements import Where

if TYPE_CHECKING:
    from symparam.results.solve import SolveResult


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
    letters: Letters = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> SolveResult:
    """What a letter has to be for a measure to come to a total: ``solve("gpt2", "H", total="1.3B", where=["I=4H"]).exact``.

    ``total`` is met as nearly as whole numbers can, ``at_most`` is not exceeded; either is a number, or one in a unit such as ``"7B"`` or,
    of bytes, ``"8x80GiB"``. The unknown is a multiple of ``multiple_of``, and respects what the architecture divides. The other letters
    have the values of a config and of ``where``; where some have none, the solution is in letters alone. A value that a config has for
    the unknown is left out. Other arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.solving import solve_for
    from symparam.results.solve import SolveResult
    from symparam.writing.amounts import read_amount
    from symparam.writing.phrases import phrases

    if (total is None) is (at_most is None):
        raise FormulaError("a total to meet or one not to exceed is needed; give --total or --at-most, not both")
    if multiple_of < 1:
        raise FormulaError(f"--multiple-of {multiple_of} is no step between whole numbers; give 1 or more")
    options = Options(**measuring)
    written = written_in(letters)
    chosen = resolve(model, config, where, written, also=letters_of(options), set=set)
    what = measured(chosen, options)
    letter = letter_named(unknown, written, chosen.own_letters)
    assert letter is not None
    derivation = derivation_of(chosen.model.architecture, what, chosen.symbolic, written)
    target = read_amount(str(total if at_most is None else at_most), what.unit)
    values = {each: value for each, value in chosen.model.values.items() if each != letter}
    divisible = chosen.model.family.divisible if chosen.model.family else ()
    found = solve_for(derivation, letter, target, values, at_most=at_most is not None, multiple_of=multiple_of, divisible=divisible)
    return SolveResult(found, chosen.model, phrases(language).language)

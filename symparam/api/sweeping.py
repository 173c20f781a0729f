"""Tables of measures over values of letters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from symparam.analysis import sweeping
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Measuring, Options
from symparam.analysis.measures.selection import letters_of, only_for
from symparam.api.common import AlphabetLike, alphabet_of, measured, noted, unknown_named
from symparam.api.varying import following, require_models
from symparam.errors import FormulaError, shorten
from symparam.models.adapters import read_lora
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, Resolved, resolve
from symparam.models.statements import Where
from symparam.results.sweep import SweepResult
from symparam.writing.phrases import phrases

if TYPE_CHECKING:
    import sympy


def sweep(
    model: Named,
    over: str | Iterable[str] | Mapping[str | sympy.Symbol, Iterable[int]],
    *,
    also: Iterable[str] = (),
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    **measuring: Unpack[Measuring],
) -> SweepResult:
    """Tabulate a measure over values of one letter or two: ``sweep("gpt2", ["H=768..1536:192", "N=12,24"], where=["I=4H"]).rows``.

    ``over`` gives values (``"N=16,32,64"``, ``{"N": [16, 32, 64]}``), ranges with a step (``"H=1024..8192:1024"``) or with a factor
    (``"L=1024..131072:x2"``).
    ``also`` names further measures; each takes the options that apply to it. The other letters have the values of a preset, a config and
    ``where``; sizes that the config does not state follow as in the reference. Other arguments as for `derive`. Raises `SymparamError`.
    """
    first = Options(**measuring)
    options = (first, *(only_for(first, name) for name in also))
    letters = alphabet_of(alphabet)
    added = tuple(dict.fromkeys(letter for each in options for letter in letters_of(each)))
    chosen = resolve(model, config, where, letters, values_first=True, also=added, set=set, lora=read_lora(lora, lora_on))
    axes = []
    if isinstance(over, Mapping):
        over = [f"{letter}={','.join(map(str, values))}" for letter, values in over.items()]
    for each in (over,) if isinstance(over, str) else over:
        name, sign, values = each.partition("=")
        if not sign:
            raise FormulaError(f"{shorten(each)!r} is not a range of a letter; LETTER=VALUES is expected, as in H=1024..8192:1024")
        axes.append(sweeping.Axis(unknown_named(name, letters, chosen), sweeping.axis_values(values)))
    swept = frozenset(axis.letter for axis in axes)
    for axis in axes:
        _require_window(chosen, first, axis)
    # A measure validates only the values that do not change.
    staying = {letter: value for letter, value in chosen.model.values.items() if letter not in swept}
    kept = replace(chosen, model=replace(chosen.model, values=staying))
    stated = following(chosen, swept)
    derivations = [derivation_of(chosen.model.architecture, measured(kept, each), stated, letters) for each in options]
    found = sweeping.sweep(derivations, axes, chosen.model.values, chosen.model.divisible)
    require_models(chosen, stated, found.points)
    used = frozenset().union(*(each.letters for each in derivations))
    widest = {axis.letter: (min if axis.letter == "P" else max)(axis.values) for axis in axes}
    return SweepResult(found, noted(chosen, (each.measure for each in derivations), used, letters, widest), phrases(language).language)


def _require_window(chosen: Resolved, options: Options, axis: sweeping.Axis) -> None:
    """Raise a `FormulaError` where a window is longer than what it slides over."""
    window, length = chosen.model.values.get("w", 0), min(axis.values)
    if options.attention in ("window", "kept") and axis.letter in ("S", "L") and length < window:
        raise FormulaError(
            f"a window of w = {window:,} tokens is longer than {axis.letter} = {length:,}; begin with {axis.letter} = {window:,}, "
            f"or leave out --attention {options.attention}"
        )

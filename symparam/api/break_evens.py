"""Where two costs are equal: of one model or of two, in letters and with their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import sympy

from symparam.analysis import break_even as costing
from symparam.analysis.derivation import Derivation
from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import DECODING_STEP, Measuring, Options
from symparam.analysis.measures.selection import letters_of, only_for
from symparam.analysis.measures.training_run import DEVICES, PEAK, PERCENT, TOKENS
from symparam.api.common import AlphabetLike, alphabet_of, beyond_positions, measured, quirks, remarked, unknown_named
from symparam.core.algebra.relations import Relation, Relations, relations
from symparam.core.alphabets import Alphabet
from symparam.core.formula import number
from symparam.core.message import Message, message
from symparam.errors import FormulaError
from symparam.models.blocks import Experts
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, Resolved, resolve
from symparam.models.statements import Where, listed

if TYPE_CHECKING:
    from symparam.results.break_even import BreakEvenResult

COSTS = (*letters_of(Options("flops")), PEAK, costing.BANDWIDTH, TOKENS, PERCENT, DEVICES)
"""The letters that costs may have in addition to those of an architecture."""


def break_even(
    model: Named,
    costs: tuple[str, str],
    unknown: str = "L",
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> BreakEvenResult:
    """Find where two costs are equal: ``break_even("gpt2", ("scores", "products"), where=["I=4H"]).threshold`` is 6H + …

    A cost is a measure such as ``kv-cache`` or ``weights``; a part of the operations of a forward pass for each token: ``scores``,
    ``projections``, ``attention``, ``feed-forward``, ``head``, ``products``; or one of a decoding step: ``compute-time``, ``memory-time``,
    ``intensity``, ``ridge``, with the letters ``F_peak`` and ``b_peak`` of the device; or one of training on ``D`` tokens: ``run-flops``,
    ``training-time`` and ``device-hours`` with ``n_g`` devices at ``p_u`` % of ``F_peak``. It is a cost of ``model``, or of another model,
    with statements of its own: ``llama:kv-cache``, ``gpt2[I=4H]:feed-forward``. Sizes of a preset or config are substituted as numbers;
    other letters mean the same in both. The second may be a number that the first should equal: ``300``, ``80GiB``. ``unknown`` is the
    letter to solve for. Other arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.results.break_even import BreakEvenResult
    from symparam.writing.amounts import read_amount
    from symparam.writing.phrases import phrases

    letters = alphabet_of(alphabet)
    shared = Options(**measuring)
    chosen = resolve(model, config, where, letters, also=COSTS, set=set)
    found: list[costing.Cost] = []
    remarks: list[Message] = []
    for cost in costs:
        if found and cost[:1].isdigit():
            asked = number(read_amount(cost, found[0].unit if found[0].unit == "bytes" else ""))
            found.append(costing.Cost("", "", found[0].unit, asked.expr))
            continue
        other, colon, name = cost.rpartition(":")
        of, stated = _other(other, where, letters, unknown) if colon else (chosen, chosen.symbolic)
        derived = _derivations(name, of, stated, shared, letters)
        remarks += (remark for each in derived for remark in quirks(each.measure, chosen.model))
        found.append(_cost(name, of.model.origin or of.model.architecture.class_name, derived))
    letter = unknown_named(unknown, letters, chosen)
    values = {each: value for each, value in chosen.model.values.items() if each != letter}
    if (percent := values.get(PERCENT, 0)) > 100:
        raise FormulaError(f"{PERCENT} = {percent} is not a percentage of the peak, which is at most 100")
    first, second = found
    words = phrases(language)
    result = costing.break_even(first, second, letter, values, letters)
    if letter == PERCENT and result.value is not None and result.value > 100:
        raise FormulaError(
            f"this takes {-(-result.value // 1):,} % of the peak of these devices; give more time, more devices, or less to do"
        )
    by_memory = any(cost.name in ("memory-time", "intensity") for cost in found)
    if by_memory and any(isinstance(place.module, Experts) for place in chosen.model.architecture.places()):
        remarks.append(message("all-experts-are-read"))
    reached = {letter: result.first_beyond} if result.first_beyond else {}
    remarks += beyond_positions(chosen, {letter, *(each for formula in result.formulas for each in formula.letters)}, letters, reached)
    return BreakEvenResult(result, remarked(chosen.model, *remarks), words.language)


def _other(text: str, where: Where, letters: Alphabet, unknown: str) -> tuple[Resolved, Relations]:
    """Another model, ``gpt2[I=4H]``, with substitutions for its letters: its own statements, and the numbers of a preset."""
    name, _, stated = text.partition("[")
    more = tuple(each for each in stated.removesuffix("]").split(",") if each)
    both = resolve(name, None, (*listed(where), *more), letters, also=COSTS)
    alone = resolve(name, None, more, letters, also=COSTS)
    numbers = (
        Relation(letter, number(value))
        for letter, value in alone.model.values.items()
        if letter != unknown or letter in alone.relations.resolved
    )
    left = {each.letter for each in both.symbolic.stated}
    return both, relations((*both.symbolic.stated, *(each for each in numbers if each.letter not in left)))


def _derivations(name: str, of: Resolved, stated: Relations, shared: Options, letters: Alphabet) -> list[Derivation]:
    """The measures that a cost is computed from. Raises `FormulaError` where one is incomplete."""
    found = []
    for measure in _measures_of(name):
        found.append(derivation_of(of.model.architecture, measured(of, only_for(shared, measure)), stated, letters))
        if not found[-1].complete:
            raise FormulaError(f"the {name} of {found[-1].architecture.name} are not complete, so they cannot be compared")
    return found


def _measures_of(cost: str) -> tuple[str, ...]:
    if cost == "ridge":
        return ()
    if cost in DECODING_STEP:
        return costing.MEASURES_OF_A_STEP
    return ("flops",) if cost in costing.PARTS else (cost,)


def _cost(name: str, of: str, derived: list[Derivation]) -> costing.Cost:
    meanings = [each.expr for each in derived]
    if name == "ridge":
        return costing.of_a_step(name, of, sympy.S.One, sympy.S.One, sympy.S.Zero)
    if name in DECODING_STEP:
        return costing.of_a_step(name, of, *meanings)
    meaning = costing.part_of(derived[0], name) if name in costing.PARTS else meanings[0]
    return costing.Cost(name, of, derived[0].measure.unit, meaning)

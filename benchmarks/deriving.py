"""Times deriving and counting inside one process, in comparison with SymPy's `simplify` and with building the model."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from statistics import median
from typing import Any

import sympy
from reference import Reference
from sympy.core.cache import clear_cache
from timing import Row, insist, timed

from symparam.api import count, derive
from symparam.core.algebra.polynomial import equal, normal_form
from symparam.models.blocks import Architecture
from symparam.models.configs.presets import presets

PART = "derive"
MODELS = {"bert": "bert-base-uncased", "gpt1": "openai-gpt", "gpt2": "gpt2", "bloom": "bloom-560m"}
SIZES = {"V": "vocab_size", "P": "n_positions", "H": "n_embd", "h": "n_head"}


def rows(runs: int, reference: Reference | None) -> Iterator[Row]:
    """The lines of this part of the table."""
    for family in MODELS:
        yield from _beside_simplify(family, runs)
    yield _layers(runs)
    if reference:
        yield from _beside_reference(runs, reference)


def tensor_sum(architecture: Architecture) -> sympy.Expr:
    """The sum of the sizes of all tensors, tied ones once, as one would compute it with SymPy alone."""
    sizes = [
        place.copies * sympy.Mul(*tensor.shape)
        for place in architecture.places()
        for tensor in place.module.tensors
        if tensor.tied_to is None
    ]
    return sympy.Add(*sizes)


def forget() -> None:
    """Clear the caches of both, so that the next derivation is like the first one."""
    normal_form.cache_clear()
    clear_cache()


def _beside_simplify(family: str, runs: int) -> Iterator[Row]:
    derivation = derive(family)
    total = tensor_sum(derivation.architecture)
    insist(equal(total, derivation.formula.expr), f"the closed form of {family} is not the sum of its tensors")
    insist(equal(sympy.simplify(total), derivation.formula.expr), f"simplify and the closed form of {family} differ")
    actions = {"ours": lambda: str(derive(family)), "theirs": lambda: str(sympy.simplify(total))}
    for caches, before in (("kept", {}), ("emptied", {"ours": forget, "theirs": forget})):
        taken = timed(actions, before, runs)
        yield Row(PART, f"derive {family}, caches {caches}", taken["ours"], f"sympy.simplify of the sum, caches {caches}", taken["theirs"])


def _layers(runs: int) -> Row:
    actions = {number: partial(_derive_layers, number) for number in ("200", "2")}
    taken = timed(actions, dict.fromkeys(actions, forget), 2 * runs)
    return Row(PART, "derive gpt2 with N=200", taken["200"], "derive gpt2 with N=2", taken["2"], aim=1.1)


def _derive_layers(number: str) -> str:
    return str(derive("gpt2", where=[f"N={number}"]))


def _beside_reference(runs: int, reference: Reference) -> Iterator[Row]:
    for preset in MODELS.values():
        yield _pair(f"count {preset}", partial(_total, preset), presets()[preset].document.keys, runs, reference)
    gpt2 = presets()["gpt2"].document.keys
    for layers in (2, 200):
        stated = (f"N={layers}", *(f"{letter}={gpt2[key]}" for letter, key in SIZES.items()), "I=4H")
        config = {**gpt2, "n_layer": layers}
        yield _pair(f"count GPT-2 of {layers} layers", partial(_total, "GPT2LMHeadModel", stated), config, runs, reference)


def _total(model: str, stated: tuple[str, ...] = ()) -> int | Fraction:
    return count(model, where=stated).total


def _pair(what: str, counted: Callable[[], int | Fraction], config: Mapping[str, Any], runs: int, reference: Reference) -> Row:
    """Our time and the reference's, taken alternately; the latter is measured inside the other Python, so communication costs nothing."""
    ours, theirs = [], []
    for _ in range(runs + 1):
        forget()
        start = time.perf_counter()
        found = counted()
        ours.append(time.perf_counter() - start)
        expected, seconds = reference.count(dict(config))
        theirs.append(seconds)
        insist(found == expected, f"{what}: symparam counts {found:,}, the reference {expected:,}")
    # The first run of each is not counted.
    return Row(PART, f"{what}, caches emptied", median(ours[1:]), "model on the meta device", median(theirs[1:]), note=f"{found:,} both")

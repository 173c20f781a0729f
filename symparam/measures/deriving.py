"""From an architecture and a measure to the derivation: block by block, from what each comes to by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial

import sympy

from symparam.algebra.closed_form import expanded
from symparam.algebra.relations import NONE, Relations
from symparam.alphabets import STANDARD, Alphabet
from symparam.blocks import Architecture, Module, Repeat, Tied
from symparam.blocks.architecture import Place, joined
from symparam.derivation import Derivation, Measure, Step, TensorRow
from symparam.formula import Formula, Number
from symparam.notation import UNICODE, Notation


def measured(
    architecture: Architecture,
    measure: Measure,
    relations: Relations = NONE,
    alphabet: Alphabet = STANDARD,
    form: str = "by-symbol",
    by: str | None = None,
) -> Derivation:
    """The measure of the architecture as a derivation, with the stated relations put into every size.

    Blocks without tensors are left out of a count of parameters, and blocks that come to nothing out of every other measure.
    """
    seen = measure.prepared(architecture) if measure.prepared else architecture
    resized = seen.resized(relations.put_into) if relations else seen
    if relations and not measure.of_tensor:
        measure = replace(measure, own=partial(_stated, relations, measure.own))
    root, meaning = _step(Place("", resized.root), UNICODE.using(alphabet), measure)
    return Derivation(resized, measure, relations, alphabet, root, meaning, form, by)


def _stated(relations: Relations, own: Callable[[Place], sympy.Expr], place: Place) -> sympy.Expr:
    """What a block comes to, with the relations also put into the letters that are in no shape, such as B and L."""
    return relations.put_into(own(place))


def _step(place: Place, notation: Notation, measure: Measure, runs: int = 0) -> tuple[Step, sympy.Expr]:
    module = place.module
    inside = [
        (inner, *_step(inner, notation, measure, at))
        for inner, at in zip(place.inside, module.running, strict=True)
        if measure.name != "parameters" or _has_tensors(inner)
    ]
    meaning = sympy.Add(measure.own(place), *(part for _, _, part in inside))
    if isinstance(module, Repeat):
        meaning *= module.count
    step = Step(
        path=place.path,
        kind=module.kind,
        role=module.role,
        sizes=_sizes(module, notation) | _quantities(place, measure, notation),
        tensors=tuple(_row(place.path, module, notation, measure)),
        steps=tuple(step for _, step, _ in inside if measure.name == "parameters" or step.formula != Number(0)),
        formula=expanded(meaning, notation=notation),
        copies=expanded(place.copies, notation=notation),
        repeats=expanded(module.count, notation=notation) if isinstance(module, Repeat) else None,
        why="" if measure.of_tensor else measure.reason,
        runs=runs,
    )
    return step, meaning


def _quantities(place: Place, measure: Measure, notation: Notation) -> dict[str, Formula]:
    """The sizes beside those of the block that the reason of a measure names: the rows that pass through it, and the measure's own."""
    named = {} if measure.of_tensor else {"passing": place.rows}
    further = measure.quantities(place) if measure.quantities and not place.module.children else {}
    return {name: expanded(size, notation=notation) for name, size in {**named, **further}.items()}


def _has_tensors(place: Place) -> bool:
    return any(inner.module.tensors for inner in place.walk())


def _row(path: str, module: Module, notation: Notation, measure: Measure) -> list[TensorRow]:
    return [
        TensorRow(
            joined(path, tensor.name),
            tuple(expanded(size, notation=notation) for size in tensor.shape),
            expanded(measure.of_tensor(module, tensor), notation=notation) if measure.of_tensor else Number(0),
            tensor.tied_to,
        )
        for tensor in module.tensors
    ]


def _sizes(module: Module, notation: Notation) -> dict[str, Formula]:
    block = module.inner if isinstance(module, Tied) else module
    return {each.name: expanded(getattr(block, each.name), notation=notation) for each in fields(block) if each.name in block.size_names}

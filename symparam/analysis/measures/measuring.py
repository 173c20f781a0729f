"""The derivation of a measure for an architecture, block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import partial

import sympy

from symparam.analysis.derivation import Derivation, Held, Measure, Step, TensorRow
from symparam.core.algebra.closed_form import expanded
from symparam.core.algebra.relations import NONE, Relations
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.formula import Formula, Number
from symparam.core.notation import UNICODE, Notation
from symparam.models.blocks import Architecture, Module, Repeat, Tied
from symparam.models.blocks.architecture import Place, join_path


def derivation_of(
    architecture: Architecture,
    measure: Measure,
    relations: Relations = NONE,
    alphabet: Alphabet = STANDARD,
    form: str = "readable",
    by: str | None = None,
) -> Derivation:
    """The measure of the architecture as a derivation, with the stated relations substituted into every size.

    A count of parameters leaves out blocks without tensors; every other measure leaves out blocks where it is zero.
    """
    seen = measure.transform(architecture) if measure.transform else architecture
    resized = seen.map_sizes(relations.substitute) if relations else seen
    if relations and not measure.of_tensor:
        measure = replace(measure, of_block=partial(_stated, relations, measure.of_block))
    root, meaning = _step(resized.place, UNICODE.using(alphabet), measure)
    return Derivation(resized, measure, relations, alphabet, root, meaning, form, by)


def _stated(relations: Relations, own: Callable[[Place], sympy.Expr], place: Place) -> sympy.Expr:
    """The measure of a block, with the relations also substituted for letters that occur in no shape, such as B and L."""
    return relations.substitute(own(place))


def _step(place: Place, notation: Notation, measure: Measure, position: int = 0) -> tuple[Step, sympy.Expr]:
    module = place.module
    inside = [
        (inner, *_step(inner, notation, measure, at))
        for inner, at in zip(place.inside, module.execution_positions, strict=True)
        if measure.name != "parameters" or _has_tensors(inner)
    ]
    meaning = sympy.Add(measure.of_block(place), *(part for _, _, part in inside))
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
        position=position,
        held=tuple(_held(place, measure, notation)),
    )
    return step, meaning


def _quantities(place: Place, measure: Measure, notation: Notation) -> dict[str, Formula]:
    """Further sizes that the reason of a measure names: the rows of the block, and the quantities of the measure."""
    named = {} if measure.of_tensor else {"rows": place.rows}
    further = measure.quantities(place) if measure.quantities and not place.module.children else {}
    return {name: expanded(size, notation=notation) for name, size in {**named, **further}.items()}


def _held(place: Place, measure: Measure, notation: Notation) -> Iterator[Held]:
    """The numbers that the block holds."""
    for (what, size), numbers in (measure.held(place) if measure.held else {}).items():
        yield Held(what, size, expanded(numbers, notation=notation))


def _has_tensors(place: Place) -> bool:
    return any(inner.module.tensors for inner in place.walk())


def _row(path: str, module: Module, notation: Notation, measure: Measure) -> list[TensorRow]:
    return [
        TensorRow(
            join_path(path, tensor.name),
            tuple(expanded(size, notation=notation) for size in tensor.shape),
            expanded(measure.of_tensor(module, tensor), notation=notation) if measure.of_tensor else Number(0),
            tensor.tied_to,
        )
        for tensor in module.tensors
    ]


def _sizes(module: Module, notation: Notation) -> dict[str, Formula]:
    block = module.inner if isinstance(module, Tied) else module
    return {each.name: expanded(getattr(block, each.name), notation=notation) for each in fields(block) if each.name in block.size_names}

"""From a convention to a measure: what each block costs in the eyes of a tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from types import MappingProxyType

import sympy

from symparam.blocks import Architecture
from symparam.blocks.architecture import Place
from symparam.blocks.operation import FAMILY, AttentionProducts, Elementwise, MatrixProduct
from symparam.derivation import Measure
from symparam.dimensions import B, symbol
from symparam.errors import FormulaError, UnknownNameError
from symparam.measures.conventions.convention import IMPLEMENTATIONS, Convention
from symparam.measures.conventions.papers import PAPERS, Paper, of_a_paper
from symparam.measures.conventions.tables import CONVENTIONS

_UNITS = {"macs": "MACs", "flops": "FLOPs"}


def convention(name: str) -> Convention | Paper:
    """The convention of that name, a tool's or a paper's. Raises `UnknownNameError`."""
    known: dict[str, Convention | Paper] = {**CONVENTIONS, **PAPERS}
    if name not in known:
        raise UnknownNameError("convention", name, known)
    return known[name]


def insist_on_a_formula(name: str, architecture: Architecture) -> None:
    """Raise an `ArchitectureError` where the convention has no formula for such a model. Raises `UnknownNameError`."""
    found = convention(name)
    if isinstance(found, Paper) and found.insist:
        found.insist(architecture)


def common_unit(first: str, second: str) -> str:
    """``macs`` or ``flops``, which both count; empty where there is none. Raises `UnknownNameError`."""
    units = [unit for unit in convention(first).units if unit in convention(second).units]
    return units[0].lower() if units else ""


def in_the_eyes_of(
    name: str,
    measure: str | None = None,
    implementation: str = "eager",
    activation: str = "",
    values: Mapping[str, int] = MappingProxyType({}),
) -> Measure:
    """The total of the tool, or ``macs`` or ``flops`` where it reports both.

    ``implementation`` is how attention is written, ``eager`` or ``sdpa``, ``activation`` the function of the feed-forward parts, and
    ``values`` are those of the model's letters as far as they are known. Raises `UnknownNameError`, and `FormulaError` for a measure that
    the tool does not report.
    """
    tool = convention(name)
    if isinstance(tool, Paper):
        if measure not in (None, "flops"):
            raise FormulaError(f"{tool.name} counts no {measure}; leave out --measure, or state flops")
        return of_a_paper(name)
    if implementation not in IMPLEMENTATIONS:
        raise UnknownNameError("implementation of attention", implementation, IMPLEMENTATIONS)
    unit = tool.units[0] if measure is None else _UNITS.get(measure, measure)
    if unit not in tool.units:
        reported = " and ".join(each.lower() for each in tool.units)
        raise FormulaError(f"{tool.name} reports no {measure}; leave out --measure, or state {reported}")
    return Measure(
        unit.lower(),
        unit,
        partial(_own, tool, unit, implementation == "sdpa", activation, dict(values)),
        reason="tool",
        convention=tool.name,
    )


def _own(tool: Convention, unit: str, fused: bool, activation: str, values: Mapping[str, int], place: Place) -> sympy.Expr:
    each = 2 if unit == "FLOPs" else 1
    parts: list[sympy.Expr] = []
    hidden = False
    for operation in place.module.operations:
        if isinstance(operation, AttentionProducts):
            hidden = fused and operation.fused  # One call of fused attention has its softmax inside, where no tool sees it.
            parts.append(each * place.rows * operation.keys * _width(tool, operation, hidden, values))
        else:
            if operation.call in tool.products:
                rows = place.rows / B if operation.call in tool.broadcast else place.rows
                parts.append(each * rows * operation.inputs * operation.outputs)
            if unit == tool.units[0] and operation.bias:
                parts.append(operation.outputs * _biases(tool, operation, place))
    if unit == tool.units[0] and not hidden:
        for function in place.module.elementwise:
            parts.append(place.rows * function.numbers * _times(tool, function, activation))
    return sympy.Add(*parts)


def _times(tool: Convention, function: Elementwise, activation: str) -> sympy.Expr:
    """How often each number counts that a function is applied to."""
    name = activation if function.function == FAMILY else function.function
    if not function.held:
        return sympy.Integer(tool.elementwise.get(name, 0))
    called = 0 if name in tool.taken_before else tool.elementwise.get(name, 0)
    return called * (function.holders if tool.again else 1) + tool.modules.get(name, 0) * function.holders


def _width(tool: Convention, core: AttentionProducts, fused: bool, values: Mapping[str, int]) -> sympy.Expr:
    """The features of the products of queries with keys, and of weights with values, that the tool sees."""
    if fused:
        numbers = {symbol(letter): sympy.Integer(value) for letter, value in values.items()}
        # The kernel for the CPU takes queries, keys and values of one shape alone; all others are taken apart into two products.
        apart = core.key_width.xreplace(numbers) != core.value_width.xreplace(numbers) or core.shared.xreplace(numbers) != 1
        seen = "fused" in tool.products or (tool.splits and apart)
        return core.key_width + core.value_width if seen else sympy.S.Zero
    second = {"baddbmm": "bmm", "baddbmm-function": "matmul"}.get(core.call, core.call)
    return sympy.Add(*(width for width, call in ((core.key_width, core.call), (core.value_width, second)) if call in tool.products))


def _biases(tool: Convention, product: MatrixProduct, place: Place) -> sympy.Expr:
    """How often the tool adds the bias of a product."""
    if product.call in tool.bias_of_rows:
        return place.rows
    return sympy.S.One if product.call in tool.bias_once else sympy.S.Zero

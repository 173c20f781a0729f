"""The memory of training besides activations: weights, gradients and optimiser states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial

import sympy

from symparam.analysis.derivation import Measure
from symparam.analysis.measures.memory import BYTE, bytes_of
from symparam.analysis.measures.number_formats import FORMATS, NO_VALUES, NumberFormat, QuantizationScale, QuantizedMatrix, Values, known
from symparam.core.combining import summed
from symparam.core.dimensions import DATA_PARALLEL, symbol
from symparam.core.formula import Formula, number
from symparam.core.frozen import frozen
from symparam.errors import FormulaError, UnknownNameError
from symparam.models.blocks import Tensor
from symparam.models.blocks.architecture import Place

STAGES = {"optimizer-states": 1, "gradients": 2, "weights": 3}
"""The ZeRO stage from which on the data-parallel ranks partition each of these. Source: Rajbhandari et al. 2019, arXiv 1910.02054, section
5.
"""

_EIGHT_BITS = NumberFormat("blocks of 256", 8, scales=(QuantizationScale(32, 1, 256),), flat=True, filled=False)


@frozen
class Optimizer:
    """The states of an optimiser: ``moments`` numbers per parameter, in a ``format`` of their own or in that of the weights.

    ``copy`` is the format of a master copy of the weights, ``gradients`` that of the gradients if it is not the weights'. With
    ``factored``, the moment of a matrix is one number per row and one per column. Tensors with fewer than ``smallest`` numbers have 32-bit
    moments.
    """

    name: str
    moments: int
    source: str
    format: NumberFormat | None = None
    copy: NumberFormat | None = None
    gradients: NumberFormat | None = None
    factored: bool = False
    smallest: int = 0


_FLOAT32 = FORMATS["float32"]
_MIXED = "Rajbhandari et al. 2019, arXiv 1910.02054, section 3.1"

OPTIMIZERS: dict[str, Optimizer] = {
    each.name: each
    for each in (
        Optimizer("adam-mixed", 2, _MIXED, _FLOAT32, copy=_FLOAT32),
        Optimizer(
            "adam-mixed-float32-gradients",
            2,
            "Megatron-LM, docs/source/api-guide/dist_optimizer.md, the row of bf16 parameters and fp32 gradients",
            _FLOAT32,
            copy=_FLOAT32,
            gradients=_FLOAT32,
        ),
        Optimizer("adam", 2, "Kingma and Ba 2014, arXiv 1412.6980, algorithm 1; torch.optim.AdamW"),
        Optimizer("adam-8bit", 2, "Dettmers et al. 2021, arXiv 2110.02861; bitsandbytes, optim/optimizer.py", _EIGHT_BITS, smallest=4096),
        Optimizer("adafactor", 1, "Shazeer and Stern 2018, arXiv 1804.04235, algorithm 4; torch.optim.Adafactor", factored=True),
        Optimizer("lion", 1, "Chen et al. 2023, arXiv 2302.06675, algorithm 2"),
        Optimizer("sgd-momentum", 1, "Sutskever et al. 2013, On the importance of initialization and momentum; torch.optim.SGD"),
        Optimizer("sgd", 0, "torch.optim.SGD"),
    )
}
"""The optimisers by name. Single numbers per tensor, such as Adam's step counter, and tables of 8-bit codes are left out."""


def training_memory(name: str, optimizer: str, format: NumberFormat, zero: int = 0, values: Values = NO_VALUES) -> Measure:
    """The measure of that name: ``gradients``, ``optimizer-states``, or ``training-memory``, which is both and the weights.

    ``zero`` is the stage of ZeRO, 0 for none; what its n_d ranks partition is divided by n_d. Raises `UnknownNameError`, and `FormulaError`
    for a quantised format or an unknown stage.
    """
    if optimizer not in OPTIMIZERS:
        raise UnknownNameError("optimizer", optimizer, OPTIMIZERS)
    if zero not in range(4):
        raise FormulaError(f"ZeRO has no stage {zero}; 1, 2 or 3 is expected, or 0 without it")
    chosen = OPTIMIZERS[optimizer]
    if not format.plain:
        raise FormulaError(f"{format.name} is a format for weights that are not trained; for {name} name a plain one, such as bfloat16")
    if chosen.copy and format.bits != 16:
        raise FormulaError(
            f"{optimizer} keeps a copy of 16-bit weights, but those in {format.name} are of {format.bits} bits; name the optimizer adam"
        )
    kinds = ("weights", "gradients", "optimizer-states") if name == "training-memory" else (name,)
    return Measure(
        name,
        "bytes",
        partial(_own, kinds, chosen, format, zero, values),
        reason=name if len(kinds) > 1 else "",
        details=(*((f"optimizer-{optimizer}",) if name != "gradients" else ()), *((f"zero-{zero}",) if zero else ())),
        quantities=partial(_kept, chosen, format, zero, values),
        factors=() if zero else tuple(_factors(kinds, chosen, format)),
        conditions=("small-tensors-condition",) if chosen.smallest and name != "gradients" else (),
    )


def _factors(kinds: tuple[str, ...], optimizer: Optimizer, format: NumberFormat) -> Iterator[tuple[str, Formula]]:
    """The bytes for each parameter: ``4 + 4 + 4`` of states, and ``2 + 2 + 12`` of all kinds; empty unless all parameters take equally
    many.
    """
    kept, gradients = optimizer.format or format, optimizer.gradients or format
    if kinds == ("gradients",):
        yield "gradients", bytes_of(gradients)
    elif not (optimizer.factored or kept.scales):
        states = [each.bits for each in (optimizer.copy, *(kept for _ in range(optimizer.moments))) if each]
        if len(states) > 1:
            yield "optimizer-states", _in_bytes(*states)
        if len(kinds) > 1:
            yield "training-memory", _in_bytes(format.bits, gradients.bits, sum(states))


def _in_bytes(*bits: int) -> Formula:
    return summed(*(number(Fraction(each, BYTE)) for each in bits if each))


def _own(kinds: tuple[str, ...], optimizer: Optimizer, format: NumberFormat, zero: int, values: Values, place: Place) -> sympy.Expr:
    kept = _kept(optimizer, format, zero, values, place)
    return sympy.Add(*(kept[kind] for kind in kinds))


def _kept(optimizer: Optimizer, format: NumberFormat, zero: int, values: Values, place: Place) -> Mapping[str, sympy.Expr]:
    """The bytes of a block's own weights, gradients and states on one rank."""
    own = [tensor for tensor in place.module.tensors if not tensor.tied_to]
    elements = sympy.Add(*(tensor.elements for tensor in own))
    bits = {
        "weights": format.bits * elements,
        "gradients": (optimizer.gradients or format).bits * elements,
        "optimizer-states": sympy.Add(*(_states(optimizer, format, values, tensor) for tensor in own)),
    }
    return {kind: size / BYTE / (symbol(DATA_PARALLEL) if zero >= STAGES[kind] else 1) for kind, size in bits.items()}


def _states(optimizer: Optimizer, format: NumberFormat, values: Values, tensor: Tensor) -> sympy.Expr:
    """The bits of a tensor's optimiser states."""
    copy = optimizer.copy.bits * tensor.elements if optimizer.copy else sympy.S.Zero
    kept = optimizer.format or format
    if optimizer.factored and len(tensor.shape) > 1:
        *others, rows, columns = tensor.shape
        return copy + optimizer.moments * kept.bits * sympy.Mul(*others) * (rows + columns)
    if _small(optimizer, values, tensor):
        kept = _FLOAT32
    scales = kept.bits_of_scales(QuantizedMatrix(sympy.S.One, tensor.elements), values)
    return copy + optimizer.moments * (kept.bits * tensor.elements + scales)


def _small(optimizer: Optimizer, values: Values, tensor: Tensor) -> bool:
    """Whether the tensor has fewer than ``smallest`` numbers; without values, vectors are taken to be small and matrices are not."""
    size = known(tensor.elements, values)
    return len(tensor.shape) < 2 if size is None and optimizer.smallest else (size or 0) < optimizer.smallest

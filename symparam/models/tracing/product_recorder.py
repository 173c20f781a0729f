"""The matrix products of one forward pass, by the module that computes them. On the meta device nothing is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from symparam.models.traced.expressions import Expression
from symparam.models.traced.forward_pass import EACH, PRODUCTS, UNSEEN, WHOLE
from symparam.models.tracing.observation import RegisteredTensor

Product = tuple[int, int, int, int]
"""``(groups, rows, inner, columns)``: for each group, the product of a matrix of rows × inner with one of inner × columns."""
Sides = tuple[Expression, Expression, Expression, Expression]
"""The expression of each number of a product, None where it is not known."""
UNKNOWN: Sides = (None, None, None, None)
Recorded = tuple[Product, Sides]

NOT_COUNTED = (
    "mv",
    "dot",
    "vdot",
    "addmv",
    "addbmm",
    "cdist",
    "linalg",
    "_fft",
    "rnn_layer",
    "_thnn_fused",
    "_scaled_dot_product",
    "_grouped_mm",
    "_scaled_mm",
    "pack_mm",
    "int_mm",
    "_trilinear",
)
"""Beginnings or ends of the names of functions that multiply matrices but have no rule below."""


def _mm(one: torch.Tensor, other: torch.Tensor, *rest: object, **named: object) -> Product:
    return 1, one.shape[0], one.shape[1], other.shape[1]


def _addmm(bias: torch.Tensor, one: torch.Tensor, other: torch.Tensor, *rest: object, **named: object) -> Product:
    return _mm(one, other)


def _bmm(one: torch.Tensor, other: torch.Tensor, *rest: object, **named: object) -> Product:
    return one.shape[0], one.shape[1], one.shape[2], other.shape[2]


def _baddbmm(bias: torch.Tensor, one: torch.Tensor, other: torch.Tensor, *rest: object, **named: object) -> Product:
    return _bmm(one, other)


RULES: Mapping[str, Callable[..., Product]] = {"mm": _mm, "addmm": _addmm, "bmm": _bmm, "baddbmm": _baddbmm}
"""The products of torch's functions for matrices."""


@dataclass(frozen=True)
class Window:
    """A window that moves over images or sequences; ``widths`` are the expressions of its kernel's sizes, where they are known."""

    kernel: Sequence[int]
    stride: Sequence[int]
    padding: Sequence[int]
    dilation: Sequence[int]
    widths: Sequence[Expression] = ()

    @property
    def directions(self) -> Iterator[tuple[int, int, int, int, Expression]]:
        """What it does in each direction."""
        widths = self.widths or [None] * len(self.kernel)
        return zip(self.kernel, self.stride, self.padding, self.dilation, widths, strict=False)


def _over(known: Expression, added: int, step: int, by: Expression) -> Expression:
    """``⌊(known + added)/step⌋``. Quotients that are rounded down stay quotients of each other, and so do those that are rounded up, which
    are written as ``⌊(known − 1)/step⌋ + 1``: windows one behind another then give expressions of one form.
    """
    if step == 1:
        return ("+", known, added) if added else known
    if added == step - 1:
        rounded_up = isinstance(known, tuple) and known[0] == "+" and known[2] == 1 and isinstance(known[1], tuple) and known[1][0] == "//"
        return ("+", ("//", known[1] if rounded_up else ("-", known, 1), by), 1)
    return ("//", ("+", known, added) if added else known, by)


def _product(sides: Sequence[Expression]) -> Expression:
    """The product of all sides; None if there are none, or if one is not known."""
    first, *others = sides or (None,)
    for each in others:
        first = None if first is None or each is None else ("*", first, each)
    return first


class _Dispatched(TorchDispatchMode):
    """Shows a recorder what torch dispatches."""

    recorder: ProductRecorder

    def __torch_dispatch__(self, function: Any, types: object, arguments: Any = (), named: Any = None) -> object:
        result = function(*arguments, **(named or {}))
        self.recorder.see(function._schema.name.partition("::")[2], result, arguments)
        return result


class ProductRecorder:
    """Records the products that torch dispatches, by module.

    ``batch`` is the number of samples, a prime number that no other size is a multiple of; ``inputs`` are the sizes of sequences and images
    in each direction, with their expressions; ``origins`` are those of the sides of the model's tensors.

    Source of the rule for convolutions: ``torch.utils.flop_counter``, which multiplies each place of the output, or of the input of a
    transposed one, with the whole filter.
    """

    def __init__(self, batch: int, inputs: Iterable[Sequence[tuple[int, Expression]]], origins: Mapping[str, Sequence[Expression]]) -> None:
        self.batch = batch
        self.sizes = {(len(each), at): {size: known} for each in inputs for at, (size, known) in enumerate(each)}
        self.tensors = origins
        self.areas: dict[int, Expression] = {}
        self.met: dict[Expression, int] = {}
        self.stack: list[tuple[str, list[Recorded]]] = [("", [])]
        self.calls: dict[str, list[list[Recorded]]] = {"": [self.stack[0][1]]}
        self.unseen: dict[str, None] = {}

    def see(self, name: str, result: Any, arguments: Any) -> None:
        """Record what a function of torch multiplies."""
        if name in RULES:
            self._multiplied(RULES[name](*arguments))
        elif name in ("convolution", "convolution_overrideable"):
            self._convolution(result, *arguments)
        elif any(name.startswith(each) or name.endswith(each) for each in NOT_COUNTED):
            self.unseen[self.stack[-1][0]] = None
        elif "pool" in name and isinstance(arguments[0], torch.Tensor) and len(arguments) > 1:
            self._pooled(*arguments)

    def _record(self, product: Product, sides: Sides) -> None:
        products = self.stack[-1][1]
        if products and (joined := _joined(products[-1], (product, sides))):
            products[-1] = joined
        else:
            products.append((product, sides))

    def _weight(self) -> Sequence[Expression]:
        """The expressions of the sides of the weight of the module that runs."""
        path = self.stack[-1][0]
        return self.tensors.get(f"{path}.weight" if path else "weight", ())

    def _multiplied(self, product: Product) -> None:
        _, rows, _, _ = product
        columns, inner, *more = (*self._weight(), None, None)
        known = () if more[2:] else (inner, columns)  # A matrix of another number of sides is no layer's.
        self._record(product, (None, self.areas.get(rows // self.batch) if rows % self.batch == 0 else None, *(known or (None, None))))

    def _convolution(
        self,
        result: torch.Tensor,
        taken: torch.Tensor,
        weight: torch.Tensor,
        bias: object,
        stride: Sequence[int],
        padding: Sequence[int],
        dilation: Sequence[int],
        transposed: bool,
        *rest: object,
    ) -> None:
        columns, inner, *kernel = weight.shape
        sides = self._weight()
        places: Expression = None
        if not transposed:
            places = self._moved(taken.shape[2:], Window(kernel, stride, padding, dilation, sides[2:]))
        positions = math.prod((taken if transposed else result).shape[2:])
        product = taken.shape[0], positions, inner * math.prod(kernel), columns
        self._record(product, (None, places, _product(sides[1:]), sides[0] if sides else None))

    def _pooled(self, taken: torch.Tensor, kernel: object, stride: Any = (), padding: object = 0, *rest: object) -> None:
        if not isinstance(kernel, (list, tuple)) or len(kernel) > taken.ndim:
            return
        directions = len(kernel)
        paddings = list(padding) if isinstance(padding, (list, tuple)) and padding else [0] * directions
        self._moved(taken.shape[-directions:], Window(kernel, list(stride or kernel), paddings, [1] * directions))

    def _moved(self, taken: Sequence[int], window: Window) -> Expression:
        """The expression of the number of places of a window, ``⌊(n + 2 padding − dilation (kernel − 1) − 1)/stride⌋ + 1`` along each side,
        which is remembered as well; None if that of a side is not known.
        """
        extent: list[tuple[Expression, int]] = []
        for at, (size, (width, step, more, between, of_width)) in enumerate(zip(taken, window.directions, strict=False)):
            added = 2 * more - between * (width - 1) - 1 + step
            sizes = self.sizes.get((len(taken), at), {})
            known = sizes.get(size)
            if known is None:
                return None
            places = (size + added) // step
            found = _over(known, added, step, of_width if width == step and of_width is not None else step)
            # The latest of this value: what follows takes the result of this window, unless a branch beside it takes what this one took.
            sizes[places] = found if places != size or found == known else None
            self.met[found] = places
            extent.append((found, places))
        if len(extent) == 2:
            (one, rows), (other, columns) = extent
            area = ("*", one, other)
            self.met[area] = rows * columns
            self.areas[rows * columns] = area
            return area
        for found, places in extent[:1]:
            self.areas[places] = found
            return found
        return None

    @contextmanager
    def within(self, model: torch.nn.Module) -> Iterator[None]:
        """Records the products of each module while the context lasts."""
        with ExitStack() as hooks:
            for name, module in model.named_modules():
                before = module.register_forward_pre_hook(lambda _, taken, name=name: self._enter(name))
                after = module.register_forward_hook(lambda _, taken, made: self._leave(), always_call=True)
                hooks.callback(before.remove)
                hooks.callback(after.remove)
            mode: Any = _Dispatched  # The modes of torch have no types.
            dispatched = mode()
            dispatched.recorder = self
            hooks.enter_context(dispatched)
            yield

    def _enter(self, name: str) -> None:
        products: list[Recorded] = []
        self.calls.setdefault(name, []).append(products)
        self.stack.append((name, products))

    def _leave(self) -> None:
        self.stack.pop()

    @property
    def products(self) -> tuple[tuple[RegisteredTensor, Sides], ...]:
        """Every product by its name, as one more shape of its module, with its expressions; the products of several calls of a module are
        joined.
        """
        found: list[tuple[RegisteredTensor, Sides]] = []
        for path, calls in self.calls.items():
            before = f"{path}.{PRODUCTS}" if path else PRODUCTS
            for number, (product, sides) in enumerate(_together(calls)):
                name, of_each = self._of_each(product)
                found.append(((f"{before}.{name}{number}", of_each, None), sides))
            if path in self.unseen:
                found.append(((f"{before}.{UNSEEN}", (), None), UNKNOWN))
        return tuple(found)

    def _of_each(self, product: Product) -> tuple[str, Product]:
        """The product for one sample, or the whole product if its rows are not those of samples."""
        groups, rows, inner, columns = product
        if groups % self.batch == 0:
            return EACH, (groups // self.batch, rows, inner, columns)
        return (EACH, (groups, rows // self.batch, inner, columns)) if rows % self.batch == 0 else (WHOLE, product)


def _joined(one: Recorded, other: Recorded) -> Recorded | None:
    """Both products as one, if they have the same matrix sizes but for the number of rows, or of groups."""
    (groups, rows, *matrix), (others, more, *same) = one[0], other[0]
    if matrix != same:
        return None
    inner, columns = one[1][2:]
    if groups == others == 1:
        return (1, rows + more, *one[0][2:]), (None, None, inner, columns)
    return ((groups + others, *one[0][1:]), (None, one[1][1], inner, columns)) if rows == more else None


def _together(calls: Sequence[Sequence[Recorded]]) -> list[Recorded]:
    """The products of all calls: those at the same place of each call as one where they can be."""
    first, *others = calls
    if any(len(each) != len(first) for each in others):
        return [product for each in calls for product in each]
    found: list[Recorded] = []
    for place in zip(*calls, strict=True):
        joined = [place[0]]
        for product in place[1:]:
            if both := _joined(joined[-1], product):
                joined[-1] = both
            else:
                joined.append(product)
        found += joined
    return found

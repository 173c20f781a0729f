"""The matrix products of one forward pass, by the module that computes them. On the meta device nothing is computed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from symparam.models.traced.expressions import Expression
from symparam.models.traced.forward_pass import EACH, PRODUCTS, UNSEEN, WHOLE
from symparam.models.tracing.observation import RegisteredTensor

Product = tuple[int, int, int, int]
"""``(groups, rows, inner, columns)``: for each group, the product of a matrix of rows × inner with one of inner × columns."""

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


class _Dispatched(TorchDispatchMode):
    """Shows a recorder what torch dispatches."""

    recorder: ProductRecorder

    def __torch_dispatch__(self, function: Any, types: object, arguments: Any = (), named: Any = None) -> object:
        result = function(*arguments, **(named or {}))
        self.recorder.see(function._schema.name.partition("::")[2], result, arguments)
        return result


class ProductRecorder:
    """Records the products that torch dispatches, by module.

    ``batch`` is the number of samples, a prime number that no other size is a multiple of; ``sizes`` are expressions for the sides of
    images, by their values.

    Source of the rule for convolutions: ``torch.utils.flop_counter``, which multiplies each place of the output, or of the input of a
    transposed one, with the whole filter.
    """

    def __init__(self, batch: int, sizes: Mapping[int, Expression]) -> None:
        self.batch = batch
        self.sizes = dict(sizes)
        self.met: dict[Expression, int] = {}
        self.stack: list[tuple[str, list[Product]]] = [("", [])]
        self.calls: dict[str, list[list[Product]]] = {"": [self.stack[0][1]]}
        self.unseen: dict[str, None] = {}

    def see(self, name: str, result: Any, arguments: Any) -> None:
        """Record what a function of torch multiplies."""
        if name in RULES:
            self._record(RULES[name](*arguments))
        elif name in ("convolution", "convolution_overrideable"):
            self._record(self._convolution(result, *arguments))
        elif any(name.startswith(each) or name.endswith(each) for each in NOT_COUNTED):
            self.unseen[self.stack[-1][0]] = None
        elif "pool" in name and isinstance(arguments[0], torch.Tensor) and len(arguments) > 1:
            self._pooled(*arguments)

    def _record(self, product: Product) -> None:
        products = self.stack[-1][1]
        if products and (joined := _joined(products[-1], product)):
            products[-1] = joined
        else:
            products.append(product)

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
    ) -> Product:
        columns, inner, *kernel = weight.shape
        if not transposed:
            self._moved(taken.shape[2:], kernel, stride, padding, dilation)
        positions = math.prod((taken if transposed else result).shape[2:])
        return taken.shape[0], positions, inner * math.prod(kernel), columns

    def _pooled(self, taken: torch.Tensor, kernel: object, stride: Any = (), padding: object = 0, *rest: object) -> None:
        if not isinstance(kernel, (list, tuple)) or len(kernel) > taken.ndim:
            return
        directions = len(kernel)
        paddings = list(padding) if isinstance(padding, (list, tuple)) and padding else [0] * directions
        self._moved(taken.shape[-directions:], kernel, list(stride or kernel), paddings, [1] * directions)

    def _moved(
        self, taken: Sequence[int], kernel: Sequence[int], stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int]
    ) -> None:
        """Record the size from which the places of a window come, ``⌊(n + 2 padding − dilation (kernel − 1) − 1)/stride⌋ + 1`` along each
        side.
        """
        extent: list[tuple[Expression, int]] = []
        for size, width, step, more, between in zip(taken, kernel, stride, padding, dilation, strict=False):
            added = 2 * more - between * (width - 1) - 1 + step
            known = self.sizes.get(size)
            if known is None:
                return
            shifted = ("+", known, added) if added else known
            found = ("//", shifted, step) if step > 1 else shifted
            places = (size + added) // step
            self.sizes.setdefault(places, found)
            self.met[found] = places
            extent.append((found, places))
        if len(extent) == 2:
            (one, rows), (other, columns) = extent
            self.met["*", one, other] = rows * columns

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
        products: list[Product] = []
        self.calls.setdefault(name, []).append(products)
        self.stack.append((name, products))

    def _leave(self) -> None:
        self.stack.pop()

    @property
    def products(self) -> tuple[RegisteredTensor, ...]:
        """Every product by its name, as one more shape of its module; the products of several calls of a module are joined."""
        found: list[RegisteredTensor] = []
        for path, calls in self.calls.items():
            before = f"{path}.{PRODUCTS}" if path else PRODUCTS
            for number, product in enumerate(_together(calls)):
                name, sides = self._of_each(product)
                found.append((f"{before}.{name}{number}", sides, None))
            if path in self.unseen:
                found.append((f"{before}.{UNSEEN}", (), None))
        return tuple(found)

    def _of_each(self, product: Product) -> tuple[str, Product]:
        """The product for one sample, or the whole product if its rows are not those of samples."""
        groups, rows, inner, columns = product
        if groups % self.batch == 0:
            return EACH, (groups // self.batch, rows, inner, columns)
        return (EACH, (groups, rows // self.batch, inner, columns)) if rows % self.batch == 0 else (WHOLE, product)


def _joined(one: Product, other: Product) -> Product | None:
    """Both products as one, if they have the same matrix sizes but for the number of rows, or of groups."""
    if one[2:] != other[2:]:
        return None
    if one[0] == other[0] == 1:
        return 1, one[1] + other[1], *one[2:]
    return (one[0] + other[0], *one[1:]) if one[1] == other[1] else None


def _together(calls: Sequence[Sequence[Product]]) -> list[Product]:
    """The products of all calls: those at the same place of each call as one where they can be."""
    first, *others = calls
    if any(len(each) != len(first) for each in others):
        return [product for each in calls for product in each]
    found: list[Product] = []
    for place in zip(*calls, strict=True):
        joined = [place[0]]
        for product in place[1:]:
            if both := _joined(joined[-1], product):
                joined[-1] = both
            else:
                joined.append(product)
        found += joined
    return found

"""The matrix products of one forward pass, by the module that computes them. On the meta device nothing is computed."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import FrameType
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from symparam.models.traced.expressions import Expression
from symparam.models.traced.forward_pass import EACH, PRODUCTS, UNSEEN, WHOLE
from symparam.models.tracing.observation import RegisteredTensor

Product = tuple[int, int, int, int]
"""``(groups, rows, inner, columns)``: for each group, the product of a matrix of rows × inner with one of inner × columns."""
Sides = tuple[Expression, Expression, Expression, Expression]
"""The expression of each number of a product, None where it is not known."""
UNKNOWN: Sides = (None, None, None, None)
Place = tuple[object, ...]
"""Where the code computes a product, and how many its call of a function of torch computed before, as that of attention does: what computes
two products at one place does so in a loop.
"""
Recorded = tuple[Product, Sides, Place]
_PACKAGE = __name__.rpartition(".")[0]

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
        self.recorder.code = _place_of(sys._getframe(1))
        self.recorder.see(function._schema.name.partition("::")[2], result, arguments)
        return result


def _place_of(frame: FrameType) -> Place:
    """The place of a call in the code, with those in torch's own code and in this package that lead to it, as from ``torch.einsum``."""
    found: list[object] = []
    caller: FrameType | None = frame
    while caller is not None:
        found += [caller.f_code, caller.f_lasti]
        if not str(caller.f_globals.get("__name__")).startswith(("torch.", _PACKAGE)):
            break
        caller = caller.f_back
    return tuple(found)


class _Called(TorchFunctionMode):
    """Tells a recorder of each call of a function of torch, which may dispatch several others."""

    recorder: ProductRecorder

    def __torch_function__(self, function: Any, types: object, arguments: Any = (), named: Any = None) -> object:
        self.recorder.of_call = 0
        return function(*arguments, **(named or {}))


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
        self.made: tuple[torch.Tensor | None, tuple[Expression, ...]] = None, ()
        self.code: Place = ()
        self.of_call = 0

    def see(self, name: str, result: Any, arguments: Any) -> None:
        """Record what a function of torch multiplies."""
        if name in RULES:
            self._multiplied(RULES[name](*arguments))
        elif name in ("convolution", "convolution_overrideable"):
            self._convolution(result, *arguments)
        elif any(name.startswith(each) or name.endswith(each) for each in NOT_COUNTED):
            self.unseen[self.stack[-1][0]] = None
        elif name.startswith("upsample_"):
            pairs = [*zip(result.shape[2:], arguments[0].shape[2:], strict=True)]
            if all(more % size == 0 for more, size in pairs):
                self._spread(arguments[0], result, [more // size for more, size in pairs])
        elif "pool" in name and isinstance(arguments[0], torch.Tensor) and len(arguments) > 1:
            self._pooled(*arguments)

    def _record(self, product: Product, sides: Sides) -> None:
        products = self.stack[-1][1]
        found = product, sides, (*self.code, self.of_call)
        self.of_call += 1
        if products and products[-1][2] == found[2] and (joined := _joined(products[-1], found, in_a_loop=True)):
            products[-1] = joined
        else:
            products.append(found)

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
        if transposed:
            places = self._spread(taken, result, stride)
        else:
            places = self._moved(taken, len(kernel), Window(kernel, stride, padding, dilation, sides[2:]))
        positions = math.prod((taken if transposed else result).shape[2:])
        product = taken.shape[0], positions, inner * math.prod(kernel), columns
        self._record(product, (None, places, _product(sides[1:]), sides[0] if sides else None))

    def _pooled(self, taken: torch.Tensor, kernel: object, stride: Any = (), padding: object = 0, *rest: object) -> None:
        if not isinstance(kernel, (list, tuple)) or len(kernel) > taken.ndim:
            return
        directions = len(kernel)
        paddings = list(padding) if isinstance(padding, (list, tuple)) and padding else [0] * directions
        self._moved(taken, directions, Window(kernel, list(stride or kernel), paddings, [1] * directions))

    def _extents(self, taken: torch.Tensor, directions: int) -> Iterator[tuple[int, dict[int, Expression], Expression]]:
        """The sizes of a map in its last directions, each with all known sizes in that direction, and with its own expression."""
        of_it = self.made[1] if taken is self.made[0] else ()
        for at, size in enumerate(taken.shape[-directions:]):
            sizes = self.sizes.get((directions, at), {})
            yield size, sizes, of_it[at] if of_it else sizes.get(size)

    def _moved(self, taken: torch.Tensor, directions: int, window: Window) -> Expression:
        """The expression of the number of places of a window, ``⌊(n + 2 padding − dilation (kernel − 1) − 1)/stride⌋ + 1`` along each side,
        which is remembered as well; None if that of a side is not known.
        """
        extent: list[tuple[Expression, int]] = []
        of_it = taken is self.made[0]
        for (size, sizes, known), (width, step, more, between, of_width) in zip(
            self._extents(taken, directions), window.directions, strict=False
        ):
            added = 2 * more - between * (width - 1) - 1 + step
            if known is None:
                return None
            places = (size + added) // step
            found = _over(known, added, step, of_width if width == step and of_width is not None else step)
            # The latest of this value: what follows takes the result of this window, unless a branch beside it takes what this one took.
            latest = found if places != size or found == known else None
            sizes[places] = sizes.get(places, latest) if of_it else latest
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

    def _spread(self, taken: torch.Tensor, result: torch.Tensor, steps: Sequence[int]) -> Expression:
        """The expression of the number of places of a map that is enlarged, ``n`` along each side, of which ``step × n + …`` are made; None
        if that of a side is not known.

        What is made may be as large as a map before it, to which it is then added, so that a size that is known keeps its expression for
        what takes anything but the result itself.
        """
        extent: list[Expression] = []
        made: list[Expression] = []
        directions = len(steps)
        for (size, sizes, known), more, step in zip(self._extents(taken, directions), result.shape[-directions:], steps, strict=True):
            if known is None:
                return None
            found: Expression = ("*", known, step)
            if more != size * step:
                found = ("+" if more > size * step else "-", found, abs(more - size * step))
            self.met[found] = more
            sizes.setdefault(more, found)
            extent.append(known)
            made.append(found)
        self.made = result, tuple(made)
        return _product(extent)

    @contextmanager
    def within(self, model: torch.nn.Module) -> Iterator[None]:
        """Records the products of each module while the context lasts."""
        with ExitStack() as hooks:
            for name, module in model.named_modules():
                before = module.register_forward_pre_hook(lambda _, taken, name=name: self._enter(name))
                after = module.register_forward_hook(lambda _, taken, made: self._leave(), always_call=True)
                hooks.callback(before.remove)
                hooks.callback(after.remove)
            modes: tuple[Any, ...] = _Called, _Dispatched  # The modes of torch have no types.
            for mode in modes:
                entered = mode()
                entered.recorder = self
                hooks.enter_context(entered)
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
            for number, (product, sides, _) in enumerate(_together(calls)):
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


def _joined(one: Recorded, other: Recorded, in_a_loop: bool = False) -> Recorded | None:
    """Both products as one, if they have the same matrix sizes but for the number of rows, or of groups. Those of one place in the code are
    as many groups, where they have the same rows, as their loop has turns.
    """
    (groups, rows, *matrix), (others, more, *same) = one[0], other[0]
    if matrix != same:
        return None
    inner, columns = one[1][2:]
    if rows == more and (in_a_loop or not groups == others == 1):
        return (groups + others, *one[0][1:]), (None, one[1][1], inner, columns), one[2]
    return ((1, rows + more, *one[0][2:]), (None, None, inner, columns), one[2]) if groups == others == 1 else None


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

"""Where the sides of tensors come from: the expressions of the numbers with which each tensor of a build was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch.utils._device import DeviceContext

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.symbolic_values import expression_of

MARK = "_sides_while_tracing"
MAKERS = frozenset({"empty", "zeros", "ones", "rand", "randn", "full", "eye"})
"""The functions of torch that make a tensor of a given shape."""
FILLERS = frozenset(
    f"{name}_"
    for name in (
        *("normal", "uniform", "random", "bernoulli", "exponential", "log_normal", "cauchy", "geometric", "fill", "zero"),
        *("add", "sub", "mul", "div", "clamp", "clip", "erfinv", "exp", "log", "sqrt", "neg"),
    )
)
"""The functions of torch that change only the content of a tensor. On the meta device there is nothing in it, and initialising a model
takes most of the time that building it does.
"""
SERIES = frozenset({"linspace", "logspace", "arange", "tensor", "as_tensor"})
"""The functions of torch that make a few numbers, which a constructor may read: ``[x.item() for x in torch.linspace(0, 0.1, 12)]``."""


class MetaDevice(DeviceContext):
    """The meta device; with ``content``, a series of numbers has its values."""

    def __init__(self, content: bool) -> None:
        super().__init__("meta")
        self.content = content

    def __torch_function__(
        self, function: Any, types: object, arguments: Sequence[Any] = (), named: Mapping[str, Any] | None = None
    ) -> object:
        if self.content and getattr(function, "__name__", "") in SERIES:
            named = {"device": "cpu", **(named or {})}
        return super().__torch_function__(function, types, arguments, named)  # type: ignore[no-untyped-call]


class _TrackSides(MetaDevice):
    """The meta device, which marks tensors with the expressions of their sides: each call of a function of torch passes one place alone."""

    def __torch_function__(
        self, function: Any, types: object, arguments: Sequence[Any] = (), named: Mapping[str, Any] | None = None
    ) -> object:
        name = getattr(function, "__name__", "")
        if name in FILLERS and _is_filled(*arguments):
            return arguments[0]
        result = super().__torch_function__(function, types, arguments, named)
        if isinstance(result, torch.Tensor) and not hasattr(result, MARK):
            if name in MAKERS:
                _mark(result, _given(arguments, named or {}))
            else:  # Elementwise: the result of `0.02 * torch.randn(rows, columns)` has the sides of its operand.
                alike = (each for each in arguments if isinstance(each, torch.Tensor) and each.shape == result.shape)
                _mark(result, next((getattr(each, MARK) for each in alike if hasattr(each, MARK)), ()))
        return result


def _is_filled(tensor: object = None, *others: object) -> bool:
    """Whether the call fills a tensor that has no content with a value that need not have the same shape."""
    return isinstance(tensor, torch.Tensor) and tensor.is_meta and not any(isinstance(each, torch.Tensor) for each in others)


def _given(arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
    sizes = named.get("size", arguments)
    if sizes and isinstance(sizes[0], (list, tuple)):
        sizes = sizes[0]
    return tuple(sizes)


def _mark(tensor: torch.Tensor, sizes: Sequence[Any]) -> None:
    if sizes and tuple(map(int, sizes)) == tuple(tensor.shape):  # Plain integers, whose comparison is not one of the class.
        setattr(tensor, MARK, tuple(sizes))


@contextmanager
def tracked_sides(content: bool) -> Iterator[None]:
    """While the context lasts, tensors are made on the meta device, and they and parameters keep the expressions of their sides; with
    ``content``, series of numbers have their values.
    """
    made: Any = torch.nn.Parameter
    plain = made.__new__

    def parameter(kind: type, data: object = None, *more: object, **named: object) -> object:
        found = plain(kind, data, *more, **named)
        if data is not None and hasattr(data, MARK):
            setattr(found, MARK, getattr(data, MARK))
        return found

    made.__new__ = parameter
    try:
        with _TrackSides(content):
            yield
    finally:
        made.__new__ = plain


def origins_of(model: torch.nn.Module) -> dict[str, tuple[Expression, ...]]:
    """The expressions of the sides of each parameter that has them, by name."""
    named = model.named_parameters(remove_duplicate=False)
    return {name: tuple(map(expression_of, getattr(each, MARK))) for name, each in named if hasattr(each, MARK)}

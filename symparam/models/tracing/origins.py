"""Where the sides of tensors come from: the expressions of the numbers with which each tensor of a build was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any

import torch
from torch.utils._device import DeviceContext

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.symbolic_values import LOG, Turn, expression_of

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


class Content(IntEnum):
    """The tensors that have a content in a build: none, on the meta device; the series of numbers; or all."""

    NONE = 0
    SERIES = 1
    ALL = 2


MOST_FILLED = 10_000
"""The most numbers in a tensor that is filled where all have a content; the larger ones are parameters."""


class BuildDevice(DeviceContext):
    """The device for a build: the meta device unless all tensors have a content. What fills a tensor there is passed over."""

    def __init__(self, content: Content) -> None:
        super().__init__("cpu" if content == Content.ALL else "meta")
        self.content = content

    def __torch_function__(
        self, function: Any, types: object, arguments: Sequence[Any] = (), named: Mapping[str, Any] | None = None
    ) -> object:
        name = getattr(function, "__name__", "")
        if name in FILLERS and _is_filled(*arguments):
            return arguments[0]
        if self.content == Content.SERIES and name in SERIES:
            named = {"device": "cpu", **(named or {})}
        return super().__torch_function__(function, types, arguments, named)  # type: ignore[no-untyped-call]


class _TrackSides(BuildDevice):
    """The meta device, which marks tensors with the expressions of their sides: each call of a function of torch passes one place alone."""

    def __torch_function__(
        self, function: Any, types: object, arguments: Sequence[Any] = (), named: Mapping[str, Any] | None = None
    ) -> object:
        result = super().__torch_function__(function, types, arguments, named)
        if isinstance(result, torch.Tensor) and not hasattr(result, MARK):
            if getattr(function, "__name__", "") in MAKERS:
                _mark(result, _given(arguments, named or {}))
            else:
                _mark(result, next(filter(None, (_kept(each, result) for each in arguments if hasattr(each, MARK))), ()))
        return result


def _kept(operand: torch.Tensor, result: torch.Tensor) -> tuple[Any, ...]:
    """The sides of an operand that its result has as well: all of them for `0.02 * torch.randn(rows, columns)`, the others than 1 where the
    norm of each row is taken; none if it has others.
    """
    pairs = list(zip(operand.shape, result.shape, strict=False))
    if operand.dim() != result.dim() or any(of not in (side, 1) for side, of in pairs):
        return ()
    return tuple(own if side == of else 1 for own, (side, of) in zip(getattr(operand, MARK), pairs, strict=True))


def _is_filled(tensor: object = None, *others: object) -> bool:
    """Whether the call fills a tensor that has no content with a value that need not have the same shape."""
    empty = isinstance(tensor, torch.Tensor) and (tensor.is_meta or tensor.numel() > MOST_FILLED)
    return empty and not any(isinstance(each, torch.Tensor) for each in others)


def _given(arguments: Sequence[Any], named: Mapping[str, Any]) -> tuple[Any, ...]:
    sizes = named.get("size", arguments)
    if sizes and isinstance(sizes[0], (list, tuple)):
        sizes = sizes[0]
    return tuple(sizes)


def _mark(tensor: torch.Tensor, sizes: Sequence[Any]) -> None:
    if sizes and tuple(map(int, sizes)) == tuple(tensor.shape):  # Plain integers, whose comparison is not one of the class.
        setattr(tensor, MARK, tuple(sizes))


Turns = tuple[Turn, ...]
"""The turns of the loops in which something was made, the outermost first."""


@contextmanager
def tracked_sides(content: Content) -> Iterator[Made]:
    """While the context lasts, tensors and parameters keep the expressions of their sides, and have no other content than this. What is
    made meanwhile is noted with the turns of the loops that are running.
    """
    made: Any = torch.nn.Parameter
    plain = made.__new__
    module: Any = torch.nn.Module
    initialised = module.__init__
    found_in = Made()

    def parameter(kind: type, data: object = None, *more: object, **named: object) -> object:
        found = plain(kind, data, *more, **named)
        if data is not None and hasattr(data, MARK):
            setattr(found, MARK, getattr(data, MARK))
        found_in.note(found)
        return found

    def initialise(self: object, *arguments: object, **named: object) -> None:
        found_in.note(self)
        initialised(self, *arguments, **named)

    made.__new__, module.__init__ = parameter, initialise
    try:
        with _TrackSides(content):
            yield found_in
    finally:
        made.__new__, module.__init__ = plain, initialised


class Made:
    """The turns in which modules and parameters were made in loops. A copy of a module has no turns, but its parameters have."""

    def __init__(self) -> None:
        self._turns: dict[int, tuple[object, Turns]] = {}

    def note(self, made: object) -> None:
        """Note the loops that are running."""
        if LOG.turns:
            self._turns[id(made)] = made, tuple(LOG.turns.values())

    def turns_of(self, model: torch.nn.Module) -> dict[str, Turns]:
        """The turns of each module and parameter that has some, by name."""
        named = (*model.named_modules(remove_duplicate=False), *model.named_parameters(remove_duplicate=False))
        return {name: self._turns[id(each)][1] for name, each in named if id(each) in self._turns}


def origins_of(model: torch.nn.Module) -> dict[str, tuple[Expression, ...]]:
    """The expressions of the sides of each parameter that has them, by name."""
    named = model.named_parameters(remove_duplicate=False)
    return {name: tuple(map(expression_of, getattr(each, MARK))) for name, each in named if hasattr(each, MARK)}

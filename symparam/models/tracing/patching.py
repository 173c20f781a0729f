"""Builtin and library functions that would lose the origin of a number, replaced in the globals of the traced modules."""

from __future__ import annotations

import builtins
import contextlib
import functools
import sys
from collections.abc import Iterable, Iterator
from typing import Any

from symparam.models.tracing.library_functions import in_place_of, numpy_names, of_numpy
from symparam.models.tracing.numeric_functions import numeric_functions, numeric_methods
from symparam.models.tracing.symbolic_rows import SymbolicRows
from symparam.models.tracing.symbolic_values import (
    LOG,
    Place,
    SymbolicInt,
    SymbolicSequence,
    expression_of,
    place_of,
    plain_value,
    turning,
    with_expression,
)

MOST_MODULES = 400
"""The most modules in which functions are replaced."""


class _IntType(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, builtins.int)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, builtins.int)

    def __eq__(cls, other: object) -> bool:
        return other is builtins.int or other is _Int

    def __hash__(cls) -> builtins.int:
        return hash(builtins.int)

    def __call__(cls, *values: Any, **named: object) -> object:
        value = builtins.int(*values, **named)
        if len(values) == 1 and hasattr(values[0], "expression") and not isinstance(values[0], SymbolicSequence):
            found = values[0].expression
            return with_expression(value, found if isinstance(values[0], SymbolicInt) else ("int", found))
        return value


class _Int(metaclass=_IntType):
    """An ``int`` that keeps expressions."""

    from_bytes = builtins.int.from_bytes


class _FloatType(type):
    def __instancecheck__(cls, value: object) -> bool:
        return isinstance(value, builtins.float)

    def __subclasscheck__(cls, kind: type) -> bool:
        return issubclass(kind, builtins.float)

    def __eq__(cls, other: object) -> bool:
        return other is builtins.float or other is _Float

    def __hash__(cls) -> builtins.int:
        return hash(builtins.float)

    def __call__(cls, *values: Any) -> object:
        value = builtins.float(*values)
        if len(values) == 1 and hasattr(values[0], "expression") and not isinstance(values[0], SymbolicSequence):
            return with_expression(value, ("float", values[0].expression))
        return value


class _Float(metaclass=_FloatType):
    """A ``float`` that keeps expressions."""


class _Range:
    """A ``range`` whose numbers are marked as loop variables."""

    def __init__(self, *bounds: Any) -> None:
        self.plain = builtins.range(*bounds)

    def __iter__(self) -> Iterator[object]:
        LOG.loops += 1
        place = place_of(sys._getframe(1))
        return turning(self._numbered(LOG.loops, place), LOG.loops, place)

    def in_loop(self, loop: int) -> Iterator[object]:
        """The numbers, at those of a loop that goes over lists as well, if it counts like them."""
        return self._numbered(loop, None) if (self.plain.start, self.plain.step) == (0, 1) else iter(self)

    def _numbered(self, loop: int, place: Place | None) -> Iterator[object]:
        """The numbers with those of the loop, unless the loop at this place in the code has come to so many that it is filling a table."""
        for value in self.plain:
            yield value if place is not None and LOG.is_full_at(place) else with_expression(value, ("loop", loop, value))

    def __reversed__(self) -> Iterator[int]:
        return reversed(self.plain)

    def __len__(self) -> int:
        return builtins.len(self.plain)

    def __contains__(self, value: object) -> bool:
        return value in self.plain

    def __getitem__(self, index: Any) -> object:
        return self.plain[index]


def _enumerate(values: Any, start: int = 0) -> Iterator[tuple[object, object]]:
    LOG.loops += 1
    loop = LOG.loops
    numbered = enumerate(_in_loop(values, loop) if start == 0 else values, start)
    for number, value in turning(numbered, loop, place_of(sys._getframe(1))):
        yield with_expression(number, ("loop", loop, number)), value


def _in_loop(values: Any, loop: int) -> Any:
    """What a loop goes over, so that everything in it is at the number of that one loop."""
    return values.in_loop(loop) if isinstance(values, (SymbolicSequence, SymbolicRows, _Range, _Zip)) else values


class _Zip:
    """A ``zip`` that goes over lists in one loop, as long as the shortest of them."""

    def __init__(self, *values: Any, strict: bool = False) -> None:
        self.values, self.strict = values, strict
        self.turns: Iterator[object] | None = None
        if builtins.all(hasattr(each, "__len__") for each in values):
            lengths = [_len(each) for each in values]
            known = dict.fromkeys(map(expression_of, lengths))
            if len(known) > 1:
                with_expression(builtins.min(map(builtins.len, self.values)), ("min", *known))

    def in_loop(self, loop: int) -> Iterator[object]:
        return zip(*(_in_loop(each, loop) for each in self.values), strict=self.strict)

    def __iter__(self) -> Iterator[object]:
        if self.turns is None:
            LOG.loops += 1
            self.turns = turning(self.in_loop(LOG.loops), LOG.loops, place_of(sys._getframe(1)))
        return self.turns

    def __next__(self) -> object:
        return next(iter(self))


def _reversed(values: Any) -> Iterator[object]:
    LOG.loops += 1
    return turning(builtins.reversed(values), LOG.loops, place_of(sys._getframe(1)))


def _len(values: Any) -> object:
    values = values.first if isinstance(values, SymbolicRows) else values
    if isinstance(values, SymbolicSequence) and not values.offset:
        return with_expression(builtins.len(values), ("len", values.expression))
    return builtins.len(values)


def _sum(values: Any, *start: object) -> object:
    found: object = builtins.sum(values, *start)
    known = isinstance(values, SymbolicSequence) and not values.offset and not start
    return with_expression(found, ("sum", values.expression)) if known else found


def _extreme(name: str) -> object:
    plain = getattr(builtins, name)

    def function(*values: object, **named: object) -> object:
        if named or not builtins.any(hasattr(each, "expression") for each in values):
            return plain(*values, **named)
        found = plain(*map(plain_value, values))  # Without a comparison in the log: what is found holds for both outcomes.
        return with_expression(found, (name, *(expression_of(each) for each in values)))

    return function


REPLACED = {
    "int": _Int,
    "float": _Float,
    "range": _Range,
    "enumerate": _enumerate,
    "zip": _Zip,
    "reversed": _reversed,
    "len": _len,
    "sum": _sum,
    "max": _extreme("max"),
    "min": _extreme("min"),
}


def _is_plain(module: str) -> bool:
    """Whether nothing is replaced in a module: in those of torch and of Python itself."""
    outer = module.partition(".")[0]
    return outer in ("torch", "numpy", "symparam") or outer in sys.stdlib_module_names


def reachable_modules(modules: Iterable[str]) -> frozenset[str]:
    """The modules of these names, and those whose functions and classes they use, directly or through others."""
    found: set[str] = set()
    waiting = [*modules]
    while waiting and len(found) < MOST_MODULES:
        name = waiting.pop()
        if name in found or name not in sys.modules:
            continue
        found.add(name)
        for value in [*vars(sys.modules[name]).values()]:
            other = getattr(value, "__module__", None) if callable(value) else getattr(value, "__name__", None)
            if isinstance(other, str) and other not in found and not _is_plain(other):
                waiting.append(other)
    return frozenset(found)


@functools.cache
def _numeric(name: str) -> tuple[tuple[object, str, object, object], ...]:
    """The functions of a module that only compute numbers, and those in its classes: where they are, and what takes their place."""
    module = sys.modules[name]
    space = {key: value for key, value in vars(module).items() if not _is_plain(getattr(value, "__module__", None) or "builtins")}
    found: list[tuple[object, str, object, object]] = [(module, key, space[key], new) for key, new in numeric_functions(space).items()]
    for kind in [each for each in space.values() if isinstance(each, type) and each.__module__ == name]:
        found += [(kind, key, vars(kind)[key], new) for key, new in numeric_methods(kind).items()]
    return tuple(found)


@functools.cache
def _globals(name: str) -> tuple[tuple[str, object, object], ...]:
    """What is replaced in the globals of a module: the name, what stands there (None for a builtin), and what takes its place."""
    space = vars(sys.modules[name])
    found = ((key, None, new) for key, new in REPLACED.items() if key not in space)
    return (*found, *((key, space[key], new) for key, new in in_place_of(space).items()))


@contextlib.contextmanager
def patched(modules: Iterable[str]) -> Iterator[None]:
    """Replaces the functions in the modules of these names while the context lasts."""
    names = [name for name in modules if name in sys.modules and (name == "__main__" or not _is_plain(name))]
    numeric = [each for name in names for each in _numeric(name)]  # Found in their sources, before anything is replaced there.
    spaces = [(vars(sys.modules[name]), _globals(name)) for name in names]
    spaces.append((numpy_names(), tuple((key, numpy_names()[key], new) for key, new in of_numpy().items())))
    try:
        for space, replaced in spaces:
            space.update({key: new for key, _, new in replaced})
        for place, key, _, function in numeric:
            setattr(place, key, function)
        yield
    finally:
        for place, key, plain, _ in numeric:
            setattr(place, key, plain)
        for space, replaced in spaces:
            for key, plain, _ in replaced:
                if plain is None:
                    space.pop(key, None)
                else:
                    space[key] = plain

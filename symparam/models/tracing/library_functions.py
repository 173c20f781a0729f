"""Functions of ``math`` and ``numpy`` that keep the expressions of the numbers that they are given."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from symparam.models.tracing.symbolic_values import SymbolicSequence, expression_of, plain_value, with_expression

OF_MATH = ("sqrt", "log", "log2", "gcd", "prod")
OF_LISTS = frozenset({"prod", "sum"})
"""The functions of a list."""
_IN_NUMPY = {"ceil": "ceil", "floor": "floor", "sqrt": "sqrt", "log": "log", "log2": "log2", "abs": "abs", "prod": "prod", "sum": "sum"}
"""The operations that functions of numpy are, by their names; they give fractions where those of `math` give whole numbers."""


def _keeping(plain: Callable[..., Any], operation: str) -> Callable[..., object]:
    """The function, whose result has an expression if it is given nothing but numbers that have one, or one list."""

    def function(*values: Any, **named: Any) -> object:
        found = plain(*values, **named)
        if named or not any(hasattr(each, "expression") for each in values):
            return found
        of_a_list = any(isinstance(each, SymbolicSequence) for each in values)
        whole = len(values) == 1 and not getattr(values[0], "offset", 0)
        if of_a_list and not (whole and operation in OF_LISTS and not isinstance(plain_value(values[0][0]), (list, tuple))):
            return found
        return with_expression(_number(found), (operation, *(expression_of(each) for each in values)))

    return function


def _number(value: Any) -> object:
    """A number of numpy as one of Python."""
    return value.item() if type(value).__module__ == "numpy" and not value.shape else value


_KEEPING = {name: _keeping(getattr(math, name), name) for name in OF_MATH}


@cache
def numpy_names() -> dict[str, Any]:
    """The names of ``numpy``, which torch does not need: none if it is not installed."""
    try:
        return vars(import_module("numpy"))
    except ImportError:
        return {}


@cache
def of_numpy() -> Mapping[str, object]:
    """What takes the place of functions of numpy, also where code imports it where it needs it."""
    names = numpy_names()
    return {name: _keeping(names[name], operation) for name, operation in _IN_NUMPY.items() if name in names}


class _Math(ModuleType):
    """A ``math`` whose roots, logarithms and products keep expressions."""

    def __getattr__(self, name: str) -> object:
        return _KEEPING.get(name, getattr(math, name))


def in_place_of(space: Mapping[str, object]) -> dict[str, object]:
    """What takes the place of ``math``, and of functions imported from it, among these names."""
    known = {builtins.id(getattr(math, name)): function for name, function in _KEEPING.items()}
    found: dict[str, object] = {key: known[builtins.id(value)] for key, value in space.items() if builtins.id(value) in known}
    return {**found, **{key: _Math("math") for key, value in space.items() if value is math}}

"""Arguments as settings: the values inside dictionaries, lists, objects of settings and partial functions by their paths, and back.

A list of rows, such as ``stages=[(64, 2), (128, 3)]``, has a list for each of its columns: ``stages[].0`` and ``stages[].1``. So it may be
longer or shorter, as any list.
"""

from __future__ import annotations

import ast
import copy
import dataclasses
import functools
import inspect
import itertools
import re
import textwrap
from collections.abc import Container, Iterator, Mapping
from types import FunctionType, SimpleNamespace
from typing import Any

from symparam.models.traced.rows import COLUMN
from symparam.models.tracing.config_objects import arguments_of, with_values
from symparam.models.tracing.symbolic_rows import rows_of

MOST_INSIDE = 600
"""The most values that one argument may contain; a larger one is a table, not settings."""
MAX_DEPTH = 8
RATIO = re.compile(r"ratios?$|(^|_)mult(iplier)?s?$|(^|_)(factor|scale|expand|expansion)s?($|_(factor|ratio)s?$)")
"""The names of settings that multiply others, which are often fractions."""


def settings_in(name: str, value: object) -> dict[str, object]:
    """The argument as settings by path: ``{"cfg.widths": [8, 16], "cfg.act": "relu"}``; the argument itself if it contains no others."""
    found = dict(_leaves(name, value, 0))
    return found if len(found) <= MOST_INSIDE else {name: value}


def _leaves(path: str, value: object, depth: int) -> Iterator[tuple[str, object]]:
    columns = columns_in(value, depth)
    yield from ((f"{path}{COLUMN}{name}", column) for name, column in columns.items())
    inside = nested_values(value) if depth < MAX_DEPTH and not columns else {}
    if not inside and not columns:
        yield path, value
    for name, each in inside.items():
        yield from _leaves(f"{path}.{name}" if path else name, each, depth + 1)


def nested_values(value: object) -> dict[str, object]:
    """The values inside an argument by name; empty if it is a single setting, such as a number, a word or a list of one kind of these."""
    if isinstance(value, functools.partial):
        return dict(value.keywords)
    if isinstance(value, dict):
        return dict(value) if all(isinstance(name, str) and name and "." not in name for name in value) else {}
    if (made_with := arguments_of(value)) is not None:
        return made_with
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in dataclasses.fields(value) if hasattr(value, each.name)}
    if isinstance(value, SimpleNamespace):
        return dict(vars(value))
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return dict(value._asdict())
    if isinstance(value, (list, tuple)) and not _of_one_kind(value):
        return {str(at): each for at, each in enumerate(value)}
    return {}


def columns_in(value: object, depth: int = 0) -> dict[str, list[object]]:
    """The columns of a list of rows by the paths within a row; empty if it is no such list, or has rows of different kinds."""
    if not isinstance(value, (list, tuple)) or hasattr(value, "_asdict") or depth >= MAX_DEPTH:
        return {}
    rows = [dict(_leaves("", each, depth + 1)) if _inside_a_row(each) else {} for each in map(_as_a_row, value)]
    names = [*rows[0]] if rows else []
    if len(names) * len(rows) > MOST_INSIDE or not all(names == [*row] for row in rows):
        return {}
    columns = {name: [row[name] for row in rows] for name in names}
    return columns if all(map(_of_one_kind, columns.values())) else {}


def _as_a_row(value: object) -> object:
    """What is inside a row by name, also where that is numbers alone."""
    if not isinstance(value, (list, tuple)) or hasattr(value, "_asdict"):
        return value
    return {str(at): each for at, each in enumerate(value)}


def _with_cells(row: object, cells: Mapping[str, object]) -> object:
    """The row with other values."""
    inside = _as_a_row(row)
    found = rebuilt("", inside, cells)
    return found if inside is row else type(row)(found.values())  # type: ignore[call-arg]


def _inside_a_row(value: object) -> bool:
    return bool(nested_values(value)) and not isinstance(value, functools.partial)


def _of_one_kind(values: list[object] | tuple[object, ...]) -> bool:
    """Whether a list has only numbers in it, only words or only flags."""
    return any(all(isinstance(each, kind) for each in values) for kind in (bool, str)) or all(
        isinstance(each, (int, float)) and not isinstance(each, bool) for each in values
    )


def rebuilt(path: str, value: Any, settings: Mapping[str, object]) -> Any:
    """The argument with these settings inside."""
    if path in settings:
        return settings[path]
    columns: dict[str, Any] = {name: settings[f"{path}{COLUMN}{name}"] for name in columns_in(value) if f"{path}{COLUMN}{name}" in settings}
    if columns:
        return rows_of(columns, value, _with_cells)
    inside = {name: rebuilt(f"{path}.{name}" if path else name, each, settings) for name, each in nested_values(value).items()}
    if isinstance(value, functools.partial):
        return functools.partial(value.func, *value.args, **inside)
    if isinstance(value, (list, tuple)):
        items = inside.values()
        return type(value)(*items) if hasattr(value, "_asdict") else type(value)(items)
    if arguments_of(value) is not None:
        return with_values(value, inside)
    found = copy.copy(value)
    for name, each in inside.items():
        if isinstance(value, dict):
            found[name] = each
        else:
            object.__setattr__(found, name, each)  # Even if it is frozen.
    return found


def updated(path: str, known: Any, given: object) -> object:
    """What is given in place of an argument; for a dictionary in place of an object of settings, another such object."""
    if not isinstance(given, dict) or arguments_of(known) is None:
        return alike(known, given)
    inside = nested_values(known)
    return rebuilt(path, known, {f"{path}.{name}": updated(name, each, given.get(name, each)) for name, each in inside.items()})


def parameters_of(kind: Any) -> list[inspect.Parameter]:
    """The parameters of a class or function; those of the constructor where ``__new__`` passes on everything that it is given."""
    found = [*inspect.signature(kind).parameters.values()]
    made = getattr(kind, "__init__", None) if isinstance(kind, type) else None
    takes_all = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    if not inspect.isfunction(made) or not {each.kind for each in found} <= takes_all:
        return found
    taken = [*inspect.signature(made).parameters.values()][1:]
    named = _receives_all(kind, made) if {each.kind for each in taken} == takes_all else None
    return [*inspect.signature(named).parameters.values()][1:] if named is not None else taken


def _receives_all(kind: type, made: FunctionType) -> FunctionType | None:
    """The method to which a constructor passes all that it is given: ``self.build(*arguments, **named)``."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(made)))
    except (OSError, TypeError, SyntaxError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and getattr(node.func.value, "id", "") == "self":
            method = getattr(kind, node.func.attr, None)
            passes = any(isinstance(each, ast.Starred) for each in node.args) and any(each.arg is None for each in node.keywords)
            if passes and isinstance(method, FunctionType):
                return method
    return None


def alike(default: object, value: object) -> object:
    """The value, as a tuple where that is what the default is."""
    return tuple(value) if isinstance(default, tuple) and not hasattr(default, "_asdict") and isinstance(value, list) else value


def as_fractions(settings: Mapping[str, object], annotated: Container[str]) -> dict[str, object]:
    """The whole numbers, and lists of them, that may be fractions, as such: those with the names of ratios, and those annotated so."""
    named = {path: value for path, value in settings.items() if path in annotated or RATIO.search(path.rpartition(".")[2])}
    found = {path: float(value) for path, value in named.items() if type(value) is int and value}
    lists = ((path, value) for path, value in named.items() if isinstance(value, (list, tuple)) and value)
    return found | {path: type(value)(map(float, value)) for path, value in lists if all(type(each) is int for each in value)}


def as_tuple(value: object) -> object:
    """The list with all lists in it as tuples."""
    return tuple(map(as_tuple, value)) if isinstance(value, list) else value


def inherited_arguments(kind: object) -> dict[str, object]:
    """The arguments with defaults that a class may pass on by ``**named`` to the constructors of those that it inherits from."""
    found: dict[str, object] = {}
    constructors = [vars(each)["__init__"] for each in getattr(kind, "__mro__", ()) if "__init__" in vars(each)]
    for one, other in itertools.pairwise(constructors):
        if not inspect.isfunction(one) or not inspect.isfunction(other) or other.__module__.startswith("torch."):
            break
        if not any(each.kind is each.VAR_KEYWORD for each in inspect.signature(one).parameters.values()):
            break
        named = [
            each for each in inspect.signature(other).parameters.values() if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)
        ]
        found = {each.name: each.default for each in named if each.default is not each.empty} | found
    return found

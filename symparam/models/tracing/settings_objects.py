"""Objects of settings of no class in particular: what a class reads from them, and what makes them."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import textwrap
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from symparam.models.traced.expressions import Settings


class NamedDict(dict[str, Any]):
    """A dictionary whose values are its attributes, too."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


@dataclasses.dataclass(frozen=True)
class Reads:
    """What a class reads from an argument: its attributes, and its values by name as from a dictionary."""

    attributes: frozenset[str]
    keys: frozenset[str]


def reads_of(kind: object, argument: str) -> Reads:
    """What the source of a class reads from an argument of this name."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(kind)))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError):
        return Reads(frozenset(), frozenset())
    of_it = [each for each in ast.walk(tree) if isinstance(each, (ast.Attribute, ast.Subscript)) and _is_called(each.value, argument)]
    keys = {each.slice.value for each in of_it if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Constant)}
    attributes = {each.attr for each in of_it if isinstance(each, ast.Attribute)}
    return Reads(frozenset(attributes), frozenset(each for each in keys if isinstance(each, str)))


def _is_called(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def maker_of(kind: object, argument: str, given: Settings) -> Callable[..., object] | None:
    """What makes an object with these settings, some of which the class reads from this argument; None if it reads none of them."""
    reads = reads_of(kind, argument)
    if given.keys() & reads.keys:
        return NamedDict
    return SimpleNamespace if given.keys() & reads.attributes else None

"""Values that a class names for its arguments: in annotations, in comparisons, and as keys of dictionaries."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence

MOST_NAMED = 6
FRACTIONS = (1.5, 0.5)


def suggested_values(kind: type, settings: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """Other values for settings that are words, or null, where the source of the class's module names them."""
    found: dict[str, tuple[object, ...]] = {}
    tree = _source(kind)
    for name, value in settings.items():
        if isinstance(value, str):
            named = dict.fromkeys(each for each in _named(tree, name, value) if each != value)
            found[name] = tuple(named)[:MOST_NAMED]
        elif value is None and _is_fraction(tree, name):
            found[name] = FRACTIONS
    return {name: values for name, values in found.items() if values}


def _source(kind: type) -> ast.AST:
    module = inspect.getmodule(kind)
    try:
        return ast.parse(inspect.getsource(module if module is not None else kind))
    except (OSError, TypeError, SyntaxError, ValueError):
        return ast.Module([], [])


def _named(tree: ast.AST, name: str, value: str) -> Iterator[str]:
    """The words beside which this one stands as an annotation ``Literal[…]``, as a key or in a list, and those that the setting is compared
    with.
    """
    for node in ast.walk(tree):
        words: list[str] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            words = _words(node.elts)
        elif isinstance(node, ast.Dict):
            words = _words(node.keys)
        elif isinstance(node, ast.Compare) and _is_called(node.left, name):
            yield from _words(node.comparators)
        yield from words if value in words else ()


def _words(nodes: Sequence[ast.AST | None]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _is_called(node: ast.AST, name: str) -> bool:
    return getattr(node, "id", getattr(node, "attr", "")) == name


def _is_fraction(tree: ast.AST, name: str) -> bool:
    """Whether the argument, or the field, is annotated as a float that may be null."""
    annotated = (node.annotation for node in ast.walk(tree) if isinstance(node, (ast.arg, ast.AnnAssign)) and _called(node) == name)
    return any(annotation is not None and "float" in ast.unparse(annotation) for annotation in annotated)


def _called(node: ast.arg | ast.AnnAssign) -> str:
    return node.arg if isinstance(node, ast.arg) else str(getattr(node.target, "id", ""))

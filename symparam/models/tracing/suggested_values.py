"""Values that a class names for its arguments: in annotations, in comparisons, and as keys of dictionaries."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping, Sequence

MOST_NAMED = 6
FRACTIONS = (1.5, 0.5, 1e-6)
ANY_OTHER_WORD = "any other word"
"""A word that stands for all words that a class does not name, where it only compares them."""


def suggested_values(kind: type, settings: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """Other values for settings that are words, or null, where the source of the class's module names them."""
    found: dict[str, tuple[object, ...]] = {}
    tree = _source(kind)
    for name, value in settings.items():
        if isinstance(value, str):
            named = dict.fromkeys(each for each in _named(tree, name, value) if each != value)
            alone = [ANY_OTHER_WORD] if is_compared_alone(_used_by(kind, tree), name.rpartition(".")[2]) else []
            found[name] = (*tuple(named)[:MOST_NAMED], *alone)
        elif value is None and _is_fraction(tree, name):
            found[name] = FRACTIONS
    return {name: values for name, values in found.items() if values}


def _used_by(kind: type, tree: ast.AST) -> ast.Module:
    """The class with all that it uses from its module, directly or through others."""
    defined = {each.name: each for each in ast.iter_child_nodes(tree) if isinstance(each, (ast.ClassDef, ast.FunctionDef))}
    found: dict[str, ast.stmt] = {}
    waiting = [getattr(kind, "__name__", "")]
    while waiting:
        name = waiting.pop()
        if name in defined and name not in found:
            found[name] = defined[name]
            waiting += [each.id for each in ast.walk(defined[name]) if isinstance(each, ast.Name)]
    return ast.Module([*found.values()], [])


def is_compared_alone(tree: ast.AST, name: str) -> bool:
    """Whether the module does nothing with a value of this name but compare it with constants and pass it on under the same name."""
    around = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    own = {node.name for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    compared = False
    for node in ast.walk(tree):
        if getattr(node, "value", None) == name or getattr(node, "id", "") in ("locals", "vars", "getattr"):
            return False
        if not (isinstance(node, (ast.Name, ast.Attribute)) and _is_called(node, name) and isinstance(node.ctx, ast.Load)):
            continue
        outer = around.get(node)
        if isinstance(outer, ast.Compare) and all(_is_constant(each) for each in (outer.left, *outer.comparators) if each is not node):
            compared = True
        elif isinstance(outer, ast.Assign) and outer.value is node and all(_is_called(each, name) for each in outer.targets):
            continue
        elif not (isinstance(outer, ast.keyword) and outer.arg == name and _called_function(around.get(outer)) in own):
            return False
    return compared


def _is_constant(node: ast.AST) -> bool:
    elements = node.elts if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]
    return all(isinstance(each, ast.Constant) for each in elements)


def _called_function(node: ast.AST | None) -> str:
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def lists_instead_of_null(kind: type, settings: Mapping[str, object]) -> dict[str, list[object]]:
    """The lists of numbers that a class takes where an argument is null, if its source gives them: ``if dims is None: dims = [32, 64]``."""
    tree = _source(kind)
    nulls = {name for name, value in settings.items() if value is None}
    found: dict[str, list[object]] = {}
    for node in ast.walk(tree):
        for name, value in _instead(node) if isinstance(node, (ast.If, ast.Assign)) else ():
            if name in nulls and isinstance(value, (ast.List, ast.Tuple)) and value.elts:
                items = [each.value for each in value.elts if isinstance(each, ast.Constant) and type(each.value) in (int, float)]
                if len(items) == len(value.elts):
                    found.setdefault(name, [*items])
    return found


def _instead(node: ast.If | ast.Assign) -> Iterator[tuple[str, ast.expr]]:
    """The name and the value that is assigned to it where it is null: below ``if dims is None``, or by ``dims = dims or [32, 64]``."""
    if isinstance(node, ast.If):
        for each in node.body:
            name = getattr(each.targets[0], "id", "") if isinstance(each, ast.Assign) and len(each.targets) == 1 else ""
            if isinstance(each, ast.Assign) and name and ast.unparse(node.test) in (f"{name} is None", f"not {name}", f"{name} == None"):
                yield name, each.value
    elif isinstance(node.value, ast.BoolOp) and isinstance(node.value.op, ast.Or) and isinstance(node.value.values[0], ast.Name):
        yield node.value.values[0].id, node.value.values[-1]
    elif isinstance(node.value, ast.IfExp):
        for name in (each.id for each in ast.walk(node.value.test) if isinstance(each, ast.Name)):
            if ast.unparse(node.value.test) == f"{name} is None":
                yield name, node.value.body
            elif ast.unparse(node.value.test) in (f"{name} is not None", name):
                yield name, node.value.orelse


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
    """Whether the argument, or the field, is annotated as a float that may be null, or an argument has no annotation at all."""
    annotated = (node.annotation for node in ast.walk(tree) if isinstance(node, (ast.arg, ast.AnnAssign)) and _called(node) == name)
    return any(annotation is None or "float" in ast.unparse(annotation) for annotation in annotated)


def _called(node: ast.arg | ast.AnnAssign) -> str:
    return node.arg if isinstance(node, ast.arg) else str(getattr(node.target, "id", ""))

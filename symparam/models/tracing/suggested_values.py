"""Values that a class names for its arguments: in annotations, in comparisons, and as keys of dictionaries."""

from __future__ import annotations

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

MOST_NAMED = 6
FRACTIONS = (1.5, 0.5, 1e-6)
NUMBERS_FOR_A_WORD = (8, 3)
MOST_TAKEN = 6
"""The most other modules whose sources are read."""
MOST_PASSED_ON = 3
"""How often a setting may be passed on under another name."""
ANY_OTHER_WORD = "any other word"
"""A word that stands for all words that a class does not name, where it only compares them."""


def suggested_values(kind: type, settings: Mapping[str, object]) -> dict[str, tuple[object, ...]]:
    """Other values for settings that are words, or null, where the source of the class's module names them; null for a setting that has
    another value, where it is compared with that.
    """
    found: dict[str, tuple[object, ...]] = {}
    unknown = {name: value for name, value in settings.items() if value is None or isinstance(value, str)}
    tree = _source(kind)
    optional = _compared_with_null(tree)
    for name, value in unknown.items():
        if isinstance(value, str):
            last = name.rpartition(".")[2]
            named = dict.fromkeys(each for each in _named(tree, last, value) if each != value)
            alone = is_compared_alone(_used_by(kind, tree), last)
            others = (
                (ANY_OTHER_WORD,) if alone and len(named) <= MOST_NAMED else NUMBERS_FOR_A_WORD if _is_compared(tree, last, value) else ()
            )
            found[name] = (*tuple(named)[:MOST_NAMED], *others)
        else:
            named = dict.fromkeys(_named(tree, name.rpartition(".")[2], value))
            found[name] = tuple(named)[:MOST_NAMED] or (
                (True, False) if _is_flag(tree, name) else FRACTIONS if _is_fraction(tree, name) else ()
            )
    nullable = (name for name, value in settings.items() if type(value) in (int, float, str) and name.rpartition(".")[2] in optional)
    found |= {name: (*found.get(name, ()), None) for name in nullable}
    return {name: values for name, values in found.items() if values}


@lru_cache(maxsize=4)
def _nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Everything in the source, which is gone through for each setting."""
    return tuple(ast.walk(tree))


@lru_cache(maxsize=4)
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
    around = {child: node for node in _nodes(tree) for child in ast.iter_child_nodes(node)}
    own = {node.name: node for node in _nodes(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    kept = any(_keeps(node, name) for node in _nodes(tree))
    compared = False
    for node in _nodes(tree):
        if getattr(node, "value", None) == name or getattr(node, "id", "") in ("locals", "vars", "getattr"):
            return False
        if not (isinstance(node, (ast.Name, ast.Attribute)) and _is_called(node, name) and isinstance(node.ctx, ast.Load)):
            continue
        if _is_own(node) and not kept:
            continue
        outer = around.get(node)
        if isinstance(outer, ast.Compare) and all(_is_constant(each) for each in (outer.left, *outer.comparators) if each is not node):
            compared = True
        elif not _is_passed_on(node, outer, "" if outer is None else _called_function(around.get(outer)), own, name):
            return False
    return compared


def _is_own(node: ast.AST) -> bool:
    """Whether it is an attribute of the module itself, such as ``self.norm``."""
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "self"


def _keeps(node: ast.AST, name: str) -> bool:
    """Whether the module keeps the value as an attribute of this name, which otherwise is something else, such as a layer."""
    if not isinstance(node, ast.Assign) or not any(_is_own(each) and _is_called(each, name) for each in node.targets):
        return False
    return isinstance(node.value, (ast.Name, ast.Attribute)) and _is_called(node.value, name)


def _is_constant(node: ast.AST) -> bool:
    return all(isinstance(each, ast.Constant) for each in _elements(node))


def _elements(node: ast.AST) -> list[Any]:
    return [*node.elts] if isinstance(node, (ast.Tuple, ast.List, ast.Set)) else [node]


def _is_passed_on(node: ast.AST, outer: ast.AST | None, called: str, own: Mapping[str, ast.ClassDef | ast.FunctionDef], name: str) -> bool:
    """Whether what stands around the value gives it on under the same name: to a variable, or to a function or class of the module."""
    if isinstance(outer, ast.Assign):
        return outer.value is node and all(_is_called(each, name) for each in outer.targets)
    if isinstance(outer, ast.keyword):
        return outer.arg == name and called in own
    return isinstance(outer, ast.Call) and node in outer.args and _parameter(own, outer, outer.args.index(node)) == name


def _parameter(own: Mapping[str, ast.ClassDef | ast.FunctionDef], call: ast.Call, place: int) -> str:
    """The name of the parameter that takes this argument of a call to one of these functions and classes."""
    made = own.get(_called_function(call))
    if isinstance(made, ast.ClassDef):
        made = next((each for each in made.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"), None)
        place += 1
    names = [] if made is None else [each.arg for each in made.args.args]
    return names[place] if place < len(names) and not any(isinstance(each, ast.Starred) for each in call.args) else ""


def _called_function(node: ast.AST | None) -> str:
    return getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""


def lists_instead_of_null(kind: type, settings: Mapping[str, object]) -> dict[str, list[object]]:
    """The lists of numbers that a class takes where an argument is null, if its source gives them: ``if dims is None: dims = [32, 64]``."""
    nulls = {name for name, value in settings.items() if value is None}
    found: dict[str, list[object]] = {}
    for node in _nodes(_source(kind)) if nulls else ():
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


@lru_cache(maxsize=4)
def _source(kind: type) -> ast.AST:
    """The source of the module of a class, and of those others of its own from which it takes something to pass its settings on to."""
    module = inspect.getmodule(kind)
    found = [*_parsed(module if module is not None else kind).body]
    for each in _taken_from_others(module)[:MOST_TAKEN] if module is not None else ():
        found += _parsed(each).body
    return ast.Module(found, [])


def _parsed(source: Any) -> ast.Module:
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(source)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return ast.Module([], [])


def _taken_from_others(module: ModuleType) -> list[ModuleType]:
    """The modules in its package or beside it from which a module has classes and functions."""
    beside, package = _folder(module), module.__name__.partition(".")[0]
    values = (each.__module__ for each in vars(module).values() if inspect.isclass(each) or inspect.isfunction(each))
    others = [sys.modules[each] for each in dict.fromkeys(values) if each != module.__name__ and each in sys.modules]
    near = [each for each in others if beside and _folder(each).startswith(beside)]
    return [each for each in others if each in near or each.__name__.partition(".")[0] == package]


def _folder(module: ModuleType) -> str:
    """The folder of a module's file; empty for one without a file."""
    file = getattr(module, "__file__", None)
    return str(Path(file).parent) if file else ""


def _named(tree: ast.AST, name: str, value: str | None) -> Iterator[str]:
    """The words beside which this one stands as an annotation ``Literal[…]``, as a key or in a list, and those that the setting is compared
    with, also by the names that it has in other functions.
    """
    names = _names_of(tree, name)
    for node in _nodes(tree):
        words: list[str] = []
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            words = _words(node.elts)
        elif isinstance(node, ast.Dict):
            words = _words(node.keys)
        elif isinstance(node, ast.Compare) and any(_is_called(each, one) for each in (node.left, *node.comparators) for one in names):
            yield from _words([one for each in (node.left, *node.comparators) for one in _elements(each)])
        yield from words if value in words else ()


@lru_cache(maxsize=64)
def _names_of(tree: ast.AST, name: str) -> tuple[str, ...]:
    """This name and those of the parameters by which functions and classes of the module take what is called so: ``Attention(attn)`` where
    that takes ``kind``.
    """
    own = {node.name: node for node in _nodes(tree) if isinstance(node, (ast.ClassDef, ast.FunctionDef))}
    calls = [node for node in _nodes(tree) if isinstance(node, ast.Call) and _called_function(node) in own]
    found = {name: None}
    for _ in range(MOST_PASSED_ON):
        for call in calls:
            given = [(each, _parameter(own, call, at)) for at, each in enumerate(call.args)]
            given += [(each.value, each.arg or "") for each in call.keywords]
            found |= {taken: None for each, taken in given if taken and any(_is_called(each, one) for one in [*found])}
    return tuple(found)


def _compared_with_null(tree: ast.AST) -> frozenset[str]:
    """The names that the module compares with null."""
    compared = (node for node in _nodes(tree) if isinstance(node, ast.Compare) and isinstance(node.ops[0], (ast.Is, ast.IsNot)))
    nulls = (node.left for node in compared if isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value is None)
    return frozenset(name for each in nulls if (name := getattr(each, "id", getattr(each, "attr", ""))))


def _is_compared(tree: ast.AST, name: str, value: str) -> bool:
    """Whether the setting is compared with this word, so that it may be something other than a word."""
    compared = (node for node in _nodes(tree) if isinstance(node, ast.Compare) and _is_called(node.left, name))
    return any(value in _words(node.comparators) for node in compared)


def _words(nodes: Sequence[ast.AST | None]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def _is_called(node: ast.AST, name: str) -> bool:
    """Whether it is a variable, an attribute, or what a dictionary has by this name: ``norm``, ``self.norm``, ``cfg["norm"]``."""
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "get":
        return bool(node.args) and getattr(node.args[0], "value", None) == name
    if isinstance(node, ast.Subscript):
        return getattr(node.slice, "value", None) == name
    return getattr(node, "id", getattr(node, "attr", "")) == name


def _is_fraction(tree: ast.AST, name: str) -> bool:
    """Whether the argument, or the field, is annotated as a float that may be null, or an argument has no annotation at all."""
    return any(annotation is None or "float" in ast.unparse(annotation) for annotation in _annotations(tree, name))


def _is_flag(tree: ast.AST, name: str) -> bool:
    """Whether the argument, or the field, is annotated as a flag that may be null."""
    annotated = [*_annotations(tree, name.rpartition(".")[2])]
    return bool(annotated) and all(each is not None and "bool" in ast.unparse(each) for each in annotated)


def _annotations(tree: ast.AST, name: str) -> Iterator[ast.expr | None]:
    return (node.annotation for node in _nodes(tree) if isinstance(node, (ast.arg, ast.AnnAssign)) and _called(node) == name)


def _called(node: ast.arg | ast.AnnAssign) -> str:
    return node.arg if isinstance(node, ast.arg) else str(getattr(node.target, "id", ""))

"""The names that the sources of a class mention: a key of a config that has another name cannot have an effect."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

NAME = re.compile(r"[A-Za-z]\w+")
ROOT = "transformers"
MODELS = f"{ROOT}.models."
SHARED = ("configuration_utils.py", "modeling_rope_utils.py")
"""Files that every config passes through, whatever the class."""
AFTERWARDS = (
    *("models", "cli", "generation", "pipelines", "data", "loss", "tokenization", "trainer", "testing", "image_processing"),
    *("cache_utils", "masking_utils", "distributed", "exporters", "quantizers", "optimization", "training_args", "model_debugging"),
)
"""Folders and files that have no part in building a class: those of single models, and what runs with a model that is built."""
TYING = "tie_word_embeddings"
"""The key that the library reads for classes that name tied tensors, and for no others."""
TIED = "_tied_weights_keys"
ASKING = frozenset({"getattr", "hasattr", "setattr", "get", "pop", "setdefault"})
"""Functions that take the name of an attribute as an argument."""
OWN = frozenset({"self", "cls", "torch", "nn", "F", "np", "math"})
"""Names whose attributes are none of a config, in modules that define no config."""


def names_in_sources(modules: Iterable[str]) -> frozenset[str]:
    """The names in the sources of these modules and of those that they import: all names where a config is defined, elsewhere words, and
    attributes of anything but the module itself; `TYING` where tied tensors are named. Those of `names_in_library` belong to every class.
    """
    return frozenset(name for module in _with_imports(set(modules)) for name in _words(module))


@cache
def names_in_library() -> frozenset[str]:
    """The attributes that the library reads of a config outside of its models, and all names in the modules that every config passes."""
    folder = Path(inspect.getfile(sys.modules[ROOT])).parent
    outside = [path for path in folder.rglob("*.py") if not path.relative_to(folder).parts[0].startswith(AFTERWARDS)]
    read = {name for path in outside for name in _read(ast.parse(path.read_text(encoding="utf-8")))}
    shared = {name for path in SHARED for name in _names(ast.parse((folder / path).read_text(encoding="utf-8")), defining=True)}
    return frozenset(name for name in read | shared if NAME.fullmatch(name)) - {TYING}


def _with_imports(modules: Iterable[str]) -> set[str]:
    """The modules, with those of models from which they import something."""
    found: set[str] = set()
    left = [each for each in modules if each.startswith(MODELS)]
    while left:
        module = left.pop()
        if module not in found and ".auto" not in module:
            found.add(module)
            left += _imported(module)
    return found


@cache
def _imported(module: str) -> tuple[str, ...]:
    package = module.rpartition(".")[0].split(".")
    found = []
    for node in ast.walk(_tree(module)):
        if isinstance(node, ast.ImportFrom) and node.module:
            outer = package[: len(package) - node.level + 1] if node.level else []
            name = ".".join((*outer, node.module))
            found += [name] if name.startswith(MODELS) and name in sys.modules else []
    return tuple(found)


@cache
def _words(module: str) -> frozenset[str]:
    defining = "configuration" in module.rpartition(".")[2]
    found = frozenset(name for name in _names(_tree(module), defining) if NAME.fullmatch(name))
    tied = any(TIED in (getattr(node, "id", ""), getattr(node, "attr", "")) for node in ast.walk(_tree(module)))
    return found | {TYING} if tied else found


def _names(tree: ast.AST, defining: bool) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute) and (defining or _first(node.value) not in OWN or "config" in _last(node.value)):
            yield node.attr
        elif defining and isinstance(node, ast.arg):
            yield node.arg
        elif defining and isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.keyword) and node.arg:
            yield node.arg


def _read(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and "config" in _last(node.value):
            yield node.attr
        elif isinstance(node, ast.Call) and _last(node.func) in ASKING:
            yield from (each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str))


def _first(node: ast.AST) -> str:
    while isinstance(node, (ast.Attribute, ast.Call, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return getattr(node, "id", "")


def _last(node: ast.AST) -> str:
    return str(getattr(node, "attr", getattr(node, "id", "")))


@cache
def _tree(module: str) -> ast.AST:
    try:
        return ast.parse(inspect.getsource(sys.modules[module]))
    except (OSError, TypeError, SyntaxError, KeyError):
        return ast.Module([], [])

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
BUILDING = (
    *("activations.py", "backbone_utils.py", "configuration_utils.py", "modeling_layers.py", "modeling_rope_utils.py", "modeling_utils.py"),
    *("monkey_patching.py", "pytorch_utils.py", "distributed/mixin.py", "integrations/heterogeneity/", "integrations/moe.py"),
    *("utils/generic.py", "utils/output_capturing.py"),
)
"""Folders and files of the library whose functions run while a class is built; all others prepare data, or run with a model."""
NOT_OF_TENSORS = frozenset(
    [
        *("attention_dropout", "classifier_dropout", "hidden_dropout", "gradient_checkpointing", "sliding_window"),
        *("init_std", "initializer_factor", "initializer_range"),
        *("max_position_embeddings", "original_max_position_embeddings", "partial_rotary_factor", "attention_factor", "beta_fast"),
        *("beta_slow", "factor", "high_freq_factor", "low_freq_factor", "mrope_section", "mscale", "mscale_all_dim", "truncate"),
        *("embed_dim", "num_heads", "num_kv_heads"),
    ]
)
"""Names that these files read to initialise tensors, to train them, for rotary angles and for checks: shapes do not depend on them where
the class itself does not mention them.
"""
TYING = "tie_word_embeddings"
"""The key that the library reads for classes that name tied tensors, and for no others."""
TIED = "_tied_weights_keys"
ASKING = frozenset({"getattr", "hasattr", "setattr", "get", "pop", "setdefault"})
"""Functions that take the name of an attribute as an argument."""
OWN = frozenset({"self", "cls", "torch", "nn", "F", "np", "math"})
"""Names whose attributes are not a config's, in modules that define no config."""


def names_in_sources(modules: Iterable[str]) -> frozenset[str]:
    """The names in the sources of these modules and of those that they import: all names where a config is defined, elsewhere only string
    literals, and attributes of anything but the module itself; `TYING` where tied tensors are named. Those of `names_in_library` belong to
    every class.
    """
    return frozenset(name for module in _with_imports(set(modules)) for name in _words(module))


@cache
def names_in_library() -> frozenset[str]:
    """The attributes that the library reads of a config while it builds any class, and all names in the modules that every config passes,
    but for those that have no influence on tensors.
    """
    folder = Path(inspect.getfile(sys.modules[ROOT])).parent
    building = [path for path in folder.rglob("*.py") if path.relative_to(folder).as_posix().startswith(BUILDING)]
    read = {name for path in building for name in _read(ast.parse(path.read_text(encoding="utf-8")))}
    shared = {name for path in SHARED for name in _names(ast.parse((folder / path).read_text(encoding="utf-8")), defining=True)}
    return frozenset(name for name in read | shared if NAME.fullmatch(name)) - {TYING} - NOT_OF_TENSORS


def names_read_of_configs(modules: Iterable[str]) -> frozenset[str]:
    """The names in these modules and in those that they import that stand for an attribute of a config."""
    return frozenset(name for module in _with_imports(set(modules)) for name in _read(_tree(module)) if NAME.fullmatch(name))


def _with_imports(modules: Iterable[str]) -> set[str]:
    """The modules, with the modules of other models that they import."""
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

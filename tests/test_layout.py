"""The rooms of the package: imports point one way, so that each room can be read without those to its right."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from typing import TypeGuard

import pytest

PACKAGE = Path(__file__).parents[1] / "symparam"
ROOMS = {
    "symparam": (
        "errors", "core", "models", "analysis", "documents", "writing", "results",
        "api", "commands", "pages", "cli", "integrations",
    ),
    "symparam.documents": ("words", "rules", "reading", "gaps", "roles", "checking", "comparing", "check"),
    "symparam.documents.checking": ("finding", "basis", "sides", "entries", "claims", "sums", "sentences", "tables", "laws", "lines"),
}  # fmt: skip
"""Of each house its rooms, of which each imports only from those before it."""
FILES = [file for file in sorted(PACKAGE.rglob("*.py")) if file.parent != PACKAGE or file.stem in ROOMS["symparam"]]


@cache
def nodes(file: Path) -> tuple[ast.AST, ...]:
    """The imports, the texts and the statements that are an expression alone, as a docstring is; to keep all nodes takes much longer."""
    tree = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return tuple(node for node in tree if isinstance(node, ast.ImportFrom | ast.Expr) or _is_text(node))


def _is_text(node: ast.AST) -> TypeGuard[ast.Constant]:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def rooms_imported(file: Path, house: str) -> set[str]:
    modules = [node.module or "" for node in nodes(file) if isinstance(node, ast.ImportFrom)]
    return {module.removeprefix(f"{house}.").split(".")[0] for module in modules if module.startswith(f"{house}.")}


@pytest.mark.parametrize("house", ROOMS)
def test_a_room_imports_only_what_is_below_it(house: str) -> None:
    folder, order = PACKAGE.parent.joinpath(*house.split(".")), ROOMS[house]
    inside = [file.relative_to(folder) for file in FILES if folder in file.parents and file != folder / "__init__.py"]
    rooms = {folder / path: path.parts[0].removesuffix(".py") for path in inside}
    above = {file: rooms_imported(file, house) - {*order[: order.index(room) + 1]} for file, room in rooms.items()}
    assert {str(file): found for file, found in above.items() if found} == {}


def test_the_root_holds_nothing_else() -> None:
    assert {path.name for path in PACKAGE.iterdir() if path.is_file()} == {"__init__.py", "__main__.py", "errors.py", "py.typed"}


def test_no_file_is_two_rooms() -> None:
    lengths = {str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8").count("\n") for file in PACKAGE.rglob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


LETTERS = re.compile("(?!.-)[\u0400-\u04ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3](?<!-.)")
"""A letter of a language that no word of code has, but for the ends of a range of letters."""


def test_words_of_languages_are_data() -> None:
    """The checker reads ten languages; their words stand in `symparam/documents/words`, and in the examples of rules."""
    files = [file for file in (PACKAGE / "documents").rglob("*.py") if file.parent.name not in ("words", "rules")]
    trees = {str(file.relative_to(PACKAGE)): nodes(file) for file in files}
    said = {name: {node.value for node in tree if isinstance(node, ast.Expr)} for name, tree in trees.items()}
    assert not [
        (name, node.value)
        for name, tree in trees.items()
        for node in tree
        if _is_text(node) and node not in said[name] and LETTERS.search(node.value)
    ]


def test_no_module_imports_itself_through_others() -> None:
    def name(file: Path) -> str:
        return ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")

    modules = {name(file) for file in PACKAGE.rglob("*.py")}
    needs = {name(file): needed(file, modules) for file in PACKAGE.rglob("*.py")}
    while leaves := {module for module, needed_ones in needs.items() if not needed_ones & needs.keys()}:
        needs = {module: needed_ones for module, needed_ones in needs.items() if module not in leaves}
    assert not needs


def needed(file: Path, modules: set[str]) -> set[str]:
    found = set()
    for node in nodes(file):
        if isinstance(node, ast.ImportFrom) and node.module in modules:
            found |= {f"{node.module}.{each.name}" if f"{node.module}.{each.name}" in modules else node.module for each in node.names}
    return found - {"symparam"}

"""Record from the source of libraries which parameters and submodules their module classes create.

    python scripts/record_libraries.py WHEEL...

A wheel comes from ``pip download --no-deps NAME``; its version is written into the record. Nothing of it is installed or run. If classes of
one library are derived from those of another whose wheel is given, too, the source of both is read. A class that the source does not
determine is recorded as open, since prints may contain it. If not even the names of its submodules are known, it is left out and so stays
unknown, unless there is another class of that name.
"""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from zipfile import ZipFile

from symparam.models.printed.buffers import RECORDED
from symparam.models.printed.recorded_libraries import FOLDER
from symparam.models.printed.sources.class_descriptions import ANY, ClassDescriber
from symparam.models.printed.sources.library import parsed

ASIDE = re.compile(r"(^|/)(tests?|examples?|benchmarks?)/")
OF_TORCH = ("weight", "bias", "gamma", "beta", "kernel", "scale", "embedding", "embeddings")
"""Names that torch, JAX and TensorFlow give to parameters."""
IMPORT = re.compile(r"^\s*(?:from|import) (\w+)", re.MULTILINE)


@dataclass(frozen=True)
class Wheel:
    """A library as published."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name.split("-")[0]

    @property
    def version(self) -> str:
        return self.path.name.split("-")[1]

    @cached_property
    def texts(self) -> Mapping[str, str]:
        """The source of each file, by path."""
        with ZipFile(self.path) as archive:
            paths = sorted(path for path in archive.namelist() if path.endswith(".py") and not ASIDE.search(path))
            return {path: archive.read(path).decode("utf-8", "replace") for path in paths}

    @cached_property
    def packages(self) -> frozenset[str]:
        """The names by which the library is imported."""
        return frozenset(path.partition("/")[0] for path in self.texts if "/" in path)

    def of(self, package: str) -> list[str]:
        """The source of the files of one package."""
        return [text for path, text in self.texts.items() if path.startswith(f"{package}/")]

    @cached_property
    def imported(self) -> frozenset[str]:
        """The packages that it imports."""
        return frozenset(module for text in self.texts.values() for module in IMPORT.findall(text)) - self.packages

    @cached_property
    def below(self) -> frozenset[str]:
        """The packages that have base classes of its own classes."""
        found = set[str]()
        for tree in filter(None, map(parsed, self.texts.values())):
            imports = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
            origin = {each.asname or each.name: _module(node, each) for node in imports for each in node.names}
            bases = [base for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases]
            found |= {origin.get(ast.unparse(base).partition(".")[0], "") for base in bases}
        return self.imported & found


def _module(node: ast.Import | ast.ImportFrom, name: ast.alias) -> str:
    """The package that a name is imported from; empty if that is the same one."""
    if isinstance(node, ast.Import):
        return name.name.partition(".")[0]
    return "" if node.level else (node.module or "").partition(".")[0]


def foundations(wheel: Wheel, wheels: list[Wheel]) -> list[Wheel]:
    """The libraries among these that have base classes of the wheel's classes, directly or indirectly."""
    found: list[Wheel] = []
    open_ = [wheel]
    while open_:
        below = open_.pop().below
        more = [each for each in wheels if each is not wheel and each not in found and each.packages & below]
        found += more
        open_ += more
    return found


def classes(wheel: Wheel, wheels: list[Wheel]) -> list[str]:
    """The classes of a library, a line for each, except those for which not even the names of submodules are known."""
    beside = {package: each.of(package) for each in foundations(wheel, wheels) for package in sorted(each.packages)}
    found = [(kind, each, bool(each.open) and each.parts >= ANY) for kind, each in ClassDescriber(wheel.texts.values(), beside).describe()]
    named = {kind for kind, _, unnamed in found if not unnamed}
    lines = {f"{'?' * bool(each.open)}{kind}{each}" for kind, each, _ in found if kind in named}
    return sorted(lines, key=lambda line: (line.lstrip("?"), line))


def buffers(wheels: list[Wheel]) -> list[str]:
    """The names that more libraries give to a buffer in the state than to a parameter, without those of torch's own parameters."""
    kept, parameters = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set)
    for wheel in wheels:
        for tree in filter(None, map(parsed, wheel.texts.values())):
            for node in ast.walk(tree):
                match node:
                    case ast.Call(func=ast.Attribute(attr="register_buffer"), args=[ast.Constant(value=str(name)), *_]):
                        if "persistent=False" not in ast.unparse(node) and not ast.unparse(node).endswith(", False)"):
                            kept[name].add(wheel.name)
                    case ast.Call(func=ast.Attribute(attr="register_parameter"), args=[ast.Constant(value=str(name)), *_]):
                        parameters[name].add(wheel.name)
                    case ast.Assign(targets=[ast.Attribute(attr=name)], value=value) if "Parameter(" in ast.unparse(value):
                        parameters[name].add(wheel.name)
    return sorted(name for name in kept if name.isidentifier() and len(kept[name]) > len(parameters[name]) and name not in OF_TORCH)


def record(wheels: list[Wheel]) -> None:
    """Write the file of each library, and print its number of lines; write the names of buffers."""
    names = textwrap.fill(" ".join(buffers(wheels)), 140)
    head = f"# Names that more of {len(wheels)} libraries give to buffers than to parameters, recorded by scripts/record_libraries.py.\n"
    RECORDED.write_text(f"{head}{names}\n", encoding="utf-8")
    found = {wheel.name: lines for wheel in wheels if (lines := classes(wheel, wheels))}
    FOLDER.mkdir(exist_ok=True)
    for wheel in wheels:
        uses = sorted(each.name for each in wheels if each.name in found and each is not wheel and each.packages & wheel.imported)
        head = f"# Classes of {wheel.name} {wheel.version}, recorded by scripts/record_libraries.py.\n"
        if lines := found.get(wheel.name, []):
            head += f"uses {' '.join(uses)}\n" if uses else ""
            FOLDER.joinpath(f"{wheel.name}.txt").write_text(head + "".join(f"{line}\n" for line in lines), encoding="utf-8")
        print(f"{wheel.name} {wheel.version}: {len(lines)} lines", flush=True)


if __name__ == "__main__":
    record([Wheel(Path(argument)) for argument in sorted(sys.argv[1:])])

"""The Python packages of the tab in one archive, with bytecode for what it imports when it starts."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from symparam.errors import SymparamError

PACKAGES = ("symparam", "sympy", "mpmath", "latex2mathml", "wcwidth", "yaml", "typer", "annotated_doc", "shellingham")
"""The pure Python packages that the page imports."""
_LEFT_OUT = ("tests", "benchmarks", "__pycache__", "testing", "tracing", "cli")
_ERROR = re.compile(r"^[\w.]*Error: .*", re.MULTILINE)
_LIMIT = 300
"""Seconds for node, which takes about ten."""


def packages(pyodide: str) -> bytes:
    """The archive for the Pyodide in this folder. Without node, which makes the bytecode, it has sources only, and the tab starts later.

    Raises `SymparamError` if Pyodide cannot start with these packages.
    """
    node = shutil.which("node")
    return _compiled(_archive(), node, pyodide) if node else _archive()


def _compiled(archive: bytes, node: str, pyodide: str) -> bytes:
    with as_file(files(__package__)) as scripts, TemporaryDirectory() as folder:
        sources, result = Path(folder, "packages.zip"), Path(folder, "compiled.zip")
        sources.write_bytes(archive)
        command = [node, str(scripts / "compile.mjs"), pyodide, str(sources), str(result)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=_LIMIT)
        except subprocess.TimeoutExpired:
            raise SymparamError(f"Pyodide in {pyodide!r} does not start in node within {_LIMIT} seconds; try again") from None
        if done.returncode:
            said = _ERROR.findall(done.stderr) or ["it does not say why"]
            raise SymparamError(f"Pyodide in {pyodide!r} does not start in node: {said[-1]}; pyodide 0.28 and node 20 do")
        return result.read_bytes()


def _archive() -> bytes:
    """The packages as one archive, without their tests."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        told = distribution("latex2mathml")  # The package asks for its own version.
        archive.writestr(zipfile.ZipInfo(f"latex2mathml-{told.version}.dist-info/METADATA"), told.read_text("METADATA") or "")
        for package in PACKAGES:
            (place,) = _folder_of(package)
            for name, path in _sources(Path(place), package):
                # A fixed date: the same packages give the same bytes.
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return found.getvalue()


def _folder_of(package: str) -> list[str]:
    spec = find_spec(package)
    assert spec is not None  # What runs in the tab needs it.
    return list(spec.submodule_search_locations or ())


def _sources(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in _LEFT_OUT:
            yield from _sources(path, f"{name}/{path.name}")
        elif path.is_file() and path.suffix not in (".pyc", ".so", ".pyd"):
            yield f"{name}/{path.name}", path
